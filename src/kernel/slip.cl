// Thermal erosion of layers on an OpenCL device. Most columns stand, and few of those that move are
// neighbours: a work-group looks at all columns of its tile, copies those that stand and writes
// down the others, which its lanes then work out side by side.
#include "kernel/slip.h"

#define LANES (SLIP_TILE_X * 4)

__kernel __attribute__((reqd_work_group_size(SLIP_TILE_X, 4, 1))) void slip(
    Range range, LayerGrid g, Slip p, __global const LayerMaterial* restrict table,
    __global const uint* restrict before, __global const LayerTop* restrict tops,
    __global uint* restrict after, __global LayerTop* restrict tops_after,
    __global uint* restrict needed) {
  __local int moving[SLIP_TILE_X * SLIP_TILE_Y];
  __local int places[SLIP_TILE_X * SLIP_TILE_Y];
  __local int count;
  const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), lane = ly * SLIP_TILE_X + lx;
  const int x0 = (int)get_group_id(0) * SLIP_TILE_X, y0 = (int)get_group_id(1) * SLIP_TILE_Y;
  if (lane == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int row = ly; row < SLIP_TILE_Y; row += 4) {
    const int x = x0 + lx, y = y0 + row;
    if (x >= g.width || y >= g.height) continue;
    const int sides = slip_sides(x, y, g, p, table, tops);
    if (sides == 0) {
      slip_stands(y * g.width + x, g, before, tops, after, tops_after);
    } else {
      const int place = atomic_inc(&count);
      moving[place] = sides;
      places[place] = row * SLIP_TILE_X + lx;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = lane; i < count; i += LANES)
    slip_moves(x0 + places[i] % SLIP_TILE_X, y0 + places[i] / SLIP_TILE_X, moving[i], g, p, table,
               before, tops, after, tops_after, needed);
}
