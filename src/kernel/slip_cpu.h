// Thermal erosion of layers on a CPU: most columns stand. A look over a row of tops finds, many at
// once, those of which nothing slides and to which nothing comes; the row is copied, and what is
// left is worked out column by column.
#ifndef SCREE_KERNEL_SLIP_CPU_H
#define SCREE_KERNEL_SLIP_CPU_H

#include <cstring>
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

class SlipPanel {
 public:
  SlipPanel(const LayerGrid& grid, const Slip& slip, const SlipArrays& arrays)
      : g(grid), p(slip), a(arrays), memory(static_cast<std::size_t>(pitch) * rows * kinds) {
    for (int m = 0; m < 256; ++m) {
      const LayerMaterial& material = a.table[imin(m, LAYER_MATERIALS - 1)];
      steepest[m] = material.steepest;
    }
  }

  void run(int xa, int xb, int ya, int yb) {
    first = xa;
    last = xb;
    gather(ya - 1), gather(ya);
    for (int y = ya; y < yb; ++y) {
      gather(y + 1);
      find_moving(y);
      copy(y);
      for (int x = first; x < last; ++x)
        if (moving[x - first] != 0)
          slip_cell(x, y, g, p, a.table, a.before, a.tops, a.after, a.tops_after, a.needed);
    }
  }

 private:
  static constexpr int pitch = slip_panel + 32, rows = 3;
  enum Kind { height, stands, about, kinds };

  // Three rolling rows of each, indexed by column; beyond an edge of the world lies what lies at
  // the edge, and stands at any angle.
  int* row(Kind kind, int y) {
    const int slot = kind * rows + (y + rows) % rows;
    return memory.data() + static_cast<std::ptrdiff_t>(slot) * pitch + 16 - first;
  }
  float* steepest_of(int y) { return reinterpret_cast<float*>(row(stands, y)); }

  void gather(int y) {
    int* RESTRICT h = row(height, y);
    int* RESTRICT v = row(about, y);
    float* RESTRICT s = steepest_of(y);
    const LayerTop* line = a.tops + static_cast<std::ptrdiff_t>(near_y(g, y)) * g.width;
    const auto take = [&](int x, int column) {
      const uint what = line[column].about;
      h[x] = line[column].height;
      v[x] = static_cast<int>(what >> 16);
      s[x] = steepest[what >> 8 & 255u];
    };
    const int xa = imax(first - 1, 0), xb = imin(last + 1, g.width);
    SCREE_SIMD
    for (int x = xa; x < xb; ++x) take(x, x);
    const auto beyond = [&](int x) { v[x] = 0, s[x] = 3e38f; };
    if (first == 0) take(-1, near_x(g, -1));
    if (last == g.width) take(last, near_x(g, last));
    if (first == 0 && !g.wrap_x) beyond(-1);
    if (last == g.width && !g.wrap_x) beyond(last);
    if (!g.wrap_y && (y < 0 || y >= g.height))
      for (int x = first - 1; x <= last; ++x) beyond(x);
  }

  // One where a column may give or get (slip_may_move), or has a void beside it.
  void find_moving(int y) {
    const int *h0 = row(height, y - 1), *h1 = row(height, y), *h2 = row(height, y + 1);
    const int *v0 = row(about, y - 1), *v1 = row(about, y), *v2 = row(about, y + 1);
    const float *s0 = steepest_of(y - 1), *s1 = steepest_of(y), *s2 = steepest_of(y + 1);
    const Slopes slopes = p.slopes;
    unsigned char* RESTRICT found = moving.data() - first;
    SCREE_SIMD
    for (int x = first; x < last; ++x) {
      const int around[LAYER_SIDES] = {h1[x + 1], h1[x - 1], h2[x],     h0[x],
                                       h2[x + 1], h0[x - 1], h0[x + 1], h2[x - 1]};
      const float beside[LAYER_SIDES] = {s1[x + 1], s1[x - 1], s2[x],     s0[x],
                                         s2[x + 1], s0[x - 1], s0[x + 1], s2[x - 1]};
      const int any = v0[x - 1] | v0[x] | v0[x + 1] | v1[x - 1] | v1[x] | v1[x + 1] | v2[x - 1] |
                      v2[x] | v2[x + 1];
      float least = s1[x];
#pragma GCC unroll 8
      for (int side = 0; side < LAYER_SIDES; ++side) least = fmin2(least, beside[side]);
      found[x] = (any != 0) | (steepest_around(slopes, h1[x], around) > least);
    }
  }

  void copy(int y) const {
    const std::ptrdiff_t cell = static_cast<std::ptrdiff_t>(y) * g.width + first;
    const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(g.width) * g.height;
    const auto count = static_cast<std::size_t>(last - first);
    for (int k = 0; k < g.planes; ++k)
      std::memcpy(a.after + cell + k * plane, a.before + cell + k * plane, count * sizeof(uint));
    std::memcpy(a.tops_after + cell, a.tops + cell, count * sizeof(LayerTop));
  }

  LayerGrid g;
  Slip p;
  SlipArrays a;
  int first = 0, last = 0;
  float steepest[256];  // by material
  std::vector<int> memory;
  std::vector<unsigned char> moving = std::vector<unsigned char>(slip_panel);
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
