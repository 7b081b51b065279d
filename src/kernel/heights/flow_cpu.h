// The flow step on a CPU: all passes of a step run through cache, a few rows apart, so that the
// state is read once and written once. A panel is as wide as its rolling rows fit in cache.
#ifndef SCREE_KERNEL_FLOW_CPU_H
#define SCREE_KERNEL_FLOW_CPU_H

#include <cstring>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernel/common/cpu_arguments.h"
#include "kernel/heights/flow.h"
#include "kernel/heights/flow_ledger.h"

namespace {

struct FlowArrays {
  const int *bed, *water, *sediment;
  const float *east, *south, *se, *sw;
  int *bed2, *water2, *sediment2;
  float *east2, *south2, *se2, *sw2;
  const float *source, *erodibility;
  float* looseness;
  const int *floor, *sink;
  float* flow;
  int *wear, *deposit;
  long long* ledger;
};

// Depth rows of a quantity that live in cache while the step passes over them.
template <class T, int depth>
class Rolling {
 public:
  void place(T* memory, int pitch, int first) {
    memory_ = memory;
    pitch_ = pitch;
    first_ = first;
  }
  static constexpr int rows = depth;
  T* operator[](int row) const {
    return memory_ + static_cast<std::ptrdiff_t>((row + 16 * depth) % depth) * pitch_ - first_;
  }

 private:
  T* memory_ = nullptr;
  int pitch_ = 0;
  int first_ = 0;
};

constexpr int flow_panel = 2048;
constexpr int block = 64;
constexpr int vector = 16;  // the longest there is: rows and panels start on multiples of it

// One cache line from cached memory to memory, not through the cache.
#if defined(__x86_64__)
inline void stream_line(void* to, const void* from) {
  auto* t = static_cast<__m128i*>(to);
  const auto* f = static_cast<const __m128i*>(from);
#if defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(t), _mm512_loadu_si512(f));
#elif defined(__AVX__)
  auto* t2 = reinterpret_cast<__m256i*>(t);
  const auto* f2 = reinterpret_cast<const __m256i*>(f);
  _mm256_stream_si256(t2, _mm256_loadu_si256(f2));
  _mm256_stream_si256(t2 + 1, _mm256_loadu_si256(f2 + 1));
#else
  for (int i = 0; i < 4; ++i) _mm_stream_si128(t + i, _mm_loadu_si128(f + i));
#endif
}
inline void end_stream() { _mm_sfence(); }
#else
inline void stream_line(void* to, const void* from) { std::memcpy(to, from, 64); }
inline void end_stream() {}
#endif

// A 64-bit sum of 32-bit values, in two halves that vectorise and cannot overflow in a panel row.
struct HalfSums {
  int low = 0;
  int high = 0;
  long long value() const { return static_cast<long long>(high) * 65536 + low; }
};

// `known` are the options of the step, or -1 where they are known at run time only.
template <int kind, int known>
class FlowPanel {
 public:
  FlowPanel(const Grid& grid, const Flow& flow, const FlowArrays& arrays)
      : g(grid), all(flow), a(arrays) {
    const auto cells = static_cast<std::size_t>(g.stride) * static_cast<std::size_t>(g.height);
    past_cache = cells * 40 > std::size_t{64} << 20;
    constexpr int rows = 25 * 2 + 4 * 3 + 11;
    if (memory.empty()) memory.resize(static_cast<std::size_t>(pitch) * rows + 16);
  }

  void run(int xa, int xb, int ya, int yb) {
    first = xa;
    last = xb;
    place_rows();
    for (int x = from(); x < to(); ++x) column[x] = column_term(world_x(g, x));
    look(ya - 2, {from(), to()});
    speed(ya - 2, {from(), to()});
    for (int r = ya - 2; r <= yb; ++r) {
      for (int x = from(); x < to() + 2 * vector; x += block) {
        look(r + 1, piece(x));
        speed(r + 1, piece(x));
        edges(r, piece(x - vector));
        if (r >= ya - 1) scales(r, piece(x - vector));
        if (r >= ya) carry(r - 1, piece(x - 2 * vector), r - 1 >= ya || r - 1 == -1);
        if (r >= ya + 1) settle_piece(r - 1, inside(piece(x - 2 * vector)));
      }
      if (r >= ya + 1) book_row(r - 1, ya);
    }
    if (past_cache) end_stream();
  }

