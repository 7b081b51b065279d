// Roofs that span too far fall into the voids below them (Beneš & Forsbach 2001, §8: "slumping of
// the landscape because of inner caves and gaps").
//
// A slab is a run of solid layers between two gaps (voids, and fluids that bear nothing). One that
// stands on the ground is at distance 0 from its support; any other is as far from it as the
// nearest slab beside that it touches, and a step more. These distances are the least that satisfy
// that rule, whatever the order in which they are found: spread() is run until nothing changes.
//
// A slab at the distance d is the end of a beam that is held at one side. Its own weight bends it
// with 3 g d² Σ ρ t / Σ t² at the support, for layers of thickness t that slide on each other; it
// stands while that is no more than its cohesion. Where the whole slab does not stand, its upper
// layers may stand alone: what is below them comes down, and lies as its dust on the void's floor.
#ifndef SCREE_KERNEL_SLUMP_H
#define SCREE_KERNEL_SLUMP_H

#include "kernel/atomics.h"
#include "kernel/stack.h"

#define SLUMP_FAR 1073741823  // no support at all

typedef struct {
  float density;   // kg/m3
  float cohesion;  // Pa
  uint dust;       // what it is when it has fallen
  uint gap;        // 1: bears nothing
} SlumpMaterial;

typedef struct {
  int step_x, step_y, step_d;  // between two cells, in units of `metres`
  int face;                    // from a support's middle to its face
  int first;                   // 1: nothing is known yet
  int fluids;                  // 1: not only voids are gaps
  float metres;
  float load;  // 3 g times the safety, over a quantum
} Slump;

FN int is_gap(uint word, GLOBAL const SlumpMaterial* RESTRICT table) {
  return layer_material(word) == LAYER_VOID || table[layer_material(word)].gap != 0u;
}

FN int may_have_gap(IN(LayerTop) top, IN(Slump) p) { return top_has_void(top) | p.fluids; }

// The run of layers of one sort, solid or gap, that begins at layer k: where it ends.
FN int run_from(const LayerStack* s, int k, GLOBAL const SlumpMaterial* RESTRICT table) {
  const int gap = is_gap(s->words[k], table);
  while (k < s->count && is_gap(s->words[k], table) == gap) ++k;
  return k;
}
FN int run_height(const LayerStack* s, int from, int to) {
  int height = 0;
  for (int k = from; k < to; ++k) height += layer_thickness(s->words[k]);
  return height;
}

// The least distance of what a slab from `low` to `high` touches in the column beside.
FN int distance_beside(const LayerStack* beside, int low, int high, IN(LayerGrid) g, IN(Slump) p,
                       int cell, GLOBAL const SlumpMaterial* RESTRICT table,
                       GLOBAL const int* RESTRICT distances) {
  int least = SLUMP_FAR, level = 0, slab = 0;
  for (int k = 0; k < beside->count;) {
    const int end = run_from(beside, k, table);
    const int top = level + run_height(beside, k, end);
    if (!is_gap(beside->words[k], table)) {
      const int touches = imin(high, top) > imax(low, level);
      if (k == 0) {
        if (touches) least = 0;
      } else {
        if (touches && !p.first) least = imin(least, distances[cell + slab * g.width * g.height]);
        ++slab;
      }
    }
    level = top;
    k = end;
  }
  return least;
}

