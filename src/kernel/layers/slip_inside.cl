// Thermal erosion of layers on an OpenCL device: finds the columns by voids of which more moves
// than their tops, and lists them for slip_columns.cl (slip_gaps.h). Tiles without voids were told
// apart before (slip.cl).
#include "kernel/layers/slip.h"
#include "kernel/layers/slip_gaps.h"
#include "kernel/layers/slip_work.h"

__kernel __attribute__((reqd_work_group_size(SLIP_TILE_X, SLIP_TILE_Y, 1))) void slip_inside(
    Range range, LayerGrid g, Slip p, __global const LayerMaterial* restrict table,
    __global const uint* restrict before, __global const LayerTop* restrict tops,
    __global uint* restrict after, __global LayerTop* restrict tops_after,
    __global uint* restrict needed, __global uint* restrict work) {
  __local GapTile t;
  const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), lane = ly * SLIP_TILE_X + lx;
  const TileAt at = {(int)get_group_id(0) * SLIP_TILE_X, (int)get_group_id(1) * SLIP_TILE_Y, lane};
  const int x = at.x0 + lx, y = at.y0 + ly, place = tile_place(lx, ly);
  // A tile without voids has nothing to do, and yet goes along to the end: to leave where barriers
  // follow is more than some compilers can do.
  const int group = (int)(get_group_id(1) * get_num_groups(0) + get_group_id(0));
  const int hollow = work[WORK_TILES + group] != 0u;
  if (hollow) gaps_load(&t, g, at, table, tops);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (hollow) gaps_find(&t, g, p.crumbling, at, before, 1 << SLIP_VOIDS);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (hollow && t.several) gaps_fall(&t, g, at);
  if (hollow && !t.several) hollows_slide(&t, g, p.slopes, at, SLIP_GETS);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (hollow) gaps_slide(&t, p.slopes, at, SLIP_GETS);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (hollow && x < g.width && y < g.height && tile_is_hollow(t.tops, place)) {
    const int cell = y * g.width + x;
    const int unwritten = (tops_after[cell].about & TOP_UNWRITTEN) != 0u;
    const uint sides =
        (uint)(t.crowded ? sides_by_voids(x, y, g, tops) : t.sides[lane] | unwritten << SLIP_VOIDS);
    if (sides != 0u) {
      const uint entry = (uint)work_list(g, SLIP_TILE_Y) + 2u * add_to(work + WORK_LISTED, 1u);
      work[entry] = (uint)cell;
      work[entry + 1u] = sides;
    }
  }
}