 private:
  static constexpr bool eight = (kind & FLOW_EIGHT) != 0;
  // Without any option that changes what settles.
  static constexpr bool plain = known == 0 || known == OPTION_TRACK;
  static constexpr bool tracks = (known & (OPTION_TRACK | OPTION_LOOSENESS)) != 0;
  static constexpr bool scales_capacity = (known & (OPTION_SPEED_CAPACITY | OPTION_SHIELDS)) != 0;
  static constexpr bool carries = (kind & (FLOW_EROSION | FLOW_SHEET)) != 0;

  void place_rows() {
    auto align = [](void* q) {
      return reinterpret_cast<float*>((reinterpret_cast<std::uintptr_t>(q) + 63) &
                                      ~std::uintptr_t{63});
    };
    float* next = align(memory.data());
    auto place = [&](auto& rolling) {
      rolling.place(reinterpret_cast<std::remove_reference_t<decltype(rolling[0][0])>*>(next),
                    pitch, first - 2 * vector);
      next += static_cast<std::ptrdiff_t>(pitch) * std::remove_reference_t<decltype(rolling)>::rows;
    };
    place(discharge), place(f_east), place(f_south), place(n_east), place(n_south), place(q_east);
    place(q_south), place(scale), place(conc), place(s_east), place(s_south), place(columns);
    place(hashes), place(beds2), place(waters2), place(sediments2);
    place(rains), place(erodibilities), place(aboves), place(moves), place(q2s), place(factors);
    place(capacity_row);
    place(sinks), place(f_se);
    place(f_sw), place(n_se), place(n_sw), place(s_se), place(s_sw), place(q_se), place(q_sw);
    place(seen), place(rise_east), place(rise_south), place(rise_se), place(rise_sw);
    column = columns[0];
  }

  // Of the step: a constant where they are known.
  int options() const { return known >= 0 ? known : all.options; }

  // A row is passed over in pieces, every pass a vector behind the one that it asks about the
  // columns beside: what one pass leaves, the next finds in the nearest cache, and memory is read
  // and written while others compute.
  struct Piece {
    int lo, hi;
  };
  Piece piece(int x) const { return {imax(x, from()), imin(x + block, to())}; }
  Piece inside(Piece c) const { return {imax(c.lo, first), imin(c.hi, last)}; }

  // The columns that the passes before the last visit: whole vectors, more than are needed, so that
  // no loop ends in single cells. What lies beyond the halo is not used.
  int from() const { return first - vector; }
  int to() const { return (last + vector - 1) / vector * vector + vector; }

  std::ptrdiff_t at(int row) const {
    return static_cast<std::ptrdiff_t>(row + SCREE_HALO) * g.stride + SCREE_PAD;
  }

  // The beds that edges see.
  void look(int r, Piece c) {
    const int *b = a.bed + at(r), *w = a.water + at(r), *m = a.sediment + at(r);
    int* RESTRICT out = seen[r];
    SCREE_SIMD
    for (int x = c.lo; x < c.hi; ++x) out[x] = seen_bed(b[x], b[x] + w[x], carries ? m[x] : 0);
  }

  void speed(int r, Piece c) {
    const Flow p = all;
    // The first row of all has no cell before its first.
    const int lo = c.lo + (eight && r == 1 - SCREE_HALO && c.lo == from() ? 1 : 0), hi = c.hi;
    if (kind & FLOW_SHEET) return;
    float* RESTRICT out = discharge[r];
    const float* e = a.east + at(r);
    const float* s = a.south + at(r);
    const float* n = a.south + at(r - 1);
    const float *se = a.se + at(r), *nw = a.se + at(r - 1), *sw = a.sw + at(r),
                *ne = a.sw + at(r - 1);
    SCREE_SIMD
    for (int x = lo; x < hi; ++x) {
      const float d_nw = eight ? nw[x - 1] : 0.0f, d_se = eight ? se[x] : 0.0f;
      const float d_ne = eight ? ne[x + 1] : 0.0f, d_sw = eight ? sw[x] : 0.0f;
      out[x] = length_of(discharge2(
          p, eight ? flow_sum_x(e[x - 1], e[x], d_nw, d_se, d_ne, d_sw) : e[x - 1] + e[x],
          eight ? flow_sum_y(n[x], s[x], d_nw, d_se, d_ne, d_sw) : n[x] + s[x]));
    }
  }