FN void slump_spread_cell(int x, int y, LayerGrid g, Slump p,
                          GLOBAL const SlumpMaterial* RESTRICT table,
                          GLOBAL const uint* RESTRICT words, GLOBAL const LayerTop* RESTRICT tops,
                          GLOBAL const int* RESTRICT before, GLOBAL int* RESTRICT after,
                          GLOBAL uint* RESTRICT changed) {
  const int cell = y * g.width + x;
  if (!may_have_gap(tops[cell], p)) return;
  LayerStack own, beside;
  stack_read(&own, g, words, cell);
  int level = 0, slab = 0, news = 0;
  for (int k = 0; k < own.count;) {
    const int end = run_from(&own, k, table);
    const int top = level + run_height(&own, k, end);
    if (k > 0 && !is_gap(own.words[k], table)) {
      const int at = cell + slab * g.width * g.height;
      const int known = p.first ? SLUMP_FAR : before[at];
      int least = known;
      for (int side = 0; side < LAYER_SIDES; ++side) {
        const int other = layer_beside(g, x, y, side);
        if (other < 0) continue;
        int reached = tops[other].height > level ? 0 : SLUMP_FAR;
        if (may_have_gap(tops[other], p)) {
          stack_read(&beside, g, words, other);
          reached = distance_beside(&beside, level, top, g, p, other, table, before);
        }
        if (reached < SLUMP_FAR)
          least = imin(least, reached + OF_SIDE(side, p.step_x, p.step_y, p.step_d));
      }
      news |= p.first || least != known;
      after[at] = least;
      ++slab;
    }
    level = top;
    k = end;
  }
  if (news) or_into(changed, 1u);
}
SCREE_KERNEL_8(slump_spread, LayerGrid, g, Slump, p, GLOBAL const SlumpMaterial*, table,
               GLOBAL const uint*, words, GLOBAL const LayerTop*, tops, GLOBAL const int*, before,
               GLOBAL int*, after, GLOBAL uint*, changed)

// The lowest layer of a slab (layers `from` to `to`) from which on it stands; `to`: none does.
FN int stands_from(const LayerStack* s, int from, int to, int distance, IN(Slump) p,
                   GLOBAL const SlumpMaterial* RESTRICT table) {
  if (distance == SLUMP_FAR) return to;
  const float reach = (float)imax(distance - p.face, 0) * p.metres;
  float weight = 0.0f, strength = 0.0f;
  int stands = to;
  for (int k = to - 1; k >= from; --k) {
    const float thickness = (float)layer_thickness(s->words[k]);
    weight += table[layer_material(s->words[k])].density * thickness;
    strength += table[layer_material(s->words[k])].cohesion * thickness * thickness;
    if (p.load * weight * (reach * reach) <= strength) stands = k;
  }
  return stands;
}

// The gaps among some layers, as one: fluids below, air above.
FN void put_gaps(LayerStack* to, const LayerStack* from, int first, int end,
                 GLOBAL const SlumpMaterial* RESTRICT table) {
  for (int air = 0; air < 2; ++air)
    for (int k = first; k < end; ++k)
      if (is_gap(from->words[k], table) && (layer_material(from->words[k]) == LAYER_VOID) == air)
        stack_put(to, layer_material(from->words[k]), layer_thickness(from->words[k]));
}

// In place: a column falls within itself.
FN void slump_fall_cell(int x, int y, LayerGrid g, Slump p,
                        GLOBAL const SlumpMaterial* RESTRICT table,
                        GLOBAL const int* RESTRICT distances, GLOBAL uint* words,
                        GLOBAL LayerTop* tops, GLOBAL uint* fallen) {
  const int cell = y * g.width + x;
  if (!may_have_gap(tops[cell], p)) return;
  LayerStack own, next;
  stack_read(&own, g, words, cell);
  next.count = 0;
  int slab = 0, falls = 0, held = 0;  // held: from here on, gaps are yet to be put
  for (int k = 0; k < own.count;) {
    const int end = run_from(&own, k, table);
    if (!is_gap(own.words[k], table)) {
      int stands = k;
      if (k > 0) {
        const int distance = distances[cell + slab * g.width * g.height];
        stands = stands_from(&own, k, end, distance, p, table);
        ++slab;
      }
      falls |= stands > k;
      for (int n = k; n < stands; ++n)
        stack_put(&next, table[layer_material(own.words[n])].dust, layer_thickness(own.words[n]));
      // Where all of it falls, the gaps below and above it become one.
      if (stands < end) {
        put_gaps(&next, &own, held, k, table);
        held = end;
      }
      for (int n = stands; n < end; ++n)
        stack_put(&next, layer_material(own.words[n]), layer_thickness(own.words[n]));
    }
    k = end;
  }
  if (!falls) return;
  put_gaps(&next, &own, held, own.count, table);
  stack_open_to_sky(&next);
  stack_write(&next, g, words, tops, cell);
  add_to(fallen, 1u);
}
SCREE_KERNEL_7(slump_fall, LayerGrid, g, Slump, p, GLOBAL const SlumpMaterial*, table,
               GLOBAL const int*, distances, GLOBAL uint*, words, GLOBAL LayerTop*, tops,
               GLOBAL uint*, fallen)

#endif
