// Thermal erosion of layers on a CPU. A look over two rows of tops finds, many at once, the edges
// over which something slides. They are written down as a list, each once, and worked out side by
// side: the topmost layer of all givers, then, of those edges that want more, the layer below it.
// What is taken comes off a copy of the rows in cache; what arrives is added up by kind, and put
// onto a column when all its edges are known. Columns with a void in them or beside them, and the
// few with two layers of a kind upon each other, are left to slip_cell.
#ifndef SCREE_KERNEL_SLIP_CPU_H
#define SCREE_KERNEL_SLIP_CPU_H

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <cstring>
#include <memory>
#include <vector>

#include "kernel/slip.h"

namespace {

struct SlipArrays {
  const LayerMaterial* table;
  const uint* before;
  const LayerTop* tops;
  uint* after;
  LayerTop* tops_after;
  uint* needed;
};

constexpr int slip_panel = 2048;
constexpr int slip_part = 64;
constexpr int slip_lanes = 16;  // entries of a list are worked out so many at a time

// Of whole lanes of numbers, writes down those that are not negative; returns how many.
FN int list_found(const int* RESTRICT from, int lanes, int* RESTRICT to) {
  int count = 0;
  for (int i = 0; i < lanes; i += slip_lanes) {
#if defined(__AVX512F__)
    const __m512i some = _mm512_loadu_si512(from + i);
    const __mmask16 found = _mm512_cmpge_epi32_mask(some, _mm512_setzero_si512());
    if (found == 0) continue;
    _mm512_storeu_si512(to + count, _mm512_maskz_compress_epi32(found, some));
    count += __builtin_popcount(found);
#else
    for (int j = i; j < i + slip_lanes; ++j) {
      to[count] = from[j];
      count += from[j] >= 0 ? 1 : 0;
    }
#endif
  }
  return count;
}

// The entries of a row of lanes in a table of materials. Compilers take lookups apart, word by
// word; this table fits registers.
template <class Value>
FN void look_up(const Value* table, const int* material, Value* to) {
#if defined(__AVX512F__)
  const __m512i low = _mm512_loadu_si512(table), high = _mm512_loadu_si512(table + 16);
  _mm512_storeu_si512(to, _mm512_permutex2var_epi32(low, _mm512_loadu_si512(material), high));
#else
  for (int i = 0; i < slip_lanes; ++i) to[i] = table[material[i]];
#endif
}

// Edges over which something slides, from one side's column to the other's.
struct SlipList {
  enum Kind { place, single, layer, level, beneath, taken, hash, factor, stands, kinds };
  static constexpr int room = 4 * (slip_panel + 32) + slip_lanes;

  int* all(Kind kind) { return memory.data() + static_cast<std::ptrdiff_t>(kind) * room; }
  float* floats(Kind kind) { return reinterpret_cast<float*>(all(kind)); }

  // Appends, of whole lanes of edges between two rows of columns, those that are found: their
  // places are not negative.
  void append(const int* places, const float* across, const int* heights, const int* heights_beside,
              const int* about, const int* about_beside, int lanes) {
    for (int i = 0; i < lanes; i += slip_lanes) {
#if defined(__AVX512F__)
      const __m512i found = _mm512_loadu_si512(places + i);
      const __mmask16 some = _mm512_cmpge_epi32_mask(found, _mm512_setzero_si512());
      if (some == 0) continue;
      const __m512i here = _mm512_loadu_si512(heights + i);
      const __m512i there = _mm512_loadu_si512(heights_beside + i);
      const __mmask16 down = _mm512_cmpgt_epi32_mask(here, there);
      const auto put = [&](Kind kind, __m512i values) {
        _mm512_storeu_si512(all(kind) + count, _mm512_maskz_compress_epi32(some, values));
      };
      put(place, found);
      put(stands, _mm512_loadu_si512(across + i));
      put(level, _mm512_mask_blend_epi32(down, there, here));
      put(beneath, _mm512_mask_blend_epi32(down, here, there));
      put(layer, _mm512_mask_blend_epi32(down, _mm512_loadu_si512(about_beside + i),
                                         _mm512_loadu_si512(about + i)));
      count += __builtin_popcount(some);
#else
      for (int j = i; j < i + slip_lanes; ++j) {
        all(place)[count] = places[j];
        floats(stands)[count] = across[j];
        all(level)[count] = imax(heights[j], heights_beside[j]);
        all(beneath)[count] = imin(heights[j], heights_beside[j]);
        all(layer)[count] = heights[j] > heights_beside[j] ? about[j] : about_beside[j];
        count += places[j] >= 0 ? 1 : 0;
      }
#endif
    }
  }

