// The flood of kernel/voxels/stability.h on an OpenCL device: a work-group takes a brick, a lane a
// row.
#include "kernel/voxels/stability.h"

__kernel __attribute__((reqd_work_group_size(BRICK_Y, BRICK_Z, 1))) void stability_flood(
    Range range, VoxelBox b, Stability p, __global const uint* restrict bits,
    __global uint* restrict reached, __global uint* restrict wake,
    __global uint* restrict counters) {
  __local uint rows[BRICK_Y * BRICK_Z];
  __local uint more, faces;
  const int y = (int)get_local_id(0), z = (int)get_local_id(1), lane = z * BRICK_Y + y;
  const int column = (int)get_group_id(1), bz = (int)get_group_id(0);
  const int bx = column % b.bricks_x, by = column / b.bricks_x;
  const int brick = brick_index(b, bx, by, bz);
  if (!has_turn(p, bx, by, bz) || wake[brick] == 0u) return;
  const int at = bits_index(b, bx, by * BRICK_Y + y, bz * BRICK_Z + z);
  const uint solid = bits[at], before = reached[at];
  // What comes in from beyond the brick stays the same while it fills up.
  const uint entering =
      before | reached[at - 1] >> 31 | reached[at + 1] << 31 | (y == 0 ? reached[at - b.row] : 0u) |
      (y == BRICK_Y - 1 ? reached[at + b.row] : 0u) | (z == 0 ? reached[at - b.slice] : 0u) |
      (z == BRICK_Z - 1 ? reached[at + b.slice] : 0u);
  uint here = filled_row(entering, solid);
  rows[lane] = here;
  if (lane == 0) faces = 0u;
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) more = 0u;
    const uint beside = (y > 0 ? rows[lane - 1] : 0u) | (y < BRICK_Y - 1 ? rows[lane + 1] : 0u) |
                        (z > 0 ? rows[lane - BRICK_Y] : 0u) |
                        (z < BRICK_Z - 1 ? rows[lane + BRICK_Y] : 0u);
    const uint next = filled_row(here | beside, solid);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (next != here) {
      here = next;
      rows[lane] = next;
      more = 1u;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  } while (more != 0u);
  if (here != before) {
    reached[at] = here;
    atomic_or(&faces, faces_touched(here & ~before, y, z));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) {
    wake[brick] = 0u;
    wake_beside(b, p, bx, by, bz, faces, wake, counters);
  }
}
