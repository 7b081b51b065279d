// Roofs that span too far fall into the voids below them (Beneš & Forsbach 2001, §8: "slumping of
// the landscape because of inner caves and gaps").
//
// A slab is a run of solid layers between two gaps (voids, and fluids that bear nothing). One that
// stands on the ground supports what it touches beside it; any other hands on what it knows of its
// own support. That is two things. The site: the nearest supporting column, so many cells away,
// whose face lies at a straight distance. And the path: the least sum of steps through slabs that
// touch, so that a slab which is near to a wall but hangs at the end of a long way round is known
// to. Steps are so short that no path is longer than the way it stands for. So both are at most
// the distance through the slabs, and the longer of the two counts: a roof never falls too early.
// All slabs learn from the pass before, of sites at the same distance the one of the lesser number,
// so the order of cells is no matter: spread() is run until nothing changes.
//
// A slab at the distance d is the end of a beam that is held at one side. Its own weight bends it
// with 3 g d² Σ ρ t / Σ t² at the support, for layers of thickness t that slide on each other; it
// stands while that is no more than its cohesion. Where the whole slab does not stand, its upper
// layers may stand alone: what is below them comes down, and lies as its dust on the void's floor.
#ifndef SCREE_KERNEL_SLUMP_H
#define SCREE_KERNEL_SLUMP_H

#include "kernel/common/atomics.h"
#include "kernel/layers/stack.h"

#define SLUMP_FAR 1073741823  // no support at all

typedef struct {
  float density;   // kg/m3
  float cohesion;  // Pa
  uint dust;       // what it is when it has fallen
  uint gap;        // 1: bears nothing
} SlumpMaterial;

typedef struct {
  int half_x, half_y, half_d;  // half a step of a path, in units of `metres`
  int first;                   // 1: nothing is known yet
  int fluids;                  // 1: not only voids are gaps
  float metres;
  float face_x, face_y;  // metres from a column's middle to its face
  float load;            // 3 g times the safety, over a quantum
} Slump;

// How far a slab is from its support: along a path (SLUMP_FAR: there is none), and to which site.
typedef struct {
  int path;
  uint site;
} SlumpReach;

// Cells from a site to a slab, of either sign, as one word. What is too far for that is taken to be
// as near as can be said; then its path counts.
#define SITE_MOST 32767
FN uint site_word(int x, int y) {
  x = imax(imin(x, SITE_MOST), -SITE_MOST);
  y = imax(imin(y, SITE_MOST), -SITE_MOST);
  return (uint)(x + SITE_MOST) << 16 | (uint)(y + SITE_MOST);
}
FN int site_x(uint site) { return (int)(site >> 16) - SITE_MOST; }
FN int site_y(uint site) { return (int)(site & 0xffffu) - SITE_MOST; }
FN float faces_away(int cells, float face) {
  return (float)imax(2 * imax(cells, -cells) - 1, 0) * face;
}
// The square of the distance from the middle of a slab to the nearest point of its site's column.
FN float site_distance(IN(Slump) p, uint site) {
  const float x = faces_away(site_x(site), p.face_x), y = faces_away(site_y(site), p.face_y);
  return x * x + y * y;
}

// What a slab knows, and is now told.
FN SlumpReach nearer_of(IN(Slump) p, SlumpReach known, SlumpReach told) {
  if (told.path >= SLUMP_FAR) return known;
  if (known.path >= SLUMP_FAR) return told;
  const float old = site_distance(p, known.site), now = site_distance(p, told.site);
  if (now < old || (now == old && told.site < known.site)) known.site = told.site;
  known.path = imin(known.path, told.path);
  return known;
}

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

// What a slab hears over one of its sides: from the ground, and from a slab.
FN SlumpReach from_ground(IN(Slump) p, int side) {
  SlumpReach reach;
  reach.path = OF_SIDE(side, p.half_x, p.half_y, p.half_d);
  reach.site = site_word(-side_x(side), -side_y(side));
  return reach;
}
FN SlumpReach from_slab(IN(Slump) p, int side, SlumpReach beside) {
  beside.path = imin(beside.path + 2 * OF_SIDE(side, p.half_x, p.half_y, p.half_d), SLUMP_FAR);
  beside.site = site_word(site_x(beside.site) - side_x(side), site_y(beside.site) - side_y(side));
  return beside;
}

