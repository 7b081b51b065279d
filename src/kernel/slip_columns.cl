// Thermal erosion of layers on an OpenCL device, column by column: those with a void in them or
// beside them, which are few (slip.cl has the others), or, by the document's own rule, all. A
// work-group looks at all columns of its tile and writes down those that move, which its lanes then
// work out side by side.
#include "kernel/slip.h"
#include "kernel/slip_size.h"

__kernel __attribute__((reqd_work_group_size(SLIP_TILE_X, SLIP_TILE_Y, 1))) void slip_columns(
    Range range, LayerGrid g, Slip p, __global const LayerMaterial* restrict table,
    __global const uint* restrict before, __global const LayerTop* restrict tops,
    __global uint* restrict after, __global LayerTop* restrict tops_after,
    __global uint* restrict needed) {
  __local int moving[SLIP_TILE_X * SLIP_TILE_Y];
  __local int cells[SLIP_TILE_X * SLIP_TILE_Y];
  __local int count;
  const int lane = (int)(get_local_id(1) * SLIP_TILE_X + get_local_id(0));
  const int x = (int)get_global_id(0), y = (int)get_global_id(1), cell = y * g.width + x;
  if (lane == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < g.width && y < g.height) {
    const int sides = slip_sides(x, y, g, p, table, tops);
    if (SLIP_AS_PUBLISHED(p) ? sides != 0 : sides >> SLIP_VOIDS != 0) {
      const int place = atomic_inc(&count);
      moving[place] = sides;
      cells[place] = cell;
    } else if (SLIP_AS_PUBLISHED(p)) {
      slip_stands(cell, g, before, tops, after, tops_after);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane < count)
    slip_moves(cells[lane] % g.width, cells[lane] / g.width, moving[lane], g, p, table, before,
               tops, after, tops_after, needed);
}
