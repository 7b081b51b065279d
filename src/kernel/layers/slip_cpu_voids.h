// Which surfaces below the tops slide, and into which voids: a part of thermal erosion of layers on
// a CPU (slip_cpu.h). Few do, and a column beside a void that is left out here is open ground like
// any other. The others are worked out one by one (slip.h), over the sides that are found here.
#ifndef SCREE_KERNEL_SLIP_CPU_VOIDS_H
#define SCREE_KERNEL_SLIP_CPU_VOIDS_H

#include <cstring>
#include <type_traits>

#include "kernel/layers/slip_cpu_settle.h"

namespace {

class SlipVoids : protected SlipSettle {
 protected:
  SlipVoids(const LayerGrid& grid, const Slip& slip, const SlipArrays& arrays)
      : SlipSettle(grid, slip, arrays) {
    for (int m = 0; m < LAYER_MATERIALS; ++m) {
      steepest_bits[m] = static_cast<int>(bits_of(steepest[m]));
      falls_of[m] = a.table[m].ceiling > 0.0F ? -1 : 0;
      any_falls = any_falls || (m > 0 && m < p.materials && falls_of[m] != 0);
    }
  }

  static constexpr int by_all_sides = 1 << 16;

  bool voids_near() const { return (voids_of[0] | voids_of[1] | voids_of[2]) != 0; }

  // As SlipEdges::slide, of what is under a roof or comes there.
  void slide_inside(int y, bool along) {
    Gaps& known = gaps_of[(y + rows) % rows];
    known.edges = voids_near();
    if (!known.edges) return;
    if (along) load_gaps(y - 1);
    load_gaps(y), load_gaps(y + 1);
    level_gaps(y, along);
    const bool meet = g.wrap_y || (y >= 0 && y + 1 < g.height);
    const int ways = (along ? 1 << way_along : 0) | (meet ? 14 : 0);
    int* found = row(inside, y);
    for (int x = first; x < end; x += cpu_lanes) {
      const Lanes some = any_of(near_voids(y, x)) ? inside_edges(y, x) : Lanes{};
      store_lanes(found + x, some & (ways | ways << slip_ways), AllLanes{});
    }
    no_edges_out(found, 1 << slip_ways | 1);
  }

  // In `alone`, the columns that are worked out one by one.
  void find_alone(int y) {
    for (int of = y - 1; of <= y; ++of) {
      Gaps& known = gaps_of[(of + rows) % rows];
      if (!known.edges) std::memset(row(inside, of) + first, 0, sizeof(int) * (slip_panel + 1));
      known.edges = true;
    }
    by_lanes(first, last, [&](int x, auto lanes) {
      const Lanes near = near_voids(y, x);
      Lanes found = {};
      if (any_of(near)) {
        if (!any_of(load_lanes(row(about, y) + x, lanes) >> 16)) look_at_layers(y, x, lanes);
        found = near & load_lanes(row(unsettled, y) + x, lanes);
        for (int side = 0; side < LAYER_SIDES; ++side) {
          const SlipEnd e = slip_end(side);
          const int both = (1 << slip_ways | 1) << e.way;
          found |= load_lanes(row(inside, y + e.dy) + x + e.dx, AllLanes{}) & both;
        }
      }
      store_lanes(row(alone, y) + x, found, lanes);
    });
  }

  void settle_alone(int y) {
    const int* found = row(alone, y);
    by_lanes(first, last, [&](int xa, auto lanes) {
      if (!any_of(load_lanes(found + xa, lanes))) return;
      for (int x = xa; x < imin(xa + cpu_lanes, last); ++x) {
        if (found[x] == 0) continue;
        const bool by_all = (found[x] & by_all_sides) != 0;
        const int sides = by_all ? slip_sides(x, y, g, p, a.table, a.tops) : sides_of(x, y);
        slip_moves(x, y, sides, g, p, a.table, a.before, a.tops, a.after, a.tops_after, a.needed);
      }
    });
  }

 private:
  // The sides over which something may move, as slip_sides has them.
  int sides_of(int x, int y) {
    int sides = 1 << SLIP_VOIDS;
    for (int side = 0; side < LAYER_SIDES; ++side) {
      const SlipEnd e = slip_end(side);
      const int inner = row(inside, y + e.dy)[x + e.dx] >> e.way;
      const int forth = inner & 1, back = inner >> slip_ways & 1;
      const bool outer = (row(moving, y + e.dy)[x + e.dx] >> e.way & 1) != 0;
      const int above = row(height, y)[x] - row(height, y + side_y(side))[x + side_x(side)];
      if ((e.is_first ? forth : back) != 0 || (outer && above > 0)) sides |= 1 << side;
      if ((e.is_first ? back : forth) != 0 || (outer && above < 0))
        sides |= 1 << (side + SLIP_GETS);
    }
    return sides;
  }

