// The flood of kernel/voxels/stability.h on a CPU: bricks go to threads by columns, and each is
// swept up and down until nothing changes.
#ifndef SCREE_KERNEL_STABILITY_CPU_H
#define SCREE_KERNEL_STABILITY_CPU_H

#include "kernel/common/cpu_arguments.h"
#include "kernel/voxels/stability.h"

namespace {

// What is reached of a row, from itself and its neighbours; true where that is more than it was.
FN bool flood_row(const VoxelBox& b, const uint* bits, uint* reached, int at) {
  const uint before = reached[at];
  if (before == bits[at]) return false;
  const uint seeds = before | reached[at - 1] >> 31 | reached[at + 1] << 31 | reached[at - b.row] |
                     reached[at + b.row] | reached[at - b.slice] | reached[at + b.slice];
  const uint now = filled_row(seeds, bits[at]);
  if (now == before) return false;
  reached[at] = now;
  return true;
}

// A sweep upwards or downwards over the rows of a brick; which faces it came to.
FN uint flood_sweep(const VoxelBox& b, const uint* bits, uint* reached, int first, bool upwards) {
  uint faces = 0;
  for (int i = 0; i < BRICK_Y * BRICK_Z; ++i) {
    const int row = upwards ? i : BRICK_Y * BRICK_Z - 1 - i;
    const int y = row % BRICK_Y, z = row / BRICK_Y, at = first + z * b.slice + y * b.row;
    const uint before = reached[at];
    if (flood_row(b, bits, reached, at)) faces |= faces_touched(reached[at] & ~before, y, z);
  }
  return faces;
}

void flood_columns(const void* const* v, const Range& range) {
  VoxelBox b;
  Stability p;
  const uint* bits = nullptr;
  uint *reached = nullptr, *wake = nullptr, *counters = nullptr;
  scree::device::take_arguments(v, b, p, bits, reached, wake, counters);
  // Bricks side by side share cache lines.
  for (int bz = range.x0; bz < range.x1; ++bz)
    for (int column = range.y0; column < range.y1; ++column) {
      const int bx = column % b.bricks_x, by = column / b.bricks_x;
      const int brick = brick_index(b, bx, by, bz);
      if (!has_turn(p, bx, by, bz) || wake[brick] == 0U) continue;
      wake[brick] = 0U;
      const int first = bits_index(b, bx, by * BRICK_Y, bz * BRICK_Z);
      uint faces = flood_sweep(b, bits, reached, first, true);
      for (uint found = faces, turn = 0; found != 0U; ++turn)
        faces |= found = flood_sweep(b, bits, reached, first, turn % 2 != 0);
      wake_beside(b, p, bx, by, bz, faces, wake, counters);
    }
}

}  // namespace

SCREE_REGISTER(stability_flood, flood_columns)

#endif
