// Thermal erosion of layers (Beneš & Forsbach 2001, §5): what stands steeper than its material's
// talus angle slides off every surface of a column: its top and the floor of every void.
//
// The document moves half of the largest difference, shared out among the lower neighbours, which
// makes every amount depend on all of them (slip_published.h, an option). Here, as in thermal.h,
// each edge moves a share of its own excess height: both cells work out the same integers, so
// nothing need be stored or added up in an order. A layer gives at most an eighth of itself over an
// edge; what an edge wants beyond that it takes from the layer below, by that one's own angle, and
// so on down.
//
// What slides from the height h of one column comes to the gap of the other that is open at h, and
// there, as the dust of what it was, on the floor. What falls from a void's ceiling lands below it.
#ifndef SCREE_KERNEL_SLIP_H
#define SCREE_KERNEL_SLIP_H

#include "kernel/common/atomics.h"
#include "kernel/layers/slip_arrivals.h"
#include "kernel/layers/slip_published.h"

// All that there is, and one column of it.
typedef struct {
  GLOBAL const uint* words;
  GLOBAL const LayerTop* tops;
  int x, y;
} SlipColumn;

// The share of a material's drop that stands from a surface to the floor of a gap: from a top to
// open ground by what the tops around say (`stands`), else by the floors around.
FN float stands_from(IN(LayerGrid) g, IN(Slip) p, GLOBAL const LayerMaterial* RESTRICT table,
                     IN(SlipColumn) giver, const LayerStack* from, int k, int side, int height,
                     int floor_level, int ceiling, float stands) {
  if (k + 1 == from->count && ceiling == LAYER_SKY) return stands;
  const LayerMaterial m = table[layer_material(from->words[k])];
  const float across = share_over(side, m) > 0.0f
                           ? across_floors(g, p.slopes, giver.words, giver.tops, giver.x, giver.y,
                                           side, height, floor_level)
                           : 0.0f;
  return standing_over(p.slopes, height - floor_level, side, across, m.steepest);
}

// The gap of a column that is open at a height, from which something may come down into it. Where
// rock is at that height there is none: its ceiling is no higher than its floor.
FN LayerGap gap_open_at(IN(LayerGrid) g, IN(SlipColumn) all, int cell, int height) {
  const int count = top_count(all.tops[cell]);
  LayerGap gap = {0, 0, -1};
  int level = 0, is_floor = 1;
  for (int k = 0; k <= count && level < height; k += LAYERS_AT_ONCE) {
    uint some[LAYERS_AT_ONCE];  // above the last layer the sky, as a void
    some_layers(some, g, all.words, cell, k, count);
    UNROLL for (int i = 0; i < LAYERS_AT_ONCE; ++i) {
      if (k + i > count || level >= height) continue;
      const int above = k + i == count ? LAYER_SKY : level + layer_thickness(some[i]);
      const int is_air = layer_material(some[i]) == LAYER_VOID;
      if (is_floor && is_air) {
        gap.floor_level = level;
        gap.ceiling = above > height ? above : level;
        gap.layer = k + i - 1;
      }
      is_floor = !is_air;
      level = above;
    }
  }
  return gap;
}

// What a column gives over one side, added to `taken`, layer by layer.
FN void give_over(IN(LayerGrid) g, IN(Slip) p, IN(SlipColumn) giver, const LayerStack* from,
                  int other, SlipEdge e, float stands, GLOBAL const LayerMaterial* RESTRICT table,
                  int* taken) {
  int level = from->top, into = -2;
  for (int k = from->count - 1; k >= 0; --k) {
    const int top = level;
    level -= layer_thickness(from->words[k]);
    if (!has_surface(from, k)) continue;
    const LayerGap gap = gap_open_at(g, giver, other, top);
    if (gap.ceiling <= gap.floor_level) continue;
    if (gap.layer != into) e.room = room_of_edge(gap.floor_level, gap.ceiling);
    into = gap.layer;
    edge_starts(&e, top,
                stands_from(g, p, table, giver, from, k, e.side, top, gap.floor_level, gap.ceiling,
                            stands));
    for (int j = k; j >= 0 && !e.done; --j)
      taken[j] += edge_takes(&e, from->words[j], gap.floor_level, table);
  }
}

