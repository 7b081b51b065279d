// What thermal erosion of layers on a CPU (slip_cpu.h) knows of the columns of three rows, and of
// the edges between them: where it lies, and how it is read from the terrain.
#ifndef SCREE_KERNEL_SLIP_CPU_ROWS_H
#define SCREE_KERNEL_SLIP_CPU_ROWS_H

#include <cstdint>
#include <vector>

#include "kernel/layers/slip_cpu_list.h"
#include "kernel/layers/slip_ways.h"

namespace {

struct SlipArrays {
  const LayerMaterial* table;
  const uint* before;
  const LayerTop* tops;
  uint* after;
  LayerTop* tops_after;
  uint* needed;
};

constexpr int slip_panel = 1024;  // columns: as many as stay in cache, three rows of them

// Where the edge over a side is: in which row and column, which way, at which of its ends.
struct SlipEnd {
  int dy, dx, way;
  bool is_first;
};
constexpr SlipEnd slip_end(int side) {
  constexpr SlipEnd ends[LAYER_SIDES] = {
      {0, 1, way_along, true},       {0, 0, way_along, false},    {0, 0, way_down, true},
      {-1, 0, way_down, false},      {0, 1, way_down_east, true}, {-1, 0, way_down_east, false},
      {-1, 1, way_down_west, false}, {0, 0, way_down_west, true}};
  return ends[side];
}
// The sides, those first over which a column is the first of its edge.
constexpr int slip_firsts[LAYER_SIDES] = {0, 2, 4, 7, 1, 3, 5, 6};
constexpr bool slip_is_west(int way) { return way != way_down; }  // has an end in the column west

class SlipRows {
 protected:
  SlipRows(const LayerGrid& grid, const Slip& slip, const SlipArrays& arrays)
      : g(grid), p(slip), a(arrays) {
    for (int m = 0; m < LAYER_MATERIALS; ++m) {
      for (int axis = 0; axis < 3; ++axis) {
        drop_of[axis][m] = drop_over(2 * axis, a.table[m]);
        share_of[axis][m] = share_over(2 * axis, a.table[m]);
      }
      steepest[m] = a.table[m].steepest;
      mixes_of[m] = a.table[m].loose != 0 ? p.mixing : -1;
      arrives_as[m] = 0;
    }
    number_dusts();
    const std::size_t most = static_cast<std::size_t>(slab) * all_kinds;
    if (memory.size() < most + cache_line) memory.resize(most + cache_line);
    start = memory.data() + (cache_line - reinterpret_cast<std::uintptr_t>(memory.data()) /
                                              sizeof(int) % cache_line) %
                                cache_line;
  }

  static constexpr std::size_t cache_line = 16;  // numbers in a line of cache
  static constexpr int rows = 3, blocks = slip_panel / cpu_lanes + 3;
  // Known when it is compiled: so are the ways from one array to the next, of which there are many.
  static constexpr int pitch = slip_panel + 96, slab = rows * pitch;

  // Three rolling rows of what a step knows of columns and of edges; beyond an edge of the world
  // lies what lies at the edge, and no edge leads there. All are where they are in every step:
  // lanes past the end of a row, which count for nothing, hold what is like the rest.
  enum Rolling {
    height,
    about,
    stands,
    word,    // the topmost layer
    second,  // the one below it
    chance,  // the column's hash
    dust,    // as which it arrives
    odd,
    moving,     // over which of the four ways it slides
    inside,     // the same, of surfaces below the top
    unsettled,  // what changes even where nothing slides
    alone,
    moves,                                    // how much goes over each of the ways
    deep_sums = moves + slip_ways,            // what came of each dust out of deeper layers
    deep_less = deep_sums + LAYER_MATERIALS,  // what went of each layer but the topmost
    // The voids of a column, from the lowest: floor, ceiling, how steep that floor may be; less
    // than any height where there is none.
    gap_floor = deep_less + LAYERS_MOST,
    gap_ceiling = gap_floor + LAYERS_MOST,
    gap_stands = gap_ceiling + LAYERS_MOST,
    all_kinds = gap_stands + LAYERS_MOST
  };

  // A place is a column in one of the rolling rows.
  int place_of(int y) const { return (y + rows) % rows * pitch + 16 - first; }
  int* rolling(int kind) { return start + static_cast<std::ptrdiff_t>(kind) * slab; }
  int* row(int kind, int y) { return rolling(kind) + place_of(y); }
  float* floats(int kind, int y) { return reinterpret_cast<float*>(row(kind, y)); }
  std::ptrdiff_t plane() const { return static_cast<std::ptrdiff_t>(g.width) * g.height; }

  // Of as many columns as there are lanes: whether their words were looked at, whether their deeper
  // layers move, how many layers the highest of them has, which dusts they give.
  struct Block {
    bool loaded, deep;
    int most;
    uint gives;
  };
  // The column before the panel is a block of its own.
  Block& block_of(int y, int block) { return blocks_of[(y + rows) % rows][block + 1]; }
  int begin_of(int block) const { return block < 0 ? first - 1 : first + block * cpu_lanes; }
  int end_of(int block) const {
    return block < 0 ? first : imin(first + block * cpu_lanes + cpu_lanes, end);
  }
  // Of each row: whether its voids were looked at, and the edges from it; how many voids were
  // written down of every column.
  struct Gaps {
    bool loaded, edges;
    int most;
  };