  static float new_flux(const Flow& p, float accelerate, float old, int bed_a, int level_a,
                        int bed_b, int level_b, float q_a, float q_b) {
    if (kind & FLOW_SHEET) return sheet_flux(p, bed_a, level_a, bed_b, level_b);
    return pipe_flux(p, accelerate, old, bed_a, level_a, bed_b, level_b, q_a, q_b);
  }

  void edges(int r, Piece c) {
    const Flow p = all;
    const int lo = c.lo, hi = c.hi;
    const int *b = a.bed + at(r), *w = a.water + at(r);
    const int *b1 = a.bed + at(r + 1), *w1 = a.water + at(r + 1);
    const float *e0 = a.east + at(r), *s0 = a.south + at(r);
    const float *q = discharge[r], *q1 = discharge[r + 1];
    const int *v = seen[r], *v1 = seen[r + 1];
    float* RESTRICT e = f_east[r];
    float* RESTRICT s = f_south[r];
    float* RESTRICT re = rise_east[r];
    float* RESTRICT rs = rise_south[r];
    SCREE_SIMD
    for (int x = lo; x < hi; ++x) {
      const int level = b[x] + w[x];
      e[x] = new_flux(p, p.accelerate_x, e0[x], v[x], level, v[x + 1], b[x + 1] + w[x + 1], q[x],
                      q[x + 1]);
      s[x] = new_flux(p, p.accelerate_y, s0[x], v[x], level, v1[x], b1[x] + w1[x], q[x], q1[x]);
      if (carries) {
        re[x] = rise_between(b[x], b[x + 1]);
        rs[x] = rise_between(b[x], b1[x]);
      }
    }
    if constexpr (eight) diagonal_edges(r, c, b, w, b1, w1, q, q1);
  }

  void diagonal_edges(int r, Piece c, const int* b, const int* w, const int* b1, const int* w1,
                      const float* q, const float* q1) {
    const Flow p = all;
    const int lo = c.lo, hi = c.hi;
    const float *se0 = a.se + at(r), *sw0 = a.sw + at(r);
    const int *v = seen[r], *v1 = seen[r + 1];
    float* RESTRICT se = f_se[r];
    float* RESTRICT sw = f_sw[r];
    float* RESTRICT rse = rise_se[r];
    float* RESTRICT rsw = rise_sw[r];
    SCREE_SIMD
    for (int x = lo; x < hi; ++x) {
      const float f = new_flux(p, p.accelerate_d, se0[x], v[x], b[x] + w[x], v1[x + 1],
                               b1[x + 1] + w1[x + 1], q[x], q1[x + 1]);
      se[x] = past_wall(b[x + 1], b1[x]) ? 0.0f : f;
      if (carries) rse[x] = rise_between(b[x], b1[x + 1]);
    }
    SCREE_SIMD
    for (int x = lo; x < hi; ++x) {
      const float f = new_flux(p, p.accelerate_d, sw0[x], v[x], b[x] + w[x], v1[x - 1],
                               b1[x - 1] + w1[x - 1], q[x], q1[x - 1]);
      sw[x] = past_wall(b[x - 1], b1[x]) ? 0.0f : f;
      if (carries) rsw[x] = rise_between(b[x], b1[x - 1]);
    }
  }

  void scales(int r, Piece span) {
    const Flow p = all;
    const int lo = span.lo, hi = span.hi;
    const int *w = a.water + at(r), *m = a.sediment + at(r);
    const float *e = f_east[r], *s = f_south[r], *n = f_south[r - 1];
    const float *se = f_se[r], *nw = f_se[r - 1], *sw = f_sw[r], *ne = f_sw[r - 1];
    float* RESTRICT k = scale[r];
    float* RESTRICT c = conc[r];
    SCREE_SIMD
    for (int x = lo; x < hi; ++x) {
      float out = outgoing(e[x], e[x - 1]) + outgoing(s[x], n[x]);
      if (eight) out = out + (outgoing(se[x], nw[x - 1]) + outgoing(sw[x], ne[x + 1]));
      k[x] = outflow_scale(p, w[x], out);
      if (carries) c[x] = concentration(p, w[x], m[x]);
    }
  }

