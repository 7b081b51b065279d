// Water in caves: it runs from column to column through the openings between their gaps until it
// stands level, as in vessels that are joined.
//
// A gap is a run of voids and water between two solids of a column, or what lies above the topmost
// one: the sky, whose water is that of the surface. Gaps of two columns that stand side by side are
// open to each other where they overlap in height, from the sill (the higher floor) to the lintel
// (the lower ceiling). Air is let out: it bears no pressure. Two passes, both of whole quanta:
//
//   pairs   Two gaps level out what stands above their sill. Pairs that have no column in common
//           are done at once, the others one set after the other, so nothing is limited or shared.
//   bodies  Water that is joined below the surface is one body, and its highest surface feeds its
//           lowest, however far away, through galleries that are full: they have no level of their
//           own, and pass on a pressure that no pair knows.
//
// Neither moves anything where levels differ by less than two quanta: water that rests, rests.
#ifndef SCREE_KERNEL_CAVES_H
#define SCREE_KERNEL_CAVES_H

#include "kernel/common/atomics.h"
#include "kernel/layers/stack.h"

#define CAVE_GAPS 9  // of a column of LAYERS_MOST layers, the sky among them
#define CAVE_ROW 64  // entries of a list in a row of the range
#define CAVE_NONE (-1)

typedef struct {
  LayerGrid layers;
  int first, count;  // of a list
  uint fluid;        // the material that is water
} Caves;

typedef struct {
  int low, high;  // floor and ceiling; the same where there is no gap
  int water;
} CaveGap;

// Of the body that a gap belongs to: its highest surface and its lowest, and the gaps they are in.
typedef struct {
  int high, high_at;
  int low, low_at;
} CaveBody;

FN int cave_entry(IN(Caves) p, int x, int y) {
  const int i = y * CAVE_ROW + x;
  return i < p.count ? p.first + i : CAVE_NONE;
}
FN int cave_water_index(IN(Grid) g, int cell) {
  return cell_index(g, cell % g.width, cell / g.width);
}

FN int gap_level(CaveGap gap) { return gap.low + gap.water; }
FN int gap_is_sky(CaveGap gap) { return gap.high == LAYER_SKY; }
FN int gap_is_full(CaveGap gap) { return gap_level(gap) == gap.high; }
// Less than a quarter of it is air: it runs full where there is pressure.
FN int gap_is_pressed(CaveGap gap) { return gap.high - gap_level(gap) <= (gap.high - gap.low) / 4; }
FN int gap_sill(CaveGap a, CaveGap b) { return imax(a.low, b.low); }
FN int gaps_meet(CaveGap a, CaveGap b) {
  return imin(a.high, b.high) > gap_sill(a, b) && !(gap_is_sky(a) && gap_is_sky(b));
}
// Water of both stands above the sill.
FN int gaps_join(CaveGap a, CaveGap b) {
  return gaps_meet(a, b) && imin(gap_level(a), gap_level(b)) > gap_sill(a, b);
}

// What of a difference is moved at once where the surface of a lake is at one end: small ones are
// levelled to the last quantum, and larger ones without a jolt.
FN int cave_moves(int difference) { return difference < 8 ? difference / 2 : difference / 4; }

// ---- a column ---------------------------------------------------------------------------------

// The gaps of a column from the bottom up, the sky last: how many.
FN int gaps_of(const LayerStack* s, IN(Caves) p, int surface_water, CaveGap* gaps) {
  int count = 0, level = 0, within = 0;
  for (int k = 0; k < s->count; ++k) {
    const uint material = layer_material(s->words[k]);
    const int thickness = layer_thickness(s->words[k]);
    if (material != LAYER_VOID && material != p.fluid) {
      within = 0;
    } else {
      if (!within) {
        gaps[count].low = gaps[count].high = level;
        gaps[count].water = 0;
        ++count;
      }
      within = 1;
      gaps[count - 1].high += thickness;
      if (material == p.fluid) gaps[count - 1].water += thickness;
    }
    level += thickness;
  }
  gaps[count].low = level;
  gaps[count].high = LAYER_SKY;
  gaps[count].water = surface_water;
  return count + 1;
}

