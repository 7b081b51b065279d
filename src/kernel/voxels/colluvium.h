// Colluvium (Farley 2011, §3.4.1): what has weathered off falls, rolls down to where the slope is
// no steeper than the angle of repose, and stays there.
//
// All of a step's fallen voxels move together, as tokens, in rounds. In a round the first token of
// each column, the one of the lowest origin, rolls one column on or comes to rest; those behind it
// wait, and so see what has changed by then. Which thread does what plays no part.
//
//   fall    loose voxels above air come off; bits are turned into columns
//   gather  tokens from all that came off
//   clear, claim, move, place   a round
//
// With immediate neighbours alone only slopes of 45 degrees can be told apart, so a token looks
// eight columns along each of eight directions (the document's four build a diamond). A straight
// slope, drawn in whole voxels, falls by at most tan(repose) r, rounded up, over r of them: a token
// whose voxel would stand higher than that above the ground somewhere moves one column towards the
// worst violation, one of equal ones by a hash: always the first would build heaps that lean.
#ifndef SCREE_KERNEL_COLLUVIUM_H
#define SCREE_KERNEL_COLLUVIUM_H

#include "kernel/common/atomics.h"
#include "kernel/surface/march.h"
#include "kernel/voxels/voxel.h"
#include "kernel/voxels/weather.h"

#define COLLUVIUM_SIGHT 8
#define COLLUVIUM_ONE 1024  // a voxel, in the fixed point of slopes

typedef struct {
  int axis[COLLUVIUM_SIGHT + 1];  // how far the steepest slope falls, to each distance
  int diagonal[COLLUVIUM_SIGHT + 1];
  uint material;  // what falls becomes
  uint seed;
  int tokens;
} Colluvium;

// Counters of a step.
#define COLLUVIUM_FOUND 0  // tokens there are
#define COLLUVIUM_TAKEN 1  // tokens gathered
#define COLLUVIUM_LIVE 2   // tokens under way after the last round
#define COLLUVIUM_LEFT 3   // through a bottom that is air, or for want of room
#define COLLUVIUM_LEFT_AMOUNT 4
#define COLLUVIUM_LEFT_CARRY 5  // of that amount, in 2^32: two million voxels are more than 32 bits
#define COLLUVIUM_COUNTERS 6

FN int column_words(IN(VoxelBox) b) { return (b.nz + 31) / 32; }

// ---- what comes off ------------------------------------------------------------------------

// True where a voxel has gone, in this step, from the bricks that 32 columns pass through. In
// others nothing comes off, and what is known of the columns stays true. (What comes off rows
// beside these marks the brick too, in the same pass; it makes no difference here.)
FN int columns_changed(IN(VoxelBox) b, GLOBAL const uint* changed, int wx, int y) {
  uint any = 0u;
  for (int bz = 0; bz < b.bricks_z; ++bz)
    any |= now_at(&changed[brick_index(b, wx, y / BRICK_Y, bz)]);
  return any != 0u;
}

