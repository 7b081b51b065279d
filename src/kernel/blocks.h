// Blocks of different detail without cracks: Transvoxel (Lengyel 2010; Geiger 2015, section 2.2.4).
//
// A block of level n has the cells of Marching Cubes (march.h) on every 2^n-th sample. Behind a
// face of it may lie a block of the next finer level: transition cells along that face then join
// the vertices of both. Each pass is a function of one slot, a word of 32 samples in a row: of a
// block's own, or of the finer samples on one of its faces.
//
//   works      per block  level, and which faces have finer blocks behind them
//   bits       per slot   which samples are inside
//   live       per block  does the surface pass it? All below is done for those blocks alone
//   list                  those blocks, in order
//   count      per slot   vertices and triangles
//   sum        per block  the number of each slot's first ones, and how many in all
//   vertices   per slot   position, normal, material and name of each cut edge
//   triangles  per slot   three vertex numbers each, counted from the block's first vertex
//
// A pass per slot is over blocks of one level. Its range's x is a place in a slice of samples, its
// y a slice of a block: one for each z, then one for each face. A pass per block, over all levels,
// takes block 32 y + x.
#ifndef SCREE_KERNEL_BLOCKS_H
#define SCREE_KERNEL_BLOCKS_H

#include "kernel/march.h"

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

typedef struct {
  int at[3];
} Place;

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
// A case of a transition cell: how many triangles, then their corners, in bytes. The table has them
// after the 256 cases of march.h.
#define TRANSITION_CASE_WORDS 10
#define TRANSITION_CASES (256 * MARCH_CASE_WORDS)

// How much of a coarse cell the transition cells beside it take.
#define TRANSITION_WIDTH 0.25f

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

// Along a face's rows and across them, such that the coarser block lies in front (cases.h).
FN int face_i(int face) { return ((face >> 1) + 1 + (face & 1)) % 3; }
FN int face_j(int face) { return ((face >> 1) + 2 - (face & 1)) % 3; }

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

// ---- transition cells ------------------------------------------------------------------------

// A word's samples in three rows of a face; cells start at every other sample of every other row.
typedef struct {
  uint here[3];    // from the word's first sample on
  uint beyond[3];  // the first bit of the word after it, where a cell may end
  uint passed;     // bits of the cells' first samples
} Transitions;
FN Transitions transitions_at(IN(March) lattice, GLOBAL const uint* bits, int word, int y) {
  Transitions t;
  t.passed = 0u;
  if ((y & 1) != 0 || y + 2 >= lattice.sy) return t;
  uint any = 0u, all = 0xffffffffu;
  for (int r = 0; r < 3; ++r) {
    const int at = (y + r) * lattice.words + word;
    const uint here = bits[at], next = word + 1 < lattice.words ? bits[at + 1] : 0u;
    const uint ahead = here >> 1 | next << 31, far = here >> 2 | next << 30;
    any |= here | ahead | far, all &= here & ahead & far;
    t.here[r] = here, t.beyond[r] = next;
  }
  const int cells = (lattice.sx - 1 - word * 32) >> 1;  // that start in this word or later
  const uint start = cells >= 16 ? 0x55555555u : cells > 0 ? 0x55555555u >> (32 - 2 * cells) : 0u;
  t.passed = any & ~all & start;
  return t;
}
FN uint transition_case(IN(Transitions) t, int k) {
  uint found = 0u;
  for (int r = 0; r < 3; ++r) {
    const uint two = t.here[r] >> k & 3u;
    const uint third = k < 30 ? t.here[r] >> (k + 2) & 1u : t.beyond[r] & 1u;
    found |= (two | third << 2) << 3 * r;
  }
  return TRANSITION_CASES + found * TRANSITION_CASE_WORDS;
}

// ---- counting ----------------------------------------------------------------------------------

FN MarchCounts face_counts(IN(Slot) s, GLOBAL const uint* table, GLOBAL const uint* bits) {
  const Cuts cuts = cuts_at(s.lattice, bits, s.word, s.y, 0);
  const Transitions cells = transitions_at(s.lattice, bits, s.word, s.y);
  MarchCounts count;
  count.vertices = bits_in(cuts.x) + bits_in(cuts.y);
  count.triangles = 0u;
  for (uint left = cells.passed; left != 0u; left &= left - 1u)
    count.triangles += table[transition_case(cells, lowest_bit(left))] & 0xffu;
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
      s.face < 0 ? counts_at(s.lattice, table, own, s.word, s.y, s.z) : face_counts(s, table, own);
  const uint at = (uint)number * slots + (uint)s.slot;
  vertices[at] = count.vertices;
  triangles[at] = count.triangles;
}
SCREE_KERNEL_6(blocks_count, BlockNumbers, g, GLOBAL const BlockWork*, works, GLOBAL const uint*,
               table, GLOBAL const uint*, bits, GLOBAL uint*, vertices, GLOBAL uint*, triangles)

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

