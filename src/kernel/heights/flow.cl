// The flow step on an OpenCL device. A work-group is a row of lanes that marches down a strip of
// the terrain; a lane owns a column. All passes of the step are under way at once, each a few rows
// behind the one before it: what a pass needs from its own column it finds in registers, what it
// needs from the columns beside it in rings of rows in local memory. So the state is read once and
// written once, every edge is computed once, and a row costs a single barrier.
//
// Compiled for one kind of step at a time: FLOW_KIND says which, FLOW_KNOWN which options it has
// (-1: any), FLOW_BOOKED whether anything may leave over a border.
#include "kernel/heights/flow.h"
#include "kernel/heights/flow_ledger.h"

#define EIGHT ((FLOW_KIND)&FLOW_EIGHT)
#define CARRIES ((FLOW_KIND) & (FLOW_EROSION | FLOW_SHEET))
#define PIPES (!((FLOW_KIND)&FLOW_SHEET))

#define HALO FLOW_HALO
#define LANES FLOW_LANES

// How many rows each pass is behind the row that is read. A diagonal edge looks at the columns
// beside it in the next row too, which must have been handed over in an earlier turn.
#define EDGE_LAG (EIGHT ? 2 : 1)
#define SCALE_LAG (EIGHT ? 3 : 2)
#define CARRY_LAG (EIGHT ? 5 : 3)
#define SETTLE_LAG (EIGHT ? 6 : 4)

// What a lane remembers of its column, newest row first: [k] is k rows behind the pass that made
// it.
#define KEPT 8
#define SHIFT(history) \
  _Pragma("unroll") for (int k_ = KEPT - 1; k_ > 0; --k_) history[k_] = history[k_ - 1]

// What is handed over to the columns beside: the last rows of each quantity, a lane of padding on
// either side.
#define RING (EIGHT ? 4 : 2)
#define HANDED(type, name) __local type name[RING][LANES + 2]
#define AT(ring, row, beside) ring[(row) & (RING - 1)][lane + 1 + (beside)]
#define RIGHT 1
#define LEFT (-1)

// Turns come in stages: the first ones, each on its own, in which a pass runs as soon as a later
// one asks for its rows; those in which all passes run; and the last ones, in which a pass rests
// once no later one asks. Turns that are compiled as one let histories move by renaming. Other
// compilers than NVIDIA's get a single stage and single turns: what is kept in registers over a
// condition that holds for some turns only, PoCL 5.0 loses.
#define FIRST_SETTLED (SETTLE_LAG + 2)
#define LAST_TURNS 4
#ifdef SCREE_NVIDIA
#define STAGES (FIRST_SETTLED + 2)
#define MIDST (STAGES - 2)
#define TOGETHER(stage) ((stage) < MIDST ? 1 : LAST_TURNS)
#else
#define STAGES 1
#define MIDST 0
#define TOGETHER(stage) 1
#endif

#define OPTIONS_BY_CELL                                                                 \
  (OPTION_SOURCE_MAP | OPTION_ERODIBILITY | OPTION_SINK | OPTION_FLOOR | OPTION_TRACK | \
   OPTION_LOOSENESS)

// On layers, whose steps always have these two, they too are asked for early.
#define ASKS_EARLY ((FLOW_KNOWN) == (OPTIONS_ON_LAYERS))
#if ASKS_EARLY
#define ERODIBILITY_HERE erodibility_here
#define FLOOR_HERE floor_here
#else
#define ERODIBILITY_HERE erodibility[at]
#define FLOOR_HERE floor_[at]
#endif

// What the edge of a cell is told of the one beside: seen bed, level, discharge; the bed itself.
static inline int4 told(int bed, int level, int sediment, float q) {
  return (int4)(seen_bed(bed, level, sediment), level, as_int(q), bed);
}

// What is read of a row: a cell and its old fluxes.
typedef struct {
  int bed, water, sediment;
  float east, west, south, se, sw, nw, ne;
} Row;
#define READ_ROW(row, i)                      \
  {                                           \
    row.bed = bed[i];                         \
    row.water = water[i];                     \
    row.sediment = CARRIES ? sediment[i] : 0; \
    if (PIPES) {                              \
      row.east = east[i];                     \
      row.west = east[(i)-1];                 \
      row.south = south[i];                   \
    }                                         \
    if (EIGHT) {                              \
      row.se = se[i];                         \
      row.sw = sw[i];                         \
      row.nw = se[(i)-g.stride - 1];          \
      row.ne = sw[(i)-g.stride + 1];          \
    }                                         \
  }
