// Thermal erosion of layers on a CPU, a row after the other, 64 columns at a time. A look over two
// rows of tops finds the parts of a row in which something slides. There all edges take from the
// topmost layers side by side, and those that want more are written down and worked out as a list,
// layer by layer (slip_cpu_list.h). A column whose edges are all known adds up what has gone and
// what has come, by kind. Most only change at their top; the others are built up anew. Columns with
// a void in them or beside them, and the few with two layers of a kind upon each other, are left to
// slip_cell. Where nothing slides, layers are copied as they are.
#ifndef SCREE_KERNEL_SLIP_CPU_H
#define SCREE_KERNEL_SLIP_CPU_H

#include <cstdint>
#include <cstring>
#include <vector>

#include "kernel/slip_cpu_list.h"

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

// Edges of column x: to the column west of it; to the one south of it; from the western one to the
// southern one; and from column x to the one south-west of it. What goes over them counts from
// the first to the second.
enum SlipWay { way_along, way_down, way_down_east, way_down_west, slip_ways };
constexpr int slip_side(int way) { return way == way_down_west ? 7 : 2 * way; }
constexpr bool slip_is_west(int way) { return way != way_down; }  // has an end in the column west

class SlipPanel {
 public:
  SlipPanel(const LayerGrid& grid, const Slip& slip, const SlipArrays& arrays)
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
    const auto most = static_cast<std::size_t>(slab) *
                          static_cast<std::size_t>(rolling_kinds + dusts + g.planes) +
                      static_cast<std::size_t>(pitch) * static_cast<std::size_t>(row_kinds + dusts);
    if (memory.size() < most + line) memory.resize(most + line);
    start = memory.data() +
            (line - reinterpret_cast<std::uintptr_t>(memory.data()) / sizeof(int) % line) % line;
    list.make_room(slip_ways * pitch);
    for (std::vector<int>* of : {&amounts, &sources, &targets, &done})
      if (of->size() < static_cast<std::size_t>(list.room))
        of->resize(static_cast<std::size_t>(list.room));
  }

  void run(int xa, int xb, int ya, int yb) {
    first = xa;
    last = xb;
    // The edges between this panel and the next are worked out in both.
    end = last < g.width || g.wrap_x ? last + 1 : last;
    for (bool& moved : moved_of) moved = true;
    load(ya - 1), load(ya);
    slide(ya - 1, false);
    for (int y = ya; y < yb; ++y) {
      load(y + 1);
      slide(y, true);
      settle(y);
    }
  }

 private:
  static constexpr std::size_t line = 16;  // numbers in a line of cache
  static constexpr int rows = 3, parts = slip_panel / slip_part + 3;
  // Known when it is compiled: so are the ways from one array to the next, of which there are many.
  static constexpr int pitch = slip_panel + 96, slab = rows * pitch;

  // Three rolling rows of what a step knows of columns and of edges; beyond an edge of the world
  // lies what lies at the edge, and no edge leads there.
  enum Rolling {
    height,
    about,
    stands,
    word,    // the topmost layer
    second,  // the one below it
    chance,  // the column's hash
    dust,    // as which it arrives
    mixes,   // how thick the topmost layer may be for arrivals to reach the one below it
    odd,
    drop,  // along x, y, a diagonal
    share = drop + 3,
    moves = share + 3,  // over the four ways
    rolling_kinds = moves + slip_ways
  };
  // Of one row only.
  enum Row { moving, across, given = across + slip_ways, rise, own, joins, rebuilds, row_kinds };

  // A place is a column in one of the rolling rows.
  int place_of(int y) const { return (y + rows) % rows * pitch + 16 - first; }
  int* rolling(int kind) { return start + static_cast<std::ptrdiff_t>(kind) * slab; }
  int* row(int kind, int y) { return rolling(kind) + place_of(y); }
  float* floats(int kind, int y) { return reinterpret_cast<float*>(row(kind, y)); }
  // What came of a dust out of deeper layers, and what went of layer k.
  int* deep_sums(int of) { return rolling(rolling_kinds + of); }
  int* deep_less(int k) { return rolling(rolling_kinds + dusts + k); }
  int* one_row(int kind) {
    return rolling(rolling_kinds + dusts + g.planes) + static_cast<std::ptrdiff_t>(kind) * pitch +
           16 - first;
  }
  int* comes(int of) { return one_row(row_kinds + of); }

  // Of each part of a row: whether its words were looked at, whether its deeper layers move, how
  // many layers its highest and its lowest column have, which dusts it gives.
  struct Part {
    bool loaded, deep;
    int most, least;
    uint gives;
  };
  Part& part_of(int y, int part) { return parts_of[(y + rows) % rows][part + 1]; }
  int begin_of(int part) const { return part < 0 ? first - 1 : first + part * slip_part; }
  int end_of(int part) const {
    return part < 0 ? first : imin(first + part * slip_part + slip_part, end);
  }
  bool& moved(int y, int part) { return moved_of[(y + rows) % rows * parts + part]; }

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

  // ---- what is there ---------------------------------------------------------------------------

  void load(int y) {
    for (Part& part : parts_of[(y + rows) % rows]) part = {};
    int* RESTRICT h = row(height, y);
    int* RESTRICT v = row(about, y);
    float* RESTRICT s = floats(stands, y);
    const LayerTop* line = a.tops + static_cast<std::ptrdiff_t>(near_y(g, y)) * g.width;
    const float* steepest_by = steepest;
    const auto take = [&](int x, int column) __attribute__((always_inline)) {
      h[x] = line[column].height;
      v[x] = static_cast<int>(line[column].about);
      s[x] = steepest_by[top_material(line[column]) % LAYER_MATERIALS];
    };
    const int from = first, to = last;
    SCREE_SIMD
    for (int x = from; x < to; ++x) take(x, x);
    take(first - 1, near_x(g, first - 1)), take(last, near_x(g, last));
    int voids = v[first - 1] | v[last];
    for (int x = from; x < to; ++x) voids |= v[x];
    voids_of[(y + rows) % rows] = voids >> 16;
  }

  // The topmost words of a part of a row, where something moves, and what they are like; the column
  // before the panel is a part of its own.
  void load_words(int y, int of) {
    Part& part = part_of(y, of);
    if (part.loaded) return;
    part.loaded = true;
    // The column after the panel may be the one at its other side.
    const int xa = begin_of(of), xb = of < 0 ? end_of(of) : imin(end_of(of), last);
    part.most = 0, part.least = LAYERS_MOST;
    if (xa < xb) load_words(y, part, xa, xb);
    if (xb < end_of(of)) load_words(y, part, xb, end_of(of));
  }
  void load_words(int y, Part& part, int xa, int xb) {
    const int column = near_x(g, xa), from = near_y(g, y);
    const int* v = row(about, y);
    int most = part.most, least = part.least;
    for (int x = xa; x < xb; ++x) {
      most = imax(most, v[x] & 255);
      least = imin(least, v[x] & 255);
    }
    part.most = most, part.least = least;
    const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(g.width) * g.height;
    const uint* words = a.before + layer_index(g, column, from, 0) - xa;
    by_lanes(xa, xb, [&](int x, auto lanes) {
      const Lanes count = load_lanes(v + x, lanes) & 255;
      Lanes top = {}, below_top = {}, twice = {}, below = {};
      for (int k = 0; k < most; ++k) {
        // The row that will be next; too many streams for the hardware to see.
        __builtin_prefetch(words + k * plane + x + g.width);
        const Lanes here = load_lanes(words + k * plane + x, lanes);
        const Lanes unlike = (below ^ here) & static_cast<int>(0xff000000U);
        top = count - 1 == k ? here : top;
        below_top = count - 2 == k ? here : below_top;
        twice |= (unlike == 0) & (here != 0) & (below != 0);
        below = here;
      }
      store_lanes(row(word, y) + x, top, lanes);
      store_lanes(row(second, y) + x, below_top, lanes);
      store_lanes(row(odd, y) + x, twice, lanes);
    });
    int* RESTRICT hash = row(chance, y);
    const uint step_seed = p.step_seed;
    SCREE_SIMD
    for (int x = xa; x < xb; ++x)
      hash[x] = static_cast<int>(cell_hash(step_seed, column + x - xa, from));
    part.gives |= look_up_materials(y, xa, xb);
  }
  // Up to 15 columns too many, whose words are not theirs, or not yet.
  uint look_up_materials(int y, int xa, int xb) {
    uint gives = 0;
    for (int x = xa; x < xb; x += cpu_lanes) {
      alignas(64) int material[cpu_lanes];
      const int* top = row(word, y) + x;
      for (int n = 0; n < cpu_lanes; ++n)
        material[n] = static_cast<int>(layer_material(static_cast<uint>(top[n]))) % LAYER_MATERIALS;
      for (int axis = 0; axis < 3; ++axis) {
        look_up(drop_of[axis], material, floats(drop + axis, y) + x);
        look_up(share_of[axis], material, floats(share + axis, y) + x);
      }
      int* of = row(dust, y) + x;
      look_up(arrives_as, material, of);
      look_up(mixes_of, material, row(mixes, y) + x);
      for (int n = 0; n < cpu_lanes; ++n) gives |= 1U << of[n];
    }
    return gives;
  }

  // ---- what slides -----------------------------------------------------------------------------

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
    int* RESTRICT found = one_row(moving);
    float* RESTRICT across_along = reinterpret_cast<float*>(one_row(across));
    float* RESTRICT across_down = across_along + pitch;
    float* RESTRICT across_down_east = across_down + pitch;
    float* RESTRICT across_down_west = across_down_east + pitch;
    const Slopes slopes = p.slopes;
    const auto slides = [&](int way, int above, float squared, float steepest_here,
                            float steepest_there) __attribute__((always_inline)) {
      const float slope = steepness(along_edge(slopes, slip_side(way), above), squared);
      return above != 0 && slope > (above > 0 ? steepest_here : steepest_there) ? 1 << way : 0;
    };
    const bool meet = g.wrap_y || (y >= 0 && y + 1 < g.height);
    const int ways = (along ? 1 : 0) | (meet ? 14 : 0), from = first, to = end;
    SCREE_SIMD
    for (int x = from; x < to; ++x) {
      const int w = h1[x - 1], here = h1[x], sw = h2[x - 1], s = h2[x];
      const float along_too = across_axis(slopes.across_x, lesser_of(sw - w, w - h0[x - 1]),
                                          lesser_of(s - here, here - h0[x]));
      const float down_too = across_axis(slopes.across_y, lesser_of(h1[x + 1] - here, here - w),
                                         lesser_of(h2[x + 1] - s, s - sw));
      const float east_too = across_diagonal(slopes, w, s, here, sw);
      const float west_too = across_diagonal(slopes, here, sw, w, s);
      found[x] = ways & (slides(way_along, w - here, along_too, s1[x - 1], s1[x]) |
                         slides(way_down, here - s, down_too, s1[x], s2[x]) |
                         slides(way_down_east, w - s, east_too, s1[x - 1], s2[x]) |
                         slides(way_down_west, here - sw, west_too, s1[x], s2[x - 1]));
      across_along[x] = along_too;
      across_down[x] = down_too;
      across_down_east[x] = east_too;
      across_down_west[x] = west_too;
    }
    // Not those that lead out of the world, nor those of the column after the last alone.
    if (first == 0 && !g.wrap_x) found[first] &= 1 << way_down;
    if (end > last) found[last] &= ~(1 << way_down);
    for (int x = end; (x - first) % cpu_lanes != 0; ++x) found[x] = 0;
  }

  void slide_part(int y, int part) {
    const int xa = begin_of(part);
    const int lanes = (imin(end - xa, slip_part) + cpu_lanes - 1) / cpu_lanes * cpu_lanes;
    const int* found = one_row(moving);
    int some = 0;
    for (int x = xa; x < xa + lanes; ++x) some |= found[x];
    if (some == 0 && !moved(y, part)) return;
    moved(y, part) = some != 0;
    for (int of = y; of < y + (some > 1 << way_along ? 2 : 1) && some != 0; ++of) {
      load_words(of, part);
      if ((found[xa] & ~(1 << way_down)) != 0) load_words(of, part - 1);
    }
    take_tops<way_along>(y, part, some, lanes);
    take_tops<way_down>(y, part, some, lanes);
    take_tops<way_down_east>(y, part, some, lanes);
    take_tops<way_down_west>(y, part, some, lanes);
  }

  // What all edges of one way take from the topmost layers.
  template <int way>
  void take_tops(int y, int part, int some, int lanes) {
    const int xa = begin_of(part);
    int* RESTRICT amount = row(moves + way, y) + xa;
    if ((some >> way & 1) == 0) {
      std::memset(amount, 0, sizeof(int) * static_cast<std::size_t>(lanes));
      return;
    }
    constexpr int side = slip_side(way), axis = side < 2 ? 0 : side < 4 ? 1 : 2;
    const int from = place_of(y) + xa - (way == way_along || way == way_down_east ? 1 : 0);
    const int to = place_of(way == way_along ? y : y + 1) + xa - (way == way_down_west ? 1 : 0);
    const auto both = [&](int kind) {
      return std::pair<const int*, const int*>(rolling(kind) + from, rolling(kind) + to);
    };
    const auto both_floats = [&](int kind) {
      return std::pair(reinterpret_cast<const float*>(rolling(kind) + from),
                       reinterpret_cast<const float*>(rolling(kind) + to));
    };
    const auto [h1, h2] = both(height);
    const auto [v1, v2] = both(about);
    const auto [w1, w2] = both(word);
    const auto [c1, c2] = both(chance);
    const auto [d1, d2] = both_floats(drop + axis);
    const auto [s1, s2] = both_floats(share + axis);
    const float* square = reinterpret_cast<const float*>(one_row(across + way)) + xa;
    const int* found = one_row(moving) + xa;
    const Slip slip = p;
    SlipPart next;
    int *RESTRICT place = next.all(deep_place), *RESTRICT layer = next.all(deep_layer);
    int *RESTRICT level = next.all(deep_level), *RESTRICT taken = next.all(deep_taken);
    int *RESTRICT hash = next.all(deep_hash), *RESTRICT wants = next.wants;
    float *RESTRICT factor = next.floats(deep_factor), *RESTRICT stand = next.floats(deep_stands);
    SCREE_SIMD
    for (int i = 0; i < lanes; ++i) {
      const int above = h1[i] - h2[i];
      const bool falls = above > 0;
      const auto giver = [&](auto here, auto there) __attribute__((always_inline)) {
        return falls ? here : there;
      };
      const int fall = falls ? above : -above;
      SlipEdge e = edge_by(slip, static_cast<uint>(giver(c1[i], c2[i])), giver(side, side ^ 1));
      e.room = LAYER_SKY;
      edge_starts(&e, fall, standing_by(along_edge(slip.slopes, side, fall), square[i]));
      const float excess = edge_excess(&e, 0, giver(d1[i], d2[i]));
      const int thickness = layer_thickness(static_cast<uint>(giver(w1[i], w2[i])));
      const int takes = edge_takes_of(&e, thickness, excess, giver(s1[i], s2[i]));
      const int slides = (found[i] >> way & 1) != 0 && excess > 0.0F ? -1 : 0;
      const int count = giver(v1[i], v2[i]) & 255;
      amount[i] = giver(takes, -takes) & slides;
      wants[i] = (count > 1 ? 1 - e.done : 0) & slides;
      place[i] = giver((from + i) * LAYER_SIDES + side, (to + i) * LAYER_SIDES + (side ^ 1));
      layer[i] = (count - 2) | e.single << 8;
      level[i] = e.level;
      taken[i] = e.taken;
      hash[i] = static_cast<int>(e.hash);
      factor[i] = e.factor;
      stand[i] = e.stands;
    }
    const int before = list.count;
    list.append(next, lanes);
    if (list.count == before) return;
    for (int of = y; of < y + (way == way_along ? 1 : 2); ++of) {
      open_deeper(of, part);
      if (slip_is_west(way) && wants[0] != 0) open_deeper(of, part - 1);
    }
  }

  // Nothing has come from or gone out of deeper layers yet.
  void open_deeper(int y, int of) {
    Part& part = part_of(y, of);
    if (part.deep) return;
    part.deep = true;
    const int xa = place_of(y) + begin_of(of);
    const auto bytes = sizeof(int) * static_cast<std::size_t>(end_of(of) - begin_of(of));
    for (int i = 0; i < dusts; ++i) std::memset(deep_sums(i) + xa, 0, bytes);
    for (int k = 0; k + 1 < part.most; ++k) std::memset(deep_less(k) + xa, 0, bytes);
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
        const float drop_here = e.side >= 4 ? drops[2][n] : e.side < 2 ? drops[0][n] : drops[1][n];
        const float share_here = e.side >= 4  ? shares[2][n]
                                 : e.side < 2 ? shares[0][n]
                                              : shares[1][n];
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
    int *RESTRICT less = deep_less(0), *RESTRICT sums = deep_sums(0);
    for (int i = 0; i < list.count; ++i) {
      less[source[i]] += amount[i];
      sums[target[i]] += amount[i];
    }
  }

  // ---- what becomes of columns -----------------------------------------------------------------

  void settle(int y) {
    for (int x = first; x < last;) {
      const int part = (x - first) / slip_part;
      int xb = imin(x + slip_part, last);
      if (part_of(y, part).loaded) {
        settle_part(y, part, x, xb);
      } else {
        while (xb < last && !part_of(y, (xb - first) / slip_part).loaded)
          xb = imin(xb + slip_part, last);
        copy(y, x, xb);
      }
      x = xb;
    }
    if ((voids_of[0] | voids_of[1] | voids_of[2]) != 0) slip_beside_voids(y);
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

  void settle_part(int y, int part, int xa, int xb) {
    add_up(y, part_of(y, part), xa, xb);
    // All dusts that a column around may have given; out of deeper layers any may come.
    uint kinds = 0;
    for (int of = y - 1; of <= y + 1; ++of)
      for (int near = part - 1; near <= part + 1; ++near) kinds |= part_of(of, near).gives;
    if (part_of(y, part).deep) kinds = ~0U >> (LAYER_MATERIALS - dusts);
    for (uint rest = kinds; rest != 0; rest &= rest - 1)
      add_up_dust(y, part_of(y, part).deep, lowest_bit(rest), xa, xb);
    mix(y, xa, xb);
    write(y, part_of(y, part), xa, xb);

    const int *twice = row(odd, y), *builds = one_row(rebuilds);
    alignas(64) int marked[slip_part], columns[slip_part + cpu_lanes];
    for (int i = 0; i < slip_part; ++i)
      marked[i] = xa + i < xb && (builds[xa + i] | twice[xa + i]) != 0 ? xa + i : -1;
    const int count = list_found(marked, slip_part, columns);
    for (int i = 0; i < count; ++i) {
      if (twice[columns[i]] != 0)
        slip_cell(columns[i], y, g, p, a.table, a.before, a.tops, a.after, a.tops_after, a.needed);
      else
        rebuild(columns[i], y, kinds);
    }
  }

  // What goes over the edges of column x: to and from the eight beside it, which are at `places`.
  struct Around {
    Around(SlipPanel& panel, int y) {
      for (int way = 0; way < slip_ways; ++way) {
        here[way] = panel.row(moves + way, y);
        above[way] = panel.row(moves + way, y - 1);
      }
      for (int i = 0; i < 3; ++i) dusts[i] = panel.row(dust, y + i - 1);
    }
    // Calls take(amount that leaves, dust of the column beside): less than 0 what comes.
    template <class Take>
    [[gnu::always_inline]] void each(int x, Take take) const {
      take(here[way_along][x + 1], dusts[1][x + 1]);
      take(here[way_down][x], dusts[2][x]);
      take(here[way_down_east][x + 1], dusts[2][x + 1]);
      take(here[way_down_west][x], dusts[2][x - 1]);
      take(-here[way_along][x], dusts[1][x - 1]);
      take(-above[way_down][x], dusts[0][x]);
      take(-above[way_down_east][x], dusts[0][x - 1]);
      take(-above[way_down_west][x + 1], dusts[0][x + 1]);
    }
    const int *here[slip_ways], *above[slip_ways], *dusts[3];
  };

  // How a column's height changes; which columns lose a layer (2).
  void add_up(int y, const Part& part, int xa, int xb) {
    const Around around(*this, y);
    const int* top = row(word, y);
    int* RESTRICT gone = one_row(given);
    int* RESTRICT up = one_row(rise);
    int* RESTRICT more = one_row(own);
    int* RESTRICT more_below = one_row(joins);
    int* RESTRICT build = one_row(rebuilds);
    SCREE_SIMD
    for (int x = xa; x < xb; ++x) {
      int out = 0, all = 0;
      around.each(x, [&](int amount, int) {
        out += imax(amount, 0);
        all -= amount;
      });
      gone[x] = out;
      up[x] = all;
      more[x] = more_below[x] = 0;
      build[x] = out > 0 && out == layer_thickness(static_cast<uint>(top[x])) ? 2 : 0;
    }
    if (!part.deep) return;
    for (int i = 0; i < dusts; ++i) {
      const int* deep = deep_sums(i) + place_of(y);
      SCREE_SIMD
      for (int x = xa; x < xb; ++x) up[x] += deep[x];
    }
    for (int k = 0; k + 1 < part.most; ++k) {
      const int* less = deep_less(k) + place_of(y);
      const uint* words = a.before + layer_index(g, 0, y, k);
      SCREE_SIMD
      for (int x = xa; x < xb; ++x) {
        up[x] -= less[x];
        build[x] |= less[x] > 0 && less[x] == layer_thickness(words[x]) ? 2 : 0;
      }
    }
  }

  // What has come of one kind: that of the topmost layer, of the one below it, or of another, for
  // which the column is built anew (1).
  void add_up_dust(int y, bool is_deep, int of, int xa, int xb) {
    const Around around(*this, y);
    const int *top = row(word, y), *below_top = row(second, y);
    const int* deep = deep_sums(of) + place_of(y);
    int* RESTRICT sum = comes(of);
    int* RESTRICT more = one_row(own);
    int* RESTRICT more_below = one_row(joins);
    int* RESTRICT build = one_row(rebuilds);
    const uint material = static_cast<uint>(dust_of[of]);
    const int with_deep = is_deep ? -1 : 0;
    SCREE_SIMD
    for (int x = xa; x < xb; ++x) {
      int all = deep[x] & with_deep;
      around.each(x, [&](int amount, int kind) { all += kind == of ? imax(-amount, 0) : 0; });
      const bool as_top = layer_material(static_cast<uint>(top[x])) == material;
      const bool as_second = layer_material(static_cast<uint>(below_top[x])) == material;
      sum[x] = all;
      more[x] += as_top ? all : 0;
      more_below[x] += as_second ? all : 0;
      build[x] |= all > 0 && !as_top && !as_second ? 1 : 0;
    }
  }

  // What comes to the layer below the topmost must find its way, and neither may grow too thick; a
  // full stack has ways of its own.
  void mix(int y, int xa, int xb) {
    const int *v = row(about, y), *top = row(word, y), *below_top = row(second, y);
    const int *most = row(mixes, y), *gone = one_row(given);
    int* RESTRICT more = one_row(own);
    int* RESTRICT more_below = one_row(joins);
    int* RESTRICT build = one_row(rebuilds);
    SCREE_SIMD
    for (int x = xa; x < xb; ++x) {
      const int thickness = layer_thickness(static_cast<uint>(top[x])) - gone[x] + more[x];
      const int below = layer_thickness(static_cast<uint>(below_top[x])) + more_below[x];
      const bool full = (v[x] & 255) >= LAYERS_MOST;
      const bool reached = more_below[x] == 0 || (thickness <= most[x] && !full);
      const int anew =
          build[x] | (imax(thickness, below) > LAYER_THICKEST ? 1 : 0) | (reached ? 0 : 1);
      build[x] = anew;
      more[x] = anew != 0 ? 0 : more[x];
      more_below[x] = anew != 0 ? 0 : more_below[x];
    }
  }

  // As if all columns kept the layers that they have.
  void write(int y, const Part& part, int xa, int xb) {
    const std::ptrdiff_t cell = static_cast<std::ptrdiff_t>(y) * g.width;
    const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(g.width) * g.height;
    const int *h = row(height, y), *v = row(about, y), *up = one_row(rise);
    LayerTop* RESTRICT tops = a.tops_after + cell;
    int stale = 0;
    for (int x = xa; x < xb; ++x) stale = imax(stale, static_cast<int>(tops[x].about & 255U));
    SCREE_SIMD
    for (int x = xa; x < xb; ++x) {
      tops[x].height = h[x] + up[x];
      tops[x].about = static_cast<uint>(v[x]);
    }
    const int* less = deep_less(0) + place_of(y);
    by_lanes(xa, xb, [&](int x, auto lanes) {
      const Lanes count = load_lanes(v + x, lanes) & 255;
      const Lanes at_top =
          load_lanes(one_row(own) + x, lanes) - load_lanes(one_row(given) + x, lanes);
      const Lanes below_top = load_lanes(one_row(joins) + x, lanes);
      for (int k = 0; k < part.most; ++k) {
        Lanes here = load_lanes(a.before + cell + k * plane + x, lanes);
        if (part.deep && k + 1 < part.most) here -= load_lanes(less + k * slab + x, lanes);
        if (k + 2 >= part.least)
          here += (at_top & (count - 1 == k)) + (below_top & (count - 2 == k));
        store_lanes(a.after + cell + k * plane + x, here, lanes);
      }
    });
    for (int k = part.most; k < stale; ++k)
      std::memset(a.after + cell + k * plane + xa, 0,
                  sizeof(uint) * static_cast<std::size_t>(xb - xa));
  }

  // Layers that are gone, and arrivals of other kinds than the top.
  void rebuild(int x, int y, uint kinds) {
    const int place = place_of(y) + x, cell = y * g.width + x, plane = g.width * g.height;
    const LayerTop top{rolling(height)[place], static_cast<uint>(rolling(about)[place])};
    const int count = top_count(top);
    LayerStack next;
    for (int k = 0; k < count; ++k) next.words[k] = a.after[cell + k * plane];
    next.count = count;
    if ((one_row(rebuilds)[x] & 2) != 0) {
      next.count = 0;
      for (int k = 0; k < count; ++k) {
        const uint left = next.words[k];
        slip_put(&next, layer_material(left), layer_thickness(left));
      }
    }
    int amount[LAYER_MATERIALS];
    uint came = 0;
    for (uint rest = kinds; rest != 0; rest &= rest - 1) {
      const int of = lowest_bit(rest);
      amount[dust_of[of]] = comes(of)[x];
      came |= comes(of)[x] > 0 ? 1U << dust_of[of] : 0U;
    }
    put_arrivals(&next, p, a.table, amount, came);
    if (next.count > g.planes) {
      most_into(a.needed, static_cast<uint>(next.count));
      return;
    }
    const int layers = imax(next.count, count);
    for (int k = 0; k < layers; ++k)
      a.after[cell + k * plane] = k < next.count ? next.words[k] : 0U;
    const uint material = next.count > 0 ? layer_material(next.words[next.count - 1]) : LAYER_VOID;
    a.tops_after[cell] = top_changed(top, next.count, material, one_row(rise)[x]);
  }

  void slip_beside_voids(int y) {
    const int *v0 = row(about, y - 1), *v1 = row(about, y), *v2 = row(about, y + 1);
    for (int x = first; x < last; ++x) {
      const int around = v0[x - 1] | v0[x] | v0[x + 1] | v1[x - 1] | v1[x] | v1[x + 1] | v2[x - 1] |
                         v2[x] | v2[x + 1];
      if (around >> 16 != 0)
        slip_cell(x, y, g, p, a.table, a.before, a.tops, a.after, a.tops_after, a.needed);
    }
  }

  LayerGrid g;
  Slip p;
  SlipArrays a;
  int first = 0, last = 0, end = 0;  // of columns; of edges
  alignas(64) float drop_of[3][LAYER_MATERIALS], share_of[3][LAYER_MATERIALS];
  alignas(64) float steepest[LAYER_MATERIALS];
  int dusts = 0, dust_of[LAYER_MATERIALS];
  int arrives_as[LAYER_MATERIALS];  // which of the dusts
  int mixes_of[LAYER_MATERIALS];
  int steps[LAYER_MATERIALS];  // to the place beside, by side
  Part parts_of[rows][parts];
  bool moved_of[rows * parts];
  int voids_of[rows] = {};
  int* start;  // of memory, at a line of cache
  // Kept between steps.
  static inline thread_local std::vector<int> memory;
  static inline thread_local SlipList list;
  static inline thread_local std::vector<int> amounts, sources, targets, done;
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
  if (p.published) {
    for (int y = range.y0; y < range.y1; ++y)
      for (int x = range.x0; x < range.x1; ++x)
        slip_cell(x, y, g, p, a.table, a.before, a.tops, a.after, a.tops_after, a.needed);
    return;
  }
  SlipPanel panel(g, p, a);
  for (int x = range.x0; x < range.x1; x += slip_panel)
    panel.run(x, imin(x + slip_panel, range.x1), range.y0, range.y1);
}

}  // namespace

SCREE_REGISTER(slip, slip_rows)

#endif
