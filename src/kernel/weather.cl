// Weathering on an OpenCL device: a work-group takes a brick. Groups are numbered by (height of the
// brick, column of bricks), as on a CPU; a brick with nothing to do is left at once.
#include "kernel/voxel.h"
#include "kernel/weather.h"

#define WEATHER_ROWS 8

__kernel __attribute__((reqd_work_group_size(BRICK_X, WEATHER_ROWS, 1))) void weather(
    Range range, VoxelBox b, Weather p, __global const uint* restrict table,
    __global const uint* restrict rates, __global const uint* restrict active,
    __global uint* restrict words, __global uint* restrict bits, __global uint* restrict changed,
    __global uint* restrict fallen, __global long* restrict tally) {
  __local uint solid[BRICK_Y * BRICK_Z], rock_gone[BRICK_Y * BRICK_Z];
  __local uint sums[4];
  const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), lane = ly * BRICK_X + lx;
  const int column = (int)get_group_id(1), bz = (int)get_group_id(0);
  const int bx = column % b.bricks_x, by = column / b.bricks_x;
  const int brick = brick_index(b, bx, by, bz);
  if (active[brick] == 0u) return;
  solid[lane] = 0u;
  rock_gone[lane] = 0u;
  if (lane < 4) sums[lane] = 0u;
  barrier(CLK_LOCAL_MEM_FENCE);

  uint worn = 0u;
  const int x = bx * BRICK_X + lx;
  for (int row = ly; row < BRICK_Y * BRICK_Z; row += WEATHER_ROWS) {
    const int y = by * BRICK_Y + row % BRICK_Y, z = bz * BRICK_Z + row / BRICK_Y;
    if (x >= b.nx || y >= b.ny || z >= b.nz) continue;
    const int i = voxel_index(b, x, y, z);
    const uint word = words[i];
    if (word == 0u) continue;
    const uint entry = table[voxel_material(word)];
    const uint rate = rates[bubble_of(entry) * WEATHER_RATES + voxel_air(word)];
    const uint next =
        weathered(word, worn_amount(rate, share_of(entry), voxel_hash(p.step_seed, x, y, z)));
    worn += voxel_amount(word) - voxel_amount(next);
    if (next != word) words[i] = next;
    if (next != 0u)
      atomic_or(&solid[row], 1u << lx);
    else if (loose_of(entry) == 0u)
      atomic_or(&rock_gone[row], 1u << lx);
  }
  atomic_add(&sums[2], worn);
  barrier(CLK_LOCAL_MEM_FENCE);

  const int y = by * BRICK_Y + lane % BRICK_Y, z = bz * BRICK_Z + lane / BRICK_Y;
  if (y < b.ny && z < b.nz) {
    const int n = b.nx - bx * BRICK_X;
    const uint mine = n >= 32 ? 0xffffffffu : (1u << n) - 1u;
    const int at = bits_index(b, bx, y, z);
    const uint before = bits[at];
    const uint gone = before & mine & ~solid[lane];
    if (gone != 0u) {
      bits[at] = before & ~gone;
      if (p.keep) fallen[(z * b.ny + y) * b.bricks_x + bx] |= rock_gone[lane];
      atomic_or(&sums[3], change_in_row(p, gone, lane % BRICK_Y, lane / BRICK_Y));
      atomic_add(&sums[0], popcount(rock_gone[lane]));
      atomic_add(&sums[1], popcount(gone & ~rock_gone[lane]));
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) {
    if (sums[3] != 0u) changed[brick] = sums[3];
    tally[4 * brick] += (long)sums[0];
    tally[4 * brick + 1] += (long)sums[1];
    tally[4 * brick + 2] += (long)sums[2];
  }
}

// ---- air -----------------------------------------------------------------------------------
// Four voxels a lane. Sums of runs are bytes, four to a word; sums of slices and of the bubble are
// 16 bits, even and odd voxels in two words.
#define QUADS (BRICK_X / 4)
#define AIR_LANES (QUADS * BRICK_Y)
#define EVEN 0x00ff00ffu

uint run_sums(ulong air, int run, int quad) {
  const uint mask = (1u << run_length(run)) - 1u;
  const ulong from = air >> (run_start(run) + 4 * quad);
  uint sums = 0u;
  for (int k = 0; k < 4; ++k) sums |= popcount((uint)(from >> k) & mask) << 8 * k;
  return sums;
}

