// Sixteen numbers at once, for kernels of layers on a CPU: plain vectors of any compiler, which are
// one register with AVX-512 and several without.
#ifndef SCREE_KERNEL_CPU_LANES_H
#define SCREE_KERNEL_CPU_LANES_H

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <cstring>

#include "kernel/layers.h"

namespace {

constexpr int cpu_lanes = 16;

// For loops whose inner one goes through planes: compilers look at inner loops only. Comparisons
// give -1 or 0.
typedef int Lanes __attribute__((vector_size(64)));
typedef float FloatLanes __attribute__((vector_size(64)));
struct AllLanes {};
FN Lanes load_lanes(const void* from, AllLanes) {
  Lanes all;
  std::memcpy(&all, from, sizeof all);
  return all;
}
FN void store_lanes(void* to, const Lanes& all, AllLanes) { std::memcpy(to, &all, sizeof all); }
FN Lanes load_lanes(const void* from, int lanes) {
  Lanes some = {};
  std::memcpy(&some, from, sizeof(int) * static_cast<std::size_t>(lanes));
  return some;
}
FN void store_lanes(void* to, const Lanes& some, int lanes) {
  std::memcpy(to, &some, sizeof(int) * static_cast<std::size_t>(lanes));
}
// Calls body(x, how many lanes) from xa to xb.
template <class Body>
FN void by_lanes(int xa, int xb, const Body& body) {
  int x = xa;
  for (; x + cpu_lanes <= xb; x += cpu_lanes) body(x, AllLanes{});
  if (x < xb) body(x, xb - x);
}

FN bool any_of(const Lanes& lanes) {
#if defined(__AVX512F__)
  __m512i all;
  std::memcpy(&all, &lanes, sizeof all);
  return _mm512_test_epi32_mask(all, all) != 0;
#else
  int some = 0;
  for (int n = 0; n < cpu_lanes; ++n) some |= lanes[n];
  return some != 0;
#endif
}

// The entries of a row of lanes in a table of materials. Compilers take lookups apart, word by
// word; this table fits registers.
template <class Value>
FN void look_up(const Value* table, const int* material, Value* to) {
#if defined(__AVX512F__)
  const __m512i low = _mm512_loadu_si512(table), high = _mm512_loadu_si512(table + 16);
  _mm512_storeu_si512(to, _mm512_permutex2var_epi32(low, _mm512_loadu_si512(material), high));
#else
  for (int i = 0; i < cpu_lanes; ++i) to[i] = table[material[i]];
#endif
}

template <class Value, class Values>
FN Values looked_up_as(const Value* table, const Lanes& material) {
  alignas(64) int at[cpu_lanes];
  alignas(64) Value to[cpu_lanes];
  Values found;
  std::memcpy(at, &material, sizeof at);
  look_up(table, at, to);
  std::memcpy(&found, to, sizeof to);
  return found;
}
FN Lanes looked_up(const int* table, const Lanes& material) {
  return looked_up_as<int, Lanes>(table, material);
}
FN FloatLanes looked_up(const float* table, const Lanes& material) {
  return looked_up_as<float, FloatLanes>(table, material);
}

// Of words of layers (layers.h).
FN Lanes materials_of(const Lanes& words) { return (words >> 24) & (LAYER_MATERIALS - 1); }
FN Lanes thicknesses_of(const Lanes& words) { return words & LAYER_THICKEST; }

}  // namespace

#endif
