// Weathering on a CPU: bricks go to threads by columns; a voxel's row is a vector.
#ifndef SCREE_KERNEL_WEATHER_CPU_H
#define SCREE_KERNEL_WEATHER_CPU_H

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cstring>
#include <vector>

#include "kernel/common/cpu_arguments.h"
#include "kernel/voxels/voxel.h"
#include "kernel/voxels/weather.h"

namespace {

typedef uint Words16 __attribute__((vector_size(64)));

// A bit for each word of a row that has any of `bits`.
FN uint words_with(const uint* RESTRICT words, uint bits) {
#if defined(__AVX512BW__)
  const __m512i wanted = _mm512_set1_epi32(static_cast<int>(bits));
  return _mm512_test_epi32_mask(_mm512_loadu_si512(words), wanted) |
         static_cast<uint>(_mm512_test_epi32_mask(_mm512_loadu_si512(words + 16), wanted)) << 16;
#else
  uint found = 0;
  SCREE_SIMD
  for (int k = 0; k < BRICK_X; ++k) found |= ((words[k] & bits) != 0U ? 1U : 0U) << k;
  return found;
#endif
}

// The entries of a row's materials and their rates. Compilers take lookups apart, word by word; a
// table that fits registers is looked up there, and what has no air has no rate (check_bubble).
FN void look_up(const uint* RESTRICT table, const uint* RESTRICT rates, const uint* RESTRICT words,
                uint* RESTRICT entries, uint* RESTRICT rate) {
#if defined(__AVX512BW__)
  const auto part_of_table = [&](int i) { return _mm512_loadu_si512(table + 16 * i); };
  const auto any_of = [](Words16 value, uint bits) {
    return _mm512_test_epi32_mask((__m512i)value, (__m512i)(Words16{} + bits));
  };
  const __m512i none = (__m512i)Words16{};
  for (int k = 0; k < BRICK_X; k += 16) {
    const Words16 word = (Words16)_mm512_loadu_si512(words + k);
    const Words16 material = word >> VOXEL_MATERIAL_SHIFT & 255U, air = word >> VOXEL_AIR_SHIFT;
    const __m512i at = (__m512i)material;
    const __m512i low = _mm512_permutex2var_epi32(part_of_table(0), at, part_of_table(1));
    const __m512i high = _mm512_permutex2var_epi32(part_of_table(2), at, part_of_table(3));
    __m512i entry = _mm512_mask_blend_epi32(any_of(material, 32), low, high);
    if (any_of(material, 192) != 0)
      entry = _mm512_mask_i32gather_epi32(none, 0xffff, at, table, sizeof(uint));
    _mm512_store_si512(entries + k, entry);
    const Words16 place = ((Words16)entry >> 16 & 255U) * uint{WEATHER_RATES} + air;
    const __mmask16 airy = any_of(air, VOXEL_MOST_AIR);
    _mm512_store_si512(rate + k, airy == 0 ? none
                                           : _mm512_mask_i32gather_epi32(none, airy, (__m512i)place,
                                                                         rates, sizeof(uint)));
  }
#else
  SCREE_SIMD
  for (int k = 0; k < BRICK_X; ++k) {
    entries[k] = table[static_cast<int>(voxel_material(words[k]))];
    rate[k] = rates[static_cast<int>(bubble_of(entries[k]) * WEATHER_RATES + voxel_air(words[k]))];
  }
#endif
}

// A whole row of a brick: its words after a step, and which are left. `regions` are the words of
// what holds at each voxel, where regions do at all; `entries` becomes those of its materials;
// `worn` grows by what each voxel lost. Lookups stand apart: compilers vectorise them only so.
template <bool in_regions>
FN uint weather_row(uint row_seed, int x0, const uint* RESTRICT table, const uint* RESTRICT rates,
                    const uint* RESTRICT regions, uint* RESTRICT words, uint* RESTRICT entries,
                    uint* RESTRICT worn) {
  alignas(64) uint rate[BRICK_X];
  look_up(table, rates, words, entries, rate);
  SCREE_SIMD
  for (int k = 0; k < BRICK_X; ++k) {
    const uint hash = mix_bits(row_seed + static_cast<uint>(x0 + k) * 0x9e3779b1U);
    const uint share = share_of(entries[k]);
    const uint loss =
        worn_amount(rate[k], in_regions ? region_share(share, regions[k]) : share, hash);
    const uint word = words[k], next = weathered(word, loss);
    worn[k] += voxel_amount(word) - voxel_amount(next);
    words[k] = next;
  }
  return words_with(words, VOXEL_FULL);
}

// A row that the box's edge cuts short.
uint weather_end(uint row_seed, int x0, int n, const uint* table, const uint* rates,
                 const uint* regions, uint* words, uint* entries, uint* worn) {
  alignas(64) uint row[BRICK_X] = {};
  std::memcpy(row, words, sizeof(uint) * static_cast<std::size_t>(n));
  const uint left =
      regions != nullptr
          ? weather_row<true>(row_seed, x0, table, rates, regions, row, entries, worn)
          : weather_row<false>(row_seed, x0, table, rates, nullptr, row, entries, worn);
  std::memcpy(words, row, sizeof(uint) * static_cast<std::size_t>(n));
  return left;
}

FN bool has_air(const uint* RESTRICT words, int n) {
  if (n == BRICK_X) return words_with(words, ~0U << VOXEL_AIR_SHIFT) != 0U;
  uint any = 0;
  for (int k = 0; k < n; ++k) any |= words[k];
  return voxel_air(any) != 0U;
}

struct WeatherArrays {
  const uint *table, *rates;
  uint *active, *words, *bits, *gone, *changed, *fallen;
  const uint *region_bricks, *region_words, *region_columns;
  i64* tally;
};

uint weather_in_regions(const VoxelBox& b, const Weather& p, const WeatherArrays& a, uint row_seed,
                        int bx, int y, int z, int n, uint* words, uint* entries, uint* worn) {
  alignas(64) uint regions[BRICK_X] = {};
  const int row = z % BRICK_Z * BRICK_Y + y % BRICK_Y, brick = brick_of(b, bx * BRICK_X, y, z);
  for (int k = 0; k < n; ++k)
    regions[k] = region_at(p, a.region_bricks, a.region_words, a.region_columns, brick, row, k,
                           y * b.nx + bx * BRICK_X + k);
  return weather_end(row_seed, bx * BRICK_X, n, a.table, a.rates, regions, words, entries, worn);
}

// Bricks side by side, row by row through all of them, as they lie in memory.
class WeatherStrip {
 public:
  WeatherStrip(const VoxelBox& box, const Weather& weather, const WeatherArrays& arrays)
      : b(box), p(weather), a(arrays), awake(static_cast<std::size_t>(box.bricks_x)) {}

