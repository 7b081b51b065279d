// Weathering on an OpenCL device: a work-group takes a brick. Groups are numbered by (height of the
// brick, column of bricks), as on a CPU; a brick with nothing to do is left at once.
#include "kernel/voxels/voxel.h"
#include "kernel/voxels/weather.h"

#define WEATHER_ROWS 8
#define WEATHER_AT_ONCE 4  // rows of a lane whose words are under way together

__kernel __attribute__((reqd_work_group_size(BRICK_X, WEATHER_ROWS, 1))) void weather(
    Range range, VoxelBox b, Weather p, __global const uint* restrict table,
    __global const uint* restrict rates, __global uint* restrict active,
    __global uint* restrict words, __global uint* restrict bits, __global uint* restrict gone,
    __global uint* restrict changed, __global uint* restrict fallen,
    __global const uint* restrict region_bricks, __global const uint* restrict region_words,
    __global const uint* restrict region_columns, __global long* restrict tally) {
  __local uint dead[BRICK_Y * BRICK_Z], rock_dead[BRICK_Y * BRICK_Z];
  __local uint awake[ACTIVE_WORDS], airy[ACTIVE_WORDS], sums[4];
  const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), lane = ly * BRICK_X + lx;
  const int column = (int)get_group_id(1), bz = (int)get_group_id(0);
  const int bx = column % b.bricks_x, by = column / b.bricks_x;
  const int brick = brick_index(b, bx, by, bz);
  // Every lane looks for itself: to leave after a barrier is more than some compilers can do.
  uint rows = 0u;
  for (int i = 0; i < ACTIVE_WORDS; ++i) rows |= active[brick * ACTIVE_WORDS + i];
  if (rows == 0u) return;

  dead[lane] = 0u;
  rock_dead[lane] = 0u;
  if (lane < 4) sums[lane] = 0u;
  if (lane < ACTIVE_WORDS) {
    awake[lane] = active[brick * ACTIVE_WORDS + lane];
    airy[lane] = 0u;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  uint worn = 0u;
  const int x = bx * BRICK_X + lx;
  for (int first = ly; first < BRICK_Y * BRICK_Z; first += WEATHER_ROWS * WEATHER_AT_ONCE) {
    uint word[WEATHER_AT_ONCE];
    for (int k = 0; k < WEATHER_AT_ONCE; ++k) {
      const int row = first + k * WEATHER_ROWS;
      const int y = by * BRICK_Y + row % BRICK_Y, z = bz * BRICK_Z + row / BRICK_Y;
      const uint here = awake[row / 32] >> row % 32 & 1u;
      word[k] = here != 0u && x < b.nx ? words[voxel_index(b, x, y, z)] : 0u;
    }
    for (int k = 0; k < WEATHER_AT_ONCE; ++k) {
      if (voxel_air(word[k]) == 0u) continue;  // and so no rate
      const int row = first + k * WEATHER_ROWS;
      const int y = by * BRICK_Y + row % BRICK_Y, z = bz * BRICK_Z + row / BRICK_Y;
      const uint entry = table[voxel_material(word[k])];
      const uint rate = rates[bubble_of(entry) * WEATHER_RATES + voxel_air(word[k])];
      uint share = share_of(entry);
      if (p.regions != 0)
        share = region_share(share, region_at(p, region_bricks, region_words, region_columns, brick,
                                              row, lx, y * b.nx + x));
      const uint next =
          weathered(word[k], worn_amount(rate, share, voxel_hash(p.step_seed, x, y, z)));
      if ((airy[row / 32] >> row % 32 & 1u) == 0u) atomic_or(&airy[row / 32], 1u << row % 32);
      worn += voxel_amount(word[k]) - voxel_amount(next);
      if (next != word[k]) words[voxel_index(b, x, y, z)] = next;
      if (next != 0u) continue;
      atomic_or(&dead[row], 1u << lx);
      if (loose_of(entry) == 0u) atomic_or(&rock_dead[row], 1u << lx);
    }
  }
  if (worn != 0u) atomic_add(&sums[2], worn);
  barrier(CLK_LOCAL_MEM_FENCE);

  const uint died = dead[lane], rock_died = rock_dead[lane];
  if (died != 0u) {
    const int y = by * BRICK_Y + lane % BRICK_Y, z = bz * BRICK_Z + lane / BRICK_Y;
    const int at = bits_index(b, bx, y, z);
    bits[at] &= ~died;
    gone[at] = died;
    if (p.keep) fallen[(z * b.ny + y) * b.bricks_x + bx] |= rock_died;
    atomic_or(&sums[3], change_in_row(p, died, lane % BRICK_Y, lane / BRICK_Y));
    atomic_add(&sums[0], popcount(rock_died));
    atomic_add(&sums[1], popcount(died & ~rock_died));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane < ACTIVE_WORDS && airy[lane] != awake[lane])
    active[brick * ACTIVE_WORDS + lane] = airy[lane];
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
  __local uint present, airy[ACTIVE_WORDS];
  const int quad = (int)get_local_id(0), ly = (int)get_local_id(1), lane = ly * QUADS + quad;
  const int column = (int)get_group_id(1), bz = (int)get_group_id(0);
  const int bx = column % b.bricks_x, by = column / b.bricks_x;
  const int brick = brick_index(b, bx, by, bz);
  const int z0 = bz * BRICK_Z;
  if (stale[brick] != STALE_ANEW) return;

  if (lane == 0) present = 0u;
  if (lane < ACTIVE_WORDS) airy[lane] = 0u;
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
      const int bit = lz * BRICK_Y + row;
      if (count != 0u && (airy[bit / 32] >> bit % 32 & 1u) == 0u)
        atomic_or(&airy[bit / 32], 1u << bit % 32);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane < ACTIVE_WORDS) active[brick * ACTIVE_WORDS + lane] = airy[lane];
}

