// Water on layers: the flow step (flow.h) runs on a bed that is the top of the stacks; what it digs
// is taken from them, and what it lays down comes to lie on them (after Štava et al. 2008).
//
// The flow step knows one load. Here it is kept apart by what it is made of: `loads` are amounts of
// all kinds but the last, which is what remains of the sediment. Over each edge a donor sends every
// kind in proportion, in whole quanta: edge after edge, of what it has sent so far no kind may have
// got further ahead of its share than there is of it (share_of). So nothing is overdrawn, and the
// kinds add up to the sediment that the flow step moved, to the quantum.
#ifndef SCREE_KERNEL_LOAD_H
#define SCREE_KERNEL_LOAD_H

#include "kernel/atomics.h"
#include "kernel/flow.h"
#include "kernel/stack.h"

#define LOADS_MOST 8
#define LOAD_NONE 255u

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
  int kind;                   // of load that a pass is about
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

// The bed, how well its top layer erodes, and how deep that holds: nothing is dug at the rate of a
// soft layer from a harder one below it, nor from what nothing erodes.
FN void load_bed_cell(int x, int y, Grid g, Load s, GLOBAL const LoadMaterial* RESTRICT table,
                      GLOBAL uint* words, GLOBAL LayerTop* tops, GLOBAL int* water, GLOBAL int* bed,
                      GLOBAL float* erodibility, GLOBAL int* floor_level) {
  const int cell = y * g.width + x, at = cell_index(g, x, y);
  if (table[top_material(tops[cell])].fluid) load_is_poured(cell, at, s, table, words, tops, water);
  const LayerTop top = tops[cell];
  bed[at] = top.height;
  if (s.kinds == 0) return;
  const float best = table[top_material(top)].erodibility;
  int level = top.height;
  if (best > 0.0f)
    for (int k = top_count(top) - 1; k >= 0; --k) {
      const uint word = words[cell + k * g.width * g.height];
      if (layer_material(word) == LAYER_VOID || table[layer_material(word)].erodibility < best)
        break;
      level -= layer_thickness(word);
    }
  erodibility[at] = best;
  floor_level[at] = level;
}
SCREE_KERNEL_9(load_bed, Grid, g, Load, s, GLOBAL const LoadMaterial*, table, GLOBAL uint*, words,
               GLOBAL LayerTop*, tops, GLOBAL int*, water, GLOBAL int*, bed, GLOBAL float*,
               erodibility, GLOBAL int*, floor_level)

// ---- what leaves -----------------------------------------------------------------------------

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

// Quanta over all sides, those of layers.h: east, west, south, north, south-east, north-west,
// north-east, south-west.
typedef struct {
  int e, w, s, n, se, nw, ne, sw;
} Sides;

// Quanta of sediment that leave over an edge, as the flow step had it, from the flux that it left:
// the donor's own edge (`sign` 1), or one that leads to it (-1).
FN int sediment_over(IN(Flow) p, float flux, float load, float sign, uint hash, uint which) {
  const float away = flux * sign > 0.0f ? flux : 0.0f;
  const Carried c = carried(p, 1, away, 1.0f, load, 1.0f, load, rounding(hash, which));
  return sign > 0.0f ? c.sediment : -c.sediment;
}
FN Sides sediment_leaves(IN(Grid) g, IN(Flow) p, int x, int y, GLOBAL const int* RESTRICT water,
                         GLOBAL const int* RESTRICT sediment, GLOBAL const float* RESTRICT east,
                         GLOBAL const float* RESTRICT south, GLOBAL const float* RESTRICT se,
                         GLOBAL const float* RESTRICT sw) {
  const int at = cell_index(g, x, y);
  const float load = concentration(p, water[at], sediment[at]);
  const float diagonal = fmax2(p.reserve - 7.0f, 0.0f);  // of 4 neighbours, or 8
  const uint own = hash_of(g, p.step_seed, x, y), north = hash_of(g, p.step_seed, x, y - 1);
  const uint nw = hash_of(g, p.step_seed, x - 1, y - 1), ne = hash_of(g, p.step_seed, x + 1, y - 1);
  const uint west = hash_of(g, p.step_seed, x - 1, y);
  const int up = at - g.stride;
  Sides leaves;
  leaves.e = sediment_over(p, east[at], load, 1.0f, own, SCREE_DRAW_A);
  leaves.w = sediment_over(p, east[at - 1], load, -1.0f, west, SCREE_DRAW_A);
  leaves.s = sediment_over(p, south[at], load, 1.0f, own, SCREE_DRAW_B);
  leaves.n = sediment_over(p, south[up], load, -1.0f, north, SCREE_DRAW_B);
  leaves.se = sediment_over(p, se[at] * diagonal, load, 1.0f, own, SCREE_DRAW_F);
  leaves.nw = sediment_over(p, se[up - 1] * diagonal, load, -1.0f, nw, SCREE_DRAW_F);
  leaves.ne = sediment_over(p, sw[up + 1] * diagonal, load, -1.0f, ne, SCREE_DRAW_G);
  leaves.sw = sediment_over(p, sw[at] * diagonal, load, 1.0f, own, SCREE_DRAW_G);
  return leaves;
}

