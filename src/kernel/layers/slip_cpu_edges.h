// Which edges slide, and what goes over them: a part of thermal erosion of layers on a CPU
// (slip_cpu.h).
#ifndef SCREE_KERNEL_SLIP_CPU_EDGES_H
#define SCREE_KERNEL_SLIP_CPU_EDGES_H

#include <cstring>

#include "kernel/layers/slip_cpu_rows.h"

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
    const bool meet = g.wrap_y || (y >= 0 && y + 1 < g.height);
    const int ways = (along ? 1 << way_along : 0) | (meet ? 14 : 0);
    const Places at{place_of(y - 1), place_of(y), place_of(y + 1)};
    bool* const moved = moved_of + (y + rows) % rows * blocks;
    list.count = 0;
    row(moving, y)[end] = 0;
    for (int block = 0, xa = first, xb = end; xa < xb; ++block, xa += cpu_lanes) {
      Squares squares;
      const int some = find_edges(at, xa, ways, squares);
      if (some == 0 && !moved[block]) continue;
      moved[block] = some != 0;
      load_ends(y, block, some);
      take_tops<way_along>(y, at, xa, block, some, squares);
      take_tops<way_down>(y, at, xa, block, some, squares);
      take_tops<way_down_east>(y, at, xa, block, some, squares);
      take_tops<way_down_west>(y, at, xa, block, some, squares);
    }
    for (int way = 0; way < slip_ways; ++way)
      if (end == last) row(moves + way, y)[last] = 0;
    slide_deeper(y);
  }

  // Of three rows. Known apart from the panel: compilers take every number that is written for one
  // that may be a panel's own, and would find out about these again and again.
  struct Places {
    int north, here, south;
  };
  // Of the slopes across the edges of a block.
  struct Squares {
    alignas(64) float across[slip_ways][cpu_lanes];
  };

  // In `moving`, a bit for each way over which something slides; returns all of them.
  [[gnu::always_inline]] int find_edges(const Places& at, int xa, int ways, Squares& squares) {
    const int* levels = rolling(height) + xa;
    const int *h0 = levels + at.north, *h1 = levels + at.here, *h2 = levels + at.south;
    const float* steep = reinterpret_cast<const float*>(rolling(stands)) + xa;
    const float *s1 = steep + at.here, *s2 = steep + at.south;
    int* all_found = rolling(moving) + at.here;
    alignas(64) int found[cpu_lanes];
    const Slopes slopes = p.slopes;
    const auto slides = [&](int way, int above, float squared, float steepest_here,
                            float steepest_there) __attribute__((always_inline)) {
      const float slope = steepness(along_edge(slopes, SLIP_SIDE(way), above), squared);
      return above != 0 && slope > (above > 0 ? steepest_here : steepest_there) ? 1 << way : 0;
    };
    SCREE_SIMD
    for (int x = 0; x < cpu_lanes; ++x) {
      const int w = h1[x - 1], here = h1[x], sw = h2[x - 1], s = h2[x];
      const float along_too = across_along(slopes, h0[x - 1], w, sw, h0[x], here, s);
      const float down_too = across_down(slopes, w, here, h1[x + 1], sw, s, h2[x + 1]);
      const float east_too = across_down_east(slopes, w, here, sw, s);
      const float west_too = across_down_west(slopes, w, here, sw, s);
      found[x] = ways & (slides(way_along, w - here, along_too, s1[x - 1], s1[x]) |
                         slides(way_down, here - s, down_too, s1[x], s2[x]) |
                         slides(way_down_east, w - s, east_too, s1[x - 1], s2[x]) |
                         slides(way_down_west, here - sw, west_too, s1[x], s2[x - 1]));
      squares.across[way_along][x] = along_too;
      squares.across[way_down][x] = down_too;
      squares.across[way_down_east][x] = east_too;
      squares.across[way_down_west][x] = west_too;
    }
    store_lanes(all_found + xa, load_lanes(found, AllLanes{}), AllLanes{});
    if (xa == first || xa + cpu_lanes > last) no_edges_out(all_found, 1);
    return bits_of_lanes(load_lanes(all_found + xa, AllLanes{}));
  }
  // Not those that lead out of the world, nor those of the column after the last alone. `once`: the
  // bits of the first way.
  void no_edges_out(int* found, int once) const {
    if (first == 0 && !g.wrap_x) found[first] &= once << way_down;
    if (end > last) found[last] &= ~(once << way_down);
    for (int x = end; x == end || (x - first) % cpu_lanes != 0; ++x) found[x] = 0;
  }

  // The words of the columns between which something slides.
  void load_ends(int y, int block, int some) {
    const int* found = row(moving, y) + begin_of(block);
    for (int of = y; of < y + (some > 1 << way_along ? 2 : 1) && some != 0; ++of) {
      if (!block_of(of, block).loaded) load_words(of, block);
      if (!block_of(of, block - 1).loaded && (found[0] & ~(1 << way_down)) != 0)
        load_words(of, block - 1);
    }
  }

  // Where the columns at both ends of the edges of one way are, among the rows that are kept.
  struct EdgeEnds {
    int from, to;
  };
  template <int way>
  static EdgeEnds ends_of(const Places& at, int xa) {
    return {at.here + xa - (way == way_along || way == way_down_east ? 1 : 0),
            (way == way_along ? at.here : at.south) + xa - (way == way_down_west ? 1 : 0)};
  }

  // What the edges of one way take from the topmost layers.
  template <int way>
  [[gnu::always_inline]] void take_tops(int y, const Places& places, int xa, int block, int some,
                                        const Squares& squares) {
    int* const amounts_here = rolling(moves + way) + places.here + xa;
    if ((some >> way & 1) == 0) {
      store_lanes(amounts_here, Lanes{}, AllLanes{});
      return;
    }
    constexpr int side = SLIP_SIDE(way), axis = OF_SIDE(side, 0, 1, 2);
    // All that is of the one that gives is chosen here: of choices within a loop, compilers make
    // several. Each has an array of its own, which they see through, as they do not with larger
    // ones.
    const EdgeEnds at = ends_of<way>(places, xa);
    const auto of = [&](int kind, int place) __attribute__((always_inline)) {
      return load_lanes(rolling(kind) + place, AllLanes{});
    };
    const Lanes above = of(height, at.from) - of(height, at.to), down = above > 0;
    const Lanes top = down ? of(word, at.from) : of(word, at.to), material = materials_of(top);
    alignas(64) int sides[cpu_lanes], falls[cpu_lanes], chances[cpu_lanes], thick[cpu_lanes];
    alignas(64) float drops[cpu_lanes], shares[cpu_lanes];
    store_lanes(sides, down ? Lanes{} + side : Lanes{} + (side ^ 1), AllLanes{});
    store_lanes(falls, down ? above : -above, AllLanes{});
    store_lanes(chances, down ? of(chance, at.from) : of(chance, at.to), AllLanes{});
    store_lanes(thick, thicknesses_of(top), AllLanes{});
    store_lanes(drops, looked_up(drop_of[axis], material), AllLanes{});
    store_lanes(shares, looked_up(share_of[axis], material), AllLanes{});
    const float* square = squares.across[way];
    const Slip slip = p;
    alignas(64) int ends[cpu_lanes], slides[cpu_lanes], singles[cpu_lanes], levels[cpu_lanes];
    alignas(64) int takes[cpu_lanes], hashes[cpu_lanes];
    alignas(64) float factors[cpu_lanes], stand[cpu_lanes];
    SCREE_SIMD
    for (int i = 0; i < cpu_lanes; ++i) {
      SlipEdge e = edge_by(slip, static_cast<uint>(chances[i]), sides[i]);
      const int fall = falls[i];
      e.room = LAYER_SKY;
      edge_starts(&e, fall, standing_by(along_edge(slip.slopes, side, fall), square[i]));
      const float excess = edge_excess(&e, 0, drops[i]);
      edge_takes_of(&e, thick[i], excess, shares[i]);
      slides[i] = excess > 0.0F ? -1 : 0;
      ends[i] = e.done;
      singles[i] = e.single;
      levels[i] = e.level;
      takes[i] = e.taken;
      hashes[i] = static_cast<int>(e.hash);
      factors[i] = e.factor;
      stand[i] = e.stands;
    }
    const auto lanes = [](const auto* values) { return load_lanes(values, AllLanes{}); };
    const Lanes found = (lanes(rolling(moving) + places.here + xa) & 1 << way) != 0;
    const Lanes slide = found & lanes(slides), taken = lanes(takes) & slide;
    store_lanes(amounts_here, down ? taken : -taken, AllLanes{});
    const Lanes wants = slide & (lanes(ends) == 0);
    if (!any_of(wants)) return;
    const Lanes place = (down ? Lanes{} + at.from : Lanes{} + at.to) + lane_numbers();
    const Lanes count = (down ? of(about, at.from) : of(about, at.to)) & 255;
    const Lanes on = wants & (count > 1);
    list.append(on, {place * LAYER_SIDES + lanes(sides), (count - 2) | lanes(singles) << 8,
                     lanes(levels), lanes(takes), lanes(hashes), lanes(factors), lanes(stand)});
    open_deeper<way>(y, block, on);
  }

  // Both columns of edges that want more.
  template <int way>
  void open_deeper(int y, int block, const Lanes& wants) {
    for (int of = y; of < y + (way == way_along ? 1 : 2); ++of) {
      if (!block_of(of, block).deep) open_deeper(of, block);
      if (slip_is_west(way) && !block_of(of, block - 1).deep && wants[0] != 0)
        open_deeper(of, block - 1);
    }
  }
  // Nothing has come from or gone out of deeper layers yet.
  void open_deeper(int y, int of) {
    Block& block = block_of(y, of);
    block.deep = true;
    const int xa = place_of(y) + begin_of(of), lanes = end_of(of) - begin_of(of);
    const auto clear = [&](int kind) {
      if (lanes == cpu_lanes)
        store_lanes(rolling(kind) + xa, Lanes{}, AllLanes{});
      else
        store_lanes(rolling(kind) + xa, Lanes{}, lanes);
    };
    for (int i = 0; i < dusts; ++i) clear(deep_sums + i);
    for (int k = 0; k + 1 < block.most; ++k) clear(deep_less + k);
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
    const int stride = slab, plane = g.width * g.height, count = list.count;
    for (int i = 0; i < count; i += cpu_lanes) {
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
    for (int i = 0, count = list.count; i < count; ++i) {
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
