// What a voxel is and where it lies: one word each (rock amount, material, air count), x fastest,
// then y, then z upwards; and beside it one bit each that says whether there is anything at all.
//
// Bits carry a margin of a brick on every side, filled by the rule of that side (rock or air), so a
// bubble that crosses the box's edge is no special case. A brick is what a work-group or a thread
// takes: 32 x 16 x 16 voxels, the unit in which activity is kept.
#ifndef SCREE_KERNEL_VOXEL_H
#define SCREE_KERNEL_VOXEL_H

#include "kernel/common/compat.h"

// Bits 0-10 amount, 11-18 material, 19-31 air in the bubble. Air itself is 0.
#define VOXEL_FULL 2047u
#define VOXEL_MATERIALS 256
#define VOXEL_MATERIAL_SHIFT 11
#define VOXEL_AIR_SHIFT 19
#define VOXEL_MOST_AIR 8191

#define BRICK_X 32
#define BRICK_Y 16
#define BRICK_Z 16
#define BRICK_VOXELS (BRICK_X * BRICK_Y * BRICK_Z)

// Farthest offset of a bubble along an axis.
#define VOXEL_REACH 15

// Sides beyond which there is rock.
#define VOXEL_ROCK_WEST 1
#define VOXEL_ROCK_EAST 2
#define VOXEL_ROCK_SOUTH 4
#define VOXEL_ROCK_NORTH 8
#define VOXEL_ROCK_BOTTOM 16
#define VOXEL_ROCK_TOP 32

typedef struct {
  int nx, ny, nz;
  int bricks_x, bricks_y, bricks_z;
  int row;    // words of bits in a row, margins counted
  int slice;  // words of bits in a horizontal slice, margins counted
  int sides;  // VOXEL_ROCK_*
} VoxelBox;

FN uint voxel_amount(uint word) { return word & VOXEL_FULL; }
FN uint voxel_material(uint word) { return word >> VOXEL_MATERIAL_SHIFT & 255u; }
FN uint voxel_air(uint word) { return word >> VOXEL_AIR_SHIFT; }
FN uint voxel_word(uint amount, uint material) { return amount | material << VOXEL_MATERIAL_SHIFT; }
FN uint with_air(uint word, uint air) {
  return (word & ((1u << VOXEL_AIR_SHIFT) - 1u)) | air << VOXEL_AIR_SHIFT;
}

FN int voxel_index(IN(VoxelBox) b, int x, int y, int z) { return (z * b.ny + y) * b.nx + x; }
// The word of bits that holds voxels 32 wx … 32 wx + 31 of a row; -1 is the margin before it.
FN int bits_index(IN(VoxelBox) b, int wx, int y, int z) {
  return (z + BRICK_Z) * b.slice + (y + BRICK_Y) * b.row + wx + 1;
}
FN int brick_index(IN(VoxelBox) b, int bx, int by, int bz) {
  return (bz * b.bricks_y + by) * b.bricks_x + bx;
}
FN int brick_of(IN(VoxelBox) b, int x, int y, int z) {
  return brick_index(b, x / BRICK_X, y / BRICK_Y, z / BRICK_Z);
}

// Whether there is rock at a place beyond the box: what is above and below decides first.
FN uint outside_is_rock(IN(VoxelBox) b, int x, int y, int z) {
  const int side = z < 0       ? VOXEL_ROCK_BOTTOM
                   : z >= b.nz ? VOXEL_ROCK_TOP
                   : y < 0     ? VOXEL_ROCK_SOUTH
                   : y >= b.ny ? VOXEL_ROCK_NORTH
                   : x < 0     ? VOXEL_ROCK_WEST
                               : VOXEL_ROCK_EAST;
  return (b.sides & side) != 0 ? 1u : 0u;
}

// All bits of the box and its margins from the words; r counts rows of bits.
FN void voxel_bits_cell(int w, int r, VoxelBox b, GLOBAL const uint* RESTRICT words,
                        GLOBAL uint* RESTRICT bits) {
  const int rows = b.slice / b.row;
  const int y = r % rows - BRICK_Y, z = r / rows - BRICK_Z;
  const int inside = (y >= 0) & (y < b.ny) & (z >= 0) & (z < b.nz);
  uint found = 0u;
  for (int k = 0; k < 32; ++k) {
    const int x = (w - 1) * 32 + k;
    const uint solid = inside && x >= 0 && x < b.nx
                           ? (uint)(voxel_amount(words[voxel_index(b, x, y, z)]) != 0u)
                           : outside_is_rock(b, x, y, z);
    found |= solid << k;
  }
  bits[r * b.row + w] = found;
}
SCREE_KERNEL_3(voxel_bits, VoxelBox, b, GLOBAL const uint*, words, GLOBAL uint*, bits)

// A density for the mesher: 0 in air, 1/2 to 1 in rock, so that a surface at 1/2 lies on the face
// of a whole voxel and draws back to its middle as it wears.
FN float density_of(uint word) {
  const float share = (float)(int)voxel_amount(word) * (0.5f / 2047.0f);
  return voxel_amount(word) > 0u ? 0.5f + share : 0.0f;
}

// What a row of voxels holds: how many of each kind (rock, loose), and how much in all.
FN void voxel_totals_cell(int r, int unused, VoxelBox b, GLOBAL const uint* RESTRICT words,
                          GLOBAL const uint* RESTRICT table, GLOBAL i64* RESTRICT totals) {
  uint rock = 0u, loose = 0u, amount = (uint)unused;
  for (int x = 0; x < b.nx; ++x) {
    const uint word = words[r * b.nx + x];
    const uint is_loose = table[voxel_material(word)] >> 24 & 1u, solid = word != 0u ? 1u : 0u;
    rock += solid & (is_loose ^ 1u);
    loose += solid & is_loose;
    amount += voxel_amount(word);
  }
  totals[3 * r] = (i64)rock;
  totals[3 * r + 1] = (i64)loose;
  totals[3 * r + 2] = (i64)amount;
}
SCREE_KERNEL_4(voxel_totals, VoxelBox, b, GLOBAL const uint*, words, GLOBAL const uint*, table,
               GLOBAL i64*, totals)

#endif