// How many rows are read ahead: memory answers later than a turn takes. Where there is more to keep
// in registers, one must do.
#ifndef AHEAD
#define AHEAD (EIGHT || FLOW_KNOWN != 0 ? 1 : 2)
#endif
// The next of them. A strip's last turns may read up to SCREE_SLACK rows past the halo.
#define NEXT_ROW(i) (STAGES > 1 ? (i) + g.stride : imin((i) + g.stride, last_index))

static inline float new_flux(Flow p, float accelerate, float old, int4 a, int4 b) {
  if (!PIPES) return sheet_flux(p, a.x, a.y, b.x, b.y);
  return pipe_flux(p, accelerate, old, a.x, a.y, b.x, b.y, as_float(a.z), as_float(b.z));
}

// What the carrying knows of a cell at an edge's end: x is its scale, y its load.
static inline Carried carry(Flow p, float flux, float2 a, float2 b, uint hash, uint which) {
  return carried(p, CARRIES && !(p.options & OPTION_NO_TRANSPORT), flux, a.x, a.y, b.x, b.y,
                 rounding(hash, which));
}

static inline int4 handed(Carried c, float rise) {
  return (int4)(as_int(c.flux), c.water, c.sediment, as_int(rise));
}
static inline Carried carried_in(int4 handed) {
  Carried c;
  c.flux = as_float(handed.x);
  c.water = handed.y;
  c.sediment = handed.z;
  return c;
}

static inline float summed_x(Carried w, Carried e, Carried nw, Carried se, Carried ne, Carried sw) {
  return EIGHT ? flow_sum_x(w.flux, e.flux, nw.flux, se.flux, ne.flux, sw.flux) : w.flux + e.flux;
}
static inline float summed_y(Carried n, Carried s, Carried nw, Carried se, Carried ne, Carried sw) {
  return EIGHT ? flow_sum_y(n.flux, s.flux, nw.flux, se.flux, ne.flux, sw.flux) : n.flux + s.flux;
}

__kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void flow_step(
    Range range, Grid g, Flow p, __global const int* restrict bed,
    __global const int* restrict water, __global const int* restrict sediment,
    __global const float* restrict east, __global const float* restrict south,
    __global const float* restrict se, __global const float* restrict sw,
    __global int* restrict bed2, __global int* restrict water2, __global int* restrict sediment2,
    __global float* restrict east2, __global float* restrict south2, __global float* restrict se2,
    __global float* restrict sw2, __global const float* restrict source,
    __global const float* restrict erodibility, __global float* restrict looseness,
    __global const int* restrict floor_, __global const int* restrict sink,
    __global float* restrict flow, __global int* restrict wear, __global int* restrict deposit,
    __global long* restrict ledger) {
  HANDED(int4, near);
  HANDED(float2, ends);
  HANDED(int4, from_west);
  HANDED(float, fluxes_east);
#if EIGHT
  HANDED(float2, fluxes_diagonal);
  HANDED(int4, from_nw);
  HANDED(int4, from_ne);
#endif
  __local long sums[5 * LANES];
  if (FLOW_KNOWN >= 0) p.options = FLOW_KNOWN;

  const int lane = (int)get_local_id(0);
  const int x = (int)get_group_id(0) * FLOW_TILE_X - HALO + lane;
  // A group takes as many tiles as the launch leaves it.
  const int tiles = (g.height + FLOW_TILE_Y - 1) / FLOW_TILE_Y;
  const int rows = (tiles + (int)get_num_groups(1) - 1) / (int)get_num_groups(1) * FLOW_TILE_Y;
  const int ya = (int)get_group_id(1) * rows, yb = imin(ya + rows, g.height);
  if (ya >= yb) return;
  // Beyond the halo nothing is needed; any cell that can be read will do.
  const int safe_x = imin(x, g.width + SCREE_HALO - 1);
  const int mine = lane >= HALO && lane < LANES - HALO && x < g.width;
  // Fluxes on the edges that lead into the domain live in the halo.
  const int mine_east = mine || x == -1;
  const int mine_sw = mine || (x == g.width && lane >= HALO && lane < LANES - 1);
  const uint column = column_term(world_x(g, x));
  const int last_index = cell_index(g, safe_x, g.height + SCREE_HALO - 1);
  const Carried nothing = {0.0f, 0, 0};
  const int entries = (FLOW_BOOKED) == 0 && (FLOW_KNOWN) == 0 ? 2 : 5;
  const int slot = LEDGER_ENTRIES * flow_ledger_slot(g, (int)get_group_id(0) * FLOW_TILE_X, ya);
  const long booked = lane < entries ? ledger[slot + lane] : 0;

  int water_[KEPT], sediment_[KEPT];
  int4 near_[KEPT], near_left[KEPT], near_right[KEPT];
  float old_east[KEPT], old_south[KEPT], old_se[KEPT], old_sw[KEPT];
  float east_[KEPT], south_[KEPT], se_[KEPT], sw_[KEPT];
  float rise_east[KEPT], rise_south[KEPT], rise_se[KEPT], rise_sw[KEPT];
  float2 end_[KEPT];
  Carried c_east[KEPT], c_south[KEPT], c_se[KEPT], c_sw[KEPT];
  uint hash_[KEPT];
#pragma unroll
  for (int k = 0; k < KEPT; ++k) {
    water_[k] = sediment_[k] = 0;
    near_[k] = near_left[k] = near_right[k] = (int4)(0);
    old_east[k] = old_south[k] = old_se[k] = old_sw[k] = 0.0f;
    east_[k] = south_[k] = se_[k] = sw_[k] = 0.0f;
    rise_east[k] = rise_south[k] = rise_se[k] = rise_sw[k] = 0.0f;
    end_[k] = (float2)(0.0f);
    c_east[k] = c_south[k] = c_se[k] = c_sw[k] = nothing;
    hash_[k] = 0u;
  }
  if (PIPES) old_south[0] = south[cell_index(g, safe_x, ya - 3)];
  // A strip is at most 127 rows of at most SCREE_MOST_OUT quanta: see flow_step.cpp.
  uint rained = 0, evaporated = 0;
  long dissolved = 0, water_out = 0, sediment_out = 0;

  // The rows that the next turns read are on their way while this turn computes.
  Row ahead[AHEAD];
  int i = cell_index(g, safe_x, ya - 2);
#pragma unroll
  for (int k = 0; k < AHEAD; ++k) {
    READ_ROW(ahead[k], i);
    i = NEXT_ROW(i);
  }
  // Where the rows that settle lie, and the world's row whose edges carry.
  int settling = cell_index(g, safe_x, ya - 3 - SETTLE_LAG);
  int carrying_y = world_y(g, ya - 3 - CARRY_LAG);

  // The last turns are a stage of their own, so the number of all is rounded up to whole ones.
  const int settled = STAGES > 1 ? (yb - ya + 3) & ~3 : yb - ya;
  const int last = FIRST_SETTLED + settled - (STAGES > 1 ? LAST_TURNS : 0);
#pragma unroll
  for (int stage = 0; stage < STAGES; ++stage) {
    const int begins = stage < MIDST;
    const int finishes = STAGES > 1 && stage + 1 == STAGES;
    const int start = begins ? stage : finishes ? last : STAGES > 1 ? FIRST_SETTLED : 0;
    const int stop = begins ? stage + 1 : finishes ? last + LAST_TURNS : last;
    for (int first = start; first < stop; first += TOGETHER(stage)) {
#pragma unroll
      for (int together = 0; together < TOGETHER(stage); ++together) {
        const int turn = first + together, row = ya - 2 + turn;
        // Which passes are asked for: a row of edges from two above the strip to the one below it.
        const int left = finishes ? LAST_TURNS - together : LAST_TURNS + SETTLE_LAG;
        const int reads = left >= SETTLE_LAG - 1;
        const int flows = (!begins || stage >= EDGE_LAG) && left >= SETTLE_LAG - EDGE_LAG;
        const int scales = (!begins || stage > SCALE_LAG) && left >= SETTLE_LAG - SCALE_LAG;
        const int carries = (!begins || stage > CARRY_LAG) && left > SETTLE_LAG - CARRY_LAG;
        const int settles = !begins;
        const int y = row - SETTLE_LAG;
        const int keep = mine && (STAGES > 1 || y >= ya) && y < yb;
        settling += g.stride;
        carrying_y = carrying_y + 1 == g.wrap_y ? 0 : carrying_y + 1;
        const int at = STAGES > 1 || !(p.options & OPTIONS_BY_CELL)
                           ? settling
                           : cell_index(g, safe_x, imin(imax(y, 0), g.height - 1));
        // Asked for early, needed late.
        float flow_before = 0.0f;
        int wear_before = 0, deposit_before = 0;
        if (settles && (p.options & OPTION_TRACK) && keep)
          flow_before = flow[at], wear_before = wear[at], deposit_before = deposit[at];
        float looseness_before = 1.0f;
        if (settles && (p.options & OPTION_LOOSENESS) && keep) looseness_before = looseness[at];
#if ASKS_EARLY
        const float erodibility_here = settles && keep ? erodibility[at] : 0.0f;
        const int floor_here = settles && keep ? floor_[at] : 0;
#endif

        // speed
        SHIFT(water_);
        SHIFT(sediment_);
        SHIFT(near_);
        SHIFT(old_east);
        SHIFT(old_south);
        SHIFT(old_se);
        SHIFT(old_sw);
        const Row now = ahead[0];
#pragma unroll
        for (int k = 1; k < AHEAD; ++k) ahead[k - 1] = ahead[k];
        if (left >= SETTLE_LAG - 1 + AHEAD) {
          READ_ROW(ahead[AHEAD - 1], i);
          i = NEXT_ROW(i);
        }
        water_[0] = now.water;
        sediment_[0] = now.sediment;
        float q = 0.0f;
        if (PIPES && reads) {
          old_east[0] = now.east;
          old_south[0] = now.south;
          float sum_x = now.west + now.east, sum_y = old_south[1] + now.south;
          if (EIGHT) {
            old_se[0] = now.se;
            old_sw[0] = now.sw;
            sum_x = flow_sum_x(now.west, now.east, now.nw, now.se, now.ne, now.sw);
            sum_y = flow_sum_y(old_south[1], now.south, now.nw, now.se, now.ne, now.sw);
          }
          q = length_of(discharge2(p, sum_x, sum_y));
        }
        near_[0] = told(now.bed, now.bed + now.water, now.sediment, q);

        // edge
        SHIFT(east_);
        SHIFT(south_);
        SHIFT(se_);
        SHIFT(sw_);
        SHIFT(rise_east);
        SHIFT(rise_south);
        SHIFT(rise_se);
        SHIFT(rise_sw);
        SHIFT(near_left);
        SHIFT(near_right);
        if (reads || flows) {
          near_right[0] = AT(near, turn - 1, RIGHT);
          if (EIGHT) near_left[0] = AT(near, turn - 1, LEFT);
        }
        if (flows) {
          const int k = EDGE_LAG;
          const int4 own = near_[k], below = near_[k - 1], right = near_right[k - 1];
          east_[0] = new_flux(p, p.accelerate_x, old_east[k], own, right);
          south_[0] = new_flux(p, p.accelerate_y, old_south[k], own, below);
          rise_east[0] = rise_between(own.w, right.w);
          rise_south[0] = rise_between(own.w, below.w);
          if (EIGHT) {
            const float to_se = new_flux(p, p.accelerate_d, old_se[k], own, near_right[0]);
            const float to_sw = new_flux(p, p.accelerate_d, old_sw[k], own, near_left[0]);
            se_[0] = past_wall(right.w, below.w) ? 0.0f : to_se;
            sw_[0] = past_wall(near_left[k - 1].w, below.w) ? 0.0f : to_sw;
            rise_se[0] = rise_between(own.w, near_right[0].w);
            rise_sw[0] = rise_between(own.w, near_left[0].w);
          }
        }

        // scale
        SHIFT(end_);
        if (scales) {
          const int k = SCALE_LAG, f = SCALE_LAG - EDGE_LAG, r = turn - k;
          float out =
              outgoing(east_[f], AT(fluxes_east, r, LEFT)) + outgoing(south_[f], south_[f + 1]);
#if EIGHT
          out = out + (outgoing(se_[f], AT(fluxes_diagonal, r - 1, LEFT).x) +
                       outgoing(sw_[f], AT(fluxes_diagonal, r - 1, RIGHT).y));
#endif
          end_[0].x = outflow_scale(p, water_[k], out);
          end_[0].y = CARRIES ? concentration(p, water_[k], sediment_[k]) : 0.0f;
        }

        // carry
        SHIFT(c_east);
        SHIFT(c_south);
        SHIFT(c_se);
        SHIFT(c_sw);
        SHIFT(hash_);
        if (carries) {
          const int e = CARRY_LAG - SCALE_LAG, f = CARRY_LAG - EDGE_LAG, r = turn - CARRY_LAG;
          const int edge_y = row - CARRY_LAG, to = settling + g.stride;
          hash_[0] = mix_bits(row_term(p.step_seed, carrying_y) + column);
          c_east[0] = carry(p, east_[f], end_[e], AT(ends, r, RIGHT), hash_[0], SCREE_DRAW_A);
          c_south[0] = carry(p, south_[f], end_[e], end_[e - 1], hash_[0], SCREE_DRAW_B);
#if EIGHT
          c_se[0] = carry(p, se_[f], end_[e], AT(ends, r + 1, RIGHT), hash_[0], SCREE_DRAW_F);
          c_sw[0] = carry(p, sw_[f], end_[e], AT(ends, r + 1, LEFT), hash_[0], SCREE_DRAW_G);
#endif
          if (PIPES && (STAGES > 1 && settles ? edge_y < yb
                                              : (edge_y >= ya && edge_y < yb) || edge_y == -1)) {
            if (mine) south2[to] = c_south[0].flux;
            if ((STAGES > 1 && settles) || edge_y >= 0)
              if (mine_east) east2[to] = c_east[0].flux;
            if (EIGHT) {
              if (mine_east) se2[to] = c_se[0].flux;
              if (mine_sw) sw2[to] = c_sw[0].flux;
            }
          }
        }

        // settle
        if (settles) {
          const int k = SETTLE_LAG, s = SETTLE_LAG - CARRY_LAG, f = SETTLE_LAG - EDGE_LAG,
                    r = turn - k;
          const int4 west = AT(from_west, r, LEFT);
          const float rise_west = as_float(west.w), rise_north = rise_south[f + 1];
          const Carried e = c_east[s], so = c_south[s], no = c_south[s + 1], w = carried_in(west);
          Carried to_se = nothing, nw = nothing, to_sw = nothing, ne = nothing;
          Around c;
          c.bed = near_[k].w;
          c.water = water_[k];
          c.sediment = sediment_[k];
          c.water_gain = w.water - e.water + (no.water - so.water);
          c.sediment_gain = w.sediment - e.sediment + (no.sediment - so.sediment);
          c.below = lowest_of(rise_east[f], rise_west, rise_south[f], rise_north);
          c.above = highest_of(rise_east[f], rise_west, rise_south[f], rise_north);
          c.shut = near_[k].x == SCREE_WALL;
#if EIGHT
          const int4 north_west = AT(from_nw, r - 1, LEFT), north_east = AT(from_ne, r - 1, RIGHT);
          to_se = c_se[s], to_sw = c_sw[s];
          nw = carried_in(north_west), ne = carried_in(north_east);
          c.water_gain += nw.water - to_se.water + (ne.water - to_sw.water);
          c.sediment_gain += nw.sediment - to_se.sediment + (ne.sediment - to_sw.sediment);
          c.below = fmax2(c.below, lowest_of(rise_se[f], as_float(north_west.w), rise_sw[f],
                                             as_float(north_east.w)));
          c.above = fmax2(c.above, highest_of(rise_se[f], as_float(north_west.w), rise_sw[f],
                                              as_float(north_east.w)));
#endif
          c.water_passed = iabs(w.water) + iabs(e.water) + (iabs(no.water) + iabs(so.water));
          const float q2 = discharge2(p, summed_x(w, e, nw, to_se, ne, to_sw),
                                      summed_y(no, so, nw, to_se, ne, to_sw));
          c.rain = p.rain;
          if (p.options & OPTION_SOURCE_MAP) c.rain = c.rain + source[at] * p.source_scale;
          if (p.options & OPTION_DROPS)
            c.rain = c.rain + drop_rain(p, world_x(g, x), world_y(g, y));
          if (p.options & (OPTION_SOURCE_MAP | OPTION_DROPS))
            c.rain = fmin2(c.rain, SCREE_MOST_OUT);
          c.erode = p.erode;
          if (p.options & (OPTION_ERODIBILITY | OPTION_LOOSENESS)) {
            float factor = p.options & OPTION_ERODIBILITY ? ERODIBILITY_HERE : 1.0f;
            if (p.options & OPTION_LOOSENESS) factor = factor * looseness_before;
            c.erode = p.erode * factor;
          }
          const float sine2 = tilt2(p, rise_east[f] + rise_west, rise_south[f] + rise_north);
          c.capacity = load_capacity(p, sine2, q2);
          if (p.options & (OPTION_SPEED_CAPACITY | OPTION_SHIELDS)) {
            float factor = p.options & OPTION_SPEED_CAPACITY ? speed_factor(p, c.water) : 1.0f;
            if (p.options & OPTION_SHIELDS) factor = factor * shields_factor(p, c.water, sine2);
            c.capacity = c.capacity * factor;
          }
          c.sink = p.options & OPTION_SINK ? sink[at] : 0;
          c.above_floor = p.options & OPTION_FLOOR ? imax(c.bed - FLOOR_HERE, 0) : SCREE_WALL;
          const Settled done = settle(p, FLOW_KIND, p.options, c, hash_[s]);
          if (keep) {
            rained += (uint)done.rain;
            evaporated += (uint)done.evaporated;
            bed2[at] = done.bed;
            water2[at] = done.water;
            if (CARRIES) sediment2[at] = done.sediment;
            if (p.options & OPTION_LOOSENESS)
              looseness[at] = changed_looseness(p, looseness_before, done.deposited, done.water);
            if (p.options & OPTION_TRACK) {
              flow[at] = tracked_flow(p, flow_before, q2);
              wear[at] = tracked_quanta(wear_before, done.worn - done.deposited);
              deposit[at] = tracked_quanta(deposit_before, done.deposited - done.worn);
            }
            if (p.options & (OPTION_SINK | OPTION_SOIL_TO_WATER)) {
              dissolved += done.dissolved;
              water_out += done.drained_water;
              sediment_out += done.drained_sediment;
            }
            if (FLOW_BOOKED && (x == 0 || y == 0 || x == g.width - 1 || y == g.height - 1)) {
              const Crossing out = crossing(g, p, x, y);
              water_out += (long)out.e * e.water - (long)out.w * w.water + (long)out.s * so.water -
                           (long)out.n * no.water + (long)out.se * to_se.water -
                           (long)out.nw * nw.water + (long)out.sw * to_sw.water -
                           (long)out.ne * ne.water;
              sediment_out += (long)out.e * e.sediment - (long)out.w * w.sediment +
                              (long)out.s * so.sediment - (long)out.n * no.sediment +
                              (long)out.se * to_se.sediment - (long)out.nw * nw.sediment +
                              (long)out.sw * to_sw.sediment - (long)out.ne * ne.sediment;
            }
          }
        }

        // Hand over to the columns beside this one, each pass the row that it has just done.
        const int f = CARRY_LAG - EDGE_LAG;
        if (reads) AT(near, turn, 0) = near_[0];
        if (flows) AT(fluxes_east, turn - EDGE_LAG, 0) = east_[0];
        if (scales) AT(ends, turn - SCALE_LAG, 0) = end_[0];
        if (carries) AT(from_west, turn - CARRY_LAG, 0) = handed(c_east[0], rise_east[f]);
#if EIGHT
        if (flows) AT(fluxes_diagonal, turn - EDGE_LAG, 0) = (float2)(se_[0], sw_[0]);
        if (carries) AT(from_nw, turn - CARRY_LAG, 0) = handed(c_se[0], rise_se[f]);
        if (carries) AT(from_ne, turn - CARRY_LAG, 0) = handed(c_sw[0], rise_sw[f]);
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    }
  }

  // Integer sums, so any order gives the same. The order is that of LEDGER_…
  sums[lane] = rained;
  sums[LANES + lane] = evaporated;
  if (entries > 2) {
    sums[2 * LANES + lane] = water_out;
    sums[3 * LANES + lane] = sediment_out;
    sums[4 * LANES + lane] = dissolved;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int parts = 8;
  if (lane < LANES / parts)
    for (int k = 0; k < entries; ++k)
      for (int part = 1; part < parts; ++part)
        sums[k * LANES + lane] += sums[k * LANES + part * (LANES / parts) + lane];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane < entries) {
    long sum = booked;
    for (int k = 0; k < LANES / parts; ++k) sum += sums[lane * LANES + k];
    ledger[slot + lane] = sum;
  }
}
