// Thermal erosion of layers on a CPU, a row after the other, as many columns at a time as a
// register holds. A look over two rows of tops finds those between which something slides. There
// all edges take from the topmost layers side by side, and those that want more are written down
// and worked out as a list, layer by layer (slip_cpu_edges.h, slip_cpu_list.h). A column whose
// edges are all known adds up what has gone and what has come, by kind. Most only change at their
// top; the others are built up anew. Where there are voids, edges between floors are looked at in
// the same way (slip_cpu_voids.h); the columns at which one slides, and the few with two layers of
// a kind upon each other, are left to slip.h. Where nothing slides, layers are copied, if they are
// not there.
#ifndef SCREE_KERNEL_SLIP_CPU_H
#define SCREE_KERNEL_SLIP_CPU_H

#include <cstring>

#include "kernel/common/cpu_arguments.h"
#include "kernel/layers/slip_cpu_voids.h"

namespace {

class SlipPanel : SlipVoids {
 public:
  SlipPanel(const LayerGrid& grid, const Slip& slip, const SlipArrays& arrays)
      : SlipVoids(grid, slip, arrays) {}

  void run(int xa, int xb, int ya, int yb) {
    first = xa;
    last = xb;
    // The edges between this panel and the next are worked out in both.
    end = last < g.width || g.wrap_x ? last + 1 : last;
    for (bool& moved : moved_of) moved = true;
    load(ya - 1), load(ya);
    slide(ya - 1, false), slide_inside(ya - 1, false);
    for (int y = ya; y < yb; ++y) {
      load(y + 1);
      slide(y, true), slide_inside(y, true);
      settle(y);
    }
  }

 private:
  void settle(int y) {
    if (voids_near()) find_alone(y);
    const Around around(*this, y);
    for (int block = 0; begin_of(block) < last;) {
      if (block_of(y, block).loaded) {
        settle_block(y, block++, around);
        continue;
      }
      const int xa = begin_of(block);
      while (begin_of(block) < last && !block_of(y, block).loaded) ++block;
      copy(y, xa, imin(begin_of(block), last));
    }
    if (voids_near()) settle_alone(y);
  }

  // Nothing has moved.
  void copy(int y, int xa, int xb) {
    by_lanes(xa, xb, [&](int x, auto lanes) {
      const std::ptrdiff_t cell = static_cast<std::ptrdiff_t>(y) * g.width + x;
      const TopLanes tops = load_tops(a.tops + cell, lanes);
      const TopLanes stale = load_tops(a.tops_after + cell, lanes);
      const int most = greatest_lane(greater_lanes(tops.about & 255, stale.about & 255));
      const uint* from = a.before + cell;
      uint* to = a.after + cell;
      for (int k = 0; k < most; ++k, from += plane(), to += plane())
        put_changed(to, load_lanes(from, lanes), lanes);
      if (any_of((tops.height != stale.height) | (tops.about != stale.about)))
        store_tops(a.tops_after + cell, tops, lanes);
    });
  }

  void settle_block(int y, int block, const Around& around) {
    const int xa = begin_of(block);
    SlipSettled settled;
    if (xa + cpu_lanes <= last)
      settle_columns(y, block, around, AllLanes{}, settled);
    else
      settle_columns(y, block, around, last - xa, settled);
    const bool near = voids_near();
    for (int rest = settled.marked; rest != 0; rest &= rest - 1) {
      const int x = xa + lowest_bit(static_cast<uint>(rest));
      if (row(about, y)[x] >> 16 != 0) row(alone, y)[x] |= 1;
      if (near && row(alone, y)[x] != 0) continue;
      if (row(odd, y)[x] != 0)
        slip_cell(x, y, g, p, a.table, a.before, a.tops, a.after, a.tops_after, a.needed);
      else
        rebuild(x, y, settled, x - xa);
    }
  }

  // Layers that are gone, and arrivals of other kinds than the top.
  void rebuild(int x, int y, const SlipSettled& settled, int at) {
    const int place = place_of(y) + x, cell = y * g.width + x, plane = g.width * g.height;
    const LayerTop top{rolling(height)[place], static_cast<uint>(rolling(about)[place])};
    const int count = top_count(top);
    LayerStack next;
    for (int k = 0; k < count; ++k) next.words[k] = a.after[cell + k * plane];
    next.count = count;
    if ((settled.rebuilds[at] & 2) != 0) {
      next.count = 0;
      for (int k = 0; k < count; ++k) {
        const uint left = next.words[k];
        slip_put(&next, layer_material(left), layer_thickness(left));
      }
    }
    int amount[LAYER_MATERIALS];
    uint came = 0;
    for (uint rest = settled.kinds; rest != 0; rest &= rest - 1) {
      const int of = lowest_bit(rest);
      amount[dust_of[of]] = settled.comes[of][at];
      came |= settled.comes[of][at] > 0 ? 1U << dust_of[of] : 0U;
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
    a.tops_after[cell] = top_changed(top, next.count, material, settled.rise[at]);
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