FN void put_thick(LayerStack* s, uint material, int thickness) {
  for (; thickness > 0; thickness -= LAYER_THICKEST)
    stack_put(s, material, imin(thickness, LAYER_THICKEST));
}

// The column with as much water in its gaps as they say.
FN void stack_refilled(const LayerStack* from, IN(Caves) p, const CaveGap* gaps, LayerStack* to) {
  int gap = -1, within = 0;
  to->count = 0;
  for (int k = 0; k < from->count; ++k) {
    const uint material = layer_material(from->words[k]);
    if (material != LAYER_VOID && material != p.fluid) {
      stack_put(to, material, layer_thickness(from->words[k]));
      within = 0;
      continue;
    }
    if (within) continue;
    within = 1;
    ++gap;
    put_thick(to, p.fluid, gaps[gap].water);
    put_thick(to, LAYER_VOID, gaps[gap].high - gap_level(gaps[gap]));
  }
}

// Puts a column in order: what is loose sinks in water, and water lies below air. Says how many
// layers it may come to have: each gap may hold water and air.
FN void cave_tidy_cell(int x, int y, Caves p, GLOBAL const uint* RESTRICT loose,
                       GLOBAL const int* RESTRICT cells, GLOBAL uint* words, GLOBAL LayerTop* tops,
                       GLOBAL uint* needed) {
  const int entry = cave_entry(p, x, y);
  if (entry < 0) return;
  LayerStack own, next;
  stack_read(&own, p.layers, words, cells[entry]);
  next.count = 0;
  int water = 0, air = 0, gaps = 0, solids = 0;
  for (int k = 0; k < own.count; ++k) {
    const uint material = layer_material(own.words[k]);
    const int thickness = layer_thickness(own.words[k]);
    if (material == p.fluid) {
      water += thickness;
    } else if (material == LAYER_VOID) {
      air += thickness;
    } else {
      ++solids;
      if (!(loose[material] && water > 0 && air == 0)) {
        gaps += water + air > 0;
        put_thick(&next, p.fluid, water);
        put_thick(&next, LAYER_VOID, air);
        water = air = 0;
      }
      stack_put(&next, material, thickness);
    }
  }
  put_thick(&next, p.fluid, water);
  if (gaps == 0 && water == 0) return;
  most_into(needed, (uint)imin(solids + 2 * gaps + (water > 0), LAYERS_MOST));
  int same = next.count == own.count;
  for (int k = 0; k < own.count && same; ++k) same = next.words[k] == own.words[k];
  if (!same && next.count <= own.count) stack_write(&next, p.layers, words, tops, cells[entry]);
}
SCREE_KERNEL_6(cave_tidy, Caves, p, GLOBAL const uint*, loose, GLOBAL const int*, cells,
               GLOBAL uint*, words, GLOBAL LayerTop*, tops, GLOBAL uint*, needed)

// ---- pairs ------------------------------------------------------------------------------------

// What runs from one gap to another beside it; less than 0: the other way.
FN int gap_gives(CaveGap a, CaveGap b) {
  if (!gaps_meet(a, b)) return 0;
  const int back = gap_level(b) > gap_level(a);
  const CaveGap from = back ? b : a, to = back ? a : b;
  const int difference = gap_level(from) - gap_level(to);
  const int wanted = gap_is_sky(a) || gap_is_sky(b) ? cave_moves(difference) : difference / 2;
  const int amount = imin(imin(wanted, gap_level(from) - gap_sill(a, b)), to.high - gap_level(to));
  return back ? -imax(amount, 0) : imax(amount, 0);
}

