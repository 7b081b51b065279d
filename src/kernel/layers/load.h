// Water on layers: the flow step (flow.h) runs on a bed that is the top of the stacks; what it digs
// is taken from them, and what it lays down comes to lie on them (after Štava et al. 2008).
//
// The flow step knows one load. Here it is kept apart by what it is made of: `loads` are amounts of
// all kinds but the last, which is what remains of the sediment. Over each edge a donor sends every
// kind in proportion, in whole quanta: edge after edge, of what it has sent so far no kind may have
// got further ahead of its share than there is of it (share_of). So nothing is overdrawn, and the
// kinds add up to the sediment that the flow step moved, to the quantum (load_moves.h).
#ifndef SCREE_KERNEL_LOAD_H
#define SCREE_KERNEL_LOAD_H

#include "kernel/common/atomics.h"
#include "kernel/heights/flow.h"
#include "kernel/layers/stack.h"

#define LOADS_MOST 8
#define LOAD_NONE 255u
// How many kinds there are. OpenCL compiles a kernel for each number, so that what it holds of
// every kind stays in registers.
#ifndef LOAD_KINDS
#define LOAD_KINDS s.kinds
#endif

typedef struct {
  float erodibility;
  uint load;   // its place among the loads, or LOAD_NONE
  uint loose;  // 1: what is laid down may mix with it
  uint fluid;  // 1: the water itself
} LoadMaterial;

typedef struct {
  LayerGrid layers;
  uint step_seed;
  int kinds;                  // of load, at most LOADS_MOST
  int coarse;                 // so many of them, the first, settle before all others
  uint material[LOADS_MOST];  // of which each is laid down
  int mixing;                 // depth in quanta to which it finds a layer of its own kind
  int booked_sides;           // SIDE_…: what crosses these is booked
} Load;

// ---- before the flow step --------------------------------------------------------------------

// Water that lies on top of a stack as a layer runs with the water of the surface from now on.
FN void load_is_poured(int cell, int at, IN(Load) s, GLOBAL const LoadMaterial* RESTRICT table,
                       GLOBAL uint* words, GLOBAL LayerTop* tops, GLOBAL int* water) {
  LayerStack stack;
  stack_read(&stack, s.layers, words, cell);
  while (stack.count > 0) {
    const uint word = stack.words[stack.count - 1];
    if (!table[layer_material(word)].fluid) break;
    water[at] += layer_thickness(word);
    --stack.count;
    stack_open_to_sky(&stack);
  }
  stack_write(&stack, s.layers, words, tops, cell);
}

// How deep a column is no harder than its top: nothing is dug at the rate of a soft layer from a
// harder one below it, nor from what nothing erodes.
FN int load_digs_to(int cell, int cells, LayerTop top, GLOBAL const LoadMaterial* RESTRICT table,
                    GLOBAL const uint* words) {
  const float best = table[top_material(top)].erodibility;
  int level = top.height;
  for (int k = top_count(top) - 1; k >= 0 && best > 0.0f; --k) {
    const uint word = words[cell + k * cells];
    if (layer_material(word) == LAYER_VOID || table[layer_material(word)].erodibility < best) break;
    level -= layer_thickness(word);
  }
  return level;
}

// The bed, how well its top layer erodes, and how deep that holds.
FN void load_bed_cell(int x, int y, Grid g, Load s, GLOBAL const LoadMaterial* RESTRICT table,
                      GLOBAL uint* words, GLOBAL LayerTop* tops, GLOBAL int* water, GLOBAL int* bed,
                      GLOBAL float* erodibility, GLOBAL int* floor_level) {
  const int cell = y * g.width + x, at = cell_index(g, x, y);
  if (table[top_material(tops[cell])].fluid) load_is_poured(cell, at, s, table, words, tops, water);
  const LayerTop top = tops[cell];
  bed[at] = top.height;
  if (s.kinds == 0) return;
  erodibility[at] = table[top_material(top)].erodibility;
  floor_level[at] = load_digs_to(cell, g.width * g.height, top, table, words);
}
#ifdef __OPENCL_VERSION__  // load_cpu.h has its own
SCREE_KERNEL_9(load_bed, Grid, g, Load, s, GLOBAL const LoadMaterial*, table, GLOBAL uint*, words,
               GLOBAL LayerTop*, tops, GLOBAL int*, water, GLOBAL int*, bed, GLOBAL float*,
               erodibility, GLOBAL int*, floor_level)
#endif

// Where a map has a say, too.
FN void load_scaled_cell(int x, int y, Grid g, GLOBAL const float* RESTRICT factor,
                         GLOBAL float* erodibility) {
  const int at = cell_index(g, x, y);
  erodibility[at] *= factor[at];
}
SCREE_KERNEL_3(load_scaled, Grid, g, GLOBAL const float*, factor, GLOBAL float*, erodibility)

