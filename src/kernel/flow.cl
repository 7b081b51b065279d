// The flow step on an OpenCL device. A work-group is a row of lanes that marches down a strip of
// the terrain; a lane owns a column. All passes of the step are under way at once, each a few rows
// behind the one before it: what a pass needs from its own column it finds in registers, what it
// needs from the columns beside it in rings of rows in local memory. So the state is read once and
// written once, every edge is computed once, and a row costs a single barrier.
//
// Compiled for one kind of step at a time: FLOW_KIND says which, FLOW_KNOWN which options it has
// (-1: any).
#include "kernel/flow.h"
#include "kernel/flow_ledger.h"

#define EIGHT ((FLOW_KIND)&FLOW_EIGHT)
#define CARRIES ((FLOW_KIND) & (FLOW_EROSION | FLOW_SHEET))
#define PIPES (!((FLOW_KIND)&FLOW_SHEET))

#define HALO 2
#define LANES (FLOW_TILE_X + 2 * HALO)

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
// clang-format off
enum {
  BED, LEVEL, SPEED, EAST, SCALE, LOAD, EAST_FLUX, EAST_WATER, EAST_LOAD,
  SE, SW, SE_FLUX, SE_WATER, SE_LOAD, SW_FLUX, SW_WATER, SW_LOAD, QUANTITIES
};
// clang-format on
#define RING (EIGHT ? 4 : 2)
#define RING_SIZE ((EIGHT ? QUANTITIES : SE) * RING * (LANES + 2))
#define AT(quantity, row) (((quantity)*RING + ((row) & (RING - 1))) * (LANES + 2) + 1 + lane)
#define WHOLE(quantity, row, beside) ring[AT(quantity, row) + (beside)]
#define REAL(quantity, row, beside) as_float(WHOLE(quantity, row, beside))
#define RIGHT 1
#define LEFT (-1)

// Turns that are compiled as one, so that histories move by renaming and rings have fixed places;
// and whether the first turns, in which nothing settles yet, are compiled apart from the others.
#ifdef SCREE_NVIDIA
#define TOGETHER 2
#define APART 1
#else
#define TOGETHER 1
#define APART 0
#endif
#define FIRST_SETTLED (SETTLE_LAG + 2)

// What one edge carries.
typedef struct {
  float flux;
  int water, sediment;
} Carried;

// What the carrying knows of a cell at an edge's end.
typedef struct {
  float scale, conc;
} End;

static inline float new_flux(Flow p, float accelerate, float old, int bed_a, int level_a, int bed_b,
                             int level_b, float q_a, float q_b) {
  if (!PIPES) return sheet_flux(p, bed_a, level_a, bed_b, level_b);
  return pipe_flux(p, accelerate, old, bed_a, level_a, bed_b, level_b, q_a, q_b);
}

static inline End end_at(__local const int* ring, int lane, int row, int beside) {
  End e;
  e.scale = REAL(SCALE, row, beside);
  e.conc = CARRIES ? REAL(LOAD, row, beside) : 0.0f;
  return e;
}

static inline Carried carry(Flow p, float flux, End a, End b, uint hash, uint which) {
  Carried c;
  c.flux = scaled_flux(flux, a.scale, b.scale);
  const float rounding = draw_towards(flux, draw(hash, which));
  c.water = water_carried(p, c.flux, rounding);
  c.sediment = 0;
  if (CARRIES && !(p.options & OPTION_NO_TRANSPORT))
    c.sediment = sediment_carried(p, c.flux, a.conc, b.conc, rounding);
  return c;
}

static inline Carried carried_at(__local const int* ring, int lane, int flux, int row, int beside) {
  Carried c;  // its flux, water and load lie one after the other
  c.flux = REAL(flux, row, beside);
  c.water = WHOLE(flux + 1, row, beside);
  c.sediment = CARRIES ? WHOLE(flux + 2, row, beside) : 0;
  return c;
}

