// Terrain from nothing: noise that fills the world, or a shape that stands in it. Heights depend on
// the world cell alone, so windows, tiles and a scrolling landscape agree bit for bit.
#ifndef SCREE_KERNEL_GENERATE_H
#define SCREE_KERNEL_GENERATE_H

#include "kernel/common/compat.h"
#include "kernel/common/noise.h"

#define SCREE_LAND_FLAT 0
#define SCREE_LAND_NOISE 1
#define SCREE_LAND_STEPS 2
#define SCREE_LAND_MOUNTAIN 3
#define SCREE_LAND_CONE 4
#define SCREE_LAND_PYRAMID 5
#define SCREE_LAND_CRATER 6
#define SCREE_LAND_VOLCANO 7
#define SCREE_LAND_TOWER 8
#define SCREE_LAND_DAM 9
#define SCREE_LAND_GROOVES 10
#define SCREE_LAND_PLANE 11
#define SCREE_LAND_SHIELD 12

// Octaves in the buffer: first those of the noise, then SCREE_WARP_OCTAVES that bend it eastward
// and as many that bend it southward.
#define SCREE_WARP_OCTAVES 5

typedef struct {
  i64 centre_x, centre_y;  // of the shape, in half cells from the world's origin
  int land;
  int octaves;  // of the noise; 0: none is wanted
  int bent;     // 1: the warp octaves count
  NoiseStyle style;
  float noise_scale, noise_offset;  // from the fractal sum to 0 (valley) … 1 (peak)
  float roughness;                  // of noise over a shape, about its middle
  float relief, base;               // metres
  float feature_size;               // metres
  float rest_x, rest_y;             // metres from centre_x, centre_y to the very centre
  float half_dx, half_dy;           // metres
  float along_x, along_y;           // the unit vector in which the land falls
  float radius;                     // metres
  float inner;                      // share of the radius
  float tilt, tilt_start;           // of the plane: gradient, and where it reaches base (m)
  float steps, riser;               // terraces; share of a terrace that is its riser
} Land;

// The shapes give 0 at their foot and 1 at their top; r is a distance in radii.

// Convex above, concave below, with one tangent where they meet at k: a hillside from its brow at
// s = 0 to its foot at s = 1 (creep above, wash below: Gilbert 1909).
FN float hillside(float s, float k) {
  if (s < 0.0f) return 1.0f;
  if (s > 1.0f) return 0.0f;
  return s < k ? 1.0f - s * s / k : (1.0f - s) * (1.0f - s) / (1.0f - k);
}

FN float smooth_step(float t) {
  const float c = unit_clamp(t);
  return c * c * (3.0f - 2.0f * c);
}

FN float cone_height(float r) { return fmax2(1.0f - r, 0.0f); }

// A simple impact crater (after Melosh 1989): flat floor, a wall that steepens to the rim, ejecta
// that thin with the cube of the distance. The plain lies at 3/4, the rim at 0.6 of the radius.
FN float crater_height(float r, float inner) {
  const float rim = 0.6f, plain = 0.75f;
  const float floor_edge = inner * rim * 0.999f;
  if (r < rim) {
    const float u = fmax2(r - floor_edge, 0.0f) / (rim - floor_edge);
    return u * u;
  }
  const float ratio = rim / r;
  const float edge = rim * rim * rim;
  return plain + (1.0f - plain) * fmax2(ratio * ratio * ratio - edge, 0.0f) / (1.0f - edge);
}

// A stratovolcano: a cone that steepens upward, with a caldera a quarter as deep as it is high.
FN float volcano_height(float r, float inner) {
  const float rim = inner * 0.5f;
  const float out = fmax2(1.0f - fmax2(r, rim), 0.0f);
  const float flank = out * (0.3f + 0.7f * out) / ((1.0f - rim) * (0.3f + 0.7f * (1.0f - rim)));
  return r < rim ? flank - 0.25f * smooth_step(2.0f * (1.0f - r / rim)) : flank;
}

