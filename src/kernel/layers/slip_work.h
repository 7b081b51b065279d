// What the calls of a step of sliding layers leave for each other on an OpenCL device, in one array
// of words: whether each tile has voids (slip.cl), and the columns of which more moves than their
// tops, with the sides over which it does (slip_inside.cl, slip_columns.cl).
#ifndef SCREE_KERNEL_SLIP_WORK_H
#define SCREE_KERNEL_SLIP_WORK_H

#include "kernel/layers/layers.h"
#include "kernel/layers/slip_size.h"

#define WORK_LISTED 0  // how many columns are listed
#define WORK_TILES 1

FN int work_tiles(IN(LayerGrid) g, int rows) {
  return (g.width + SLIP_TILE_X - 1) / SLIP_TILE_X * ((g.height + rows - 1) / rows);
}
// Where the list begins, of two words each: a cell and its sides.
FN int work_list(IN(LayerGrid) g, int rows) { return WORK_TILES + work_tiles(g, rows); }
FN int work_words(IN(LayerGrid) g, int rows) { return work_list(g, rows) + 2 * g.width * g.height; }

// In the top of a column, of which only the count of layers then means anything: it is not written
// yet, since its tops alone would have it taller than there is room for.
#define TOP_UNWRITTEN (1u << 17)

#endif