// What a donor has sent so far of one kind (`sent` of the `there` that it has) and of this and all
// later ones (`gone` of `all`).
typedef struct {
  int there, all, sent, gone;
  float rounding;
} Sending;
// Of `amount` over the next edge.
FN int sends(Sending* s, int amount) {
  s->gone += amount;
  const int now =
      imax(imin(share_of(s->gone, s->there, s->all, s->rounding), s->sent + amount), s->sent);
  const int share = now - s->sent;
  s->sent = now;
  return share;
}

FN void leaves_of_kind(int x, int y, IN(Grid) g, IN(Flow) p, IN(Load) s, const int kind,
                       GLOBAL const int* RESTRICT water, GLOBAL const int* RESTRICT sediment,
                       GLOBAL const float* RESTRICT east, GLOBAL const float* RESTRICT south,
                       GLOBAL const float* RESTRICT se, GLOBAL const float* RESTRICT sw,
                       GLOBAL const int* RESTRICT loads, GLOBAL int* RESTRICT out) {
  const int cell = y * g.width + x, cells = g.width * g.height;
  Sides n = sediment_leaves(g, p, x, y, water, sediment, east, south, se, sw);
  Sending sending;
  sending.all = sediment[cell_index(g, x, y)];
  for (int k = 0; k < kind; ++k) {
    const int at = cell + k * LAYER_SIDES * cells;
    sending.all -= loads[cell + k * cells];
    n.e -= out[at], n.w -= out[at + cells];
    n.s -= out[at + 2 * cells], n.n -= out[at + 3 * cells];
    n.se -= out[at + 4 * cells], n.nw -= out[at + 5 * cells];
    n.ne -= out[at + 6 * cells], n.sw -= out[at + 7 * cells];
  }
  sending.there = loads[cell + kind * cells];
  sending.sent = 0;
  sending.gone = 0;
  sending.rounding = rounding(hash_of(g, s.step_seed, x, y), SCREE_DRAW_A);
  const int at = cell + kind * LAYER_SIDES * cells;
  out[at] = sends(&sending, n.e);
  out[at + cells] = sends(&sending, n.w);
  out[at + 2 * cells] = sends(&sending, n.s);
  out[at + 3 * cells] = sends(&sending, n.n);
  out[at + 4 * cells] = sends(&sending, n.se);
  out[at + 5 * cells] = sends(&sending, n.nw);
  out[at + 6 * cells] = sends(&sending, n.ne);
  out[at + 7 * cells] = sends(&sending, n.sw);
}

// Kind after kind. The first two, which most terrains have no more of, are kernels of their own.
#define LOAD_LEAVES(name, kind)                                                               \
  FN void name##_cell(int x, int y, Grid g, Flow p, Load s, GLOBAL const int* RESTRICT water, \
                      GLOBAL const int* RESTRICT sediment, GLOBAL const float* RESTRICT east, \
                      GLOBAL const float* RESTRICT south, GLOBAL const float* RESTRICT se,    \
                      GLOBAL const float* RESTRICT sw, GLOBAL const int* RESTRICT loads,      \
                      GLOBAL int* RESTRICT out, GLOBAL i64* left) {                           \
    (void)left;                                                                               \
    leaves_of_kind(x, y, g, p, s, kind, water, sediment, east, south, se, sw, loads, out);    \
  }
