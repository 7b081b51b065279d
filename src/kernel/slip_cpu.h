// Thermal erosion of layers on a CPU, a row after the other, 64 columns at a time. A look over two
// rows of tops finds the parts of a row in which something slides. There all edges take from the
// topmost layers side by side, and those that want more are written down and worked out as a list,
// layer by layer (slip_cpu_edges.h, slip_cpu_list.h). A column whose edges are all known adds up
// what has gone and what has come, by kind. Most only change at their top; the others are built up
// anew. Columns with a void in them or beside them, and the few with two layers of a kind upon each
// other, are left to slip_cell. Where nothing slides, layers are copied as they are.
#ifndef SCREE_KERNEL_SLIP_CPU_H
#define SCREE_KERNEL_SLIP_CPU_H

#include <cstring>

#include "device/cpu/arguments.h"
#include "kernel/slip_cpu_edges.h"

namespace {

class SlipPanel : SlipEdges {
 public:
  SlipPanel(const LayerGrid& grid, const Slip& slip, const SlipArrays& arrays)
      : SlipEdges(grid, slip, arrays) {}

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
};

void slip_rows(const void* const* v, const Range& range) {
  LayerGrid g;
  Slip p;
  SlipArrays a;
  scree::device::take_arguments(v, g, p, a.table, a.before, a.tops, a.after, a.tops_after,
                                a.needed);
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