  Lanes near_voids(int y, int x) {
    Lanes all = {};
    for (int of = y - 1; of <= y + 1; ++of)
      for (int beside = -1; beside <= 1; ++beside)
        all |= load_lanes(row(about, of) + x + beside, AllLanes{});
    return all >> 16 != 0;
  }

  void load_gaps(int y) {
    Gaps& known = gaps_of[(y + rows) % rows];
    if (known.loaded) return;
    known.loaded = true;
    if (voids_of[(y + rows) % rows] == 0) return;
    const auto take = [&](int x, int column, auto lanes) {
      const Lanes tops = load_lanes(row(about, y) + x, lanes);
      if (any_of(tops >> 16)) write_gaps(y, x, column, greatest_lane(tops & 255), lanes);
    };
    by_lanes(first, last, [&](int x, auto lanes) { take(x, x, lanes); });
    take(first - 1, near_x(g, first - 1), 1), take(last, near_x(g, last), 1);
  }
  // Of columns with so many layers.
  template <class Count>
  void write_gaps(int y, int x, int column, int layers, Count lanes) {
    Lanes level = {}, number = {};
    Restless restless(load_lanes(row(about, y) + x, lanes));
    const uint* words = a.before + layer_index(g, column, near_y(g, y), 0);
    for (int k = 0; k < layers; ++k, words += plane()) {
      const Lanes here = load_lanes(words, lanes), above = level + thicknesses_of(here);
      const Lanes air = is_air(here);
      if (any_of(air)) {
        const Lanes stand = looked_up(steepest_bits, materials_of(restless.below));
        for (int n = 0; any_of(air & (number >= n)); ++n) {
          make_gaps(y, n + 1);
          const Lanes these = air & (number == n);
          put_lanes(row(gap_floor + n, y) + x, these, level, lanes);
          put_lanes(row(gap_ceiling + n, y) + x, these, above, lanes);
          put_lanes(row(gap_stands + n, y) + x, these, stand, lanes);
        }
        number -= air;
      }
      level = above;
      restless.see(*this, here);
    }
    store_lanes(row(unsettled, y) + x, restless.found(), lanes);
  }
  // Where a row has had fewer voids than so many, it has none there.
  void make_gaps(int y, int most) {
    Gaps& known = gaps_of[(y + rows) % rows];
    for (; known.most < most; ++known.most)
      for (const int kind : {gap_floor + known.most, gap_ceiling + known.most})
        std::memset(row(kind, y) + first - 1, -1, sizeof(int) * (slip_panel + 2));
  }
  template <class Count>
  static void put_lanes(int* to, const Lanes& where, const Lanes& values, Count lanes) {
    store_lanes(to, where ? values : load_lanes(to, lanes), lanes);
  }
  static Lanes is_air(const Lanes& words) {
    return (words != 0) & (words >> 24 == static_cast<int>(LAYER_VOID));
  }

  // As many voids as a column of three rows has, in all of them.
  void level_gaps(int y, bool along) {
    const int from = along ? y - 1 : y;
    listed = 0;
    for (int of = from; of <= y + 1; ++of) listed = imax(listed, gaps_of[(of + rows) % rows].most);
    for (int of = from; of <= y + 1; ++of) make_gaps(of, listed);
  }

  // Of columns, the floor of what is open at a height, or the next one above it (talus.h).
  Lanes floors_at(int place, const Lanes& level) {
    Lanes floor_level = load_lanes(rolling(height) + place, AllLanes{});
    for (int n = listed - 1; n >= 0; --n) {
      const Lanes ceiling = load_lanes(rolling(gap_ceiling + n) + place, AllLanes{});
      const Lanes floor = load_lanes(rolling(gap_floor + n) + place, AllLanes{});
      floor_level = ceiling > level ? floor : floor_level;
    }
    return floor_level;
  }
  // Where that is the floor of a void.
  Lanes roofed_at(int place, const Lanes& level) {
    Lanes all = {};
    for (int n = 0; n < listed; ++n)
      all |= load_lanes(rolling(gap_ceiling + n) + place, AllLanes{}) > level;
    return all;
  }