  // The kinds of dust, by number.
  void number_dusts() {
    for (int m = 1; m < p.materials; ++m) {
      const int kind = static_cast<int>(a.table[m].dust);
      int i = 0;
      while (i < dusts && dust_of[i] < kind) ++i;
      if (i < dusts && dust_of[i] == kind) continue;
      for (int j = dusts++; j > i; --j) dust_of[j] = dust_of[j - 1];
      dust_of[i] = kind;
    }
    for (int m = 1; m < p.materials; ++m)
      while (dust_of[arrives_as[m]] != static_cast<int>(a.table[m].dust)) ++arrives_as[m];
  }

  void load(int y) {
    for (Block& block : blocks_of[(y + rows) % rows]) block = {};
    gaps_of[(y + rows) % rows] = {};
    const LayerTop* line = a.tops + static_cast<std::ptrdiff_t>(near_y(g, y)) * g.width;
    Lanes all = {};
    const auto take = [&](int x, int column, auto lanes) __attribute__((always_inline)) {
      const TopLanes tops = load_tops(line + column, lanes);
      const Lanes material = (tops.about >> 8) & (LAYER_MATERIALS - 1);
      const FloatLanes stand = looked_up(steepest, material);
      store_lanes(row(height, y) + x, tops.height, lanes);
      store_lanes(row(about, y) + x, tops.about, lanes);
      store_lanes(row(stands, y) + x, stand, lanes);
      all |= tops.about >> 16;
    };
    by_lanes(first, last, [&](int x, auto lanes) { take(x, x, lanes); });
    take(first - 1, near_x(g, first - 1), 1), take(last, near_x(g, last), 1);
    voids_of[(y + rows) % rows] = any_of(all);
  }

  // The topmost words of a block, where something moves, and what they are like.
  void load_words(int y, int of) {
    Block& block = block_of(y, of);
    block.loaded = true;
    // The column after the panel may be the one at its other side.
    const int xa = begin_of(of), xb = of < 0 ? first : imin(end_of(of), last);
    uint counts = 0;
    if (xb - xa == cpu_lanes)
      counts = load_words(y, block, xa, AllLanes{});
    else if (xa < xb)
      counts = load_words(y, block, xa, xb - xa);
    if (xb < end_of(of)) counts |= load_words(y, block, xb, end_of(of) - xb);
    block.most = 31 - __builtin_clz(counts);
  }
  // Returns a bit for each number of layers that a column has.
  template <class Count>
  uint load_words(int y, Block& block, int x, Count lanes) {
    const int column = near_x(g, x), from = near_y(g, y);
    const Lanes count = load_lanes(row(about, y) + x, lanes) & 255, one = Lanes{} + 1;
    const auto counts = static_cast<uint>(bits_of_lanes(one << count));
    const uint* words = a.before + layer_index(g, column, from, 0);
    Lanes top = {}, below_top = {}, twice = {}, below = {};
    for (int k = 0; counts >> (k + 1) != 0; ++k, words += plane()) {
      // The row that will be next; too many streams for the hardware to see.
      __builtin_prefetch(words + g.width);
      const Lanes here = load_lanes(words, lanes);
      const Lanes unlike = (below ^ here) & static_cast<int>(0xff000000U);
      top = count - 1 == k ? here : top;
      below_top = count - 2 == k ? here : below_top;
      twice |= (unlike == 0) & (here != 0) & (below != 0);
      below = here;
    }
    const Lanes as = looked_up(arrives_as, materials_of(top));
    store_lanes(row(word, y) + x, top, lanes);
    store_lanes(row(second, y) + x, below_top, lanes);
    store_lanes(row(odd, y) + x, twice, lanes);
    store_lanes(row(dust, y) + x, as, lanes);
    alignas(64) int hash[cpu_lanes];
    SCREE_SIMD
    for (int n = 0; n < cpu_lanes; ++n)
      hash[n] = static_cast<int>(cell_hash(p.step_seed, column + n, from));
    store_lanes(row(chance, y) + x, load_lanes(hash, AllLanes{}), lanes);
    block.gives |= static_cast<uint>(bits_of_lanes(one << as));
    return counts;
  }

  LayerGrid g;
  Slip p;
  SlipArrays a;
  int first = 0, last = 0, end = 0;  // of columns; of edges
  alignas(64) float drop_of[3][LAYER_MATERIALS], share_of[3][LAYER_MATERIALS];
  alignas(64) float steepest[LAYER_MATERIALS];
  int dusts = 0, dust_of[LAYER_MATERIALS];
  alignas(64) int arrives_as[LAYER_MATERIALS];  // which of the dusts
  // How thick a topmost layer may be for arrivals to reach the one below it.
  alignas(64) int mixes_of[LAYER_MATERIALS];
  Block blocks_of[rows][blocks];
  Gaps gaps_of[rows];
  bool moved_of[rows * blocks];
  int voids_of[rows] = {};
  int* start;  // of memory, at a line of cache
  // Kept between steps.
  static inline thread_local std::vector<int> memory;
};

}  // namespace

#endif
