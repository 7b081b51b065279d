// What a row of columns comes to when all its edges are known: a part of thermal erosion of layers
// on a CPU (slip_cpu.h).
#ifndef SCREE_KERNEL_SLIP_CPU_SETTLE_H
#define SCREE_KERNEL_SLIP_CPU_SETTLE_H

#include <cstring>

#include "kernel/slip_cpu_edges.h"

namespace {

// What must be known of the columns of a part that are built anew.
struct SlipSettled {
  uint kinds;                                         // of dust that may have come
  alignas(64) int marked[slip_part];                  // the column, or -1
  alignas(64) int rebuilds[slip_part];                // 1: for what came; 2: a layer is gone
  alignas(64) int rise[slip_part];                    // of its top
  alignas(64) int comes[LAYER_MATERIALS][slip_part];  // by dust
};

class SlipSettle : protected SlipEdges {
 protected:
  using SlipEdges::SlipEdges;

  // Changes columns as if all kept the layers that they have, and marks those that do not.
  void settle_columns(int y, int of, int xa, int xb, SlipSettled& settled) {
    const Part& part = part_of(y, of);
    settled.kinds = kinds_around(y, of);
    if (xb - xa < slip_part) std::memset(settled.marked, -1, sizeof settled.marked);
    int stale = 0;
    const Around around(*this, y);
    by_lanes(xa, xb, [&](int x, auto lanes) {
      const int at = x - xa;
      Change change = changes(y, around, x);
      if (part.deep) add_up_deeper(y, part, x, lanes, change);
      for (uint rest = settled.kinds; rest != 0; rest &= rest - 1)
        add_dust(y, part, lowest_bit(rest), x, change, settled.comes[lowest_bit(rest)] + at);
      mix(y, x, change);
      store_lanes(settled.rebuilds + at, change.anew, AllLanes{});
      store_lanes(settled.rise + at, change.rise, AllLanes{});
      const Lanes marked = (change.anew | load_lanes(row(odd, y) + x, AllLanes{})) != 0;
      const Lanes column = lane_numbers() + x;
      store_lanes(settled.marked + at, marked & (column < xb) ? column : Lanes{} - 1, AllLanes{});
      stale = imax(stale, write(y, part, x, lanes, change));
    });
    const std::ptrdiff_t cell = static_cast<std::ptrdiff_t>(y) * g.width + xa;
    for (int k = part.most; k < stale; ++k)
      std::memset(a.after + cell + k * plane(), 0,
                  sizeof(uint) * static_cast<std::size_t>(xb - xa));
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

  // All dusts that a column around may have given; out of deeper layers any may come.
  uint kinds_around(int y, int part) {
    if (part_of(y, part).deep) return ~0U >> (LAYER_MATERIALS - dusts);
    uint kinds = 0;
    for (int of = y - 1; of <= y + 1; ++of)
      for (int near = part - 1; near <= part + 1; ++near) kinds |= part_of(of, near).gives;
    return kinds;
  }

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
  void add_up_deeper(int y, const Part& part, int x, Count lanes, Change& change) {
    for (int i = 0; i < dusts; ++i)
      change.rise += load_lanes(row(deep_sums + i, y) + x, AllLanes{});
    for (int k = 0; k + 1 < part.most; ++k) {
      const Lanes less = load_lanes(row(deep_less + k, y) + x, AllLanes{});
      const Lanes here = load_lanes(a.before + layer_index(g, x, y, k), lanes);
      change.rise -= less;
      change.anew |= (less > 0) & (less == thicknesses_of(here)) & 2;
    }
  }

  // What has come of one kind: that of the topmost layer, of the one below it, or of another, for
  // which the column is built anew (1).
  void add_dust(int y, const Part& part, int of, int x, Change& change, int* comes) {
    Lanes sum = {};
    if (part.deep) sum = load_lanes(row(deep_sums + of, y) + x, AllLanes{});
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

  // Returns how many layers what is written over had.
  template <class Count>
  int write(int y, const Part& part, int x, Count lanes, const Change& change) {
    const std::ptrdiff_t cell = static_cast<std::ptrdiff_t>(y) * g.width + x;
    const Lanes about_here = load_lanes(row(about, y) + x, AllLanes{}), count = about_here & 255;
    const Lanes stale = load_tops(a.tops_after + cell, lanes).about & 255;
    const Lanes level = load_lanes(row(height, y) + x, AllLanes{}) + change.rise;
    store_tops(a.tops_after + cell, TopLanes{level, about_here}, lanes);
    const Lanes at_top = change.own - change.gone;
    const int* less = row(deep_less, y) + x;
    const int most = part.most, least = part.least;
    const bool deep = part.deep;
    const uint* RESTRICT from = a.before + cell;
    uint* RESTRICT to = a.after + cell;
    for (int k = 0; k < most; ++k, from += plane(), to += plane()) {
      // Where the next part will be written; too many streams for the hardware to see.
      __builtin_prefetch(to + slip_part, 1);
      Lanes here = load_lanes(from, lanes);
      if (deep && k + 1 < most) here -= load_lanes(less + k * slab, AllLanes{});
      if (k + 2 >= least) {
        here += count - 1 == k ? at_top : Lanes{};
        here += count - 2 == k ? change.joins : Lanes{};
      }
      store_lanes(to, here, lanes);
    }
    return greatest_lane(stale);
  }
};

}  // namespace

#endif