  void carry(int r, Piece c, bool keep) {
    hash_row(r, c);
    carry_axes(r, c);
    if constexpr (eight) {
      carry_diagonal(r, c, f_se[r], 1, q_se[r], n_se[r], s_se[r], SCREE_DRAW_F);
      carry_diagonal(r, c, f_sw[r], -1, q_sw[r], n_sw[r], s_sw[r], SCREE_DRAW_G);
    }
    if (keep && !(kind & FLOW_SHEET)) store_fluxes(r, c);
  }

  // One hash a cell serves its edges here and the cell itself when it settles.
  void hash_row(int r, Piece c) {
    const uint row = row_term(all.step_seed, world_y(g, r));
    const uint* col = column;
    const int lo = c.lo, hi = c.hi;
    uint* RESTRICT h = hashes[r];
    SCREE_SIMD
    for (int x = lo; x < hi; ++x) h[x] = mix_bits(row + col[x]);
  }

  // What the two ends of an edge say of what may cross it.
  struct Ends {
    float scale_a, scale_b, load_a, load_b;
  };
  void carry_edge(const Flow& p, float f, const Ends& e, uint hash, uint which, float& q, int& n,
                  int& s) const {
    const Carried c = carried(p, carries && !(options() & OPTION_NO_TRANSPORT), f, e.scale_a,
                              e.load_a, e.scale_b, e.load_b, rounding(hash, which));
    q = c.flux;
    n = c.water;
    s = c.sediment;
  }

  // Both axes at once. Edges that lead into the panel count too: those of the cell west of it.
  void carry_axes(int r, Piece span) {
    const Flow p = all;
    const int lo = span.lo, hi = span.hi;
    const float *fe = f_east[r], *fs = f_south[r];
    const float *k = scale[r], *c = conc[r];
    const float *k1 = scale[r + 1], *c1 = conc[r + 1];
    float* RESTRICT qe = q_east[r];
    float* RESTRICT qs = q_south[r];
    int* RESTRICT ne = n_east[r];
    int* RESTRICT ns = n_south[r];
    int* RESTRICT me = s_east[r];
    int* RESTRICT ms = s_south[r];
    const uint* h = hashes[r];
    SCREE_SIMD
    for (int x = lo; x < hi; ++x) {
      const Ends east{k[x], k[x + 1], c[x], c[x + 1]};
      const Ends south{k[x], k1[x], c[x], c1[x]};
      carry_edge(p, fe[x], east, h[x], SCREE_DRAW_A, qe[x], ne[x], me[x]);
      carry_edge(p, fs[x], south, h[x], SCREE_DRAW_B, qs[x], ns[x], ms[x]);
    }
  }

  // The diagonal of cell x ends at cell x + shift of the next row; that to the south-west may lead
  // into the panel from the east.
  void carry_diagonal(int r, Piece span, const float* f, int shift, float* RESTRICT q,
                      int* RESTRICT n, int* RESTRICT s, uint which) {
    const Flow p = all;
    const int lo = span.lo, hi = span.hi;
    const float *k = scale[r], *c = conc[r];
    const float *k1 = scale[r + 1] + shift, *c1 = conc[r + 1] + shift;
    const uint* h = hashes[r];
    SCREE_SIMD
    for (int x = lo; x < hi; ++x)
      carry_edge(p, f[x], Ends{k[x], k1[x], c[x], c1[x]}, h[x], which, q[x], n[x], s[x]);
  }

  // Fluxes on the edges that lead into the domain live in the halo.
  void store_fluxes(int r, Piece done) {
    // The one that leads in from the east belongs to a column of its own.
    if (eight && last == g.width && done.lo <= last && last < done.hi)
      copy_row(a.sw2, q_sw[r], r, last, last + 1);
    const Piece c = inside(done);
    if (c.lo >= c.hi) return;
    const bool row_inside = r >= 0;
    const int west = c.lo == 0 ? -1 : c.lo;
    if (row_inside) copy_row(a.east2, q_east[r], r, west, c.hi);
    copy_row(a.south2, q_south[r], r, c.lo, c.hi);
    if constexpr (eight) {
      copy_row(a.se2, q_se[r], r, west, c.hi);
      copy_row(a.sw2, q_sw[r], r, c.lo, c.hi);
    }
  }

  void copy_row(float* field, const float* from, int r, int xa, int xb) {
    write_row(field + at(r), from, xa, xb);
  }

