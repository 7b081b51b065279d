// Blocks of different detail without cracks: Transvoxel (Lengyel 2010; Geiger 2015, section 2.2.4).
//
// A block of level n has the cells of Marching Cubes (march.h) on every 2^n-th sample. Behind a
// face of it may lie a block of the next finer level: cells along that face then have that one's
// samples on it (border_cells.h). Each pass is a function of one slot, a word of 32 samples in a
// row: of a block's own, or of the finer samples on one of its faces.
//
//   works      per block  level, and which faces have finer blocks behind them
//   bits       per slot   which samples are inside
//   live       per block  does the surface pass it? All below is done for those blocks alone
//   list                  those blocks, in order
//   count      per slot   vertices and triangles; those of border cells are counted by a pass of
//                         their own, in the slots of faces
//   sum        per block  the number of each slot's first ones, and how many in all
//   vertices   per slot   position, normal, material and name of each cut edge; those within border
//                         cells by a pass of their own, numbered after the face's edges
//   triangles  per slot   three vertex numbers each, counted from the block's first vertex; border
//                         cells again by themselves
//
// A pass per slot is over blocks of one level. Its range's x is a place in a slice of samples, its
// y a slice of a block: one for each z, then one for each face; of border cells, a face only. A
// pass per block, over all levels, takes block 32 y + x.
#ifndef SCREE_KERNEL_BLOCKS_H
#define SCREE_KERNEL_BLOCKS_H

#include "kernel/border_cells.h"

#ifdef __OPENCL_VERSION__
typedef ulong u64;
#define SOON(address)  // what is at an address will be wanted soon
#else
typedef std::uint64_t u64;
#define SOON(address) __builtin_prefetch(address)
#endif

typedef struct {
  March volume;   // without a ring: blocks bring their own
  int size;       // cells along a block at level 0: a power of two
  int blocks[3];  // along each axis, with a ring of them around the volume
  int level;      // of the blocks of a pass per slot
  int first;      // the number of the first of these
} BlockNumbers;

// A block that is to be meshed, and its number among those that were asked for.
typedef struct {
  int block, at;
} BlockChoice;
typedef struct {
  Place block;
  int level;
  int finer;  // bit 2 * axis + side: behind that face lies a finer block
  int alone;  // 1 where all blocks around have its level: it has no borders of any kind
  int at;     // where its bits and its totals are
} BlockWork;

#define BLOCK_FACES 6
#define BLOCKS_IN_A_ROW 32

// ---- slots ---------------------------------------------------------------------------------

FN int words_for(int samples) { return (samples + 31) >> 5; }
FN int slice_slots(int size) { return (size + 1) * words_for(size + 1); }
// The range of a pass per slot. Nothing is finer than level 0, and faces have twice the samples.
FN int pass_width(int size, int level) {
  return slice_slots(level == 0 ? size : size >> level << 1);
}
FN int pass_slices(int size, int level) {
  return (size >> level) + 1 + (level == 0 ? 0 : BLOCK_FACES);
}
// The slots of a block's own samples, then of those on each face; one more after each, for sums.
FN int face_base(int size, int face) {
  return (size + 1) * slice_slots(size) + 1 + face * (slice_slots(size) + 1);
}
FN int block_slots(int size) { return face_base(size, BLOCK_FACES); }

// A lattice of bits as march.h knows them: of a block's own samples, or of those on a face.
FN March bit_lattice(int side, int deep) {
  March p;
  p.nx = p.ny = p.nz = p.ring = p.materials = 0;
  p.iso = p.cell_x = p.cell_y = p.cell_z = p.origin_x = p.origin_y = p.origin_z = 0.0f;
  p.sx = side, p.sy = side, p.sz = deep;
  p.words = words_for(side);
  return p;
}
FN March own_lattice(int size, int level) {
  const int side = (size >> level) + 1;
  return bit_lattice(side, side);
}
FN March face_lattice(int size, int level) { return bit_lattice((size >> level << 1) + 1, 1); }

typedef struct {
  March lattice;
  int face;  // -1 for the block's own samples
  int base;  // the lattice's first slot
  int word, y, z;
  int slot;  // -1 where the block has none here
} Slot;
FN Slot slot_at(IN(BlockNumbers) g, IN(BlockWork) work, int x, int slice) {
  Slot s;
  s.slot = -1;
  const int cells = g.size >> g.level;
  s.face = slice <= cells ? -1 : slice - cells - 1;
  if (s.face >= 0 && (work.finer >> s.face & 1) == 0) return s;
  s.lattice = s.face < 0 ? own_lattice(g.size, g.level) : face_lattice(g.size, g.level);
  s.base = s.face < 0 ? 0 : face_base(g.size, s.face);
  s.y = s.lattice.words == 1 ? x : x / s.lattice.words;
  s.word = x - s.y * s.lattice.words;
  s.z = s.face < 0 ? slice : 0;
  if (s.y < s.lattice.sy) s.slot = s.base + (s.z * s.lattice.sy + s.y) * s.lattice.words + s.word;
  return s;
}

// ---- levels --------------------------------------------------------------------------------

// Of a block; beyond the grid, of the nearest one.
FN int level_at(IN(BlockNumbers) g, GLOBAL const unsigned char* levels, IN(Place) block) {
  const int x = imin(imax(block.at[0], 0), g.blocks[0] - 1);
  const int y = imin(imax(block.at[1], 0), g.blocks[1] - 1);
  const int z = imin(imax(block.at[2], 0), g.blocks[2] - 1);
  return levels[(z * g.blocks[1] + y) * g.blocks[0] + x];
}
FN Place beside(Place block, int axis, int side) {
  block.at[axis] += side ? 1 : -1;
  return block;
}
FN int meets_finer(IN(BlockNumbers) g, GLOBAL const unsigned char* levels, IN(Place) block,
                   int axis, int side) {
  return level_at(g, levels, beside(block, axis, side)) < level_at(g, levels, block);
}
FN int first_sample(IN(BlockNumbers) g, int block) { return (block - 1) * g.size; }

