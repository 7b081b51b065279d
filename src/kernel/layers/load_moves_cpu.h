// Sediment on layers on a CPU: kind after kind along a row, many cells at once.
#ifndef SCREE_KERNEL_LOAD_MOVES_CPU_H
#define SCREE_KERNEL_LOAD_MOVES_CPU_H

#include "kernel/common/cpu_arguments.h"
#include "kernel/layers/load_moves.h"

namespace {

struct LeavesArrays {
  Grid g;
  Flow p;
  Load s;
  const int *water, *sediment;
  const float *east, *south, *se, *sw;
  int *loads, *out;
};

// The first kinds, which most terrains have no more of, are known when it is compiled (`known`).
template <int known>
void leaves_along(const LeavesArrays& a, int y, int x0, int x1, int later) {
  const Grid g = a.g;
  const Flow p = a.p;
  const Load s = a.s;
  const int *RESTRICT water = a.water, *RESTRICT sediment = a.sediment;
  const float *RESTRICT east = a.east, *RESTRICT south = a.south;
  const float *RESTRICT se = a.se, *RESTRICT sw = a.sw;
  int *RESTRICT loads = a.loads, *RESTRICT out = a.out;
  const int cells = g.width * g.height, kind = known < 0 ? later : known;
  SCREE_SIMD
  for (int x = x0; x < x1; ++x) {
    const int cell = y * g.width + x;
    Leaving rest = leaving(g, p, x, y, water, sediment, east, south, se, sw);
    for (int k = 0; k < kind; ++k)
      less_of_kind(&rest, cell + k * LAYER_SIDES * cells, cells, loads[cell + k * cells], out);
    leaves_of_kind(cell, cells, kind, sending_chance(g, s, x, y), &rest, loads, out);
  }
}

void leaves_rows(const void* const* v, const Range& range) {
  LeavesArrays a;
  scree::device::take_arguments(v, a.g, a.p, a.s, a.water, a.sediment, a.east, a.south, a.se, a.sw,
                                a.loads, a.out);
  for (int y = range.y0; y < range.y1; ++y)
    for (int kind = 0; kind + 1 < a.s.kinds; ++kind) {
      const auto along = kind == 0   ? leaves_along<0>
                         : kind == 1 ? leaves_along<1>
                                     : leaves_along<-1>;
      along(a, y, range.x0, range.x1, kind);
    }
}

void moves_rows(const void* const* v, const Range& range) {
  const Load s = *static_cast<const Load*>(v[0]);
  int* RESTRICT const loads = *static_cast<int* const*>(v[1]);
  const int* RESTRICT const out = *static_cast<const int* const*>(v[2]);
  const int w = s.layers.width, h = s.layers.height;
  for (int line = range.y0; line < range.y1; ++line) {
    const int kind = line / h, y = line - kind * h;
    int* RESTRICT row = loads + line * w;
    const bool inside = y > 0 && y < h - 1;
    const int x0 = inside ? imax(range.x0, 1) : range.x1, x1 = imin(range.x1, w - 1);
    SCREE_SIMD
    for (int x = x0; x < x1; ++x) row[x] += load_comes_inside(y * w + x, s, kind, out);
    for (int x = range.x0; x < range.x1; ++x)
      if (!inside || x == 0 || x == w - 1) row[x] += load_comes_to_border(x, y, s, kind, out);
  }
}

}  // namespace

SCREE_REGISTER(load_leaves, leaves_rows)
SCREE_REGISTER(load_moves, moves_rows)
LOAD_LEFT

#endif
