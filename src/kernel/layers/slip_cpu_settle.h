// What a row of columns comes to when all its edges are known: a part of thermal erosion of layers
// on a CPU (slip_cpu.h).
#ifndef SCREE_KERNEL_SLIP_CPU_SETTLE_H
#define SCREE_KERNEL_SLIP_CPU_SETTLE_H

#include <cstring>

#include "kernel/layers/slip_cpu_edges.h"

namespace {

// What must be known of columns that are built anew.
struct SlipSettled {
  int marked;                                         // a bit for each of them
  uint kinds;                                         // of dust that may have come
  alignas(64) int rebuilds[cpu_lanes];                // 1: for what came; 2: a layer is gone
  alignas(64) int rise[cpu_lanes];                    // of its top
  alignas(64) int comes[LAYER_MATERIALS][cpu_lanes];  // by dust
};

class SlipSettle : protected SlipEdges {
 protected:
  using SlipEdges::SlipEdges;

  // Where the amounts of the eight edges are, and the dusts of the columns beside.
  struct Around {
    Around(SlipSettle& of, int y) {
      for (int i = 0; i < LAYER_SIDES; ++i) {
        const int side = slip_firsts[i];
        const SlipEnd e = slip_end(side);
        leaves[i] = of.row(moves + e.way, y + e.dy) + e.dx;
        kind[i] = of.row(dust, y + side_y(side)) + side_x(side);
      }
    }
    const int *leaves[LAYER_SIDES], *kind[LAYER_SIDES];
  };

  // Most layers are as they were when they were last written here, two steps ago: what is not
  // written again need not go back to memory.
  template <class Count>
  static void put_changed(uint* to, const Lanes& words, Count lanes) {
    if (any_of(load_lanes(to, lanes) != words)) store_lanes(to, words, lanes);
  }

  // Changes columns as if all kept the layers that they have, and marks those that do not.
  template <class Count>
  void settle_columns(int y, int of, const Around& around, Count lanes, SlipSettled& settled) {
    const Block& block = block_of(y, of);
    const int x = begin_of(of), at = place_of(y) + x;
    Change change = changes(around, x);
    Column column;
    column.top = load_lanes(rolling(word) + at, AllLanes{});
    column.second = load_lanes(rolling(second) + at, AllLanes{});
    column.about = load_lanes(rolling(about) + at, AllLanes{});
    change.anew = (change.gone > 0) & (change.gone == thicknesses_of(column.top)) & 2;
    uint kinds = kinds_around(y, of);
    if (block.deep) kinds |= add_up_deeper(at, change);
    settled.kinds = kinds;
    for (; (kinds & (kinds - 1)) != 0; kinds &= kinds - 1) {
      const int kind = lowest_bit(kinds);
      Lanes sum = {};
      if (block.deep) sum = load_lanes(rolling(deep_sums + kind) + at, AllLanes{});
      UNROLL for (int i = 0; i < LAYER_SIDES; ++i) sum +=
          load_lanes(around.kind[i] + x, AllLanes{}) == kind ? change.comes[i] : Lanes{};
      change.left -= sum;
      add_dust(kind, sum, column, change, settled);
    }
    // What is left is of the last.
    if (kinds != 0) add_dust(lowest_bit(kinds), change.left, column, change, settled);
    mix(column, change);
    write(y, block, x, at, lanes, column.about, change);
    const Lanes anew = (change.anew | load_lanes(rolling(odd) + at, AllLanes{})) != 0;
    settled.marked = any_of(anew) ? marks_of(anew, x) : 0;
    if (settled.marked == 0) return;
    store_lanes(settled.rebuilds, change.anew, AllLanes{});
    store_lanes(settled.rise, change.rise, AllLanes{});
  }

 private:
  // Of as many columns as there are lanes.
  struct Column {
    Lanes top, second, about;  // words, and what is known of the top
  };
  struct Change {
    Lanes comes[LAYER_SIDES];  // over each edge
    Lanes left;                // of all that comes, what is not yet looked at
    Lanes gone, rise;          // out of the topmost layer; of the top
    Lanes own, joins;          // what comes to the topmost layer, and to the one below it
    Lanes anew;                // 1: for what came; 2: a layer is gone
  };

  // A bit for each lane of the panel.
  int marks_of(const Lanes& lanes, int x) const {
    const Lanes numbers = lane_numbers();
    return bits_of_lanes(lanes & (numbers + x < last) & ((Lanes{} + 1) << numbers));
  }