// Where two blocks meet along a line with two of the other level between them, those across from
// each other have no face in common. The two coarse ones end there each on its own. The fine ones
// share the vertex that the coarse ones have too; one that only they have belongs to each alone.
FN int part_of(IN(BlockNumbers) g, GLOBAL const unsigned char* levels, GLOBAL const float* density,
               IN(BlockEdge) e, IN(Around) a) {
  const int i = (e.axis + 1) % 3, j = (e.axis + 2) % 3;
  if (!a.two[i] || !a.two[j]) return 0;
  int level[4];
  for (int k = 0; k < 4; ++k) {
    Place b = a.low;
    b.at[i] += k & 1, b.at[j] += k >> 1;
    level[k] = level_at(g, levels, b);
  }
  if (level[0] != level[3] || level[1] != level[2] || level[0] == level[1]) return 0;
  const int coarse = imax(level[0], level[1]), span = 1 << coarse;
  const int of_owner = e.owner.at[i] == a.low.at[i] ? 1 : 2;
  if (e.level == coarse) return of_owner;
  Place one = e.from;
  one.at[e.axis] &= -span;
  Place other = one;
  other.at[e.axis] += span;
  return inside_at(g.volume, density, one) != inside_at(g.volume, density, other) ? 0 : of_owner;
}