FN BlockWork work_on(IN(BlockNumbers) g, GLOBAL const unsigned char* levels, BlockChoice chosen) {
  const int block = chosen.block;
  BlockWork work;
  work.block.at[0] = block % g.blocks[0];
  work.block.at[1] = block / g.blocks[0] % g.blocks[1];
  work.block.at[2] = block / g.blocks[0] / g.blocks[1];
  work.level = level_at(g, levels, work.block);
  work.finer = 0, work.alone = 1, work.at = chosen.at;
  for (int face = 0; face < BLOCK_FACES; ++face)
    work.finer |= meets_finer(g, levels, work.block, face >> 1, face & 1) << face;
  for (int k = 0; k < 27; ++k) {
    Place near = work.block;
    near.at[0] += k % 3 - 1, near.at[1] += k / 3 % 3 - 1, near.at[2] += k / 9 - 1;
    work.alone &= level_at(g, levels, near) == work.level;
  }
  return work;
}

FN void blocks_works_cell(int x, int y, BlockNumbers g, int count,
                          GLOBAL const unsigned char* RESTRICT levels,
                          GLOBAL const BlockChoice* RESTRICT chosen,
                          GLOBAL BlockWork* RESTRICT works) {
  const int i = y * BLOCKS_IN_A_ROW + x;
  if (i < count) works[i] = work_on(g, levels, chosen[i]);
}
SCREE_KERNEL_5(blocks_works, BlockNumbers, g, int, count, GLOBAL const unsigned char*, levels,
               GLOBAL const BlockChoice*, chosen, GLOBAL BlockWork*, works)

// ---- bits ----------------------------------------------------------------------------------

FN int inside_at(IN(March) p, GLOBAL const float* density, IN(Place) s) {
  return in_volume(p, s.at[0], s.at[1], s.at[2]) &&
         density[volume_index(p, s.at[0], s.at[1], s.at[2])] >= p.iso;
}

// The sample that is the k-th of a slot's word.
FN Place sample_at(IN(BlockNumbers) g, IN(BlockWork) work, IN(Slot) s, int k) {
  Place at;
  for (int d = 0; d < 3; ++d) at.at[d] = first_sample(g, work.block.at[d]);
  const int along = s.word * 32 + k, step = 1 << g.level;
  if (s.face < 0) {
    at.at[0] += along * step, at.at[1] += s.y * step, at.at[2] += s.z * step;
  } else {
    at.at[s.face >> 1] += (s.face & 1) * g.size;
    at.at[face_i(s.face)] += along * (step >> 1), at.at[face_j(s.face)] += s.y * (step >> 1);
  }
  return at;
}

// Which of `count` samples from one on, `step` apart along x, are inside.
FN uint inside_along_x(IN(March) p, GLOBAL const float* density, int x, int y, int z, int step,
                       int count) {
  if (y < 0 || y >= p.ny || z < 0 || z >= p.nz) return 0u;
  GLOBAL const float* line = density + volume_index(p, 0, y, z);
  // The same row of the next slice: rows of a block are too far apart for processors to foresee.
  if (z + step < p.nz) {
    GLOBAL const float* next = density + volume_index(p, 0, y, z + step);
    SOON(next + imax(x, 0));
    SOON(next + imin(imax(x + 16 * step, 0), p.nx - 1));
  }
  if (step == 1) {
    const int k = imax(-x, 0), last = imin(count, p.nx - x);
    return k < last ? inside_bits(line + x + k, p.iso, last - k) << k : 0u;
  }
  uint found = 0u;
  for (int k = 0; k < count; ++k) {
    const int at = x + k * step;
    if (at >= 0 && at < p.nx) found |= (uint)(line[at] >= p.iso) << k;
  }
  return found;
}
FN uint inside_along(IN(March) p, GLOBAL const float* density, Place from, int axis, int step,
                     int count) {
  if (axis == 0) return inside_along_x(p, density, from.at[0], from.at[1], from.at[2], step, count);
  uint found = 0u;
  for (int k = 0; k < count; ++k, from.at[axis] += step)
    found |= (uint)inside_at(p, density, from) << k;
  return found;
}

FN void blocks_bits_cell(int x, int y, BlockNumbers g, GLOBAL const BlockWork* RESTRICT works,
                         GLOBAL const float* RESTRICT density, GLOBAL uint* RESTRICT bits) {
  const int slices = pass_slices(g.size, g.level), number = g.first + y / slices;
  const BlockWork work = works[number];
  const Slot s = slot_at(g, work, x, y % slices);
  if (s.slot < 0) return;
  const int count = imin(s.lattice.sx - s.word * 32, 32), step = 1 << g.level;
  uint found = 0u;
  if (s.face < 0)
    found =
        inside_along_x(g.volume, density, first_sample(g, work.block.at[0]) + s.word * 32 * step,
                       first_sample(g, work.block.at[1]) + s.y * step,
                       first_sample(g, work.block.at[2]) + s.z * step, step, count);
  else
    found =
        inside_along(g.volume, density, sample_at(g, work, s, 0), face_i(s.face), step >> 1, count);
  bits[(uint)work.at * (uint)block_slots(g.size) + (uint)s.slot] = found;
}
SCREE_KERNEL_4(blocks_bits, BlockNumbers, g, GLOBAL const BlockWork*, works, GLOBAL const float*,
               density, GLOBAL uint*, bits)

// ---- which blocks the surface passes ----------------------------------------------------------

