// Sediment on layers, kind by kind, goes along with what the flow step has moved (load.h): what
// every cell sends over each of its sides is written down, and gathered from there.
#ifndef SCREE_KERNEL_LOAD_MOVES_H
#define SCREE_KERNEL_LOAD_MOVES_H

#include "kernel/layers/load.h"

// ---- what leaves -----------------------------------------------------------------------------

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

// What leaves of the kinds that are still to be told apart: over all sides, and of how much.
typedef struct {
  Sides over;
  int all;
} Leaving;
FN Leaving leaving(IN(Grid) g, IN(Flow) p, int x, int y, GLOBAL const int* RESTRICT water,
                   GLOBAL const int* RESTRICT sediment, GLOBAL const float* RESTRICT east,
                   GLOBAL const float* RESTRICT south, GLOBAL const float* RESTRICT se,
                   GLOBAL const float* RESTRICT sw) {
  Leaving rest;
  rest.over = sediment_leaves(g, p, x, y, water, sediment, east, south, se, sw);
  rest.all = sediment[cell_index(g, x, y)];
  return rest;
}
// Less of one kind that was told apart: `at` is where its amounts lie, `there` what was not sent.
FN void less_of_kind(Leaving* rest, int at, int cells, int there, GLOBAL const int* out) {
  const int e = out[at], w = out[at + cells], s = out[at + 2 * cells], n = out[at + 3 * cells];
  const int se = out[at + 4 * cells], nw = out[at + 5 * cells], ne = out[at + 6 * cells];
  const int sw = out[at + 7 * cells];
  rest->all -= there + (e + w) + (s + n) + (se + nw) + (ne + sw);
  rest->over.e -= e, rest->over.w -= w, rest->over.s -= s, rest->over.n -= n;
  rest->over.se -= se, rest->over.nw -= nw, rest->over.ne -= ne, rest->over.sw -= sw;
}

// The next kind: what it sends over each side, and keeps.
FN void leaves_of_kind(int cell, int cells, const int kind, float rounding, Leaving* rest,
                       GLOBAL int* RESTRICT loads, GLOBAL int* RESTRICT out) {
  Sending sending;
  sending.there = loads[cell + kind * cells];
  sending.all = rest->all;
  sending.sent = 0;
  sending.gone = 0;
  sending.rounding = rounding;
  const int at = cell + kind * LAYER_SIDES * cells;
  out[at] = sends(&sending, rest->over.e);
  out[at + cells] = sends(&sending, rest->over.w);
  out[at + 2 * cells] = sends(&sending, rest->over.s);
  out[at + 3 * cells] = sends(&sending, rest->over.n);
  out[at + 4 * cells] = sends(&sending, rest->over.se);
  out[at + 5 * cells] = sends(&sending, rest->over.nw);
  out[at + 6 * cells] = sends(&sending, rest->over.ne);
  out[at + 7 * cells] = sends(&sending, rest->over.sw);
  loads[cell + kind * cells] = sending.there - sending.sent;
}
FN float sending_chance(IN(Grid) g, IN(Load) s, int x, int y) {
  return rounding(hash_of(g, s.step_seed, x, y), SCREE_DRAW_A);
}

// ---- the border ------------------------------------------------------------------------------

// True where a side leads out of the world, and that is booked.
FN int over_border(IN(Grid) g, IN(Load) s, int x, int y, int side) {
  const int nx = x + side_x(side), ny = y + side_y(side);
  return (nx < 0 && (s.booked_sides & SIDE_WEST)) ||
         (nx >= g.width && (s.booked_sides & SIDE_EAST)) ||
         (ny < 0 && (s.booked_sides & SIDE_NORTH)) ||
         (ny >= g.height && (s.booked_sides & SIDE_SOUTH));
}
// The cells of the border one after another: the first row, the last, the first column, the last.
// Cells of rows that are there twice have y = -1.
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
                       GLOBAL int* RESTRICT loads, GLOBAL int* out, GLOBAL i64* left) {
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
#define LOAD_LEFT                                                                              \
  SCREE_KERNEL_12(load_left, Grid, g, Flow, p, Load, s, GLOBAL const int*, water,              \
                  GLOBAL const int*, sediment, GLOBAL const float*, east, GLOBAL const float*, \
                  south, GLOBAL const float*, se, GLOBAL const float*, sw, GLOBAL int*, loads, \
                  GLOBAL int*, out, GLOBAL i64*, left)

// ---- what comes ------------------------------------------------------------------------------

// What comes over the edges of one kind. Cells of the border are few, and ask for each neighbour
// whether there is one.
FN int load_comes_inside(int cell, IN(Load) s, const int kind, GLOBAL const int* RESTRICT out) {
  const int w = s.layers.width, cells = w * s.layers.height;
  const int at = cell + kind * LAYER_SIDES * cells;
  return out[at + 1 + cells] + out[at - 1] + out[at + w + 3 * cells] + out[at - w + 2 * cells] +
         out[at + w + 1 + 5 * cells] + out[at - w - 1 + 4 * cells] + out[at - w + 1 + 7 * cells] +
         out[at + w - 1 + 6 * cells];
}
FN int load_comes_to_border(int x, int y, IN(Load) s, const int kind,
                            GLOBAL const int* RESTRICT out) {
  const int cells = s.layers.width * s.layers.height;
  GLOBAL const int* RESTRICT of_kind = out + kind * LAYER_SIDES * cells;
  int sum = 0;
  for (int side = 0; side < LAYER_SIDES; ++side) {
    const int other = layer_beside(s.layers, x, y, side);
    if (other >= 0) sum += of_kind[other + (side ^ 1) * cells];
  }
  return sum;
}

#endif
