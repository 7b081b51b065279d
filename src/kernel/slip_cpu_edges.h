// Which edges slide, and what goes over them: a part of thermal erosion of layers on a CPU
// (slip_cpu.h).
#ifndef SCREE_KERNEL_SLIP_CPU_EDGES_H
#define SCREE_KERNEL_SLIP_CPU_EDGES_H

#include <cstring>

#include "kernel/slip_cpu_rows.h"

namespace {

class SlipEdges : protected SlipRows {
 protected:
  SlipEdges(const LayerGrid& grid, const Slip& slip, const SlipArrays& arrays)
      : SlipRows(grid, slip, arrays) {
    list.make_room(slip_ways * pitch);
    for (std::vector<int>* of : {&amounts, &sources, &targets, &done})
      if (of->size() < static_cast<std::size_t>(list.room))
        of->resize(static_cast<std::size_t>(list.room));
  }

  // The edges of a row, to the next one and, with `along`, within it.
  void slide(int y, bool along) {
    find_edges(y, along);
    list.count = 0;
    for (int part = 0; begin_of(part) < end; ++part) slide_part(y, part);
    for (int way = 0; way < slip_ways; ++way)
      if (end == last) row(moves + way, y)[last] = 0;
    slide_deeper(y);
  }

  // In `moving`, a bit for each way over which something slides.
  void find_edges(int y, bool along) {
    const int *h0 = row(height, y - 1), *h1 = row(height, y), *h2 = row(height, y + 1);
    const float *s1 = floats(stands, y), *s2 = floats(stands, y + 1);
    int* RESTRICT found = row(moving, y);
    float* RESTRICT beside_along = floats(across, y);
    float* RESTRICT beside_down = beside_along + slab;
    float* RESTRICT beside_down_east = beside_down + slab;
    float* RESTRICT beside_down_west = beside_down_east + slab;
    const Slopes slopes = p.slopes;
    const auto slides = [&](int way, int above, float squared, float steepest_here,
                            float steepest_there) __attribute__((always_inline)) {
      const float slope = steepness(along_edge(slopes, SLIP_SIDE(way), above), squared);
      return above != 0 && slope > (above > 0 ? steepest_here : steepest_there) ? 1 << way : 0;
    };
    const bool meet = g.wrap_y || (y >= 0 && y + 1 < g.height);
    const int ways = (along ? 1 : 0) | (meet ? 14 : 0), from = first, to = end;
    SCREE_SIMD
    for (int x = from; x < to; ++x) {
      const int w = h1[x - 1], here = h1[x], sw = h2[x - 1], s = h2[x];
      const float along_too = across_along(slopes, h0[x - 1], w, sw, h0[x], here, s);
      const float down_too = across_down(slopes, w, here, h1[x + 1], sw, s, h2[x + 1]);
      const float east_too = across_down_east(slopes, w, here, sw, s);
      const float west_too = across_down_west(slopes, w, here, sw, s);
      found[x] = ways & (slides(way_along, w - here, along_too, s1[x - 1], s1[x]) |
                         slides(way_down, here - s, down_too, s1[x], s2[x]) |
                         slides(way_down_east, w - s, east_too, s1[x - 1], s2[x]) |
                         slides(way_down_west, here - sw, west_too, s1[x], s2[x - 1]));
      beside_along[x] = along_too;
      beside_down[x] = down_too;
      beside_down_east[x] = east_too;
      beside_down_west[x] = west_too;
    }
    no_edges_out(found, 1);
  }
  // Not those that lead out of the world, nor those of the column after the last alone. `once`: the
  // bits of the first way.
  void no_edges_out(int* found, int once) const {
    if (first == 0 && !g.wrap_x) found[first] &= once << way_down;
    if (end > last) found[last] &= ~(once << way_down);
    for (int x = end; x == end || (x - first) % cpu_lanes != 0; ++x) found[x] = 0;
  }

  void slide_part(int y, int part) {
    const int xa = begin_of(part);
    const int lanes = (imin(end - xa, slip_part) + cpu_lanes - 1) / cpu_lanes * cpu_lanes;
    const int* found = row(moving, y);
    int some = 0;
    for (int x = xa; x < xa + lanes; ++x) some |= found[x];
    if (some == 0 && !moved(y, part)) return;
    moved(y, part) = some != 0;
    for (int of = y; of < y + (some > 1 << way_along ? 2 : 1) && some != 0; ++of) {
      load_words(of, part);
      if ((found[xa] & ~(1 << way_down)) != 0) load_words(of, part - 1);
    }
    SlipPart next[slip_ways];
    take_tops<way_along>(y, part, some, lanes, next[way_along]);
    take_tops<way_down>(y, part, some, lanes, next[way_down]);
    take_tops<way_down_east>(y, part, some, lanes, next[way_down_east]);
    take_tops<way_down_west>(y, part, some, lanes, next[way_down_west]);
    for (int way = 0; way < slip_ways; ++way)
      if ((some >> way & 1) != 0) list_deeper(y, part, way, lanes, next[way]);
  }

