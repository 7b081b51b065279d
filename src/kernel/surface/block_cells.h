// The cells of blocks that Marching Cubes makes (blocks.h): their vertices and triangles counted,
// added up and put down.
#ifndef SCREE_KERNEL_BLOCK_CELLS_H
#define SCREE_KERNEL_BLOCK_CELLS_H

#include "kernel/surface/block_slots.h"

// The faces of a block's cell behind which lies a finer block.
FN int finer_faces(IN(BlockWork) work, int cells, IN(Place) cell) {
  int found = 0;
  for (int d = 0; d < 3; ++d)
    found |= (cell.at[d] == 0) << 2 * d | (cell.at[d] == cells - 1) << (2 * d + 1);
  return found & work.finer;
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

#endif
