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
  int moves;                  // 1: the load is carried over edges
  int again;                  // 1: only what found no room is left to do
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

// Quanta of sediment that leave a cell over the edge of the cell (x, y), which is its own
// (`sign` 1) or leads to it (-1): as the flow step had it, from the flux that it left.
FN int sediment_out(IN(Grid) g, IN(Flow) p, int x, int y, float flux, float load, float sign,
                    uint which) {
  const float away = flux * sign;
  if (!(away > 0.0f)) return 0;
  const float u = rounding(hash_at(g, p.step_seed, x, y), which);
  const Carried c = carried(p, 1, flux, 1.0f, load, 1.0f, load, u);
  return sign > 0.0f ? c.sediment : -c.sediment;
}

// True where a side leads out of the world, and that is booked.
FN int over_border(IN(Grid) g, IN(Load) s, int x, int y, int side) {
  const int nx = x + side_x(side), ny = y + side_y(side);
  return (nx < 0 && (s.booked_sides & SIDE_WEST)) ||
         (nx >= g.width && (s.booked_sides & SIDE_EAST)) ||
         (ny < 0 && (s.booked_sides & SIDE_NORTH)) ||
         (ny >= g.height && (s.booked_sides & SIDE_SOUTH));
}
// Every cell of the border has a count of its own for each kind.
FN int border_slots(Grid g) { return 2 * (g.width + g.height); }
FN int border_slot(Grid g, int kind, int x, int y) {
  const int along = y == 0              ? x
                    : y == g.height - 1 ? g.width + x
                    : x == 0            ? 2 * g.width + y
                                        : 2 * g.width + g.height + y;
  return kind * border_slots(g) + along;
}

// Sides as in layers.h: east, west, south, north, south-east, north-west, north-east, south-west.
FN void load_leaves_cell(int x, int y, Grid g, Flow p, Load s, GLOBAL const int* RESTRICT water,
                         GLOBAL const int* RESTRICT sediment, GLOBAL const float* RESTRICT east,
                         GLOBAL const float* RESTRICT south, GLOBAL const float* RESTRICT se,
                         GLOBAL const float* RESTRICT sw, GLOBAL const int* RESTRICT loads,
                         GLOBAL int* RESTRICT out, GLOBAL i64* RESTRICT left) {
  const int at = cell_index(g, x, y), cell = y * g.width + x, cells = g.width * g.height;
  const int here = sediment[at], eight = p.reserve == 8.0f;
  const float load = concentration(p, water[at], here);
  int leaves[LAYER_SIDES];
  leaves[0] = sediment_out(g, p, x, y, east[at], load, 1.0f, SCREE_DRAW_A);
  leaves[1] = sediment_out(g, p, x - 1, y, east[at - 1], load, -1.0f, SCREE_DRAW_A);
  leaves[2] = sediment_out(g, p, x, y, south[at], load, 1.0f, SCREE_DRAW_B);
  leaves[3] = sediment_out(g, p, x, y - 1, south[at - g.stride], load, -1.0f, SCREE_DRAW_B);
  for (int side = 4; side < LAYER_SIDES; ++side) leaves[side] = 0;
  if (eight) {
    leaves[4] = sediment_out(g, p, x, y, se[at], load, 1.0f, SCREE_DRAW_F);
    leaves[5] = sediment_out(g, p, x - 1, y - 1, se[at - g.stride - 1], load, -1.0f, SCREE_DRAW_F);
    leaves[6] = sediment_out(g, p, x + 1, y - 1, sw[at - g.stride + 1], load, -1.0f, SCREE_DRAW_G);
    leaves[7] = sediment_out(g, p, x, y, sw[at], load, 1.0f, SCREE_DRAW_G);
  }
  // Kind after kind from what is left: `sent` of `there` of this one, all in all `gone` of `all`.
  const float u = rounding(hash_at(g, s.step_seed, x, y), SCREE_DRAW_A);
  int all = here;
  for (int kind = 0; kind + 1 < s.kinds; ++kind) {
    const int there = loads[cell + kind * cells];
    int sent = 0, gone = 0;
    for (int side = 0; side < LAYER_SIDES; ++side) {
      const int amount = leaves[side];
      const int now = imax(imin(share_of(gone + amount, there, all, u), sent + amount), sent);
      if (over_border(g, s, x, y, side)) left[border_slot(g, kind, x, y)] += now - sent;
      out[cell + (kind * LAYER_SIDES + side) * cells] = now - sent;
      leaves[side] = amount - (now - sent);
      gone += amount;
      sent = now;
    }
    all -= there;
  }
  for (int side = 0; side < LAYER_SIDES; ++side)
    if (leaves[side] > 0 && over_border(g, s, x, y, side))
      left[border_slot(g, s.kinds - 1, x, y)] += leaves[side];
}
SCREE_KERNEL_12(load_leaves, Grid, g, Flow, p, Load, s, GLOBAL const int*, water, GLOBAL const int*,
                sediment, GLOBAL const float*, east, GLOBAL const float*, south,
                GLOBAL const float*, se, GLOBAL const float*, sw, GLOBAL const int*, loads,
                GLOBAL int*, out, GLOBAL i64*, left)

