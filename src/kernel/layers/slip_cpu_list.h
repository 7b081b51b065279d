// Lists of what slides, for slip_cpu.h: lanes of columns are looked at together, those that are
// found are written down one after another, and the list is worked out side by side.
#ifndef SCREE_KERNEL_SLIP_CPU_LIST_H
#define SCREE_KERNEL_SLIP_CPU_LIST_H

#include <vector>

#include "kernel/layers/cpu_lanes.h"
#include "kernel/layers/slip.h"

namespace {

// What is known of an edge that may take from the next layer down: where the giver is, in the
// panel's rows (and over which side) and in the world; which layer, and above that byte the single
// side; how high that one's top is above the ground beside; SlipEdge has the rest.
enum DeepKind {
  deep_place,
  deep_layer,
  deep_level,
  deep_taken,
  deep_hash,
  deep_factor,
  deep_stands,
  deep_cell,
  deep_kinds
};

// Edges that want more than the topmost layer of the giver, one after another.
struct SlipList {
  int* all(int kind) { return memory.data() + static_cast<std::ptrdiff_t>(kind) * room; }
  float* floats(int kind) { return reinterpret_cast<float*>(all(kind)); }

  // For so many entries, and the lanes that are written past the last of them.
  void make_room(int entries) {
    room = entries + 2 * cpu_lanes;
    const auto all_kinds = static_cast<std::size_t>(room) * deep_kinds;
    if (memory.size() < all_kinds) memory.resize(all_kinds);
  }

  // Those of some lanes, all that is known of them but where they are in the world.
  [[gnu::always_inline]] void append(const Lanes& which, const Lanes (&values)[deep_cell]) {
    const int before = count;
#if defined(__AVX512F__)
    __m512i wanted;
    std::memcpy(&wanted, &which, sizeof wanted);
    const __mmask16 some = _mm512_test_epi32_mask(wanted, wanted);
    UNROLL for (int kind = 0; kind < deep_cell; ++kind) {
      __m512i of;
      std::memcpy(&of, &values[kind], sizeof of);
      _mm512_storeu_si512(all(kind) + before, _mm512_maskz_compress_epi32(some, of));
    }
    count = before + __builtin_popcount(some);
#else
    int added = before;
    for (int j = 0; j < cpu_lanes; ++j) {
      for (int kind = 0; kind < deep_cell; ++kind) all(kind)[added] = values[kind][j];
      added += which[j] != 0 ? 1 : 0;
    }
    count = added;
#endif
  }

  // Those that are not done, in their order.
  void keep(const int* RESTRICT done) {
    int kept = 0;
    int* const first = memory.data();
    for (int i = 0, entries = count; i < entries; i += cpu_lanes) {
#if defined(__AVX512F__)
      const __mmask16 whole =
          static_cast<__mmask16>(entries - i < cpu_lanes ? (1U << (entries - i)) - 1U : 0xffffU);
      const __m512i ends = _mm512_loadu_si512(done + i);
      const __mmask16 on = _mm512_mask_cmpeq_epi32_mask(whole, ends, _mm512_setzero_si512());
      if (on == 0) continue;
      for (int kind = 0; kind < deep_kinds; ++kind) {
        int* of = first + static_cast<std::ptrdiff_t>(kind) * room;
        _mm512_storeu_si512(of + kept, _mm512_maskz_compress_epi32(on, _mm512_loadu_si512(of + i)));
      }
      kept += __builtin_popcount(on);
#else
      for (int j = i; j < imin(i + cpu_lanes, entries); ++j) {
        for (int kind = 0; kind < deep_kinds; ++kind) {
          int* of = first + static_cast<std::ptrdiff_t>(kind) * room;
          of[kept] = of[j];
        }
        kept += done[j] == 0 ? 1 : 0;
      }
#endif
    }
    count = kept;
  }

  int count = 0, room = 0;
  std::vector<int> memory;
};

}  // namespace

#endif
