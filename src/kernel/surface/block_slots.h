// Blocks of samples (blocks.h): where the words of their samples are, which samples are inside, and
// which blocks the surface passes.
#ifndef SCREE_KERNEL_BLOCK_SLOTS_H
#define SCREE_KERNEL_BLOCK_SLOTS_H

#include "kernel/surface/border_cells.h"

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

// `before` is how many live blocks come before each, and before the end.
FN void blocks_list_cell(int x, int y, int count, GLOBAL const uint* RESTRICT before,
                         GLOBAL const BlockWork* RESTRICT works,
                         GLOBAL BlockWork* RESTRICT live_works) {
  const int i = y * BLOCKS_IN_A_ROW + x;
  if (i < count && before[i + 1] != before[i]) live_works[before[i]] = works[i];
}

#endif