// 32 columns of voxels: takes off loose voxels above air, all the way up, and writes the columns'
// own bits, z fastest. `anew` looks at all columns.
FN void colluvium_fall_cell(int wx, int y, VoxelBox b, int anew, GLOBAL const uint* RESTRICT table,
                            GLOBAL const uint* RESTRICT words, GLOBAL uint* RESTRICT bits,
                            GLOBAL uint* RESTRICT fallen, GLOBAL uint* RESTRICT changed,
                            GLOBAL uint* RESTRICT columns, GLOBAL uint* RESTRICT counters) {
  if (!anew && !columns_changed(b, changed, wx, y)) return;
  const int n = imin(32, b.nx - wx * 32), height = column_words(b);
  const uint mine = n == 32 ? 0xffffffffu : (1u << n) - 1u;
  uint below = (b.sides & VOXEL_ROCK_BOTTOM) != 0 ? 0xffffffffu : 0u, found = 0u;
  uint column[32];
  for (int k = 0; k < 32; ++k) column[k] = 0u;
  for (int z = 0; z < b.nz; ++z) {
    const int at = bits_index(b, wx, y, z), came = (z * b.ny + y) * b.bricks_x + wx;
    uint solid = bits[at], off = 0u;
    for (uint left = solid & ~below & mine; left != 0u; left &= left - 1u) {
      const int k = lowest_bit(left);
      const uint word = words[voxel_index(b, wx * 32 + k, y, z)];
      if (loose_of(table[voxel_material(word)]) != 0u) off |= 1u << k;
    }
    if (off != 0u) {
      solid &= ~off;
      bits[at] = solid;
      fallen[came] |= off;
      set_to(&changed[brick_of(b, wx * 32, y, z)], CHANGED_ANYWHERE);
    }
    found += bits_in(fallen[came]);
    below = solid;
    for (int k = 0; k < 32; ++k) column[k] |= (solid >> k & 1u) << (z & 31);
    if ((z & 31) == 31 || z + 1 == b.nz)
      for (int k = 0; k < 32; ++k) {
        if (k < n) columns[(y * b.nx + wx * 32 + k) * height + (z >> 5)] = column[k];
        column[k] = 0u;
      }
  }
  if (found != 0u) add_to(&counters[COLLUVIUM_FOUND], found);
}
SCREE_KERNEL_9(colluvium_fall, VoxelBox, b, int, anew, GLOBAL const uint*, table,
               GLOBAL const uint*, words, GLOBAL uint*, bits, GLOBAL uint*, fallen, GLOBAL uint*,
               changed, GLOBAL uint*, columns, GLOBAL uint*, counters)

// ---- columns -------------------------------------------------------------------------------

FN int is_solid(IN(VoxelBox) b, GLOBAL const uint* columns, int column, int z) {
  return (int)(columns[column * column_words(b) + (z >> 5)] >> (z & 31) & 1u);
}
FN int highest_bit(uint word) {
#ifdef __OPENCL_VERSION__
  return 31 - (int)clz(word);
#else
  return 31 - __builtin_clz(word);
#endif
}
// Where something that falls from z, which is free, comes to lie; -1 where there is no ground.
FN int ground_below(IN(VoxelBox) b, GLOBAL const uint* columns, int column, int z) {
  GLOBAL const uint* at = columns + column * column_words(b);
  int w = z >> 5;
  uint word = at[w] & ((1u << (z & 31)) - 1u);
  while (word == 0u && w > 0) word = at[--w];
  if (word != 0u) return w * 32 + highest_bit(word) + 1;
  return (b.sides & VOXEL_ROCK_BOTTOM) != 0 ? 0 : -1;
}
// The first free voxel from z on upwards; -1 where there is none.
FN int free_above(IN(VoxelBox) b, GLOBAL const uint* columns, int column, int z) {
  GLOBAL const uint* at = columns + column * column_words(b);
  int w = z >> 5;
  uint word = ~at[w] & ~((1u << (z & 31)) - 1u);
  while (word == 0u && w + 1 < column_words(b)) word = ~at[++w];
  const int found = word != 0u ? w * 32 + lowest_bit(word) : b.nz;
  return found < b.nz ? found : -1;
}

FN void token_leaves(GLOBAL uint* counters, uint amount) {
  add_to(&counters[COLLUVIUM_LEFT], 1u);
  // How often the sum wraps depends on the sum alone.
  const uint before = add_to(&counters[COLLUVIUM_LEFT_AMOUNT], amount);
  if (before + amount < before) add_to(&counters[COLLUVIUM_LEFT_CARRY], 1u);
}

