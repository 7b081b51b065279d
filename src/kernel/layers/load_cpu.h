// Water on layers on a CPU: before and after the flow step, a few columns at a time. Where a
// column needs more than to be dug into at its topmost layer, or to have its layers grow, the
// functions of load.h do it.
#ifndef SCREE_KERNEL_LOAD_CPU_H
#define SCREE_KERNEL_LOAD_CPU_H

#include "kernel/common/cpu_arguments.h"
#include "kernel/layers/cpu_lanes.h"
#include "kernel/layers/load.h"

namespace {

// The materials, a row for each thing that is asked.
struct LoadTables {
  explicit LoadTables(const LoadMaterial* table) {
    for (int m = 0; m < LAYER_MATERIALS; ++m) {
      erodibility[m] = table[m].erodibility;
      load[m] = static_cast<int>(table[m].load);
      loose[m] = table[m].loose != 0 ? -1 : 0;
      fluid[m] = table[m].fluid != 0 ? -1 : 0;
    }
  }
  alignas(64) float erodibility[LAYER_MATERIALS];
  alignas(64) int load[LAYER_MATERIALS], loose[LAYER_MATERIALS], fluid[LAYER_MATERIALS];
};

// The tops of as many columns as there are lanes.
struct LoadTops {
  explicit LoadTops(const LayerTop* tops) {
    const TopLanes all = load_tops(tops, AllLanes{});
    height = all.height;
    count = all.about & 255;
    material = (all.about >> 8) & (LAYER_MATERIALS - 1);
    most = greatest_lane(count);
  }
  Lanes height, count, material;
  int most;  // layers of any of them
};

// ---- before the flow step ----------------------------------------------------------------------

struct BedArrays {
  Grid g;
  Load s;
  const LoadMaterial* table;
  uint* words;
  LayerTop* tops;
  int *water, *bed;
  float* erodibility;
  int* floor_level;
};

// False where one of them is topped by water, which must be poured out first.
bool bed_of_lanes(const BedArrays& a, const LoadTables& tables, int x, int y) {
  const int cell = y * a.g.width + x, at = cell_index(a.g, x, y), cells = a.g.width * a.g.height;
  const LoadTops top(a.tops + cell);
  if (any_of(looked_up(tables.fluid, top.material))) return false;
  store_lanes(a.bed + at, top.height, AllLanes{});
  if (a.s.kinds == 0) return true;
  const FloatLanes best = looked_up(tables.erodibility, top.material);
  Lanes level = top.height, digs = best > 0.0F;
  for (int k = top.most - 1; k >= 0 && any_of(digs); --k) {
    const Lanes word = load_lanes(a.words + cell + k * cells, AllLanes{});
    const Lanes material = materials_of(word), there = top.count > k;
    const Lanes harder = looked_up(tables.erodibility, material) < best;
    digs &= ~there | ((material != static_cast<int>(LAYER_VOID)) & ~harder);
    level -= thicknesses_of(word) & there & digs;
  }
  store_lanes(a.floor_level + at, level, AllLanes{});
  std::memcpy(a.erodibility + at, &best, sizeof best);
  return true;
}

void bed_rows(const void* const* v, const Range& range) {
  BedArrays a;
  scree::device::take_arguments(v, a.g, a.s, a.table, a.words, a.tops, a.water, a.bed,
                                a.erodibility, a.floor_level);
  const LoadTables tables(a.table);
  for (int y = range.y0; y < range.y1; ++y)
    for (int x = range.x0; x < range.x1; x += cpu_lanes) {
      const int end = imin(x + cpu_lanes, range.x1);
      if (end - x == cpu_lanes && bed_of_lanes(a, tables, x, y)) continue;
      for (int each = x; each < end; ++each)
        load_bed_cell(each, y, a.g, a.s, a.table, a.words, a.tops, a.water, a.bed, a.erodibility,
                      a.floor_level);
    }
}

// ---- after it ----------------------------------------------------------------------------------

struct LandsArrays {
  Grid g;
  Load s;
  const LoadMaterial* table;
  uint* words;
  LayerTop* tops;
  int *bed, *sediment, *loads;
  uint* needed;
};

// Of each kind, what is laid down and what the water still holds.
template <int kinds>
struct LaidLanes {
  alignas(64) int laid[kinds][cpu_lanes], held[kinds][cpu_lanes];
};
template <int kinds>
void settle_lanes(const LandsArrays& a, int x, int y, const int* RESTRICT rise,
                  LaidLanes<kinds>& to) {
  const int cell = y * a.g.width + x, cells = a.g.width * a.g.height;
  const Grid g = a.g;
  Load s = a.s;
  s.kinds = kinds;
  const int *RESTRICT sediment = a.sediment + cell_index(g, x, y), *RESTRICT loads = a.loads + cell;
  SCREE_SIMD
  for (int n = 0; n < cpu_lanes; ++n) {
    int held[LOADS_MOST] = {}, laid[LOADS_MOST] = {};
    const int amount = imax(rise[n], 0);
    load_by_kind(n, cells, s, sediment[n] + amount, loads, held);
    load_settles(amount, s, held, laid, rounding(hash_of(g, s.step_seed, x + n, y), SCREE_DRAW_B));
    for (int kind = 0; kind < kinds; ++kind) {
      to.laid[kind][n] = laid[kind];
      to.held[kind][n] = held[kind];
    }
  }
}

// Columns with all their layers.
struct LoadStacks {
  LoadStacks(const uint* words, int stride, int layers) : most(layers) {
    for (int k = 0; k < most; ++k) before[k] = word[k] = load_lanes(words + k * stride, AllLanes{});
  }
  // Only those columns change that are done.
  void store(uint* words, int stride, const Lanes& done) const {
    for (int k = 0; k < most; ++k) {
      const Lanes changed = (word[k] ^ before[k]) & done;
      if (any_of(changed)) store_lanes(words + k * stride, before[k] ^ changed, AllLanes{});
    }
  }
  int most;
  Lanes word[LAYERS_MOST], before[LAYERS_MOST];
};

// Puts an amount onto the layers where load_place finds one for it; returns where it did.
Lanes lay_lanes(LoadStacks& stacks, const LoadTables& tables, const Load& s, const Lanes& count,
                int material, const Lanes& amount) {
  Lanes looks = amount > 0, placed = {}, depth = {};
  for (int k = stacks.most - 1; k >= 0 && any_of(looks); --k) {
    const Lanes there = count > k, thickness = thicknesses_of(stacks.word[k]);
    const Lanes of = materials_of(stacks.word[k]);
    looks &= ~there | (depth <= s.mixing);
    const Lanes fits = (of == material) & (thickness + amount <= LAYER_THICKEST) & looks & there;
    stacks.word[k] += amount & fits;
    placed |= fits;
    looks &= ~fits & (~there | looked_up(tables.loose, of));
    depth += thickness & there;
  }
  return placed;
}

// Those columns that are as high as the bed when it is done: where a layer more or less is needed,
// nothing is.
template <int kinds>
Lanes land_lanes(const LandsArrays& a, const LoadTables& tables, int x, int y) {
  const int cell = y * a.g.width + x, cells = a.g.width * a.g.height;
  const LoadTops top(a.tops + cell);
  alignas(64) int rises[cpu_lanes], heights[cpu_lanes];
  const Lanes rise = load_lanes(a.bed + cell_index(a.g, x, y), AllLanes{}) - top.height;
  if (!any_of(rise)) return rise == 0;
  store_lanes(rises, rise, AllLanes{});

  LoadStacks stacks(a.words + cell, cells, top.most);
  Lanes topmost = {};
  for (int k = 0; k < top.most; ++k) topmost = top.count - 1 == k ? stacks.word[k] : topmost;
  const Lanes dug = (rise < 0) & (-rise < thicknesses_of(topmost));
  for (int k = 0; k < top.most; ++k) stacks.word[k] += rise & dug & (top.count - 1 == k);

  Lanes laid = (rise > 0) & (top.count < LAYERS_MOST), risen = {};
  LaidLanes<kinds> of;
  if (any_of(laid)) {
    settle_lanes<kinds>(a, x, y, rises, of);
    for (int kind = 0; kind < kinds; ++kind) {
      const Lanes amount = load_lanes(of.laid[kind], AllLanes{}) & laid;
      const int material = static_cast<int>(a.s.material[kind]);
      laid &= lay_lanes(stacks, tables, a.s, top.count, material, amount) | (amount <= 0);
      risen += amount;
    }
  }
  stacks.store(a.words + cell, cells, dug | laid);
  const Lanes load = looked_up(tables.load, top.material);
  for (int kind = 0; kind + 1 < kinds; ++kind) {
    int* held = a.loads + cell + kind * cells;
    const Lanes was = load_lanes(held, AllLanes{});
    const Lanes now = any_of(laid) ? load_lanes(of.held[kind], AllLanes{}) : was;
    store_lanes(held, laid ? now : was - (rise & dug & (load == kind)), AllLanes{});
  }
  store_lanes(heights, top.height + (rise & dug) + (risen & laid), AllLanes{});
  for (int n = 0; n < cpu_lanes; ++n) a.tops[cell + n].height = heights[n];
  return dug | laid | (rise == 0);
}

void lands_rows(const void* const* v, const Range& range) {
  LandsArrays a;
  scree::device::take_arguments(v, a.g, a.s, a.table, a.words, a.tops, a.bed, a.sediment, a.loads,
                                a.needed);
  const LoadTables tables(a.table);
  // Of more kinds there are few terrains.
  const auto of_lanes = a.s.kinds == 1   ? land_lanes<1>
                        : a.s.kinds == 2 ? land_lanes<2>
                        : a.s.kinds == 3 ? land_lanes<3>
                        : a.s.kinds == 4 ? land_lanes<4>
                                         : nullptr;
  for (int y = range.y0; y < range.y1; ++y)
    for (int x = range.x0; x < range.x1; x += cpu_lanes) {
      const int end = imin(x + cpu_lanes, range.x1);
      Lanes done = {};
      if (end - x == cpu_lanes && of_lanes != nullptr) done = of_lanes(a, tables, x, y);
      if (!any_of(done == 0)) continue;
      for (int each = x; each < end; ++each)
        if (done[each - x] == 0)
          load_lands_cell(each, y, a.g, a.s, a.table, a.words, a.tops, a.bed, a.sediment, a.loads,
                          a.needed);
    }
}

}  // namespace

SCREE_REGISTER(load_bed, bed_rows)
SCREE_REGISTER(load_lands, lands_rows)

#endif