// ---- after the flow step ---------------------------------------------------------------------

// Of `amount` quanta out of a mixture, those of one kind: `there` of it among `all`.
FN int share_of(int amount, int there, int all, float rounding) {
  const float share = (float)amount * ((float)there * inverse(fmax2((float)all, 1.0f)));
  return imax(imin(to_quanta(share, rounding), imin(there, amount)), amount - (all - there));
}

// Worlds begin at 0 here, and neighbours are at most one cell beyond.
FN int named(int at, int wrap) {
  const int low = at + ((at >> 31) & wrap);
  return low - (((wrap - 1 - low) >> 31) & wrap);
}
FN uint hash_of(IN(Grid) g, uint seed, int x, int y) {
  return cell_hash(seed, named(x, g.wrap_x), named(y, g.wrap_y));
}

// Loose layers near the surface let what is laid down join its own kind below them, and a full
// stack lets it join its own kind however deep: else kinds that come by turns would pile up in ever
// more layers (as in slip.h).
FN void load_lies_down(LayerStack* stack, IN(Load) s, GLOBAL const LoadMaterial* RESTRICT table,
                       uint material, int amount) {
  const int full = stack->count >= LAYERS_MOST;
  int depth = 0;
  for (int k = imin(stack->count, LAYERS_MOST) - 1; k >= 0 && (full || depth <= s.mixing); --k) {
    const uint word = stack->words[k];
    if (stack_fits_on(word, material, amount)) {
      stack->words[k] = word + (uint)amount;
      return;
    }
    if (layer_material(word) == LAYER_VOID || !(full || table[layer_material(word)].loose)) break;
    depth += layer_thickness(word);
  }
  stack_put(stack, material, amount);
}

// Coarse kinds settle before fine ones, and kinds of one sort in proportion: what of each is laid
// down.
FN void load_settles(int amount, IN(Load) s, int* held, int* laid, float rounding) {
  for (int sort = 0; sort < 2; ++sort) {
    int all = 0;
    for (int kind = 0; kind < LOAD_KINDS; ++kind)
      if ((kind >= s.coarse) == sort) all += held[kind];
    int left = imin(amount, all);
    amount -= left;
    for (int kind = 0; kind < LOAD_KINDS; ++kind) {
      if ((kind >= s.coarse) != sort) continue;
      laid[kind] = share_of(left, held[kind], all, rounding);
      all -= held[kind];
      left -= laid[kind];
      held[kind] -= laid[kind];
    }
  }
}

// What a cell has of each kind, after the flow step.
FN void load_by_kind(int cell, int cells, IN(Load) s, int sediment, GLOBAL const int* loads,
                     int* held) {
  for (int kind = 0; kind + 1 < LOAD_KINDS; ++kind) {
    held[kind] = loads[cell + kind * cells];
    sediment -= held[kind];
  }
  held[LOAD_KINDS - 1] = sediment;
}
FN void load_is_left(int cell, int cells, IN(Load) s, const int* held, GLOBAL int* loads) {
  for (int kind = 0; kind + 1 < LOAD_KINDS; ++kind) loads[cell + kind * cells] = held[kind];
}

// Digs into as many layers as it takes; each becomes load of its own kind. Air under the sky is no
// layer. Returns how high the column is then.
FN int load_is_dug(int cell, int cells, IN(Load) s, int dug,
                   GLOBAL const LoadMaterial* RESTRICT table, GLOBAL uint* words,
                   GLOBAL LayerTop* tops, GLOBAL int* loads) {
  LayerTop top = tops[cell];
  int count = top_count(top), opened = 0, amount = dug;
  uint word = 0u;
  while (count > 0) {
    const int at = cell + (count - 1) * cells;
    word = words[at];
    const uint material = layer_material(word);
    if (amount == 0 && material != LAYER_VOID) break;
    const int load = (int)table[material].load, thickness = layer_thickness(word);
    const int taken = material == LAYER_VOID ? 0 : imin(amount, thickness);
    if (load + 1 < LOAD_KINDS) loads[cell + load * cells] += taken;
    amount -= taken;
    if (material == LAYER_VOID) {
      opened = 1;
      top.height -= thickness;
    } else if (taken < thickness) {
      word -= (uint)taken;
      words[at] = word;
      break;
    }
    words[at] = 0u;
    --count;
  }
  if (opened) {
    top.about &= 0xffffu;
    for (int k = 0; k < count; ++k)
      if (layer_material(words[cell + k * cells]) == LAYER_VOID) top.about |= 1u << 16;
  }
  top = top_changed(top, count, count > 0 ? layer_material(word) : LAYER_VOID, amount - dug);
  tops[cell] = top;
  return top.height;
}

