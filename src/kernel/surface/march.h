// Marching Cubes (Lorensen & Cline 1987) on a lattice of densities, 32 samples at a time.
//
// One bit says whether a sample is inside. Rows of bits are combined with the rows beside them, so
// edges that the surface cuts, and cells that it passes, are found 32 at once; where nothing is cut
// nothing is looked at. A cut edge is a vertex. Its number follows from counting bits, so neither
// a table of vertices nor a lock is needed:
//
//   bits       per word   which samples are inside
//   count      per word   vertices and triangles
//   scan                  the number of the first one of each word
//   vertices   per word   position, normal and material of each cut edge
//   triangles  per word   three vertex numbers each, by the table of cases
//
// A word is 32 samples along x; (word, row) are the range's x and y, row = y + z * rows of a slice.
// A lattice that is to give a closed surface has a ring of samples around the volume, all outside.
#ifndef SCREE_KERNEL_MARCH_H
#define SCREE_KERNEL_MARCH_H

#include "kernel/common/compat.h"
#include "kernel/voxels/voxel.h"

#if defined(__SSE2__) && !defined(__OPENCL_VERSION__)
#include <immintrin.h>
#endif

typedef struct {
  int nx, ny, nz;                      // samples of the volume
  int sx, sy, sz;                      // of the lattice: the ring counts too
  int ring;                            // 1 where there is one
  int words;                           // in a row
  int materials;                       // 1 where the volume has them
  float iso;                           // inside from here on
  float cell_x, cell_y, cell_z;        // metres
  float origin_x, origin_y, origin_z;  // of the volume's first sample
} March;

// Words of the table of cases: a case has four, sixteen bytes: how many triangles, then their
// corners as edges of the cell. An edge is 4 * axis + u + 2 * v, with u and v its place along the
// other two axes, in order.
#define MARCH_CASE_WORDS 4

FN int volume_index(IN(March) p, int x, int y, int z) { return (z * p.ny + y) * p.nx + x; }
FN int in_volume(IN(March) p, int x, int y, int z) {
  return (x >= 0) & (x < p.nx) & (y >= 0) & (y < p.ny) & (z >= 0) & (z < p.nz);
}

// Which of up to 32 samples in a row are inside. Compilers do not find the instruction for it.
FN uint inside_bits(GLOBAL const float* density, float iso, int count) {
  uint found = 0u;
  int k = 0;
#if defined(__AVX__) && !defined(__OPENCL_VERSION__)
  for (; k + 8 <= count; k += 8)
    found |= (uint)_mm256_movemask_ps(
                 _mm256_cmp_ps(_mm256_loadu_ps(density + k), _mm256_set1_ps(iso), _CMP_GE_OQ))
             << k;
#elif defined(__SSE2__) && !defined(__OPENCL_VERSION__)
  for (; k + 4 <= count; k += 4)
    found |= (uint)_mm_movemask_ps(_mm_cmpge_ps(_mm_loadu_ps(density + k), _mm_set1_ps(iso))) << k;
#endif
  for (; k < count; ++k) found |= (uint)(density[k] >= iso) << k;
  return found;
}

FN void march_bits_cell(int word, int row, March p, GLOBAL const float* RESTRICT density,
                        GLOBAL uint* RESTRICT bits) {
  const int y = row % p.sy - p.ring, z = row / p.sy - p.ring, x0 = word * 32 - p.ring;
  uint found = 0u;
  if (y >= 0 && y < p.ny && z >= 0 && z < p.nz) {
    const int line = volume_index(p, 0, y, z);
    if (x0 >= 0 && x0 + 32 <= p.nx) {
      found = inside_bits(density + line + x0, p.iso, 32);
    } else {
      const int k = imax(-x0, 0), last = imin(32, p.nx - x0);
      if (k < last) found = inside_bits(density + line + x0 + k, p.iso, last - k) << k;
    }
  }
  bits[row * p.words + word] = found;
}
SCREE_KERNEL_3(march_bits, March, p, GLOBAL const float*, density, GLOBAL uint*, bits)