// What a gap gets over one side, added to `sums` by what it is when it arrives.
FN void take_over(IN(LayerGrid) g, IN(Slip) p, IN(SlipColumn) giver, const LayerStack* from,
                  int floor_level, int ceiling, SlipEdge e, float stands,
                  GLOBAL const LayerMaterial* RESTRICT table, int* sums) {
  int level = from->top;
  e.room = room_of_edge(floor_level, ceiling);
  for (int k = from->count - 1; k >= 0; --k) {
    const int top = level;
    level -= layer_thickness(from->words[k]);
    if (!has_surface(from, k) || top <= floor_level || top >= ceiling) continue;
    edge_starts(
        &e, top,
        stands_from(g, p, table, giver, from, k, e.side, top, floor_level, ceiling, stands));
    for (int j = k; j >= 0 && !e.done; --j) {
      const int amount = edge_takes(&e, from->words[j], floor_level, table);
      if (amount > 0) sums[table[layer_material(from->words[j])].dust] += amount;
    }
  }
}

// ---- a column --------------------------------------------------------------------------------

// All that has come, of the kinds whose bits are set.
FN int put_arrivals(LayerStack* c, IN(Slip) p, GLOBAL const LayerMaterial* RESTRICT table,
                    const int* sums, uint kinds) {
  const uint first = topmost_kind(c);
  int arrived = 0;
  kinds &= ~(1u << LAYER_VOID);
  for (uint rest = kinds; rest != 0u;) {
    const uint m = next_kind(rest, first);
    arrived += sums[m];
    put_arrival_of(c, p, table, first, m, sums[m]);
    rest &= ~(1u << m);
  }
  return arrived;
}

// What comes off the ceiling that layer k is.
FN int ceiling_fall(const LayerStack* c, int k, const int* taken, uint hash,
                    GLOBAL const LayerMaterial* RESTRICT table) {
  if (k < 1 || k >= c->count || layer_material(c->words[k - 1]) != LAYER_VOID) return 0;
  const float rate = table[layer_material(c->words[k])].ceiling;
  return imin(to_quanta(rate, rounding(mix_bits(hash + (uint)k), SCREE_DRAW_A)),
              layer_thickness(c->words[k]) - taken[k]);
}

// Where no column around has a void, the top is the only surface: what moves is known from heights
// alone, and of a column beside only the layers that give are read.
FN void take_openly(IN(LayerGrid) g, GLOBAL const uint* RESTRICT words, int cell, IN(LayerTop) from,
                    int floor_level, SlipEdge e, float stands,
                    GLOBAL const LayerMaterial* RESTRICT table, int* sums) {
  e.room = LAYER_SKY;
  edge_starts(&e, from.height, stands);
  for (int k = top_count(from) - 1; k >= 0 && !e.done; --k) {
    const uint word = words[cell + k * g.width * g.height];
    const int amount = edge_takes(&e, word, floor_level, table);
    if (amount > 0) sums[table[layer_material(word)].dust] += amount;
  }
}