  // A row of the result. Where the state is larger than a cache, it goes past it: a line that is
  // written whole need not be read first.
  template <class T>
  void write_row(T* RESTRICT to, const T* from, int xa, int xb) {
    static_assert(sizeof(T) == 4);
    int x = xa;
    if (past_cache) {
      for (; x < xb && (reinterpret_cast<std::uintptr_t>(to + x) & 63U) != 0; ++x) to[x] = from[x];
      for (; x + 16 <= xb; x += 16) stream_line(to + x, from + x);
    }
    SCREE_SIMD
    for (int i = x; i < xb; ++i) to[i] = from[i];
  }

  void prepare_options(int r, Piece c) {
    const Flow p = all;
    const int xa = c.lo, xb = c.hi;
    if (plain) return;
    float* RESTRICT rain = rains[0];
    float* RESTRICT e = erodibilities[0];
    int* RESTRICT above = aboves[0];
    const float* source = a.source + at(r);
    const float *er = a.erodibility + at(r), *lo = a.looseness + at(r);
    const int *b = a.bed + at(r), *fl = a.floor + at(r);
    const int wy = world_y(g, r);
    for (int x = xa; x < xb; ++x) rain[x] = p.rain;
    if (options() & OPTION_SOURCE_MAP)
      for (int x = xa; x < xb; ++x) rain[x] = rain[x] + source[x] * p.source_scale;
    if (options() & OPTION_DROPS)
      for (int x = xa; x < xb; ++x) rain[x] = rain[x] + drop_rain(p, world_x(g, x), wy);
    for (int x = xa; x < xb; ++x) rain[x] = fmin2(rain[x], SCREE_MOST_OUT);
    for (int x = xa; x < xb; ++x) e[x] = 1.0f;
    if (options() & OPTION_ERODIBILITY)
      for (int x = xa; x < xb; ++x) e[x] = er[x];
    if (options() & OPTION_LOOSENESS)
      for (int x = xa; x < xb; ++x) e[x] = e[x] * lo[x];
    prepare_factors(r, c);
    for (int x = xa; x < xb; ++x) above[x] = SCREE_WALL;
    for (int x = xa; x < xb; ++x) sinks[0][x] = 0;
    if (options() & OPTION_SINK)
      for (int x = xa; x < xb; ++x) sinks[0][x] = a.sink[at(r) + x];
    if (options() & OPTION_FLOOR)
      for (int x = xa; x < xb; ++x) above[x] = imax(b[x] - fl[x], 0);
  }

  void prepare_factors(int r, Piece c) {
    const Flow p = all;
    const int xa = c.lo, xb = c.hi;
    if (!scales_capacity) return;
    float* RESTRICT factor = factors[0];
    const int* w = a.water + at(r);
    const float *re = rise_east[r], *rs = rise_south[r], *rn = rise_south[r - 1];
    for (int x = xa; x < xb; ++x) factor[x] = 1.0f;
    if (options() & OPTION_SPEED_CAPACITY) {
      SCREE_SIMD
      for (int x = xa; x < xb; ++x) factor[x] = speed_factor(p, w[x]);
    }
    if (options() & OPTION_SHIELDS) {
      SCREE_SIMD
      for (int x = xa; x < xb; ++x)
        factor[x] = factor[x] * shields_factor(p, w[x], tilt2(p, re[x] + re[x - 1], rs[x] + rn[x]));
    }
  }

  // A loop of its own: short chains of operations overlap better than one long chain.
  void capacities(int r, Piece c) {
    const Flow p = all;
    const float *re = rise_east[r], *rs = rise_south[r], *rn = rise_south[r - 1];
    const float *qe = q_east[r], *qs = q_south[r], *qn = q_south[r - 1];
    const float *se = q_se[r], *nw = q_se[r - 1], *sw = q_sw[r], *ne = q_sw[r - 1];
    const float* factor = factors[0];
    float* RESTRICT q2 = q2s[0];
    float* RESTRICT capacity = capacity_row[0];
    SCREE_SIMD
    for (int x = c.lo; x < c.hi; ++x) {
      const float d_nw = eight ? nw[x - 1] : 0.0f, d_se = eight ? se[x] : 0.0f;
      const float d_ne = eight ? ne[x + 1] : 0.0f, d_sw = eight ? sw[x] : 0.0f;
      const float square = discharge2(
          p, eight ? flow_sum_x(qe[x - 1], qe[x], d_nw, d_se, d_ne, d_sw) : qe[x - 1] + qe[x],
          eight ? flow_sum_y(qn[x], qs[x], d_nw, d_se, d_ne, d_sw) : qn[x] + qs[x]);
      if (tracks) q2[x] = square;
      if (kind & FLOW_EROSION) {
        const float whole = load_capacity(p, tilt2(p, re[x] + re[x - 1], rs[x] + rn[x]), square);
        capacity[x] = scales_capacity ? whole * factor[x] : whole;
      }
    }
  }

