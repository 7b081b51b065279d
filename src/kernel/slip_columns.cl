// Thermal erosion of layers on an OpenCL device, column by column: those that slip_inside.cl has
// listed, or, by the document's own rule, all.
#include "kernel/slip.h"
#include "kernel/slip_work.h"

__kernel void slip_listed(Range range, LayerGrid g, Slip p,
                          __global const LayerMaterial* restrict table,
                          __global const uint* restrict before,
                          __global const LayerTop* restrict tops, __global uint* restrict after,
                          __global LayerTop* restrict tops_after, __global uint* restrict needed,
                          __global const uint* restrict work) {
  const int lanes = (int)(get_global_size(0) * get_global_size(1));
  const int count = (int)work[WORK_LISTED];
  __global const uint* list = work + work_list(g, SLIP_TILE_Y);
  for (int i = (int)(get_global_id(1) * get_global_size(0) + get_global_id(0)); i < count;
       i += lanes) {
    const int cell = (int)list[2 * i], x = cell % g.width, y = cell / g.width;
    const int sides =
        (int)list[2 * i + 1] | sides_of_tops(x, y, g, p, table, tops) | 1 << SLIP_VOIDS;
    slip_moves(x, y, sides, g, p, table, before, tops, after, tops_after, needed);
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