  // Bricks from the first one on, `count` of them.
  void run(int first, int count) {
    const int by = first / b.bricks_x % b.bricks_y, bz = first / (b.bricks_x * b.bricks_y);
    int bricks = 0;
    for (int brick = first; brick < first + count; ++brick)
      if (is_awake(brick)) awake[static_cast<std::size_t>(bricks++)] = brick;
    rock = loose = worn = 0;
    const int rows_y = imin(BRICK_Y, b.ny - by * BRICK_Y),
              rows_z = imin(BRICK_Z, b.nz - bz * BRICK_Z);
    for (int row = 0; bricks > 0 && row < rows_z * BRICK_Y; ++row) {
      if (row % BRICK_Y >= rows_y) continue;
      for (int i = 0; i < bricks; ++i) {
        const int brick = awake[static_cast<std::size_t>(i)];
        uint& active = a.active[static_cast<std::ptrdiff_t>(brick) * ACTIVE_WORDS + row / 32];
        if ((active >> row % 32 & 1U) != 0U &&
            !weather_one(brick, by * BRICK_Y + row % BRICK_Y, bz * BRICK_Z + row / BRICK_Y))
          active &= ~(1U << row % 32);
      }
    }
    for (const uint at_place : worn_at) worn += at_place;
    std::memset(worn_at, 0, sizeof worn_at);
    i64* tally = a.tally + static_cast<std::ptrdiff_t>(first) * 4;
    tally[0] += rock, tally[1] += loose, tally[2] += worn;
  }