  // Those that are not done, in their order.
  void keep(const int* RESTRICT done) {
    int kept = 0;
    for (int i = 0; i < count; i += slip_lanes) {
#if defined(__AVX512F__)
      const __mmask16 whole =
          static_cast<__mmask16>(count - i < slip_lanes ? (1U << (count - i)) - 1U : 0xffffU);
      const __m512i ends = _mm512_loadu_si512(done + i);
      const __mmask16 on = _mm512_mask_cmpeq_epi32_mask(whole, ends, _mm512_setzero_si512());
      for (int kind = 0; kind < kinds; ++kind) {
        int* of = all(static_cast<Kind>(kind));
        _mm512_storeu_si512(of + kept, _mm512_maskz_compress_epi32(on, _mm512_loadu_si512(of + i)));
      }
      kept += __builtin_popcount(on);
#else
      for (int j = i; j < imin(i + slip_lanes, count); ++j) {
        for (int kind = 0; kind < kinds; ++kind) {
          int* of = all(static_cast<Kind>(kind));
          of[kept] = of[j];
        }
        kept += done[j] == 0 ? 1 : 0;
      }
#endif
    }
    count = kept;
  }

  int count = 0;
  std::vector<int> memory = std::vector<int>(static_cast<std::size_t>(room) * kinds);
};

class SlipPanel {
 public:
  SlipPanel(const LayerGrid& grid, const Slip& slip, const SlipArrays& arrays)
      : g(grid),
        p(slip),
        a(arrays),
        pitch((imin(grid.width, slip_panel) + slip_part - 1) / slip_part * slip_part + 32),
        slab(pitch * rows),
        memory(room(kinds)) {
    for (int m = 0; m < LAYER_MATERIALS; ++m) {
      for (int axis = 0; axis < 3; ++axis) {
        drop[axis][m] = drop_over(2 * axis, a.table[m]);
        share[axis][m] = share_over(2 * axis, a.table[m]);
      }
      steepest[m] = a.table[m].steepest;
      arrives_as[m] = 0;
    }
    // The kinds of dust, by number.
    for (int m = 1; m < p.materials; ++m) {
      const int dust = static_cast<int>(a.table[m].dust);
      int i = 0;
      while (i < dusts && dust_of[i] < dust) ++i;
      if (i < dusts && dust_of[i] == dust) continue;
      for (int j = dusts++; j > i; --j) dust_of[j] = dust_of[j - 1];
      dust_of[i] = dust;
    }
    for (int m = 1; m < p.materials; ++m)
      while (dust_of[arrives_as[m]] != static_cast<int>(a.table[m].dust)) ++arrives_as[m];
    sums.reset(new int[room(dusts)]);
    words.reset(new uint[room(g.planes * 2)]);
  }

  void run(int xa, int xb, int ya, int yb) {
    first = xa;
    last = xb;
    load(ya - 1), load(ya);
    find_edges(ya - 1, false);
    slide(ya - 1);
    for (int y = ya; y < yb; ++y) {
      load(y + 1);
      find_edges(y, true);
      slide(y);
      settle(y);
    }
  }

 private:
  static constexpr int rows = 3, parts = slip_panel / slip_part;
  enum Kind { height, about, stands, odd, came, rise, own, rebuilds, kinds };

