// Which slopes of layers stand. Material slides over the eight edges of a column, but the ground is
// as steep as it is in its steepest direction: g² = along² + across². Where that is more than the
// talus slope t, all edges that lead down carry what lies above t along/g, so that what slides goes
// the way the ground falls, and a pile ends as a cone and not as a pyramid of eight sides.
//
// Beside an edge the lesser of two differences counts, none where they have opposite signs: a cliff
// on one side of an edge says nothing about the ground along it.
#ifndef SCREE_KERNEL_TALUS_H
#define SCREE_KERNEL_TALUS_H

#include "kernel/layers/layers.h"

// From differences of height in quanta to slopes in quanta a metre.
typedef struct {
  float along_x, along_y, along_d;
  float across_x, across_y;  // of both differences beside an axis
  float across_d, turn;      // of the difference beside a diagonal, and of that along it
} Slopes;

FN int lesser_of(int a, int b) { return imax(imin(a, b), 0) + imin(imax(a, b), 0); }
FN float lesser_slope(float a, float b) {
  return fmax2(fmin2(a, b), 0.0f) + fmin2(fmax2(a, b), 0.0f);
}

// The square of the slope across an axis, of the lesser difference in each of its columns; across a
// diagonal, of the heights at its ends and of the two beside it: each of these makes a triangle
// with the ends, and the lesser of the slopes of both triangles square to the diagonal counts. On
// cells that are not square that is not the triangle with the lesser difference.
FN float across_axis(float scale, int lesser, int lesser_there) {
  const float slope = scale * (float)(lesser + lesser_there);
  return slope * slope;
}
FN float across_diagonal(IN(Slopes) s, int here, int there, int beside, int beside_too) {
  const int ends = here + there;
  const float turned = s.turn * (float)(there - here);
  const float slope = lesser_slope(turned + s.across_d * (float)(2 * beside - ends),
                                   turned + s.across_d * (float)(ends - 2 * beside_too));
  return slope * slope;
}

// Of what a side has along x, along y and along a diagonal, that of one side.
FN float of_side(int side, float x, float y, float d) { return OF_SIDE(side, x, y, d); }

// The slope along an edge over which the ground falls by so much, and the square of its steepest.
FN float along_edge(IN(Slopes) s, int side, int difference) {
  return of_side(side, s.along_x, s.along_y, s.along_d) * (float)difference;
}
FN float steepness(float along, float across) { return along * along + across; }
// The share of its drop that stands along an edge where the ground is too steep; over one which
// falls from a material that stands up to `steepest`: where all of it stands, more than any.
FN float standing_by(float along, float across) {
  return across > 0.0f ? along * inverse(root(steepness(along, across))) : 1.0f;
}
FN float standing_over(IN(Slopes) s, int above, int side, float across, float steepest) {
  const float along = along_edge(s, side, above);
  return steepness(along, across) > steepest ? standing_by(along, across) : 3e38f;
}

// As published (Beneš & Forsbach 2001, §3): what goes over each side from ground that lies so much
// above the columns beside. They are those that lie lower by more than the talus angle; in all it
// is a share of the largest difference, and each gets of it in proportion to its own.
FN void published_shares(const int* above, float drop_x, float drop_y, float drop_d, float share,
                         float* amount) {
  int largest = 0, sum = 0;
  for (int side = 0; side < LAYER_SIDES; ++side) {
    const int lower = (float)above[side] > of_side(side, drop_x, drop_y, drop_d);
    amount[side] = lower ? (float)above[side] : 0.0f;
    largest = lower ? imax(largest, above[side]) : largest;
    sum += lower ? above[side] : 0;
  }
  const float all = share * (float)largest;
  for (int side = 0; side < LAYER_SIDES; ++side)
    amount[side] = amount[side] > 0.0f ? all * amount[side] / (float)sum : 0.0f;
}

// Beyond an edge of the world lies what lies at the edge.
FN int near_x(IN(LayerGrid) g, int x) {
  return g.wrap_x ? (x < 0          ? x + g.width
                     : x >= g.width ? x - g.width
                                    : x)
                  : imax(imin(x, g.width - 1), 0);
}
FN int near_y(IN(LayerGrid) g, int y) {
  return g.wrap_y ? (y < 0           ? y + g.height
                     : y >= g.height ? y - g.height
                                     : y)
                  : imax(imin(y, g.height - 1), 0);
}

// The tops around a column, by side: east, west, south, north, south-east, north-west, north-east,
// south-west (layers.h). Bits of the answer: those that are there.
FN int tops_around(IN(LayerGrid) g, GLOBAL const LayerTop* RESTRICT tops, int x, int y,
                   LayerTop* beside) {
  const int left = near_x(g, x - 1), right = near_x(g, x + 1), here = y * g.width;
  const int up = near_y(g, y - 1) * g.width, down = near_y(g, y + 1) * g.width;
  beside[0] = tops[here + right], beside[1] = tops[here + left];
  beside[2] = tops[down + x], beside[3] = tops[up + x];
  beside[4] = tops[down + right], beside[5] = tops[up + left];
  beside[6] = tops[up + right], beside[7] = tops[down + left];
  const int east = g.wrap_x || x + 1 < g.width ? 0x51 : 0, west = g.wrap_x || x > 0 ? 0xa2 : 0;
  const int south = g.wrap_y || y + 1 < g.height ? 0x94 : 0, north = g.wrap_y || y > 0 ? 0x68 : 0;
  return ((east | west) & (south | north)) | ((east | west) & 0x03) | ((south | north) & 0x0c);
}