// What may move over the sides of a column: bits 0 … 7 where it gives, 8 … 15 where it gets. Bit
// 16: it or one beside it has a void, so that surfaces below the top must be looked at. Then the
// others are all sides there are, or those that were found. 0: it stands.
#define SLIP_GETS 8
#define SLIP_VOIDS 16
// Of a column by a void; 0 of the others.
FN int sides_by_voids(int x, int y, IN(LayerGrid) g, GLOBAL const LayerTop* RESTRICT tops) {
  LayerTop beside[LAYER_SIDES];
  const int there = tops_around(g, tops, x, y, beside);
  int voids = top_has_void(tops[y * g.width + x]);
  UNROLL for (int side = 0; side < LAYER_SIDES; ++side) voids |= top_has_void(beside[side]);
  return voids ? there | there << SLIP_GETS | 1 << SLIP_VOIDS : 0;
}
// From tops to tops alone.
FN int sides_of_tops(int x, int y, IN(LayerGrid) g, IN(Slip) p,
                     GLOBAL const LayerMaterial* RESTRICT table,
                     GLOBAL const LayerTop* RESTRICT tops) {
  const LayerTop top = tops[y * g.width + x];
  LayerTop beside[LAYER_SIDES];
  const int there = tops_around(g, tops, x, y, beside);
  int height[LAYER_SIDES], sides = 0;
  UNROLL for (int side = 0; side < LAYER_SIDES; ++side) height[side] = beside[side].height;
  float across[LAYER_SIDES];
  if (!SLIP_AS_PUBLISHED(p)) across_edges(p.slopes, top.height, height, across);
  UNROLL for (int side = 0; side < LAYER_SIDES; ++side) {
    const int above = top.height - height[side];
    const LayerTop from = above > 0 ? top : beside[side];
    if (SLIP_AS_PUBLISHED(p)) {
      const float drop = drop_over(side, table[top_material(from)]);
      if ((float)imax(above, -above) > drop) sides |= 1 << (above > 0 ? side : side + SLIP_GETS);
      continue;
    }
    const float slope = steepness(along_edge(p.slopes, side, above), across[side]);
    if (above != 0 && slope > table[top_material(from)].steepest)
      sides |= 1 << (above > 0 ? side : side + SLIP_GETS);
  }
  return sides & (there | there << SLIP_GETS);
}
FN int slip_sides(int x, int y, IN(LayerGrid) g, IN(Slip) p,
                  GLOBAL const LayerMaterial* RESTRICT table,
                  GLOBAL const LayerTop* RESTRICT tops) {
  const int by_voids = sides_by_voids(x, y, g, tops);
  return by_voids != 0 ? by_voids : sides_of_tops(x, y, g, p, table, tops);
}

// The layers that a column has, or had when it was last written here: above them all is 0 already.
FN int slip_layers(int count, LayerTop stale) { return imax(count, top_count(stale)); }

FN void slip_stands(int cell, IN(LayerGrid) g, GLOBAL const uint* RESTRICT before,
                    GLOBAL const LayerTop* RESTRICT tops, GLOBAL uint* RESTRICT after,
                    GLOBAL LayerTop* RESTRICT tops_after) {
  const LayerTop top = tops[cell];
  const int layers = slip_layers(top_count(top), tops_after[cell]);
  for (int k = 0; k < layers; ++k)
    after[cell + k * g.width * g.height] = before[cell + k * g.width * g.height];
  tops_after[cell] = top;
}

// What a column gives over its sides, in `taken`, layer by layer.
FN void slip_gives(IN(LayerGrid) g, IN(Slip) p, GLOBAL const LayerMaterial* RESTRICT table,
                   IN(SlipColumn) giver, int sides, const LayerStack* own, int* taken) {
  const int voids = sides >> SLIP_VOIDS;
  const int gives = SLIP_AS_PUBLISHED(p) || own->count == 0 ? 0 : sides & 255;
  for (int k = 0; k < own->count; ++k) taken[k] = 0;
  // Only the sides over which something may move; the order of sums of integers is no matter.
  for (int rest = gives; rest != 0; rest &= rest - 1) {
    const int side = lowest_bit((uint)rest), other = layer_beside(g, giver.x, giver.y, side);
    const int floor_level = giver.tops[other].height;
    const float across = across_edge(g, p.slopes, giver.tops, giver.x, giver.y, side);
    const float steepest = table[layer_material(own->words[own->count - 1])].steepest;
    const float stands = standing_over(p.slopes, own->top - floor_level, side, across, steepest);
    SlipEdge e = edge_of(p, giver.x, giver.y, side);
    if (voids) {
      give_over(g, p, giver, own, other, e, stands, table, taken);
      continue;
    }
    e.room = LAYER_SKY;
    edge_starts(&e, own->top, stands);
    for (int k = own->count - 1; k >= 0 && !e.done; --k)
      taken[k] += edge_takes(&e, own->words[k], floor_level, table);
  }
}