  // Three rolling rows of each, indexed by column. A place is a column in one of them; beyond
  // an edge of the world lies what lies at the edge, and no edge leads there.
  std::size_t room(int arrays) const {
    return static_cast<std::size_t>(slab) * static_cast<std::size_t>(arrays);
  }
  int place_of(int y) const { return (y + rows) % rows * pitch + 16 - first; }
  int* all(Kind kind) { return memory.data() + static_cast<std::ptrdiff_t>(kind) * slab; }
  int* row(Kind kind, int y) { return all(kind) + place_of(y); }
  float* steepest_of(int y) { return reinterpret_cast<float*>(row(stands, y)); }
  int* arrived(int dust, int y) {
    return sums.get() + static_cast<std::ptrdiff_t>(dust) * slab + place_of(y);
  }
  // Layer k of all places: as it was, and as it becomes.
  uint* was(int k) { return words.get() + static_cast<std::ptrdiff_t>(k) * slab; }
  uint* becomes(int k) { return was(g.planes + k); }
  // Of each part of a row: whether its words are here, and how many layers its highest column has.
  int& loaded(int y, int part) { return loaded_of[(y + rows) % rows * (parts + 2) + part + 1]; }
  int& layers(int y, int part) { return layers_of[(y + rows) % rows * (parts + 2) + part + 1]; }

  void load(int y) {
    for (int part = -1; part <= parts; ++part) loaded(y, part) = 0;
    int* RESTRICT h = row(height, y);
    int* RESTRICT v = row(about, y);
    float* RESTRICT s = steepest_of(y);
    const LayerTop* line = a.tops + static_cast<std::ptrdiff_t>(near_y(g, y)) * g.width;
    const float* steepest_by = steepest;
    const auto take = [&](int x, int column) __attribute__((always_inline)) {
      h[x] = line[column].height;
      v[x] = static_cast<int>(line[column].about);
      s[x] = steepest_by[top_material(line[column]) % LAYER_MATERIALS];
    };
    const int begin = first, end = last;
    SCREE_SIMD
    for (int x = begin; x < end; ++x) take(x, x);
    take(first - 1, near_x(g, first - 1)), take(last, near_x(g, last));
  }

  // The words of a part of a row, where something moves; the columns beside the panel are parts of
  // their own.
  void load_words(int y, int part) {
    if (loaded(y, part) != 0) return;
    loaded(y, part) = 1;
    const int from = near_y(g, y);
    const int xa = part < 0 ? first - 1 : imin(first + part * slip_part, last);
    const int xb = part < 0 ? first : part == parts ? last + 1 : imin(xa + slip_part, last);
    for (int dust = 0; dust < dusts; ++dust)
      std::memset(arrived(dust, y) + xa, 0, sizeof(int) * static_cast<std::size_t>(xb - xa));
    const int* v = row(about, y);
    int* RESTRICT twice = row(odd, y);
    int most = 0;
    for (int x = xa; x < xb; ++x) {
      most = imax(most, v[x] & 255);
      twice[x] = 0;
    }
    layers(y, part) = most;
    for (int k = 0; k < most; ++k) {
      const uint* plane = a.before + layer_index(g, near_x(g, xa), from, k) - xa;
      const uint* below = was(imax(k - 1, 0)) + place_of(y);
      uint* words_here = was(k) + place_of(y);
      uint* RESTRICT next = becomes(k) + place_of(y);
      const int upon = k == 0 ? 0 : 1;
      // Of the row that will be next; too many streams for the hardware to see.
      for (int x = xa; x < xb; x += 16) __builtin_prefetch(plane + x + g.width);
      SCREE_SIMD
      for (int x = xa; x < xb; ++x) {
        const uint word = plane[x], other = below[x] ^ word;
        words_here[x] = word;
        next[x] = word;
        twice[x] |= layer_material(other) == 0U && word != 0U ? upon : 0;
      }
    }
  }