// The bits of a word's samples and of those one further along x.
typedef struct {
  uint here, ahead;
} Pair;
FN Pair pair_at(IN(March) p, GLOBAL const uint* bits, int word, int row) {
  Pair b;
  b.here = bits[row * p.words + word];
  const uint next = word + 1 < p.words ? bits[row * p.words + word + 1] : 0u;
  b.ahead = b.here >> 1 | next << 31;
  return b;
}

// The edges along each axis that a word's samples start and the surface cuts.
typedef struct {
  uint x, y, z;
} Cuts;
FN uint starts_cell(IN(March) p, int word) {
  const int cells = p.sx - 1 - word * 32;
  return cells >= 32 ? 0xffffffffu : cells > 0 ? (1u << cells) - 1u : 0u;
}
FN Cuts cuts_at(IN(March) p, GLOBAL const uint* bits, int word, int y, int z) {
  const int row = y + z * p.sy;
  const Pair b = pair_at(p, bits, word, row);
  Cuts c;
  c.x = (b.here ^ b.ahead) & starts_cell(p, word);
  c.y = y + 1 < p.sy ? b.here ^ bits[(row + 1) * p.words + word] : 0u;
  c.z = z + 1 < p.sz ? b.here ^ bits[(row + p.sy) * p.words + word] : 0u;
  return c;
}

// A word's cells: the rows of samples at their edges along x, in the order of the corners.
typedef struct {
  Pair row[4];
  uint passed;  // cells that the surface passes
} Cells;
FN Cells cells_at(IN(March) p, GLOBAL const uint* bits, int word, int y, int z) {
  const int row = y + z * p.sy;
  Cells c;
  c.passed = 0u;
  if (y + 1 >= p.sy || z + 1 >= p.sz) return c;
  c.row[0] = pair_at(p, bits, word, row);
  c.row[1] = pair_at(p, bits, word, row + 1);
  c.row[2] = pair_at(p, bits, word, row + p.sy);
  c.row[3] = pair_at(p, bits, word, row + p.sy + 1);
  const uint any = c.row[0].here | c.row[1].here | c.row[2].here | c.row[3].here | c.row[0].ahead |
                   c.row[1].ahead | c.row[2].ahead | c.row[3].ahead;
  const uint all = c.row[0].here & c.row[1].here & c.row[2].here & c.row[3].here & c.row[0].ahead &
                   c.row[1].ahead & c.row[2].ahead & c.row[3].ahead;
  c.passed = any & ~all & starts_cell(p, word);
  return c;
}
FN uint case_of(IN(Cells) c, int k) {
  uint found = 0u;
  for (int r = 0; r < 4; ++r)
    found |= (c.row[r].here >> k & 1u) << 2 * r | (c.row[r].ahead >> k & 1u) << (2 * r + 1);
  return found;
}

// The vertices of a word, and the triangles of those of its cells that are wanted.
typedef struct {
  uint vertices, triangles;
} MarchCounts;
FN MarchCounts counts_at(IN(March) p, GLOBAL const uint* table, GLOBAL const uint* bits, int word,
                         int y, int z, uint wanted) {
  const Cuts cuts = cuts_at(p, bits, word, y, z);
  const Cells cells = cells_at(p, bits, word, y, z);
  MarchCounts count;
  count.vertices = bits_in(cuts.x) + bits_in(cuts.y) + bits_in(cuts.z);
  count.triangles = 0u;
  for (uint left = cells.passed & wanted; left != 0u; left &= left - 1u)
    count.triangles += table[case_of(cells, lowest_bit(left)) * MARCH_CASE_WORDS] & 0xffu;
  return count;
}

