// The flow step on an OpenCL device: a work-group keeps a tile and its halo in local memory, so
// that the state is read once and written once. Work-group 32 x 8, tile 32 x 32.
#include "kernel/flow.h"
#include "kernel/flow_ledger.h"

#define HALO 2
#define SPAN_X (FLOW_TILE_X + 2 * HALO)
#define SPAN_Y (FLOW_TILE_Y + 2 * HALO)
#define SPAN (SPAN_X * SPAN_Y)
#define WORKERS 256

typedef struct {
  __local int *bed, *level, *room;  // room takes the place of q once the edges are done
  __local float *q, *east, *south, *se, *sw, *scale, *conc;
} Tile;

// Walks the cells of a rectangle of the tile, spread over the work-group.
#define FOR_TILE(from_x, from_y, to_x, to_y)                                            \
  for (int item = worker; item < ((to_x) - (from_x)) * ((to_y) - (from_y)); item += WORKERS) { \
    const int lx = (from_x) + item % ((to_x) - (from_x));                               \
    const int ly = (from_y) + item / ((to_x) - (from_x));                               \
    const int t = ly * SPAN_X + lx;
#define END_TILE }

static inline float tile_flux(Flow p, const int kind, Tile l, float accelerate, float old, int a, int b) {
  if (kind & FLOW_SHEET) return sheet_flux(p, l.bed[a], l.level[a], l.bed[b], l.level[b]);
  return pipe_flux(p, accelerate, old, l.bed[a], l.level[a], l.bed[b], l.level[b], l.q[a], l.q[b]);
}

// What one edge carries: owner cell t (tile index) at interior (x, y), other end u.
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
  const int worker = (int)(get_local_id(1) * get_local_size(0) + get_local_id(0));
  const int x0 = (int)get_group_id(0) * FLOW_TILE_X;
  const int y0 = (int)get_group_id(1) * FLOW_TILE_Y;
  const int eight = kind & FLOW_EIGHT;
  const int carries = kind & (FLOW_EROSION | FLOW_SHEET);

  FOR_TILE(0, 0, SPAN_X, SPAN_Y)
    const int x = imin(x0 + lx - HALO, g.width + HALO);
    const int y = imin(y0 + ly - HALO, g.height + HALO);
    const int i = cell_index(g, x, y);
    const int b = bed[i];
    l.bed[t] = b;
    l.level[t] = b + water[i];
    if (!(kind & FLOW_SHEET)) {
      const int n = i - g.stride;
      float d_nw = 0.0f, d_se = 0.0f, d_ne = 0.0f, d_sw = 0.0f;
      if (eight) d_nw = se[n - 1], d_se = se[i], d_ne = sw[n + 1], d_sw = sw[i];
      l.q[t] = SQRT(discharge2(p, flow_sum_x(east[i - 1], east[i], d_nw, d_se, d_ne, d_sw),
                               flow_sum_y(south[n], south[i], d_nw, d_se, d_ne, d_sw)));
    }
  END_TILE
  barrier(CLK_LOCAL_MEM_FENCE);

  FOR_TILE(0, 0, SPAN_X - 1, SPAN_Y - 1)
    const int x = imin(x0 + lx - HALO, g.width + HALO);
    const int y = imin(y0 + ly - HALO, g.height + HALO);
    const int i = cell_index(g, x, y);
    l.east[t] = tile_flux(p, kind, l, p.accelerate_x, east[i], t, t + 1);
    l.south[t] = tile_flux(p, kind, l, p.accelerate_y, south[i], t, t + SPAN_X);
    if (eight) {
      const float f = tile_flux(p, kind, l, p.accelerate_d, se[i], t, t + SPAN_X + 1);
      l.se[t] = imax(l.bed[t + 1], l.bed[t + SPAN_X]) == SCREE_WALL ? 0.0f : f;
      // The south-west edge of the next cell, so that this loop covers the last column too.
      const float h = tile_flux(p, kind, l, p.accelerate_d, sw[i + 1], t + 1, t + SPAN_X);
      l.sw[t + 1] = imax(l.bed[t], l.bed[t + SPAN_X + 1]) == SCREE_WALL ? 0.0f : h;
    }
  END_TILE
  barrier(CLK_LOCAL_MEM_FENCE);

  FOR_TILE(1, 1, SPAN_X - 1, SPAN_Y - 1)
    const int x = imin(x0 + lx - HALO, g.width + HALO);
    const int y = imin(y0 + ly - HALO, g.height + HALO);
    const int n = t - SPAN_X;
    float out = outgoing(l.east[t], l.east[t - 1]) + outgoing(l.south[t], l.south[n]);
    if (eight) out = out + (outgoing(l.se[t], l.se[n - 1]) + outgoing(l.sw[t], l.sw[n + 1]));
    const int depth = l.level[t] - l.bed[t];
    l.scale[t] = outflow_scale(p, depth, out);
    if (carries) {
      const int s = sediment[cell_index(g, x, y)];
      l.conc[t] = concentration(p, depth, s);
      l.room[t] = sediment_room(s);
    }
  END_TILE
  barrier(CLK_LOCAL_MEM_FENCE);

  long rained = 0, evaporated = 0, dissolved = 0, water_out = 0, sediment_out = 0;
  for (int row = (int)get_local_id(1); row < FLOW_TILE_Y; row += 8) {
    const int lx = (int)get_local_id(0) + HALO, ly = row + HALO;
    const int x = x0 + lx - HALO, y = y0 + ly - HALO;
    if (x >= g.width || y >= g.height) continue;
    const int t = ly * SPAN_X + lx, n = t - SPAN_X, s = t + SPAN_X;
    const int i = cell_index(g, x, y);
    const int wx = world_x(g, x), wy = world_y(g, y);
    const uint hash = cell_hash(p.step_seed, wx, wy);
    const uint hash_w = hash_at(g, p.step_seed, x - 1, y);
    const uint hash_n = hash_at(g, p.step_seed, x, y - 1);
    const Carried e = carry(p, kind, l, l.east[t], t, t + 1, hash, SCREE_DRAW_A);
    const Carried w = carry(p, kind, l, l.east[t - 1], t - 1, t, hash_w, SCREE_DRAW_A);
    const Carried so = carry(p, kind, l, l.south[t], t, s, hash, SCREE_DRAW_B);
    const Carried no = carry(p, kind, l, l.south[n], n, t, hash_n, SCREE_DRAW_B);
    Carried c_se = {0.0f, 0, 0}, c_nw = {0.0f, 0, 0}, c_sw = {0.0f, 0, 0}, c_ne = {0.0f, 0, 0};
    if (eight) {
      const uint hash_nw = hash_at(g, p.step_seed, x - 1, y - 1);
      const uint hash_ne = hash_at(g, p.step_seed, x + 1, y - 1);
      c_se = carry(p, kind, l, l.se[t], t, s + 1, hash, SCREE_DRAW_F);
      c_nw = carry(p, kind, l, l.se[n - 1], n - 1, t, hash_nw, SCREE_DRAW_F);
      c_sw = carry(p, kind, l, l.sw[t], t, s - 1, hash, SCREE_DRAW_G);
      c_ne = carry(p, kind, l, l.sw[n + 1], n + 1, t, hash_ne, SCREE_DRAW_G);
    }
    if (!(kind & FLOW_SHEET)) {
      east2[i] = e.flux;
      south2[i] = so.flux;
      if (x == 0) east2[i - 1] = w.flux;
      if (y == 0) south2[i - g.stride] = no.flux;
      if (eight) {
        se2[i] = c_se.flux;
        sw2[i] = c_sw.flux;
        if (x == 0 || y == 0) se2[i - g.stride - 1] = c_nw.flux;
        if (x == g.width - 1 || y == 0) sw2[i - g.stride + 1] = c_ne.flux;
        // Corners: edges that lead past this domain but into the tile beside it.
        const int right = x == g.width - 1, bottom = y == g.height - 1;
        if (right && y == 0) se2[i - g.stride] = carry(p, kind, l, l.se[n], n, t + 1, hash_n, SCREE_DRAW_F).flux;
        if (x == 0 && bottom) se2[i - 1] = carry(p, kind, l, l.se[t - 1], t - 1, s, hash_w, SCREE_DRAW_F).flux;
        if (x == 0 && y == 0) sw2[i - g.stride] = carry(p, kind, l, l.sw[n], n, t - 1, hash_n, SCREE_DRAW_G).flux;
        if (right && bottom)
          sw2[i + 1] = carry(p, kind, l, l.sw[t + 1], t + 1, s, hash_at(g, p.step_seed, x + 1, y), SCREE_DRAW_G).flux;
      }
    }

    Around c;
    c.bed = l.bed[t];
    c.water = l.level[t] - c.bed;
    c.sediment = carries ? sediment[i] : 0;
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
      const Crossing k = crossing(g, p, x, y);
      water_out += (long)k.e * e.water - (long)k.w * w.water + (long)k.s * so.water - (long)k.n * no.water +
                   (long)k.se * c_se.water - (long)k.nw * c_nw.water + (long)k.sw * c_sw.water -
                   (long)k.ne * c_ne.water;
      sediment_out += (long)k.e * e.sediment - (long)k.w * w.sediment + (long)k.s * so.sediment -
                      (long)k.n * no.sediment + (long)k.se * c_se.sediment - (long)k.nw * c_nw.sediment +
                      (long)k.sw * c_sw.sediment - (long)k.ne * c_ne.sediment;
    }
  }

  // Integer sums, so any order gives the same.
  __local long* sums = (__local long*)l.bed;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int entry = 0; entry < 5; ++entry) {
    sums[worker] = entry == LEDGER_RAIN           ? rained
                   : entry == LEDGER_EVAPORATED   ? evaporated
                   : entry == LEDGER_WATER_OUT    ? water_out
                   : entry == LEDGER_SEDIMENT_OUT ? sediment_out
                                                  : dissolved;
    for (int half_ = WORKERS / 2; half_ > 0; half_ /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (worker < half_) sums[worker] += sums[worker + half_];
    }
    if (worker == 0) ledger[LEDGER_ENTRIES * flow_ledger_slot(g, x0, y0) + entry] += sums[0];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

#define FLOW_KERNEL(name, kind, diagonal_span)                                                   \
  __kernel __attribute__((reqd_work_group_size(32, 8, 1))) void name(FLOW_ARGUMENTS) {           \
    __local long bed_and_sums[SPAN / 2];                                                         \
    __local int level[SPAN];                                                                     \
    __local float q[SPAN], f_east[SPAN], f_south[SPAN], scale[SPAN], conc[SPAN];                 \
    __local float f_se[diagonal_span], f_sw[diagonal_span];                                      \
    Tile l;                                                                                      \
    l.bed = (__local int*)bed_and_sums;                                                          \
    l.level = level;                                                                             \
    l.q = q;                                                                                     \
    l.room = (__local int*)q;                                                                    \
    l.east = f_east;                                                                             \
    l.south = f_south;                                                                           \
    l.se = f_se;                                                                                 \
    l.sw = f_sw;                                                                                 \
    l.scale = scale;                                                                             \
    l.conc = conc;                                                                               \
    flow_tile(kind, l, range, FLOW_PASSED);                                                      \
  }

FLOW_KERNEL(flow_4, 0, 1)
FLOW_KERNEL(flow_8, FLOW_EIGHT, SPAN)
FLOW_KERNEL(flow_4_erosion, FLOW_EROSION, 1)
FLOW_KERNEL(flow_8_erosion, FLOW_EIGHT | FLOW_EROSION, SPAN)
FLOW_KERNEL(flow_sheet, FLOW_SHEET, 1)
