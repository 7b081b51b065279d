// What a row of columns comes to when all its edges are known: a part of thermal erosion of layers
// on a CPU (slip_cpu.h).
#ifndef SCREE_KERNEL_SLIP_CPU_SETTLE_H
#define SCREE_KERNEL_SLIP_CPU_SETTLE_H

#include <cstring>

#include "kernel/slip_cpu_edges.h"

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

  // Changes columns as if all kept the layers that they have, and marks those that do not.
  template <class Count>
  void settle_columns(int y, int of, const Around& around, Count lanes, SlipSettled& settled) {
    const Block& block = block_of(y, of);
    const int x = begin_of(of);
    Change change = changes(y, around, x);
    if (block.deep) add_up_deeper(y, block, x, lanes, change);
    settled.kinds = kinds_around(y, of);
    for (uint rest = settled.kinds; rest != 0; rest &= rest - 1)
      add_dust(y, block, lowest_bit(rest), x, change, settled.comes[lowest_bit(rest)]);
    mix(y, x, change);
    write(y, block, x, lanes, change);
    const Lanes odds = load_lanes(row(odd, y) + x, AllLanes{});
    const Lanes anew = (change.anew | odds) != 0;
    settled.marked = any_of(anew) ? marks_of(anew, x) : 0;
    if (settled.marked == 0) return;
    store_lanes(settled.rebuilds, change.anew, AllLanes{});
    store_lanes(settled.rise, change.rise, AllLanes{});
  }

 private:
  // Of as many columns as there are lanes.
  struct Change {
    Lanes leaves[LAYER_SIDES];  // over each edge; less than 0: comes
    Lanes kind[LAYER_SIDES];    // the dust of the column beside
    Lanes gone, rise;           // out of the topmost layer; of the top
    Lanes own, joins;           // what comes to the topmost layer, and to the one below it
    Lanes anew;
  };

  // A bit for each lane of the panel.
  int marks_of(const Lanes& lanes, int x) const {
    const Lanes numbers = lane_numbers();
    return bits_of_lanes(lanes & (numbers + x < last) & ((Lanes{} + 1) << numbers));
  }

  // All dusts that a column around may have given; out of deeper layers any may come.
  uint kinds_around(int y, int block) {
    if (block_of(y, block).deep) return ~0U >> (LAYER_MATERIALS - dusts);
    uint kinds = 0;
    for (int of = y - 1; of <= y + 1; ++of)
      for (int near = block - 1; near <= block + 1; ++near) kinds |= block_of(of, near).gives;
    return kinds;
  }

  // How a column's height changes; which columns lose a layer (2).
  Change changes(int y, const Around& around, int x) {
    Change change;
    change.gone = change.rise = change.own = change.joins = Lanes{};
    for (int i = 0; i < LAYER_SIDES; ++i) {
      const Lanes amount = load_lanes(around.leaves[i] + x, AllLanes{});
      change.leaves[i] = i < 4 ? amount : -amount;
      change.kind[i] = load_lanes(around.kind[i] + x, AllLanes{});
      change.gone += greater_lanes(change.leaves[i], Lanes{});
      change.rise -= change.leaves[i];
    }
    const Lanes top = load_lanes(row(word, y) + x, AllLanes{});
    change.anew = (change.gone > 0) & (change.gone == thicknesses_of(top)) & 2;
    return change;
  }
  template <class Count>
  void add_up_deeper(int y, const Block& block, int x, Count lanes, Change& change) {
    for (int i = 0; i < dusts; ++i)
      change.rise += load_lanes(row(deep_sums + i, y) + x, AllLanes{});
    for (int k = 0; k + 1 < block.most; ++k) {
      const Lanes less = load_lanes(row(deep_less + k, y) + x, AllLanes{});
      const Lanes here = load_lanes(a.before + layer_index(g, x, y, k), lanes);
      change.rise -= less;
      change.anew |= (less > 0) & (less == thicknesses_of(here)) & 2;
    }
  }

  // What has come of one kind: that of the topmost layer, of the one below it, or of another, for
  // which the column is built anew (1).
  void add_dust(int y, const Block& block, int of, int x, Change& change, int* comes) {
    Lanes sum = {};
    if (block.deep) sum = load_lanes(row(deep_sums + of, y) + x, AllLanes{});
    for (int i = 0; i < LAYER_SIDES; ++i)
      sum = change.kind[i] == of ? sum - lesser_lanes(change.leaves[i], Lanes{}) : sum;
    store_lanes(comes, sum, AllLanes{});
    const Lanes as_top = materials_of(load_lanes(row(word, y) + x, AllLanes{})) == dust_of[of];
    const Lanes as_second = materials_of(load_lanes(row(second, y) + x, AllLanes{})) == dust_of[of];
    change.own += as_top & sum;
    change.joins += as_second & sum;
    change.anew |= (sum > 0) & ~as_top & ~as_second & 1;
  }

  // What comes to the layer below the topmost must find its way, and neither may grow too thick; a
  // full stack has ways of its own.
  void mix(int y, int x, Change& change) {
    const Lanes top = load_lanes(row(word, y) + x, AllLanes{});
    const Lanes thickness = thicknesses_of(top) - change.gone + change.own;
    const Lanes below = thicknesses_of(load_lanes(row(second, y) + x, AllLanes{})) + change.joins;
    const Lanes count = load_lanes(row(about, y) + x, AllLanes{}) & 255;
    const Lanes reached =
        (thickness <= looked_up(mixes_of, materials_of(top))) & (count < LAYERS_MOST);
    change.anew |= ((change.joins != 0) & ~reached & 1) |
                   ((greater_lanes(thickness, below) > LAYER_THICKEST) & 1);
    const Lanes stays = change.anew == 0;
    change.own &= stays;
    change.joins &= stays;
  }

  template <class Count>
  void write(int y, const Block& block, int x, Count lanes, const Change& change) {
    const std::ptrdiff_t cell = static_cast<std::ptrdiff_t>(y) * g.width + x;
    const Lanes about_here = load_lanes(row(about, y) + x, AllLanes{}), count = about_here & 255;
    const int stale = greatest_lane(load_tops(a.tops_after + cell, lanes).about & 255);
    const Lanes level = load_lanes(row(height, y) + x, AllLanes{}) + change.rise;
    store_tops(a.tops_after + cell, TopLanes{level, about_here}, lanes);
    __builtin_prefetch(a.tops_after + cell + ahead, 1);
    __builtin_prefetch(a.tops_after + cell + ahead + ahead / 8, 1);
    const Lanes at_top = change.own - change.gone;
    const int* less = row(deep_less, y) + x;
    const int most = block.most, least = block.least;
    const bool deep = block.deep;
    const uint* RESTRICT from = a.before + cell;
    uint* RESTRICT to = a.after + cell;
    for (int k = 0; k < most; ++k, from += plane(), to += plane()) {
      // What will be written soon; too many streams for the hardware to see.
      __builtin_prefetch(to + ahead, 1);
      Lanes here = load_lanes(from, lanes);
      if (deep && k + 1 < most) here -= load_lanes(less + k * slab, AllLanes{});
      if (k + 2 >= least) {
        here += count - 1 == k ? at_top : Lanes{};
        here += count - 2 == k ? change.joins : Lanes{};
      }
      store_lanes(to, here, lanes);
    }
    for (int k = most; k < stale; ++k, to += plane()) store_lanes(to, Lanes{}, lanes);
  }
  static constexpr int ahead = 64;  // columns
};

}  // namespace

#endif
