// Thermal erosion of layers on an OpenCL device: what slides from tops to tops. A work-group finds
// the edges of its columns over which something slides, and works them out side by side, each once;
// then it builds the columns that moved anew, side by side, and copies those that stand
// (slip_tile.h). Columns of which more moves, by a void, are built once more after that
// (slip_inside.cl, slip_columns.cl).
#include "kernel/layers/slip_tile.h"
#include "kernel/layers/slip_work.h"

__kernel __attribute__((reqd_work_group_size(SLIP_TILE_X, SLIP_TILE_Y, 1))) void slip(
    Range range, LayerGrid g, Slip p, __global const LayerMaterial* restrict table,
    __global const uint* restrict before, __global const LayerTop* restrict tops,
    __global uint* restrict after, __global LayerTop* restrict tops_after,
    __global uint* restrict needed, __global uint* restrict work) {
  __local SlipTile t;
  const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), lane = ly * SLIP_TILE_X + lx;
  const int group = (int)(get_group_id(1) * get_num_groups(0) + get_group_id(0));
  const TileAt at = {(int)get_group_id(0) * SLIP_TILE_X, (int)get_group_id(1) * SLIP_TILE_Y, lane};
  const int x = at.x0 + lx, y = at.y0 + ly, place = tile_place(lx, ly);
  const int there = x < g.width && y < g.height, own = world_cell(g, at, place);
  tile_loads(&t, g, p, at, own, table, before, tops);
  const int own_stale = top_count(tops_after[own]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (p.voids && there && tile_is_hollow(t.tops, place)) t.hollow = 1;
  tile_finds(&t, g, p.slopes, at);
  barrier(CLK_LOCAL_MEM_FENCE);
  tile_slides(&t, g, p, at, before);
  barrier(CLK_LOCAL_MEM_FENCE);
  tile_goes_deeper(&t, g, p, at, before);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (there) {
    if (t.lowest[lane] != TILE_STANDS)
      t.columns[atomic_inc(&t.column_count)] = (ushort)lane;
    else
      tile_writes(&t, lane, g, own, top_count(t.tops[place]), own_stale,
                  top_has_void(t.tops[place]), after, tops_after);
  }
  if (p.voids && lane == 0) {
    work[WORK_TILES + group] = (uint)t.hollow;
    if (group == 0) work[WORK_LISTED] = 0u;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = lane; i < t.column_count; i += TILE_LANES) {
    const int column = t.columns[i], cx = column % SLIP_TILE_X, cy = column / SLIP_TILE_X;
    const int cell = (at.y0 + cy) * g.width + at.x0 + cx;
    const LayerTop top = t.tops[tile_place(cx, cy)];
    const int stale = top_count(tops_after[cell]);
    const int count = tile_settles(&t, column, p, top_count(top));
    if (count <= g.planes)
      tile_writes(&t, column, g, cell, count, stale, top_has_void(top), after, tops_after);
    else if (p.voids && tile_is_hollow(t.tops, tile_place(cx, cy)))
      tops_after[cell].about |= TOP_UNWRITTEN;
    else
      most_into(needed, (uint)count);
  }
}