// ---- what went -----------------------------------------------------------------------------
// Along a row of voxels the sum over a run changes only where a voxel that went enters it or leaves
// it. So these changes are added up for all runs and all rows, and turned into sums at the end: a
// row of what went, seen through one run, is one lane's work.
#define ADD_TEAMS 8
#define ADD_LANES (BRICK_X * ADD_TEAMS)
#define SUM_ROW (BRICK_X + 1)  // odd, so that columns lie in different banks

void add_run(ulong went, int run, __local int* row) {
  const int start = run_start(run), length = run_length(run);
  const uint leaves = (uint)(went >> start), enters = (uint)(went >> (start + length));
  const uint first = popcount(leaves & ((1u << length) - 1u));
  if (first != 0u) atomic_add(row, (int)first);
  for (uint left = enters & ~leaves & 0x7fffffffu; left != 0u; left &= left - 1u)
    atomic_inc(row + 32 - clz(left & (0u - left)));
  for (uint left = leaves & ~enters & 0x7fffffffu; left != 0u; left &= left - 1u)
    atomic_dec(row + 32 - clz(left & (0u - left)));
}

__kernel __attribute__((reqd_work_group_size(BRICK_X, ADD_TEAMS, 1))) void air_add(
    Range range, VoxelBox b, Weather p, __constant int* plan, __global const int* restrict runs,
    __global const uint* restrict table, __global const uint* restrict bits,
    __global const uint* restrict gone, __global const uint* restrict stale,
    __global uint* restrict words, __global uint* restrict active) {
  __local int sums[BRICK_Y * BRICK_Z * SUM_ROW];
  __local ulong went[ADD_LANES];
  __local int places[ADD_LANES];
  __local uint rock[BRICK_Z];  // rows of voxels with any, a bit each
  __local int found;
  __local uint any_rock, airy[ACTIVE_WORDS];
  const int lx = (int)get_local_id(0), team = (int)get_local_id(1), lane = team * BRICK_X + lx;
  const int column = (int)get_group_id(1), bz = (int)get_group_id(0);
  const int bx = column % b.bricks_x, by = column / b.bricks_x;
  const int brick = brick_index(b, bx, by, bz);
  if (stale[brick] != STALE_ADD) return;

  if (lane < BRICK_Z) rock[lane] = 0u;
  if (lane < ACTIVE_WORDS) airy[lane] = 0u;
  if (lane == 0) any_rock = 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    const int y = by * BRICK_Y + lane % BRICK_Y, z = bz * BRICK_Z + lane / BRICK_Y;
    const int n = b.nx - bx * BRICK_X;
    const uint mine = n >= 32 ? 0xffffffffu : (1u << n) - 1u;
    if (y < b.ny && z < b.nz && (bits[bits_index(b, bx, y, z)] & mine) != 0u) {
      atomic_or(&rock[lane / BRICK_Y], 1u << lane % BRICK_Y);
      any_rock = 1u;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const ulong seen = ((1ul << (BRICK_X + 2 * p.reach_x)) - 1ul) << (16 - p.reach_x);
  for (int k = 0; k < p.bubbles && any_rock != 0u; ++k) {
    __constant int* head = plan + k * BUBBLE_NUMBERS;
    __global const int* heights = runs + k * HEIGHT_NUMBERS + 16;
    const int rows = BRICK_Y + head[3] - head[2];
    const int window = rows * (BRICK_Z + head[5] - head[4]);
    for (int i = lane; i < BRICK_Y * BRICK_Z * SUM_ROW; i += ADD_LANES) sums[i] = 0;
    for (int first = 0; first < window; first += ADD_LANES) {
      if (lane == 0) found = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      const int y = (first + lane) % rows + head[2], z = (first + lane) / rows + head[4];
      if (first + lane < window) {
        const ulong here =
            row_around(gone, bits_index(b, bx, by * BRICK_Y + y, bz * BRICK_Z + z)) & seen;
        if (here != 0ul) {
          const int at = atomic_inc(&found);
          went[at] = here;
          places[at] = (y + 16) | (z + 16) << 8;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = team; i < found; i += ADD_TEAMS) {
        const int from_y = (places[i] & 255) - 16, from_z = (places[i] >> 8) - 16;
        const int last = heights[imin(from_z, 15) + 1];
        for (int r = heights[imax(from_z - 15, -16)] + lx; r < last; r += BRICK_X) {
          const int y = from_y - run_y(runs[r]), z = from_z - run_z(runs[r]);
          if (y < 0 || y >= BRICK_Y || (rock[z] >> y & 1u) == 0u) continue;
          add_run(went[i], runs[r], sums + (z * BRICK_Y + y) * SUM_ROW);
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    // From changes along a row to sums.
    int sum = 0;
    for (int x = 0; x < BRICK_X; ++x) sums[lane * SUM_ROW + x] = sum += sums[lane * SUM_ROW + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int row = team; row < BRICK_Y * BRICK_Z; row += ADD_TEAMS) {
      const int air = sums[row * SUM_ROW + lx];
      const int x = bx * BRICK_X + lx, y = by * BRICK_Y + row % BRICK_Y,
                z = bz * BRICK_Z + row / BRICK_Y;
      if (air == 0 || x >= b.nx || y >= b.ny || z >= b.nz) continue;
      const int at = voxel_index(b, x, y, z);
      const uint word = words[at];
      if (word == 0u || bubble_of(table[voxel_material(word)]) != (uint)k) continue;
      words[at] = word + ((uint)air << VOXEL_AIR_SHIFT);
      if ((airy[row / 32] >> row % 32 & 1u) == 0u) atomic_or(&airy[row / 32], 1u << row % 32);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane < ACTIVE_WORDS) {
    const int at = brick * ACTIVE_WORDS + lane;
    active[at] = any_rock != 0u ? active[at] | airy[lane] : 0u;
  }
}
