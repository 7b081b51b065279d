// One column of layers in hand: read, taken apart, built up again from the bottom.
#ifndef SCREE_KERNEL_STACK_H
#define SCREE_KERNEL_STACK_H

#include "kernel/layers/layers.h"

// A function that hardly ever runs: kept out of the way of those that do.
#if defined(STACK_PITCH) && !defined(SCREE_NVIDIA)
#define FN_RARE FN
#elif defined(__OPENCL_VERSION__)
#define FN_RARE __attribute__((noinline)) static
#else
#define FN_RARE [[maybe_unused, gnu::noinline, gnu::cold]] static
#endif

// Where its layers are: its own, or, on an OpenCL device, in a tile's memory (STACK_PITCH apart).
#ifdef STACK_PITCH
typedef struct {
  __local uint* words;
  int count;
} LayerStack;
#define STACK_WORD(s, k) (s)->words[(k)*STACK_PITCH]
#else
#define STACK_WORD(s, k) (s)->words[k]
typedef struct {
  uint words[LAYERS_MOST];
  int count;  // beyond LAYERS_MOST: what there should have been room for
  int top;    // height of all layers, as they were read
} LayerStack;

FN void stack_read(LayerStack* s, IN(LayerGrid) g, GLOBAL const uint* words, int cell) {
  s->count = 0;
  s->top = 0;
  for (int k = 0; k < g.planes; ++k) {
    const uint word = words[cell + k * g.width * g.height];
    if (word == 0u) break;
    s->words[k] = word;
    s->count = k + 1;
    s->top += layer_thickness(word);
  }
}

// Of a column that is known to have so many.
FN void stack_read_all(LayerStack* s, IN(LayerGrid) g, GLOBAL const uint* words, int cell,
                       int count) {
  s->count = count;
  s->top = 0;
  for (int k = 0; k < count; k += LAYERS_AT_ONCE) {
    uint some[LAYERS_AT_ONCE];
    some_layers(some, g, words, cell, k, count);
    UNROLL for (int i = 0; i < LAYERS_AT_ONCE; ++i) {
      if (k + i < LAYERS_MOST) s->words[k + i] = some[i];
      s->top += layer_thickness(some[i]);
    }
  }
}

// Air under the sky is no layer.
FN void stack_open_to_sky(LayerStack* s) {
  while (s->count > 0 && s->count <= LAYERS_MOST &&
         layer_material(s->words[s->count - 1]) == LAYER_VOID)
    --s->count;
}

FN void stack_write(const LayerStack* s, IN(LayerGrid) g, GLOBAL uint* words, GLOBAL LayerTop* tops,
                    int cell) {
  for (int k = 0; k < g.planes; ++k)
    words[cell + k * g.width * g.height] = k < s->count ? s->words[k] : 0u;
  tops[cell] = top_of(s->words, s->count);
}
#endif

FN int stack_fits_on(uint word, uint material, int thickness) {
  return layer_material(word) == material && layer_thickness(word) + thickness <= LAYER_THICKEST;
}

// In a full stack the topmost layer that has one of its kind below it, with no void between, goes
// down to it. True where there was one.
FN int stack_make_room(LayerStack* s) {
  for (int k = s->count - 1; k > 0; --k)
    for (int j = k - 1; j >= 0 && layer_material(STACK_WORD(s, j)) != LAYER_VOID; --j) {
      const uint word = STACK_WORD(s, k);
      if (layer_material(word) == LAYER_VOID) break;
      if (!stack_fits_on(STACK_WORD(s, j), layer_material(word), layer_thickness(word))) continue;
      STACK_WORD(s, j) += (uint)layer_thickness(word);
      for (int n = k + 1; n < s->count; ++n) STACK_WORD(s, n - 1) = STACK_WORD(s, n);
      --s->count;
      return 1;
    }
  return 0;
}

// Takes a layer out: what lay on it comes down, and joins what it then lies on if that is the same.
FN void stack_remove(LayerStack* s, int k) {
  const int joins = k > 0 && k + 1 < s->count &&
                    stack_fits_on(STACK_WORD(s, k - 1), layer_material(STACK_WORD(s, k + 1)),
                                  layer_thickness(STACK_WORD(s, k + 1)));
  if (joins) STACK_WORD(s, k - 1) += (uint)layer_thickness(STACK_WORD(s, k + 1));
  for (int n = k + 1 + joins; n < s->count; ++n) STACK_WORD(s, n - 1 - joins) = STACK_WORD(s, n);
  s->count -= 1 + joins;
}

// Of all layers that have one of their kind below them the thinnest goes down to it, through voids;
// or, where that is thinner, of two voids the lower one joins the upper, and what lay between comes
// down. True where there were two of a kind.
FN int stack_crowd(LayerStack* s) {
  int least = LAYER_THICKEST + 1, gone = -1, to = -1;
  for (int k = 1; k < s->count; ++k)
    for (int j = 0; j < k; ++j) {
      const int is_void = layer_material(STACK_WORD(s, k)) == LAYER_VOID;
      const int mover = is_void ? j : k, other = is_void ? k : j;
      const int thickness = layer_thickness(STACK_WORD(s, mover));
      if (thickness >= least ||
          !stack_fits_on(STACK_WORD(s, other), layer_material(STACK_WORD(s, mover)), thickness))
        continue;
      least = thickness;
      gone = mover;
      to = other;
    }
  if (gone < 0) return 0;
  STACK_WORD(s, to) += (uint)least;
  stack_remove(s, gone);
  return 1;
}

// Puts one more layer on a full stack, of which the topmost is another: layers of a kind move
// together, and where no two are left, it joins the one of its own kind, wherever that is. Where
// there is none, the void closes, be it there or the one to be put. What then finds no room is of
// more kinds than there may be layers: it is counted, as in stack_put.
FN_RARE void stack_squeeze(LayerStack* s, uint material, int thickness) {
  if (!stack_make_room(s) && !stack_crowd(s)) {
    int own = -1, air = -1;
    for (int k = 0; k < s->count; ++k) {
      if (stack_fits_on(STACK_WORD(s, k), material, thickness)) own = k;
      if (layer_material(STACK_WORD(s, k)) == LAYER_VOID) air = k;
    }
    if (material == LAYER_VOID && air < 0) return;
    if (material != LAYER_VOID && own >= 0) {
      STACK_WORD(s, own) += (uint)thickness;
      return;
    }
    if (own >= 0) thickness += layer_thickness(STACK_WORD(s, own));
    if (air >= 0) stack_remove(s, air);
  }
  if (stack_fits_on(STACK_WORD(s, s->count - 1), material, thickness)) {
    STACK_WORD(s, s->count - 1) += (uint)thickness;
    return;
  }
  if (s->count < LAYERS_MOST) STACK_WORD(s, s->count) = layer_word(material, thickness);
  ++s->count;
}

// Counts on where there is no room, so that the count says what there should have been.
FN void stack_put(LayerStack* s, uint material, int thickness) {
  if (thickness <= 0) return;
  if (s->count > 0 && s->count <= LAYERS_MOST) {
    if (stack_fits_on(STACK_WORD(s, s->count - 1), material, thickness)) {
      STACK_WORD(s, s->count - 1) += (uint)thickness;
      return;
    }
    if (s->count == LAYERS_MOST) stack_make_room(s);
  }
  if (s->count < LAYERS_MOST) STACK_WORD(s, s->count) = layer_word(material, thickness);
  ++s->count;
}

#endif