// Never 0. Two vertices are one if and only if their names are equal.
FN u64 name_of(int x, int y, int z, int axis, int level, int part) {
  const u64 at =
      ((((u64)1 << 17 | (u64)(x + 65536)) << 17 | (u64)(y + 65536)) << 17) | (u64)(z + 65536);
  return at << 8 | (u64)(level << 4 | axis << 2 | part);
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

// Do transition cells lie along that side of all the blocks of the edge's level?
FN int all_meet_finer(IN(BlockNumbers) g, GLOBAL const unsigned char* levels, int level,
                      IN(Around) a, int axis, int side) {
  for (int k = 0; k < 8; ++k) {
    Place b = a.low;
    int there = 1;
    for (int d = 0; d < 3; ++d) {
      const int further = k >> d & 1;
      there &= a.two[d] | (1 - further);
      b.at[d] += further;
    }
    if (there && level_at(g, levels, b) == level && !meets_finer(g, levels, b, axis, side))
      return 0;
  }
  return 1;
}

// Moves a vertex of a border cell away from the border where transition cells lie there, along the
// surface (Lengyel 2010), and no further than the volume goes: blocks of the ring have their
// vertices on its border, whatever lies there.
FN March3 made_way(IN(BlockNumbers) g, GLOBAL const unsigned char* levels, int level, IN(Around) a,
                   IN(MarchVertex) v) {
  const float step = (float)(1 << level);
  const float before[3] = {v.sample.x, v.sample.y, v.sample.z};
  float shift[3] = {0.0f, 0.0f, 0.0f};
  for (int d = 0; d < 3; ++d)
    for (int side = 0; side < 2; ++side) {
      if (a.two[d] || !all_meet_finer(g, levels, level, a, d, side)) continue;
      const float border = (float)first_sample(g, a.low.at[d] + side);
      const float away = fmin2(fabs2(before[d] - border) / step, 1.0f);
      const float by = TRANSITION_WIDTH * (1.0f - away) * step;
      shift[d] += side == 0 ? by : 0.0f - by;
    }
  const March p = g.volume;
  const float out = v.normal.x * (shift[0] * p.cell_x) + v.normal.y * (shift[1] * p.cell_y) +
                    v.normal.z * (shift[2] * p.cell_z);  // metres
  March3 s;
  s.x = before[0] + (shift[0] - v.normal.x * out / p.cell_x);
  s.y = before[1] + (shift[1] - v.normal.y * out / p.cell_y);
  s.z = before[2] + (shift[2] - v.normal.z * out / p.cell_z);
  s.x = fmin2(fmax2(s.x, 0.0f), (float)(p.nx - 1));
  s.y = fmin2(fmax2(s.y, 0.0f), (float)(p.ny - 1));
  s.z = fmin2(fmax2(s.z, 0.0f), (float)(p.nz - 1));
  return s;
}

typedef struct {
  MarchVertex vertex;
  u64 name;
} NamedVertex;
// Where all blocks around are at full detail there is nothing to refine and nothing to make way
// for.
FN NamedVertex plain_vertex(IN(BlockNumbers) g, GLOBAL const float* density,
                            GLOBAL const uint* materials, int x, int y, int z, int axis) {
  NamedVertex v;
  v.vertex = vertex_on(g.volume, density, materials, x, y, z, axis);
  v.name = name_of(x, y, z, axis, 0, 0);
  return v;
}
FN NamedVertex vertex_of(IN(BlockNumbers) g, IN(BlockWork) work, GLOBAL const unsigned char* levels,
                         GLOBAL const float* density, GLOBAL const uint* materials,
                         IN(BlockEdge) e) {
  const Place from = at_full_detail(g.volume, density, e);
  NamedVertex v;
  v.vertex = vertex_on(g.volume, density, materials, from.at[0], from.at[1], from.at[2], e.axis);
  int part = 0;
  if (!work.alone) {
    Around a = around_edge(g, e);
    part = part_of(g, levels, density, e, a);
    if (part != 0) {
      a.low = e.owner;
      a.two[0] = a.two[1] = a.two[2] = 0;
    }
    v.vertex.sample = made_way(g, levels, e.level, a, v.vertex);
  }
  v.name = name_of(e.from.at[0], e.from.at[1], e.from.at[2], e.axis, e.level, part);
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

// The vertex at an edge of a transition cell (cases.h) that starts at (i, j) of a face's samples.
// bits and before are the block's.
FN uint transition_corner(IN(BlockNumbers) g, IN(Slot) s, GLOBAL const uint* bits,
                          GLOBAL const uint* before, int edge, int i, int j) {
  if (edge < 12) {  // the finer block's, on the face
    const int along_i = edge < 6, e = along_i ? edge : edge - 6;
    const int at_i = i + (along_i ? e & 1 : e % 3), at_j = j + (along_i ? e >> 1 : e / 3);
    const Numbered n = numbered_at(s.lattice, bits + s.base, before + s.base, at_i >> 5, at_j, 0);
    return number_of(n, along_i ? 0 : 1, at_i & 31);
  }
  const int along_i = edge < 14, further = edge & 1;
  const int axis = s.face >> 1, axis_i = face_i(s.face), axis_j = face_j(s.face);
  Place at;
  at.at[axis] = (s.face & 1) * (g.size >> g.level);
  at.at[axis_i] = (i >> 1) + (along_i ? 0 : further);
  at.at[axis_j] = (j >> 1) + (along_i ? further : 0);
  const Numbered n =
      numbered_at(own_lattice(g.size, g.level), bits, before, at.at[0] >> 5, at.at[1], at.at[2]);
  return number_of(n, along_i ? axis_i : axis_j, at.at[0] & 31);
}

FN void put_transitions(IN(BlockNumbers) g, IN(Slot) s, GLOBAL const uint* table,
                        GLOBAL const uint* bits, GLOBAL const uint* before, uint i,
                        GLOBAL uint* triangles) {
  const Transitions cells = transitions_at(s.lattice, bits + s.base, s.word, s.y);
  for (uint left = cells.passed; left != 0u; left &= left - 1u) {
    const int k = lowest_bit(left);
    const uint found = transition_case(cells, k);
    const uint corners = 3u * (table[found] & 0xffu);
    for (uint c = 1u; c <= corners; ++c) {
      const int edge = (int)(table[found + c / 4u] >> 8u * (c % 4u) & 0xffu);
      triangles[i++] = transition_corner(g, s, bits, before, edge, s.word * 32 + k, s.y);
    }
  }
}

FN void blocks_triangles_cell(int x, int y, BlockNumbers g, GLOBAL const BlockWork* RESTRICT works,
                              GLOBAL const uint* RESTRICT table, GLOBAL const uint* RESTRICT bits,
                              GLOBAL const uint* RESTRICT before,
                              GLOBAL const uint* RESTRICT triangles_before,
                              GLOBAL const uint* RESTRICT first, GLOBAL uint* RESTRICT triangles) {
  const int slices = pass_slices(g.size, g.level), number = g.first + y / slices;
  const BlockWork work = works[number];
  const Slot s = slot_at(g, work, x, y % slices);
  if (s.slot < 0) return;
  const uint slots = (uint)block_slots(g.size), start = (uint)number * slots;
  const uint at = start + (uint)s.slot;
  if (triangles_before[at + 1u] == triangles_before[at]) return;
  GLOBAL const uint* own = bits + (uint)work.at * slots;
  const uint i = 3u * (first[work.at] + triangles_before[at]);
  if (s.face < 0)
    put_triangles(s.lattice, table, own, before + start, s.word, s.y, s.z, i, triangles);
  else
    put_transitions(g, s, table, own, before + start, i, triangles);
}
SCREE_KERNEL_8(blocks_triangles, BlockNumbers, g, GLOBAL const BlockWork*, works,
               GLOBAL const uint*, table, GLOBAL const uint*, bits, GLOBAL const uint*, before,
               GLOBAL const uint*, triangles_before, GLOBAL const uint*, first, GLOBAL uint*,
               triangles)

#endif