// What samples of a lattice there are: bit 0 some outside, bit 1 some inside.
FN int kinds_of_samples(IN(March) lattice, GLOBAL const uint* bits) {
  const uint last = 0xffffffffu >> (32 * lattice.words - lattice.sx);
  uint inside = 0u, outside = 0u;
  for (int word = 0; word < lattice.words; ++word) {
    const uint mask = word + 1 < lattice.words ? 0xffffffffu : last;
    for (int row = 0; row < lattice.sy * lattice.sz; ++row) {
      inside |= bits[row * lattice.words + word];
      outside |= ~bits[row * lattice.words + word] & mask;
    }
  }
  return (outside != 0u ? 1 : 0) | (inside != 0u ? 2 : 0);
}

FN void blocks_live_cell(int x, int y, BlockNumbers g, int count,
                         GLOBAL const BlockWork* RESTRICT works, GLOBAL const uint* RESTRICT bits,
                         GLOBAL uint* RESTRICT live) {
  const int i = y * BLOCKS_IN_A_ROW + x;
  if (i >= count) return;
  const BlockWork work = works[i];
  GLOBAL const uint* own = bits + (uint)work.at * (uint)block_slots(g.size);
  int kinds = kinds_of_samples(own_lattice(g.size, work.level), own);
  for (int face = 0; face < BLOCK_FACES; ++face)
    if ((work.finer >> face & 1) != 0)
      kinds |= kinds_of_samples(face_lattice(g.size, work.level), own + face_base(g.size, face));
  live[i] = kinds == 3 ? 1u : 0u;
}
SCREE_KERNEL_5(blocks_live, BlockNumbers, g, int, count, GLOBAL const BlockWork*, works,
               GLOBAL const uint*, bits, GLOBAL uint*, live)

// `before` is how many live blocks come before each, and before the end.
FN void blocks_list_cell(int x, int y, int count, GLOBAL const uint* RESTRICT before,
                         GLOBAL const BlockWork* RESTRICT works,
                         GLOBAL BlockWork* RESTRICT live_works) {
  const int i = y * BLOCKS_IN_A_ROW + x;
  if (i < count && before[i + 1] != before[i]) live_works[before[i]] = works[i];
}
SCREE_KERNEL_4(blocks_list, int, count, GLOBAL const uint*, before, GLOBAL const BlockWork*, works,
               GLOBAL BlockWork*, live_works)

// ---- border cells ----------------------------------------------------------------------------

// The faces of a block's cell behind which lies a finer block.
FN int finer_faces(IN(BlockWork) work, int cells, IN(Place) cell) {
  int found = 0;
  for (int d = 0; d < 3; ++d)
    found |= (cell.at[d] == 0) << 2 * d | (cell.at[d] == cells - 1) << (2 * d + 1);
  return found & work.finer;
}

// Three samples of a face's row.
FN uint three_bits(GLOBAL const uint* row, int words, int first) {
  const int word = first >> 5, k = first & 31;
  const uint here = row[word] >> k;
  return (k == 30 && word + 1 < words ? here | row[word + 1] << 2 : here) & 7u;
}

// bits are the block's.
FN BorderCell border_cell(IN(BlockNumbers) g, GLOBAL const uint* bits, IN(Place) cell, int finer) {
  BorderCell c;
  c.cell = cell, c.finer = finer;
  c.inside = 0u, c.known = 0u, c.middle = 0;
  const March own = own_lattice(g.size, g.level), fine = face_lattice(g.size, g.level);
  for (int k = 0; k < 8; ++k) {
    const int x = cell.at[0] + (k & 1), y = cell.at[1] + (k >> 1 & 1), z = cell.at[2] + (k >> 2);
    const uint in = bits[(z * own.sy + y) * own.words + (x >> 5)] >> (x & 31) & 1u;
    const int place = 2 * (k & 1) + 6 * (k >> 1 & 1) + 18 * (k >> 2);
    c.inside |= in << place, c.known |= 1u << place;
  }
  for (int face = 0; face < BLOCK_FACES; ++face) {
    if ((finer >> face & 1) == 0) continue;
    const int i = 2 * cell.at[face_i(face)], j = 2 * cell.at[face_j(face)];
    for (int b = 0; b < 3; ++b) {
      const uint three =
          three_bits(bits + face_base(g.size, face) + (j + b) * fine.words, fine.words, i);
      for (int a = 0; a < 3; ++a) {
        const int place = place_number(face_place(face, a, b));
        c.inside |= (three >> a & 1u) << place, c.known |= 1u << place;
      }
    }
  }
  return c;
}

// The cells of a word of a block's own samples that are no border cells.
FN uint plain_cells(IN(BlockWork) work, IN(Slot) s) {
  if (work.finer == 0) return ~0u;
  const int last = s.lattice.sx - 2;
  Place cell;
  cell.at[0] = 0, cell.at[1] = s.y, cell.at[2] = s.z;
  if ((finer_faces(work, last + 1, cell) & 0x3c) != 0) return 0u;
  uint plain = ~0u;
  if ((work.finer & 1) != 0 && s.word == 0) plain &= ~1u;
  if ((work.finer & 2) != 0 && last >> 5 == s.word) plain &= ~(1u << (last & 31));
  return plain;
}

// The slot of a pass over border cells, whose range's y is a face of a block.
FN Slot border_slot_at(IN(BlockNumbers) g, IN(BlockWork) work, int x, int face) {
  return slot_at(g, work, x, (g.size >> g.level) + 1 + face);
}
// The cell that starts at a slot's k-th sample, or none: of the faces that a cell has, the first
// one's slot has it.
FN int border_cell_at(IN(BlockNumbers) g, IN(BlockWork) work, IN(Slot) s, int k, Place* cell) {
  const int cells = g.size >> g.level, i = (s.word * 32 + k) / 2;
  if (i >= cells) return 0;
  cell->at[s.face >> 1] = (s.face & 1) * (cells - 1);
  cell->at[face_i(s.face)] = i, cell->at[face_j(s.face)] = s.y / 2;
  const int finer = finer_faces(work, cells, *cell);
  return (finer & ((1 << s.face) - 1)) != 0 ? 0 : finer;
}
FN int starts_border_cells(IN(Slot) s) {
  return s.slot >= 0 && (s.y & 1) == 0 && s.y + 2 < s.lattice.sy;
}