// What comes to a floor of a column of that height over all sides, added to `sums` by what it is
// when it arrives.
FN void slip_gets(IN(LayerGrid) g, IN(Slip) p, GLOBAL const LayerMaterial* RESTRICT table,
                  IN(SlipColumn) taker, int sides, int top, int floor_level, int ceiling,
                  int* sums) {
  const int voids = sides >> SLIP_VOIDS;
  LayerStack beside;
  for (int rest = sides >> SLIP_GETS & 255; rest != 0; rest &= rest - 1) {
    const int side = lowest_bit((uint)rest);
    const SlipColumn giver = {taker.words, taker.tops, beside_x(g, taker.x, side),
                              beside_y(g, taker.y, side)};
    const int other = giver.y * g.width + giver.x;
    if (SLIP_AS_PUBLISHED(p)) {
      int taken[LAYERS_MOST];
      stack_read_all(&beside, g, giver.words, other, top_count(giver.tops[other]));
      published_gives(g, p, table, giver.words, giver.tops, giver.x, giver.y, &beside, taken,
                      side ^ 1, floor_level, sums);
      continue;
    }
    const SlipEdge e = edge_of(p, giver.x, giver.y, side ^ 1);
    const LayerTop from = giver.tops[other];
    const float across = across_edge(g, p.slopes, taker.tops, taker.x, taker.y, side);
    const float stands = standing_over(p.slopes, from.height - top, side, across,
                                       table[top_material(from)].steepest);
    if (voids) {
      stack_read_all(&beside, g, giver.words, other, top_count(from));
      take_over(g, p, giver, &beside, floor_level, ceiling, e, stands, table, sums);
    } else {
      take_openly(g, giver.words, other, from, floor_level, e, stands, table, sums);
    }
  }
}

// A column that is built anew, from the bottom up.
typedef struct {
  LayerStack next;
  int level;    // of what has been built, before anything moved
  int removed;  // what has gone since the last surface
  uint hash;    // of what crumbles
} SlipBuild;

// What is left of layer k.
FN void build_layer(SlipBuild* b, const LayerStack* own, int k, const int* taken,
                    GLOBAL const LayerMaterial* RESTRICT table) {
  if (k < 0 || layer_material(own->words[k]) == LAYER_VOID) return;
  const int thickness = layer_thickness(own->words[k]);
  const int fallen = ceiling_fall(own, k, taken, b->hash, table);
  slip_put(&b->next, layer_material(own->words[k]), thickness - taken[k] - fallen);
  b->level += thickness;
  b->removed += taken[k];
}

// What falls onto surface k from the ceiling above it.
FN int build_falls(const SlipBuild* b, const LayerStack* own, int k, const int* taken,
                   GLOBAL const LayerMaterial* RESTRICT table) {
  return ceiling_fall(own, k + 2, taken, b->hash, table);
}

// What has come to surface k, of the kinds whose bits are set, and the air above it.
FN void build_surface(SlipBuild* b, const LayerStack* own, int k, int fallen, IN(Slip) p,
                      GLOBAL const LayerMaterial* RESTRICT table, const int* sums, uint kinds) {
  const int ceiling = ceiling_above(own, k, b->level);
  const int arrived = put_arrivals(&b->next, p, table, sums, kinds);
  if (ceiling != LAYER_SKY) {
    slip_put(&b->next, LAYER_VOID, ceiling - b->level + b->removed + fallen - arrived);
    b->level = ceiling;
  }
  b->removed = 0;
}