  // The four kinds of edges of a row, to the east and to the next row; `along`: the first of them,
  // too.
  void find_edges(int y, bool along) {
    const int *h0 = row(height, y - 1), *h1 = row(height, y), *h2 = row(height, y + 1);
    const float *s1 = steepest_of(y), *s2 = steepest_of(y + 1);
    const int here = place_of(y), next = place_of(y + 1);
    int* RESTRICT east = found.data() + 16 - first;
    int* RESTRICT south = east + pitch;
    int* RESTRICT south_east = south + pitch;
    int* RESTRICT south_west = south_east + pitch;
    float* RESTRICT across_east = across_found.data() + 16 - first;
    float* RESTRICT across_south = across_east + pitch;
    float* RESTRICT across_south_east = across_south + pitch;
    float* RESTRICT across_south_west = across_south_east + pitch;
    const Slopes slopes = p.slopes;
    const auto edge = [&](int above, float across, float steepest_here, float steepest_there,
                          int place, int beside, int side) __attribute__((always_inline)) {
      const bool down = above > 0;
      const float slope = steepness(along_edge(slopes, side, above), across);
      const int from = down ? place * LAYER_SIDES + side : beside * LAYER_SIDES + (side ^ 1);
      const int slides = slope > (down ? steepest_here : steepest_there) ? from : -1;
      return above != 0 ? slides : -1;
    };
    const int begin = first - 1, end = last;
    SCREE_SIMD
    for (int x = begin; x < end; ++x) {
      const int middle = h1[x], e = h1[x + 1], s = h2[x], se = h2[x + 1];
      const float across_e = across_axis(slopes.across_x, lesser_of(s - middle, middle - h0[x]),
                                         lesser_of(se - e, e - h0[x + 1]));
      const float across_s = across_axis(slopes.across_y, lesser_of(e - middle, middle - h1[x - 1]),
                                         lesser_of(se - s, s - h2[x - 1]));
      const float across_se = across_diagonal(slopes, middle, se, e, s);
      const float across_sw = across_diagonal(slopes, e, s, middle, se);
      east[x] = edge(middle - e, across_e, s1[x], s1[x + 1], here + x, here + x + 1, 0);
      south[x] = edge(middle - s, across_s, s1[x], s2[x], here + x, next + x, 2);
      south_east[x] = edge(middle - se, across_se, s1[x], s2[x + 1], here + x, next + x + 1, 4);
      south_west[x] = edge(e - s, across_sw, s1[x + 1], s2[x], here + x + 1, next + x, 7);
      across_east[x] = across_e;
      across_south[x] = across_s;
      across_south_east[x] = across_se;
      across_south_west[x] = across_sw;
    }
    // Not those of the column before the first alone, nor those that lead out of the world.
    south[first - 1] = -1;
    if (first == 0 && !g.wrap_x) east[-1] = south_east[-1] = south_west[-1] = -1;
    if (last == g.width && !g.wrap_x)
      east[last - 1] = south_east[last - 1] = south_west[last - 1] = -1;
    list_edges(y, along ? 0 : 1, !g.wrap_y && (y < 0 || y + 1 == g.height) ? 1 : 4);
  }

  // Writes down the kinds of edges from one to another, and loads the columns at their ends.
  void list_edges(int y, int kind_from, int kind_to) {
    int* RESTRICT places = found.data() + 16 - first;
    const float* across = across_found.data() + 16 - first;
    for (int kind = kind_from; kind < kind_to; ++kind)
      for (int i = last; (i - first + 1) % slip_lanes != 0; ++i) places[kind * pitch + i] = -1;
    list.count = 0;
    const int *h1 = row(height, y), *h2 = row(height, y + 1);
    const int *v1 = row(about, y), *v2 = row(about, y + 1);
    // The columns of an edge that is found at x are x and x + 1.
    for (int x = first - 1; x < last; x += slip_part) {
      const int part = (x + 1 - first) / slip_part, before = list.count;
      const int lanes = imin((last - x + slip_lanes - 1) / slip_lanes * slip_lanes, slip_part);
      int none = -1;
      for (int kind = kind_from; kind < kind_to; ++kind) {
        const std::ptrdiff_t at = kind * pitch + x;
        const int from = kind == 3 ? x + 1 : x, to = kind % 2 == 0 ? x + 1 : x;
        list.append(places + at, across + at, h1 + from, (kind == 0 ? h1 : h2) + to, v1 + from,
                    (kind == 0 ? v1 : v2) + to, lanes);
        none &= places[at];
      }
      if (list.count == before) continue;
      for (const int of : {y, y + 1}) {
        if (none >= 0) load_words(of, part - 1);
        load_words(of, part);
        if (x + slip_part >= last) load_words(of, parts);
      }
    }
  }