// Calderas of a shield volcano, one sunk into the other: how deep the ground lies at (a, b), in
// radii of the shield, of whose summit they take `rim`. Placed and sized after those of Olympus
// Mons.
FN float shield_calderas(float a, float b, float rim) {
  const float east[5] = {-0.18f, 0.42f, 0.20f, -0.52f, 0.62f};
  const float north[5] = {0.02f, 0.22f, -0.46f, 0.34f, -0.14f};
  const float size[5] = {0.80f, 0.50f, 0.42f, 0.34f, 0.27f};
  const float deep[5] = {0.075f, 0.105f, 0.14f, 0.100f, 0.125f};
  float depth = 0.0f;
  for (int k = 0; k < 5; ++k) {
    const float da = a - east[k] * rim, db = b - north[k] * rim;
    const float inside = size[k] * rim - SQRT(da * da + db * db);
    depth = fmax2(depth, deep[k] * smooth_step(inside / fmax2(0.11f * rim, 1e-6f)));
  }
  return depth;
}

// A shield volcano like Olympus Mons (after its profile in MOLA's map, Smith et al. 1999): long
// flanks of a few degrees that steepen a little upward and end in a scarp a third as high as the
// whole, lower where flows have run over it, and calderas a seventh of that deep. inner is their
// share of the width. The foot is no circle: it touches that of radius 1, and stays within.
FN float shield_height(float a, float b, float r, float inner) {
  const float rim = fmin2(inner, 0.9f), q = fmax2(r, 1e-3f);
  const float c = a / q, s = b / q;
  const float three = c * (4.0f * c * c - 3.0f), two = 2.0f * c * s;
  const float out = r * (1.03f - 0.018f * two - 0.012f * three);
  const float draped = smooth_step(0.5f + 0.7f * (0.6f * three - 0.7f * c + 0.3f * two));
  const float foot = 0.36f - 0.2f * draped, brow = 0.95f - 0.1f * draped;
  const float t = unit_clamp((out - rim) / (brow - rim));
  const float flank = 1.0f - (1.0f - foot) * t * (1.3f - 0.3f * t);
  if (out < brow) return flank - shield_calderas(a, b, rim);
  return foot * (1.0f - smooth_step((out - brow) / (1.0f - brow)));
}

// Lava has run down its flanks in lobes, side by side and one over the other: noise in the space of
// (direction, distance), which is long down the slope and narrow across it. 0 ... 1 about.
FN float shield_flows(GLOBAL const NoiseOctave* octaves, int count, NoiseStyle style, float a,
                      float b, float r) {
  const float along = (13.0f + 5.0f * r) / fmax2(r, 1e-3f);
  style.form = SCREE_NOISE_BILLOW;
  return 0.7f * fractal_sum(octaves, count < 4 ? count : 4, style, 0, 0, along * a, along * b);
}

// A column with a skirt of debris up to a third of its height; inner = 1 is a bare cylinder.
FN float tower_height(float r, float inner) {
  if (r <= inner) return 1.0f;
  const float s = fmax2(1.0f - r, 0.0f) / fmax2(1.0f - inner, 1e-6f);
  return 0.33f * s * s;
}

// A valley with a wall across it; the ground behind the wall is level and a step higher than the
// bed in front, which falls from there. along and across in radii, along grows downstream.
FN float dam_height(float along, float across) {
  const float sides = smooth_step((fabs2(across) - 0.2f) / 0.8f);
  const float bed = along < 0.0f ? 0.2f : 0.1f * fmax2(1.0f - along, 0.0f);
  const float wall = 0.6f * unit_clamp(2.0f - 20.0f * fabs2(along));
  return fmax2(fmax2(bed, sides), wall);
}

// Terraces: level treads (a seventh of the rise is left in them) and risers between.
FN float terraced(float height, float steps, float riser) {
  const float t = height * steps;
  int tread = (int)t;
  if ((float)tread > t) tread -= 1;
  const float f = t - (float)tread;
  const float up = 0.15f * f + 0.85f * smooth_step((f - 1.0f + riser) / riser);
  return ((float)tread + up) / steps;
}

// A single massif: a bell (1 - r^2)^2 that ridged noise makes and breaks.
FN float mountain_height(float r, float noise) {
  const float e = fmax2(1.0f - r * r, 0.0f);
  return e * (0.3f * e + 0.75f * noise * (0.3f + 0.7f * e));
}

