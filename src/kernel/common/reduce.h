// Reductions are integer, so that any order gives the same: 64-bit sums and maxima over a field.
#ifndef SCREE_KERNEL_REDUCE_H
#define SCREE_KERNEL_REDUCE_H

#include "kernel/common/compat.h"

#define REDUCE_ROWS 32

// Cell (x, y) of the range reduces column x of the y-th band of rows. Walls do not count.
FN void reduce_band_cell(int x, int y, Grid g, GLOBAL const int* RESTRICT field,
                         GLOBAL i64* RESTRICT sums, GLOBAL int* RESTRICT tops) {
  const int first = y * REDUCE_ROWS;
  const int last = imin(first + REDUCE_ROWS, g.height);
  i64 sum = 0;
  int top = -SCREE_WALL;
  for (int row = first; row < last; ++row) {
    const int value = field[cell_index(g, x, row)];
    sum += value == SCREE_WALL ? 0 : value;
    top = imax(top, value == SCREE_WALL ? -SCREE_WALL : value);
  }
  sums[y * g.width + x] = sum;
  tops[y * g.width + x] = top;
}
SCREE_KERNEL_4(reduce_band, Grid, g, GLOBAL const int*, field, GLOBAL i64*, sums, GLOBAL int*, tops)

// The bands of column x into its first.
FN void reduce_columns_cell(int x, int unused, Grid g, GLOBAL i64* RESTRICT sums,
                            GLOBAL int* RESTRICT tops) {
  const int bands = (g.height + REDUCE_ROWS - 1) / REDUCE_ROWS;
  i64 sum = sums[x];
  int top = tops[x];
  for (int band = 1 + unused; band < bands; ++band) {
    sum += sums[band * g.width + x];
    top = imax(top, tops[band * g.width + x]);
  }
  sums[x] = sum;
  tops[x] = top;
}
SCREE_KERNEL_3(reduce_columns, Grid, g, GLOBAL i64*, sums, GLOBAL int*, tops)

#endif