// The squares of the slopes across a column's edges, of its own height and those around it.
FN void across_edges(IN(Slopes) s, int own, const int* h, float* across) {
  const int column = lesser_of(h[2] - own, own - h[3]), row = lesser_of(h[0] - own, own - h[1]);
  across[0] = across_axis(s.across_x, column, lesser_of(h[4] - h[0], h[0] - h[6]));
  across[1] = across_axis(s.across_x, column, lesser_of(h[7] - h[1], h[1] - h[5]));
  across[2] = across_axis(s.across_y, row, lesser_of(h[4] - h[2], h[2] - h[7]));
  across[3] = across_axis(s.across_y, row, lesser_of(h[6] - h[3], h[3] - h[5]));
  across[4] = across_diagonal(s, own, h[4], h[0], h[2]);
  across[5] = across_diagonal(s, own, h[5], h[1], h[3]);
  across[6] = across_diagonal(s, own, h[6], h[0], h[3]);
  across[7] = across_diagonal(s, own, h[7], h[1], h[2]);
}

// The same for one edge to a column that is there: on some devices, what is indexed by a side that
// is not known beforehand costs more than to read it again.
FN float across_edge(IN(LayerGrid) g, IN(Slopes) s, GLOBAL const LayerTop* RESTRICT tops, int x,
                     int y, int side) {
  const int nx = beside_x(g, x, side), ny = beside_y(g, y, side);
#define SCREE_HEIGHT(column, row) tops[(row)*g.width + (column)].height
  const int own = SCREE_HEIGHT(x, y), other = SCREE_HEIGHT(nx, ny);
  if (side >= 4) return across_diagonal(s, own, other, SCREE_HEIGHT(nx, y), SCREE_HEIGHT(x, ny));
  const int back_x = side < 2 ? x : near_x(g, x - 1), on_x = side < 2 ? x : near_x(g, x + 1);
  const int back_y = side < 2 ? near_y(g, y - 1) : y, on_y = side < 2 ? near_y(g, y + 1) : y;
  const int far_back_x = side < 2 ? nx : back_x, far_on_x = side < 2 ? nx : on_x;
  const int far_back_y = side < 2 ? back_y : ny, far_on_y = side < 2 ? on_y : ny;
  return across_axis(side < 2 ? s.across_x : s.across_y,
                     lesser_of(SCREE_HEIGHT(on_x, on_y) - own, own - SCREE_HEIGHT(back_x, back_y)),
                     lesser_of(SCREE_HEIGHT(far_on_x, far_on_y) - other,
                               other - SCREE_HEIGHT(far_back_x, far_back_y)));
#undef SCREE_HEIGHT
}

// Air in a column: its floor and ceiling, and the layer that it lies upon (-1: none).
typedef struct {
  int floor_level, ceiling, layer;
} LayerGap;

// Under a ceiling, the ground is the floors of what is open at the height from which something
// slides: of a column, the lowest floor whose air reaches above it. Where rock is at that height,
// that is the next floor up, as a cliff is under the sky.
FN LayerGap gap_at(IN(LayerGrid) g, GLOBAL const uint* RESTRICT words,
                   GLOBAL const LayerTop* RESTRICT tops, int cell, int height) {
  const LayerTop top = tops[cell];
  const int count = top_has_void(top) ? top_count(top) : 0;
  LayerGap gap = {0, 0, -1};
  int found = 0;
  for (int k = 0; k < count && !found; k += LAYERS_AT_ONCE) {
    uint some[LAYERS_AT_ONCE];
    some_layers(some, g, words, cell, k, count);
    UNROLL for (int i = 0; i < LAYERS_AT_ONCE; ++i) {
      if (found || k + i >= count) continue;
      gap.ceiling = gap.floor_level + layer_thickness(some[i]);
      gap.layer = k + i - 1;
      found = layer_material(some[i]) == LAYER_VOID && gap.ceiling > height;
      if (!found) gap.floor_level = gap.ceiling;
    }
  }
  if (found) return gap;
  gap.floor_level = top.height;
  gap.ceiling = LAYER_SKY;
  gap.layer = top_count(top) - 1;
  return gap;
}
FN int floor_at(IN(LayerGrid) g, GLOBAL const uint* RESTRICT words,
                GLOBAL const LayerTop* RESTRICT tops, int x, int y, int height) {
  return gap_at(g, words, tops, near_y(g, y) * g.width + near_x(g, x), height).floor_level;
}

// The square of the slope across the edge over which something slides from a height to a floor.
FN float across_floors(IN(LayerGrid) g, IN(Slopes) s, GLOBAL const uint* RESTRICT words,
                       GLOBAL const LayerTop* RESTRICT tops, int x, int y, int side, int height,
                       int floor_level) {
  const int nx = beside_x(g, x, side), ny = beside_y(g, y, side);
#define SCREE_FLOOR(column, row) floor_at(g, words, tops, column, row, height)
  if (side >= 4)
    return across_diagonal(s, height, floor_level, SCREE_FLOOR(nx, y), SCREE_FLOOR(x, ny));
  const int ax = side < 2 ? 0 : 1, ay = 1 - ax;
  return across_axis(
      side < 2 ? s.across_x : s.across_y,
      lesser_of(SCREE_FLOOR(x + ax, y + ay) - height, height - SCREE_FLOOR(x - ax, y - ay)),
      lesser_of(SCREE_FLOOR(nx + ax, ny + ay) - floor_level,
                floor_level - SCREE_FLOOR(nx - ax, ny - ay)));
#undef SCREE_FLOOR
}

#endif
