// Thermal erosion of layers on an OpenCL device, column by column: those that slip_inside.cl has
// listed, or, by the document's own rule, all.
//
// Of a listed column eight lanes work out what goes over its sides, each one side, and add it up in
// the group's own memory: what each layer gives, and what comes to each surface, by kind. Then one
// lane builds it anew.
#include "kernel/layers/slip.h"
#include "kernel/layers/slip_work.h"

#define LISTED_LANES (SLIP_LIST_X * SLIP_LIST_Y)
#define LISTED_COLUMNS (LISTED_LANES / LAYER_SIDES)
#define SURFACES_MOST (LAYERS_MOST / 2 + 1)

typedef struct {
  int taken[LISTED_COLUMNS * LAYERS_MOST];
  int sums[LISTED_COLUMNS * SURFACES_MOST * SLIP_KINDS];
} ListedSums;

FN int sum_of(int column, int surface, uint material) {
  return (column * SURFACES_MOST + surface) * SLIP_KINDS + (int)material - 1;
}

FN void listed_sides(__local ListedSums* s, int column, int side, int cell, int sides,
                     IN(LayerGrid) g, IN(Slip) p, GLOBAL const LayerMaterial* RESTRICT table,
                     GLOBAL const uint* RESTRICT before, GLOBAL const LayerTop* RESTRICT tops) {
  const SlipColumn here = {before, tops, cell % g.width, cell / g.width};
  sides &= 1 << side | 1 << (side + SLIP_GETS);
  if (sides == 0) return;
  sides |= 1 << SLIP_VOIDS;
  LayerStack own;
  int taken[LAYERS_MOST], sums[LAYER_MATERIALS];
  stack_read_all(&own, g, before, cell, top_count(tops[cell]));
  slip_gives(g, p, table, here, sides, &own, taken);
  for (int k = 0; k < own.count; ++k)
    if (taken[k] > 0) atomic_add(&s->taken[column * LAYERS_MOST + k], taken[k]);
  if ((sides >> SLIP_GETS & 255) == 0) return;
  for (int m = 0; m < p.materials; ++m) sums[m] = 0;
  for (int k = -1, level = 0, surface = 0; k < own.count; ++k) {
    if (k >= 0) level += layer_thickness(own.words[k]);
    if (!has_surface(&own, k)) continue;
    slip_gets(g, p, table, here, sides, own.top, level, ceiling_above(&own, k, level), sums);
    for (int m = 1; m < p.materials; ++m) {
      if (sums[m] > 0) atomic_add(&s->sums[sum_of(column, surface, (uint)m)], sums[m]);
      sums[m] = 0;
    }
    ++surface;
  }
}

FN void listed_builds(const __local ListedSums* s, int column, int cell, IN(LayerGrid) g,
                      IN(Slip) p, GLOBAL const LayerMaterial* RESTRICT table,
                      GLOBAL const uint* RESTRICT before, GLOBAL const LayerTop* RESTRICT tops,
                      GLOBAL uint* RESTRICT after, GLOBAL LayerTop* RESTRICT tops_after,
                      GLOBAL uint* RESTRICT needed) {
  LayerStack own;
  int taken[LAYERS_MOST], sums[LAYER_MATERIALS];
  stack_read_all(&own, g, before, cell, top_count(tops[cell]));
  for (int k = 0; k < own.count; ++k) taken[k] = s->taken[column * LAYERS_MOST + k];
  SlipBuild b;
  b.next.count = b.level = b.removed = 0;
  b.hash = build_hash(p, cell % g.width, cell / g.width);
  for (int k = -1, surface = 0; k < own.count; ++k) {
    build_layer(&b, &own, k, taken, table);
    if (!has_surface(&own, k)) continue;
    const int fallen = build_falls(&b, &own, k, taken, table);
    for (int m = 1; m < p.materials; ++m) sums[m] = s->sums[sum_of(column, surface, (uint)m)];
    if (fallen > 0) sums[table[layer_material(own.words[k + 2])].dust] += fallen;
    build_surface(&b, &own, k, fallen, p, table, sums, all_kinds_of(p));
    ++surface;
  }
  build_ends(&b, cell, g, after, tops_after, needed);
}

__kernel __attribute__((reqd_work_group_size(SLIP_LIST_X, SLIP_LIST_Y, 1))) void slip_listed(
    Range range, LayerGrid g, Slip p, __global const LayerMaterial* restrict table,
    __global const uint* restrict before, __global const LayerTop* restrict tops,
    __global uint* restrict after, __global LayerTop* restrict tops_after,
    __global uint* restrict needed, __global const uint* restrict work) {
  __local ListedSums s;
  const int lane = (int)(get_local_id(1) * SLIP_LIST_X + get_local_id(0));
  const int group = (int)(get_group_id(1) * get_num_groups(0) + get_group_id(0));
  const int groups = (int)(get_num_groups(0) * get_num_groups(1));
  const int count = (int)work[WORK_LISTED];
  __global const uint* list = work + work_list(g, SLIP_TILE_Y);
  for (int first = group * LISTED_COLUMNS; first < count; first += groups * LISTED_COLUMNS) {
    for (int i = lane; i < LISTED_COLUMNS * LAYERS_MOST; i += LISTED_LANES) s.taken[i] = 0;
    for (int i = lane; i < LISTED_COLUMNS * SURFACES_MOST * SLIP_KINDS; i += LISTED_LANES)
      s.sums[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int column = lane / LAYER_SIDES, entry = first + column;
    if (entry < count) {
      const int cell = (int)list[2 * entry];
      const int sides = (int)list[2 * entry + 1] |
                        sides_of_tops(cell % g.width, cell / g.width, g, p, table, tops);
      listed_sides(&s, column, lane % LAYER_SIDES, cell, sides, g, p, table, before, tops);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < LISTED_COLUMNS && first + lane < count)
      listed_builds(&s, lane, (int)list[2 * (first + lane)], g, p, table, before, tops, after,
                    tops_after, needed);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

__kernel void slip_all(Range range, LayerGrid g, Slip p,
                       __global const LayerMaterial* restrict table,
                       __global const uint* restrict before, __global const LayerTop* restrict tops,
                       __global uint* restrict after, __global LayerTop* restrict tops_after,
                       __global uint* restrict needed, __global uint* restrict work) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  if (x < g.width && y < g.height)
    slip_cell(x, y, g, p, table, before, tops, after, tops_after, needed);
}