  void list_deeper(int y, int part, int way, int lanes, SlipPart& next) {
    const int before = list.count;
    list.append(next, lanes);
    if (list.count == before) return;
    for (int of = y; of < y + (way == way_along ? 1 : 2); ++of) {
      open_deeper(of, part);
      if (slip_is_west(way) && next.wants[0] != 0) open_deeper(of, part - 1);
    }
  }

  // The columns at both ends of the edges of one way: where they are among the rows that are kept,
  // and what is known of them.
  struct EdgeEnds {
    int from, to;
    const int *h1, *h2, *v1, *v2, *w1, *w2, *c1, *c2;
  };
  template <int way>
  EdgeEnds ends_of(int y, int xa) {
    const int from = place_of(y) + xa - (way == way_along || way == way_down_east ? 1 : 0);
    const int to = place_of(way == way_along ? y : y + 1) + xa - (way == way_down_west ? 1 : 0);
    return {from,
            to,
            rolling(height) + from,
            rolling(height) + to,
            rolling(about) + from,
            rolling(about) + to,
            rolling(word) + from,
            rolling(word) + to,
            rolling(chance) + from,
            rolling(chance) + to};
  }

  // The topmost layers of those that give, and what their materials do over such an edge.
  struct Givers {
    alignas(64) int words[cpu_lanes];
    alignas(64) float drops[cpu_lanes], shares[cpu_lanes];
  };
  [[gnu::always_inline]] void look_up_givers(const EdgeEnds& of, int axis, int j, Givers& givers) {
    const Lanes down = load_lanes(of.h1 + j, AllLanes{}) > load_lanes(of.h2 + j, AllLanes{});
    const Lanes top = down ? load_lanes(of.w1 + j, AllLanes{}) : load_lanes(of.w2 + j, AllLanes{});
    store_lanes(givers.words, top, AllLanes{});
    store_lanes(givers.drops, looked_up(drop_of[axis], materials_of(top)), AllLanes{});
    store_lanes(givers.shares, looked_up(share_of[axis], materials_of(top)), AllLanes{});
  }

  // What all edges of one way take from the topmost layers.
  template <int way>
  void take_tops(int y, int part, int some, int lanes, SlipPart& next) {
    const int xa = begin_of(part);
    int* RESTRICT amount = row(moves + way, y) + xa;
    if ((some >> way & 1) == 0) {
      std::memset(amount, 0, sizeof(int) * static_cast<std::size_t>(lanes));
      return;
    }
    constexpr int side = SLIP_SIDE(way), axis = OF_SIDE(side, 0, 1, 2);
    const EdgeEnds at = ends_of<way>(y, xa);
    const float* square = floats(across + way, y) + xa;
    const int* found = row(moving, y) + xa;
    const Slip slip = p;
    int *RESTRICT place = next.all(deep_place), *RESTRICT layer = next.all(deep_layer);
    int *RESTRICT level = next.all(deep_level), *RESTRICT taken = next.all(deep_taken);
    int *RESTRICT hash = next.all(deep_hash), *RESTRICT wants = next.wants;
    float *RESTRICT factor = next.floats(deep_factor), *RESTRICT stand = next.floats(deep_stands);
    for (int j = 0; j < lanes; j += cpu_lanes) {
      Givers givers;
      look_up_givers(at, axis, j, givers);
      SCREE_SIMD
      for (int n = 0; n < cpu_lanes; ++n) {
        const int i = j + n;
        const int above = at.h1[i] - at.h2[i];
        const bool falls = above > 0;
        const auto giver = [&](auto here, auto there) __attribute__((always_inline)) {
          return falls ? here : there;
        };
        const int fall = falls ? above : -above;
        SlipEdge e =
            edge_by(slip, static_cast<uint>(giver(at.c1[i], at.c2[i])), giver(side, side ^ 1));
        e.room = LAYER_SKY;
        edge_starts(&e, fall, standing_by(along_edge(slip.slopes, side, fall), square[i]));
        const float excess = edge_excess(&e, 0, givers.drops[n]);
        const int thickness = layer_thickness(static_cast<uint>(givers.words[n]));
        const int takes = edge_takes_of(&e, thickness, excess, givers.shares[n]);
        const int slides = (found[i] >> way & 1) != 0 && excess > 0.0F ? -1 : 0;
        const int count = giver(at.v1[i], at.v2[i]) & 255;
        amount[i] = giver(takes, -takes) & slides;
        wants[i] = (count > 1 ? 1 - e.done : 0) & slides;
        place[i] =
            giver((at.from + i) * LAYER_SIDES + side, (at.to + i) * LAYER_SIDES + (side ^ 1));
        layer[i] = (count - 2) | e.single << 8;
        level[i] = e.level;
        taken[i] = e.taken;
        hash[i] = static_cast<int>(e.hash);
        factor[i] = e.factor;
        stand[i] = e.stands;
      }
    }
  }

  // Nothing has come from or gone out of deeper layers yet.
  void open_deeper(int y, int of) {
    Part& part = part_of(y, of);
    if (part.deep) return;
    part.deep = true;
    const int xa = place_of(y) + begin_of(of);
    const auto bytes = sizeof(int) * static_cast<std::size_t>(end_of(of) - begin_of(of));
    for (int i = 0; i < dusts; ++i) std::memset(rolling(deep_sums + i) + xa, 0, bytes);
    for (int k = 0; k + 1 < part.most; ++k) std::memset(rolling(deep_less + k) + xa, 0, bytes);
  }

