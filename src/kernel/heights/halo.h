// A boundary condition is a way to fill the halo, so no other kernel has edge cases.
#ifndef SCREE_KERNEL_HALO_H
#define SCREE_KERNEL_HALO_H

#include "kernel/common/random.h"

#define BORDER_CLOSED 0  // a wall
#define BORDER_OPEN 1    // water and its load leave; the bed beyond is as high as the border's
#define BORDER_WRAP 2    // the other side of the world
#define BORDER_LEVEL 3   // a water body of fixed level
#define BORDER_KEEP 4    // filled by somebody else: a neighbouring tile

#define SIDE_WEST 1
#define SIDE_EAST 2
#define SIDE_NORTH 4
#define SIDE_SOUTH 8

typedef struct {
  int west, east, north, south;  // BORDER_…
  int level;                     // of BORDER_LEVEL, in quanta
} Border;

// Halo cells in a fixed order: rows above, rows below, columns left, columns right.
FN int halo_cells(Grid g) {
  return 2 * SCREE_HALO * (g.width + 2 * SCREE_HALO) + 2 * SCREE_HALO * g.height;
}
FN int halo_x(Grid g, int k) {
  const int rows = 2 * SCREE_HALO * (g.width + 2 * SCREE_HALO);
  if (k < rows) return k % (g.width + 2 * SCREE_HALO) - SCREE_HALO;
  const int column = (k - rows) / g.height;
  return column < SCREE_HALO ? column - SCREE_HALO : g.width + column - SCREE_HALO;
}
FN int halo_y(Grid g, int k) {
  const int span = g.width + 2 * SCREE_HALO;
  const int rows = 2 * SCREE_HALO * span;
  if (k >= rows) return (k - rows) % g.height;
  const int row = k / span;
  return row < SCREE_HALO ? row - SCREE_HALO : g.height + row - SCREE_HALO;
}

FN int border_x(Grid g, Border b, int x) { return x < 0 ? b.west : (x >= g.width ? b.east : -1); }
FN int border_y(Grid g, Border b, int y) {
  return y < 0 ? b.north : (y >= g.height ? b.south : -1);
}

// The interior coordinate that a halo coordinate mirrors.
FN int mirrored(int kind, int x, int size) {
  if (kind == BORDER_WRAP) return wrapped(x, size);
  return imin(imax(x, 0), size - 1);
}

// x runs over the halo's cells, y is 0.
FN void fill_halo_cell(int k, int unused, Grid g, Border border, GLOBAL int* bed, GLOBAL int* water,
                       GLOBAL int* sediment, GLOBAL float* east, GLOBAL float* south,
                       GLOBAL float* se, GLOBAL float* sw) {
  const int x = halo_x(g, k), y = halo_y(g, k) + unused;
  const int side_x = border_x(g, border, x), side_y = border_y(g, border, y);
  if (side_x == BORDER_KEEP || side_y == BORDER_KEEP) return;
  const int to = cell_index(g, x, y);
  const int from = cell_index(g, mirrored(side_x, x, g.width), mirrored(side_y, y, g.height));
  const int closed = side_x == BORDER_CLOSED || side_y == BORDER_CLOSED;
  const int b = closed ? SCREE_WALL : bed[from];
  const int drowned = side_x == BORDER_LEVEL || side_y == BORDER_LEVEL;
  const int ends = drowned || side_x == BORDER_OPEN || side_y == BORDER_OPEN || b == SCREE_WALL;
  bed[to] = b;
  water[to] = ends ? (drowned && b != SCREE_WALL ? imax(border.level - b, 0) : 0) : water[from];
  sediment[to] = ends ? 0 : sediment[from];
  if (side_x == BORDER_WRAP || side_y == BORDER_WRAP) {
    // Edges into the domain live in the halo and belong to the step: only the wrapped axis moves.
    const int fx = side_x == BORDER_WRAP ? wrapped(x, g.width) : x;
    const int fy = side_y == BORDER_WRAP ? wrapped(y, g.height) : y;
    const int flux = cell_index(g, fx, fy);
    east[to] = east[flux];
    south[to] = south[flux];
    se[to] = se[flux];
    sw[to] = sw[flux];
  }
}
SCREE_KERNEL_9(fill_halo, Grid, g, Border, border, GLOBAL int*, bed, GLOBAL int*, water,
               GLOBAL int*, sediment, GLOBAL float*, east, GLOBAL float*, south, GLOBAL float*, se,
               GLOBAL float*, sw)

// Any float field: the nearest or the wrapped interior value.
FN void fill_halo_float_cell(int k, int unused, Grid g, Border border, GLOBAL float* field) {
  const int x = halo_x(g, k), y = halo_y(g, k) + unused;
  const int side_x = border_x(g, border, x), side_y = border_y(g, border, y);
  if (side_x == BORDER_KEEP || side_y == BORDER_KEEP) return;
  field[cell_index(g, x, y)] =
      field[cell_index(g, mirrored(side_x, x, g.width), mirrored(side_y, y, g.height))];
}
SCREE_KERNEL_3(fill_halo_float, Grid, g, Border, border, GLOBAL float*, field)

#endif
