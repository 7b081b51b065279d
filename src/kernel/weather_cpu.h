// Weathering on a CPU: bricks go to threads by columns; a voxel's row is a vector.
#ifndef SCREE_KERNEL_WEATHER_CPU_H
#define SCREE_KERNEL_WEATHER_CPU_H

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cstring>
#include <vector>

#include "kernel/voxel.h"
#include "kernel/weather.h"

namespace {

template <class T>
T* pointer_at(const void* const* v, int i) {
  return static_cast<T*>(*static_cast<void* const*>(v[i]));
}

// ---- weather -------------------------------------------------------------------------------

struct WeatherRow {
  uint solid, rock_gone, worn;
};

// A whole row of a brick. Two loops, since compilers vectorise lookups and the rest only apart.
// `regions` are the words of what holds at each voxel, where regions do at all.
template <bool in_regions>
FN WeatherRow weather_row(uint row_seed, int x0, const uint* RESTRICT table,
                          const uint* RESTRICT rates, const uint* RESTRICT regions,
                          uint* RESTRICT words) {
  alignas(64) uint worn[BRICK_X], loose[BRICK_X];
  SCREE_SIMD
  for (int k = 0; k < BRICK_X; ++k) {
    const uint word = words[k];
    const uint entry = table[static_cast<int>(voxel_material(word))];
    const uint rate = rates[static_cast<int>(bubble_of(entry) * WEATHER_RATES + voxel_air(word))];
    const uint hash = mix_bits(row_seed + static_cast<uint>(x0 + k) * 0x9e3779b1U);
    const uint share = share_of(entry);
    worn[k] = worn_amount(rate, in_regions ? region_share(share, regions[k]) : share, hash);
    loose[k] = loose_of(entry);
  }
  uint solid = 0, rock_gone = 0, sum = 0;
  SCREE_SIMD
  for (int k = 0; k < BRICK_X; ++k) {
    const uint word = words[k], next = weathered(word, worn[k]);
    const uint was = word != 0U ? 1U : 0U, is = next != 0U ? 1U : 0U;
    sum += voxel_amount(word) - voxel_amount(next);
    solid |= is << k;
    rock_gone |= (was & (is ^ 1U) & (loose[k] ^ 1U)) << k;
    words[k] = next;
  }
  return {solid, rock_gone, sum};
}

// A row that the box's edge cuts short.
WeatherRow weather_end(uint row_seed, int x0, int n, const uint* table, const uint* rates,
                       const uint* regions, uint* words) {
  alignas(64) uint row[BRICK_X] = {};
  std::memcpy(row, words, sizeof(uint) * static_cast<std::size_t>(n));
  const WeatherRow result = regions != nullptr
                                ? weather_row<true>(row_seed, x0, table, rates, regions, row)
                                : weather_row<false>(row_seed, x0, table, rates, nullptr, row);
  std::memcpy(words, row, sizeof(uint) * static_cast<std::size_t>(n));
  return result;
}

FN bool has_air(const uint* RESTRICT words, int n) {
  uint any = 0;
  for (int k = 0; k < n; ++k) any |= words[k];
  return voxel_air(any) != 0U;
}

// Rows of a brick lie apart, where no processor looks ahead by itself.
FN void fetch_row(const uint* words) {
  __builtin_prefetch(words);
  __builtin_prefetch(words + BRICK_X / 2);
}

struct WeatherArrays {
  const uint *table, *rates;
  uint *active, *words, *bits, *gone, *changed, *fallen;
  const uint *region_bricks, *region_words, *region_columns;
  i64* tally;
};

WeatherRow weather_in_regions(const VoxelBox& b, const Weather& p, const WeatherArrays& a,
                              uint row_seed, int bx, int y, int z, int n, uint* words) {
  alignas(64) uint regions[BRICK_X] = {};
  const int row = z % BRICK_Z * BRICK_Y + y % BRICK_Y, brick = brick_of(b, bx * BRICK_X, y, z);
  for (int k = 0; k < n; ++k)
    regions[k] = region_at(p, a.region_bricks, a.region_words, a.region_columns, brick, row, k,
                           y * b.nx + bx * BRICK_X + k);
  return weather_end(row_seed, bx * BRICK_X, n, a.table, a.rates, regions, words);
}

// The rows of a brick that are active, in order.
int active_rows(const uint* active, int* rows) {
  int count = 0;
  for (int w = 0; w < ACTIVE_WORDS; ++w)
    for (uint left = active[w]; left != 0U; left &= left - 1U)
      rows[count++] = w * 32 + __builtin_ctz(left);
  return count;
}

void weather_brick(const VoxelBox& b, const Weather& p, const WeatherArrays& a, int bx, int by,
                   int bz) {
  constexpr int ahead = 8;  // rows that are fetched before they are wanted
  const int brick = brick_index(b, bx, by, bz);
  const int x0 = bx * BRICK_X, n = imin(BRICK_X, b.nx - x0);
  uint* active = a.active + static_cast<std::ptrdiff_t>(brick) * ACTIVE_WORDS;
  int rows[BRICK_Y * BRICK_Z];
  const int count = active_rows(active, rows);
  const auto words_of = [&](int row) {
    return a.words + voxel_index(b, x0, by * BRICK_Y + row % BRICK_Y, bz * BRICK_Z + row / BRICK_Y);
  };
  i64 worn = 0, rock = 0, loose = 0;
  uint change = 0;
  for (int i = 0; i < imin(count, ahead); ++i) fetch_row(words_of(rows[i]));
  for (int i = 0; i < count; ++i) {
    if (i + ahead < count) fetch_row(words_of(rows[i + ahead]));
    const int y = by * BRICK_Y + rows[i] % BRICK_Y, z = bz * BRICK_Z + rows[i] / BRICK_Y;
    uint* words = words_of(rows[i]);
    if (!has_air(words, n)) {
      active[rows[i] / 32] &= ~(1U << rows[i] % 32);
      continue;
    }
    const int at = bits_index(b, bx, y, z);
    const uint before = a.bits[at], mine = n == 32 ? 0xffffffffU : (1U << n) - 1U;
    const uint row_seed =
        p.step_seed + static_cast<uint>(y) * 0x85ebca77U + static_cast<uint>(z) * 0xc2b2ae3dU;
    const WeatherRow row =
        p.regions != 0 ? weather_in_regions(b, p, a, row_seed, bx, y, z, n, words)
        : n == BRICK_X ? weather_row<false>(row_seed, x0, a.table, a.rates, nullptr, words)
                       : weather_end(row_seed, x0, n, a.table, a.rates, nullptr, words);
    const uint gone = before & mine & ~row.solid;
    worn += row.worn;
    if (gone == 0U) continue;
    a.bits[at] = before & ~gone;
    a.gone[at] = gone;
    change |= change_in_row(p, gone, y % BRICK_Y, z % BRICK_Z);
    rock += __builtin_popcount(row.rock_gone);
    loose += __builtin_popcount(gone & ~row.rock_gone);
    if (p.keep) a.fallen[(z * b.ny + y) * b.bricks_x + bx] |= row.rock_gone;
  }
  if (change != 0U) a.changed[brick] = change;
  i64* tally = a.tally + static_cast<std::ptrdiff_t>(brick) * 4;
  tally[0] += rock, tally[1] += loose, tally[2] += worn;
}

void weather_columns(const void* const* v, const Range& range) {
  const VoxelBox b = *static_cast<const VoxelBox*>(v[0]);
  const Weather p = *static_cast<const Weather*>(v[1]);
  WeatherArrays a{};
  a.table = pointer_at<const uint>(v, 2), a.rates = pointer_at<const uint>(v, 3);
  a.active = pointer_at<uint>(v, 4), a.words = pointer_at<uint>(v, 5);
  a.bits = pointer_at<uint>(v, 6), a.gone = pointer_at<uint>(v, 7);
  a.changed = pointer_at<uint>(v, 8), a.fallen = pointer_at<uint>(v, 9);
  a.region_bricks = pointer_at<const uint>(v, 10), a.region_words = pointer_at<const uint>(v, 11);
  a.region_columns = pointer_at<const uint>(v, 12), a.tally = pointer_at<i64>(v, 13);
  for (int column = range.y0; column < range.y1; ++column)
    for (int bz = range.x0; bz < range.x1; ++bz) {
      weather_brick(b, p, a, column % b.bricks_x, column / b.bricks_x, bz);
    }
}

// ---- air -----------------------------------------------------------------------------------

typedef unsigned char Bytes32 __attribute__((vector_size(32)));
typedef unsigned char Bytes64 __attribute__((vector_size(64)));
typedef unsigned short Lanes32 __attribute__((vector_size(64)));

FN void add_bytes(Bytes64& sum, const unsigned char* from) {
  Bytes64 value;
  std::memcpy(&value, from, sizeof value);
  sum += value;
}
// Two rows. Compilers take many instructions for what is one or two.
FN void add_widened(Lanes32* sums, const Bytes64& bytes) {
#if defined(__AVX512BW__)
  sums[0] +=
      (Lanes32)_mm512_cvtepu8_epi16(_mm512_maskz_extracti64x4_epi64(0xff, (__m512i)bytes, 0));
  sums[1] +=
      (Lanes32)_mm512_cvtepu8_epi16(_mm512_maskz_extracti64x4_epi64(0xff, (__m512i)bytes, 1));
#else
  Bytes32 halves[2];
  std::memcpy(halves, &bytes, sizeof halves);
  sums[0] += __builtin_convertvector(halves[0], Lanes32);
  sums[1] += __builtin_convertvector(halves[1], Lanes32);
#endif
}

// Two rows of bits, of which any 32 in a row can be added to bytes.
#if defined(__AVX512BW__)
struct SpreadRows {
  SpreadRows(Row64 first, Row64 second) : rows{first, second} {}
  void add_to(Bytes64& sum, int from) const {
    const Row64 mask = (rows[0] >> from & 0xffffffffULL) | rows[1] >> from << 32;
    const __m512i before = (__m512i)sum;
    sum = (Bytes64)_mm512_mask_sub_epi8(before, mask, before, _mm512_set1_epi8(-1));
  }
  Row64 rows[2];
};
#else
struct SpreadRows {
  SpreadRows(Row64 first, Row64 second) {
    spread(first, bytes[0]);
    spread(second, bytes[1]);
  }
  static void spread(Row64 row, unsigned char* to) {
    for (int k = 0; k < 8; ++k) {
      const Row64 copies = (row >> 8 * k & 0xffULL) * 0x0101010101010101ULL;
      const Row64 picked = copies & 0x8040201008040201ULL;
      const Row64 ones = (picked + 0x7f7f7f7f7f7f7f7fULL) >> 7 & 0x0101010101010101ULL;
      std::memcpy(to + 8 * k, &ones, sizeof ones);
    }
  }
  void add_to(Bytes64& sum, int from) const {
    Bytes32 halves[2];
    std::memcpy(halves, &sum, sizeof halves);
    for (int i = 0; i < 2; ++i) {
      Bytes32 value;
      std::memcpy(&value, bytes[i] + from, sizeof value);
      halves[i] += value;
    }
    std::memcpy(&sum, halves, sizeof halves);
  }
  alignas(64) unsigned char bytes[2][64 + 32] = {};
};
#endif

// Two more than a brick's bubbles can see, since rows are taken two by two.
constexpr int SUM_ROWS = RUN_ROWS + 2;

// The bubble of a plan, with the places of its rows worked out. A slice has at most one run in a
// row: where a bubble's slice has more, it is several, one on top of the other.
struct AirPart {
  struct Run {
    int parent;        // the run that it is grown from; -1: none
    int first, count;  // of `ends`
  };
  struct Slice {
    int heights[2 * VOXEL_REACH + 1], count;
    Row64 rows;            // that it has, a bit each; row 16 is the voxel's own
    int places[RUN_ROWS];  // of each row's run
  };
  std::vector<Run> runs;
  std::vector<int> ends;  // what a run has more than its parent: mostly one voxel at either end
  std::vector<Slice> slices;
  int at_once;  // rows that a byte can hold the sum of
};
struct AirBubble {
  int low_y, high_y, low_z, high_z, open;
  Row64 seen;  // bits of a row that any voxel's bubble reaches
  std::vector<AirPart> parts;
};

void read_runs(const int* runs, int count, AirPart& part) {
  int longest = 1;
  for (int r = 0; r < count; ++r) {
    const int parent = run_parent(runs[r]) == 255 ? -1 : run_parent(runs[r]);
    const int start = run_start(runs[r]), end = start + run_length(runs[r]);
    const int from = parent < 0 ? end : run_start(runs[parent]);
    const int to = parent < 0 ? end : from + run_length(runs[parent]);
    part.runs.push_back({parent, static_cast<int>(part.ends.size()), 0});
    for (int x = start; x < end; ++x)
      if (x < from || x >= to) part.ends.push_back(x);
    part.runs.back().count = static_cast<int>(part.ends.size()) - part.runs.back().first;
    longest = imax(longest, run_length(runs[r]));
  }
  part.at_once = 255 / longest;
}

void read_slice(const int* plan, const int* at, AirPart& part) {
  AirPart::Slice empty{};
  empty.count = at[3];
  for (int h = 0; h < at[3]; ++h) empty.heights[h] = plan[at[2] + h];
  const std::size_t first = part.slices.size();
  for (int e = 0; e < at[1]; ++e) {
    const int entry = plan[at[0] + e];
    std::size_t s = first;
    while (s < part.slices.size() && (part.slices[s].rows >> entry_row(entry) & 1U) != 0U) ++s;
    if (s == part.slices.size()) part.slices.push_back(empty);
    part.slices[s].rows |= Row64{1} << entry_row(entry);
    part.slices[s].places[entry_row(entry)] =
        (entry_run(entry) * SUM_ROWS + entry_row(entry)) * BRICK_X;
  }
}

AirBubble read_bubble(const int* plan, int k) {
  const int* head = plan + k * BUBBLE_NUMBERS;
  AirBubble bubble{head[2], head[3], head[4], head[5], head[6], 0, {}};
  for (int i = 0; i < head[1]; ++i) {
    const int* at = plan + head[0] + i * PART_NUMBERS;
    AirPart& part = bubble.parts.emplace_back();
    read_runs(plan + at[0], at[1], part);
    for (int s = 0; s < at[3]; ++s) read_slice(plan, plan + at[2] + s * SLICE_NUMBERS, part);
    for (const int x : part.ends) bubble.seen |= 0xffffffffULL << x;
  }
  return bubble;
}

// A column of bricks. `adding`: `from` holds what went, and is added to the air that words have;
// otherwise it holds what is there, and air is counted anew.
template <bool adding>
class AirColumn {
 public:
  AirColumn(const VoxelBox& box, const int* air_plan, int bubbles, const uint* material_table,
            const uint* solid, const uint* source, uint* all_words, uint* active_bricks)
      : b(box),
        table(material_table),
        bits(solid),
        from(source),
        words(all_words),
        active(active_bricks),
        sums(static_cast<std::size_t>(ring) * BRICK_Y),
        runs(static_cast<std::size_t>(PART_RUNS) * span) {
    for (int k = 0; k < bubbles; ++k) all.push_back(read_bubble(air_plan, k));
  }

