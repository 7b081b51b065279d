// Coherent noise for generated terrain: gradient noise, simplex noise, and the fractal sums over
// octaves of them. All of it is a pure function of (seed, world cell).
//
// Positions are integers. A cell centre lies (2 x + 1, 2 y + 1) half cells from the world's origin,
// and each octave maps half cells to its lattice with a 2x2 matrix of 64-bit fixed-point numbers
// (36 bits of fraction), so a landscape is as smooth a billion cells away as it is at the origin.
// An octave repeats after 2^28 of its wavelengths, without a seam.
#ifndef SCREE_KERNEL_NOISE_H
#define SCREE_KERNEL_NOISE_H

#include "kernel/common/compat.h"
#include "kernel/common/random.h"

#ifdef __OPENCL_VERSION__
typedef ulong u64;
#else
typedef unsigned long long u64;
#endif

#define SCREE_LATTICE_BITS 36
#define SCREE_LATTICE_UNIT 68719476736.0f

// One octave: where its lattice lies, how high it is. 80 bytes, the wide members first.
typedef struct {
  i64 ux, uy, vx, vy;                // lattice units of 2^-36 a half cell (skewed for simplex)
  i64 u0, v0;                        // of the world's origin
  float to_ux, to_uy, to_vx, to_vy;  // lattice cells a feature size: for displacements
  float wavelength;                  // in feature sizes
  float amplitude;
  uint seed;
  int unused;
} NoiseOctave;

typedef struct {
  int u, v;      // lattice cell
  float fu, fv;  // place in it, 0 to 1
} LatticePoint;

// A noise value and its gradient, in lattice cells.
typedef struct {
  float value, du, dv;
} NoiseSample;

FN float unit_clamp(float a) { return a < 0.0f ? 0.0f : (a > 1.0f ? 1.0f : a); }

FN int lattice_cell(u64 position) { return (int)((i64)position >> SCREE_LATTICE_BITS); }
FN float lattice_fraction(u64 position) {
  return (float)(int)((position >> (SCREE_LATTICE_BITS - 24)) & 0xffffffu) * (1.0f / 16777216.0f);
}

// Where world cell (x, y), moved by (east, south) feature sizes, lies in an octave. `skew` is
// (sqrt(3) - 1) / 2 for simplex noise, whose matrix is skewed already, and 0 for gradient noise.
FN LatticePoint lattice_point(NoiseOctave o, int x, int y, float east, float south, float skew) {
  const u64 half_x = (u64)(2 * (i64)x + 1);
  const u64 half_y = (u64)(2 * (i64)y + 1);
  const float du = east * o.to_ux + south * o.to_uy;
  const float dv = east * o.to_vx + south * o.to_vy;
  const float lean = (du + dv) * skew;
  const u64 u = half_x * (u64)o.ux + half_y * (u64)o.uy + (u64)o.u0 +
                (u64)(i64)((du + lean) * SCREE_LATTICE_UNIT);
  const u64 v = half_x * (u64)o.vx + half_y * (u64)o.vy + (u64)o.v0 +
                (u64)(i64)((dv + lean) * SCREE_LATTICE_UNIT);
  LatticePoint p;
  p.u = lattice_cell(u);
  p.v = lattice_cell(v);
  p.fu = lattice_fraction(u);
  p.fv = lattice_fraction(v);
  return p;
}

// The ramp g . d of a lattice point, with g any direction of the circle, equally likely. Within an
// octant the direction is ((1 - t^2) / (1 + t^2), 2 t / (1 + t^2)) with t = tan(angle / 2) from its
// series; three bits choose the octant.
FN NoiseSample gradient_ramp(uint seed, int u, int v, float du, float dv) {
  const uint h = cell_hash(seed, u, v);
  const float s = (float)(int)(h >> 8) * (1.0f / 16777216.0f);
  const float s2 = s * s;
  const float t = s * (0.39269908f + s2 * (0.02018609f + s2 * 0.00132835f));
  const float t2 = t * t;
  const float c = 1.0f / (1.0f + t2);
  const float far = (1.0f - t2) * c;
  const float near = 2.0f * t * c;
  const float gu = (h & 1u) != 0u ? far : near;
  const float gv = (h & 1u) != 0u ? near : far;
  NoiseSample ramp;
  ramp.du = (h & 2u) != 0u ? gu : -gu;
  ramp.dv = (h & 4u) != 0u ? gv : -gv;
  ramp.value = ramp.du * du + ramp.dv * dv;
  return ramp;
}

