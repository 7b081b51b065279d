// Spheroidal weathering (Beardall et al. 2007; Farley 2011, chapter 3): the more air there is in a
// bubble around a voxel, the faster it wears.
//
//   weather    each voxel of an active row loses rate[air] * (1 - durability)        (eq. 3.6)
//   mark       bricks within a bubble's reach of one that changed are stale
//   air_count  the air in the bubble of each voxel of a stale brick, from bits         (eq. 3.1)
//   air_add    the same where voxels only went: what went is added to the air that was counted
//
// All integer. Air is counted from one bit a voxel, and only near a change; a bubble is a set of
// offsets cut into runs along x, runs into slices along y, slices into the whole along z, and every
// stage is summed once for all voxels that share it.
#ifndef SCREE_KERNEL_WEATHER_H
#define SCREE_KERNEL_WEATHER_H

#include "kernel/common/random.h"
#include "kernel/voxels/voxel.h"

typedef struct {
  uint step_seed;
  int bubbles;                    // in use
  int keep;                       // 1: rock that dies is noted, to be dropped as colluvium
  int reach_x, reach_y, reach_z;  // of the farthest bubble
  int anew;                       // 1: what went cannot be added (a bubble counts at open faces)
  int regions;                    // 0, or WEATHER_BRUSHES and WEATHER_MAP (kernel/voxels/region.h)
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

// ---- regions: what changes a share at a voxel, a word (kernel/voxels/region.h)
#define WEATHER_BRUSHES 1
#define WEATHER_MAP 2
#define REGION_NONE 4096u
FN uint region_word(int rate, int durability) {
  return (uint)imin(imax(rate, 0), 65535) | (uint)imin(imax(durability, -4096), 4096) << 16;
}
FN int region_durability(uint word) { return (int)word >> 16; }
FN uint region_joined(uint a, uint b) {
  const uint rate = ((a & 65535u) * (b & 65535u) + 2048u) >> 12;
  return region_word((int)(rate < 65535u ? rate : 65535u),
                     region_durability(a) + region_durability(b));
}
FN uint region_share(uint share, uint word) {
  const uint hardened = (uint)imin(imax((int)share - region_durability(word), 0), 4096);
  return (uint)imin((int)((hardened * (word & 65535u) + 2048u) >> 12), 4096);
}
// What holds at voxel i of a brick's row that is `row` rows into it.
FN uint region_at(IN(Weather) p, GLOBAL const uint* bricks, GLOBAL const uint* words,
                  GLOBAL const uint* columns, int brick, int row, int i, int column) {
  uint here = (p.regions & WEATHER_MAP) != 0 ? columns[column] : REGION_NONE;
  const uint place = (p.regions & WEATHER_BRUSHES) != 0 ? bricks[brick] : 0u;
  if (place != 0u)
    here = region_joined(here, words[((int)place - 1) * BRICK_VOXELS + row * BRICK_X + i]);
  return here;
}

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

// What weathers: a bit for each row of a brick, y + 16 z, that holds a voxel with air.
#define ACTIVE_WORDS (BRICK_Y * BRICK_Z / 32)

// The word after a step: its material and count stay until nothing is left.
FN uint weathered(uint word, uint worn) {
  const uint amount = voxel_amount(word);
  return amount > worn ? word - worn : 0u;
}

// What changed in a brick: bit 0 anything at all, then whether it lies within reach of the brick's
// neighbours to the west, east, south, north, below and above. CHANGED_ANEW: something other than
// that voxels wore away, so that air must be counted anew.
#define CHANGED_ANEW 128u
#define CHANGED_ANYWHERE 255u
FN uint change_in_row(IN(Weather) p, uint voxels, int y, int z) {
  if (voxels == 0u) return 0u;
  return (p.anew != 0 ? CHANGED_ANEW | 1u : 1u) |
         ((voxels & ((1u << p.reach_x) - 1u)) != 0u ? 2u : 0u) |
         (voxels >> (31 - p.reach_x) >> 1 != 0u ? 4u : 0u) | (y < p.reach_y ? 8u : 0u) |
         (y >= BRICK_Y - p.reach_y ? 16u : 0u) | (z < p.reach_z ? 32u : 0u) |
         (z >= BRICK_Z - p.reach_z ? 64u : 0u);
}
// The bits that a change in a neighbour must have to be felt; low is the bit of its lower side.
FN uint change_felt(int towards, uint low) {
  return towards > 0 ? low : towards < 0 ? low << 1 : 0u;
}

// What must be done about a brick's air.
#define STALE_ADD 1u
#define STALE_ANEW 2u

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
        const uint change = changed[brick_index(b, x, y, z)];
        if ((change & needed) == needed)
          found |= (change & CHANGED_ANEW) != 0u ? STALE_ANEW : STALE_ADD;
      }
  stale[brick] = (found & STALE_ANEW) != 0u ? STALE_ANEW : found;
}
SCREE_KERNEL_3(weather_mark, VoxelBox, b, GLOBAL const uint*, changed, GLOBAL uint*, stale)