// The height of a shape over its base, in metres. noise is 0 … 1; east and south are how far space
// is bent, in feature sizes.
FN float shape_metres(Land p, GLOBAL const NoiseOctave* octaves, int x, int y, float noise,
                      float east, float south) {
  const i64 half_x = 2 * (i64)x + 1 - p.centre_x;
  const i64 half_y = 2 * (i64)y + 1 - p.centre_y;
  const float dx = (float)half_x * p.half_dx - p.rest_x + east * p.feature_size;
  const float dy = (float)half_y * p.half_dy - p.rest_y + south * p.feature_size;
  const float along = dx * p.along_x + dy * p.along_y;
  if (p.land == SCREE_LAND_PLANE) return (p.tilt_start - along) * p.tilt;
  const float a = along / p.radius;
  const float b = (dy * p.along_x - dx * p.along_y) / p.radius;
  float r = SQRT(a * a + b * b);
  // Noise makes rims ragged too.
  const float ragged = p.roughness * (noise - 0.5f);
  if (p.land == SCREE_LAND_CRATER || p.land == SCREE_LAND_VOLCANO || p.land == SCREE_LAND_SHIELD)
    r -= r * p.roughness * (noise - 0.5f);
  float h = 0.0f;
  switch (p.land) {
    case SCREE_LAND_MOUNTAIN:
      h = mountain_height(r, noise);
      break;
    case SCREE_LAND_CONE:
      h = cone_height(r);
      break;
    case SCREE_LAND_PYRAMID:
      h = cone_height(fmax2(fabs2(a), fabs2(b)));
      break;
    case SCREE_LAND_CRATER:
      h = crater_height(r, p.inner);
      break;
    case SCREE_LAND_VOLCANO:
      h = volcano_height(r, p.inner);
      break;
    case SCREE_LAND_SHIELD:
      h = shield_height(a - a * ragged, b - b * ragged, r, p.inner);
      // Beyond the foot there is none, and far beyond it no lattice.
      if (p.octaves > 0 && r < 1.1f)
        h += p.roughness * smooth_step(4.0f * (r - p.inner)) *
             (1.0f - smooth_step(6.0f * (r - 0.9f))) *
             shield_flows(octaves, p.octaves, p.style, a, b, r);
      break;
    case SCREE_LAND_TOWER:
      h = tower_height(r, p.inner);
      break;
    case SCREE_LAND_DAM:
      h = dam_height(a, b);
      break;
    case SCREE_LAND_GROOVES:
      h = hillside(0.5f + 0.5f * a, 0.7f);
      break;
    default:
      break;
  }
  return h * p.relief;
}

// The fractal sum at a world cell, bent where the land asks for it.
FN float land_noise(Land p, GLOBAL const NoiseOctave* octaves, int x, int y, float* east,
                    float* south) {
  *east = 0.0f;
  *south = 0.0f;
  if (p.bent != 0) {
    *east = plain_fbm(octaves + p.octaves, SCREE_WARP_OCTAVES, x, y);
    *south = plain_fbm(octaves + p.octaves + SCREE_WARP_OCTAVES, SCREE_WARP_OCTAVES, x, y);
  }
  return fractal_sum(octaves, p.octaves, p.style, x, y, *east, *south);
}

// Metres at a world cell.
FN float land_height(Land p, GLOBAL const NoiseOctave* octaves, int x, int y) {
  float noise = 0.0f, east = 0.0f, south = 0.0f;
  if (p.octaves > 0)
    noise = land_noise(p, octaves, x, y, &east, &south) * p.noise_scale + p.noise_offset;
  if (p.land == SCREE_LAND_NOISE) return p.base + p.relief * noise;
  if (p.land == SCREE_LAND_STEPS) return p.base + p.relief * terraced(noise, p.steps, p.riser);
  float rough = p.roughness > 0.0f ? p.roughness * p.relief * (noise - 0.5f) : 0.0f;
  if (p.land == SCREE_LAND_SHIELD) rough *= 0.3f;  // the rest of it are flows
  return p.base + (shape_metres(p, octaves, x, y, noise, east, south) + rough);
}

FN void generate_cell(int x, int y, Grid g, Land p, GLOBAL const NoiseOctave* octaves,
                      GLOBAL float* RESTRICT height) {
  height[cell_index(g, x, y)] = land_height(p, octaves, g.x0 + x, g.y0 + y);
}
SCREE_KERNEL_4(generate, Grid, g, Land, p, GLOBAL const NoiseOctave*, octaves, GLOBAL float*,
               height)

#endif