// A token: where it came from, its column, its height (-1: done), how much of it there is.
FN void colluvium_gather_cell(int wx, int y, VoxelBox b, GLOBAL uint* RESTRICT words,
                              GLOBAL uint* RESTRICT fallen, GLOBAL const uint* RESTRICT changed,
                              GLOBAL const uint* RESTRICT columns, GLOBAL uint* RESTRICT counters,
                              GLOBAL uint* RESTRICT origins, GLOBAL int* RESTRICT places,
                              GLOBAL int* RESTRICT heights, GLOBAL uint* RESTRICT amounts) {
  if (!columns_changed(b, changed, wx, y)) return;
  for (int z = 0; z < b.nz; ++z) {
    const int came = (z * b.ny + y) * b.bricks_x + wx;
    for (uint left = fallen[came]; left != 0u; left &= left - 1u) {
      const int x = wx * 32 + lowest_bit(left), i = voxel_index(b, x, y, z);
      const uint token = add_to(&counters[COLLUVIUM_TAKEN], 1u);
      const int column = y * b.nx + x, lands = ground_below(b, columns, column, z);
      origins[token] = (uint)i;
      places[token] = column;
      heights[token] = lands;
      amounts[token] = words[i] != 0u ? voxel_amount(words[i]) : VOXEL_FULL;
      words[i] = 0u;
      if (lands < 0) token_leaves(counters, amounts[token]);
    }
    fallen[came] = 0u;
  }
}
SCREE_KERNEL_10(colluvium_gather, VoxelBox, b, GLOBAL uint*, words, GLOBAL uint*, fallen,
                GLOBAL const uint*, changed, GLOBAL const uint*, columns, GLOBAL uint*, counters,
                GLOBAL uint*, origins, GLOBAL int*, places, GLOBAL int*, heights, GLOBAL uint*,
                amounts)

// ---- a round -------------------------------------------------------------------------------

#define COLLUVIUM_NONE 0xffffffffu

FN void colluvium_clear_cell(int x, int y, VoxelBox b, GLOBAL uint* RESTRICT claims,
                             GLOBAL uint* RESTRICT counters) {
  claims[y * b.nx + x] = COLLUVIUM_NONE;
  if (x == 0 && y == 0) counters[COLLUVIUM_LIVE] = 0u;
}
SCREE_KERNEL_3(colluvium_clear, VoxelBox, b, GLOBAL uint*, claims, GLOBAL uint*, counters)

#define TOKENS_IN_ROW 256

// The lowest origin speaks for its column. A token that was buried in the last round rises.
FN void colluvium_claim_cell(int k, int row, VoxelBox b, Colluvium p,
                             GLOBAL const uint* RESTRICT columns,
                             GLOBAL const uint* RESTRICT origins, GLOBAL const int* RESTRICT places,
                             GLOBAL int* RESTRICT heights, GLOBAL const uint* RESTRICT amounts,
                             GLOBAL uint* RESTRICT claims, GLOBAL uint* RESTRICT counters) {
  const int token = row * TOKENS_IN_ROW + k;
  if (token >= p.tokens || heights[token] < 0) return;
  const int column = places[token], z = free_above(b, columns, column, heights[token]);
  heights[token] = z;
  if (z < 0)
    token_leaves(counters, amounts[token]);
  else
    least_into(&claims[column], origins[token]);
}
SCREE_KERNEL_9(colluvium_claim, VoxelBox, b, Colluvium, p, GLOBAL const uint*, columns,
               GLOBAL const uint*, origins, GLOBAL const int*, places, GLOBAL int*, heights,
               GLOBAL const uint*, amounts, GLOBAL uint*, claims, GLOBAL uint*, counters)

// -x, -y, +x, +y, then the diagonals.
FN int direction_x(int d) { return (int)(0x8864 >> 2 * d & 3) - 1; }
FN int direction_y(int d) { return (int)(0xa091 >> 2 * d & 3) - 1; }

// By how much a voxel at (x, y, z) would stand too high above the ground in a direction.
FN int too_high(IN(VoxelBox) b, IN(Colluvium) p, GLOBAL const uint* columns, int x, int y, int z,
                int d) {
  const int dx = direction_x(d), dy = direction_y(d);
  int worst = 0;
  for (int r = 1; r <= COLLUVIUM_SIGHT; ++r) {
    const int cx = x + r * dx, cy = y + r * dy;
    if (cx < 0 || cx >= b.nx || cy < 0 || cy >= b.ny) break;
    const int column = cy * b.nx + cx;
    if (is_solid(b, columns, column, z)) break;
    // Nothing squeezes through between two corners.
    if (d >= 4 && is_solid(b, columns, column - dx, z) &&
        is_solid(b, columns, column - dy * b.nx, z))
      break;
    const int above = z + 1 - ground_below(b, columns, column, z);
    const int slope = d < 4 ? p.axis[r] : p.diagonal[r];
    // Measured from the slope itself, not from its voxels, it grows with every column that a token
    // comes nearer on level ground: no token goes to and fro.
    if (above > (slope + COLLUVIUM_ONE - 1) / COLLUVIUM_ONE)
      worst = imax(worst, above * COLLUVIUM_ONE - slope);
  }
  return worst;
}

