// Spheroidal weathering (Beardall et al. 2007; Farley 2011, chapter 3): the more air there is in a
// bubble around a voxel, the faster it wears.
//
//   weather    each voxel of an active brick loses rate[air] * (1 - durability)        (eq. 3.6)
//   mark       bricks within a bubble's reach of one that changed are stale
//   air_count  the air in the bubble of each voxel of a stale brick, from bits         (eq. 3.1)
//
// All integer. Air is counted anew from one bit a voxel, and only near a change; a bubble is a set
// of offsets cut into runs along x, runs into slices along y, slices into the whole along z, and
// every stage is summed once for all voxels that share it.
#ifndef SCREE_KERNEL_WEATHER_H
#define SCREE_KERNEL_WEATHER_H

#include "kernel/random.h"
#include "kernel/voxel.h"

typedef struct {
  uint step_seed;
  int bubbles;                    // in use
  int keep;                       // 1: rock that dies is noted, to be dropped as colluvium
  int reach_x, reach_y, reach_z;  // of the farthest bubble
} Weather;

// A material: how much of the rate reaches it (of 4096), which bubble is its own, whether it lies
// loose.
#define WEATHER_WHOLE 4096u
FN uint material_entry(uint share, uint bubble, uint loose) {
  return share | bubble << 16 | loose << 24;
}
FN uint share_of(uint entry) { return entry & 8191u; }
FN uint bubble_of(uint entry) { return entry >> 16 & 255u; }
FN uint loose_of(uint entry) { return entry >> 24 & 1u; }

// Rates are in 1/512 of an amount's unit and a step, one for each count of air.
#define WEATHER_RATES 8192
#define WEATHER_RATE_ONE 512

FN uint voxel_hash(uint seed, int x, int y, int z) {
  return mix_bits(seed + (uint)x * 0x9e3779b1u + (uint)y * 0x85ebca77u + (uint)z * 0xc2b2ae3du);
}

// rate * share has 21 bits of fraction, which the hash rounds without bias: even a rate of a
// thousandth of a unit wears. The largest sum, 2047 * 512 * 4096 + 2^21 - 1, is 2^32 - 1.
FN uint worn_amount(uint rate, uint share, uint hash) {
  return (rate * share + (hash >> 11)) >> 21;
}

// The word after a step: its material and count stay until nothing is left.
FN uint weathered(uint word, uint worn) {
  const uint amount = voxel_amount(word);
  return amount > worn ? word - worn : 0u;
}

// What changed in a brick: bit 0 anything at all, then whether it lies within reach of the brick's
// neighbours to the west, east, south, north, below and above.
#define CHANGED_ANYWHERE 127u
FN uint change_in_row(IN(Weather) p, uint voxels, int y, int z) {
  if (voxels == 0u) return 0u;
  return 1u | ((voxels & ((1u << p.reach_x) - 1u)) != 0u ? 2u : 0u) |
         (voxels >> (31 - p.reach_x) >> 1 != 0u ? 4u : 0u) | (y < p.reach_y ? 8u : 0u) |
         (y >= BRICK_Y - p.reach_y ? 16u : 0u) | (z < p.reach_z ? 32u : 0u) |
         (z >= BRICK_Z - p.reach_z ? 64u : 0u);
}
// The bits that a change in a neighbour must have to be felt; low is the bit of its lower side.
FN uint change_felt(int towards, uint low) {
  return towards > 0 ? low : towards < 0 ? low << 1 : 0u;
}

FN void weather_mark_cell(int brick, int unused, VoxelBox b, GLOBAL const uint* RESTRICT changed,
                          GLOBAL uint* RESTRICT stale) {
  const int bx = brick % b.bricks_x, by = brick / b.bricks_x % b.bricks_y,
            bz = brick / (b.bricks_x * b.bricks_y) + unused;
  uint found = 0u;
  for (int z = imax(bz - 1, 0); z <= imin(bz + 1, b.bricks_z - 1); ++z)
    for (int y = imax(by - 1, 0); y <= imin(by + 1, b.bricks_y - 1); ++y)
      for (int x = imax(bx - 1, 0); x <= imin(bx + 1, b.bricks_x - 1); ++x) {
        const uint needed =
            1u | change_felt(x - bx, 2u) | change_felt(y - by, 8u) | change_felt(z - bz, 32u);
        found |= (changed[brick_index(b, x, y, z)] & needed) == needed ? 1u : 0u;
      }
  stale[brick] = found;
}
SCREE_KERNEL_3(weather_mark, VoxelBox, b, GLOBAL const uint*, changed, GLOBAL uint*, stale)

FN void weather_clear_cell(int brick, int unused, VoxelBox b, GLOBAL uint* RESTRICT changed) {
  changed[brick + unused * b.nx] = 0u;
}
SCREE_KERNEL_2(weather_clear, VoxelBox, b, GLOBAL uint*, changed)

// ---- bubbles -------------------------------------------------------------------------------
// A plan is one array of integers (process/bubble.cpp writes it). Bubble k has eight at 8 k:
// first part, parts, lowest and highest offset along y and along z, whether only voxels with an
// open face count, and its volume. A part has eight: first run, runs, first slice, slices. A run
// has one: where it starts (16 + its first offset), its length, and the run it is grown from. A
// slice has four: first entry, entries, first height, heights. An entry has one: its row and its
// run; a height is the slice's offset along z.
#define BUBBLE_NUMBERS 8
#define PART_NUMBERS 8
#define SLICE_NUMBERS 4
#define PART_RUNS 16  // at most; what a part's sums take of a work-group's memory
#define RUN_ROWS 48   // rows of bits that a brick's bubbles can see: 16 and 16 on either side
FN int run_start(int run) { return run & 255; }
FN int run_length(int run) { return run >> 8 & 255; }
FN int run_parent(int run) { return run >> 16 & 255; }  // 255: none
FN int entry_row(int entry) { return entry & 255; }     // 16 + offset along y
FN int entry_run(int entry) { return entry >> 8; }

// The air around a row of a brick: bit 16 + x is voxel x, so 16 to either side are seen.
#ifdef __OPENCL_VERSION__
typedef ulong Row64;
#else
typedef unsigned long long Row64;
#endif
FN Row64 air_around(GLOBAL const uint* bits, int index) {
  return ~((Row64)(bits[index - 1] >> 16) | (Row64)bits[index] << 16 |
           (Row64)bits[index + 1] << 48);
}

// Which voxels of a row have a face on air.
FN uint open_faces(IN(VoxelBox) b, GLOBAL const uint* bits, int index) {
  const uint here = bits[index];
  const uint west = here << 1 | bits[index - 1] >> 31, east = here >> 1 | bits[index + 1] << 31;
  return here & ~(west & east & bits[index - b.row] & bits[index + b.row] & bits[index - b.slice] &
                  bits[index + b.slice]);
}

#endif
