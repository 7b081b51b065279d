// Rock to weather: forms joined and carved in order, made of layers, cut by joints, or the ground
// under a heightfield. All lengths are in voxels; a voxel is inside where its middle is.
#ifndef SCREE_KERNEL_ROCKS_H
#define SCREE_KERNEL_ROCKS_H

#include "kernel/common/random.h"
#include "kernel/voxels/voxel.h"
#include "kernel/voxels/weather.h"

#define ROCK_BLOCK 0
#define ROCK_COLUMN 1
#define ROCK_BALL 2
#define ROCK_ARCH 3
#define ROCK_SOLID 4  // a bit a voxel, from a mesh or a volume

typedef struct {
  int kind;
  int carve;             // 1: takes away what is there
  int material;          // 0: by the layers
  int grades;            // of that material
  int whole;             // 1: joints do not cut it
  float grain;           // wavelength of its durability
  float x, y, z;         // middle
  float rx, ry, rz;      // half of its size
  float top;             // of a column: its width at the top over that at the foot
  float thickness;       // of an arch
  float noise, wave;     // how far its faces are displaced, and the wavelength
  float shift, stretch;  // of the layers in it
  uint seed;
  int x0, x1, y0, y1, z0, z1;  // voxels that it can touch, half open
  uint solid;                  // of a solid: where its words begin among all of them
} RockForm;

typedef struct {
  float top;          // height at which it ends
  float noise, wave;  // of that height
  float grain;        // wavelength of the durability
  int material, grades;
  int whole;
  uint seed;
} RockLayer;

// Planes of weakness (Ito et al. 2003): every `spacing` along the normal, `reach` to either side.
// Rock breaks less regularly: each plane is displaced and tilted by a hash of its number.
typedef struct {
  float nx, ny, nz;
  float offset, spacing, reach;
  float jitter;      // a plane is displaced by up to so much, either way
  float tilt;        // and rises by up to so much a voxel along two axes in it
  float sx, sy, sz;  // the axes,
  float tx, ty, tz;  //
  float s0, t0;      // and where they cross the middle of the box
  int others;        // planes on either side that can come this far; 0: all are where they belong
  float noise, wave;
  int material, grades;
  float grain;
  uint seed;
} RockJoint;

typedef struct {
  int forms, layers, joints;
  int ground;  // 1: heights are given, one a column; 2: words are there already
} RockPlan;

FN float smooth_fraction(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }
FN int floor_of(float a) {
  const int i = (int)a;
  return (float)i > a ? i - 1 : i;
}
FN float lattice_value(uint seed, int x, int y, int z) {
  return (float)(int)(voxel_hash(seed, x, y, z) >> 8) * (2.0f / 16777216.0f) - 1.0f;
}
FN float between(float a, float b, float t) { return a + (b - a) * t; }

// Value noise in space, from -1 to 1.
FN float space_noise(uint seed, float x, float y, float z) {
  const int i = floor_of(x), j = floor_of(y), k = floor_of(z);
  const float u = smooth_fraction(x - (float)i), v = smooth_fraction(y - (float)j),
              w = smooth_fraction(z - (float)k);
  const float a = between(lattice_value(seed, i, j, k), lattice_value(seed, i + 1, j, k), u);
  const float b =
      between(lattice_value(seed, i, j + 1, k), lattice_value(seed, i + 1, j + 1, k), u);
  const float c =
      between(lattice_value(seed, i, j, k + 1), lattice_value(seed, i + 1, j, k + 1), u);
  const float d =
      between(lattice_value(seed, i, j + 1, k + 1), lattice_value(seed, i + 1, j + 1, k + 1), u);
  return between(between(a, b, v), between(c, d, v), w);
}
// With an octave of half the wavelength on top, about -1 to 1.
FN float rough_noise(uint seed, float wave, float x, float y, float z) {
  const float s = 1.0f / wave;
  return 0.67f * space_noise(seed, x * s, y * s, z * s) +
         0.33f * space_noise(seed + 1u, 2.0f * x * s, 2.0f * y * s, 2.0f * z * s);
}

