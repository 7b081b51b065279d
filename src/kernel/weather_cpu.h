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
FN WeatherRow weather_row(uint row_seed, int x0, const uint* RESTRICT table,
                          const uint* RESTRICT rates, uint* RESTRICT words) {
  alignas(64) uint worn[BRICK_X], loose[BRICK_X];
  SCREE_SIMD
  for (int k = 0; k < BRICK_X; ++k) {
    const uint word = words[k];
    const uint entry = table[static_cast<int>(voxel_material(word))];
    const uint rate = rates[static_cast<int>(bubble_of(entry) * WEATHER_RATES + voxel_air(word))];
    const uint hash = mix_bits(row_seed + static_cast<uint>(x0 + k) * 0x9e3779b1U);
    worn[k] = worn_amount(rate, share_of(entry), hash);
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
                       uint* words) {
  alignas(64) uint row[BRICK_X] = {};
  std::memcpy(row, words, sizeof(uint) * static_cast<std::size_t>(n));
  const WeatherRow result = weather_row(row_seed, x0, table, rates, row);
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
  const uint *table, *rates, *active;
  uint *words, *bits, *changed, *fallen;
  i64* tally;
};

void weather_brick(const VoxelBox& b, const Weather& p, const WeatherArrays& a, int bx, int by,
                   int bz) {
  const int brick = brick_index(b, bx, by, bz);
  const int x0 = bx * BRICK_X, n = imin(BRICK_X, b.nx - x0);
  const uint mine = n == 32 ? 0xffffffffU : (1U << n) - 1U;
  i64 worn = 0, rock = 0, loose = 0;
  uint change = 0;
  for (int z = bz * BRICK_Z; z < imin((bz + 1) * BRICK_Z, b.nz); ++z)
    for (int y = by * BRICK_Y; y < imin((by + 1) * BRICK_Y, b.ny); ++y) {
      const int at = bits_index(b, bx, y, z);
      const uint before = a.bits[at];
      if ((before & mine) == 0U) continue;
      const uint row_seed =
          p.step_seed + static_cast<uint>(y) * 0x85ebca77U + static_cast<uint>(z) * 0xc2b2ae3dU;
      uint* words = a.words + voxel_index(b, x0, y, z);
      if (y + 4 < b.ny) fetch_row(words + static_cast<std::ptrdiff_t>(4) * b.nx);
      if (!has_air(words, n)) continue;
      const WeatherRow row = n == BRICK_X ? weather_row(row_seed, x0, a.table, a.rates, words)
                                          : weather_end(row_seed, x0, n, a.table, a.rates, words);
      const uint gone = before & mine & ~row.solid;
      worn += row.worn;
      if (gone == 0U) continue;
      a.bits[at] = before & ~gone;
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
  a.active = pointer_at<const uint>(v, 4), a.words = pointer_at<uint>(v, 5);
  a.bits = pointer_at<uint>(v, 6), a.changed = pointer_at<uint>(v, 7);
  a.fallen = pointer_at<uint>(v, 8), a.tally = pointer_at<i64>(v, 9);
  for (int column = range.y0; column < range.y1; ++column)
    for (int bz = range.x0; bz < range.x1; ++bz) {
      const int bx = column % b.bricks_x, by = column / b.bricks_x;
      if (a.active[brick_index(b, bx, by, bz)] != 0U) weather_brick(b, p, a, bx, by, bz);
    }
}

// ---- air -----------------------------------------------------------------------------------

typedef unsigned char Bytes32 __attribute__((vector_size(32)));
typedef unsigned short Lanes32 __attribute__((vector_size(64)));

FN void add_bytes(Bytes32& sum, const unsigned char* from) {
  Bytes32 value;
  std::memcpy(&value, from, sizeof value);
  sum += value;
}
// Compilers take many instructions for what is one or two.
FN void add_widened(Lanes32& sum, const Bytes32& bytes) {
#if defined(__AVX512BW__)
  sum += (Lanes32)_mm512_cvtepu8_epi16((__m256i)bytes);
#else
  sum += __builtin_convertvector(bytes, Lanes32);
#endif
}

// 0 or 1 a byte for each of 64 bits.
FN void spread_bits(Row64 bits, unsigned char* to) {
#if defined(__AVX512BW__)
  _mm512_storeu_si512(to, _mm512_maskz_set1_epi8(bits, 1));
#else
  for (int k = 0; k < 8; ++k) {
    const Row64 copies = (bits >> 8 * k & 0xffULL) * 0x0101010101010101ULL;
    const Row64 picked = copies & 0x8040201008040201ULL;
    const Row64 ones = (picked + 0x7f7f7f7f7f7f7f7fULL) >> 7 & 0x0101010101010101ULL;
    std::memcpy(to + 8 * k, &ones, sizeof ones);
  }
#endif
}

// The bubble of a plan, with the places of its rows worked out. A slice's rows are summed in bytes
// as long as no sum can exceed one: a group.
struct AirPart {
  struct Group {
    int first, count;
  };
  struct Slice {
    int first_group, groups, first_height, heights;
  };
  std::vector<int> runs, places;
  std::vector<Group> groups;
  std::vector<Slice> slices;
};
struct AirBubble {
  int low_y, high_y, low_z, high_z, open;
  Row64 seen;  // bits of a row that any voxel's bubble reaches
  std::vector<AirPart> parts;
};

AirPart read_part(const int* plan, const int* at) {
  AirPart part;
  part.runs.assign(plan + at[0], plan + at[0] + at[1]);
  for (int s = 0; s < at[3]; ++s) {
    const int* slice = plan + at[2] + s * SLICE_NUMBERS;
    const auto first = static_cast<int>(part.groups.size());
    int most = 256;
    for (int e = 0; e < slice[1]; ++e) {
      const int entry = plan[slice[0] + e];
      const int length = run_length(part.runs[static_cast<std::size_t>(entry_run(entry))]);
      if (most + length > 255) {
        part.groups.push_back({static_cast<int>(part.places.size()), 0});
        most = 0;
      }
      most += length;
      ++part.groups.back().count;
      part.places.push_back((entry_run(entry) * RUN_ROWS + entry_row(entry)) * BRICK_X);
    }
    part.slices.push_back(
        {first, static_cast<int>(part.groups.size()) - first, slice[2], slice[3]});
  }
  return part;
}

AirBubble read_bubble(const int* plan, int k) {
  const int* head = plan + k * BUBBLE_NUMBERS;
  AirBubble bubble{head[2], head[3], head[4], head[5], head[6], 0, {}};
  for (int i = 0; i < head[1]; ++i) {
    bubble.parts.push_back(read_part(plan, plan + head[0] + i * PART_NUMBERS));
    for (const int run : bubble.parts.back().runs)
      for (int x = run_start(run); x < run_start(run) + run_length(run); ++x)
        bubble.seen |= 0xffffffffULL << x;
  }
  return bubble;
}

class AirColumn {
 public:
  AirColumn(const VoxelBox& box, const int* air_plan, int bubbles, const uint* material_table,
            const uint* solid, uint* all_words, uint* active_bricks)
      : b(box),
        plan(air_plan),
        table(material_table),
        bits(solid),
        words(all_words),
        active(active_bricks),
        sums(static_cast<std::size_t>(ring) * BRICK_Y),
        runs(static_cast<std::size_t>(PART_RUNS) * RUN_ROWS * BRICK_X) {
    for (int k = 0; k < bubbles; ++k) all.push_back(read_bubble(plan, k));
  }

  // Consecutive stale bricks of a column share their slices.
  void run(int column, const uint* stale) {
    bx = column % b.bricks_x, by = column / b.bricks_x;
    int first = -1;
    for (int bz = 0; bz <= b.bricks_z; ++bz) {
      const bool wanted =
          bz < b.bricks_z && stale[brick_index(b, bx, by, bz)] != 0U && has_rock(bz);
      if (wanted && first < 0) first = bz;
      if (!wanted && first >= 0) {
        count(first, bz);
        first = -1;
      }
      if (!wanted && bz < b.bricks_z && stale[brick_index(b, bx, by, bz)] != 0U)
        active[brick_index(b, bx, by, bz)] = 0U;
    }
  }

 private:
  static constexpr int ring = 32;  // slices of voxels under way: more than any bubble is high

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
    for (int bz = first; bz < end; ++bz) active[brick_index(b, bx, by, bz)] = 0U;
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
      add_slice(bubble, z);
      const int leaves = z - bubble.high_z;
      if (leaves >= z0) store(bubble, k, leaves);
    }
  }

  void clear(int z) {
    std::memset(static_cast<void*>(&sums[static_cast<std::size_t>(z % ring) * BRICK_Y]), 0,
                sizeof(Lanes32) * BRICK_Y);
    uint rows = 0;
    for (int y = 0; y < imin(BRICK_Y, b.ny - by * BRICK_Y); ++y) {
      if ((bits[bits_index(b, bx, by * BRICK_Y + y, z)] & mine()) == 0U) continue;
      rows |= 1U << y;
      fetch_row(words + voxel_index(b, bx * BRICK_X, by * BRICK_Y + y, z));
    }
    rock_rows[z % ring] = rows;
  }

  // What a slice of the terrain gives to every slice of voxels whose bubbles it passes through.
  void add_slice(const AirBubble& bubble, int z) {
    uint wanted = 0;
    for (int to = imax(z - bubble.high_z, z0); to <= imin(z - bubble.low_z, z1 - 1); ++to)
      wanted |= rock_rows[to % ring];
    if (wanted != 0U) wanted &= load_air(bubble, z);
    if (wanted == 0U) return;
    for (const AirPart& part : bubble.parts) {
      sum_runs(bubble, part);
      for (const AirPart::Slice& slice : part.slices) {
        int to[ring], count = 0;
        for (int h = 0; h < slice.heights; ++h) {
          const int target = z - plan[slice.first_height + h];
          if (target >= z0 && target < z1) to[count++] = target % ring * BRICK_Y;
        }
        if (count == 0) continue;
        for (uint left = wanted; left != 0U; left &= left - 1U) {
          const int y = __builtin_ctz(left);
          Lanes32 sum;
          row_sum(part, slice, y, sum);
          for (int i = 0; i < count; ++i) sums[static_cast<std::size_t>(to[i] + y)] += sum;
        }
      }
    }
  }

  // Reads a slice; returns the rows whose bubbles meet air in it.
  uint load_air(const AirBubble& bubble, int z) {
    Row64 with_air = 0;
    for (int row = BRICK_Y + bubble.low_y; row < 2 * BRICK_Y + bubble.high_y; ++row) {
      air[row] = air_around(bits, bits_index(b, bx, by * BRICK_Y + row - BRICK_Y, z)) & bubble.seen;
      with_air |= (air[row] != 0U ? Row64{1} : Row64{0}) << row;
    }
    uint rows = 0;
    const Row64 window = (Row64{2} << (bubble.high_y - bubble.low_y)) - 1;
    for (int y = 0; y < BRICK_Y; ++y)
      rows |= ((with_air >> (y + BRICK_Y + bubble.low_y) & window) != 0U ? 1U : 0U) << y;
    return rows;
  }

  void sum_runs(const AirBubble& bubble, const AirPart& part) {
    alignas(64) unsigned char spread[64 + 32] = {};
    for (int row = BRICK_Y + bubble.low_y; row < 2 * BRICK_Y + bubble.high_y; ++row) {
      if (air[row] == 0U) {
        for (std::size_t r = 0; r < part.runs.size(); ++r)
          std::memset(run_row(static_cast<int>(r), row), 0, BRICK_X);
        continue;
      }
      spread_bits(air[row], spread);
      int before = -1, from = 0, to = 0;
      Bytes32 sum = {};
      for (std::size_t r = 0; r < part.runs.size(); ++r) {
        const int run = part.runs[r], start = run_start(run), end = start + run_length(run);
        if (run_parent(run) != before || before < 0) {
          sum = Bytes32{};
          from = to = start;
          if (run_parent(run) != 255) {
            const int parent = part.runs[static_cast<std::size_t>(run_parent(run))];
            add_bytes(sum, run_row(run_parent(run), row));
            from = run_start(parent), to = from + run_length(parent);
          }
        }
        // What the run that it is grown from does not have: mostly one voxel at either end.
        while (from > start) add_bytes(sum, spread + --from);
        while (to < end) add_bytes(sum, spread + to++);
        std::memcpy(run_row(static_cast<int>(r), row), &sum, sizeof sum);
        before = static_cast<int>(r);
      }
    }
  }
  unsigned char* run_row(int run, int row) {
    return runs.data() + static_cast<std::ptrdiff_t>(run * RUN_ROWS + row) * BRICK_X;
  }

  void row_sum(const AirPart& part, const AirPart::Slice& slice, int y, Lanes32& result) const {
    const unsigned char* from = runs.data() + static_cast<std::ptrdiff_t>(y) * BRICK_X;
    Lanes32 sum = {};
    for (int g = slice.first_group; g < slice.first_group + slice.groups; ++g) {
      const AirPart::Group group = part.groups[static_cast<std::size_t>(g)];
      const int* place = part.places.data() + group.first;
      Bytes32 even = {}, odd = {};
      int e = 0;
      for (; e + 4 <= group.count; e += 4) {
        add_bytes(even, from + place[e]), add_bytes(odd, from + place[e + 1]);
        add_bytes(even, from + place[e + 2]), add_bytes(odd, from + place[e + 3]);
      }
      for (; e < group.count; ++e) add_bytes(even, from + place[e]);
      even += odd;
      add_widened(sum, even);
    }
    result = sum;
  }

  void store(const AirBubble& bubble, uint k, int z) {
    const int x0 = bx * BRICK_X, n = imin(BRICK_X, b.nx - x0);
    uint any = 0;
    for (uint left = rock_rows[z % ring]; left != 0U; left &= left - 1U) {
      const int y = __builtin_ctz(left);
      const int at = bits_index(b, bx, by * BRICK_Y + y, z);
      const uint open = bubble.open != 0 ? open_faces(b, bits, at) : 0xffffffffU;
      unsigned short counts[BRICK_X];
      std::memcpy(counts, &sums[static_cast<std::size_t>(z % ring * BRICK_Y + y)], sizeof counts);
      uint* RESTRICT row = words + voxel_index(b, x0, by * BRICK_Y + y, z);
      if (all.size() == 1)
        any |= store_row<true>(row, counts, open, n, k);
      else
        any |= store_row<false>(row, counts, open, n, k);
    }
    if (any != 0U) active[brick_index(b, bx, by, z / BRICK_Z)] = 1U;
  }

  template <bool only>
  uint store_row(uint* RESTRICT row, const unsigned short* RESTRICT counts, uint open, int n,
                 uint k) const {
    uint any = 0;
    SCREE_SIMD
    for (int x = 0; x < n; ++x) {
      const uint word = row[x];
      const uint air_here = (open >> x & 1U) != 0U ? counts[x] : 0U;
      const bool takes = word != 0U && (only || bubble_of(table[voxel_material(word)]) == k);
      row[x] = takes ? with_air(word, air_here) : word;
      any |= takes ? air_here : 0U;
    }
    return any;
  }

  VoxelBox b;
  const int* plan;
  const uint *table, *bits;
  uint *words, *active;
  std::vector<AirBubble> all;
  std::vector<Lanes32> sums;
  std::vector<unsigned char> runs;
  Row64 air[RUN_ROWS] = {};
  uint rock_rows[ring] = {};
  int bx = 0, by = 0, z0 = 0, z1 = 0;
};

void air_columns(const void* const* v, const Range& range) {
  const VoxelBox b = *static_cast<const VoxelBox*>(v[0]);
  const Weather p = *static_cast<const Weather*>(v[1]);
  AirColumn column(b, pointer_at<const int>(v, 2), p.bubbles, pointer_at<const uint>(v, 3),
                   pointer_at<const uint>(v, 4), pointer_at<uint>(v, 6), pointer_at<uint>(v, 7));
  for (int i = range.y0; i < range.y1; ++i) column.run(i, pointer_at<const uint>(v, 5));
}

}  // namespace

SCREE_REGISTER(weather, weather_columns)
SCREE_REGISTER(air_count, air_columns)

#endif