  // Works through the list, a layer after the other.
  void slide(int y) {
    if (list.count == 0) return;
    for (int side = 0; side < LAYER_SIDES; ++side)
      steps[side] = side_x(side) + side_y(side) * (place_of(y + 1) - place_of(y));
    start_edges(y);
    while (list.count > 0) {
      take_layers();
      book();
      list.keep(done.data());
    }
  }

  // The list's last lanes are filled with the first entry, which nobody will look at.
  void start_edges(int y) {
    int* RESTRICT places = list.all(SlipList::place);
    int* RESTRICT single = list.all(SlipList::single);
    int* RESTRICT layer = list.all(SlipList::layer);
    const int *level = list.all(SlipList::level), *beneath = list.all(SlipList::beneath);
    int* RESTRICT taken = list.all(SlipList::taken);
    uint* RESTRICT hash = reinterpret_cast<uint*>(list.all(SlipList::hash));
    float* RESTRICT factor = list.floats(SlipList::factor);
    float* RESTRICT stand = list.floats(SlipList::stands);
    const int here = place_of(y), next = place_of(y + 1);
    const int row_here = near_y(g, y), row_next = near_y(g, y + 1), width = g.width;
    const Slip slip = p;
    const int begin = here + first - 16;  // of the row
    const uint length = static_cast<uint>(pitch);
    for (int i = list.count; i % slip_lanes != 0; ++i) places[i] = places[0];
    for (int i = 0; i < list.count; i += slip_lanes) {
      SCREE_SIMD
      for (int j = i; j < i + slip_lanes; ++j) {
        const int side = places[j] % LAYER_SIDES, place = places[j] / LAYER_SIDES;
        const bool is_here = static_cast<uint>(place - begin) < length;
        const int column = place - (is_here ? here : next);
        const int x = column + (column < 0 ? width : 0) - (column >= width ? width : 0);
        const SlipEdge e = edge_of(slip, x, is_here ? row_here : row_next, side);
        single[j] = e.single;
        hash[j] = e.hash;
        factor[j] = e.factor;
        layer[j] = (layer[j] & 255) - 1;
        stand[j] = standing_by(along_edge(slip.slopes, side, level[j] - beneath[j]), stand[j]);
        taken[j] = 0;
      }
    }
  }