FN void build_ends(SlipBuild* b, int cell, IN(LayerGrid) g, GLOBAL uint* RESTRICT after,
                   GLOBAL LayerTop* RESTRICT tops_after, GLOBAL uint* RESTRICT needed) {
  LayerStack* next = &b->next;
  stack_open_to_sky(next);
  if (next->count > g.planes) {
    most_into(needed, (uint)next->count);
    return;
  }
  const int layers = slip_layers(next->count, tops_after[cell]);
  for (int k = 0; k < layers; ++k)
    after[cell + k * g.width * g.height] = k < next->count ? next->words[k] : 0u;
  tops_after[cell] = top_of(next->words, next->count);
}

FN uint build_hash(IN(Slip) p, int x, int y) { return cell_hash(p.step_seed ^ 0x5bd1e995u, x, y); }
FN uint all_kinds_of(IN(Slip) p) { return ~0u >> (LAYER_MATERIALS - p.materials); }

FN void slip_moves(int x, int y, int sides, IN(LayerGrid) g, IN(Slip) p,
                   GLOBAL const LayerMaterial* RESTRICT table, GLOBAL const uint* RESTRICT before,
                   GLOBAL const LayerTop* RESTRICT tops, GLOBAL uint* RESTRICT after,
                   GLOBAL LayerTop* RESTRICT tops_after, GLOBAL uint* RESTRICT needed) {
  const int cell = y * g.width + x;
  const int voids = sides >> SLIP_VOIDS, gets = sides >> SLIP_GETS & 255;
  const SlipColumn here = {before, tops, x, y};
  LayerStack own;
  int taken[LAYERS_MOST], sums[LAYER_MATERIALS];
  stack_read_all(&own, g, before, cell, top_count(tops[cell]));
  if (SLIP_AS_PUBLISHED(p) && (sides & 255) != 0)
    published_gives(g, p, table, before, tops, x, y, &own, taken, -1, 0, sums);
  else
    slip_gives(g, p, table, here, sides, &own, taken);

  // Without voids, what lies below the lowest layer that gives stays as it is.
  SlipBuild b;
  b.level = b.removed = 0;
  b.hash = build_hash(p, x, y);
  int start = -1;
  while (!voids && start + 1 < own.count && (start < 0 || taken[start] == 0)) ++start;
  for (int k = 0; k < start; ++k) {
    b.next.words[k] = own.words[k];
    b.level += layer_thickness(own.words[k]);
  }
  b.next.count = imax(start, 0);
  for (int k = start; k < own.count; ++k) {
    build_layer(&b, &own, k, taken, table);
    if (!has_surface(&own, k)) continue;
    const int fallen = build_falls(&b, &own, k, taken, table);
    uint kinds = 0u;
    if (gets != 0 || fallen > 0) {
      kinds = all_kinds_of(p);
      for (int m = 0; m < p.materials; ++m) sums[m] = 0;
      if (gets != 0)
        slip_gets(g, p, table, here, sides, own.top, b.level, ceiling_above(&own, k, b.level),
                  sums);
      if (fallen > 0) sums[table[layer_material(own.words[k + 2])].dust] += fallen;
    }
    build_surface(&b, &own, k, fallen, p, table, sums, kinds);
  }
  build_ends(&b, cell, g, after, tops_after, needed);
}

FN void slip_cell(int x, int y, IN(LayerGrid) g, IN(Slip) p,
                  GLOBAL const LayerMaterial* RESTRICT table, GLOBAL const uint* RESTRICT before,
                  GLOBAL const LayerTop* RESTRICT tops, GLOBAL uint* RESTRICT after,
                  GLOBAL LayerTop* RESTRICT tops_after, GLOBAL uint* RESTRICT needed) {
  const int sides = slip_sides(x, y, g, p, table, tops);
  if (sides == 0)
    slip_stands(y * g.width + x, g, before, tops, after, tops_after);
  else
    slip_moves(x, y, sides, g, p, table, before, tops, after, tops_after, needed);
}

#endif
