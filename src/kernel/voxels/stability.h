// Stability: rock that is cut off from the ground falls.
//
// What the ground reaches is one bit a voxel, laid out as the bits of kernel/voxels/voxel.h. Rock
// beyond the box is ground; what touches it by a face is held, and so on from voxel to voxel. The
// set that is reached is the same in whatever order it is found.
//
//   start   only what lies beyond the box is reached
//   flood   a brick that was woken fills up from its neighbours' faces, as far as it goes, and
//           wakes those whose faces it has come to; bricks of one colour, then of the other, so
//           that none reads what another writes
//   cut     what was not reached comes off
#ifndef SCREE_KERNEL_STABILITY_H
#define SCREE_KERNEL_STABILITY_H

#include "kernel/surface/march.h"
#include "kernel/voxels/colluvium.h"
#include "kernel/voxels/voxel.h"
#include "kernel/voxels/weather.h"

typedef struct {
  int turn;  // counts floods from 1 on; odd ones are for bricks of colour 1
  int keep;  // 1: what comes off is noted, to be dropped as colluvium; 0: it is deleted
} Stability;

// Counters of a look.
#define STABILITY_WOKEN 0  // the last turn that woke a brick
#define STABILITY_CUT 1    // voxels that came off
#define STABILITY_COUNTERS 2
// Of a brick: voxels that came off, those of them that were loose, and how much they were.
#define STABILITY_BOOKED 3

FN int has_turn(IN(Stability) p, int bx, int by, int bz) {
  return ((bx + by + bz + p.turn) & 1) == 0;
}

// From seeds along the runs of a row of 32 voxels that they lie in, both ways.
FN uint filled_row(uint seeds, uint solid) {
  uint up = seeds & solid, down = up, over = solid, under = solid;
  for (int k = 1; k < 32; k *= 2) {
    up |= over & up << k;
    over &= over << k;
    down |= under & down >> k;
    under &= under >> k;
  }
  return up | down;
}

// Which neighbours of a brick a row of newly reached voxels touches: bits as change_in_row's.
FN uint faces_touched(uint voxels, int y, int z) {
  if (voxels == 0u) return 0u;
  return 1u | ((voxels & 1u) != 0u ? 2u : 0u) | (voxels >> 31 != 0u ? 4u : 0u) |
         (y == 0 ? 8u : 0u) | (y == BRICK_Y - 1 ? 16u : 0u) | (z == 0 ? 32u : 0u) |
         (z == BRICK_Z - 1 ? 64u : 0u);
}
// The neighbour of face k (west, east, south, north, below, above); -1 where there is none.
FN int brick_beside(IN(VoxelBox) b, int bx, int by, int bz, int k) {
  const int step = (k & 1) != 0 ? 1 : -1;
  const int x = bx + (k / 2 == 0 ? step : 0), y = by + (k / 2 == 1 ? step : 0),
            z = bz + (k / 2 == 2 ? step : 0);
  const int there =
      (x >= 0) & (x < b.bricks_x) & (y >= 0) & (y < b.bricks_y) & (z >= 0) & (z < b.bricks_z);
  return there != 0 ? brick_index(b, x, y, z) : -1;
}
FN void wake_beside(IN(VoxelBox) b, IN(Stability) p, int bx, int by, int bz, uint faces,
                    GLOBAL uint* wake, GLOBAL uint* counters) {
  for (int k = 0; k < 6; ++k) {
    const int brick = (faces >> (k + 1) & 1u) != 0u ? brick_beside(b, bx, by, bz, k) : -1;
    if (brick < 0) continue;
    set_to(&wake[brick], 1u);
    set_to(&counters[STABILITY_WOKEN], (uint)p.turn);
  }
}

FN uint inside_box(IN(VoxelBox) b, int wx, int y, int z) {
  const int n = b.nx - wx * 32;
  if (wx < 0 || n <= 0 || y < 0 || y >= b.ny || z < 0 || z >= b.nz) return 0u;
  return n >= 32 ? 0xffffffffu : (1u << n) - 1u;
}

// w and r count words and rows of bits, margins included, as in voxel_bits.
FN void stability_start_cell(int w, int r, VoxelBox b, GLOBAL const uint* RESTRICT bits,
                             GLOBAL uint* RESTRICT reached) {
  const int rows = b.slice / b.row;
  reached[r * b.row + w] =
      bits[r * b.row + w] & ~inside_box(b, w - 1, r % rows - BRICK_Y, r / rows - BRICK_Z);
}
SCREE_KERNEL_3(stability_start, VoxelBox, b, GLOBAL const uint*, bits, GLOBAL uint*, reached)

FN void stability_wake_cell(int brick, int unused, VoxelBox b, GLOBAL uint* RESTRICT wake,
                            GLOBAL uint* RESTRICT counters) {
  wake[brick + unused * b.nx] = 1u;
  if (brick < STABILITY_COUNTERS) counters[brick] = 0u;
}
SCREE_KERNEL_3(stability_wake, VoxelBox, b, GLOBAL uint*, wake, GLOBAL uint*, counters)

// A word of voxels; r counts rows of voxels.
FN void stability_cut_cell(int wx, int r, VoxelBox b, Stability p,
                           GLOBAL const uint* RESTRICT table, GLOBAL const uint* RESTRICT reached,
                           GLOBAL uint* RESTRICT words, GLOBAL uint* RESTRICT bits,
                           GLOBAL uint* RESTRICT fallen, GLOBAL uint* RESTRICT changed,
                           GLOBAL uint* RESTRICT counters) {
  const int y = r % b.ny, z = r / b.ny, at = bits_index(b, wx, y, z);
  const uint cut = bits[at] & ~reached[at] & inside_box(b, wx, y, z);
  if (cut == 0u) return;
  const int brick = brick_of(b, wx * 32, y, z);
  uint loose = 0u, amount = 0u;
  for (uint left = cut; left != 0u; left &= left - 1u) {
    const int i = voxel_index(b, wx * 32 + lowest_bit(left), y, z);
    loose += loose_of(table[voxel_material(words[i])]);
    amount += voxel_amount(words[i]);
    if (p.keep == 0) words[i] = 0u;
  }
  bits[at] &= ~cut;
  if (p.keep != 0) fallen[r * b.bricks_x + wx] |= cut;
  set_to(&changed[brick], CHANGED_ANYWHERE);
  add_to(&counters[STABILITY_CUT], bits_in(cut));
  GLOBAL uint* booked = counters + STABILITY_COUNTERS + brick * STABILITY_BOOKED;
  add_to(&booked[0], bits_in(cut));
  add_to(&booked[1], loose);
  add_to(&booked[2], amount);
}
SCREE_KERNEL_9(stability_cut, VoxelBox, b, Stability, p, GLOBAL const uint*, table,
               GLOBAL const uint*, reached, GLOBAL uint*, words, GLOBAL uint*, bits, GLOBAL uint*,
               fallen, GLOBAL uint*, changed, GLOBAL uint*, counters)

#endif
