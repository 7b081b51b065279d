// Boulders on layers that slide (Beneš & Forsbach 2001, §8: "motion of big, heavy, and firm objects
// on sliding and unstable underlying layers").
//
// A stone is a disc with a mass. Under it, the topmost layer of each cell slides over its edges by
// the rule of slip.h: what goes over an edge, times the way to the next cell, over the layer's
// thickness, is how far the layer as a whole moves. The stone moves with the mean of that over its
// disc, less so the heavier it is beside what carries it. Where that is less than a creep, friction
// holds the stone: slopes near their talus angle settle ever more slowly, and a stone on them
// stops.
//
// It stays on the surface that it is on: one that slides into a cave takes it in, if it fits. Over
// a pit or a gorge that is narrower than the stone it lies on the edges.
#ifndef SCREE_KERNEL_STONES_H
#define SCREE_KERNEL_STONES_H

#include "kernel/layers/slip_edge.h"

#define STONE_PARTS 65536  // of a cell
#define STONE_STILL 1000000u

// 24 bytes, without gaps: what goes into a checkpoint.
typedef struct {
  int x, y;      // of its middle, in parts of a cell from the middle of the first
  float radius;  // metres
  float mass;    // kg
  uint still;    // steps since it moved, at most STONE_STILL
  int level;     // of the surface that it lies on, in quanta above the bottom; LAYER_SKY: any
} Stone;

typedef struct {
  LayerMaterial slides;
  float weight;  // kg/m2 of a quantum
} StoneMaterial;

typedef struct {
  uint step_seed;
  float grip;
  float creep;   // metres, a way in a step up to which a stone stays
  float dx, dy;  // metres between cells
  float diagonal;
  float quanta;   // a metre
  int published;  // 1: the ground slides by the document's own rule
  Slopes slopes;
} StoneStep;

// ---- how the ground slides -------------------------------------------------------------------

// The ground beside a surface, by side: how far that lies above it, the square of the slope across
// the edge, and what an edge may put there.
typedef struct {
  int above[LAYER_SIDES], room[LAYER_SIDES];
  float across[LAYER_SIDES];
} StoneSides;

FN StoneSides sides_of(IN(LayerGrid) g, IN(Slopes) slopes, GLOBAL const uint* RESTRICT words,
                       GLOBAL const LayerTop* RESTRICT tops, int x, int y, IN(LayerGap) on) {
  StoneSides of;
  LayerTop around[LAYER_SIDES];
  int height[LAYER_SIDES], voids = top_has_void(tops[y * g.width + x]);
  const int there = tops_around(g, tops, x, y, around);
  for (int side = 0; side < LAYER_SIDES; ++side) {
    height[side] = around[side].height;
    voids |= top_has_void(around[side]);
    of.above[side] = there >> side & 1 ? on.floor_level - height[side] : 0;
    of.room[side] = LAYER_SKY;
  }
  across_edges(slopes, on.floor_level, height, of.across);
  if (!voids) return of;
  for (int side = 0; side < LAYER_SIDES; ++side) {
    if (!(there >> side & 1)) continue;
    const int cell = layer_beside(g, x, y, side);
    const LayerGap beside = gap_at(g, words, tops, cell, on.floor_level);
    of.above[side] = on.floor_level - beside.floor_level;
    of.room[side] = room_of_edge(beside.floor_level, beside.ceiling);
    if (on.ceiling != LAYER_SKY || beside.ceiling != LAYER_SKY)
      of.across[side] =
          across_floors(g, slopes, words, tops, x, y, side, on.floor_level, beside.floor_level);
  }
  return of;
}

// What the topmost layer gives over each side by the rule of slip.h.
FN void edge_shares(IN(Slopes) s, IN(LayerMaterial) m, const StoneSides* of, float thickness,
                    float* amount) {
  for (int side = 0; side < LAYER_SIDES; ++side) {
    const int above = of->above[side];
    const float excess =
        above > 0 ? (float)above - drop_over(side, m) *
                                       standing_over(s, above, side, of->across[side], m.steepest)
                  : 0.0f;
    amount[side] = excess > 0.0f ? fmin2(share_over(side, m) * excess, thickness * 0.125f) : 0.0f;
  }
}