static inline void hand_over(__local int* ring, int lane, int flux, int row, Carried c) {
  WHOLE(flux, row, 0) = as_int(c.flux);
  WHOLE(flux + 1, row, 0) = c.water;
  if (CARRIES) WHOLE(flux + 2, row, 0) = c.sediment;
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
  __local int ring[RING_SIZE];
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
  const uint column = column_term(world_x(g, x));
  const Carried nothing = {0.0f, 0, 0};

  int bed_[KEPT], level_[KEPT], sediment_[KEPT], bed_left[KEPT], bed_right[KEPT];
  float q_[KEPT], old_east[KEPT], old_south[KEPT], old_se[KEPT], old_sw[KEPT];
  float east_[KEPT], south_[KEPT], se_[KEPT], sw_[KEPT];
  End end_[KEPT];
  Carried c_east[KEPT], c_south[KEPT], c_se[KEPT], c_sw[KEPT];
  uint hash_[KEPT];
#pragma unroll
  for (int k = 0; k < KEPT; ++k) {
    bed_[k] = level_[k] = sediment_[k] = bed_left[k] = bed_right[k] = 0;
    q_[k] = old_east[k] = old_south[k] = old_se[k] = old_sw[k] = 0.0f;
    east_[k] = south_[k] = se_[k] = sw_[k] = 0.0f;
    end_[k].scale = end_[k].conc = 0.0f;
    c_east[k] = c_south[k] = c_se[k] = c_sw[k] = nothing;
    hash_[k] = 0u;
  }
  if (PIPES) old_south[0] = south[cell_index(g, safe_x, ya - 3)];
  long rained = 0, evaporated = 0, dissolved = 0, water_out = 0, sediment_out = 0;

  // The row that the next turn reads is on its way while this turn computes.
  int i = cell_index(g, safe_x, ya - 2);
  int next_bed = bed[i], next_water = water[i], next_sediment = CARRIES ? sediment[i] : 0;
  float next_east = PIPES ? east[i] : 0.0f, next_west = PIPES ? east[i - 1] : 0.0f;
  float next_south = PIPES ? south[i] : 0.0f;

  const int turns = yb - ya + FIRST_SETTLED;
#if APART
#pragma unroll
  for (int settles = 0; settles < 2; ++settles)
    for (int first = settles ? FIRST_SETTLED : 0, end = settles ? turns : FIRST_SETTLED;
         first < end; first += TOGETHER) {
#else
  const int settles = 1;
  for (int first = 0; first < turns; first += TOGETHER) {
#endif
#pragma unroll
      for (int together = 0; together < TOGETHER; ++together) {
        const int turn = first + together, row = ya - 2 + turn;
        const int y = row - SETTLE_LAG;
        const int inside = y >= ya && y < yb, keep = mine && inside;
        const int at = cell_index(g, safe_x, imin(imax(y, 0), g.height - 1));
        // Asked for early, needed late.
        float flow_before = 0.0f;
        int wear_before = 0, deposit_before = 0;
        if ((p.options & OPTION_TRACK) && keep)
          flow_before = flow[at], wear_before = wear[at], deposit_before = deposit[at];
        float looseness_before = 1.0f;
        if ((p.options & OPTION_LOOSENESS) && keep) looseness_before = looseness[at];

        // speed
        SHIFT(bed_);
        SHIFT(level_);
        SHIFT(sediment_);
        SHIFT(q_);
        SHIFT(old_east);
        SHIFT(old_south);
        bed_[0] = next_bed;
        level_[0] = next_bed + next_water;
        sediment_[0] = next_sediment;
        if (PIPES) {
          old_east[0] = next_east;
          old_south[0] = next_south;
          float sum_x = next_west + next_east, sum_y = old_south[1] + next_south;
          if (EIGHT) {
            SHIFT(old_se);
            SHIFT(old_sw);
            const int n = i - g.stride;
            const float d_nw = se[n - 1], d_se = se[i], d_ne = sw[n + 1], d_sw = sw[i];
            old_se[0] = d_se;
            old_sw[0] = d_sw;
            sum_x = flow_sum_x(next_west, next_east, d_nw, d_se, d_ne, d_sw);
            sum_y = flow_sum_y(old_south[1], next_south, d_nw, d_se, d_ne, d_sw);
          }
          q_[0] = length_of(discharge2(p, sum_x, sum_y));
        }
        i = cell_index(g, safe_x, imin(row + 1, g.height + SCREE_HALO - 1));
        next_bed = bed[i];
        next_water = water[i];
        if (CARRIES) next_sediment = sediment[i];
        if (PIPES) {
          next_east = east[i];
          next_west = east[i - 1];
          next_south = south[i];
        }

        // edge
        {
          SHIFT(east_);
          SHIFT(south_);
          SHIFT(bed_left);
          SHIFT(bed_right);
          bed_left[0] = WHOLE(BED, turn - 1, LEFT);
          bed_right[0] = WHOLE(BED, turn - 1, RIGHT);
          const int k = EDGE_LAG, r = turn - k;
          east_[0] = new_flux(p, p.accelerate_x, old_east[k], bed_[k], level_[k], bed_right[k - 1],
                              WHOLE(LEVEL, r, RIGHT), q_[k], PIPES ? REAL(SPEED, r, RIGHT) : 0.0f);
          south_[0] = new_flux(p, p.accelerate_y, old_south[k], bed_[k], level_[k], bed_[k - 1],
                               level_[k - 1], q_[k], q_[k - 1]);
          if (EIGHT) {
            SHIFT(se_);
            SHIFT(sw_);
            const float to_se =
                new_flux(p, p.accelerate_d, old_se[k], bed_[k], level_[k], bed_right[k - 2],
                         WHOLE(LEVEL, r + 1, RIGHT), q_[k], REAL(SPEED, r + 1, RIGHT));
            const float to_sw =
                new_flux(p, p.accelerate_d, old_sw[k], bed_[k], level_[k], bed_left[k - 2],
                         WHOLE(LEVEL, r + 1, LEFT), q_[k], REAL(SPEED, r + 1, LEFT));
            se_[0] = past_wall(bed_right[k - 1], bed_[k - 1]) ? 0.0f : to_se;
            sw_[0] = past_wall(bed_left[k - 1], bed_[k - 1]) ? 0.0f : to_sw;
          }
        }

        // scale
        {
          SHIFT(end_);
          const int k = SCALE_LAG, f = SCALE_LAG - EDGE_LAG, r = turn - k;
          float out = outgoing(east_[f], REAL(EAST, r, LEFT)) + outgoing(south_[f], south_[f + 1]);
          if (EIGHT)
            out = out + (outgoing(se_[f], REAL(SE, r - 1, LEFT)) +
                         outgoing(sw_[f], REAL(SW, r - 1, RIGHT)));
          end_[0].scale = outflow_scale(p, level_[k] - bed_[k], out);
          if (CARRIES) end_[0].conc = concentration(p, level_[k] - bed_[k], sediment_[k]);
        }

        // carry
        {
          SHIFT(c_east);
          SHIFT(c_south);
          SHIFT(hash_);
          const int k = CARRY_LAG, e = CARRY_LAG - SCALE_LAG, f = CARRY_LAG - EDGE_LAG,
                    r = turn - k;
          const int edge_y = row - k;
          hash_[0] = mix_bits(row_term(p.step_seed, world_y(g, edge_y)) + column);
          c_east[0] =
              carry(p, east_[f], end_[e], end_at(ring, lane, r, RIGHT), hash_[0], SCREE_DRAW_A);
          c_south[0] = carry(p, south_[f], end_[e], end_[e - 1], hash_[0], SCREE_DRAW_B);
          if (EIGHT) {
            SHIFT(c_se);
            SHIFT(c_sw);
            c_se[0] =
                carry(p, se_[f], end_[e], end_at(ring, lane, r + 1, RIGHT), hash_[0], SCREE_DRAW_F);
            c_sw[0] =
                carry(p, sw_[f], end_[e], end_at(ring, lane, r + 1, LEFT), hash_[0], SCREE_DRAW_G);
          }
          // Fluxes on the edges that lead into the domain live in the halo.
          if (PIPES && ((edge_y >= ya && edge_y < yb) || edge_y == -1)) {
            const int to = cell_index(g, safe_x, edge_y);
            if (mine) south2[to] = c_south[0].flux;
            if (edge_y >= 0 && (mine || x == -1)) east2[to] = c_east[0].flux;
            if (EIGHT) {
              if (mine || x == -1) se2[to] = c_se[0].flux;
              if (mine || (x == g.width && lane >= HALO && lane < LANES - 1))
                sw2[to] = c_sw[0].flux;
            }
          }
        }

        // settle
        // On every row, not only inside: what is kept in registers over a condition that holds for
        // some turns only, PoCL 5.0 loses.
        if (settles) {
          const int k = SETTLE_LAG, s = SETTLE_LAG - CARRY_LAG, r = turn - k;
          const Carried e = c_east[s], so = c_south[s], no = c_south[s + 1];
          const Carried w = carried_at(ring, lane, EAST_FLUX, r, LEFT);
          Carried to_se = nothing, nw = nothing, to_sw = nothing, ne = nothing;
          Around c;
          c.bed = bed_[k];
          c.water = level_[k] - c.bed;
          c.sediment = sediment_[k];
          c.water_gain = w.water - e.water + (no.water - so.water);
          c.sediment_gain = w.sediment - e.sediment + (no.sediment - so.sediment);
          const int b_w = bed_or(bed_left[k - 1], c.bed), b_e = bed_or(bed_right[k - 1], c.bed);
          const int b_n = bed_or(bed_[k + 1], c.bed), b_s = bed_or(bed_[k - 1], c.bed);
          c.lowest = imin(imin(b_w, b_e), imin(b_n, b_s));
          c.highest = imax(imax(b_w, b_e), imax(b_n, b_s));
          if (EIGHT) {
            to_se = c_se[s], to_sw = c_sw[s];
            nw = carried_at(ring, lane, SE_FLUX, r - 1, LEFT);
            ne = carried_at(ring, lane, SW_FLUX, r - 1, RIGHT);
            c.water_gain += nw.water - to_se.water + (ne.water - to_sw.water);
            c.sediment_gain += nw.sediment - to_se.sediment + (ne.sediment - to_sw.sediment);
            const int b_nw = bed_or(bed_left[k], c.bed), b_ne = bed_or(bed_right[k], c.bed);
            const int b_sw = bed_or(bed_left[k - 2], c.bed), b_se = bed_or(bed_right[k - 2], c.bed);
            c.lowest = imin(c.lowest, imin(imin(b_nw, b_ne), imin(b_sw, b_se)));
            c.highest = imax(c.highest, imax(imax(b_nw, b_ne), imax(b_sw, b_se)));
          }
          c.water_passed = iabs(w.water) + iabs(e.water) + (iabs(no.water) + iabs(so.water));
          const float q2 = discharge2(p, summed_x(w, e, nw, to_se, ne, to_sw),
                                      summed_y(no, so, nw, to_se, ne, to_sw));
          c.rain = p.rain;
          if (p.options & OPTION_SOURCE_MAP) c.rain = c.rain + source[at] * p.source_scale;
          if (p.options & OPTION_DROPS)
            c.rain = c.rain + drop_rain(p, world_x(g, x), world_y(g, y));
          if (p.options & (OPTION_SOURCE_MAP | OPTION_DROPS))
            c.rain = fmin2(c.rain, SCREE_MOST_OUT);
          c.erodibility = p.options & OPTION_ERODIBILITY ? erodibility[at] : 1.0f;
          if (p.options & OPTION_LOOSENESS) c.erodibility = c.erodibility * looseness_before;
          const float sine2 = tilt2(p, b_w, b_e, b_n, b_s);
          float factor = p.options & OPTION_SPEED_CAPACITY ? speed_factor(p, c.water) : 1.0f;
          if (p.options & OPTION_SHIELDS) factor = factor * shields_factor(p, c.water, sine2);
          c.capacity = load_capacity(p, sine2, q2, factor);
          c.sink = p.options & OPTION_SINK ? sink[at] : 0;
          c.above_floor = p.options & OPTION_FLOOR ? imax(c.bed - floor_[at], 0) : SCREE_WALL;
          const Settled done = settle(p, FLOW_KIND, p.options, c, hash_[s]);
          rained += keep ? done.rain : 0;
          evaporated += keep ? done.evaporated : 0;
          if (keep) {
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
            if (p.booked_sides && (x == 0 || y == 0 || x == g.width - 1 || y == g.height - 1)) {
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
        WHOLE(BED, turn, 0) = bed_[0];
        WHOLE(LEVEL, turn, 0) = level_[0];
        if (PIPES) WHOLE(SPEED, turn, 0) = as_int(q_[0]);
        WHOLE(EAST, turn - EDGE_LAG, 0) = as_int(east_[0]);
        if (EIGHT) {
          WHOLE(SE, turn - EDGE_LAG, 0) = as_int(se_[0]);
          WHOLE(SW, turn - EDGE_LAG, 0) = as_int(sw_[0]);
        }
        WHOLE(SCALE, turn - SCALE_LAG, 0) = as_int(end_[0].scale);
        if (CARRIES) WHOLE(LOAD, turn - SCALE_LAG, 0) = as_int(end_[0].conc);
        hand_over(ring, lane, EAST_FLUX, turn - CARRY_LAG, c_east[0]);
        if (EIGHT) {
          hand_over(ring, lane, SE_FLUX, turn - CARRY_LAG, c_se[0]);
          hand_over(ring, lane, SW_FLUX, turn - CARRY_LAG, c_sw[0]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    }

  // Integer sums, so any order gives the same. The order is that of LEDGER_…
  const int entries = p.booked_sides || p.options ? 5 : 2;
  sums[lane] = rained;
  sums[LANES + lane] = evaporated;
  sums[2 * LANES + lane] = water_out;
  sums[3 * LANES + lane] = sediment_out;
  sums[4 * LANES + lane] = dissolved;
  for (int reach = LANES / 2; reach > 0; reach /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < reach)
      for (int k = 0; k < entries; ++k) sums[k * LANES + lane] += sums[k * LANES + lane + reach];
  }
  if (lane == 0)
    for (int k = 0; k < entries; ++k)
      ledger[LEDGER_ENTRIES * flow_ledger_slot(g, x + HALO, ya) + k] += sums[k * LANES];
}
