// The air around a voxel on a CPU (weather.h): a column of bricks at a time, rows of bits spread to
// bytes and added up.
#ifndef SCREE_KERNEL_AIR_CPU_H
#define SCREE_KERNEL_AIR_CPU_H

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cstring>
#include <type_traits>
#include <vector>

#include "kernel/common/cpu_arguments.h"
#include "kernel/voxels/voxel.h"
#include "kernel/voxels/weather.h"

namespace {

typedef unsigned char Bytes32 __attribute__((vector_size(32)));
typedef unsigned char Bytes64 __attribute__((vector_size(64)));
typedef unsigned short Lanes32 __attribute__((vector_size(64)));

template <class Bytes>
FN void add_bytes(Bytes& sum, const unsigned char* from) {
  Bytes value;
  std::memcpy(&value, from, sizeof value);
  sum += value;
}

// The sums of two rows. Compilers take many instructions for what is one or two.
struct WideSums {
  Lanes32 rows[2];
};
FN void add_sums(WideSums& sums, const Bytes64& bytes) {
#if defined(__AVX512BW__)
  const auto widened = [&](__m256i half) { return (Lanes32)_mm512_cvtepu8_epi16(half); };
  sums.rows[0] += widened(_mm512_maskz_extracti64x4_epi64(0xff, (__m512i)bytes, 0));
  sums.rows[1] += widened(_mm512_maskz_extracti64x4_epi64(0xff, (__m512i)bytes, 1));
#else
  Bytes32 halves[2];
  std::memcpy(halves, &bytes, sizeof halves);
  sums.rows[0] += __builtin_convertvector(halves[0], Lanes32);
  sums.rows[1] += __builtin_convertvector(halves[1], Lanes32);
#endif
}
// Beyond 255 a byte stays 255.
FN void add_saturated(Bytes32& sum, const Bytes32& more) {
#if defined(__AVX2__)
  sum = (Bytes32)_mm256_adds_epu8((__m256i)sum, (__m256i)more);
#else
  sum += more;
  sum |= (Bytes32)(sum < more);
#endif
}
FN bool is_full(const Bytes32& sum) {
  const Bytes32 full = (Bytes32)(sum == 255);
  Row64 parts[4];
  std::memcpy(parts, &full, sizeof parts);
  return (parts[0] | parts[1] | parts[2] | parts[3]) != 0U;
}

// A row of bits, a byte each.
FN void spread_row(Row64 row, unsigned char* to) {
#if defined(__AVX512BW__)
  _mm512_storeu_si512(to, _mm512_maskz_set1_epi8(row, 1));
#else
  for (int k = 0; k < 8; ++k) {
    const Row64 copies = (row >> 8 * k & 0xffULL) * 0x0101010101010101ULL;
    const Row64 picked = copies & 0x8040201008040201ULL;
    const Row64 ones = (picked + 0x7f7f7f7f7f7f7f7fULL) >> 7 & 0x0101010101010101ULL;
    std::memcpy(to + 8 * k, &ones, sizeof ones);
  }
#endif
}

// Two more than a brick's bubbles can see, since rows are taken two by two.
constexpr int SUM_ROWS = RUN_ROWS + 2;
// Behind the sums of a part's runs: as many rows of zeros.
constexpr int NOTHING = PART_RUNS * SUM_ROWS * BRICK_X;
// Slices that are summed together where few voxels went: as many as a ball of radius 10 has.
constexpr int TOGETHER = 11;

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
  struct Group {
    int first, count;  // of `slices`
    Row64 rows;
    int places[RUN_ROWS][TOGETHER];  // of each row's runs; a slice without one has NOTHING
  };
  std::vector<Run> runs;
  std::vector<int> ends;  // what a run has more than its parent: mostly one voxel at either end
  std::vector<Slice> slices;
  std::vector<Group> groups;
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

void group_slices(AirPart& part) {
  const int all = static_cast<int>(part.slices.size());
  for (int first = 0; first < all; first += TOGETHER) {
    AirPart::Group& group = part.groups.emplace_back();
    group.first = first, group.count = imin(TOGETHER, all - first), group.rows = 0;
    for (auto& places : group.places)
      for (int& place : places) place = NOTHING;
    for (int i = 0; i < group.count; ++i) {
      const AirPart::Slice& slice = part.slices[static_cast<std::size_t>(first + i)];
      group.rows |= slice.rows;
      for (Row64 left = slice.rows; left != 0U; left &= left - 1U)
        group.places[__builtin_ctzll(left)][i] = slice.places[__builtin_ctzll(left)];
    }
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
    group_slices(part);
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
        wide_sums(static_cast<std::size_t>(ring) * BRICK_Y / 2),
        small_sums(static_cast<std::size_t>(apart) * BRICK_Y),
        runs(static_cast<std::size_t>(PART_RUNS + 1) * span) {
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
  WideSums& wide_at(int y, int z) {
    return wide_sums[static_cast<std::size_t>(z % ring * BRICK_Y + y) / 2];
  }
  // A row's are together, and rows an odd number of them apart: otherwise they would push each
  // other out of the cache.
  static constexpr int apart = ring + 1;
  Bytes32& small_at(int y, int z) {
    return small_sums[static_cast<std::size_t>(y * apart + z % ring)];
  }

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

  // Where few voxels went, bytes can hold what is to be added. That is tried, and when it fails,
  // the rest is done with more; and so are the next ones, for they are mostly alike.
  void count_bubble(const AirBubble& bubble, uint k) {
    constexpr int patience = 32;
    const int first = z0;
    if (adding && crowded == 0) {
      z0 = sum_bubble<true>(bubble, k);
      if (z0 < z1) crowded = patience;
    } else if (crowded > 0) {
      --crowded;
    }
    if (z0 < z1) sum_bubble<false>(bubble, k);
    z0 = first;
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

  // Returns the first slice that it could not do.
  template <bool small>
  int sum_bubble(const AirBubble& bubble, uint k) {
    for (int z = z0 + bubble.low_z; z < z1 + bubble.high_z; ++z) {
      const int enters = z - bubble.low_z;
      if (enters < z1) clear<small>(enters);
      const int leaves = z - bubble.high_z;
      if (leaves + 2 >= z0 && leaves + 2 < z1) fetch(leaves + 2);
      add_slice<small>(bubble, z);
      if (leaves >= z0 && !store<small>(bubble, k, leaves)) return leaves;
    }
    return z1;
  }

  template <bool small>
  void clear(int z) {
    for (int y = 0; y < BRICK_Y; ++y)
      if (small)
        small_at(y, z) = Bytes32{};
      else
        wide_at(y, z) = WideSums{};
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
  template <bool small>
  void add_slice(const AirBubble& bubble, int z) {
    uint wanted = 0;
    for (int to = imax(z - bubble.high_z, z0); to <= imin(z - bubble.low_z, z1 - 1); ++to)
      wanted |= rock_rows[to % ring];
    if (wanted != 0U) wanted &= load_air(bubble, z);
    if (wanted == 0U) return;
    for (const AirPart& part : bubble.parts) {
      sum_runs<small>(part);
      if (small)
        for (const AirPart::Group& group : part.groups) add_group(part, group, z, wanted);
      else
        for (const AirPart::Slice& slice : part.slices) add_rows(part, slice, z, wanted);
    }
  }

  // The slices of voxels that a slice of their bubble gives to; returns how many.
  int targets_of(const AirPart::Slice& slice, int z, int* to, uint& rows) const {
    int count = 0;
    for (int h = 0; h < slice.count; ++h) {
      const int target = z - slice.heights[h];
      if (target < z0 || target >= z1) continue;
      to[count++] = target % ring;
      rows |= rock_rows[target % ring];
    }
    return count;
  }

  void add_rows(const AirPart& part, const AirPart::Slice& slice, int z, uint wanted) {
    int to[ring];
    uint rows = 0, summed = 0;
    const int count = targets_of(slice, z, to, rows);
    for (uint left = pairs_of(wanted & rows); left != 0U; left &= left - 1U) {
      const int y = __builtin_ctz(left);
      const Row64 live = (airy | airy >> 1) >> y & slice.rows;
      if (live == 0U) continue;
      summed |= 3U << y;
      WideSums sum = {};
      sum_rows(part, slice, y, live, sum);
      for (int i = 0; i < count; ++i) {
        WideSums& at = wide_at(y, to[i]);
        at.rows[0] += sum.rows[0];
        at.rows[1] += sum.rows[1];
      }
    }
    for (int i = 0; i < count; ++i) summed_rows[to[i]] |= summed;
  }

  // The same where few voxels went: row by row, and all slices at once.
  void add_group(const AirPart& part, const AirPart::Group& group, int z, uint wanted) {
    const AirPart::Slice* slices = &part.slices[static_cast<std::size_t>(group.first)];
    int to[TOGETHER][ring], counts[TOGETHER];
    uint rows = 0, summed[TOGETHER] = {};
    for (int s = 0; s < group.count; ++s) counts[s] = targets_of(slices[s], z, to[s], rows);
    for (uint left = wanted & rows; left != 0U; left &= left - 1U) {
      const int y = __builtin_ctz(left);
      const Row64 live = airy >> y & group.rows;
      for (Row64 rest = live; rest != 0U;) {
        Bytes32 sum[TOGETHER];
        rest = group.count > 4 ? sum_group<TOGETHER>(part, group, y, rest, sum)
                               : sum_group<4>(part, group, y, rest, sum);
        for (int s = 0; s < group.count; ++s) {
          if ((live & slices[s].rows) == 0U) continue;
          summed[s] |= 1U << y;
          for (int i = 0; i < counts[s]; ++i) add_saturated(small_at(y, to[s][i]), sum[s]);
        }
      }
    }
    for (int s = 0; s < group.count; ++s)
      for (int i = 0; i < counts[s]; ++i) summed_rows[to[s][i]] |= summed[s];
  }
  // `live`: the group's rows that have any; returns those that bytes have no room for.
  template <int size>
  Row64 sum_group(const AirPart& part, const AirPart::Group& group, int y, Row64 live,
                  Bytes32* result) const {
    const unsigned char* first = runs.data() + static_cast<std::ptrdiff_t>(y) * BRICK_X;
    Bytes32 sum[size] = {};
    for (int left = part.at_once; left > 0 && live != 0U; --left, live &= live - 1U) {
      const int* places = group.places[__builtin_ctzll(live)];
#pragma GCC unroll 11
      for (int s = 0; s < size; ++s) add_bytes(sum[s], first + places[s]);
    }
#pragma GCC unroll 11
    for (int s = 0; s < size; ++s) result[s] = sum[s];
    return live;
  }

  // Rows are taken two by two; the first of each two stands for both.
  static uint pairs_of(uint rows) { return (rows | rows >> 1) & 0x5555U; }

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

  template <bool small>
  void sum_runs(const AirPart& part) {
    int rows[SUM_ROWS], count = 0;
    for (Row64 left = airy; left != 0U; left &= left - 1U) {
      rows[count] = __builtin_ctzll(left);
      spread_row(air[rows[count]], spread[rows[count]]);
      ++count;
    }
    // Rows that are taken two by two are read with the ones beside them.
    for (Row64 left = small ? 0U : (airy << 1 | airy >> 1) & ~airy; left != 0U; left &= left - 1U) {
      unsigned char* to =
          runs.data() + static_cast<std::ptrdiff_t>(__builtin_ctzll(left)) * BRICK_X;
      for (std::size_t r = 0; r < part.runs.size(); ++r, to += span) std::memset(to, 0, BRICK_X);
    }
    rows[count] = rows[0];  // an odd one is taken together with the first
    for (int i = 0; i < count; i += 2) sum_runs_of(part, rows[i], rows[i + 1]);
  }
  void sum_runs_of(const AirPart& part, int first, int second) {
    unsigned char* to = runs.data() + static_cast<std::ptrdiff_t>(first) * BRICK_X;
    const std::ptrdiff_t further = static_cast<std::ptrdiff_t>(second - first) * BRICK_X;
    int before = -1;
    Bytes32 sum = {}, other = {};
    for (std::size_t r = 0; r < part.runs.size(); ++r, to += span) {
      const AirPart::Run run = part.runs[r];
      if (run.parent != before || before < 0) {
        sum = other = Bytes32{};
        if (run.parent >= 0) {
          const unsigned char* parent =
              to - static_cast<std::ptrdiff_t>(static_cast<int>(r) - run.parent) * span;
          add_bytes(sum, parent);
          add_bytes(other, parent + further);
        }
      }
      const int* end = part.ends.data() + run.first;
      for (int i = 0; i < run.count; ++i) {
        add_bytes(sum, spread[first] + end[i]);
        add_bytes(other, spread[second] + end[i]);
      }
      std::memcpy(to, &sum, sizeof sum);
      std::memcpy(to + further, &other, sizeof other);
      before = static_cast<int>(r);
    }
  }

  // `live`: the slice's rows that have any, for either of the two.
  void sum_rows(const AirPart& part, const AirPart::Slice& slice, int y, Row64 live,
                WideSums& total) const {
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
      add_sums(total, even + odd);
    }
  }

  template <bool small>
  bool store(const AirBubble& bubble, uint k, int z) {
    if (small && is_crowded(z)) return false;
    const int x0 = bx * BRICK_X, n = imin(BRICK_X, b.nx - x0);
    uint airy_rows = 0;
    for (uint left = written_rows(z); left != 0U; left &= left - 1U) {
      const int y = __builtin_ctz(left);
      const int at = bits_index(b, bx, by * BRICK_Y + y, z);
      const uint open = bubble.open != 0 ? open_faces(b, bits, at) : 0xffffffffU;
      std::conditional_t<small, unsigned char, unsigned short> counts[BRICK_X];
      if (small)
        std::memcpy(counts, &small_at(y, z), sizeof counts);
      else
        std::memcpy(counts, &wide_at(y, z).rows[y % 2], sizeof counts);
      uint* RESTRICT row = words + voxel_index(b, x0, by * BRICK_Y + y, z);
      const uint any = all.size() == 1 ? store_row<true>(row, counts, open, n, k)
                                       : store_row<false>(row, counts, open, n, k);
      if (any != 0U) airy_rows |= 1U << y;
    }
    active_at(z / BRICK_Z)[z % BRICK_Z / 2] |= airy_rows << z % 2 * BRICK_Y;
    return true;
  }
  bool is_crowded(int z) {
    bool any = false;
    for (uint left = written_rows(z); left != 0U; left &= left - 1U)
      any |= is_full(small_at(__builtin_ctz(left), z));
    return any;
  }

  template <bool only, class Count>
  uint store_row(uint* RESTRICT row, const Count* RESTRICT counts, uint open, int n, uint k) const {
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
  std::vector<WideSums> wide_sums;
  std::vector<Bytes32> small_sums;
  std::vector<unsigned char> runs;
  Row64 air[SUM_ROWS] = {}, airy = 0;  // rows of a slice, and which of them have any
  alignas(64) unsigned char spread[SUM_ROWS][64];
  uint rock_rows[ring] = {}, summed_rows[ring] = {};
  int bx = 0, by = 0, z0 = 0, z1 = 0;
  int crowded = 0;  // how many more are not tried in bytes
};

void air_columns(const void* const* v, const Range& range) {
  VoxelBox b;
  Weather p;
  const int* plan = nullptr;
  const uint *table = nullptr, *bits = nullptr, *stale = nullptr;
  uint *words = nullptr, *active = nullptr;
  scree::device::take_arguments(v, b, p, plan, table, bits, stale, words, active);
  AirColumn<false> column(b, plan, p.bubbles, table, bits, bits, words, active);
  for (int i = range.y0; i < range.y1; ++i) column.run(i, stale);
}

void added_columns(const void* const* v, const Range& range) {
  VoxelBox b;
  Weather p;
  const int *plan = nullptr, *runs = nullptr;
  const uint *table = nullptr, *bits = nullptr, *gone = nullptr, *stale = nullptr;
  uint *words = nullptr, *active = nullptr;
  scree::device::take_arguments(v, b, p, plan, runs, table, bits, gone, stale, words, active);
  AirColumn<true> column(b, plan, p.bubbles, table, bits, gone, words, active);
  for (int i = range.y0; i < range.y1; ++i) column.run(i, stale);
}

}  // namespace

SCREE_REGISTER(air_count, air_columns)
SCREE_REGISTER(air_add, added_columns)

#endif
