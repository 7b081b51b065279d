// Thermal weathering on an OpenCL device: a work-group computes each edge of its tile once, in
// local memory. The span is 32 cells wide, one a lane, with one cell of halo on each side.
#include "kernel/heights/thermal.h"

#define SPAN_X (THERMAL_TILE_X + 2)
#define SPAN_Y (THERMAL_TILE_Y + 2)
#define SPAN (SPAN_X * SPAN_Y)
#define LANES 8

#define SLIDE(a, b, share, drop, which)                                          \
  slide(bed_[a], bed_[b], factor[a], factor[b], above[a], above[b], share, drop, \
        rounding(hash, which))
#define SLIDE_DIAGONAL(a, b, beside, below, which) \
  (past_wall(bed_[beside], bed_[below]) ? 0 : SLIDE(a, b, p.share_d, p.drop_d, which))

__kernel __attribute__((reqd_work_group_size(SPAN_X, LANES, 1))) void thermal(
    Range range, Grid g, Thermal p, __global const int* restrict bed, __global int* restrict bed2,
    __global const float* restrict wetness, __global const float* restrict strength,
    __global const int* restrict floor_, __global const int* restrict sink,
    __global int* restrict wear, __global int* restrict deposit) {
  __local int bed_[SPAN], above[SPAN], east[SPAN], south[SPAN], se[SPAN], sw[SPAN];
  __local float factor[SPAN];
  const int lx = (int)get_local_id(0), lane = (int)get_local_id(1);
  const int x = (int)get_group_id(0) * THERMAL_TILE_X + lx - 1;
  const int y0 = (int)get_group_id(1) * THERMAL_TILE_Y - 1;

  for (int ly = lane; ly < SPAN_Y; ly += LANES) {
    // Beyond the halo nothing is needed; any cell that can be read will do.
    const int i = cell_index(g, imin(x, g.width), imin(y0 + ly, g.height));
    const int t = ly * SPAN_X + lx;
    bed_[t] = bed[i];
    factor[t] = talus_factor(p, p.options & THERMAL_WETNESS ? wetness[i] : 0.0f,
                             p.options & THERMAL_STRENGTH ? strength[i] : 1.0f);
    above[t] = above_floor(p, bed[i], p.options & THERMAL_FLOOR ? floor_[i] : 0,
                           p.options & THERMAL_SINK ? sink[i] : 0);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int ly = lane; ly < SPAN_Y - 1; ly += LANES) {
    const int t = ly * SPAN_X + lx, y = y0 + ly;
    const uint hash = hash_at(g, p.step_seed, x, y);
    const int from_here = !slides_over_border(g, p, x, y);
    const int to_east = lx < SPAN_X - 1 && from_here && !slides_over_border(g, p, x + 1, y);
    const int to_south = from_here && !slides_over_border(g, p, x, y + 1);
    const int to_west = lx > 0 && to_south && !slides_over_border(g, p, x - 1, y);
    east[t] = to_east ? SLIDE(t, t + 1, p.share_x, p.drop_x, SCREE_DRAW_A) : 0;
    south[t] = to_south ? SLIDE(t, t + SPAN_X, p.share_y, p.drop_y, SCREE_DRAW_B) : 0;
    se[t] = to_east && to_south ? SLIDE_DIAGONAL(t, t + SPAN_X + 1, t + 1, t + SPAN_X, SCREE_DRAW_C)
                                : 0;
    sw[t] = to_west ? SLIDE_DIAGONAL(t, t + SPAN_X - 1, t - 1, t + SPAN_X, SCREE_DRAW_D) : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int ly = lane; ly < SPAN_Y - 1; ly += LANES) {
    const int y = y0 + ly;
    if (ly == 0 || lx == 0 || lx == SPAN_X - 1 || x >= g.width || y >= g.height) continue;
    const int t = ly * SPAN_X + lx, n = t - SPAN_X;
    const int i = cell_index(g, x, y);
    const int gain =
        east[t - 1] - east[t] + (south[n] - south[t]) + (se[n - 1] - se[t]) + (sw[n + 1] - sw[t]);
    bed2[i] = bed_[t] + gain;
    if (p.options & THERMAL_TRACK) {
      wear[i] = tracked_wear(wear[i], gain);
      deposit[i] = tracked_wear(deposit[i], -gain);
    }
  }
}
