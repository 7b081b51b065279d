// As many numbers at once as a register holds, for kernels of layers on a CPU: plain vectors of any
// compiler. In wider ones than the machine has, compilers choose number by number.
#ifndef SCREE_KERNEL_CPU_LANES_H
#define SCREE_KERNEL_CPU_LANES_H

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <cstring>

#include "kernel/layers/layers.h"

namespace {

#if defined(__AVX512F__)
constexpr int cpu_lanes = 16;
#elif defined(__AVX2__)
constexpr int cpu_lanes = 8;
#else
constexpr int cpu_lanes = 4;
#endif

// For loops whose inner one goes through planes: compilers look at inner loops only. Comparisons
// give -1 or 0.
typedef int Lanes __attribute__((vector_size(4 * cpu_lanes)));
typedef float FloatLanes __attribute__((vector_size(4 * cpu_lanes)));
struct AllLanes {};
FN Lanes load_lanes(const void* from, AllLanes) {
  Lanes all;
  std::memcpy(&all, from, sizeof all);
  return all;
}
FN void store_lanes(void* to, const Lanes& all, AllLanes) { std::memcpy(to, &all, sizeof all); }
FN void store_lanes(void* to, const FloatLanes& all, AllLanes) {
  std::memcpy(to, &all, sizeof all);
}
FN Lanes load_lanes(const void* from, int lanes) {
  Lanes some = {};
  std::memcpy(&some, from, sizeof(int) * static_cast<std::size_t>(lanes));
  return some;
}
FN void store_lanes(void* to, const Lanes& some, int lanes) {
  std::memcpy(to, &some, sizeof(int) * static_cast<std::size_t>(lanes));
}
FN void store_lanes(void* to, const FloatLanes& some, int lanes) {
  std::memcpy(to, &some, sizeof(float) * static_cast<std::size_t>(lanes));
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

FN Lanes lane_numbers() {
  Lanes numbers = {};
  for (int n = 0; n < cpu_lanes; ++n) numbers[n] = n;
  return numbers;
}
FN Lanes lesser_lanes(const Lanes& a, const Lanes& b) { return a < b ? a : b; }
FN Lanes greater_lanes(const Lanes& a, const Lanes& b) { return a > b ? a : b; }
// Of all lanes one: the greatest of them, all bits of them.
template <class Both>
FN int one_lane(const Lanes& lanes, const Both& both) {
#if defined(__AVX512F__)
  // Each time of half as many.
  const auto half = both(__builtin_shufflevector(lanes, lanes, 0, 1, 2, 3, 4, 5, 6, 7),
                         __builtin_shufflevector(lanes, lanes, 8, 9, 10, 11, 12, 13, 14, 15));
  auto four = both(__builtin_shufflevector(half, half, 0, 1, 2, 3),
                   __builtin_shufflevector(half, half, 4, 5, 6, 7));
  four = both(four, __builtin_shufflevector(four, four, 2, 3, 0, 1));
  four = both(four, __builtin_shufflevector(four, four, 1, 0, 3, 2));
  return four[0];
#else
  int one = lanes[0];
  for (int n = 1; n < cpu_lanes; ++n) one = both(one, lanes[n]);
  return one;
#endif
}
FN int greatest_lane(const Lanes& lanes) {
  return one_lane(lanes, [](const auto& a, const auto& b) { return a > b ? a : b; });
}
FN int bits_of_lanes(const Lanes& lanes) {
  return one_lane(lanes, [](const auto& a, const auto& b) { return a | b; });
}

// Tops, which are pairs; compilers take these apart, too.
struct TopLanes {
  Lanes height, about;
};
FN TopLanes load_tops(const LayerTop* from, AllLanes) {
  TopLanes tops;
#if defined(__AVX512F__)
  const __m512i low = _mm512_loadu_si512(from), high = _mm512_loadu_si512(from + 8);
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
  const __m512i heights = _mm512_permutex2var_epi32(low, even, high);
  const __m512i abouts = _mm512_permutex2var_epi32(low, odd, high);
  std::memcpy(&tops.height, &heights, sizeof heights);
  std::memcpy(&tops.about, &abouts, sizeof abouts);
#else
  for (int n = 0; n < cpu_lanes; ++n) {
    tops.height[n] = from[n].height;
    tops.about[n] = static_cast<int>(from[n].about);
  }
#endif
  return tops;
}
FN TopLanes load_tops(const LayerTop* from, int lanes) {
  LayerTop some[cpu_lanes] = {};
  for (int n = 0; n < lanes; ++n) some[n] = from[n];
  return load_tops(some, AllLanes{});
}
FN void store_tops(LayerTop* to, const TopLanes& tops, AllLanes) {
#if defined(__AVX512F__)
  __m512i heights, abouts;
  std::memcpy(&heights, &tops.height, sizeof heights);
  std::memcpy(&abouts, &tops.about, sizeof abouts);
  const __m512i low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
  _mm512_storeu_si512(to, _mm512_permutex2var_epi32(heights, low, abouts));
  _mm512_storeu_si512(to + 8, _mm512_permutex2var_epi32(heights, high, abouts));
#else
  for (int n = 0; n < cpu_lanes; ++n)
    to[n] = LayerTop{tops.height[n], static_cast<uint>(tops.about[n])};
#endif
}
FN void store_tops(LayerTop* to, const TopLanes& tops, int lanes) {
  LayerTop some[cpu_lanes];
  store_tops(some, tops, AllLanes{});
  for (int n = 0; n < lanes; ++n) to[n] = some[n];
}

// Of words of layers (layers.h).
FN Lanes materials_of(const Lanes& words) { return (words >> 24) & (LAYER_MATERIALS - 1); }
FN Lanes thicknesses_of(const Lanes& words) { return words & LAYER_THICKEST; }

}  // namespace

#endif
