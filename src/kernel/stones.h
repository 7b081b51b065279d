// Boulders on layers that slide (Beneš & Forsbach 2001, §8: "motion of big, heavy, and firm objects
// on sliding and unstable underlying layers").
//
// A stone is a disc with a mass. Under it, the topmost layer of each cell slides over its edges by
// the rule of slip.h: what goes over an edge, times the way to the next cell, over the layer's
// thickness, is how far the layer as a whole moves. The stone moves with the mean of that over its
// disc, less so the heavier it is beside what carries it. Where that is less than a creep, friction
// holds the stone: slopes near their talus angle settle ever more slowly, and a stone on them
// stops.
#ifndef SCREE_KERNEL_STONES_H
#define SCREE_KERNEL_STONES_H

#include "kernel/talus.h"

#define STONE_PARTS 65536  // of a cell
#define STONE_STILL 1000000u

// 20 bytes, without gaps: what goes into a checkpoint.
typedef struct {
  int x, y;      // of its middle, in parts of a cell from the middle of the first
  float radius;  // metres
  float mass;    // kg
  uint still;    // steps since it moved, at most STONE_STILL
} Stone;

typedef struct {
  float share_x, share_y, share_d;  // of the excess height, a step
  float drop_x, drop_y, drop_d;     // quanta of difference that the talus angle allows
  float steepest;                   // square of its talus slope, in quanta a metre
  float weight;                     // kg/m2 of a quantum
} StoneMaterial;

typedef struct {
  uint step_seed;
  float grip;
  float creep;    // metres a step below which a stone stays
  float dx, dy;   // metres between cells
  int published;  // 1: the ground slides by the document's own rule
  Slopes slopes;
} StoneStep;

// What the topmost layer gives over each side by the rule of slip.h.
FN void edge_shares(IN(Slopes) s, IN(StoneMaterial) m, int own, const int* height, const int* above,
                    float thickness, float* amount) {
  float across[LAYER_SIDES];
  across_edges(s, own, height, across);
  for (int side = 0; side < LAYER_SIDES; ++side) {
    const float drop = of_side(side, m.drop_x, m.drop_y, m.drop_d);
    const float share = of_side(side, m.share_x, m.share_y, m.share_d);
    const float excess = above[side] > 0
                             ? (float)above[side] - drop * standing_over(s, above[side], side,
                                                                         across[side], m.steepest)
                             : 0.0f;
    amount[side] = excess > 0.0f ? fmin2(share * excess, thickness * 0.125f) : 0.0f;
  }
}

// How far a layer moves in a step, in metres, and how heavy it is.
typedef struct {
  float x, y, weight;
} Slide;

FN Slide slide_of(IN(LayerGrid) g, IN(StoneStep) p, GLOBAL const StoneMaterial* RESTRICT table,
                  GLOBAL const uint* RESTRICT words, GLOBAL const LayerTop* RESTRICT tops, int x,
                  int y) {
  Slide s;
  s.x = 0.0f;
  s.y = 0.0f;
  s.weight = 0.0f;
  const int cell = y * g.width + x;
  const LayerTop top = tops[cell];
  if (top_count(top) == 0) return s;
  const StoneMaterial m = table[top_material(top)];
  const float thickness =
      (float)layer_thickness(words[cell + (top_count(top) - 1) * g.width * g.height]);
  s.weight = m.weight * thickness;
  LayerTop around[LAYER_SIDES];
  int height[LAYER_SIDES], above[LAYER_SIDES];
  float amount[LAYER_SIDES];
  const int there = tops_around(g, tops, x, y, around);
  for (int side = 0; side < LAYER_SIDES; ++side) {
    height[side] = around[side].height;
    above[side] = there >> side & 1 ? top.height - height[side] : 0;
  }
  if (p.published)
    published_shares(above, m.drop_x, m.drop_y, m.drop_d, m.share_x, amount);
  else
    edge_shares(p.slopes, m, top.height, height, above, thickness, amount);
  float left = thickness;
  for (int side = 0; side < LAYER_SIDES; ++side) {
    if (!(amount[side] > 0.0f)) continue;
    const float goes = fmin2(amount[side], left);
    left -= goes;
    s.x += goes / thickness * (p.dx * (float)side_x(side));
    s.y += goes / thickness * (p.dy * (float)side_y(side));
  }
  return s;
}

