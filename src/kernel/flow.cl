// The flow step on an OpenCL device: a work-group keeps a tile and its halo in local memory, so
// that the state is read once and written once. A lane owns a column of the span (tile and halo)
// and walks down every eighth row. With four neighbours each edge's amounts are computed once and
// kept; with eight there is no room for them, and both its cells compute them.
#include "kernel/flow.h"
#include "kernel/flow_ledger.h"

#define HALO 2
#define SPAN_X (FLOW_TILE_X + 2 * HALO)
#define SPAN_Y (FLOW_TILE_Y + 2 * HALO)
#define SPAN (SPAN_X * SPAN_Y)
#define LANES 8
#define WORKERS (SPAN_X * LANES)
#define ROWS (SPAN_Y / LANES)  // of a lane

typedef struct {
  __local int *bed, *level;
  __local float *q, *east, *south, *se, *sw, *scale, *conc;
  __local int *room;  // in the place of q, once the edges are done
  __local int *n_east, *n_south, *s_east, *s_south;
} Tile;

static inline float tile_flux(Flow p, const int kind, Tile l, float accelerate, float old, int a, int b) {
  if (kind & FLOW_SHEET) return sheet_flux(p, l.bed[a], l.level[a], l.bed[b], l.level[b]);
  return pipe_flux(p, accelerate, old, l.bed[a], l.level[a], l.bed[b], l.level[b], l.q[a], l.q[b]);
}

// What one edge carries, from its owner t to cell u of the tile.
typedef struct {
  float flux;
  int water, sediment;
} Carried;

static inline Carried carry(Flow p, const int kind, Tile l, float flux, int t, int u, uint hash, uint which) {
  Carried c;
  c.flux = scaled_flux(flux, l.scale[t], l.scale[u]);
  c.water = water_carried(p, c.flux, draw_high(hash, which));
  c.sediment = 0;
  if ((kind & (FLOW_EROSION | FLOW_SHEET)) && !(p.options & OPTION_NO_TRANSPORT))
    c.sediment = sediment_carried(c.water, l.conc[t], l.conc[u], l.room[t], l.room[u], draw_low(hash, which));
  return c;
}

#define FLOW_ARGUMENTS                                                                          \
  Range range, Grid g, Flow p, __global const int *restrict bed, __global const int *restrict water, \
      __global const int *restrict sediment, __global const float *restrict east,               \
      __global const float *restrict south, __global const float *restrict se,                  \
      __global const float *restrict sw, __global int *restrict bed2, __global int *restrict water2, \
      __global int *restrict sediment2, __global float *restrict east2,                         \
      __global float *restrict south2, __global float *restrict se2, __global float *restrict sw2, \
      __global const float *restrict source, __global const float *restrict erodibility,        \
      __global float *restrict looseness, __global const int *restrict floor_,                  \
      __global const int *restrict sink,                                                        \
      __global float *restrict flow, __global int *restrict wear, __global int *restrict deposit, \
      __global long *restrict ledger
#define FLOW_PASSED                                                                             \
  g, p, bed, water, sediment, east, south, se, sw, bed2, water2, sediment2, east2, south2, se2, sw2, \
      source, erodibility, looseness, floor_, sink, flow, wear, deposit, ledger