// Where a token goes from there: a direction, or 8 where it rests.
FN int token_direction(IN(VoxelBox) b, IN(Colluvium) p, GLOBAL const uint* columns, int x, int y,
                       int z, uint hash) {
  int worst = 0;
  uint equal = 0u;
  for (int d = 0; d < 8; ++d) {
    const int here = too_high(b, p, columns, x, y, z, d);
    if (here > worst) worst = here, equal = 0u;
    if (here == worst) equal |= 1u << d;
  }
  if (worst == 0) return 8;
  for (uint skip = (hash >> 16) % bits_in(equal); skip > 0u; --skip) equal &= equal - 1u;
  return lowest_bit(equal);
}

// A token that has come to rest is placed in the next pass, since others still read the columns.
#define TOKEN_RESTS (-2)
FN void colluvium_move_cell(int k, int row, VoxelBox b, Colluvium p,
                            GLOBAL const uint* RESTRICT columns,
                            GLOBAL const uint* RESTRICT origins, GLOBAL int* RESTRICT places,
                            GLOBAL int* RESTRICT heights, GLOBAL const uint* RESTRICT amounts,
                            GLOBAL const uint* RESTRICT claims, GLOBAL uint* RESTRICT counters) {
  const int token = row * TOKENS_IN_ROW + k;
  if (token >= p.tokens || heights[token] < 0) return;
  const int column = places[token], z = heights[token];
  int alive = 1;
  if (claims[column] == origins[token]) {
    const uint hash = voxel_hash(p.seed, (int)origins[token], column, z);
    const int d = token_direction(b, p, columns, column % b.nx, column / b.nx, z, hash);
    const int next = d < 8 ? column + direction_y(d) * b.nx + direction_x(d) : column;
    const int lies = d < 8 ? ground_below(b, columns, next, z) : TOKEN_RESTS - z;
    places[token] = next;
    heights[token] = lies;
    alive = lies >= 0;
    if (lies == -1) token_leaves(counters, amounts[token]);
  }
  if (alive) add_to(&counters[COLLUVIUM_LIVE], 1u);
}
SCREE_KERNEL_9(colluvium_move, VoxelBox, b, Colluvium, p, GLOBAL const uint*, columns,
               GLOBAL const uint*, origins, GLOBAL int*, places, GLOBAL int*, heights,
               GLOBAL const uint*, amounts, GLOBAL const uint*, claims, GLOBAL uint*, counters)

FN void colluvium_place_cell(int k, int row, VoxelBox b, Colluvium p,
                             GLOBAL const int* RESTRICT places, GLOBAL int* RESTRICT heights,
                             GLOBAL const uint* RESTRICT amounts, GLOBAL uint* RESTRICT words,
                             GLOBAL uint* RESTRICT bits, GLOBAL uint* RESTRICT changed,
                             GLOBAL uint* RESTRICT columns) {
  const int token = row * TOKENS_IN_ROW + k;
  if (token >= p.tokens || heights[token] > TOKEN_RESTS) return;
  const int x = places[token] % b.nx, y = places[token] / b.nx, z = TOKEN_RESTS - heights[token];
  words[voxel_index(b, x, y, z)] = voxel_word(amounts[token], p.material);
  or_into(&bits[bits_index(b, x >> 5, y, z)], 1u << (x & 31));
  or_into(&columns[places[token] * column_words(b) + (z >> 5)], 1u << (z & 31));
  set_to(&changed[brick_of(b, x, y, z)], CHANGED_ANYWHERE);
  heights[token] = -1;
}
SCREE_KERNEL_9(colluvium_place, VoxelBox, b, Colluvium, p, GLOBAL const int*, places, GLOBAL int*,
               heights, GLOBAL const uint*, amounts, GLOBAL uint*, words, GLOBAL uint*, bits,
               GLOBAL uint*, changed, GLOBAL uint*, columns)

#endif