// How far a point is from the faces of a form, about: below 0 inside.
FN float form_distance(IN(RockForm) f, float x, float y, float z) {
  const float dx = x - f.x, dy = y - f.y, dz = z - f.z;
  const float ax = fabs2(dx), ay = fabs2(dy), above = fabs2(dz) - f.rz;
  const float narrow = fmin2(f.rx, f.ry);
  if (f.kind == ROCK_COLUMN) {
    const float width = 1.0f + (f.top - 1.0f) * (0.5f + 0.5f * dz / f.rz);
    const float u = dx / f.rx, v = dy / f.ry;
    return fmax2((SQRT(u * u + v * v) - width) * narrow, above);
  }
  if (f.kind == ROCK_BALL) {
    const float u = dx / f.rx, v = dy / f.ry, w = dz / f.rz;
    return (SQRT(u * u + v * v + w * w) - 1.0f) * fmin2(narrow, f.rz);
  }
  if (f.kind == ROCK_ARCH) {
    // A half circle on two legs.
    const float middle = f.rx - 0.5f * f.thickness, spring = dz - (f.rz - f.rx);
    const float out = spring > 0.0f ? SQRT(dx * dx + spring * spring) : ax;
    return fmax2(fmax2(fabs2(out - middle) - 0.5f * f.thickness, ay - f.ry), above);
  }
  return fmax2(fmax2(ax - f.rx, ay - f.ry), above);
}

// Beside a material: joints do not cut it.
#define ROCK_WHOLE 256u

// A rock's durability varies: its grades lie one after the other in the table of materials.
FN uint graded(int material, int grades, float grain, uint seed, int x, int y, int z) {
  if (grades <= 1) return (uint)material;
  float n;
  if (grain > 1.0f)
    n = 0.5f + 0.75f * rough_noise(seed, grain, (float)x, (float)y, (float)z);
  else
    n = (float)(int)(voxel_hash(seed, x, y, z) >> 8) * (1.0f / 16777216.0f);
  return (uint)(material + imax(imin((int)(n * (float)grades), grades - 1), 0));
}

FN uint layer_material(IN(RockPlan) p, GLOBAL const RockLayer* layers, float shift, float stretch,
                       int x, int y, int z) {
  const float height = ((float)z + 0.5f - shift) / stretch;
  for (int i = 0; i < p.layers; ++i) {
    const RockLayer layer = layers[i];
    float top = layer.top;
    if (layer.noise > 0.0f)
      top += layer.noise * rough_noise(layer.seed, layer.wave, (float)x, (float)y, 0.0f);
    if (height < top || i + 1 == p.layers)
      return graded(layer.material, layer.grades, layer.grain, layer.seed + 7u, x, y, z) |
             (layer.whole != 0 ? ROCK_WHOLE : 0u);
  }
  return 0u;
}

// Whether one of the planes that were displaced or tilted comes within reach; `along` counts from
// plane 0.
FN int near_some_plane(IN(RockJoint) joint, float along, float u, float v, float w) {
  const float s = joint.sx * u + joint.sy * v + joint.sz * w - joint.s0;
  const float t = joint.tx * u + joint.ty * v + joint.tz * w - joint.t0;
  const int nearest = floor_of(along / joint.spacing + 0.5f);
  for (int k = nearest - joint.others; k <= nearest + joint.others; ++k) {
    const float at = (float)k * joint.spacing + joint.jitter * lattice_value(joint.seed, k, 0, 1) +
                     joint.tilt * (lattice_value(joint.seed, k, 0, 2) * s +
                                   lattice_value(joint.seed, k, 0, 3) * t);
    if (fabs2(along - at) <= joint.reach) return 1;
  }
  return 0;
}