  void settle_piece(int r, Piece span) {
    const Flow p = all;
    const int xa = span.lo, xb = span.hi;
    if (xa >= xb) return;
    prepare_options(r, span);
    if (tracks || (kind & FLOW_EROSION)) capacities(r, span);
    const int *b = a.bed + at(r), *w = a.water + at(r), *m = a.sediment + at(r);
    const float *re = rise_east[r], *rs = rise_south[r], *rn = rise_south[r - 1];
    const float *rse = rise_se[r], *rnw = rise_se[r - 1], *rsw = rise_sw[r], *rne = rise_sw[r - 1];
    int* RESTRICT b2 = past_cache ? beds2[0] : a.bed2 + at(r);
    int* RESTRICT w2 = past_cache ? waters2[0] : a.water2 + at(r);
    int* RESTRICT m2 = past_cache ? sediments2[0] : a.sediment2 + at(r);
    const int *ne = n_east[r], *ns = n_south[r], *nn = n_south[r - 1];
    const int *me = s_east[r], *ms = s_south[r], *mn = s_south[r - 1];
    const int *n_se0 = n_se[r], *n_nw = n_se[r - 1], *n_sw0 = n_sw[r], *n_ne = n_sw[r - 1];
    const int *m_se = s_se[r], *m_nw = s_se[r - 1], *m_sw = s_sw[r], *m_ne = s_sw[r - 1];
    const float *rain = rains[0], *erodibility = erodibilities[0], *capacity = capacity_row[0];
    const int *above = aboves[0], *sink = sinks[0];
    int* RESTRICT moved = moves[0];
    const uint* h = hashes[r];
    int rain_low = 0, rain_high = 0, gone_low = 0, gone_high = 0, soil_low = 0, soil_high = 0;
    int sunk_low = 0, sunk_high = 0, lost_low = 0, lost_high = 0;
    SCREE_SIMD
    for (int x = xa; x < xb; ++x) {
      Around c;
      c.bed = b[x];
      c.water = w[x];
      c.sediment = carries ? m[x] : 0;
      c.water_gain = ne[x - 1] - ne[x] + (nn[x] - ns[x]);
      c.sediment_gain = carries ? me[x - 1] - me[x] + (mn[x] - ms[x]) : 0;
      c.below = carries ? lowest_of(re[x], re[x - 1], rs[x], rn[x]) : 0.0f;
      c.above = carries ? highest_of(re[x], re[x - 1], rs[x], rn[x]) : 0.0f;
      if (eight) {
        c.water_gain += n_nw[x - 1] - n_se0[x] + (n_ne[x + 1] - n_sw0[x]);
        if (carries) {
          c.sediment_gain += m_nw[x - 1] - m_se[x] + (m_ne[x + 1] - m_sw[x]);
          c.below = fmax2(c.below, lowest_of(rse[x], rnw[x - 1], rsw[x], rne[x + 1]));
          c.above = fmax2(c.above, highest_of(rse[x], rnw[x - 1], rsw[x], rne[x + 1]));
        }
      }
      c.shut = is_shut(c.bed + c.water, c.sediment);
      c.water_passed = 0;
      if (kind & FLOW_SHEET)
        c.water_passed = iabs(ne[x - 1]) + iabs(ne[x]) + (iabs(nn[x]) + iabs(ns[x]));
      c.rain = plain ? p.rain : rain[x];
      c.erode = plain ? p.erode : p.erode * erodibility[x];
      c.capacity = kind & FLOW_EROSION ? capacity[x] : 0.0f;
      c.sink = plain ? 0 : sink[x];
      c.above_floor = plain ? SCREE_WALL : above[x];
      const Settled done = settle(p, kind, options(), c, h[x]);
      b2[x] = done.bed;
      w2[x] = done.water;
      if (carries) m2[x] = done.sediment;
      rain_low += done.rain & 0xffff, rain_high += done.rain >> 16;
      gone_low += done.evaporated & 0xffff, gone_high += done.evaporated >> 16;
      if (!plain) {
        soil_low += done.dissolved & 0xffff, soil_high += done.dissolved >> 16;
        sunk_low += done.drained_water & 0xffff, sunk_high += done.drained_water >> 16;
        lost_low += done.drained_sediment & 0xffff, lost_high += done.drained_sediment >> 16;
      }
      if (tracks) moved[x] = done.worn - done.deposited;
    }
    if (past_cache) {
      write_row(a.bed2 + at(r), beds2[0], xa, xb);
      write_row(a.water2 + at(r), waters2[0], xa, xb);
      if (carries) write_row(a.sediment2 + at(r), sediments2[0], xa, xb);
    }
    booked[LEDGER_RAIN] += HalfSums{rain_low, rain_high}.value();
    booked[LEDGER_EVAPORATED] += HalfSums{gone_low, gone_high}.value();
    if (!plain) {
      booked[LEDGER_DISSOLVED] += HalfSums{soil_low, soil_high}.value();
      booked[LEDGER_WATER_OUT] += HalfSums{sunk_low, sunk_high}.value();
      booked[LEDGER_SEDIMENT_OUT] += HalfSums{lost_low, lost_high}.value();
    }
    track(r, span);
  }