FN void march_count_cell(int word, int row, March p, GLOBAL const uint* RESTRICT table,
                         GLOBAL const uint* RESTRICT bits, GLOBAL uint* RESTRICT vertices,
                         GLOBAL uint* RESTRICT triangles) {
  const MarchCounts count = counts_at(p, table, bits, word, row % p.sy, row / p.sy, ~0u);
  vertices[row * p.words + word] = count.vertices;
  triangles[row * p.words + word] = count.triangles;
}
SCREE_KERNEL_5(march_count, March, p, GLOBAL const uint*, table, GLOBAL const uint*, bits,
               GLOBAL uint*, vertices, GLOBAL uint*, triangles)

// ---- vertices ------------------------------------------------------------------------------

typedef struct {
  float x, y, z;
} March3;

// Central differences over a sample to either side, one-sided at the volume's border.
FN float slope_along(float low, float high, int samples, float cell) {
  return samples > 0 ? (high - low) / ((float)samples * cell) : 0.0f;
}
// What a volume is sampled from: densities, or the words of voxels.
typedef struct {
  GLOBAL const float* density;
  GLOBAL const uint* words;  // 0 where there are densities
} MarchField;
FN MarchField field_of(GLOBAL const float* density) {
  MarchField f;
  f.density = density;
  f.words = nullptr;
  return f;
}
FN float density_at(IN(MarchField) f, int i) {
  return f.words != nullptr ? density_of(f.words[i]) : f.density[i];
}

FN March3 gradient_at(IN(March) p, IN(MarchField) f, int x, int y, int z) {
  const int xa = imax(x - 1, 0), xb = imin(x + 1, p.nx - 1);
  const int ya = imax(y - 1, 0), yb = imin(y + 1, p.ny - 1);
  const int za = imax(z - 1, 0), zb = imin(z + 1, p.nz - 1);
  March3 g;
  g.x = slope_along(density_at(f, volume_index(p, xa, y, z)),
                    density_at(f, volume_index(p, xb, y, z)), xb - xa, p.cell_x);
  g.y = slope_along(density_at(f, volume_index(p, x, ya, z)),
                    density_at(f, volume_index(p, x, yb, z)), yb - ya, p.cell_y);
  g.z = slope_along(density_at(f, volume_index(p, x, y, za)),
                    density_at(f, volume_index(p, x, y, zb)), zb - za, p.cell_z);
  return g;
}

typedef struct {
  March3 sample;  // where it is, in samples of the volume
  March3 normal;
  int material;
} MarchVertex;

// The vertex between two samples: `at` the first, `along` a unit to the second, with their
// densities and gradients. Branchless, so that a CPU can do several at once.
FN MarchVertex vertex_between(IN(March) p, IN(March3) at, IN(March3) along, float below,
                              float above, IN(March3) ga, IN(March3) gb) {
  const float t = fmin2(fmax2((p.iso - below) / (above - below), 0.0f), 1.0f);
  const float gx = ga.x + t * (gb.x - ga.x), gy = ga.y + t * (gb.y - ga.y),
              gz = ga.z + t * (gb.z - ga.z);
  const float most = fmax2(fmax2(fabs2(gx), fabs2(gy)), fabs2(gz));
  const int slopes = most > 1e-30f;
  const float scale = slopes ? most : 1.0f;
  const float sx = gx / scale, sy = gy / scale, sz = gz / scale;
  const float length = SQRT(slopes ? sx * sx + sy * sy + sz * sz : 1.0f);
  // Where nothing slopes: from the inside out along the edge.
  const float out = below >= p.iso ? 1.0f : -1.0f;
  MarchVertex v;
  v.sample.x = at.x + along.x * t;
  v.sample.y = at.y + along.y * t;
  v.sample.z = at.z + along.z * t;
  v.normal.x = slopes ? 0.0f - sx / length : along.x * out;
  v.normal.y = slopes ? 0.0f - sy / length : along.y * out;
  v.normal.z = slopes ? 0.0f - sz / length : along.z * out;
  v.material = 0;
  return v;
}
// Where one end is beyond the volume, the surface is a cut through it, at its last sample.
FN MarchVertex vertex_at_end(IN(March3) at, IN(March3) along, int first_is_inside) {
  const float t = first_is_inside ? 0.0f : 1.0f, out = first_is_inside ? 1.0f : -1.0f;
  MarchVertex v;
  v.sample.x = at.x + along.x * t;
  v.sample.y = at.y + along.y * t;
  v.sample.z = at.z + along.z * t;
  v.normal.x = along.x * out;
  v.normal.y = along.y * out;
  v.normal.z = along.z * out;
  v.material = 0;
  return v;
}
FN March3 unit_along(int axis) {
  March3 v;
  v.x = axis == 0 ? 1.0f : 0.0f, v.y = axis == 1 ? 1.0f : 0.0f, v.z = axis == 2 ? 1.0f : 0.0f;
  return v;
}