// ---- after the flow step ---------------------------------------------------------------------

// What comes over the edges, less what leaves: every kind but the last, in place.
FN void load_moves(int x, int y, IN(Load) s, GLOBAL int* loads, GLOBAL const int* RESTRICT out) {
  const int cells = s.layers.width * s.layers.height, cell = y * s.layers.width + x;
  for (int kind = 0; kind + 1 < s.kinds; ++kind) {
    GLOBAL const int* RESTRICT kind_out = out + kind * LAYER_SIDES * cells;
    int gain = 0;
    for (int side = 0; side < LAYER_SIDES; ++side) {
      const int other = layer_beside(s.layers, x, y, side);
      gain -= kind_out[cell + side * cells];
      if (other >= 0) gain += kind_out[other + (side ^ 1) * cells];
    }
    loads[cell + kind * cells] += gain;
  }
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

// Coarse kinds settle before fine ones, and kinds of one sort in proportion.
FN void load_settles(LayerStack* stack, int amount, IN(Load) s,
                     GLOBAL const LoadMaterial* RESTRICT table, int* held, float rounding) {
  for (int sort = 0; sort < 2; ++sort) {
    const int first = sort == 0 ? 0 : s.coarse, end = sort == 0 ? s.coarse : s.kinds;
    int all = 0;
    for (int kind = first; kind < end; ++kind) all += held[kind];
    int left = imin(amount, all);
    amount -= left;
    for (int kind = first; kind < end; ++kind) {
      const int settled = share_of(left, held[kind], all, rounding);
      all -= held[kind];
      left -= settled;
      held[kind] -= settled;
      if (settled > 0) load_lies_down(stack, s, table, s.material[kind], settled);
    }
  }
}

// The stacks follow the bed that the flow step left. A cell that is done has a bed as high as its
// stack, so it is done once, however often a step is run again for want of room.
FN void load_lands_cell(int x, int y, Grid g, Load s, GLOBAL const LoadMaterial* RESTRICT table,
                        GLOBAL uint* words, GLOBAL LayerTop* tops, GLOBAL int* bed,
                        GLOBAL const int* RESTRICT sediment, GLOBAL int* loads,
                        GLOBAL const int* RESTRICT out, GLOBAL uint* needed) {
  const int at = cell_index(g, x, y), cell = y * g.width + x, cells = g.width * g.height;
  if (s.moves && !s.again) load_moves(x, y, s, loads, out);
  const int dug = tops[cell].height - bed[at];
  if (dug == 0) return;
  int held[LOADS_MOST];
  int rest = sediment[at] - dug;
  for (int kind = 0; kind + 1 < s.kinds; ++kind) {
    held[kind] = loads[cell + kind * cells];
    rest -= held[kind];
  }
  held[s.kinds - 1] = rest;
  LayerStack stack;
  stack_read(&stack, s.layers, words, cell);
  if (dug > 0)
    load_is_dug(&stack, dug, table, held);
  else
    load_settles(&stack, -dug, s, table, held,
                 rounding(hash_at(g, s.step_seed, x, y), SCREE_DRAW_B));
  stack_open_to_sky(&stack);
  if (stack.count > s.layers.planes) {
    most_into(needed, (uint)stack.count);
    return;
  }
  stack_write(&stack, s.layers, words, tops, cell);
  bed[at] = tops[cell].height;
  for (int kind = 0; kind + 1 < s.kinds; ++kind) loads[cell + kind * cells] = held[kind];
}
SCREE_KERNEL_10(load_lands, Grid, g, Load, s, GLOBAL const LoadMaterial*, table, GLOBAL uint*,
                words, GLOBAL LayerTop*, tops, GLOBAL int*, bed, GLOBAL const int*, sediment,
                GLOBAL int*, loads, GLOBAL const int*, out, GLOBAL uint*, needed)

#endif