  void book_row(int r, int ya) {
    long long* slot = a.ledger + LEDGER_ENTRIES * flow_ledger_slot(g, first, ya);
    for (int k = 0; k < LEDGER_ENTRIES; ++k) slot[k] += booked[k], booked[k] = 0;
    book_crossings(r, slot);
  }

  void book_crossings(int r, long long* slot) {
    const Flow p = all;
    const int xa = first, xb = last;
    for (int x = xa; x < xb; ++x) {
      if (r != 0 && r != g.height - 1 && x != 0 && x != g.width - 1) {
        x = last - 2 > x ? last - 2 : x;  // only border cells cross a border
        continue;
      }
      Crossing n = crossing(g, p, x, r);
      slot[LEDGER_WATER_OUT] += crossed(n, n_east, n_south, n_se, n_sw, x, r);
      if (carries) slot[LEDGER_SEDIMENT_OUT] += crossed(n, s_east, s_south, s_se, s_sw, x, r);
    }
  }

  template <class Rows2>
  long long crossed(const Crossing& n, Rows2& e, Rows2& s, Rows2& se, Rows2& sw, int x, int r) {
    long long sum =
        static_cast<long long>(n.e) * e[r][x] - static_cast<long long>(n.w) * e[r][x - 1] +
        static_cast<long long>(n.s) * s[r][x] - static_cast<long long>(n.n) * s[r - 1][x];
    if constexpr (eight)
      sum += static_cast<long long>(n.se) * se[r][x] -
             static_cast<long long>(n.nw) * se[r - 1][x - 1] +
             static_cast<long long>(n.sw) * sw[r][x] -
             static_cast<long long>(n.ne) * sw[r - 1][x + 1];
    return sum;
  }

  void track(int r, Piece c) {
    const Flow p = all;
    const int xa = c.lo, xb = c.hi;
    if (!tracks) return;
    const int* moved = moves[0];
    const float* q2 = q2s[0];
    const int* w2 = past_cache ? waters2[0] : a.water2 + at(r);
    if (options() & OPTION_LOOSENESS) {
      float* RESTRICT lo = a.looseness + at(r);
      SCREE_SIMD
      for (int x = xa; x < xb; ++x) lo[x] = changed_looseness(p, lo[x], imax(-moved[x], 0), w2[x]);
    }
    if (options() & OPTION_TRACK) {
      float* RESTRICT flow = a.flow + at(r);
      int* RESTRICT wear = a.wear + at(r);
      int* RESTRICT deposit = a.deposit + at(r);
      SCREE_SIMD
      for (int x = xa; x < xb; ++x) {
        flow[x] = tracked_flow(p, flow[x], q2[x]);
        wear[x] = tracked_quanta(wear[x], moved[x]);
        deposit[x] = tracked_quanta(deposit[x], -moved[x]);
      }
    }
  }