  // Consecutive stale bricks of a column share their slices.
  void run(int column, const uint* stale) {
    bx = column % b.bricks_x, by = column / b.bricks_x;
    int first = -1;
    for (int bz = 0; bz <= b.bricks_z; ++bz) {
      const bool mine =
          bz < b.bricks_z && stale[brick_index(b, bx, by, bz)] == (adding ? STALE_ADD : STALE_ANEW);
      const bool wanted = mine && has_rock(bz);
      if (wanted && first < 0) first = bz;
      if (!wanted && first >= 0) {
        count(first, bz);
        first = -1;
      }
      if (mine && !wanted) sleep(bz);
    }
  }

 private:
  static constexpr int ring = 32;  // slices of voxels under way: more than any bubble is high

  uint* active_at(int bz) const {
    return active + static_cast<std::ptrdiff_t>(brick_index(b, bx, by, bz)) * ACTIVE_WORDS;
  }
  void sleep(int bz) const { std::memset(active_at(bz), 0, sizeof(uint) * ACTIVE_WORDS); }
  bool has_rock(int bz) const {
    uint any = 0;
    for (int z = bz * BRICK_Z; z < imin((bz + 1) * BRICK_Z, b.nz); ++z)
      for (int y = by * BRICK_Y; y < imin((by + 1) * BRICK_Y, b.ny); ++y)
        any |= bits[bits_index(b, bx, y, z)] & mine();
    return any != 0U;
  }
  uint mine() const {
    const int n = b.nx - bx * BRICK_X;
    return n >= 32 ? 0xffffffffU : (1U << n) - 1U;
  }