  // What every edge takes from the next layer down, from where and to where it goes.
  void take_layers() {
    const int* places = list.all(SlipList::place);
    const int* single = list.all(SlipList::single);
    int* RESTRICT layer = list.all(SlipList::layer);
    int* RESTRICT level = list.all(SlipList::level);
    const int* beneath = list.all(SlipList::beneath);
    int* RESTRICT taken = list.all(SlipList::taken);
    const uint* hash = reinterpret_cast<const uint*>(list.all(SlipList::hash));
    const float* factor = list.floats(SlipList::factor);
    int* RESTRICT amount = amounts.data();
    int* RESTRICT source = sources.data();
    int* RESTRICT target = targets.data();
    int* RESTRICT ends = done.data();
    const float* stands_over = list.floats(SlipList::stands);
    const uint* all_words = words.get();
    const int plane = slab;
    for (int i = list.count; i % slip_lanes != 0; ++i) layer[i] = 0;
    for (int i = 0; i < list.count; i += slip_lanes) {
      alignas(64) uint word[slip_lanes];
      alignas(64) int material[slip_lanes], dust[slip_lanes], side[slip_lanes], step[slip_lanes];
      alignas(64) float drops[3][slip_lanes], shares[3][slip_lanes];
      SCREE_SIMD
      for (int n = 0; n < slip_lanes; ++n) {
        side[n] = places[i + n] % LAYER_SIDES;
        source[i + n] = layer[i + n] * plane + places[i + n] / LAYER_SIDES;
        word[n] = all_words[source[i + n]];
        material[n] = static_cast<int>(layer_material(word[n]));
      }
      look_up(steps, side, step);
      look_up(arrives_as, material, dust);
      for (int axis = 0; axis < 3; ++axis) {
        look_up(drop[axis], material, drops[axis]);
        look_up(share[axis], material, shares[axis]);
      }
      SCREE_SIMD
      for (int n = 0; n < slip_lanes; ++n) {
        const int j = i + n;
        SlipEdge e;
        e.side = side[n];
        e.single = single[j];
        e.hash = hash[j];
        e.factor = factor[j];
        e.stands = stands_over[j];
        e.room = LAYER_SKY;
        e.level = level[j];
        e.taken = taken[j];
        e.done = 0;
        const float drop_here = e.side >= 4 ? drops[2][n] : e.side < 2 ? drops[0][n] : drops[1][n];
        const float share_here = e.side >= 4  ? shares[2][n]
                                 : e.side < 2 ? shares[0][n]
                                              : shares[1][n];
        amount[j] = edge_takes_by(&e, word[n], beneath[j], drop_here, share_here);
        target[j] = dust[n] * plane + places[j] / LAYER_SIDES + step[n];
        taken[j] = e.taken;
        level[j] = e.level;
        ends[j] = e.done | (layer[j] == 0 ? 1 : 0);
        layer[j] = layer[j] - 1;
      }
    }
  }

  // What was taken leaves one column and comes to the other.
  void book() {
    const int *amount = amounts.data(), *source = sources.data(), *target = targets.data();
    uint* RESTRICT next = becomes(0);
    int* RESTRICT sum = sums.get();
    for (int i = 0; i < list.count; ++i) {
      next[source[i]] -= static_cast<uint>(amount[i]);
      sum[target[i]] += amount[i];
    }
  }

  void settle(int y) {
    for (int x = first; x < last; x += slip_part) {
      const int part = (x - first) / slip_part, end = imin(x + slip_part, last);
      if (loaded(y, part) != 0)
        add_up(y, layers(y, part), x, end);
      else
        std::memset(row(rebuilds, y) + x, 0, sizeof(int) * slip_part);
    }
    find_columns(y);
    for (int i = 0; i < rebuilt; ++i) rebuild(columns[static_cast<std::size_t>(i)], y);
    for (int x = first; x < last;) {
      const int part = (x - first) / slip_part;
      int end = imin(x + slip_part, last);
      if (loaded(y, part) != 0) {
        write(y, layers(y, part), x, end);
      } else {
        while (end < last && loaded(y, (end - first) / slip_part) == 0)
          end = imin(end + slip_part, last);
        copy(y, x, end);
      }
      x = end;
    }
    for (int i = 0; i < odds; ++i)
      slip_cell(odd_columns[static_cast<std::size_t>(i)], y, g, p, a.table, a.before, a.tops,
                a.after, a.tops_after, a.needed);
  }

  // Nothing has moved.
  void copy(int y, int xa, int xb) {
    const std::ptrdiff_t cell = static_cast<std::ptrdiff_t>(y) * g.width + xa;
    const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(g.width) * g.height;
    const auto count = static_cast<std::size_t>(xb - xa);
    int most = 0;
    for (std::ptrdiff_t i = cell; i < cell + xb - xa; ++i)
      most = imax(most, slip_layers(top_count(a.tops[i]), a.tops_after[i]));
    for (int k = 0; k < most; ++k)
      std::memcpy(a.after + cell + k * plane, a.before + cell + k * plane, count * sizeof(uint));
    std::memcpy(a.tops_after + cell, a.tops + cell, count * sizeof(LayerTop));
  }