__kernel __attribute__((reqd_work_group_size(QUADS, BRICK_Y, 1))) void air_count(
    Range range, VoxelBox b, Weather p, __constant int* plan, __global const uint* restrict table,
    __global const uint* restrict bits, __global const uint* restrict stale,
    __global uint* restrict words, __global uint* restrict active) {
  __local ulong air[RUN_ROWS];
  __local uint runs[PART_RUNS * RUN_ROWS * QUADS];
  __local uint sums[BRICK_Z * 2 * AIR_LANES];
  __local uint present, found;
  const int quad = (int)get_local_id(0), ly = (int)get_local_id(1), lane = ly * QUADS + quad;
  const int column = (int)get_group_id(1), bz = (int)get_group_id(0);
  const int bx = column % b.bricks_x, by = column / b.bricks_x;
  const int brick = brick_index(b, bx, by, bz);
  const int z0 = bz * BRICK_Z;
  if (stale[brick] == 0u) return;

  if (lane == 0) present = 0u, found = 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  // Which bubbles the brick's voxels have.
  for (int i = lane; i < BRICK_VOXELS; i += AIR_LANES) {
    const int x = bx * BRICK_X + i % BRICK_X, y = by * BRICK_Y + i / BRICK_X % BRICK_Y,
              z = z0 + i / (BRICK_X * BRICK_Y);
    const uint word = x < b.nx && y < b.ny && z < b.nz ? words[voxel_index(b, x, y, z)] : 0u;
    if (word != 0u) atomic_or(&present, 1u << bubble_of(table[voxel_material(word)]));
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int k = 0; k < p.bubbles; ++k) {
    __constant int* head = plan + k * BUBBLE_NUMBERS;
    const int first_row = BRICK_Y + head[2], rows = BRICK_Y + head[3] - head[2];
    const int planes = (present >> k & 1u) != 0u ? BRICK_Z + head[5] - head[4] : 0;
    for (int i = 0; i < 2 * BRICK_Z; ++i) sums[i * AIR_LANES + lane] = 0u;
    for (int plane = 0; plane < planes; ++plane) {
      const int z = z0 + head[4] + plane;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int row = first_row + lane; row < first_row + rows; row += AIR_LANES)
        air[row] = air_around(bits, bits_index(b, bx, by * BRICK_Y + row - BRICK_Y, z));
      for (int part = 0; part < head[1]; ++part) {
        __constant int* at = plan + head[0] + part * PART_NUMBERS;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int r = 0; r < at[1]; ++r)
          for (int i = lane; i < rows * QUADS; i += AIR_LANES) {
            const int row = first_row + i / QUADS;
            runs[(r * RUN_ROWS + row) * QUADS + i % QUADS] =
                run_sums(air[row], plan[at[0] + r], i % QUADS);
          }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int s = 0; s < at[3]; ++s) {
          __constant int* slice = plan + at[2] + s * SLICE_NUMBERS;
          uint even = 0u, odd = 0u;
          for (int e = 0; e < slice[1]; ++e) {
            const int entry = plan[slice[0] + e];
            const uint four =
                runs[(entry_run(entry) * RUN_ROWS + ly + entry_row(entry)) * QUADS + quad];
            even += four & EVEN;
            odd += four >> 8 & EVEN;
          }
          for (int h = 0; h < slice[3]; ++h) {
            const int to = z - plan[slice[2] + h] - z0;
            if (to < 0 || to >= BRICK_Z) continue;
            sums[2 * to * AIR_LANES + lane] += even;
            sums[(2 * to + 1) * AIR_LANES + lane] += odd;
          }
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // A row of voxels at a time, so that neighbouring lanes write neighbouring words.
    uint any = 0u;
    for (int i = lane; i < BRICK_VOXELS && planes > 0; i += AIR_LANES) {
      const int lx = i % BRICK_X, row = i / BRICK_X % BRICK_Y, lz = i / (BRICK_X * BRICK_Y);
      const int x = bx * BRICK_X + lx, y = by * BRICK_Y + row, z = z0 + lz;
      if (x >= b.nx || y >= b.ny || z >= b.nz) continue;
      const int at = voxel_index(b, x, y, z);
      const uint word = words[at];
      if (word == 0u || bubble_of(table[voxel_material(word)]) != (uint)k) continue;
      const uint two = sums[(2 * lz + (lx & 1)) * AIR_LANES + row * QUADS + lx / 4];
      uint count = (lx & 2) != 0 ? two >> 16 : two & 0xffffu;
      if (head[6] != 0 && (open_faces(b, bits, bits_index(b, bx, y, z)) >> lx & 1u) == 0u)
        count = 0u;
      words[at] = with_air(word, count);
      any |= count;
    }
    if (any != 0u) atomic_or(&found, 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) active[brick] = found;
}