// Gradient noise with the quintic fade 6 t^5 - 15 t^4 + 10 t^3 (Perlin 2002, "Improving noise"),
// scaled by sqrt(2) to at most 1, with its analytic gradient.
FN NoiseSample gradient_noise(uint seed, LatticePoint p) {
  const float x = p.fu, y = p.fv;
  const NoiseSample a = gradient_ramp(seed, p.u, p.v, x, y);
  const NoiseSample b = gradient_ramp(seed, p.u + 1, p.v, x - 1.0f, y);
  const NoiseSample c = gradient_ramp(seed, p.u, p.v + 1, x, y - 1.0f);
  const NoiseSample d = gradient_ramp(seed, p.u + 1, p.v + 1, x - 1.0f, y - 1.0f);
  const float fx = x * x * x * (x * (x * 6.0f - 15.0f) + 10.0f);
  const float fy = y * y * y * (y * (y * 6.0f - 15.0f) + 10.0f);
  const float gx = 30.0f * x * x * (x - 1.0f) * (x - 1.0f);
  const float gy = 30.0f * y * y * (y - 1.0f) * (y - 1.0f);
  const float twist = a.value - b.value - c.value + d.value;
  NoiseSample n;
  n.value = a.value + fx * (b.value - a.value) + fy * (c.value - a.value) + fx * fy * twist;
  n.du = a.du + fx * (b.du - a.du) + fy * (c.du - a.du) + fx * fy * (a.du - b.du - c.du + d.du) +
         gx * (b.value - a.value + fy * twist);
  n.dv = a.dv + fx * (b.dv - a.dv) + fy * (c.dv - a.dv) + fx * fy * (a.dv - b.dv - c.dv + d.dv) +
         gy * (c.value - a.value + fx * twist);
  n.value *= 1.41421356f;
  n.du *= 1.41421356f;
  n.dv *= 1.41421356f;
  return n;
}

// One corner of a simplex: the ramp times (1/2 - d^2)^4, and the gradient of that.
FN NoiseSample simplex_corner(uint seed, int u, int v, float x, float y) {
  const float r = fmax2(0.5f - x * x - y * y, 0.0f);
  const NoiseSample ramp = gradient_ramp(seed, u, v, x, y);
  const float r2 = r * r;
  const float fall = -8.0f * r2 * r * ramp.value;
  NoiseSample n;
  n.value = r2 * r2 * ramp.value;
  n.du = r2 * r2 * ramp.du + fall * x;
  n.dv = r2 * r2 * ramp.dv + fall * y;
  return n;
}

// Simplex noise in the plane (Gustavson 2005, "Simplex noise demystified"; 2012 for the gradient).
// The point is given in the skewed lattice, (3 - sqrt(3)) / 6 takes it back. Scaled to at most 1.
FN NoiseSample simplex_noise(uint seed, LatticePoint p) {
  const float back = 0.21132487f;
  const float t = (p.fu + p.fv) * back;
  const float x = p.fu - t, y = p.fv - t;
  const int lower = x > y ? 1 : 0;
  const float mx = x - (float)lower + back, my = y - (float)(1 - lower) + back;
  const NoiseSample a = simplex_corner(seed, p.u, p.v, x, y);
  const NoiseSample b = simplex_corner(seed, p.u + lower, p.v + 1 - lower, mx, my);
  const NoiseSample c =
      simplex_corner(seed, p.u + 1, p.v + 1, x - 1.0f + 2.0f * back, y - 1.0f + 2.0f * back);
  NoiseSample n;
  n.value = 99.0f * (a.value + b.value + c.value);
  n.du = 99.0f * (a.du + b.du + c.du);
  n.dv = 99.0f * (a.dv + b.dv + c.dv);
  return n;
}