 private:
  bool is_awake(int brick) const {
    const uint* active = a.active + static_cast<std::ptrdiff_t>(brick) * ACTIVE_WORDS;
    uint any = 0;
    for (int w = 0; w < ACTIVE_WORDS; ++w) any |= active[w];
    return any != 0U;
  }

  // A row of a brick; false: there is no air in any bubble of it.
  bool weather_one(int brick, int y, int z) {
    const int bx = brick % b.bricks_x, x0 = bx * BRICK_X, n = imin(BRICK_X, b.nx - x0);
    uint* words = a.words + voxel_index(b, x0, y, z);
    fetch_row(words + 2 * b.nx);
    if (!has_air(words, n)) return false;
    const int at = bits_index(b, bx, y, z);
    const uint before = a.bits[at], mine = n == 32 ? 0xffffffffU : (1U << n) - 1U;
    const uint seed =
        p.step_seed + static_cast<uint>(y) * 0x85ebca77U + static_cast<uint>(z) * 0xc2b2ae3dU;
    const uint left =
        p.regions != 0 ? weather_in_regions(b, p, a, seed, bx, y, z, n, words, entries, worn_at)
        : n == BRICK_X
            ? weather_row<false>(seed, x0, a.table, a.rates, nullptr, words, entries, worn_at)
            : weather_end(seed, x0, n, a.table, a.rates, nullptr, words, entries, worn_at);
    const uint gone = before & mine & ~left;
    if (gone != 0U) note(brick, at, before, gone, y, z);
    return true;
  }

  void note(int brick, int at, uint before, uint gone, int y, int z) {
    const uint rock_gone = gone & ~words_with(entries, material_entry(0, 0, 1));
    a.bits[at] = before & ~gone;
    a.gone[at] = gone;
    a.changed[brick] |= change_in_row(p, gone, y % BRICK_Y, z % BRICK_Z);
    rock += __builtin_popcount(rock_gone);
    loose += __builtin_popcount(gone & ~rock_gone);
    if (p.keep) a.fallen[(z * b.ny + y) * b.bricks_x + brick % b.bricks_x] |= rock_gone;
  }

  VoxelBox b;
  Weather p;
  WeatherArrays a;
  std::vector<int> awake;
  i64 rock = 0, loose = 0, worn = 0;
  // What has worn at each place of a row: a strip's rows lose less than 2^32 there.
  alignas(64) uint entries[BRICK_X] = {}, worn_at[BRICK_X] = {};
};

// The range is of columns; as many bricks are taken in the order in which they lie.
void weather_columns(const void* const* v, const Range& range) {
  VoxelBox b;
  Weather p;
  WeatherArrays a{};
  scree::device::take_arguments(v, b, p, a.table, a.rates, a.active, a.words, a.bits, a.gone,
                                a.changed, a.fallen, a.region_bricks, a.region_words,
                                a.region_columns, a.tally);
  WeatherStrip strip(b, p, a);
  const int end = range.y1 * b.bricks_z;
  for (int brick = range.y0 * b.bricks_z; brick < end;) {
    const int count = imin(b.bricks_x - brick % b.bricks_x, end - brick);
    strip.run(brick, count);
    brick += count;
  }
}

}  // namespace

SCREE_REGISTER(weather, weather_columns)

#endif
