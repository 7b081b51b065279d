// Thermal weathering on a CPU: each edge is computed once, a row of edges at a time, in cache.
#ifndef SCREE_KERNEL_THERMAL_CPU_H
#define SCREE_KERNEL_THERMAL_CPU_H

#include <vector>

#include "kernel/common/cpu_arguments.h"
#include "kernel/heights/thermal.h"

namespace {

struct ThermalArrays {
  const int* bed;
  int* bed2;
  const float *wetness, *strength;
  const int *floor, *sink;
  int *wear, *deposit;
};

constexpr int thermal_panel = 2048;

template <bool plain>
class ThermalPanel {
 public:
  ThermalPanel(const Grid& grid, const Thermal& thermal, const ThermalArrays& arrays)
      : g(grid), p(thermal), a(arrays), memory(static_cast<std::size_t>(pitch) * 13) {
    if (plain) p.options = 0;
  }

  void run(int xa, int xb, int ya, int yb) {
    first = xa;
    last = xb;
    for (int x = xa - 1; x <= xb; ++x) column()[x] = column_term(world_x(g, x));
    factors(ya - 1);
    for (int r = ya - 1; r < yb; ++r) {
      factors(r + 1);
      edges(r);
      if (r >= ya) settle(r);
    }
  }

 private:
  static constexpr int pitch = thermal_panel + 32;
  enum Row { columns, east, south = 3, se = 5, sw = 7, factor = 9, above = 11 };

  // Two rolling rows of each; indexed by interior column.
  int* row(Row which, int r) {
    const int slot = which + (which == columns ? 0 : (r & 1));
    return memory.data() + static_cast<std::ptrdiff_t>(slot) * pitch + 16 - first;
  }
  uint* column() { return reinterpret_cast<uint*>(row(columns, 0)); }
  float* factor_row(int r) { return reinterpret_cast<float*>(row(factor, r)); }
  std::ptrdiff_t at(int r) const {
    return static_cast<std::ptrdiff_t>(r + SCREE_HALO) * g.stride + SCREE_PAD;
  }

  void factors(int r) {
    if (plain) return;
    const int xa = first, xb = last;
    float* RESTRICT f = factor_row(r);
    int* RESTRICT over = row(above, r);
    const float *wet = a.wetness + at(r), *strong = a.strength + at(r);
    const int *b = a.bed + at(r), *fl = a.floor + at(r), *sk = a.sink + at(r);
    for (int x = xa - 1; x < xb + 1; ++x)
      f[x] = talus_factor(p, p.options & THERMAL_WETNESS ? wet[x] : 0.0f,
                          p.options & THERMAL_STRENGTH ? strong[x] : 1.0f);
    for (int x = xa - 1; x < xb + 1; ++x)
      over[x] = above_floor(p, b[x], p.options & THERMAL_FLOOR ? fl[x] : 0,
                            p.options & THERMAL_SINK ? sk[x] : 0);
  }

  void edges(int r) {
    const int xa = first, xb = last;
    const uint row_part = row_term(p.step_seed, world_y(g, r));
    const int *b = a.bed + at(r), *b1 = a.bed + at(r + 1);
    const float *f = factor_row(r), *f1 = factor_row(r + 1);
    const int *o = row(above, r), *o1 = row(above, r + 1);
    int* RESTRICT e = row(east, r);
    int* RESTRICT s = row(south, r);
    int* RESTRICT d = row(se, r);
    int* RESTRICT c = row(sw, r);
    const uint* col = column();
    const auto one = [&](int i, const int* bj, int j, const float* fj, const int* oj, float share,
                         float drop, float draw) __attribute__((always_inline)) {
      return slide(b[i], bj[j], plain ? 1.0f : f[i], plain ? 1.0f : fj[j],
                   plain ? SCREE_WALL : o[i], plain ? SCREE_WALL : oj[j], share, drop, draw);
    };
    SCREE_SIMD
    for (int x = xa - 1; x < xb + 1; ++x) {
      const uint hash = mix_bits(row_part + col[x]);
      e[x] = one(x, b, x + 1, f, o, p.share_x, p.drop_x, rounding(hash, SCREE_DRAW_A));
      s[x] = one(x, b1, x, f1, o1, p.share_y, p.drop_y, rounding(hash, SCREE_DRAW_B));
      const int n_se = one(x, b1, x + 1, f1, o1, p.share_d, p.drop_d, rounding(hash, SCREE_DRAW_C));
      const int n_sw = one(x, b1, x - 1, f1, o1, p.share_d, p.drop_d, rounding(hash, SCREE_DRAW_D));
      d[x] = past_wall(b[x + 1], b1[x]) ? 0 : n_se;
      c[x] = past_wall(b[x - 1], b1[x]) ? 0 : n_sw;
    }
    stop_at_borders(r, e, s, d, c);
  }

  void stop_at_borders(int r, int* e, int* s, int* d, int* c) {
    const bool row_ends = slides_over_border(g, p, 0, r) || slides_over_border(g, p, 0, r + 1);
    if (row_ends)
      for (int x = first - 1; x < last + 1; ++x) s[x] = d[x] = c[x] = 0;
    if (first == 0 && (p.border_sides & SIDE_WEST)) e[-1] = d[-1] = c[0] = 0;
    if (last == g.width && (p.border_sides & SIDE_EAST)) e[last - 1] = d[last - 1] = c[last] = 0;
  }

  void settle(int r) {
    const int xa = first, xb = last;
    const int* b = a.bed + at(r);
    int* RESTRICT b2 = a.bed2 + at(r);
    const int *e = row(east, r), *s = row(south, r), *n = row(south, r - 1);
    const int *d = row(se, r), *nw = row(se, r - 1), *c = row(sw, r), *ne = row(sw, r - 1);
    SCREE_SIMD
    for (int x = xa; x < xb; ++x) {
      const int gain = e[x - 1] - e[x] + (n[x] - s[x]) + (nw[x - 1] - d[x]) + (ne[x + 1] - c[x]);
      b2[x] = b[x] + gain;
    }
    if (!plain && (p.options & THERMAL_TRACK)) {
      int* RESTRICT wear = a.wear + at(r);
      int* RESTRICT deposit = a.deposit + at(r);
      SCREE_SIMD
      for (int x = xa; x < xb; ++x) {
        wear[x] = tracked_wear(wear[x], b2[x] - b[x]);
        deposit[x] = tracked_wear(deposit[x], b[x] - b2[x]);
      }
    }
  }

  Grid g;
  Thermal p;
  ThermalArrays a;
  int first = 0, last = 0;
  std::vector<int> memory;
};

void thermal_rows(const void* const* v, const Range& range) {
  Grid g;
  Thermal p;
  ThermalArrays a;
  scree::device::take_arguments(v, g, p, a.bed, a.bed2, a.wetness, a.strength, a.floor, a.sink,
                                a.wear, a.deposit);
  const auto run = [&](auto&& panel) {
    for (int x = range.x0; x < range.x1; x += thermal_panel)
      panel.run(x, imin(x + thermal_panel, range.x1), range.y0, range.y1);
  };
  if (p.options == 0)
    run(ThermalPanel<true>(g, p, a));
  else
    run(ThermalPanel<false>(g, p, a));
}

}  // namespace

SCREE_REGISTER(thermal, thermal_rows)

#endif
