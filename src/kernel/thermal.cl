// Thermal weathering on an OpenCL device: every cell computes its eight edges.
#include "kernel/thermal.h"


static inline float factor_at(Grid g, Thermal p, __global const float* wetness,
                              __global const float* strength, int i) {
  const float wet = p.options & THERMAL_WETNESS ? wetness[i] : 0.0f;
  const float strong = p.options & THERMAL_STRENGTH ? strength[i] : 1.0f;
  return talus_factor(p, wet, strong);
}

#define ABOVE(i)                                                            \
  above_floor(p, bed[i], p.options & THERMAL_FLOOR ? floor_[i] : 0, \
              p.options & THERMAL_SINK ? sink[i] : 0)
// The amount over the edge from owner i to j; c and d are the cells beside a diagonal.
#define SLIDE(i, j, share, drop, hash, which)                                                     \
  slide(bed[i], bed[j], factor_at(g, p, wetness, strength, i), factor_at(g, p, wetness, strength, j), \
        ABOVE(i), ABOVE(j), share, drop,                                                          \
        draw_high(hash, which))
#define SLIDE_DIAGONAL(i, j, c, d, hash, which) \
  (imax(bed[c], bed[d]) == SCREE_WALL ? 0 : SLIDE(i, j, p.share_d, p.drop_d, hash, which))

__kernel void thermal(Range range, Grid g, Thermal p, __global const int* restrict bed,
                      __global int* restrict bed2, __global const float* restrict wetness,
                      __global const float* restrict strength, __global const int* restrict floor_, __global const int* restrict sink,
                      __global int* restrict wear, __global int* restrict deposit) {
  const int x = range.x0 + (int)get_global_id(0), y = range.y0 + (int)get_global_id(1);
  if (x >= range.x1 || y >= range.y1) return;
  const int i = cell_index(g, x, y), w = g.stride;
  const uint own = hash_at(g, p.step_seed, x, y);
  const uint west = hash_at(g, p.step_seed, x - 1, y), north = hash_at(g, p.step_seed, x, y - 1);
  const uint nw = hash_at(g, p.step_seed, x - 1, y - 1), ne = hash_at(g, p.step_seed, x + 1, y - 1);
  const int w_ok = !slides_over_border(g, p, x - 1, y), e_ok = !slides_over_border(g, p, x + 1, y);
  const int n_ok = !slides_over_border(g, p, x, y - 1), s_ok = !slides_over_border(g, p, x, y + 1);
  int gain = 0;
  if (e_ok) gain -= SLIDE(i, i + 1, p.share_x, p.drop_x, own, SCREE_DRAW_A);
  if (w_ok) gain += SLIDE(i - 1, i, p.share_x, p.drop_x, west, SCREE_DRAW_A);
  if (s_ok) gain -= SLIDE(i, i + w, p.share_y, p.drop_y, own, SCREE_DRAW_B);
  if (n_ok) gain += SLIDE(i - w, i, p.share_y, p.drop_y, north, SCREE_DRAW_B);
  if (s_ok && e_ok) gain -= SLIDE_DIAGONAL(i, i + w + 1, i + 1, i + w, own, SCREE_DRAW_C);
  if (n_ok && w_ok) gain += SLIDE_DIAGONAL(i - w - 1, i, i - w, i - 1, nw, SCREE_DRAW_C);
  if (s_ok && w_ok) gain -= SLIDE_DIAGONAL(i, i + w - 1, i - 1, i + w, own, SCREE_DRAW_D);
  if (n_ok && e_ok) gain += SLIDE_DIAGONAL(i - w + 1, i, i - w, i + 1, ne, SCREE_DRAW_D);
  bed2[i] = bed[i] + gain;
  if (p.options & THERMAL_TRACK) {
    wear[i] = tracked_wear(wear[i], gain);
    deposit[i] = tracked_wear(deposit[i], -gain);
  }
}