LOAD_LEAVES(load_leaves_first, 0)
LOAD_LEAVES(load_leaves_second, 1)
LOAD_LEAVES(load_leaves_later, s.kind)
#undef LOAD_LEAVES
SCREE_KERNEL_12(load_leaves_first, Grid, g, Flow, p, Load, s, GLOBAL const int*, water,
                GLOBAL const int*, sediment, GLOBAL const float*, east, GLOBAL const float*, south,
                GLOBAL const float*, se, GLOBAL const float*, sw, GLOBAL const int*, loads,
                GLOBAL int*, out, GLOBAL i64*, left)
SCREE_KERNEL_12(load_leaves_second, Grid, g, Flow, p, Load, s, GLOBAL const int*, water,
                GLOBAL const int*, sediment, GLOBAL const float*, east, GLOBAL const float*, south,
                GLOBAL const float*, se, GLOBAL const float*, sw, GLOBAL const int*, loads,
                GLOBAL int*, out, GLOBAL i64*, left)
SCREE_KERNEL_12(load_leaves_later, Grid, g, Flow, p, Load, s, GLOBAL const int*, water,
                GLOBAL const int*, sediment, GLOBAL const float*, east, GLOBAL const float*, south,
                GLOBAL const float*, se, GLOBAL const float*, sw, GLOBAL const int*, loads,
                GLOBAL int*, out, GLOBAL i64*, left)

// ---- the border ------------------------------------------------------------------------------

// True where a side leads out of the world, and that is booked.
FN int over_border(IN(Grid) g, IN(Load) s, int x, int y, int side) {
  const int nx = x + side_x(side), ny = y + side_y(side);
  return (nx < 0 && (s.booked_sides & SIDE_WEST)) ||
         (nx >= g.width && (s.booked_sides & SIDE_EAST)) ||
         (ny < 0 && (s.booked_sides & SIDE_NORTH)) ||
         (ny >= g.height && (s.booked_sides & SIDE_SOUTH));
}
// The cells of the border in a row: the first row, the last, the first column, the last. Cells of
// rows that are there twice have y = -1.
FN int border_slots(Grid g) { return 2 * (g.width + g.height); }
FN int border_slot_x(Grid g, int slot) {
  if (slot < 2 * g.width) return slot % g.width;
  return slot < 2 * g.width + g.height ? 0 : g.width - 1;
}
FN int border_slot_y(Grid g, int slot) {
  if (slot < g.width) return 0;
  if (slot < 2 * g.width) return g.height > 1 ? g.height - 1 : -1;
  const int y = (slot - 2 * g.width) % g.height;
  const int corner = y == 0 || y == g.height - 1;
  const int twice = g.width == 1 && slot >= 2 * g.width + g.height;
  return corner || twice ? -1 : y;
}

// Every cell of the border has a count of its own for each kind.
FN void load_left_cell(int slot, int unused, Grid g, Flow p, Load s,
                       GLOBAL const int* RESTRICT water, GLOBAL const int* RESTRICT sediment,
                       GLOBAL const float* RESTRICT east, GLOBAL const float* RESTRICT south,
                       GLOBAL const float* RESTRICT se, GLOBAL const float* RESTRICT sw,
                       GLOBAL const int* RESTRICT loads, GLOBAL int* out, GLOBAL i64* left) {
  (void)loads;
  const int x = border_slot_x(g, slot), y = border_slot_y(g, slot) + unused;
  if (y < 0) return;
  const int cell = y * g.width + x, cells = g.width * g.height;
  const Sides n = sediment_leaves(g, p, x, y, water, sediment, east, south, se, sw);
  for (int side = 0; side < LAYER_SIDES; ++side) {
    if (!over_border(g, s, x, y, side)) continue;
    int rest = side == 0   ? n.e
               : side == 1 ? n.w
               : side == 2 ? n.s
               : side == 3 ? n.n
               : side == 4 ? n.se
               : side == 5 ? n.nw
               : side == 6 ? n.ne
                           : n.sw;
    for (int kind = 0; kind + 1 < s.kinds; ++kind) {
      const int amount = out[cell + (kind * LAYER_SIDES + side) * cells];
      left[kind * border_slots(g) + slot] += amount;
      rest -= amount;
    }
    left[(s.kinds - 1) * border_slots(g) + slot] += rest;
  }
}
SCREE_KERNEL_12(load_left, Grid, g, Flow, p, Load, s, GLOBAL const int*, water, GLOBAL const int*,
                sediment, GLOBAL const float*, east, GLOBAL const float*, south,
                GLOBAL const float*, se, GLOBAL const float*, sw, GLOBAL const int*, loads,
                GLOBAL int*, out, GLOBAL i64*, left)