  void count(int first, int end) {
    if (!adding)
      for (int bz = first; bz < end; ++bz) sleep(bz);
    z0 = first * BRICK_Z, z1 = imin(end * BRICK_Z, b.nz);
    const uint present = all.size() > 1 ? bubbles_present() : 1U;
    for (std::size_t k = 0; k < all.size(); ++k)
      if ((present >> k & 1U) != 0U) count_bubble(all[k], static_cast<uint>(k));
  }

  uint bubbles_present() const {
    uint present = 0;
    const int x0 = bx * BRICK_X, n = imin(BRICK_X, b.nx - x0);
    for (int z = z0; z < z1; ++z)
      for (int y = by * BRICK_Y; y < imin((by + 1) * BRICK_Y, b.ny); ++y) {
        const uint* row = words + voxel_index(b, x0, y, z);
        for (int x = 0; x < n; ++x)
          present |= (row[x] != 0U ? 1U : 0U) << bubble_of(table[voxel_material(row[x])]);
      }
    return present;
  }

  void count_bubble(const AirBubble& bubble, uint k) {
    for (int z = z0 + bubble.low_z; z < z1 + bubble.high_z; ++z) {
      const int enters = z - bubble.low_z;
      if (enters < z1) clear(enters);
      const int leaves = z - bubble.high_z;
      if (leaves + 1 >= z0 && leaves + 1 < z1) fetch(leaves + 1);
      add_slice(bubble, z);
      if (leaves >= z0) store(bubble, k, leaves);
    }
  }