// The same from all that a slab from `low` to `high` touches in the column beside.
FN SlumpReach from_column(const LayerStack* beside, SlumpReach known, int low, int high,
                          IN(LayerGrid) g, IN(Slump) p, int side, int cell,
                          GLOBAL const SlumpMaterial* RESTRICT table,
                          GLOBAL const SlumpReach* RESTRICT reaches) {
  int level = 0, slab = 0;
  for (int k = 0; k < beside->count;) {
    const int end = run_from(beside, k, table);
    const int top = level + run_height(beside, k, end);
    if (!is_gap(beside->words[k], table)) {
      const int touches = imin(high, top) > imax(low, level);
      if (k == 0) {
        if (touches) known = nearer_of(p, known, from_ground(p, side));
      } else {
        if (touches && !p.first) {
          const SlumpReach there = reaches[cell + slab * g.width * g.height];
          if (there.path < SLUMP_FAR) known = nearer_of(p, known, from_slab(p, side, there));
        }
        ++slab;
      }
    }
    level = top;
    k = end;
  }
  return known;
}

FN void slump_spread_cell(int x, int y, LayerGrid g, Slump p,
                          GLOBAL const SlumpMaterial* RESTRICT table,
                          GLOBAL const uint* RESTRICT words, GLOBAL const LayerTop* RESTRICT tops,
                          GLOBAL const SlumpReach* RESTRICT before,
                          GLOBAL SlumpReach* RESTRICT after, GLOBAL uint* RESTRICT changed) {
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
      SlumpReach known;
      known.path = SLUMP_FAR;
      known.site = 0u;
      if (!p.first) known = before[at];
      SlumpReach now = known;
      for (int side = 0; side < LAYER_SIDES; ++side) {
        const int other = layer_beside(g, x, y, side);
        if (other < 0) continue;
        if (may_have_gap(tops[other], p)) {
          stack_read(&beside, g, words, other);
          now = from_column(&beside, now, level, top, g, p, side, other, table, before);
        } else if (tops[other].height > level) {
          now = nearer_of(p, now, from_ground(p, side));
        }
      }
      news |= p.first || now.path != known.path || now.site != known.site;
      after[at] = now;
      ++slab;
    }
    level = top;
    k = end;
  }
  if (news) or_into(changed, 1u);
}
SCREE_KERNEL_8(slump_spread, LayerGrid, g, Slump, p, GLOBAL const SlumpMaterial*, table,
               GLOBAL const uint*, words, GLOBAL const LayerTop*, tops, GLOBAL const SlumpReach*,
               before, GLOBAL SlumpReach*, after, GLOBAL uint*, changed)

// The lowest layer of a slab (layers `from` to `to`) from which on it stands; `to`: none does.
FN int slab_stands_from(const LayerStack* s, int from, int to, SlumpReach reach, IN(Slump) p,
                        GLOBAL const SlumpMaterial* RESTRICT table) {
  if (reach.path >= SLUMP_FAR) return to;
  const float path = (float)reach.path * p.metres;
  const float square = fmax2(path * path, site_distance(p, reach.site));
  float weight = 0.0f, strength = 0.0f;
  int stands = to;
  for (int k = to - 1; k >= from; --k) {
    const float thickness = (float)layer_thickness(s->words[k]);
    weight += table[layer_material(s->words[k])].density * thickness;
    strength += table[layer_material(s->words[k])].cohesion * thickness * thickness;
    if (p.load * weight * square <= strength) stands = k;
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
                        GLOBAL const SlumpReach* RESTRICT reaches, GLOBAL uint* words,
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
        const SlumpReach reach = reaches[cell + slab * g.width * g.height];
        stands = slab_stands_from(&own, k, end, reach, p, table);
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
               GLOBAL const SlumpReach*, reaches, GLOBAL uint*, words, GLOBAL LayerTop*, tops,
               GLOBAL uint*, fallen)

#endif