  // What is left and what has come, of which kinds; columns that do not just grow at their top.
  void add_up(int y, int most, int xa, int xb) {
    const int *v = row(about, y), *h = row(height, y);
    int* RESTRICT up = row(rise, y);
    int* RESTRICT more = row(own, y);
    int* RESTRICT of_kinds = row(came, y);
    int* RESTRICT build = row(rebuilds, y);
    for (int x = xa; x < xb; ++x) up[x] = more[x] = of_kinds[x] = build[x] = 0;
    for (int dust = 0; dust < dusts; ++dust) {
      const int* comes = arrived(dust, y);
      const int material = dust_of[dust];
      SCREE_SIMD
      for (int x = xa; x < xb; ++x) {
        const int same = (v[x] >> 8 & 255) == material ? 1 : 0;
        up[x] += comes[x];
        more[x] = same != 0 ? comes[x] : more[x];
        of_kinds[x] |= comes[x] > 0 ? 1 << material : 0;
        build[x] |= comes[x] > 0 ? 1 - same : 0;
      }
    }
    for (int k = 0; k < most; ++k) {
      const uint* word = becomes(k) + place_of(y);
      SCREE_SIMD
      for (int x = xa; x < xb; ++x) {
        const int thickness = layer_thickness(word[x]);
        up[x] += thickness;
        const int grown = (v[x] & 255) - 1 == k ? thickness + more[x] : thickness;
        build[x] |= thickness == 0 && word[x] != 0U ? 2 : 0;
        build[x] |= grown > LAYER_THICKEST ? 1 : 0;
      }
    }
    SCREE_SIMD
    for (int x = xa; x < xb; ++x) {
      up[x] -= h[x];
      more[x] = build[x] != 0 ? 0 : more[x];
    }
  }

  void find_columns(int y) {
    const int *v0 = row(about, y - 1), *v1 = row(about, y), *v2 = row(about, y + 1);
    const int* twice = row(odd, y);
    const int* builds = row(rebuilds, y);
    int* RESTRICT build = found.data() + 16 - first;
    int* RESTRICT others = build + pitch;
    const int begin = first, end = last;
    SCREE_SIMD
    for (int x = begin; x < end; ++x) {
      const int around = v0[x - 1] | v0[x] | v0[x + 1] | v1[x - 1] | v1[x] | v1[x + 1] | v2[x - 1] |
                         v2[x] | v2[x + 1];
      const bool is_odd = ((around >> 16) | twice[x]) != 0;
      build[x] = builds[x] != 0 && !is_odd ? x : -1;
      others[x] = is_odd ? x : -1;
    }
    int lanes = last - first;
    for (; lanes % slip_lanes != 0; ++lanes) build[first + lanes] = others[first + lanes] = -1;
    rebuilt = list_found(build + first, lanes, columns.data());
    odds = list_found(others + first, lanes, odd_columns.data());
  }

  // Layers that are gone, and arrivals of other kinds than the top.
  void rebuild(int x, int y) {
    const int place = place_of(y) + x, part = (x - first) / slip_part;
    const LayerTop top{all(height)[place], static_cast<uint>(all(about)[place])};
    const int count = top_count(top);
    uint* word = becomes(0) + place;
    // All layers that the part has: the same number for all its columns is soon foreseen.
    int& most = layers(y, part);
    LayerStack next;
    for (int k = 0; k < most; ++k) next.words[k] = word[k * slab];
    next.count = count;
    if ((all(rebuilds)[place] & 2) != 0) {
      next.count = 0;
      for (int k = 0; k < count; ++k) {
        const uint left = next.words[k];
        slip_put(&next, layer_material(left), layer_thickness(left));
      }
      for (int k = next.count; k < count; ++k) next.words[k] = 0U;
    }
    int amount[LAYER_MATERIALS];
    const int* comes = sums.get() + place;
    for (int dust = 0; dust < dusts; ++dust) amount[dust_of[dust]] = comes[dust * slab];
    put_arrivals(&next, p, a.table, amount, static_cast<uint>(all(came)[place]));
    if (next.count > g.planes) {
      most_into(a.needed, static_cast<uint>(next.count));
      return;
    }
    for (; most < next.count; ++most)
      std::memset(becomes(most) + place_of(y) + first + part * slip_part, 0,
                  sizeof(uint) * slip_part);
    for (int k = 0; k < most; ++k) word[k * slab] = next.words[k];
    const uint material = next.count > 0 ? layer_material(next.words[next.count - 1]) : LAYER_VOID;
    all(about)[place] = static_cast<int>(top_changed(top, next.count, material, 0).about);
  }

