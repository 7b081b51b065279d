// Regions where rock wears faster, slower, or is of another durability: brushes and maps.
//
// What holds at a voxel is one word: the rate's factor (bits 0-15, 4096 is 1) and what is added to
// the durability (bits 16-31, signed, of 4096). A map has one a column; brushes have one a voxel of
// the bricks that they touch, worked out when they are set, so that a step only reads them, and
// bricks that no brush touches read nothing.
#ifndef SCREE_KERNEL_REGION_H
#define SCREE_KERNEL_REGION_H

#include "kernel/voxels/voxel.h"
#include "kernel/voxels/weather.h"

#define BRUSH_SPHERE 0
#define BRUSH_BOX 1
#define BRUSH_CAPSULE 2

typedef struct {
  int kind;
  float x, y, z;     // middle, or one end
  float u, v, w;     // half of a box's size, or from one end of a capsule to the other
  float radius;      // of a sphere or a capsule
  float soft;        // how far beyond its faces it fades
  float rate;        // factor inside
  float durability;  // added inside
} Brush;

typedef struct {
  int brushes;
} RegionPlan;

// How far a point is from the faces of a brush; below 0, or 0, inside.
FN float brush_distance(IN(Brush) s, float x, float y, float z) {
  const float dx = x - s.x, dy = y - s.y, dz = z - s.z;
  if (s.kind == BRUSH_BOX) {
    const float ax = fmax2(fabs2(dx) - s.u, 0.0f), ay = fmax2(fabs2(dy) - s.v, 0.0f),
                az = fmax2(fabs2(dz) - s.w, 0.0f);
    return SQRT(ax * ax + ay * ay + az * az);
  }
  float along = 0.0f;
  if (s.kind == BRUSH_CAPSULE) {
    const float length = s.u * s.u + s.v * s.v + s.w * s.w;
    along = fmin2(fmax2((dx * s.u + dy * s.v + dz * s.w) / length, 0.0f), 1.0f);
  }
  const float px = dx - along * s.u, py = dy - along * s.v, pz = dz - along * s.w;
  return SQRT(px * px + py * py + pz * pz) - s.radius;
}

FN uint brush_word(IN(Brush) s, float x, float y, float z) {
  const float distance = brush_distance(s, x, y, z);
  float share = 1.0f;
  if (distance > 0.0f) share = distance < s.soft ? 1.0f - distance / s.soft : 0.0f;
  return region_word(nearest((1.0f + (s.rate - 1.0f) * share) * 4096.0f),
                     nearest(s.durability * share * 4096.0f));
}

// 32 voxels of row `row` of the brick that has place `slot` among those that brushes touch.
FN void region_fill_cell(int row, int slot, VoxelBox b, RegionPlan p,
                         GLOBAL const Brush* RESTRICT brushes, GLOBAL const uint* RESTRICT touched,
                         GLOBAL uint* RESTRICT words) {
  const int brick = (int)touched[slot];
  const int bx = brick % b.bricks_x, by = brick / b.bricks_x % b.bricks_y,
            bz = brick / (b.bricks_x * b.bricks_y);
  const int vy = by * BRICK_Y + row % BRICK_Y, vz = bz * BRICK_Z + row / BRICK_Y;
  const float y = (float)vy + 0.5f, z = (float)vz + 0.5f;
  for (int k = 0; k < BRICK_X; ++k) {
    uint word = REGION_NONE;
    for (int i = 0; i < p.brushes; ++i)
      word = region_joined(word, brush_word(brushes[i], (float)(bx * BRICK_X + k) + 0.5f, y, z));
    words[(slot * BRICK_Y * BRICK_Z + row) * BRICK_X + k] = word;
  }
}
SCREE_KERNEL_5(region_fill, VoxelBox, b, RegionPlan, p, GLOBAL const Brush*, brushes,
               GLOBAL const uint*, touched, GLOBAL uint*, words)

#endif