// ---- counting ----------------------------------------------------------------------------------

FN MarchCounts face_counts(IN(Slot) s, GLOBAL const uint* bits) {
  const Cuts cuts = cuts_at(s.lattice, bits, s.word, s.y, 0);
  MarchCounts count;
  count.vertices = bits_in(cuts.x) + bits_in(cuts.y);
  count.triangles = 0u;
  return count;
}

FN void blocks_count_cell(int x, int y, BlockNumbers g, GLOBAL const BlockWork* RESTRICT works,
                          GLOBAL const uint* RESTRICT table, GLOBAL const uint* RESTRICT bits,
                          GLOBAL uint* RESTRICT vertices, GLOBAL uint* RESTRICT triangles) {
  const int slices = pass_slices(g.size, g.level), number = g.first + y / slices;
  const BlockWork work = works[number];
  const Slot s = slot_at(g, work, x, y % slices);
  if (s.slot < 0) return;
  const uint slots = (uint)block_slots(g.size);
  GLOBAL const uint* own = bits + (uint)work.at * slots + s.base;
  const MarchCounts count =
      s.face < 0 ? counts_at(s.lattice, table, own, s.word, s.y, s.z, plain_cells(work, s))
                 : face_counts(s, own);
  const uint at = (uint)number * slots + (uint)s.slot;
  vertices[at] = count.vertices;
  triangles[at] = count.triangles;
}
SCREE_KERNEL_6(blocks_count, BlockNumbers, g, GLOBAL const BlockWork*, works, GLOBAL const uint*,
               table, GLOBAL const uint*, bits, GLOBAL uint*, vertices, GLOBAL uint*, triangles)

// The sample at a place of a border cell.
FN Place border_sample(IN(BlockNumbers) g, IN(BlockWork) work, IN(BorderCell) c, int place) {
  const int at[3] = {place % 3, place / 3 % 3, place / 9};
  Place sample;
  for (int d = 0; d < 3; ++d)
    sample.at[d] =
        first_sample(g, work.block.at[d]) + (2 * c.cell.at[d] + at[d]) * (1 << g.level >> 1);
  return sample;
}
// The cell that starts at a slot's k-th sample and its triangles, or none. bits are the block's.
FN int border_patch_at(IN(BlockNumbers) g, IN(BlockWork) work, IN(Slot) s, int k,
                       GLOBAL const uint* table, GLOBAL const float* density,
                       GLOBAL const uint* bits, BorderCell* c, BorderPatch* patch) {
  Place cell;
  const int finer = border_cell_at(g, work, s, k, &cell);
  if (finer == 0) return 0;
  *c = border_cell(g, bits, cell, finer);
  if (!is_passed(*c)) return 0;
  c->middle = inside_at(g.volume, density, border_sample(g, work, *c, MIDDLE_PLACE));
  border_patch(*c, table, patch);
  return 1;
}

// After blocks_count. Vertices within border cells follow those of the slot's edges.
FN void borders_count_cell(int x, int y, BlockNumbers g, GLOBAL const BlockWork* RESTRICT works,
                           GLOBAL const uint* RESTRICT table, GLOBAL const float* RESTRICT density,
                           GLOBAL const uint* RESTRICT bits, GLOBAL uint* RESTRICT vertices,
                           GLOBAL uint* RESTRICT triangles) {
  const int number = g.first + y / BLOCK_FACES;
  const BlockWork work = works[number];
  const Slot s = border_slot_at(g, work, x, y % BLOCK_FACES);
  if (!starts_border_cells(s)) return;
  const uint slots = (uint)block_slots(g.size);
  MarchCounts count;
  count.vertices = 0u, count.triangles = 0u;
  for (int k = 0; k < 32; k += 2) {
    BorderCell c;
    BorderPatch patch;
    if (!border_patch_at(g, work, s, k, table, density, bits + (uint)work.at * slots, &c, &patch))
      continue;
    count.vertices += bits_in(patch.inner);
    count.triangles += (uint)patch.count;
  }
  vertices[(uint)number * slots + (uint)s.slot] += count.vertices;
  triangles[(uint)number * slots + (uint)s.slot] = count.triangles;
}
SCREE_KERNEL_7(borders_count, BlockNumbers, g, GLOBAL const BlockWork*, works, GLOBAL const uint*,
               table, GLOBAL const float*, density, GLOBAL const uint*, bits, GLOBAL uint*,
               vertices, GLOBAL uint*, triangles)

// Counts of a block's slots become the sums of those before; returns the sum of all.
FN uint summed(IN(BlockNumbers) g, IN(BlockWork) work, GLOBAL uint* values) {
  uint sum = 0u;
  for (int face = -1; face < BLOCK_FACES; ++face) {
    if (face >= 0 && (work.finer >> face & 1) == 0) continue;
    const March lattice =
        face < 0 ? own_lattice(g.size, work.level) : face_lattice(g.size, work.level);
    const int first = face < 0 ? 0 : face_base(g.size, face);
    const int last = first + lattice.sy * lattice.sz * lattice.words;
    for (int i = first; i < last; ++i) {
      const uint value = values[i];
      values[i] = sum;
      sum += value;
    }
    values[last] = sum;
  }
  return sum;
}

