// Columns of layers: each a material and a thickness in quanta, from the bottom up (Beneš &
// Forsbach 2001, §4). Material 0 is a void: a cave, a gap under an overhang.
//
// A layer is one word, so that a column of five costs no more than a cell of water: plane k of the
// words holds layer k of every cell. Planes above a column's last layer hold 0.
#ifndef SCREE_KERNEL_LAYERS_H
#define SCREE_KERNEL_LAYERS_H

#include "kernel/common/random.h"

#define LAYER_VOID 0u
#define LAYER_MATERIALS 32  // numbers 0 … 31
#define LAYERS_MOST 16      // of a column
#define LAYER_THICKEST 0xffffff
#define LAYER_SKY 1073741823  // the ceiling of what lies open

typedef struct {
  int width, height;
  int planes;          // that there is room for
  int wrap_x, wrap_y;  // 1: what lies beyond an edge is the other side; 0: nothing
} LayerGrid;

// What the neighbours of a column need of it most of the time: how high it is, and of its layers
// how many there are, what the topmost is, and whether any is a void.
typedef struct {
  int height;
  uint about;
} LayerTop;
FN int top_count(LayerTop top) { return (int)(top.about & 255u); }
FN uint top_material(LayerTop top) { return top.about >> 8 & 255u; }
FN int top_has_void(LayerTop top) { return (int)(top.about >> 16); }

FN uint layer_word(uint material, int thickness) { return material << 24 | (uint)thickness; }
FN uint layer_material(uint word) { return word >> 24; }
FN int layer_thickness(uint word) { return (int)(word & 0xffffffu); }

FN int layer_index(IN(LayerGrid) g, int x, int y, int plane) {
  return (plane * g.height + y) * g.width + x;
}

// Some layers of a column that has so many, from layer k on; 0 above them. A GPU waits as long for
// one as for all that it has asked for.
#ifdef __OPENCL_VERSION__
#define LAYERS_AT_ONCE 8
#else
#define LAYERS_AT_ONCE 1
#endif
FN void some_layers(uint* some, IN(LayerGrid) g, GLOBAL const uint* RESTRICT words, int cell, int k,
                    int count) {
  UNROLL for (int i = 0; i < LAYERS_AT_ONCE; ++i) some[i] =
      k + i < count ? words[cell + (k + i) * g.width * g.height] : 0u;
}

FN LayerTop top_of(const uint* words, int count) {
  LayerTop top;
  top.height = 0;
  top.about = (uint)count | (count > 0 ? layer_material(words[count - 1]) : LAYER_VOID) << 8;
  for (int k = 0; k < count; ++k) {
    top.height += layer_thickness(words[k]);
    if (layer_material(words[k]) == LAYER_VOID) top.about |= 1u << 16;
  }
  return top;
}

// The top of a column of which only the uppermost layers have changed.
FN LayerTop top_changed(LayerTop top, int count, uint material, int rise) {
  top.height += rise;
  top.about = (top.about & 0xffff0000u) | material << 8 | (uint)count;
  return top;
}

// Eight neighbours; the way back is the direction with its lowest bit turned. Axes come first.
#define LAYER_SIDES 8
FN int side_x(int side) {
  return side == 0 || side == 4 || side == 6 ? 1 : side == 2 || side == 3 ? 0 : -1;
}
FN int side_y(int side) { return side == 2 || side == 4 || side == 7 ? 1 : side < 2 ? 0 : -1; }

// Of three numbers, along x, along y and along a diagonal, that of one side; of any type.
#define OF_SIDE(side, x, y, d) ((side) >= 4 ? (d) : (side) < 2 ? (x) : (y))

// The column and the row beside, beyond the world where that does not wrap.
FN int beside_x(IN(LayerGrid) g, int x, int side) {
  const int nx = x + side_x(side);
  return !g.wrap_x ? nx : nx < 0 ? nx + g.width : nx >= g.width ? nx - g.width : nx;
}
FN int beside_y(IN(LayerGrid) g, int y, int side) {
  const int ny = y + side_y(side);
  return !g.wrap_y ? ny : ny < 0 ? ny + g.height : ny >= g.height ? ny - g.height : ny;
}
// The cell beside, as the index of its bottom layer, or -1 where there is none.
FN int layer_beside(IN(LayerGrid) g, int x, int y, int side) {
  const int nx = beside_x(g, x, side), ny = beside_y(g, y, side);
  return nx < 0 || nx >= g.width || ny < 0 || ny >= g.height ? -1 : ny * g.width + nx;
}

#endif