// Where a kind comes to lie: a layer that is there, or on top of all (`count`, of which the stack
// has `there`; what lies above those are kinds that were placed before it).
FN int load_place(int cell, int cells, IN(Load) s, const int kind, const int* laid,
                  const int* place, int there, int count, GLOBAL const LoadMaterial* RESTRICT table,
                  GLOBAL const uint* words) {
  int depth = 0;
  for (int k = count - 1; k >= 0 && depth <= s.mixing; --k) {
    uint word = k < there ? words[cell + k * cells] : 0u;
    for (int other = 0; other < kind; ++other)
      if (laid[other] > 0 && place[other] == k)
        word = layer_word(s.material[other], layer_thickness(word) + laid[other]);
    if (stack_fits_on(word, s.material[kind], laid[kind])) return k;
    if (layer_material(word) == LAYER_VOID || !table[layer_material(word)].loose) break;
    depth += layer_thickness(word);
  }
  return count;
}

// What is laid down needs no look at the whole stack where there is room for it, which is nearly
// always. True where it is done.
FN int load_is_laid_lightly(int cell, int cells, IN(Load) s, const int* laid,
                            GLOBAL const LoadMaterial* RESTRICT table, GLOBAL uint* words,
                            GLOBAL LayerTop* tops) {
  const LayerTop top = tops[cell];
  const int there = top_count(top);
  int place[LOADS_MOST];
  int count = there, risen = 0;
  uint highest = top_material(top);
  for (int kind = 0; kind < LOAD_KINDS; ++kind) {
    if (laid[kind] <= 0) continue;
    if (count >= LAYERS_MOST) return 0;
    place[kind] = load_place(cell, cells, s, kind, laid, place, there, count, table, words);
    if (place[kind] == count) ++count, highest = s.material[kind];
    risen += laid[kind];
  }
  if (count > s.layers.planes) return 0;
  for (int kind = 0; kind < LOAD_KINDS; ++kind) {
    if (laid[kind] <= 0) continue;
    const int at = cell + place[kind] * cells;
    words[at] =
        (place[kind] < there ? words[at] : layer_word(s.material[kind], 0)) + (uint)laid[kind];
  }
  tops[cell] = top_changed(top, count, highest, risen);
  return 1;
}

// The stacks follow the bed that the flow step left. A cell that is done has a bed as high as its
// stack, so it is done once, however often a step is run again for want of room.
FN void load_lands_cell(int x, int y, Grid g, Load s, GLOBAL const LoadMaterial* RESTRICT table,
                        GLOBAL uint* words, GLOBAL LayerTop* tops, GLOBAL int* bed,
                        GLOBAL int* sediment, GLOBAL int* loads, GLOBAL uint* needed) {
  const int at = cell_index(g, x, y), cell = y * g.width + x, cells = g.width * g.height;
  const int rise = bed[at] - tops[cell].height;
  if (rise == 0) return;
  if (rise < 0) {
    // It may have come upon a void.
    const int height = load_is_dug(cell, cells, s, -rise, table, words, tops, loads);
    if (bed[at] != height) bed[at] = height;
    return;
  }
  int held[LOADS_MOST], laid[LOADS_MOST];
  load_by_kind(cell, cells, s, sediment[at] + rise, loads, held);
  load_settles(rise, s, held, laid, rounding(hash_of(g, s.step_seed, x, y), SCREE_DRAW_B));
  if (!load_is_laid_lightly(cell, cells, s, laid, table, words, tops)) {
    LayerStack stack;
    stack_read(&stack, s.layers, words, cell);
    for (int kind = 0; kind < LOAD_KINDS; ++kind)
      if (laid[kind] > 0) load_lies_down(&stack, s, table, s.material[kind], laid[kind]);
    if (stack.count > LAYERS_MOST) {
      // A stack without any room keeps its height, and the water its load.
      sediment[at] += rise;
      bed[at] -= rise;
      return;
    }
    if (stack.count > s.layers.planes) {
      most_into(needed, (uint)stack.count);
      return;
    }
    stack_write(&stack, s.layers, words, tops, cell);
  }
  load_is_left(cell, cells, s, held, loads);
}
#ifdef __OPENCL_VERSION__
SCREE_KERNEL_9(load_lands, Grid, g, Load, s, GLOBAL const LoadMaterial*, table, GLOBAL uint*, words,
               GLOBAL LayerTop*, tops, GLOBAL int*, bed, GLOBAL int*, sediment, GLOBAL int*, loads,
               GLOBAL uint*, needed)
#endif

#endif
