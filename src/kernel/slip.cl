// Thermal erosion of layers on an OpenCL device: the columns that have no void in them or beside
// them (slip_columns.cl has the others). A work-group finds the edges of its columns over which
// something slides, and works them out side by side, each once; then it builds the columns that
// moved anew, side by side, and copies those that stand (slip_tile.h).
#include "kernel/slip_tile.h"

__kernel __attribute__((reqd_work_group_size(SLIP_TILE_X, SLIP_TILE_Y, 1))) void slip(
    Range range, LayerGrid g, Slip p, __global const LayerMaterial* restrict table,
    __global const uint* restrict before, __global const LayerTop* restrict tops,
    __global uint* restrict after, __global LayerTop* restrict tops_after,
    __global uint* restrict needed) {
  __local SlipTile t;
  const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), lane = ly * SLIP_TILE_X + lx;
  const TileAt at = {(int)get_group_id(0) * SLIP_TILE_X, (int)get_group_id(1) * SLIP_TILE_Y, lane};
  const int x = at.x0 + lx, y = at.y0 + ly, place = tile_place(lx, ly);
  const int there = x < g.width && y < g.height, own = world_cell(g, at, place);
  tile_loads(&t, g, p, at, own, table, before, tops);
  const int own_stale = top_count(tops_after[own]);
  barrier(CLK_LOCAL_MEM_FENCE);
  tile_finds(&t, g, p.slopes, at);
  barrier(CLK_LOCAL_MEM_FENCE);
  tile_slides(&t, g, p, at, before);
  barrier(CLK_LOCAL_MEM_FENCE);
  tile_goes_deeper(&t, g, p, at, before);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (there && !tile_is_hollow(&t, place)) {
    if (t.lowest[lane] != TILE_STANDS)
      t.columns[atomic_inc(&t.column_count)] = (ushort)lane;
    else
      tile_writes(&t, lane, g, own, top_count(t.tops[place]), own_stale, after, tops_after);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = lane; i < t.column_count; i += TILE_LANES) {
    const int column = t.columns[i], cx = column % SLIP_TILE_X, cy = column / SLIP_TILE_X;
    const int cell = (at.y0 + cy) * g.width + at.x0 + cx;
    const int stale = top_count(tops_after[cell]);
    const int count = tile_settles(&t, column, p, top_count(t.tops[tile_place(cx, cy)]));
    if (count > g.planes)
      most_into(needed, (uint)count);
    else
      tile_writes(&t, column, g, cell, count, stale, after, tops_after);
  }
}