FN void blocks_sum_cell(int x, int y, BlockNumbers g, int count,
                        GLOBAL const BlockWork* RESTRICT works, GLOBAL uint* RESTRICT vertices,
                        GLOBAL uint* RESTRICT triangles, GLOBAL uint* RESTRICT block_vertices,
                        GLOBAL uint* RESTRICT block_triangles) {
  const int i = y * BLOCKS_IN_A_ROW + x;
  if (i >= count) return;
  const BlockWork work = works[i];
  const uint own = (uint)i * (uint)block_slots(g.size);
  block_vertices[work.at] = summed(g, work, vertices + own);
  block_triangles[work.at] = summed(g, work, triangles + own);
}
SCREE_KERNEL_7(blocks_sum, BlockNumbers, g, int, count, GLOBAL const BlockWork*, works,
               GLOBAL uint*, vertices, GLOBAL uint*, triangles, GLOBAL uint*, block_vertices,
               GLOBAL uint*, block_triangles)

// ---- vertices ------------------------------------------------------------------------------

// A cut edge of a level, from a sample along an axis, as a block has it.
typedef struct {
  Place from;
  int axis, level;
  Place owner;
} BlockEdge;

// The blocks around an edge: the first along each axis, and whether there are two.
typedef struct {
  Place low;
  int two[3];
} Around;
FN Around around_edge(IN(BlockNumbers) g, IN(BlockEdge) e) {
  Around a;
  for (int d = 0; d < 3; ++d) {
    const int start = e.from.at[d] & -g.size;  // of the block that it lies in: rounds down
    a.two[d] = d != e.axis && start == e.from.at[d];
    a.low.at[d] = start / g.size + 1 - a.two[d];
  }
  return a;
}

// The finest level of the blocks around an edge.
FN int finest_around(IN(BlockNumbers) g, GLOBAL const unsigned char* levels, IN(Around) a) {
  int finest = 255;
  for (int k = 0; k < 8; ++k) {
    Place b = a.low;
    int there = 1;
    for (int d = 0; d < 3; ++d) {
      const int further = k >> d & 1;
      there &= a.two[d] | (1 - further);
      b.at[d] += further;
    }
    if (there) finest = imin(finest, level_at(g, levels, b));
  }
  return finest;
}

// Never 0. Two vertices are one if and only if their names are equal.
FN u64 name_of(int x, int y, int z, int axis, int level) {
  const u64 at =
      ((((u64)1 << 17 | (u64)(x + 65536)) << 17 | (u64)(y + 65536)) << 17) | (u64)(z + 65536);
  return at << 8 | (u64)(level << 4 | axis << 2);
}

// Where the full detail changes sides along the edge: at the edge from this sample to the next one.
// Each level halves the edge, so a coarse vertex is that of the finer edge that is cut as well, and
// in the end one of Marching Cubes at full detail (Lengyel 2010).
FN Place at_full_detail(IN(March) p, GLOBAL const float* density, IN(BlockEdge) e) {
  Place from = e.from;
  if (e.level == 0) return from;
  const int side = inside_at(p, density, from);
  for (int step = 1 << e.level >> 1; step > 0; step >>= 1) {
    Place middle = from;
    middle.at[e.axis] += step;
    if (inside_at(p, density, middle) == side) from = middle;
  }
  return from;
}

typedef struct {
  MarchVertex vertex;
  u64 name;
} NamedVertex;
// Where all blocks around are at full detail there is nothing to refine.
FN NamedVertex plain_vertex(IN(BlockNumbers) g, GLOBAL const float* density,
                            GLOBAL const uint* materials, int x, int y, int z, int axis) {
  NamedVertex v;
  v.vertex = vertex_on(g.volume, field_of(density), materials, x, y, z, axis);
  v.name = name_of(x, y, z, axis, 0);
  return v;
}
// A vertex on an edge beside a finer block is that block's vertex, and has its name.
FN NamedVertex vertex_of(IN(BlockNumbers) g, IN(BlockWork) work, GLOBAL const unsigned char* levels,
                         GLOBAL const float* density, GLOBAL const uint* materials,
                         IN(BlockEdge) e) {
  const Place from = at_full_detail(g.volume, density, e);
  NamedVertex v;
  v.vertex =
      vertex_on(g.volume, field_of(density), materials, from.at[0], from.at[1], from.at[2], e.axis);
  Place named = e.from;
  int level = e.level;
  if (!work.alone && finest_around(g, levels, around_edge(g, e)) < level) {
    --level;
    if (from.at[e.axis] >= named.at[e.axis] + (1 << level)) named.at[e.axis] += 1 << level;
  }
  v.name = name_of(named.at[0], named.at[1], named.at[2], e.axis, level);
  return v;
}

// The edge that a slot's k-th sample starts, along the first, second or third axis of its lattice.
FN BlockEdge edge_at(IN(BlockNumbers) g, IN(BlockWork) work, IN(Slot) s, int axis, int k) {
  BlockEdge e;
  e.from = sample_at(g, work, s, k);
  if (s.face < 0) {
    e.axis = axis, e.level = g.level;
    e.owner = work.block;
  } else {
    e.axis = axis == 0 ? face_i(s.face) : face_j(s.face), e.level = g.level - 1;
    e.owner = beside(work.block, s.face >> 1, s.face & 1);
  }
  return e;
}