  void clear(int z) {
    std::memset(static_cast<void*>(&sums[static_cast<std::size_t>(z % ring) * BRICK_Y]), 0,
                sizeof(Lanes32) * BRICK_Y);
    uint rows = 0;
    for (int y = 0; y < imin(BRICK_Y, b.ny - by * BRICK_Y); ++y) {
      if ((bits[bits_index(b, bx, by * BRICK_Y + y, z)] & mine()) != 0U) rows |= 1U << y;
    }
    rock_rows[z % ring] = rows;
    summed_rows[z % ring] = 0U;
  }
  // What is to be written. Of the slice after the next one all but two slices' sums are known.
  uint written_rows(int z) const {
    return rock_rows[z % ring] & (adding ? summed_rows[z % ring] : 0xffffU);
  }
  void fetch(int z) const {
    for (uint left = written_rows(z); left != 0U; left &= left - 1U)
      fetch_row(words + voxel_index(b, bx * BRICK_X, by * BRICK_Y + __builtin_ctz(left), z));
  }

  // What a slice of the terrain gives to every slice of voxels whose bubbles it passes through.
  void add_slice(const AirBubble& bubble, int z) {
    uint wanted = 0;
    for (int to = imax(z - bubble.high_z, z0); to <= imin(z - bubble.low_z, z1 - 1); ++to)
      wanted |= rock_rows[to % ring];
    if (wanted != 0U) wanted &= load_air(bubble, z);
    if (wanted == 0U) return;
    for (const AirPart& part : bubble.parts) {
      sum_runs(part);
      for (const AirPart::Slice& slice : part.slices) add_rows(part, slice, z, wanted);
    }
  }