FN void cave_pair_cell(int x, int y, Grid g, Caves p, GLOBAL const int* RESTRICT pairs,
                       GLOBAL uint* words, GLOBAL LayerTop* tops, GLOBAL int* water) {
  const int entry = cave_entry(p, x, y);
  if (entry < 0) return;
  const int a = pairs[2 * entry], b = pairs[2 * entry + 1];
  const int at_a = cave_water_index(g, a), at_b = cave_water_index(g, b);
  LayerStack first, second, first_after, second_after;
  CaveGap gaps_a[CAVE_GAPS], gaps_b[CAVE_GAPS];
  stack_read(&first, p.layers, words, a);
  stack_read(&second, p.layers, words, b);
  const int count_a = gaps_of(&first, p, water[at_a], gaps_a);
  const int count_b = gaps_of(&second, p, water[at_b], gaps_b);
  int moved = 0;
  for (int i = 0; i < count_a; ++i)
    for (int j = 0; j < count_b; ++j) {
      const int amount = gap_gives(gaps_a[i], gaps_b[j]);
      gaps_a[i].water -= amount;
      gaps_b[j].water += amount;
      moved |= amount;
    }
  if (!moved) return;
  stack_refilled(&first, p, gaps_a, &first_after);
  stack_refilled(&second, p, gaps_b, &second_after);
  // A column of LAYERS_MOST layers has no room for water beside its air: it stays as it is.
  if (imax(first_after.count, second_after.count) > LAYERS_MOST) return;
  stack_write(&first_after, p.layers, words, tops, a);
  stack_write(&second_after, p.layers, words, tops, b);
  water[at_a] = gaps_a[count_a - 1].water;
  water[at_b] = gaps_b[count_b - 1].water;
}
SCREE_KERNEL_6(cave_pair, Grid, g, Caves, p, GLOBAL const int*, pairs, GLOBAL uint*, words,
               GLOBAL LayerTop*, tops, GLOBAL int*, water)

// ---- bodies -----------------------------------------------------------------------------------

// Lists the gaps of a column; each that is wet and not full is a body of its own at first.
FN void cave_gaps_cell(int x, int y, Grid g, Caves p, GLOBAL const int* RESTRICT cells,
                       GLOBAL const uint* RESTRICT words, GLOBAL const int* RESTRICT water,
                       GLOBAL CaveGap* RESTRICT gaps, GLOBAL CaveBody* RESTRICT bodies) {
  const int entry = cave_entry(p, x, y);
  if (entry < 0) return;
  LayerStack own;
  CaveGap here[CAVE_GAPS];
  stack_read(&own, p.layers, words, cells[entry]);
  const int count = gaps_of(&own, p, water[cave_water_index(g, cells[entry])], here);
  for (int j = 0; j < CAVE_GAPS; ++j) {
    const int node = entry * CAVE_GAPS + j;
    CaveGap gap;
    gap.low = gap.high = gap.water = 0;
    if (j < count) gap = here[j];
    const int free = gap.water > 0 && !gap_is_full(gap);
    CaveBody body;
    body.high = free ? gap_level(gap) : -1;
    body.low = free ? gap_level(gap) : LAYER_SKY;
    body.high_at = body.low_at = free ? node : CAVE_NONE;
    gaps[node] = gap;
    bodies[node] = body;
  }
}
SCREE_KERNEL_7(cave_gaps, Grid, g, Caves, p, GLOBAL const int*, cells, GLOBAL const uint*, words,
               GLOBAL const int*, water, GLOBAL CaveGap*, gaps, GLOBAL CaveBody*, bodies)

// Of equal levels that of the lower number counts, so that no order matters.
FN CaveBody body_with(CaveBody a, CaveBody b) {
  if (b.high_at >= 0 && (b.high > a.high || (b.high == a.high && b.high_at < a.high_at))) {
    a.high = b.high;
    a.high_at = b.high_at;
  }
  if (b.low_at >= 0 && (b.low < a.low || (b.low == a.low && b.low_at < a.low_at))) {
    a.low = b.low;
    a.low_at = b.low_at;
  }
  return a;
}