FN void blocks_vertices_cell(int x, int y, BlockNumbers g, GLOBAL const BlockWork* RESTRICT works,
                             GLOBAL const unsigned char* RESTRICT levels,
                             GLOBAL const float* RESTRICT density,
                             GLOBAL const uint* RESTRICT materials,
                             GLOBAL const uint* RESTRICT bits, GLOBAL const uint* RESTRICT before,
                             GLOBAL const uint* RESTRICT first, GLOBAL float* RESTRICT positions,
                             GLOBAL float* RESTRICT normals, GLOBAL uint* RESTRICT vertex_materials,
                             GLOBAL u64* RESTRICT names) {
  const int slices = pass_slices(g.size, g.level), number = g.first + y / slices;
  const BlockWork work = works[number];
  const Slot s = slot_at(g, work, x, y % slices);
  if (s.slot < 0) return;
  const uint slots = (uint)block_slots(g.size);
  const uint at = (uint)number * slots + (uint)s.slot;
  if (before[at + 1u] == before[at]) return;
  uint i = first[work.at] + before[at];
  const Cuts cuts = cuts_at(s.lattice, bits + (uint)work.at * slots + s.base, s.word, s.y, s.z);
  const int plain = work.alone && g.level == 0;
  const int first_x = first_sample(g, work.block.at[0]) + s.word * 32,
            first_y = first_sample(g, work.block.at[1]),
            first_z = first_sample(g, work.block.at[2]);
  for (int axis = 0; axis < 3; ++axis)
    for (uint left = axis == 0   ? cuts.x
                     : axis == 1 ? cuts.y
                                 : cuts.z;
         left != 0u; left &= left - 1u, ++i) {
      const int k = lowest_bit(left);
      const NamedVertex v =
          plain
              ? plain_vertex(g, density, materials, first_x + k, first_y + s.y, first_z + s.z, axis)
              : vertex_of(g, work, levels, density, materials, edge_at(g, work, s, axis, k));
      store3(positions, i, metres_at(g.volume, v.vertex.sample));
      store3(normals, i, v.vertex.normal);
      names[i] = v.name;
      if (g.volume.materials) vertex_materials[i] = (uint)v.vertex.material;
    }
}
SCREE_KERNEL_12(blocks_vertices, BlockNumbers, g, GLOBAL const BlockWork*, works,
                GLOBAL const unsigned char*, levels, GLOBAL const float*, density,
                GLOBAL const uint*, materials, GLOBAL const uint*, bits, GLOBAL const uint*, before,
                GLOBAL const uint*, first, GLOBAL float*, positions, GLOBAL float*, normals,
                GLOBAL uint*, vertex_materials, GLOBAL u64*, names)

// ---- triangles -----------------------------------------------------------------------------

FN void blocks_triangles_cell(int x, int y, BlockNumbers g, GLOBAL const BlockWork* RESTRICT works,
                              GLOBAL const uint* RESTRICT table, GLOBAL const uint* RESTRICT bits,
                              GLOBAL const uint* RESTRICT before,
                              GLOBAL const uint* RESTRICT triangles_before,
                              GLOBAL const uint* RESTRICT first, GLOBAL uint* RESTRICT triangles) {
  const int slices = pass_slices(g.size, g.level), number = g.first + y / slices;
  const BlockWork work = works[number];
  const Slot s = slot_at(g, work, x, y % slices);
  if (s.slot < 0 || s.face >= 0) return;
  const uint slots = (uint)block_slots(g.size), start = (uint)number * slots;
  const uint at = start + (uint)s.slot;
  if (triangles_before[at + 1u] == triangles_before[at]) return;
  put_triangles(s.lattice, table, bits + (uint)work.at * slots, before + start, s.word, s.y, s.z,
                plain_cells(work, s), 3u * (first[work.at] + triangles_before[at]), triangles);
}
SCREE_KERNEL_8(blocks_triangles, BlockNumbers, g, GLOBAL const BlockWork*, works,
               GLOBAL const uint*, table, GLOBAL const uint*, bits, GLOBAL const uint*, before,
               GLOBAL const uint*, triangles_before, GLOBAL const uint*, first, GLOBAL uint*,
               triangles)

// The vertex on an edge of a border cell: the finer block's where the edge lies on such a face.
// bits and before are the block's.
FN uint border_corner(IN(BlockNumbers) g, IN(BorderCell) c, GLOBAL const uint* bits,
                      GLOBAL const uint* before, int edge) {
  const int axis = edge / 18;
  const Place from = edge_place(edge);
  for (int face = 0; face < BLOCK_FACES; ++face) {
    if ((c.finer >> face & 1) == 0 || face >> 1 == axis) continue;
    if (from.at[face >> 1] != 2 * (face & 1)) continue;
    const int base = face_base(g.size, face), i = face_i(face), j = face_j(face);
    const int at_i = 2 * c.cell.at[i] + from.at[i], at_j = 2 * c.cell.at[j] + from.at[j];
    const Numbered n =
        numbered_at(face_lattice(g.size, g.level), bits + base, before + base, at_i >> 5, at_j, 0);
    return number_of(n, axis == i ? 0 : 1, at_i & 31);
  }
  Place at;
  for (int d = 0; d < 3; ++d) at.at[d] = c.cell.at[d] + from.at[d] / 2;
  const Numbered n =
      numbered_at(own_lattice(g.size, g.level), bits, before, at.at[0] >> 5, at.at[1], at.at[2]);
  return number_of(n, axis, at.at[0] & 31);
}

// The number of the first vertex within border cells of a slot.
FN uint first_inner(IN(Slot) s, GLOBAL const uint* bits, GLOBAL const uint* before) {
  const Cuts cuts = cuts_at(s.lattice, bits + s.base, s.word, s.y, 0);
  return before[s.slot] + bits_in(cuts.x) + bits_in(cuts.y);
}