// ---- after the flow step ---------------------------------------------------------------------

// What comes over the edges, less what leaves, of one kind, in place. Cells of the border are few,
// and ask for each neighbour whether there is one.
FN void load_moves_cell(int x, int y, Load s, GLOBAL int* RESTRICT loads,
                        GLOBAL const int* RESTRICT out) {
  const int w = s.layers.width, cells = w * s.layers.height, cell = y * w + x;
  const int at = cell + s.kind * LAYER_SIDES * cells;
  const int leaves = out[at] + out[at + cells] + out[at + 2 * cells] + out[at + 3 * cells] +
                     out[at + 4 * cells] + out[at + 5 * cells] + out[at + 6 * cells] +
                     out[at + 7 * cells];
  const int comes = out[at + 1 + cells] + out[at - 1] + out[at + w + 3 * cells] +
                    out[at - w + 2 * cells] + out[at + w + 1 + 5 * cells] +
                    out[at - w - 1 + 4 * cells] + out[at - w + 1 + 7 * cells] +
                    out[at + w - 1 + 6 * cells];
  loads[cell + s.kind * cells] += comes - leaves;
}
SCREE_KERNEL_3(load_moves, Load, s, GLOBAL int*, loads, GLOBAL const int*, out)

FN void load_moves_border_cell(int slot, int unused, Grid g, Load s, GLOBAL int* loads,
                               GLOBAL const int* RESTRICT out) {
  const int x = border_slot_x(g, slot), y = border_slot_y(g, slot) + unused;
  if (y < 0) return;
  const int cells = g.width * g.height, cell = y * g.width + x;
  GLOBAL const int* RESTRICT of_kind = out + s.kind * LAYER_SIDES * cells;
  int gain = 0;
  for (int side = 0; side < LAYER_SIDES; ++side) {
    const int other = layer_beside(s.layers, x, y, side);
    gain -= of_kind[cell + side * cells];
    if (other >= 0) gain += of_kind[other + (side ^ 1) * cells];
  }
  loads[cell + s.kind * cells] += gain;
}
SCREE_KERNEL_4(load_moves_border, Grid, g, Load, s, GLOBAL int*, loads, GLOBAL const int*, out)

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

// Takes quanta off the top, as many layers as it needs, and adds them to what they are carried as.
FN void load_is_dug(LayerStack* stack, int amount, GLOBAL const LoadMaterial* RESTRICT table,
                    int* held) {
  while (amount > 0 && stack->count > 0) {
    const uint word = stack->words[stack->count - 1];
    const int taken = imin(amount, layer_thickness(word));
    const uint load = table[layer_material(word)].load;
    if (load < LOADS_MOST) held[load] += taken;
    amount -= taken;
    stack->words[stack->count - 1] = word - (uint)taken;
    if (taken == layer_thickness(word)) --stack->count;
  }
}

// Coarse kinds settle before fine ones, and kinds of one sort in proportion: what of each is laid
// down.
FN void load_settles(int amount, IN(Load) s, int* held, int* laid, float rounding) {
  for (int sort = 0; sort < 2; ++sort) {
    const int first = sort == 0 ? 0 : s.coarse, end = sort == 0 ? s.coarse : s.kinds;
    int all = 0;
    for (int kind = first; kind < end; ++kind) all += held[kind];
    int left = imin(amount, all);
    amount -= left;
    for (int kind = first; kind < end; ++kind) {
      laid[kind] = share_of(left, held[kind], all, rounding);
      all -= held[kind];
      left -= laid[kind];
      held[kind] -= laid[kind];
    }
  }
}