  void write(int y, int most, int xa, int xb) {
    const std::ptrdiff_t cell = static_cast<std::ptrdiff_t>(y) * g.width;
    const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(g.width) * g.height;
    const int *h = row(height, y), *v = row(about, y), *up = row(rise, y), *more = row(own, y);
    LayerTop* RESTRICT tops = a.tops_after + cell;
    int stale = 0;
    for (int x = xa; x < xb; ++x) stale = imax(stale, static_cast<int>(tops[x].about & 255U));
    SCREE_SIMD
    for (int x = xa; x < xb; ++x) {
      tops[x].height = h[x] + up[x];
      tops[x].about = static_cast<uint>(v[x]);
    }
    for (int k = 0; k < most; ++k) {
      const uint* word = becomes(k) + place_of(y);
      uint* RESTRICT to = a.after + cell + k * plane;
      SCREE_SIMD
      for (int x = xa; x < xb; ++x)
        to[x] = word[x] + static_cast<uint>((v[x] & 255) - 1 == k ? more[x] : 0);
    }
    for (int k = most; k < stale; ++k)
      std::memset(a.after + cell + k * plane + xa, 0, sizeof(uint) * (xb - xa));
  }

  LayerGrid g;
  Slip p;
  SlipArrays a;
  int pitch, slab;
  int first = 0, last = 0;
  alignas(64) float drop[3][LAYER_MATERIALS], share[3][LAYER_MATERIALS];  // along x, y, a diagonal
  alignas(64) float steepest[LAYER_MATERIALS];
  int dusts = 0, dust_of[LAYER_MATERIALS];
  int arrives_as[LAYER_MATERIALS];  // which of the dusts
  int steps[LAYER_MATERIALS];       // to the place beside, by side
  int loaded_of[rows * (parts + 2)], layers_of[rows * (parts + 2)];
  std::vector<int> memory;
  std::unique_ptr<int[]> sums;
  std::unique_ptr<uint[]> words;
  std::vector<int> found = std::vector<int>(static_cast<std::size_t>(pitch) * 4);
  std::vector<float> across_found = std::vector<float>(static_cast<std::size_t>(pitch) * 4);
  SlipList list;
  std::vector<int> amounts = std::vector<int>(SlipList::room);
  std::vector<int> sources = std::vector<int>(SlipList::room);
  std::vector<int> targets = std::vector<int>(SlipList::room);
  std::vector<int> done = std::vector<int>(SlipList::room);
  std::vector<int> columns = std::vector<int>(pitch), odd_columns = std::vector<int>(pitch);
  int rebuilt = 0, odds = 0;
};

void slip_rows(const void* const* v, const Range& range) {
  const LayerGrid g = *static_cast<const LayerGrid*>(v[0]);
  const Slip p = *static_cast<const Slip*>(v[1]);
  SlipArrays a;
  int i = 2;
  const auto next = [&](auto& field) {
    field =
        static_cast<std::remove_reference_t<decltype(field)>>(*static_cast<void* const*>(v[i++]));
  };
  next(a.table), next(a.before), next(a.tops), next(a.after), next(a.tops_after), next(a.needed);
  SlipPanel panel(g, p, a);
  for (int x = range.x0; x < range.x1; x += slip_panel)
    panel.run(x, imin(x + slip_panel, range.x1), range.y0, range.y1);
}

}  // namespace

SCREE_REGISTER(slip, slip_rows)

#endif