static inline void flow_tile(const int kind, Tile l, FLOW_ARGUMENTS) {
  const int lx = (int)get_local_id(0), lane = (int)get_local_id(1);
  const int worker = lane * SPAN_X + lx;
  const int x0 = (int)get_group_id(0) * FLOW_TILE_X - HALO;
  const int y0 = (int)get_group_id(1) * FLOW_TILE_Y - HALO;
  const int x = x0 + lx;
  // Beyond the halo nothing is needed; any cell that can be read will do.
  const int safe_x = imin(x, g.width + HALO);
  const int eight = kind & FLOW_EIGHT;
  const int carries = kind & (FLOW_EROSION | FLOW_SHEET);

  // A lane's rows, unrolled, so that their loads are under way together and stay in registers.
  int sed[ROWS];
  float old_east[ROWS], old_south[ROWS];
#pragma unroll
  for (int k = 0; k < ROWS; ++k) {
    const int ly = lane + k * LANES;
    const int i = cell_index(g, safe_x, imin(y0 + ly, g.height + HALO));
    const int t = ly * SPAN_X + lx, n = i - g.stride;
    const int b = bed[i];
    l.bed[t] = b;
    l.level[t] = b + water[i];
    sed[k] = carries ? sediment[i] : 0;
    if (!(kind & FLOW_SHEET)) {
      old_east[k] = east[i];
      old_south[k] = south[i];
      float d_nw = 0.0f, d_se = 0.0f, d_ne = 0.0f, d_sw = 0.0f;
      if (eight) d_nw = se[n - 1], d_se = se[i], d_ne = sw[n + 1], d_sw = sw[i];
      l.q[t] = root(discharge2(p, flow_sum_x(east[i - 1], old_east[k], d_nw, d_se, d_ne, d_sw),
                               flow_sum_y(south[n], old_south[k], d_nw, d_se, d_ne, d_sw)));
    } else {
      old_east[k] = old_south[k] = 0.0f;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // The last column and row own no edge inside the span.
#pragma unroll
  for (int k = 0; k < ROWS; ++k) {
    const int ly = lane + k * LANES;
    const int t = ly * SPAN_X + lx;
    if (ly == SPAN_Y - 1 || lx == SPAN_X - 1) continue;
    l.east[t] = tile_flux(p, kind, l, p.accelerate_x, old_east[k], t, t + 1);
    l.south[t] = tile_flux(p, kind, l, p.accelerate_y, old_south[k], t, t + SPAN_X);
    if (eight) {
      const int i = cell_index(g, safe_x, imin(y0 + ly, g.height + HALO));
      const float f = tile_flux(p, kind, l, p.accelerate_d, se[i], t, t + SPAN_X + 1);
      l.se[t] = imax(l.bed[t + 1], l.bed[t + SPAN_X]) == SCREE_WALL ? 0.0f : f;
      // The south-west edge of the next cell, so that this loop covers the last column too.
      const float h = tile_flux(p, kind, l, p.accelerate_d, sw[i + 1], t + 1, t + SPAN_X);
      l.sw[t + 1] = imax(l.bed[t], l.bed[t + SPAN_X + 1]) == SCREE_WALL ? 0.0f : h;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
  for (int k = 0; k < ROWS; ++k) {
    const int ly = lane + k * LANES;
    if (ly == 0 || ly == SPAN_Y - 1 || lx == 0 || lx == SPAN_X - 1) continue;
    const int t = ly * SPAN_X + lx, n = t - SPAN_X;
    float out = outgoing(l.east[t], l.east[t - 1]) + outgoing(l.south[t], l.south[n]);
    if (eight) out = out + (outgoing(l.se[t], l.se[n - 1]) + outgoing(l.sw[t], l.sw[n + 1]));
    const int depth = l.level[t] - l.bed[t];
    l.scale[t] = outflow_scale(p, depth, out);
    if (carries) {
      l.conc[t] = concentration(p, depth, sed[k]);
      l.room[t] = sediment_room(sed[k]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (!eight) {
#pragma unroll
    for (int k = 0; k < ROWS; ++k) {
      const int ly = lane + k * LANES;
      if (ly == 0 || ly >= SPAN_Y - 2 || lx == 0 || lx >= SPAN_X - 2) continue;
      const int t = ly * SPAN_X + lx;
      const uint hash = hash_at(g, p.step_seed, x, y0 + ly);
      const Carried e = carry(p, kind, l, l.east[t], t, t + 1, hash, SCREE_DRAW_A);
      const Carried s = carry(p, kind, l, l.south[t], t, t + SPAN_X, hash, SCREE_DRAW_B);
      l.east[t] = e.flux, l.n_east[t] = e.water, l.s_east[t] = e.sediment;
      l.south[t] = s.flux, l.n_south[t] = s.water, l.s_south[t] = s.sediment;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  long rained = 0, evaporated = 0, dissolved = 0, water_out = 0, sediment_out = 0;
#pragma unroll
  for (int k = 0; k < ROWS; ++k) {
    const int ly = lane + k * LANES, y = y0 + ly;
    if (ly < HALO || ly >= SPAN_Y - HALO || lx < HALO || lx >= SPAN_X - HALO || x >= g.width || y >= g.height) continue;
    const int t = ly * SPAN_X + lx, n = t - SPAN_X, s = t + SPAN_X;
    const int i = cell_index(g, x, y);
    const int wx = world_x(g, x), wy = world_y(g, y);
    const uint hash = cell_hash(p.step_seed, wx, wy);
    Carried e, w, so, no;
    Carried c_se = {0.0f, 0, 0}, c_nw = {0.0f, 0, 0}, c_sw = {0.0f, 0, 0}, c_ne = {0.0f, 0, 0};
    if (eight) {
      const uint hash_w = hash_at(g, p.step_seed, x - 1, y);
      const uint hash_n = hash_at(g, p.step_seed, x, y - 1);
      const uint hash_nw = hash_at(g, p.step_seed, x - 1, y - 1);
      const uint hash_ne = hash_at(g, p.step_seed, x + 1, y - 1);
      e = carry(p, kind, l, l.east[t], t, t + 1, hash, SCREE_DRAW_A);
      w = carry(p, kind, l, l.east[t - 1], t - 1, t, hash_w, SCREE_DRAW_A);
      so = carry(p, kind, l, l.south[t], t, s, hash, SCREE_DRAW_B);
      no = carry(p, kind, l, l.south[n], n, t, hash_n, SCREE_DRAW_B);
      c_se = carry(p, kind, l, l.se[t], t, s + 1, hash, SCREE_DRAW_F);
      c_nw = carry(p, kind, l, l.se[n - 1], n - 1, t, hash_nw, SCREE_DRAW_F);
      c_sw = carry(p, kind, l, l.sw[t], t, s - 1, hash, SCREE_DRAW_G);
      c_ne = carry(p, kind, l, l.sw[n + 1], n + 1, t, hash_ne, SCREE_DRAW_G);
      se2[i] = c_se.flux;
      sw2[i] = c_sw.flux;
      // Edges that lead into the domain, and at its corners past it into the tile beside it.
      const int right = x == g.width - 1, bottom = y == g.height - 1;
      if (x == 0 || y == 0) se2[i - g.stride - 1] = c_nw.flux;
      if (right || y == 0) sw2[i - g.stride + 1] = c_ne.flux;
      if (right && y == 0) se2[i - g.stride] = carry(p, kind, l, l.se[n], n, t + 1, hash_n, SCREE_DRAW_F).flux;
      if (x == 0 && bottom) se2[i - 1] = carry(p, kind, l, l.se[t - 1], t - 1, s, hash_w, SCREE_DRAW_F).flux;
      if (x == 0 && y == 0) sw2[i - g.stride] = carry(p, kind, l, l.sw[n], n, t - 1, hash_n, SCREE_DRAW_G).flux;
      if (right && bottom)
        sw2[i + 1] =
            carry(p, kind, l, l.sw[t + 1], t + 1, s, hash_at(g, p.step_seed, x + 1, y), SCREE_DRAW_G).flux;
    } else {
      e.flux = l.east[t], e.water = l.n_east[t], e.sediment = l.s_east[t];
      w.flux = l.east[t - 1], w.water = l.n_east[t - 1], w.sediment = l.s_east[t - 1];
      so.flux = l.south[t], so.water = l.n_south[t], so.sediment = l.s_south[t];
      no.flux = l.south[n], no.water = l.n_south[n], no.sediment = l.s_south[n];
    }
    if (!(kind & FLOW_SHEET)) {
      east2[i] = e.flux;
      south2[i] = so.flux;
      if (x == 0) east2[i - 1] = w.flux;
      if (y == 0) south2[i - g.stride] = no.flux;
    }

    Around c;
    c.bed = l.bed[t];
    c.water = l.level[t] - c.bed;
    c.sediment = sed[k];
    c.water_gain = w.water - e.water + (no.water - so.water);
    c.sediment_gain = w.sediment - e.sediment + (no.sediment - so.sediment);
    c.west = bed_or(l.bed[t - 1], c.bed);
    c.east = bed_or(l.bed[t + 1], c.bed);
    c.north = bed_or(l.bed[n], c.bed);
    c.south = bed_or(l.bed[s], c.bed);
    c.lowest = imin(imin(c.west, c.east), imin(c.north, c.south));
    c.highest = imax(imax(c.west, c.east), imax(c.north, c.south));
    if (eight) {
      c.water_gain += c_nw.water - c_se.water + (c_ne.water - c_sw.water);
      c.sediment_gain += c_nw.sediment - c_se.sediment + (c_ne.sediment - c_sw.sediment);
      const int b_nw = bed_or(l.bed[n - 1], c.bed), b_ne = bed_or(l.bed[n + 1], c.bed);
      const int b_sw = bed_or(l.bed[s - 1], c.bed), b_se = bed_or(l.bed[s + 1], c.bed);
      c.lowest = imin(c.lowest, imin(imin(b_nw, b_ne), imin(b_sw, b_se)));
      c.highest = imax(c.highest, imax(imax(b_nw, b_ne), imax(b_sw, b_se)));
    }
    c.water_passed = iabs(w.water) + iabs(e.water) + (iabs(no.water) + iabs(so.water));
    c.q2 = discharge2(p, flow_sum_x(w.flux, e.flux, c_nw.flux, c_se.flux, c_ne.flux, c_sw.flux),
                      flow_sum_y(no.flux, so.flux, c_nw.flux, c_se.flux, c_ne.flux, c_sw.flux));
    c.rain = p.rain;
    if (p.options & OPTION_SOURCE_MAP) c.rain = c.rain + source[i] * p.source_scale;
    if (p.options & OPTION_DROPS) c.rain = c.rain + drop_rain(p, wx, wy);
    c.erodibility = p.options & OPTION_ERODIBILITY ? erodibility[i] : 1.0f;
    if (p.options & OPTION_LOOSENESS) c.erodibility = c.erodibility * looseness[i];
    c.capacity_factor = p.options & OPTION_SPEED_CAPACITY ? speed_factor(p, c.water) : 1.0f;
    if (p.options & OPTION_SHIELDS)
      c.capacity_factor =
          c.capacity_factor * shields_factor(p, c.water, tilt2(p, c.west, c.east, c.north, c.south));
    c.sink = p.options & OPTION_SINK ? sink[i] : 0;
    c.above_floor = p.options & OPTION_FLOOR ? imax(c.bed - floor_[i], 0) : SCREE_WALL;
    const Settled done = settle(p, kind, c, hash);
    bed2[i] = done.bed;
    water2[i] = done.water;
    if (carries) sediment2[i] = done.sediment;
    if (p.options & OPTION_LOOSENESS)
      looseness[i] = changed_looseness(p, looseness[i], done.deposited, done.water);
    if (p.options & OPTION_TRACK) {
      flow[i] = tracked_flow(p, flow[i], c.q2);
      wear[i] = tracked_quanta(wear[i], done.worn - done.deposited);
      deposit[i] = tracked_quanta(deposit[i], done.deposited - done.worn);
    }
    rained += done.rain;
    evaporated += done.evaporated;
    dissolved += done.dissolved;
    water_out += done.drained_water;
    sediment_out += done.drained_sediment;
    if (p.booked_sides && (x == 0 || y == 0 || x == g.width - 1 || y == g.height - 1)) {
      const Crossing out = crossing(g, p, x, y);
      water_out += (long)out.e * e.water - (long)out.w * w.water + (long)out.s * so.water - (long)out.n * no.water +
                   (long)out.se * c_se.water - (long)out.nw * c_nw.water + (long)out.sw * c_sw.water -
                   (long)out.ne * c_ne.water;
      sediment_out += (long)out.e * e.sediment - (long)out.w * w.sediment + (long)out.s * so.sediment -
                      (long)out.n * no.sediment + (long)out.se * c_se.sediment - (long)out.nw * c_nw.sediment +
                      (long)out.sw * c_sw.sediment - (long)out.ne * c_ne.sediment;
    }
  }

  // Integer sums, so any order gives the same: down the lanes, then along the row.
  const int more = p.booked_sides || (p.options & (OPTION_SINK | OPTION_SOIL_TO_WATER));
  __local long *sums = (__local long*)l.bed, *more_sums = (__local long*)l.level;
  __local long* last_sums = (__local long*)l.east;
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[worker] = rained;
  sums[WORKERS + worker] = evaporated;
  if (more) more_sums[worker] = water_out, more_sums[WORKERS + worker] = sediment_out, last_sums[worker] = dissolved;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0)
    for (int k = 1; k < LANES; ++k) {
      sums[lx] += sums[lx + k * SPAN_X];
      sums[WORKERS + lx] += sums[WORKERS + lx + k * SPAN_X];
      if (more) {
        more_sums[lx] += more_sums[lx + k * SPAN_X];
        more_sums[WORKERS + lx] += more_sums[WORKERS + lx + k * SPAN_X];
        last_sums[lx] += last_sums[lx + k * SPAN_X];
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (worker < (more ? 5 : 2)) {
    __local long* row = worker < 2 ? sums + worker * WORKERS : worker < 4 ? more_sums + (worker - 2) * WORKERS : last_sums;
    long sum = 0;
    for (int k = 0; k < SPAN_X; ++k) sum += row[k];
    // worker 0, 1: rain, evaporated; 2, 3, 4: water out, sediment out, dissolved
    ledger[LEDGER_ENTRIES * flow_ledger_slot(g, x0 + HALO, y0 + HALO) + worker] += sum;
  }
}

#define FLOW_KERNEL(name, kind, diagonal_span, carried_span)                                     \
  __kernel __attribute__((reqd_work_group_size(SPAN_X, LANES, 1))) void name(FLOW_ARGUMENTS) {   \
    __local long bed_or_sums[SPAN / 2], level_or_sums[SPAN / 2], east_or_sums[SPAN / 2];         \
    __local float q[SPAN], f_south[SPAN], scale[SPAN], conc[SPAN];                               \
    __local float f_se[diagonal_span], f_sw[diagonal_span];                                      \
    __local int n_east[carried_span], n_south[carried_span];                                     \
    __local int s_east[carried_span], s_south[carried_span];                                     \
    Tile l;                                                                                      \
    l.bed = (__local int*)bed_or_sums;                                                           \
    l.level = (__local int*)level_or_sums;                                                       \
    l.q = q;                                                                                     \
    l.room = (__local int*)q;                                                                    \
    l.east = (__local float*)east_or_sums;                                                       \
    l.south = f_south;                                                                           \
    l.se = f_se;                                                                                 \
    l.sw = f_sw;                                                                                 \
    l.scale = scale;                                                                             \
    l.conc = conc;                                                                               \
    l.n_east = n_east;                                                                           \
    l.n_south = n_south;                                                                         \
    l.s_east = s_east;                                                                           \
    l.s_south = s_south;                                                                         \
    flow_tile(kind, l, range, FLOW_PASSED);                                                      \
  }

FLOW_KERNEL(flow_4, 0, 1, SPAN)
FLOW_KERNEL(flow_8, FLOW_EIGHT, SPAN, 1)
FLOW_KERNEL(flow_4_erosion, FLOW_EROSION, 1, SPAN)
FLOW_KERNEL(flow_8_erosion, FLOW_EIGHT | FLOW_EROSION, SPAN, 1)
FLOW_KERNEL(flow_sheet, FLOW_SHEET, 1, SPAN)