// What needs no look at the whole stack, which is nearly everything: a layer that stays is dug, or
// there is surely room for what is laid down. True where it is done.
FN int load_is_dug_lightly(int cell, int cells, IN(Load) s, int dug,
                           GLOBAL const LoadMaterial* RESTRICT table, GLOBAL uint* words,
                           GLOBAL LayerTop* tops, GLOBAL int* loads) {
  const LayerTop top = tops[cell];
  const int at = cell + (top_count(top) - 1) * cells;
  if (dug >= layer_thickness(words[at])) return 0;
  const int load = (int)table[top_material(top)].load;
  if (load + 1 < s.kinds) loads[cell + load * cells] += dug;
  words[at] -= (uint)dug;
  tops[cell] = top_changed(top, top_count(top), top_material(top), -dug);
  return 1;
}
FN void load_is_laid_lightly(int cell, int cells, IN(Load) s, const int* laid,
                             GLOBAL const LoadMaterial* RESTRICT table, GLOBAL uint* words,
                             GLOBAL LayerTop* tops) {
  const LayerTop top = tops[cell];
  int count = top_count(top), risen = 0;
  uint highest = top_material(top);
  for (int kind = 0; kind < s.kinds; ++kind) {
    if (laid[kind] <= 0) continue;
    int depth = 0, k = count - 1;
    for (; k >= 0 && depth <= s.mixing; --k) {
      const uint word = words[cell + k * cells];
      if (stack_fits_on(word, s.material[kind], laid[kind])) break;
      if (layer_material(word) == LAYER_VOID || !table[layer_material(word)].loose) k = 0;
      depth += layer_thickness(word);
    }
    if (k >= 0 && depth <= s.mixing) {
      words[cell + k * cells] += (uint)laid[kind];
    } else {
      words[cell + count * cells] = layer_word(s.material[kind], laid[kind]);
      highest = s.material[kind];
      ++count;
    }
    risen += laid[kind];
  }
  tops[cell] = top_changed(top, count, highest, risen);
}

// The stacks follow the bed that the flow step left. A cell that is done has a bed as high as its
// stack, so it is done once, however often a step is run again for want of room.
FN void load_lands_cell(int x, int y, Grid g, Load s, GLOBAL const LoadMaterial* RESTRICT table,
                        GLOBAL uint* words, GLOBAL LayerTop* tops, GLOBAL int* bed,
                        GLOBAL int* sediment, GLOBAL int* loads, GLOBAL uint* needed) {
  const int at = cell_index(g, x, y), cell = y * g.width + x, cells = g.width * g.height;
  const int dug = tops[cell].height - bed[at];
  if (dug == 0) return;
  if (dug > 0 && load_is_dug_lightly(cell, cells, s, dug, table, words, tops, loads)) return;
  int held[LOADS_MOST], laid[LOADS_MOST];
  int rest = sediment[at] - dug;
  for (int kind = 0; kind + 1 < s.kinds; ++kind) {
    held[kind] = loads[cell + kind * cells];
    rest -= held[kind];
  }
  held[s.kinds - 1] = rest;
  if (dug < 0)
    load_settles(-dug, s, held, laid, rounding(hash_of(g, s.step_seed, x, y), SCREE_DRAW_B));
  if (dug < 0 && top_count(tops[cell]) + s.kinds <= s.layers.planes) {
    load_is_laid_lightly(cell, cells, s, laid, table, words, tops);
  } else {
    LayerStack stack;
    stack_read(&stack, s.layers, words, cell);
    if (dug > 0) load_is_dug(&stack, dug, table, held);
    for (int kind = 0; dug < 0 && kind < s.kinds; ++kind)
      if (laid[kind] > 0) load_lies_down(&stack, s, table, s.material[kind], laid[kind]);
    stack_open_to_sky(&stack);
    if (stack.count > LAYERS_MOST) {
      // A stack without any room keeps its height, and the water its load.
      sediment[at] -= dug;
      bed[at] += dug;
      return;
    }
    if (stack.count > s.layers.planes) {
      most_into(needed, (uint)stack.count);
      return;
    }
    stack_write(&stack, s.layers, words, tops, cell);
    bed[at] = tops[cell].height;
  }
  for (int kind = 0; kind + 1 < s.kinds; ++kind) loads[cell + kind * cells] = held[kind];
}
SCREE_KERNEL_9(load_lands, Grid, g, Load, s, GLOBAL const LoadMaterial*, table, GLOBAL uint*, words,
               GLOBAL LayerTop*, tops, GLOBAL int*, bed, GLOBAL int*, sediment, GLOBAL int*, loads,
               GLOBAL uint*, needed)

#endif