#define SCREE_NOISE_FBM 0
#define SCREE_NOISE_RIDGED 1
#define SCREE_NOISE_BILLOW 2

// How octaves are summed.
typedef struct {
  int form;
  int simplex;    // 0: gradient noise
  float crease;   // how round a ridge or a valley is at its line: 0 is a sharp crease
  float carving;  // how much octaves heed the slope of those before them
  float supple;   // share of the bending that each octave hands to the next
} NoiseStyle;

FN NoiseSample octave_noise(NoiseOctave o, int simplex, int x, int y, float east, float south) {
  if (simplex != 0) return simplex_noise(o.seed, lattice_point(o, x, y, east, south, 0.36602540f));
  return gradient_noise(o.seed, lattice_point(o, x, y, east, south, 0.0f));
}

// |n| with a rounded crease, from 0 to 1: (sqrt(n^2 + e^2) - e) / (sqrt(1 + e^2) - e).
FN float creased(float n, float crease) {
  const float e2 = crease * crease;
  return (SQRT(n * n + e2) - crease) / (SQRT(1.0f + e2) - crease);
}

// A plain sum, for bending space.
FN float plain_fbm(GLOBAL const NoiseOctave* octaves, int count, int x, int y) {
  float sum = 0.0f;
  for (int k = 0; k < count; ++k)
    sum += octaves[k].amplitude * octave_noise(octaves[k], 0, x, y, 0.0f, 0.0f).value;
  return sum;
}

// The sum over octaves of amplitude times a signal made from noise n:
//   fbm     n / (1 + carving |slope so far|^2): flat ground keeps its detail, steep faces are clean
//           (Musgrave 1993; the damping is Quilez 2008);
//   billow  |n|;
//   ridged  (1 - |n|)^2, weighted by the signal before it, so that detail gathers on ridges
//           (Musgrave 1993, "ridged multifractal"); carving pulls later octaves along the slopes of
//           earlier ones, which turns crests into spurs (de Carpentier & Bidarra 2012, "Swiss").
// Space is bent by (east, south) feature sizes, less for finer octaves: bent to the full, their
// detail would be drawn out into streaks.
FN float fractal_sum(GLOBAL const NoiseOctave* octaves, int count, NoiseStyle style, int x, int y,
                     float east, float south) {
  float sum = 0.0f, weight = 1.0f, bend = 1.0f;
  float pulled_x = 0.0f, pulled_y = 0.0f;
  float slope_x = 0.0f, slope_y = 0.0f;
  for (int k = 0; k < count; ++k) {
    const NoiseOctave o = octaves[k];
    const NoiseSample n =
        octave_noise(o, style.simplex, x, y, pulled_x + bend * east, pulled_y + bend * south);
    const float gx = o.to_ux * n.du + o.to_vx * n.dv;
    const float gy = o.to_uy * n.du + o.to_vy * n.dv;
    if (style.form == SCREE_NOISE_FBM) {
      slope_x += o.amplitude * gx;
      slope_y += o.amplitude * gy;
      const float damping = 1.0f + style.carving * (slope_x * slope_x + slope_y * slope_y);
      sum += o.amplitude * n.value / damping;
    } else {
      const float rise = creased(n.value, style.crease);
      const int ridged = style.form == SCREE_NOISE_RIDGED;
      const float signal = ridged ? (1.0f - rise) * (1.0f - rise) : rise;
      sum += o.amplitude * signal * weight;
      if (ridged) {
        const float pull = style.carving * o.amplitude * o.wavelength * n.value;
        const float kept = unit_clamp(1.6f * signal * weight);
        weight = kept * (2.0f - kept);
        pulled_x -= pull * gx;
        pulled_y -= pull * gy;
      }
    }
    bend *= style.supple;
    pulled_x *= 0.8f;
    pulled_y *= 0.8f;
  }
  return sum;
}

#endif
