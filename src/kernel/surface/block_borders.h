// The cells of blocks along finer ones (blocks.h): what border_cells.h makes of each, counted and
// put down.
#ifndef SCREE_KERNEL_BLOCK_BORDERS_H
#define SCREE_KERNEL_BLOCK_BORDERS_H

#include "kernel/surface/block_cells.h"

// ---- the cell at a slot -------------------------------------------------------------------

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

// ---- triangles -----------------------------------------------------------------------------

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

#endif