FN uint jointed(IN(RockPlan) p, GLOBAL const RockJoint* joints, uint material, int x, int y,
                int z) {
  if ((material & ROCK_WHOLE) != 0u) return material & ~ROCK_WHOLE;
  for (int i = 0; i < p.joints; ++i) {
    const RockJoint joint = joints[i];
    const float u = (float)x + 0.5f, v = (float)y + 0.5f, w = (float)z + 0.5f;
    float along = joint.nx * u + joint.ny * v + joint.nz * w - joint.offset;
    if (joint.noise > 0.0f) along += joint.noise * rough_noise(joint.seed, joint.wave, u, v, w);
    const float turns = along / joint.spacing + 0.5f;
    const float rest = (turns - (float)floor_of(turns) - 0.5f) * joint.spacing;
    if (joint.others > 0 ? near_some_plane(joint, along, u, v, w) != 0 : fabs2(rest) <= joint.reach)
      material = graded(joint.material, joint.grades, joint.grain, joint.seed + 7u, x, y, z);
  }
  return material;
}

// 32 voxels of a row; r counts rows of voxels.
FN void rocks_cell(int wx, int r, VoxelBox b, RockPlan p, GLOBAL const RockForm* RESTRICT forms,
                   GLOBAL const RockLayer* RESTRICT layers, GLOBAL const RockJoint* RESTRICT joints,
                   GLOBAL const float* RESTRICT heights, GLOBAL const uint* RESTRICT solids,
                   GLOBAL uint* RESTRICT words) {
  const int y = r % b.ny, z = r / b.ny, first = wx * 32, end = imin(first + 32, b.nx);
  int made_of[32];  // -1: nothing, or the last form that holds it; the ground is beyond all
  for (int k = 0; k < end - first; ++k) {
    const int under = p.ground == 2
                          ? words[r * b.nx + first + k] != 0u
                          : p.ground == 1 && (float)z + 0.5f < heights[y * b.nx + first + k];
    made_of[k] = under != 0 ? p.forms : -1;
  }
  for (int i = 0; i < p.forms; ++i) {
    if (y < forms[i].y0 || y >= forms[i].y1 || z < forms[i].z0 || z >= forms[i].z1) continue;
    const RockForm f = forms[i];
    if (f.kind == ROCK_SOLID) {
      const uint inside = solids[f.solid + (uint)(r * b.bricks_x + wx)];
      for (int k = 0; k < end - first; ++k)
        if ((inside >> k & 1u) != 0u) made_of[k] = f.carve != 0 ? -1 : i;
      continue;
    }
    for (int x = imax(first, f.x0); x < imin(end, f.x1); ++x) {
      const float u = (float)x + 0.5f, v = (float)y + 0.5f, w = (float)z + 0.5f;
      float distance = form_distance(f, u, v, w);
      if (f.noise > 0.0f && fabs2(distance) <= f.noise)
        distance += f.noise * rough_noise(f.seed, f.wave, u, v, w);
      if (distance <= 0.0f) made_of[x - first] = f.carve != 0 ? -1 : i;
    }
  }
  for (int k = 0; k < end - first; ++k) {
    const int i = made_of[k], x = first + k;
    uint word = 0u;
    if (i == p.forms && p.ground == 2) {
      const uint there = words[voxel_index(b, x, y, z)];
      const uint whole = voxel_air(there) != 0u ? ROCK_WHOLE : 0u;
      word = voxel_word(voxel_amount(there),
                        jointed(p, joints, voxel_material(there) | whole, x, y, z));
    } else if (i >= 0) {
      const int by_layers = i == p.forms || forms[i].material == 0;
      const uint material = by_layers
                                ? layer_material(p, layers, i == p.forms ? 0.0f : forms[i].shift,
                                                 i == p.forms ? 1.0f : forms[i].stretch, x, y, z)
                                : graded(forms[i].material, forms[i].grades, forms[i].grain,
                                         forms[i].seed + 7u, x, y, z) |
                                      (forms[i].whole != 0 ? ROCK_WHOLE : 0u);
      word = voxel_word(VOXEL_FULL, jointed(p, joints, material, x, y, z));
    }
    words[voxel_index(b, x, y, z)] = word;
  }
}
SCREE_KERNEL_8(rocks, VoxelBox, b, RockPlan, p, GLOBAL const RockForm*, forms,
               GLOBAL const RockLayer*, layers, GLOBAL const RockJoint*, joints,
               GLOBAL const float*, heights, GLOBAL const uint*, solids, GLOBAL uint*, words)

#endif