// The vertex on the edge from sample (x, y, z) of the volume along an axis.
FN MarchVertex vertex_on(IN(March) p, IN(MarchField) f, GLOBAL const uint* materials, int x, int y,
                         int z, int axis) {
  const int x1 = x + (axis == 0), y1 = y + (axis == 1), z1 = z + (axis == 2);
  const int has_a = in_volume(p, x, y, z), has_b = in_volume(p, x1, y1, z1);
  const int a = has_a ? volume_index(p, x, y, z) : 0, b = has_b ? volume_index(p, x1, y1, z1) : 0;
  const March3 along = unit_along(axis);
  March3 at;
  at.x = (float)x, at.y = (float)y, at.z = (float)z;
  const float below = density_at(f, a), above = density_at(f, b);
  const int inside = has_a && below >= p.iso ? a : b;
  MarchVertex v = vertex_at_end(at, along, has_a);
  if (has_a && has_b)
    v = vertex_between(p, at, along, below, above, gradient_at(p, f, x, y, z),
                       gradient_at(p, f, x1, y1, z1));
  if (p.materials)
    v.material = (int)(f.words != nullptr ? voxel_material(f.words[inside]) : materials[inside]);
  return v;
}
FN March3 metres_at(IN(March) p, March3 sample) {
  March3 m;
  m.x = p.origin_x + sample.x * p.cell_x;
  m.y = p.origin_y + sample.y * p.cell_y;
  m.z = p.origin_z + sample.z * p.cell_z;
  return m;
}

FN void store3(GLOBAL float* to, uint i, March3 v) {
  to[3 * i] = v.x, to[3 * i + 1] = v.y, to[3 * i + 2] = v.z;
}

FN void march_vertices_cell(int word, int row, March p, GLOBAL const float* RESTRICT density,
                            GLOBAL const uint* RESTRICT materials, GLOBAL const uint* RESTRICT bits,
                            GLOBAL const uint* RESTRICT first, GLOBAL float* RESTRICT positions,
                            GLOBAL float* RESTRICT normals, GLOBAL int* RESTRICT vertex_materials) {
  uint i = first[row * p.words + word];
  if (first[row * p.words + word + 1] == i) return;
  const int y = row % p.sy - p.ring, z = row / p.sy - p.ring;
  const Cuts cuts = cuts_at(p, bits, word, y + p.ring, z + p.ring);
  for (int axis = 0; axis < 3; ++axis)
    for (uint left = axis == 0   ? cuts.x
                     : axis == 1 ? cuts.y
                                 : cuts.z;
         left != 0u; left &= left - 1u, ++i) {
      const int x = word * 32 + lowest_bit(left) - p.ring;
      const MarchVertex v = vertex_on(p, field_of(density), materials, x, y, z, axis);
      store3(positions, i, metres_at(p, v.sample));
      store3(normals, i, v.normal);
      if (p.materials) vertex_materials[i] = v.material;
    }
}
SCREE_KERNEL_8(march_vertices, March, p, GLOBAL const float*, density, GLOBAL const uint*,
               materials, GLOBAL const uint*, bits, GLOBAL const uint*, first, GLOBAL float*,
               positions, GLOBAL float*, normals, GLOBAL int*, vertex_materials)