  Grid g;
  Flow all;  // loops take a copy, which nothing that they write can be
  FlowArrays a;
  int first = 0, last = 0;
  static constexpr int pitch = flow_panel + 4 * vector;
  static inline thread_local std::vector<float> memory;  // kept between steps
  Rolling<float, 2> discharge;
  Rolling<float, 2> f_east, f_south, f_se, f_sw;
  Rolling<int, 2> seen;
  Rolling<float, 3> rise_east, rise_south, rise_se, rise_sw;  // of edges, until their cells settle
  Rolling<float, 2> scale, conc;
  Rolling<float, 2> q_east, q_south, q_se, q_sw;
  Rolling<int, 2> n_east, n_south, n_se, n_sw, s_east, s_south, s_se, s_sw;
  Rolling<uint, 1> columns;
  Rolling<uint, 2> hashes;
  Rolling<int, 1> beds2, waters2, sediments2;
  bool past_cache;
  Rolling<float, 1> rains, erodibilities, q2s, factors, capacity_row;
  Rolling<int, 1> aboves, moves, sinks;
  uint* column = nullptr;
  long long booked[LEDGER_ENTRIES] = {};
};

template <int kind, int known>
void flow_rows(const void* const* v, const Range& range) {
  Grid g;
  Flow p;
  FlowArrays a;
  scree::device::take_arguments(v, g, p, a.bed, a.water, a.sediment, a.east, a.south, a.se, a.sw,
                                a.bed2, a.water2, a.sediment2, a.east2, a.south2, a.se2, a.sw2,
                                a.source, a.erodibility, a.looseness, a.floor, a.sink, a.flow,
                                a.wear, a.deposit, a.ledger);
  FlowPanel<kind, known> panel(g, p, a);
  for (int x = range.x0; x < range.x1; x += flow_panel)
    panel.run(x, imin(x + flow_panel, range.x1), range.y0, range.y1);
}

}  // namespace

SCREE_REGISTER(flow_4, flow_rows<0, -1>)
SCREE_REGISTER(flow_8, flow_rows<FLOW_EIGHT, -1>)
SCREE_REGISTER(flow_4_erosion, flow_rows<FLOW_EROSION, -1>)
SCREE_REGISTER(flow_8_erosion, flow_rows<FLOW_EIGHT | FLOW_EROSION, -1>)
SCREE_REGISTER(flow_sheet, flow_rows<FLOW_SHEET, -1>)
SCREE_REGISTER(flow_4_plain, flow_rows<0, 0>)
SCREE_REGISTER(flow_8_plain, flow_rows<FLOW_EIGHT, 0>)
SCREE_REGISTER(flow_4_erosion_plain, flow_rows<FLOW_EROSION, 0>)
SCREE_REGISTER(flow_8_erosion_plain, flow_rows<FLOW_EIGHT | FLOW_EROSION, 0>)
SCREE_REGISTER(flow_sheet_plain, flow_rows<FLOW_SHEET, 0>)
SCREE_REGISTER(flow_4_masks, flow_rows<0, OPTION_TRACK>)
SCREE_REGISTER(flow_4_layers, flow_rows<0, OPTIONS_ON_LAYERS>)
SCREE_REGISTER(flow_8_masks, flow_rows<FLOW_EIGHT, OPTION_TRACK>)
SCREE_REGISTER(flow_8_layers, flow_rows<FLOW_EIGHT, OPTIONS_ON_LAYERS>)
SCREE_REGISTER(flow_4_erosion_masks, flow_rows<FLOW_EROSION, OPTION_TRACK>)
SCREE_REGISTER(flow_4_erosion_layers, flow_rows<FLOW_EROSION, OPTIONS_ON_LAYERS>)
SCREE_REGISTER(flow_8_erosion_masks, flow_rows<FLOW_EIGHT | FLOW_EROSION, OPTION_TRACK>)
SCREE_REGISTER(flow_8_erosion_layers, flow_rows<FLOW_EIGHT | FLOW_EROSION, OPTIONS_ON_LAYERS>)
SCREE_REGISTER(flow_sheet_masks, flow_rows<FLOW_SHEET, OPTION_TRACK>)
SCREE_REGISTER(flow_sheet_layers, flow_rows<FLOW_SHEET, OPTIONS_ON_LAYERS>)

#endif