  // All dusts that the topmost layers around may have given.
  uint kinds_around(int y, int block) {
    uint kinds = 0;
    for (int of = y - 1; of <= y + 1; ++of)
      for (int near = block - 1; near <= block + 1; ++near) kinds |= block_of(of, near).gives;
    return kinds;
  }

  // What comes over every edge, what goes, and how the height changes.
  [[gnu::always_inline]] static Change changes(const Around& around, int x) {
    Change change;
    change.left = change.rise = change.own = change.joins = Lanes{};
    UNROLL for (int i = 0; i < LAYER_SIDES; ++i) {
      const Lanes amount = load_lanes(around.leaves[i] + x, AllLanes{});
      const Lanes comes = i < 4 ? -amount : amount;
      change.comes[i] = greater_lanes(comes, Lanes{});
      change.left += change.comes[i];
      change.rise += comes;
    }
    change.gone = change.left - change.rise;
    return change;
  }

  // What has come out of deeper layers; returns the kinds of it.
  uint add_up_deeper(int at, Change& change) {
    uint kinds = 0;
    for (int i = 0; i < dusts; ++i) {
      const Lanes sum = load_lanes(rolling(deep_sums + i) + at, AllLanes{});
      change.rise += sum;
      change.left += sum;
      kinds |= static_cast<uint>(any_of(sum)) << i;
    }
    return kinds;
  }

  // What has come of one kind: that of the topmost layer, of the one below it, or of another, for
  // which the column is built anew (1).
  [[gnu::always_inline]] void add_dust(int kind, const Lanes& sum, const Column& column,
                                       Change& change, SlipSettled& settled) const {
    store_lanes(settled.comes[kind], sum, AllLanes{});
    const Lanes as_top = materials_of(column.top) == dust_of[kind];
    const Lanes as_second = materials_of(column.second) == dust_of[kind];
    change.own += as_top & sum;
    change.joins += as_second & sum;
    change.anew |= (sum > 0) & ~as_top & ~as_second & 1;
  }

  // What comes to the layer below the topmost must find its way, and neither may grow too thick; a
  // full stack has ways of its own.
  [[gnu::always_inline]] void mix(const Column& column, Change& change) const {
    const Lanes thickness = thicknesses_of(column.top) - change.gone + change.own;
    const Lanes below = thicknesses_of(column.second) + change.joins;
    const Lanes reached = (thickness <= looked_up(mixes_of, materials_of(column.top))) &
                          ((column.about & 255) < LAYERS_MOST);
    change.anew |= ((change.joins != 0) & ~reached & 1) |
                   ((greater_lanes(thickness, below) > LAYER_THICKEST) & 1);
  }

  // Layers from the bottom up: what goes of deeper ones is known before what comes to those that
  // lie on them.
  template <class Count>
  [[gnu::always_inline]] void write(int y, const Block& block, int x, int at, Count lanes,
                                    const Lanes& about_here, Change& change) {
    const std::ptrdiff_t cell = static_cast<std::ptrdiff_t>(y) * g.width + x;
    const Lanes count = about_here & 255;
    const int stale = greatest_lane(load_tops(a.tops_after + cell, lanes).about & 255);
    const int* less = rolling(deep_less) + at;
    const int most = block.most;
    const bool deep = block.deep;
    const uint* RESTRICT from = a.before + cell;
    uint* RESTRICT to = a.after + cell;
    constexpr int ahead = 160;  // columns
    const std::ptrdiff_t next = plane();
    for (int k = 0; k < most; ++k, from += next, to += next) {
      // What will be written soon; too many streams for the hardware to see.
      __builtin_prefetch(to + ahead, 1);
      Lanes here = load_lanes(from, lanes);
      if (deep && k + 1 < most) {
        const Lanes goes = load_lanes(less + k * slab, AllLanes{});
        here -= goes;
        change.rise -= goes;
        change.anew |= (goes > 0) & (thicknesses_of(here) == 0) & 2;
      }
      const Lanes stays = change.anew == 0;
      here -= count - 1 == k ? change.gone - (change.own & stays) : Lanes{};
      here += (count - 2 == k) & stays & change.joins;
      store_lanes(to, here, lanes);
    }
    for (int k = most; k < stale; ++k, to += next) store_lanes(to, Lanes{}, lanes);
    const Lanes level = load_lanes(rolling(height) + at, AllLanes{}) + change.rise;
    store_tops(a.tops_after + cell, TopLanes{level, about_here}, lanes);
    __builtin_prefetch(a.tops_after + cell + ahead, 1);
    __builtin_prefetch(a.tops_after + cell + ahead + 8, 1);
  }
};

}  // namespace

#endif