// When all air is counted, nothing has changed and nothing has gone.
FN void weather_clear_cell(int brick, int unused, VoxelBox b, GLOBAL uint* RESTRICT gone,
                           GLOBAL uint* RESTRICT changed) {
  if (changed[brick + unused * b.nx] == 0u) return;
  const int bx = brick % b.bricks_x, by = brick / b.bricks_x % b.bricks_y,
            bz = brick / (b.bricks_x * b.bricks_y);
  for (int z = bz * BRICK_Z; z < (bz + 1) * BRICK_Z; ++z)
    for (int y = by * BRICK_Y; y < (by + 1) * BRICK_Y; ++y) gone[bits_index(b, bx, y, z)] = 0u;
  changed[brick] = 0u;
}
SCREE_KERNEL_3(weather_clear, VoxelBox, b, GLOBAL uint*, gone, GLOBAL uint*, changed)

// ---- bubbles -------------------------------------------------------------------------------
// A plan is one array of integers (process/voxels/bubble.cpp writes it). Bubble k has eight at 8 k:
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

// The runs of all bubbles, each for itself, are a second array: bubble k has 33 numbers at 33 k,
// the place of the first run at each height from -16 to 16, and runs follow, by height.
#define HEIGHT_NUMBERS 33
FN int packed_run(int start, int length, int y, int z) {
  return start | length << 8 | (16 + y) << 16 | (16 + z) << 24;
}
FN int run_y(int run) { return (run >> 16 & 255) - 16; }
FN int run_z(int run) { return (run >> 24 & 255) - 16; }

// A row of bits with those around it: bit 16 + x is voxel x, so 16 to either side are seen.
#ifdef __OPENCL_VERSION__
typedef ulong Row64;
#else
typedef unsigned long long Row64;
// Rows of a brick lie apart, where no processor looks ahead by itself.
FN void fetch_row(const uint* words) {
  __builtin_prefetch(words);
  __builtin_prefetch(words + BRICK_X / 2);
}
#endif
FN Row64 row_around(GLOBAL const uint* bits, int index) {
  return (Row64)(bits[index - 1] >> 16) | (Row64)bits[index] << 16 | (Row64)bits[index + 1] << 48;
}
FN Row64 air_around(GLOBAL const uint* bits, int index) { return ~row_around(bits, index); }

// Which voxels of a row have a face on air.
FN uint open_faces(IN(VoxelBox) b, GLOBAL const uint* bits, int index) {
  const uint here = bits[index];
  const uint west = here << 1 | bits[index - 1] >> 31, east = here >> 1 | bits[index + 1] << 31;
  return here & ~(west & east & bits[index - b.row] & bits[index + b.row] & bits[index - b.slice] &
                  bits[index + b.slice]);
}

#endif
