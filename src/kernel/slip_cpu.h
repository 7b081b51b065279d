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
      drop[0][m] = material.drop_x, drop[1][m] = material.drop_y, drop[2][m] = material.drop_d;
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
  enum Kind { height, along_x, along_y, along_d, about, kinds };

  // Three rolling rows of each, indexed by column; what lies beyond an edge of the world is higher
  // than all and stands at any angle.
  int* row(Kind kind, int y) {
    const int slot = kind * rows + (y + rows) % rows;
    return memory.data() + static_cast<std::ptrdiff_t>(slot) * pitch + 16 - first;
  }
  float* drops(Kind kind, int y) { return reinterpret_cast<float*>(row(kind, y)); }

  void gather(int y) {
    int* RESTRICT h = row(height, y);
    int* RESTRICT v = row(about, y);
    float* RESTRICT dx = drops(along_x, y);
    float* RESTRICT dy = drops(along_y, y);
    float* RESTRICT dd = drops(along_d, y);
    const auto beyond = [&](int x) {
      h[x] = 1 << 29, v[x] = 0;
      dx[x] = dy[x] = dd[x] = 3e38f;
    };
    const int from = g.wrap_y ? (y < 0 ? y + g.height : y >= g.height ? y - g.height : y) : y;
    if (from < 0 || from >= g.height) {
      for (int x = first - 1; x <= last; ++x) beyond(x);
      return;
    }
    const LayerTop* line = a.tops + static_cast<std::ptrdiff_t>(from) * g.width;
    const auto take = [&](int x, int column) {
      const uint what = line[column].about, material = what >> 8 & 255u;
      h[x] = line[column].height;
      v[x] = static_cast<int>(what >> 16);
      dx[x] = drop[0][material], dy[x] = drop[1][material], dd[x] = drop[2][material];
    };
    const int xa = imax(first - 1, 0), xb = imin(last + 1, g.width);
    SCREE_SIMD
    for (int x = xa; x < xb; ++x) take(x, x);
    if (first == 0) g.wrap_x ? take(-1, g.width - 1) : beyond(-1);
    if (last == g.width) g.wrap_x ? take(last, 0) : beyond(last);
  }

  // One where a column gives, gets, or has a void beside it (slip_cell finds out which).
  void find_moving(int y) {
    const int *h0 = row(height, y - 1), *h1 = row(height, y), *h2 = row(height, y + 1);
    const int *v0 = row(about, y - 1), *v1 = row(about, y), *v2 = row(about, y + 1);
    const float *x1 = drops(along_x, y), *y1 = drops(along_y, y), *d1 = drops(along_d, y);
    const float *y0 = drops(along_y, y - 1), *d0 = drops(along_d, y - 1);
    const float *y2 = drops(along_y, y + 1), *d2 = drops(along_d, y + 1);
    unsigned char* RESTRICT found = moving.data() - first;
    SCREE_SIMD
    for (int x = first; x < last; ++x) {
      const auto slides = [&](int beside, float own, float others) __attribute__((always_inline)) {
        const float above = static_cast<float>(h1[x] - beside);
        return (above - own > 0.0f) | (0.0f - above - others > 0.0f);
      };
      int any = v0[x - 1] | v0[x] | v0[x + 1] | v1[x - 1] | v1[x] | v1[x + 1] | v2[x - 1] | v2[x] |
                v2[x + 1];
      any |= slides(h1[x - 1], x1[x], x1[x - 1]) | slides(h1[x + 1], x1[x], x1[x + 1]);
      any |= slides(h0[x], y1[x], y0[x]) | slides(h2[x], y1[x], y2[x]);
      any |= slides(h0[x - 1], d1[x], d0[x - 1]) | slides(h0[x + 1], d1[x], d0[x + 1]);
      any |= slides(h2[x - 1], d1[x], d2[x - 1]) | slides(h2[x + 1], d1[x], d2[x + 1]);
      found[x] = any != 0;
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
  float drop[3][256];  // by material
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