// ---- triangles -----------------------------------------------------------------------------

// A word's cut edges along each axis with the number of the first of them: any vertex of the word
// is a count of bits away.
typedef struct {
  uint cut[3], first[3];
} Numbered;
FN Numbered numbered_at(IN(March) p, GLOBAL const uint* bits, GLOBAL const uint* first, int word,
                        int y, int z) {
  const Cuts cuts = cuts_at(p, bits, word, y, z);
  Numbered n;
  n.cut[0] = cuts.x, n.cut[1] = cuts.y, n.cut[2] = cuts.z;
  n.first[0] = first[(y + z * p.sy) * p.words + word];
  n.first[1] = n.first[0] + bits_in(cuts.x);
  n.first[2] = n.first[1] + bits_in(cuts.y);
  return n;
}
FN uint number_of(IN(Numbered) n, int axis, int k) {
  return n.first[axis] + bits_in(n.cut[axis] & ((1u << k) - 1u));
}

// The vertices of a cell by its edges; the far side of the last cell lies in the word after it.
FN void edge_numbers(const Numbered* here, const Numbered* next, int k, uint* numbers) {
  for (int edge = 0; edge < 12; ++edge) {
    // u lies along x, except for edges along x, whose u is along y.
    const int axis = edge >> 2, u = edge & 1, v = edge >> 1 & 1;
    const int r = axis == 0 ? u + 2 * v : axis == 1 ? 2 * v : v;
    const int ahead = axis == 0 ? 0 : u;
    numbers[edge] = k + ahead < 32 ? number_of(here[r], axis, k + ahead) : next[r].first[axis];
  }
}

// Writes the triangles of a word's wanted cells from the i-th corner on.
FN void put_triangles(IN(March) p, GLOBAL const uint* table, GLOBAL const uint* bits,
                      GLOBAL const uint* first, int word, int y, int z, uint wanted, uint i,
                      GLOBAL uint* triangles) {
  const Cells cells = cells_at(p, bits, word, y, z);
  Numbered here[4], next[4];  // the rows of the cells' edges
  for (int r = 0; r < 4; ++r) {
    const int along_y = y + (r & 1), along_z = z + (r >> 1);
    here[r] = numbered_at(p, bits, first, word, along_y, along_z);
    if ((cells.passed & wanted) >> 31 != 0u)
      next[r] = numbered_at(p, bits, first, word + 1, along_y, along_z);
  }
  for (uint left = cells.passed & wanted; left != 0u; left &= left - 1u) {
    const int k = lowest_bit(left);
    const uint found = case_of(cells, k) * MARCH_CASE_WORDS;
    const uint corners = 3u * (table[found] & 0xffu);
    uint numbers[12];
    edge_numbers(here, next, k, numbers);
    for (uint c = 1u; c <= corners; ++c)
      triangles[i++] = numbers[table[found + c / 4u] >> 8u * (c % 4u) & 0xffu];
  }
}

FN void march_triangles_cell(int word, int row, March p, GLOBAL const uint* RESTRICT table,
                             GLOBAL const uint* RESTRICT bits, GLOBAL const uint* RESTRICT first,
                             GLOBAL const uint* RESTRICT first_triangle,
                             GLOBAL uint* RESTRICT triangles) {
  const uint before = first_triangle[row * p.words + word];
  if (first_triangle[row * p.words + word + 1] == before) return;
  put_triangles(p, table, bits, first, word, row % p.sy, row / p.sy, ~0u, 3u * before, triangles);
}
SCREE_KERNEL_6(march_triangles, March, p, GLOBAL const uint*, table, GLOBAL const uint*, bits,
               GLOBAL const uint*, first, GLOBAL const uint*, first_triangle, GLOBAL uint*,
               triangles)

#endif