  void add_rows(const AirPart& part, const AirPart::Slice& slice, int z, uint wanted) {
    int to[ring], count = 0;
    uint rows = 0;
    for (int h = 0; h < slice.count; ++h) {
      const int target = z - slice.heights[h];
      if (target < z0 || target >= z1) continue;
      to[count++] = target % ring;
      rows |= rock_rows[target % ring];
    }
    uint summed = 0;
    rows = pairs_of(wanted & rows);
    for (uint left = rows; left != 0U; left &= left - 1U) {
      const int y = __builtin_ctz(left);
      const Row64 live = (airy | airy >> 1) >> y & slice.rows;
      if (live == 0U) continue;
      summed |= 3U << y;
      Lanes32 sum[2] = {};
      sum_rows(part, slice, y, live, sum);
      for (int i = 0; i < count; ++i) {
        Lanes32* at = &sums[static_cast<std::size_t>(to[i] * BRICK_Y + y)];
        at[0] += sum[0];
        at[1] += sum[1];
      }
    }
    for (int i = 0; i < count; ++i) summed_rows[to[i]] |= summed;
  }

  // Reads a slice; returns the rows whose bubbles meet air in it.
  uint load_air(const AirBubble& bubble, int z) {
    airy = 0;
    for (int row = BRICK_Y + bubble.low_y; row < 2 * BRICK_Y + bubble.high_y; ++row) {
      const int at = bits_index(b, bx, by * BRICK_Y + row - BRICK_Y, z);
      air[row] = (adding ? row_around(from, at) : air_around(from, at)) & bubble.seen;
      airy |= (air[row] != 0U ? Row64{1} : Row64{0}) << row;
    }
    uint rows = 0;
    const Row64 window = (Row64{2} << (bubble.high_y - bubble.low_y)) - 1;
    for (int y = 0; y < BRICK_Y; ++y)
      rows |= ((airy >> (y + BRICK_Y + bubble.low_y) & window) != 0U ? 1U : 0U) << y;
    return rows;
  }