  // A bit for each way over which something slides from the first column to the second, and the
  // same, `slip_ways` further on, from the second to the first.
  Lanes inside_edges(int y, int x) {
    Lanes found = slides_from(y, x, height, stands, true);
    for (int n = 0; n < listed; ++n)
      found |= slides_from(y, x, gap_floor + n, gap_stands + n, false);
    return found;
  }
  // From one surface of each column. What slides from a top to open ground is found elsewhere.
  Lanes slides_from(int y, int x, int levels, int steepest_of, bool from_top) {
    const auto one = [&](auto way) {
      constexpr int w = decltype(way)::value;
      const Lanes forth = slides<w, false>(y, x, levels, steepest_of, from_top);
      const Lanes back = slides<w, true>(y, x, levels, steepest_of, from_top);
      return (forth & 1 << w) | (back & 1 << (w + slip_ways));
    };
    return one(std::integral_constant<int, way_along>()) |
           one(std::integral_constant<int, way_down>()) |
           one(std::integral_constant<int, way_down_east>()) |
           one(std::integral_constant<int, way_down_west>());
  }
  template <int way, bool back>
  Lanes slides(int y, int x, int levels, int steepest_of, bool from_top) {
    constexpr int x1 = way == way_along || way == way_down_east ? -1 : 0;
    constexpr int x2 = way == way_down_west ? -1 : 0, down = way == way_along ? 0 : 1;
    constexpr int from_x = back ? x2 : x1, to_x = back ? x1 : x2;
    const int from_row = place_of(back ? y + down : y) + x;
    const int to_row = place_of(back ? y : y + down) + x;
    const Lanes level = load_lanes(rolling(levels) + from_row + from_x, AllLanes{});
    Lanes may = Lanes{} - 1;
    if (from_top) may = roofed_at(to_row + to_x, level);
    if (from_top && !any_of(may)) return may;
    const Lanes floor_level = floors_at(to_row + to_x, level);
    may &= floor_level < level;
    if (!any_of(may)) return may;

    // The floors beside the edge, as across_floors takes them.
    Lanes beside[4];
    if constexpr (way == way_along || way == way_down) {
      const int on = way == way_down ? 1 : place_of(y + 1) - place_of(y);
      const int before = way == way_down ? 1 : place_of(y) - place_of(y - 1);
      beside[0] = floors_at(from_row + from_x + on, level);
      beside[1] = floors_at(from_row + from_x - before, level);
      beside[2] = floors_at(to_row + to_x + on, level);
      beside[3] = floors_at(to_row + to_x - before, level);
    } else {
      beside[0] = floors_at(from_row + to_x, level);
      beside[1] = floors_at(to_row + from_x, level);
    }
    return may & steeper<way>(level, floor_level, beside, rolling(steepest_of) + from_row + from_x);
  }
  template <int way>
  Lanes steeper(const Lanes& level, const Lanes& floor_level, const Lanes* beside,
                const int* steepest_of) {
    const Slopes slopes = p.slopes;
    const float* most = reinterpret_cast<const float*>(steepest_of);
    alignas(64) int from[cpu_lanes], to[cpu_lanes], around[4][cpu_lanes], found[cpu_lanes];
    store_lanes(from, level, AllLanes{}), store_lanes(to, floor_level, AllLanes{});
    constexpr bool is_axis = way == way_along || way == way_down;
    for (int i = 0; i < (is_axis ? 4 : 2); ++i) store_lanes(around[i], beside[i], AllLanes{});
    SCREE_SIMD
    for (int n = 0; n < cpu_lanes; ++n) {
      float squared;
      if constexpr (is_axis)
        squared = across_axis(way == way_along ? slopes.across_x : slopes.across_y,
                              lesser_of(around[0][n] - from[n], from[n] - around[1][n]),
                              lesser_of(around[2][n] - to[n], to[n] - around[3][n]));
      else
        squared = across_diagonal(slopes, from[n], to[n], around[0][n], around[1][n]);
      const float along = along_edge(slopes, SLIP_SIDE(way), from[n] - to[n]);
      found[n] = steepness(along, squared) > most[n] ? -1 : 0;
    }
    return load_lanes(found, AllLanes{});
  }

  // Columns that a step changes even where nothing slides: those of whose ceilings something may
  // fall, and, by all their sides, those with layers as no step leaves them.
  struct Restless {
    explicit Restless(const Lanes& tops) : odds(((tops & 255) != 0) & ((tops & 0xff00) == 0)) {}
    // Layers from the bottom up.
    void see(const SlipVoids& of, const Lanes& here) {
      const Lanes unlike = (below ^ here) & static_cast<int>(0xff000000U);
      odds |= (unlike == 0) & (here != 0) & (below != 0);
      if (of.any_falls) falls |= is_air(below) & looked_up(of.falls_of, materials_of(here));
      below = here;
    }
    Lanes found() const { return (odds & by_all_sides) | (falls & 1); }

    Lanes odds, falls = {}, below = {};
  };
  // In `unsettled`, of columns without voids by some that have them.
  template <class Count>
  void look_at_layers(int y, int x, Count lanes) {
    const Lanes tops = load_lanes(row(about, y) + x, lanes);
    const int layers = greatest_lane(tops & 255);
    Restless restless(tops);
    for (int k = 0; k < layers; ++k)
      restless.see(*this, load_lanes(a.before + layer_index(g, x, y, k), lanes));
    store_lanes(row(unsettled, y) + x, restless.found(), lanes);
  }

  alignas(64) int steepest_bits[LAYER_MATERIALS], falls_of[LAYER_MATERIALS];
  bool any_falls = false;
  int listed = 0;  // voids of a column, at most
};

}  // namespace

#endif
