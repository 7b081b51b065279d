// What becomes of what slides when it comes to a column (slip.h, slip_tile.h).
#ifndef SCREE_KERNEL_SLIP_ARRIVALS_H
#define SCREE_KERNEL_SLIP_ARRIVALS_H

#include "kernel/layers/slip_edge.h"

#ifndef SLIP_TABLE
#define SLIP_TABLE GLOBAL  // where the table of materials is
#endif

// What slides must find room: in a full stack others move closer together.
FN void slip_put(LayerStack* c, uint material, int thickness) {
  if (thickness <= 0) return;
  if (c->count > 0 && c->count <= LAYERS_MOST &&
      stack_fits_on(STACK_WORD(c, c->count - 1), material, thickness)) {
    STACK_WORD(c, c->count - 1) += (uint)thickness;
    return;
  }
  if (c->count == LAYERS_MOST) {
    stack_squeeze(c, material, thickness);
    return;
  }
  if (c->count < LAYERS_MOST) STACK_WORD(c, c->count) = layer_word(material, thickness);
  ++c->count;
}

// Arrivals join a layer of their own kind that lies near the surface below loose ones: else two
// kinds of dust that come by turns would pile up in ever more layers. In a stack that is full they
// join the nearest of their kind, however deep it lies.
FN void put_arrival(LayerStack* c, IN(Slip) p, SLIP_TABLE const LayerMaterial* table, uint material,
                    int amount) {
  const int full = c->count >= LAYERS_MOST;
  int depth = 0;
  for (int k = imin(c->count, LAYERS_MOST) - 1; k >= 0 && (full || depth <= p.mixing); --k) {
    const uint word = STACK_WORD(c, k);
    if (stack_fits_on(word, material, amount)) {
      STACK_WORD(c, k) = word + (uint)amount;
      return;
    }
    if (layer_material(word) == LAYER_VOID || !(full || table[layer_material(word)].loose)) break;
    depth += layer_thickness(word);
  }
  slip_put(c, material, amount);
}

// What has come of one kind, of several that come by turns: the kind that the topmost layer was of
// when the first of them came, then the others by number.
FN uint topmost_kind(const LayerStack* c) {
  return c->count > 0 && c->count <= LAYERS_MOST ? layer_material(STACK_WORD(c, c->count - 1))
                                                 : LAYER_VOID;
}
FN uint next_kind(uint kinds, uint first) {
  return kinds >> first & 1u ? first : (uint)lowest_bit(kinds);
}
FN void put_arrival_of(LayerStack* c, IN(Slip) p, SLIP_TABLE const LayerMaterial* table, uint first,
                       uint material, int amount) {
  // As published, eight neighbours may give more than fits a word.
  for (; SLIP_AS_PUBLISHED(p) && amount > LAYER_THICKEST; amount -= LAYER_THICKEST)
    slip_put(c, material, LAYER_THICKEST);
  if (material == first)
    slip_put(c, material, amount);
  else if (amount > 0)
    put_arrival(c, p, table, material, amount);
}

#endif
