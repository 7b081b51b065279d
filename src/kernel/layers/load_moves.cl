// Sediment on layers on an OpenCL device: a work-item takes all kinds of a cell.
#include "kernel/layers/load_moves.h"

FN void load_leaves_cell(int x, int y, Grid g, Flow p, Load s, GLOBAL const int* RESTRICT water,
                         GLOBAL const int* RESTRICT sediment, GLOBAL const float* RESTRICT east,
                         GLOBAL const float* RESTRICT south, GLOBAL const float* RESTRICT se,
                         GLOBAL const float* RESTRICT sw, GLOBAL int* RESTRICT loads,
                         GLOBAL int* RESTRICT out, GLOBAL i64* left) {
  (void)left;
  const float chance = sending_chance(g, s, x, y);
  const int cell = y * g.width + x, cells = g.width * g.height;
  Leaving rest = leaving(g, p, x, y, water, sediment, east, south, se, sw);
  for (int kind = 0; kind + 1 < LOAD_KINDS; ++kind) {
    leaves_of_kind(cell, cells, kind, chance, &rest, loads, out);
    less_of_kind(&rest, cell + kind * LAYER_SIDES * cells, cells, loads[cell + kind * cells], out);
  }
}
SCREE_KERNEL_12(load_leaves, Grid, g, Flow, p, Load, s, GLOBAL const int*, water, GLOBAL const int*,
                sediment, GLOBAL const float*, east, GLOBAL const float*, south,
                GLOBAL const float*, se, GLOBAL const float*, sw, GLOBAL int*, loads, GLOBAL int*,
                out, GLOBAL i64*, left)
LOAD_LEFT

// Kind after kind, so that fewer places of memory are read at a time: rows go on with the next
// kind.
FN void load_moves_cell(int x, int row, Load s, GLOBAL int* RESTRICT loads,
                        GLOBAL const int* RESTRICT out) {
  const int w = s.layers.width, h = s.layers.height, kind = row / h, y = row - kind * h;
  const int inside = x > 0 && y > 0 && x < w - 1 && y < h - 1;
  loads[row * w + x] += inside ? load_comes_inside(y * w + x, s, kind, out)
                               : load_comes_to_border(x, y, s, kind, out);
}
SCREE_KERNEL_3(load_moves, Load, s, GLOBAL int*, loads, GLOBAL const int*, out)