// How far a layer moves in a step, in metres, and how heavy it is.
typedef struct {
  float x, y, weight;
} Slide;

// Of the surface of a column that a stone at a height lies on.
FN Slide slide_of(IN(LayerGrid) g, IN(StoneStep) p, GLOBAL const StoneMaterial* RESTRICT table,
                  GLOBAL const uint* RESTRICT words, GLOBAL const LayerTop* RESTRICT tops, int x,
                  int y, int level) {
  Slide s;
  s.x = 0.0f;
  s.y = 0.0f;
  s.weight = 0.0f;
  const int cell = y * g.width + x;
  const LayerGap on = gap_at(g, words, tops, cell, level);
  if (on.layer < 0) return s;
  const uint word = words[cell + on.layer * g.width * g.height];
  const StoneMaterial m = table[layer_material(word)];
  const float thickness = (float)layer_thickness(word);
  s.weight = m.weight * thickness;
  const StoneSides beside = sides_of(g, p.slopes, words, tops, x, y, on);
  float amount[LAYER_SIDES];
  if (p.published)
    published_shares(beside.above, m.slides.drop_x, m.slides.drop_y, m.slides.drop_d,
                     m.slides.share_x, amount);
  else
    edge_shares(p.slopes, m.slides, &beside, thickness, amount);
  float left = thickness;
  for (int side = 0; side < LAYER_SIDES; ++side) {
    if (!(amount[side] > 0.0f)) continue;
    const float goes = fmin2(fmin2(amount[side], (float)beside.room[side]), left);
    left -= goes;
    s.x += goes / thickness * (p.dx * (float)side_x(side));
    s.y += goes / thickness * (p.dy * (float)side_y(side));
  }
  return s;
}

// ---- where a stone is ------------------------------------------------------------------------

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

// What a stone finds at a place: the height that it lies at, and whether it is no wider or higher
// than the cave there.
typedef struct {
  int level, fits;
} StonePlace;

// The wall next to a column over one side, as far as a stone is wide: how many columns away (0:
// none), and how high. It is a floor that is higher than the stone can be pushed up, or a roof that
// is too low for it.
typedef struct {
  int away, height, low;
} StoneWall;

FN int stone_quanta(IN(StoneStep) p, float metres) {
  return (int)fmin2(metres * p.quanta, 0.25f * (float)LAYER_SKY);
}

FN StoneWall wall_over(IN(LayerGrid) g, IN(StoneStep) p, GLOBAL const uint* RESTRICT words,
                       GLOBAL const LayerTop* RESTRICT tops, int x, int y, int side, int level,
                       int floor_level, float radius) {
  StoneWall wall;
  const int most = (int)(2.0f * radius / of_side(side, p.dx, p.dy, p.diagonal));
  const int high = floor_level + stone_quanta(p, radius);
  const int roof = floor_level + 2 * stone_quanta(p, radius);
  for (wall.away = 1; wall.away <= most; ++wall.away) {
    const int column = stone_column(x + wall.away * side_x(side), g.width, g.wrap_x);
    const int row = stone_column(y + wall.away * side_y(side), g.height, g.wrap_y);
    if (column < 0 || row < 0) break;
    const LayerGap gap = gap_at(g, words, tops, row * g.width + column, level);
    wall.height = gap.floor_level;
    wall.low = gap.ceiling < roof;
    if (wall.height > high || wall.low) return wall;
  }
  wall.away = 0;
  wall.height = 0;
  wall.low = 0;
  return wall;
}

// Of a stone that comes from a height. Between two walls that are nearer to each other than it is
// wide it stays above the lower one.
FN StonePlace stone_place(IN(LayerGrid) g, IN(StoneStep) p, GLOBAL const uint* RESTRICT words,
                          GLOBAL const LayerTop* RESTRICT tops, int x, int y, int level,
                          float radius) {
  const LayerGap on = gap_at(g, words, tops, y * g.width + x, level);
  StonePlace place;
  place.level = on.floor_level;
  place.fits = on.ceiling - on.floor_level >= 2 * stone_quanta(p, radius);
  for (int side = 0; side < LAYER_SIDES; side += 2) {
    const StoneWall a = wall_over(g, p, words, tops, x, y, side, level, on.floor_level, radius);
    if (a.away == 0) continue;
    const StoneWall b = wall_over(g, p, words, tops, x, y, side ^ 1, level, on.floor_level, radius);
    const float width = (float)(a.away + b.away - 1) * of_side(side, p.dx, p.dy, p.diagonal);
    if (b.away == 0 || !(width < 2.0f * radius)) continue;
    place.level = imax(place.level, imin(a.height, b.height));
    place.fits &= !(a.low | b.low);
  }
  return place;
}

