// The vertices of voxels' surfaces on a CPU: first a list of where they are, then sixteen at once,
// wherever they lie. Their numbers follow each other from word to word, so they are written in a
// row.
#ifndef SCREE_KERNEL_VOXEL_SURFACE_CPU_H
#define SCREE_KERNEL_VOXEL_SURFACE_CPU_H

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "kernel/common/cpu_arguments.h"
#include "kernel/surface/voxel_surface.h"

namespace {

class VertexList {
 public:
  VertexList(const March& numbers, const uint* voxels, float* to_positions, float* to_normals,
             int* to_materials)
      : p(numbers),
        words(voxels),
        positions(to_positions),
        normals(to_normals),
        materials(to_materials) {}

  // The cut edges of a word at (y, z), of which the first vertex has a number.
  void add(int word, int y, int z, const Cuts& cuts, uint number) {
    if (count == 0) first = number;
    if (count + 96 > room) {
      flush();
      first = number;
    }
    const uint along[3] = {cuts.x, cuts.y, cuts.z};
    const int x0 = word * 32 - p.ring, line = volume_index(p, x0, y, z);
    const uint row = static_cast<uint>(y) | static_cast<uint>(z) << 16;
    const uint all = cuts.x | cuts.y | cuts.z;
    const int low = lowest_bit(all), high = 31 - __builtin_clz(all);
    const bool inner =
        x0 + low >= 1 && x0 + high + 2 < p.nx && y >= 1 && y + 2 < p.ny && z >= 1 && z + 2 < p.nz;
    if (!inner) {
      add_at_border(x0, y, z, along);
      return;
    }
    fetch_ahead(line + low);
    fetch_ahead(line + high);
    for (int axis = 0; axis < 3; ++axis)
      add_bits(along[axis], line, static_cast<uint>(x0) + (static_cast<uint>(axis) << 16), row);
  }

  void flush() {
    // The last sixteen are filled up with the last one.
    for (int k = count; k % lanes != 0; ++k) at[k] = at[count - 1], columns[k] = columns[count - 1];
    for (int from = 0; from < count; from += lanes) {
      fetch(from);
      SCREE_SIMD
      for (int k = 0; k < lanes; ++k) compute(from, k);
      const int last = imin(lanes, count - from);
      for (int k = 0; k < last; ++k)
        put(static_cast<std::size_t>(first) + static_cast<std::size_t>(from + k), k);
    }
    count = 0;
  }

 private:
  static constexpr int lanes = 16, room = 512;

  // The surface goes its own way through memory, where no processor looks ahead. What is below and
  // before a vertex was near when those vertices were made.
  void fetch_ahead(int i) const {
    const int step_y = p.nx, step_z = p.nx * p.ny;
    __builtin_prefetch(words + i + step_z);
    __builtin_prefetch(words + i + 2 * step_z);
    __builtin_prefetch(words + i + step_z + step_y);
    __builtin_prefetch(words + i + 2 * step_y);
  }

#if defined(__AVX512F__)
  // How many there are is anybody's guess, so without a branch.
  void add_bits(uint bits, int line, uint column, uint row) {
    const __m512i numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (int half = 0; half < 2; ++half) {
      const auto mask = static_cast<__mmask16>(bits >> 16 * half);
      const __m512i picked = _mm512_maskz_compress_epi32(mask, numbers);
      _mm512_storeu_si512(at + count,
                          _mm512_add_epi32(picked, _mm512_set1_epi32(line + 16 * half)));
      _mm512_storeu_si512(
          columns + count,
          _mm512_add_epi32(picked, _mm512_set1_epi32(static_cast<int>(column) + 16 * half)));
      _mm512_storeu_si512(rows + count, _mm512_set1_epi32(static_cast<int>(row)));
      count += __builtin_popcount(mask);
    }
  }
#else
  void add_bits(uint bits, int line, uint column, uint row) {
    for (uint left = bits; left != 0U; left &= left - 1U, ++count) {
      const int k = lowest_bit(left);
      at[count] = line + k;
      columns[count] = column + static_cast<uint>(k);
      rows[count] = row;
    }
  }
#endif

  // Where a vertex's neighbours may be beyond the volume, they are looked at one by one.
  void add_at_border(int x0, int y, int z, const uint* along) {
    flush_before_border();
    for (int axis = 0; axis < 3; ++axis)
      for (uint left = along[axis]; left != 0U; left &= left - 1U, ++first)
        put_voxel_vertex(p, words, x0 + lowest_bit(left), y, z, axis, first, positions, normals,
                         materials);
  }
  void flush_before_border() {
    const uint next = first + static_cast<uint>(count);
    flush();
    first = next;
  }