// A cell of a wrapped world by the name that it has there; -1 beyond an edge.
FN int stone_column(int x, int size, int wrap) {
  if (wrap) return wrapped(x, size);
  return x < 0 || x >= size ? -1 : x;
}

// The next position along an axis.
FN int stone_moved(int at, int step, int size, int wrap) {
  const int moved = at + step;
  if (!wrap) return imax(imin(moved, (size - 1) * STONE_PARTS), 0);
  // Up to half a cell before the first.
  const int first = -STONE_PARTS / 2, end = (size - 1) * STONE_PARTS + STONE_PARTS / 2;
  if (moved >= end) return moved - end + first;
  return moved < first ? moved - first + end : moved;
}
FN int stone_step(float metres, float cell, float rounding) {
  const float parts = metres / cell * (float)STONE_PARTS;
  const float most = 0.5f * (float)STONE_PARTS;
  return to_quanta(fmax2(fmin2(parts, most), -most), rounding * 0.999f);
}

// The cell that a position lies in, and how far it is from that one's middle, in cells.
FN int stone_cell(int at) { return (at >> 16) + (at >> 15 & 1); }
FN float stone_beyond(int at) {
  const int rest = at & (STONE_PARTS - 1);
  return (float)(rest < STONE_PARTS / 2 ? rest : rest - STONE_PARTS) * (1.0f / (float)STONE_PARTS);
}

// x counts stones, y is 0.
FN void stones_cell(int i, int unused, LayerGrid g, StoneStep p,
                    GLOBAL const StoneMaterial* RESTRICT table, GLOBAL const uint* RESTRICT words,
                    GLOBAL const LayerTop* RESTRICT tops, GLOBAL Stone* stones) {
  Stone stone = stones[i + unused];
  const int cx = stone_cell(stone.x), cy = stone_cell(stone.y);
  const int reach_x = (int)(stone.radius / p.dx) + 1, reach_y = (int)(stone.radius / p.dy) + 1;
  float x = 0.0f, y = 0.0f, weight = 0.0f, cells = 0.0f;
  for (int ny = cy - reach_y; ny <= cy + reach_y; ++ny)
    for (int nx = cx - reach_x; nx <= cx + reach_x; ++nx) {
      const float away_x = ((float)(nx - cx) - stone_beyond(stone.x)) * p.dx;
      const float away_y = ((float)(ny - cy) - stone_beyond(stone.y)) * p.dy;
      const int inside = away_x * away_x + away_y * away_y <= stone.radius * stone.radius;
      const int column = stone_column(nx, g.width, g.wrap_x);
      const int row = stone_column(ny, g.height, g.wrap_y);
      if ((!inside && !(nx == cx && ny == cy)) || column < 0 || row < 0) continue;
      const Slide s = slide_of(g, p, table, words, tops, column, row);
      x += s.x;
      y += s.y;
      weight += s.weight;
      cells += 1.0f;
    }
  weight = weight / cells;
  const float own = stone.mass / (3.14159265f * stone.radius * stone.radius);
  const float taken = p.grip * (weight / fmax2(weight + own, 1e-6f)) / cells;
  const uint hash = cell_hash(p.step_seed, i, 0);
  const float way_x = x * taken, way_y = y * taken, way = way_x * way_x + way_y * way_y;
  const int stays = way <= p.creep * p.creep;
  stone.still = !stays ? 0u : stone.still < STONE_STILL ? stone.still + 1u : STONE_STILL;
  const int step_x = stays ? 0 : stone_step(way_x, p.dx, rounding(hash, SCREE_DRAW_A));
  const int step_y = stays ? 0 : stone_step(way_y, p.dy, rounding(hash, SCREE_DRAW_B));
  stone.x = stone_moved(stone.x, step_x, g.width, g.wrap_x);
  stone.y = stone_moved(stone.y, step_y, g.height, g.wrap_y);
  stones[i + unused] = stone;
}
SCREE_KERNEL_6(stones, LayerGrid, g, StoneStep, p, GLOBAL const StoneMaterial*, table,
               GLOBAL const uint*, words, GLOBAL const LayerTop*, tops, GLOBAL Stone*, stones)

#endif