// The mean way of all surfaces under a stone, as far as they take it along.
FN Slide stone_way(IN(LayerGrid) g, IN(StoneStep) p, GLOBAL const StoneMaterial* RESTRICT table,
                   GLOBAL const uint* RESTRICT words, GLOBAL const LayerTop* RESTRICT tops,
                   IN(Stone) stone) {
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
      const Slide s = slide_of(g, p, table, words, tops, column, row, stone.level);
      x += s.x;
      y += s.y;
      weight += s.weight;
      cells += 1.0f;
    }
  Slide way;
  way.weight = weight / cells;
  const float own = stone.mass / (3.14159265f * stone.radius * stone.radius);
  const float taken = p.grip * (way.weight / fmax2(way.weight + own, 1e-6f)) / cells;
  way.x = x * taken;
  way.y = y * taken;
  return way;
}

FN StonePlace place_of_stone(IN(LayerGrid) g, IN(StoneStep) p, GLOBAL const uint* RESTRICT words,
                             GLOBAL const LayerTop* RESTRICT tops, IN(Stone) stone) {
  return stone_place(g, p, words, tops, stone_column(stone_cell(stone.x), g.width, g.wrap_x),
                     stone_column(stone_cell(stone.y), g.height, g.wrap_y), stone.level,
                     stone.radius);
}

// Moves a stone, if it may go there: nothing pushes it up by more than its radius, or into what is
// too narrow for it.
FN int stone_goes(IN(LayerGrid) g, IN(StoneStep) p, GLOBAL const uint* RESTRICT words,
                  GLOBAL const LayerTop* RESTRICT tops, int x, int y, IN(StonePlace) from,
                  Stone* stone) {
  Stone moved = *stone;
  moved.x = x;
  moved.y = y;
  const StonePlace there = place_of_stone(g, p, words, tops, moved);
  moved.level = there.level;
  if (there.level > from.level + stone_quanta(p, stone->radius) || there.fits < from.fits) return 0;
  *stone = moved;
  return 1;
}

// x counts stones, y is 0.
FN void stones_cell(int i, int unused, LayerGrid g, StoneStep p,
                    GLOBAL const StoneMaterial* RESTRICT table, GLOBAL const uint* RESTRICT words,
                    GLOBAL const LayerTop* RESTRICT tops, GLOBAL Stone* stones) {
  Stone stone = stones[i + unused];
  const StonePlace here = place_of_stone(g, p, words, tops, stone);
  stone.level = here.level;
  const Slide way = stone_way(g, p, table, words, tops, stone);
  const uint hash = cell_hash(p.step_seed, i, 0);
  int stays = way.x * way.x + way.y * way.y <= p.creep * p.creep;
  if (!stays) {
    const int x = stone_moved(stone.x, stone_step(way.x, p.dx, rounding(hash, SCREE_DRAW_A)),
                              g.width, g.wrap_x);
    const int y = stone_moved(stone.y, stone_step(way.y, p.dy, rounding(hash, SCREE_DRAW_B)),
                              g.height, g.wrap_y);
    // Where it cannot go there it goes along what is in its way.
    Stone moved = stone;
    stays = !stone_goes(g, p, words, tops, x, y, here, &moved) &&
            (x == stone.x || !stone_goes(g, p, words, tops, x, stone.y, here, &moved)) &&
            (y == stone.y || !stone_goes(g, p, words, tops, stone.x, y, here, &moved));
    if (!stays) stone = moved;
  }
  stone.still = !stays ? 0u : stone.still < STONE_STILL ? stone.still + 1u : STONE_STILL;
  stones[i + unused] = stone;
}
SCREE_KERNEL_6(stones, LayerGrid, g, StoneStep, p, GLOBAL const StoneMaterial*, table,
               GLOBAL const uint*, words, GLOBAL const LayerTop*, tops, GLOBAL Stone*, stones)

#endif