FN void borders_triangles_cell(int x, int y, BlockNumbers g, GLOBAL const BlockWork* RESTRICT works,
                               GLOBAL const uint* RESTRICT table,
                               GLOBAL const float* RESTRICT density,
                               GLOBAL const uint* RESTRICT bits, GLOBAL const uint* RESTRICT before,
                               GLOBAL const uint* RESTRICT triangles_before,
                               GLOBAL const uint* RESTRICT first, GLOBAL uint* RESTRICT triangles) {
  const int number = g.first + y / BLOCK_FACES;
  const BlockWork work = works[number];
  const Slot s = border_slot_at(g, work, x, y % BLOCK_FACES);
  if (!starts_border_cells(s)) return;
  const uint slots = (uint)block_slots(g.size), start = (uint)number * slots;
  const uint at = start + (uint)s.slot;
  if (triangles_before[at + 1u] == triangles_before[at]) return;
  GLOBAL const uint* own = bits + (uint)work.at * slots;
  uint i = 3u * (first[work.at] + triangles_before[at]);
  uint inner = first_inner(s, own, before + start);
  for (int k = 0; k < 32; k += 2) {
    BorderCell c;
    BorderPatch patch;
    if (!border_patch_at(g, work, s, k, table, density, own, &c, &patch)) continue;
    for (int n = 0; n < 3 * patch.count; ++n) {
      const int corner = patch.corner[n];
      triangles[i++] = corner < INNER_VERTEX
                           ? border_corner(g, c, own, before + start, corner)
                           : inner + bits_in(patch.inner & ((1u << (corner - INNER_VERTEX)) - 1u));
    }
    inner += bits_in(patch.inner);
  }
}
SCREE_KERNEL_9(borders_triangles, BlockNumbers, g, GLOBAL const BlockWork*, works,
               GLOBAL const uint*, table, GLOBAL const float*, density, GLOBAL const uint*, bits,
               GLOBAL const uint*, before, GLOBAL const uint*, triangles_before, GLOBAL const uint*,
               first, GLOBAL uint*, triangles)

// ---- vertices within border cells --------------------------------------------------------------

FN u64 inner_name(IN(BlockNumbers) g, IN(BlockWork) work, IN(BorderCell) c, int place) {
  const Place at = border_sample(g, work, c, place);
  const int octant = (place % 3 == 2) | (place / 3 % 3 == 2) << 1 | (place / 9 == 2) << 2;
  // Cells around a place each have their own; axes and levels leave these bits.
  return name_of(at.at[0], at.at[1], at.at[2], 3, g.level) | (u64)(octant & 3) |
         (u64)(octant >> 2) << 7;
}

// On the line from a place to the middle of as much of the cell as lies in the volume; what lies
// beyond is at its border. Several sheets pass that a coarse cell does not resolve, so where on
// that line is free: such that no three vertices between a cell's edge and its middle lie in a row,
// and all that lies beyond the volume's border is as far from it.
FN MarchVertex vertex_to_middle(IN(BlockNumbers) g, IN(BlockWork) work, IN(BorderCell) c,
                                GLOBAL const uint* materials, int place) {
  const int last[3] = {g.volume.nx - 1, g.volume.ny - 1, g.volume.nz - 1};
  const Place from = border_sample(g, work, c, place), first = border_sample(g, work, c, 0),
              end = border_sample(g, work, c, 26), middle = border_sample(g, work, c, MIDDLE_PLACE);
  int across = 0, beyond = 0, flat[3], any = 0;
  for (int d = 0; d < 3; ++d) {
    across += from.at[d] != middle.at[d];
    beyond |= end.at[d] > last[d] && from.at[d] >= last[d];
    flat[d] = imax(first.at[d], 0) >= imin(end.at[d], last[d]), any |= flat[d];
  }
  const float t = across == 3 || beyond ? 0.375f : across == 2 ? 0.75f : 0.5f;
  const float cell[3] = {g.volume.cell_x, g.volume.cell_y, g.volume.cell_z};
  float at[3], normal[3], square = 0.0f;
  for (int d = 0; d < 3; ++d) {
    const float low = (float)imax(first.at[d], 0), high = (float)imin(end.at[d], last[d]);
    const float start = fmin2(fmax2((float)from.at[d], low), high);
    // Around the volume, all lies in its border.
    at[d] = any ? (float)from.at[d] : start + t * (0.5f * (low + high) - start);
    const float way = (float)(middle.at[d] - from.at[d]) * cell[d];
    normal[d] = any && !flat[d] ? 0.0f : c.middle ? 0.0f - way : way;
    square += normal[d] * normal[d];
  }
  const float length = SQRT(square);
  const Place inside = c.middle ? middle : from;
  MarchVertex v;
  v.sample.x = at[0], v.sample.y = at[1], v.sample.z = at[2];
  v.normal.x = normal[0] / length, v.normal.y = normal[1] / length, v.normal.z = normal[2] / length;
  v.material = 0;
  if (g.volume.materials)
    v.material = (int)materials[volume_index(g.volume, inside.at[0], inside.at[1], inside.at[2])];
  return v;
}

// The vertex that a loop is joined to: where its corners' middle is, moved to where the field at
// the nearest sample says that the surface is, by half of the way out of the loop's box at most.
typedef struct {
  float middle[3], low[3], high[3];
  March3 normal;  // the sum of the corners'
} LoopBox;
FN March3 moved_to_surface(IN(March) p, IN(MarchField) f, const LoopBox* box) {
  const float cell[3] = {p.cell_x, p.cell_y, p.cell_z};
  const float origin[3] = {p.origin_x, p.origin_y, p.origin_z};
  const int last[3] = {p.nx - 1, p.ny - 1, p.nz - 1};
  int s[3];
  float at[3];
  for (int d = 0; d < 3; ++d) {
    at[d] = box->middle[d];
    s[d] = imin(imax(nearest((at[d] - origin[d]) / cell[d]), 0), last[d]);
  }
  const March3 slope = gradient_at(p, f, s[0], s[1], s[2]);
  const float g[3] = {slope.x, slope.y, slope.z};
  float value = density_at(f, volume_index(p, s[0], s[1], s[2])), square = 0.0f;
  for (int d = 0; d < 3; ++d) {
    value += g[d] * (at[d] - (origin[d] + (float)s[d] * cell[d]));
    square += g[d] * g[d];
  }
  const float way = (p.iso - value) / square;
  if (square > 1e-30f && square < 1e30f && way > -1e20f && way < 1e20f)
    for (int d = 0; d < 3; ++d)
      at[d] = fmin2(fmax2(at[d] + way * g[d], at[d] + 0.5f * (box->low[d] - at[d])),
                    at[d] + 0.5f * (box->high[d] - at[d]));
  March3 moved;
  moved.x = at[0], moved.y = at[1], moved.z = at[2];
  return moved;
}
// A loop in a face of the cell is joined to a vertex in front of that face, unless the volume ends
// there: there loops are convex.
FN March3 moved_off_face(IN(BlockNumbers) g, IN(BlockWork) work, IN(BorderCell) c,
                         const LoopBox* box) {
  const float cell[3] = {g.volume.cell_x, g.volume.cell_y, g.volume.cell_z};
  const float origin[3] = {g.volume.origin_x, g.volume.origin_y, g.volume.origin_z};
  const int last[3] = {g.volume.nx - 1, g.volume.ny - 1, g.volume.nz - 1};
  const Place middle = border_sample(g, work, c, MIDDLE_PLACE);
  float at[3];
  for (int d = 0; d < 3; ++d) {
    at[d] = box->middle[d];
    if (box->low[d] != box->high[d]) continue;
    const float away = origin[d] + (float)middle.at[d] * cell[d] - at[d];
    at[d] = fmin2(fmax2(at[d] + 0.25f * away, origin[d]), origin[d] + (float)last[d] * cell[d]);
  }
  March3 moved;
  moved.x = at[0], moved.y = at[1], moved.z = at[2];
  return moved;
}