  // Rows are taken two by two; the first of each two stands for both.
  static uint pairs_of(uint rows) { return (rows | rows >> 1) & 0x5555U; }
  static Row64 pairs_of(Row64 rows) { return (rows | rows >> 1) & 0x5555555555555555ULL; }

  void sum_runs(const AirPart& part) {
    // Rows without any are read where the one beside them has some.
    for (Row64 left = pairs_of(airy | airy << 1 | airy >> 1); left != 0U; left &= left - 1U) {
      const int row = __builtin_ctzll(left);
      const SpreadRows spread(air[row], air[row + 1]);
      unsigned char* to = runs.data() + static_cast<std::ptrdiff_t>(row) * BRICK_X;
      int before = -1;
      Bytes64 sum = {};
      for (std::size_t r = 0; r < part.runs.size(); ++r, to += span) {
        const AirPart::Run run = part.runs[r];
        if (run.parent != before || before < 0) {
          sum = Bytes64{};
          if (run.parent >= 0)
            add_bytes(sum,
                      to - static_cast<std::ptrdiff_t>(static_cast<int>(r) - run.parent) * span);
        }
        const int* end = part.ends.data() + run.first;
        for (int i = 0; i < run.count; ++i) spread.add_to(sum, end[i]);
        std::memcpy(to, &sum, sizeof sum);
        before = static_cast<int>(r);
      }
    }
  }

  // `live`: the slice's rows that have any, for either of the two.
  void sum_rows(const AirPart& part, const AirPart::Slice& slice, int y, Row64 live,
                Lanes32* result) const {
    const unsigned char* first = runs.data() + static_cast<std::ptrdiff_t>(y) * BRICK_X;
    for (int rows = __builtin_popcountll(live); rows > 0; rows -= part.at_once) {
      Bytes64 even = {}, odd = {};
      int left = imin(rows, part.at_once);
      for (; left >= 2; left -= 2) {
        add_bytes(even, first + slice.places[__builtin_ctzll(live)]);
        live &= live - 1U;
        add_bytes(odd, first + slice.places[__builtin_ctzll(live)]);
        live &= live - 1U;
      }
      if (left != 0) {
        add_bytes(even, first + slice.places[__builtin_ctzll(live)]);
        live &= live - 1U;
      }
      add_widened(result, even + odd);
    }
  }

