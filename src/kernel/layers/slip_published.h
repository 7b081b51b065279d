// Thermal erosion of layers as it was published (Beneš & Forsbach 2001, §3 and §5), all decisions
// made on the stacks before a step.
//
// A surface gives to the neighbours that lie lower by more than its talus angle: in all, half of
// the largest difference (times the material's strength; 1 as published), less up to a tenth by
// chance, in proportion to the differences. It takes that from the topmost layer, and what this
// lacks from the next, and so on down. What the document leaves open: the neighbours come in the
// order of sides, and an edge fills at most an eighth of what is open under a ceiling.
#ifndef SCREE_KERNEL_SLIP_PUBLISHED_H
#define SCREE_KERNEL_SLIP_PUBLISHED_H

#include "kernel/layers/slip_edge.h"

// What a surface gives over each side, to which floor, and what may yet come to that.
typedef struct {
  int amount[LAYER_SIDES], floor_level[LAYER_SIDES], room[LAYER_SIDES];
} SlipShares;

// The floor and the ceiling of a column's gap that is open at a height; -1 where none is.
FN int open_gap(IN(LayerGrid) g, GLOBAL const uint* RESTRICT words,
                GLOBAL const LayerTop* RESTRICT tops, int cell, int height, int* ceiling) {
  const LayerTop top = tops[cell];
  int level = 0;
  *ceiling = LAYER_SKY;
  for (int k = 0; top_has_void(top) && k < top_count(top); ++k) {
    const uint word = words[cell + k * g.width * g.height];
    const int above = level + layer_thickness(word);
    if (layer_material(word) == LAYER_VOID && level < height && above > height) {
      *ceiling = above;
      return level;
    }
    level = above;
  }
  return top.height < height ? top.height : -1;
}

// Surfaces of a column come from the top down: what one of them has brought to a gap fills it.
FN void published_amounts(IN(LayerGrid) g, IN(Slip) p, GLOBAL const LayerMaterial* RESTRICT table,
                          GLOBAL const uint* RESTRICT words, GLOBAL const LayerTop* RESTRICT tops,
                          int x, int y, uint material, int height, SlipShares* s) {
  const LayerMaterial m = table[material];
  int above[LAYER_SIDES];
  float amount[LAYER_SIDES];
  for (int side = 0; side < LAYER_SIDES; ++side) {
    const int other = layer_beside(g, x, y, side);
    int ceiling = 0;
    const int level = other < 0 ? -1 : open_gap(g, words, tops, other, height, &ceiling);
    above[side] = level < 0 ? 0 : height - level;
    if (level < 0 || level == s->floor_level[side]) continue;
    s->floor_level[side] = level;
    s->room[side] = room_of_edge(level, ceiling);
  }
  published_shares(above, m.drop_x, m.drop_y, m.drop_d, m.share_x, amount);
  const float chance = scattered(p.scatter, mix_bits(cell_hash(p.step_seed, x, y)));
  for (int side = 0; side < LAYER_SIDES; ++side) {
    const uint hash = edge_of(p, x, y, side).hash;
    const int wanted =
        amount[side] > 0.0f ? to_quanta(amount[side] * chance, rounding(hash, SCREE_DRAW_B)) : 0;
    s->amount[side] = imax(imin(wanted, s->room[side]), 0);
  }
}

// Takes an amount from layer k and those below it, and adds it to `sums` where it `counts`.
FN int published_takes(const LayerStack* from, int k, int amount, int* taken,
                       GLOBAL const LayerMaterial* RESTRICT table, int counts, int* sums) {
  int rest = amount;
  for (; k >= 0 && rest > 0 && layer_material(from->words[k]) != LAYER_VOID; --k) {
    const int part = imin(rest, layer_thickness(from->words[k]) - taken[k]);
    taken[k] += part;
    rest -= part;
    if (counts) sums[table[layer_material(from->words[k])].dust] += part;
  }
  return amount - rest;
}

// All that a column gives, by its layers, and what of it goes over one side to the gap with this
// floor (side -1: none), by what it is when it arrives.
FN void published_gives(IN(LayerGrid) g, IN(Slip) p, GLOBAL const LayerMaterial* RESTRICT table,
                        GLOBAL const uint* RESTRICT words, GLOBAL const LayerTop* RESTRICT tops,
                        int x, int y, const LayerStack* from, int* taken, int to_side, int to_floor,
                        int* sums) {
  SlipShares s;
  int level = from->top;
  for (int side = 0; side < LAYER_SIDES; ++side) {
    s.floor_level[side] = -1;
    s.room[side] = 0;
  }
  for (int k = 0; k < from->count; ++k) taken[k] = 0;
  for (int k = from->count - 1; k >= 0; --k) {
    const int height = level;
    level -= layer_thickness(from->words[k]);
    if (!has_surface(from, k)) continue;
    published_amounts(g, p, table, words, tops, x, y, layer_material(from->words[k]), height, &s);
    for (int side = 0; side < LAYER_SIDES; ++side) {
      const int counts = side == to_side && s.floor_level[side] == to_floor;
      s.room[side] -= published_takes(from, k, s.amount[side], taken, table, counts, sums);
    }
  }
}

#endif