// positions and normals are those of the block's vertices.
FN LoopBox loop_box(IN(BlockNumbers) g, IN(BorderCell) c, const BorderPatch* patch,
                    GLOBAL const uint* bits, GLOBAL const uint* before,
                    GLOBAL const float* positions, GLOBAL const float* normals) {
  LoopBox box;
  box.normal.x = box.normal.y = box.normal.z = 0.0f;
  for (int n = 0; n < patch->count; ++n) {
    const uint i = 3u * border_corner(g, c, bits, before, patch->corner[3 * n]);
    for (int d = 0; d < 3; ++d) {
      const float at = positions[i + (uint)d];
      box.middle[d] = n == 0 ? at : box.middle[d] + at;
      box.low[d] = n == 0 ? at : fmin2(box.low[d], at);
      box.high[d] = n == 0 ? at : fmax2(box.high[d], at);
    }
    box.normal.x += normals[i], box.normal.y += normals[i + 1u], box.normal.z += normals[i + 2u];
  }
  for (int d = 0; d < 3; ++d)
    box.middle[d] = fmin2(fmax2(box.middle[d] / (float)patch->count, box.low[d]), box.high[d]);
  return box;
}

// A sum of normals made one long, or the one at `other`.
FN March3 unit_or(March3 sum, GLOBAL const float* other) {
  const float length = SQRT(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z);
  March3 unit;
  unit.x = length > 1e-3f ? sum.x / length : other[0];
  unit.y = length > 1e-3f ? sum.y / length : other[1];
  unit.z = length > 1e-3f ? sum.z / length : other[2];
  return unit;
}

// After blocks_vertices.
FN void borders_vertices_cell(int x, int y, BlockNumbers g, GLOBAL const BlockWork* RESTRICT works,
                              GLOBAL const uint* RESTRICT table,
                              GLOBAL const float* RESTRICT density,
                              GLOBAL const uint* RESTRICT materials,
                              GLOBAL const uint* RESTRICT bits, GLOBAL const uint* RESTRICT before,
                              GLOBAL const uint* RESTRICT first, GLOBAL float* RESTRICT positions,
                              GLOBAL float* RESTRICT normals,
                              GLOBAL uint* RESTRICT vertex_materials, GLOBAL u64* RESTRICT names) {
  const int number = g.first + y / BLOCK_FACES;
  const BlockWork work = works[number];
  const Slot s = border_slot_at(g, work, x, y % BLOCK_FACES);
  if (!starts_border_cells(s)) return;
  const uint slots = (uint)block_slots(g.size);
  GLOBAL const uint *own = bits + (uint)work.at * slots, *numbers = before + (uint)number * slots;
  const uint block = first[work.at];
  uint i = block + first_inner(s, own, numbers);
  if (i == block + numbers[s.slot + 1]) return;
  for (int k = 0; k < 32; k += 2) {
    BorderCell c;
    BorderPatch patch;
    if (!border_patch_at(g, work, s, k, table, density, own, &c, &patch)) continue;
    for (uint left = patch.inner; left != 0u; left &= left - 1u, ++i) {
      const int place = lowest_bit(left);
      names[i] = inner_name(g, work, c, place);
      if (place != MIDDLE_PLACE) {
        const MarchVertex v = vertex_to_middle(g, work, c, materials, place);
        store3(positions, i, metres_at(g.volume, v.sample));
        store3(normals, i, v.normal);
        if (g.volume.materials) vertex_materials[i] = (uint)v.material;
        continue;
      }
      const LoopBox box =
          loop_box(g, c, &patch, own, numbers, positions + 3u * block, normals + 3u * block);
      const int flat =
          box.low[0] == box.high[0] || box.low[1] == box.high[1] || box.low[2] == box.high[2];
      store3(positions, i,
             flat ? moved_off_face(g, work, c, &box)
                  : moved_to_surface(g.volume, field_of(density), &box));
      const uint corner = block + border_corner(g, c, own, numbers, patch.corner[0]);
      store3(normals, i, unit_or(box.normal, normals + 3u * corner));
      if (g.volume.materials) vertex_materials[i] = vertex_materials[corner];
    }
  }
}
SCREE_KERNEL_12(borders_vertices, BlockNumbers, g, GLOBAL const BlockWork*, works,
                GLOBAL const uint*, table, GLOBAL const float*, density, GLOBAL const uint*,
                materials, GLOBAL const uint*, bits, GLOBAL const uint*, before, GLOBAL const uint*,
                first, GLOBAL float*, positions, GLOBAL float*, normals, GLOBAL uint*,
                vertex_materials, GLOBAL u64*, names)

#endif