// Run until nothing changes. `beside` has the four entries around each, or CAVE_NONE.
FN void cave_spread_cell(int x, int y, Caves p, GLOBAL const int* RESTRICT beside,
                         GLOBAL const CaveGap* RESTRICT gaps,
                         GLOBAL const CaveBody* RESTRICT before, GLOBAL CaveBody* RESTRICT after,
                         GLOBAL uint* changed) {
  const int entry = cave_entry(p, x, y);
  if (entry < 0) return;
  int news = 0;
  for (int j = 0; j < CAVE_GAPS; ++j) {
    const int node = entry * CAVE_GAPS + j;
    const CaveGap own = gaps[node];
    CaveBody body = before[node];
    if (own.water > 0)
      for (int side = 0; side < 4; ++side) {
        const int other = beside[entry * 4 + side];
        for (int k = 0; k < CAVE_GAPS && other >= 0; ++k) {
          const CaveGap there = gaps[other * CAVE_GAPS + k];
          if (there.water > 0 && gaps_join(own, there))
            body = body_with(body, before[other * CAVE_GAPS + k]);
          if (gap_is_sky(there)) break;
        }
      }
    news |= body.high_at != before[node].high_at || body.low_at != before[node].low_at;
    after[node] = body;
    if (gap_is_sky(own)) break;
  }
  if (news) or_into(changed, 1u);
}
SCREE_KERNEL_6(cave_spread, Caves, p, GLOBAL const int*, beside, GLOBAL const CaveGap*, gaps,
               GLOBAL const CaveBody*, before, GLOBAL CaveBody*, after, GLOBAL uint*, changed)

// What a surface may give or take at once. It gives what stands above the highest sill by which it
// is joined with others, and takes what there is room for; where no gallery is (nearly) full beside
// it, no more than makes it level with the surfaces beside it.
FN int cave_may_change(int node, int gives, GLOBAL const int* RESTRICT beside,
                       GLOBAL const CaveGap* RESTRICT gaps) {
  const CaveGap own = gaps[node];
  int sill = own.low, step = 1, pressed = 0;
  for (int side = 0; side < 4; ++side) {
    const int other = beside[node / CAVE_GAPS * 4 + side];
    for (int k = 0; k < CAVE_GAPS && other >= 0; ++k) {
      const CaveGap there = gaps[other * CAVE_GAPS + k];
      if (!gaps_join(own, there)) continue;
      sill = imax(sill, gap_sill(own, there));
      step =
          imax(step, gives ? gap_level(own) - gap_level(there) : gap_level(there) - gap_level(own));
      pressed |= gap_is_pressed(there);
    }
  }
  const int most = gives ? gap_level(own) - sill : own.high - gap_level(own);
  return pressed ? most : imin(most, step);
}

// The highest surface of a body feeds its lowest: both work out the same amount. Both are in gaps
// that have water and air before (cave_gaps_cell), or under the sky, where no layer is; so no
// column comes to have more layers than it had, and there is always room.
FN void cave_even_cell(int x, int y, Grid g, Caves p, GLOBAL const int* RESTRICT cells,
                       GLOBAL const int* RESTRICT beside, GLOBAL const CaveGap* RESTRICT gaps,
                       GLOBAL const CaveBody* RESTRICT bodies, GLOBAL uint* words,
                       GLOBAL LayerTop* tops, GLOBAL int* water) {
  const int entry = cave_entry(p, x, y);
  if (entry < 0) return;
  CaveGap here[CAVE_GAPS];
  int moved = 0, surface = 0;
  for (int j = 0; j < CAVE_GAPS; ++j) {
    const int node = entry * CAVE_GAPS + j;
    const CaveBody body = bodies[node];
    here[j] = gaps[node];
    if ((body.high_at == node || body.low_at == node) && body.high - body.low > 1) {
      const int amount = imin(cave_moves(body.high - body.low),
                              imin(cave_may_change(body.high_at, 1, beside, gaps),
                                   cave_may_change(body.low_at, 0, beside, gaps)));
      here[j].water += body.low_at == node ? amount : -amount;
      moved |= amount;
    }
    surface = here[j].water;
    if (gap_is_sky(here[j])) break;
  }
  if (!moved) return;
  LayerStack own, next;
  stack_read(&own, p.layers, words, cells[entry]);
  stack_refilled(&own, p, here, &next);
  stack_write(&next, p.layers, words, tops, cells[entry]);
  water[cave_water_index(g, cells[entry])] = surface;
}
SCREE_KERNEL_9(cave_even, Grid, g, Caves, p, GLOBAL const int*, cells, GLOBAL const int*, beside,
               GLOBAL const CaveGap*, gaps, GLOBAL const CaveBody*, bodies, GLOBAL uint*, words,
               GLOBAL LayerTop*, tops, GLOBAL int*, water)

#endif