  // The two ends, then for each axis the neighbours of the one and of the other.
  void fetch(int from) {
    const int step_y = p.nx, step_z = p.nx * p.ny;
    for (int k = 0; k < lanes; ++k) {
      const uint axis = columns[from + k] >> 16;
      ends[k] = at[from + k] + (axis == 0U ? 1 : axis == 1U ? step_y : step_z);
    }
    const int steps[3] = {1, step_y, step_z};
    gather(at + from, 0, around[0]);
    gather(ends, 0, around[1]);
    for (int d = 0; d < 3; ++d) {
      gather(at + from, -steps[d], around[2 + 4 * d]);
      gather(at + from, steps[d], around[3 + 4 * d]);
      gather(ends, -steps[d], around[4 + 4 * d]);
      gather(ends, steps[d], around[5 + 4 * d]);
    }
  }
  void gather(const int* places, int offset, uint* to) const {
#if defined(__AVX512F__)
    const __m512i found = _mm512_mask_i32gather_epi32(
        _mm512_setzero_si512(), 0xffff, _mm512_loadu_si512(places), words + offset, 4);
    _mm512_store_si512(to, found);
#else
    for (int k = 0; k < lanes; ++k) to[k] = words[places[k] + offset];
#endif
  }

  [[gnu::always_inline]] float density(int which, int k) const {
    return density_of(around[which][k]);
  }
  [[gnu::always_inline]] March3 gradient(int which, int k) const {
    return {slope_along(density(which, k), density(which + 1, k), 2, p.cell_x),
            slope_along(density(which + 4, k), density(which + 5, k), 2, p.cell_y),
            slope_along(density(which + 8, k), density(which + 9, k), 2, p.cell_z)};
  }
  [[gnu::always_inline]] void compute(int from, int k) {
    const uint column = columns[from + k], row = rows[from + k];
    const March3 sample{static_cast<float>(static_cast<int>(column & 0xffffU)),
                        static_cast<float>(static_cast<int>(row & 0xffffU)),
                        static_cast<float>(static_cast<int>(row >> 16))};
    const float below = density(0, k);
    const MarchVertex v = vertex_between(p, sample, unit_along(static_cast<int>(column >> 16)),
                                         below, density(1, k), gradient(2, k), gradient(4, k));
    const March3 metres = metres_at(p, v.sample);
    placed[0][k] = metres.x, placed[1][k] = metres.y, placed[2][k] = metres.z;
    facing[0][k] = v.normal.x, facing[1][k] = v.normal.y, facing[2][k] = v.normal.z;
    const uint inside = below >= p.iso ? around[0][k] : around[1][k];
    made_of[k] = static_cast<int>(voxel_material(inside));
  }
  [[gnu::always_inline]] void put(std::size_t i, int k) {
    for (std::size_t d = 0; d < 3; ++d) {
      positions[3 * i + d] = placed[d][k];
      normals[3 * i + d] = facing[d][k];
    }
    materials[i] = made_of[k];
  }

  March p;
  const uint* words;
  float *positions, *normals;
  int* materials;
  uint first = 0;
  int count = 0;
  int at[room + lanes] = {};
  uint columns[room + lanes] = {}, rows[room + lanes] = {};
  alignas(64) int ends[lanes] = {};
  alignas(64) uint around[14][lanes] = {};
  alignas(64) float placed[3][lanes] = {}, facing[3][lanes] = {};
  alignas(64) int made_of[lanes] = {};
};

void voxel_vertices_rows(const void* const* v, const Range& range) {
  March p;
  const uint *words = nullptr, *bits = nullptr, *first = nullptr;
  float *positions = nullptr, *normals = nullptr;
  int* materials = nullptr;
  scree::device::take_arguments(v, p, words, bits, first, positions, normals, materials);
  VertexList list(p, words, positions, normals, materials);
  for (int row = range.y0; row < range.y1; ++row) {
    const int y = row % p.sy, z = row / p.sy;
    for (int word = range.x0; word < range.x1; ++word) {
      const uint number = first[row * p.words + word];
      if (first[row * p.words + word + 1] != number)
        list.add(word, y - p.ring, z - p.ring, cuts_at(p, bits, word, y, z), number);
    }
  }
  list.flush();
}

}  // namespace

SCREE_REGISTER(voxel_surface_vertices, voxel_vertices_rows)

#endif