  // Works through the list, a layer after the other.
  void slide_deeper(int y) {
    if (list.count == 0) return;
    for (int side = 0; side < LAYER_SIDES; ++side)
      steps[side] = side_x(side) + side_y(side) * (place_of(y + 1) - place_of(y));
    locate(y);
    while (list.count > 0) {
      take_layers();
      book();
      list.keep(done.data());
    }
  }

  // Where the givers are in the world. The list's last lanes are filled with the first entry, which
  // nobody will look at.
  void locate(int y) {
    int* RESTRICT places = list.all(deep_place);
    int* RESTRICT cells = list.all(deep_cell);
    const int here = place_of(y), next = place_of(y + 1), begin = here + first - 16;
    const int row_here = near_y(g, y) * g.width, row_next = near_y(g, y + 1) * g.width;
    const int width = g.width;
    const uint length = static_cast<uint>(pitch);
    for (int i = list.count; i % cpu_lanes != 0; ++i) {
      places[i] = places[0];
      list.all(deep_layer)[i] = list.all(deep_layer)[0];
    }
    const int count = (list.count + cpu_lanes - 1) / cpu_lanes * cpu_lanes;
    SCREE_SIMD
    for (int i = 0; i < count; ++i) {
      const int place = places[i] / LAYER_SIDES;
      const bool is_here = static_cast<uint>(place - begin) < length;
      const int x = place - (is_here ? here : next);
      cells[i] =
          (is_here ? row_here : row_next) + x + (x < 0 ? width : 0) - (x >= width ? width : 0);
    }
  }

  // What every edge takes from the next layer down, from where and to where it goes.
  void take_layers() {
    const int *places = list.all(deep_place), *cells = list.all(deep_cell);
    int *RESTRICT layer = list.all(deep_layer), *RESTRICT level = list.all(deep_level);
    int* RESTRICT taken = list.all(deep_taken);
    const int* hash = list.all(deep_hash);
    const float *factor = list.floats(deep_factor), *stand = list.floats(deep_stands);
    int* RESTRICT amount = amounts.data();
    int* RESTRICT source = sources.data();
    int* RESTRICT target = targets.data();
    int* RESTRICT ends = done.data();
    const uint* words = a.before;
    const int stride = slab, plane = g.width * g.height;
    for (int i = 0; i < list.count; i += cpu_lanes) {
      alignas(64) uint here[cpu_lanes];
      alignas(64) int material[cpu_lanes], kind[cpu_lanes], side[cpu_lanes], step[cpu_lanes];
      alignas(64) float drops[3][cpu_lanes], shares[3][cpu_lanes];
      SCREE_SIMD
      for (int n = 0; n < cpu_lanes; ++n) {
        side[n] = places[i + n] % LAYER_SIDES;
        here[n] = words[cells[i + n] + (layer[i + n] & 255) * plane];
        material[n] = static_cast<int>(layer_material(here[n]));
      }
      look_up(steps, side, step);
      look_up(arrives_as, material, kind);
      for (int axis = 0; axis < 3; ++axis) {
        look_up(drop_of[axis], material, drops[axis]);
        look_up(share_of[axis], material, shares[axis]);
      }
      SCREE_SIMD
      for (int n = 0; n < cpu_lanes; ++n) {
        const int j = i + n, k = layer[j] & 255;
        SlipEdge e;
        e.side = side[n];
        e.single = layer[j] >> 8;
        e.hash = static_cast<uint>(hash[j]);
        e.factor = factor[j];
        e.stands = stand[j];
        e.room = LAYER_SKY;
        e.level = level[j];
        e.taken = taken[j];
        e.done = 0;
        const float drop_here = of_side(e.side, drops[0][n], drops[1][n], drops[2][n]);
        const float share_here = of_side(e.side, shares[0][n], shares[1][n], shares[2][n]);
        amount[j] = edge_takes_by(&e, here[n], 0, drop_here, share_here);
        source[j] = k * stride + places[j] / LAYER_SIDES;
        target[j] = kind[n] * stride + places[j] / LAYER_SIDES + step[n];
        taken[j] = e.taken;
        level[j] = e.level;
        ends[j] = e.done | (k == 0 ? 1 : 0);
        layer[j] = layer[j] - (k == 0 ? 0 : 1);
      }
    }
  }

  // What was taken leaves one column and comes to the other.
  void book() {
    const int *amount = amounts.data(), *source = sources.data(), *target = targets.data();
    int *RESTRICT less = rolling(deep_less), *RESTRICT sums = rolling(deep_sums);
    for (int i = 0; i < list.count; ++i) {
      less[source[i]] += amount[i];
      sums[target[i]] += amount[i];
    }
  }

  int steps[LAYER_MATERIALS];  // to the place beside, by side
  static inline thread_local SlipList list;
  static inline thread_local std::vector<int> amounts, sources, targets, done;
};

}  // namespace

#endif