  void store(const AirBubble& bubble, uint k, int z) {
    const int x0 = bx * BRICK_X, n = imin(BRICK_X, b.nx - x0);
    uint airy_rows = 0;
    for (uint left = written_rows(z); left != 0U; left &= left - 1U) {
      const int y = __builtin_ctz(left);
      const int at = bits_index(b, bx, by * BRICK_Y + y, z);
      const uint open = bubble.open != 0 ? open_faces(b, bits, at) : 0xffffffffU;
      unsigned short counts[BRICK_X];
      std::memcpy(counts, &sums[static_cast<std::size_t>(z % ring * BRICK_Y + y)], sizeof counts);
      uint* RESTRICT row = words + voxel_index(b, x0, by * BRICK_Y + y, z);
      const uint any = all.size() == 1 ? store_row<true>(row, counts, open, n, k)
                                       : store_row<false>(row, counts, open, n, k);
      if (any != 0U) airy_rows |= 1U << y;
    }
    active_at(z / BRICK_Z)[z % BRICK_Z / 2] |= airy_rows << z % 2 * BRICK_Y;
  }

  template <bool only>
  uint store_row(uint* RESTRICT row, const unsigned short* RESTRICT counts, uint open, int n,
                 uint k) const {
    uint any = 0;
    SCREE_SIMD
    for (int x = 0; x < n; ++x) {
      const uint word = row[x];
      const uint air_here = adding || (open >> x & 1U) != 0U ? counts[x] : 0U;
      const bool takes = word != 0U && (only || bubble_of(table[voxel_material(word)]) == k);
      const uint next = adding ? word + (air_here << VOXEL_AIR_SHIFT) : with_air(word, air_here);
      row[x] = takes ? next : word;
      any |= takes ? air_here : 0U;
    }
    return any;
  }

  static constexpr int span = SUM_ROWS * BRICK_X;  // bytes of a run's sums
  VoxelBox b;
  const uint *table, *bits, *from;
  uint *words, *active;
  std::vector<AirBubble> all;
  std::vector<Lanes32> sums;
  std::vector<unsigned char> runs;
  Row64 air[SUM_ROWS] = {}, airy = 0;  // rows of a slice, and which of them have any
  uint rock_rows[ring] = {}, summed_rows[ring] = {};
  int bx = 0, by = 0, z0 = 0, z1 = 0;
};

void air_columns(const void* const* v, const Range& range) {
  const VoxelBox b = *static_cast<const VoxelBox*>(v[0]);
  const Weather p = *static_cast<const Weather*>(v[1]);
  const uint* bits = pointer_at<const uint>(v, 4);
  AirColumn<false> column(b, pointer_at<const int>(v, 2), p.bubbles, pointer_at<const uint>(v, 3),
                          bits, bits, pointer_at<uint>(v, 6), pointer_at<uint>(v, 7));
  for (int i = range.y0; i < range.y1; ++i) column.run(i, pointer_at<const uint>(v, 5));
}

void added_columns(const void* const* v, const Range& range) {
  const VoxelBox b = *static_cast<const VoxelBox*>(v[0]);
  const Weather p = *static_cast<const Weather*>(v[1]);
  AirColumn<true> column(b, pointer_at<const int>(v, 2), p.bubbles, pointer_at<const uint>(v, 4),
                         pointer_at<const uint>(v, 5), pointer_at<const uint>(v, 6),
                         pointer_at<uint>(v, 8), pointer_at<uint>(v, 9));
  for (int i = range.y0; i < range.y1; ++i) column.run(i, pointer_at<const uint>(v, 7));
}

}  // namespace

SCREE_REGISTER(weather, weather_columns)
SCREE_REGISTER(air_count, air_columns)
SCREE_REGISTER(air_add, added_columns)

#endif
