// Thermal weathering: what stands steeper than its talus angle slides (Musgrave et al. 1989;
// Muck 2012, §3.6), as one signed amount per edge.
//
// Muck moves half of the largest difference, shared out in proportion to the differences; an edge
// then depends on all neighbours of its donor. Here each edge moves a share of its own excess
// height, (difference - tan(talus) * distance): the same fixed point, both sides of an edge
// compute the same integer, and the share is small enough that nothing overshoots.
#ifndef SCREE_KERNEL_THERMAL_H
#define SCREE_KERNEL_THERMAL_H

#include "kernel/heights/halo.h"

#define THERMAL_WETNESS 1
#define THERMAL_STRENGTH 2
#define THERMAL_FLOOR 4
#define THERMAL_TRACK 8
#define THERMAL_SINK 16

#define THERMAL_TILE_X 30
#define THERMAL_TILE_Y 30

typedef struct {
  uint step_seed;
  int options;
  int border_sides;                 // SIDE_…: nothing slides over these borders of the world
  float share_x, share_y, share_d;  // of the excess height, a step
  float drop_x, drop_y, drop_d;     // quanta of difference that the talus angle allows
  float wet_influence;              // 0: none, 1: the whole curve
  float damp_at, damp_factor;       // wetness where the slope stands steepest, and how much so
  float soaked_factor;              // of a saturated slope
  float strength_influence;
} Thermal;

// Factor on the talus slope from wetness (0 dry … 1 saturated): damp sand stands steeper than dry,
// saturated sand flatter; straight lines through Muck 2012, table 3.1.
FN float wetness_factor(Thermal p, float wetness) {
  const float rising = 1.0f + (p.damp_factor - 1.0f) * (wetness / p.damp_at);
  const float falling = p.damp_factor + (p.soaked_factor - p.damp_factor) *
                                            ((wetness - p.damp_at) / (1.0f - p.damp_at));
  const float curve = wetness < p.damp_at ? rising : falling;
  return 1.0f + p.wet_influence * (curve - 1.0f);
}

FN float talus_factor(Thermal p, float wetness, float strength) {
  float factor = 1.0f;
  if (p.options & THERMAL_WETNESS) factor = factor * wetness_factor(p, wetness);
  if (p.options & THERMAL_STRENGTH)
    factor = factor * (1.0f + p.strength_influence * (strength - 1.0f));
  return factor;
}

FN int above_floor(Thermal p, int bed, int floor_level, int sink) {
  const int above = p.options & THERMAL_FLOOR ? imax(bed - floor_level, 0) : SCREE_WALL;
  return p.options & THERMAL_SINK ? above | sink : above;
}

// Quanta that slide from a to b, negative the other way. above is what lies over the floor; it is
// negative for a sink (the sea), into and out of which nothing slides.
FN int slide(int bed_a, int bed_b, float factor_a, float factor_b, int above_a, int above_b,
             float share, float drop, float r) {
  const int difference = bed_a - bed_b;
  const int down = difference >= 0;
  const float excess =
      (float)(down ? difference : -difference) - drop * (down ? factor_a : factor_b);
  const int wanted = to_quanta(fmax2(share * excess, 0.0f), r);
  const int n = imin(excess > 0.0f ? wanted : 0, (down ? above_a : above_b) >> 3);
  const int passable = imax(bed_a, bed_b) != SCREE_WALL && imin(above_a, above_b) >= 0;
  return passable ? (down ? n : -n) : 0;
}

// The bed beyond an open border is a copy of the border's, so a diagonal edge would see a slope
// along the border as one across it.
FN int slides_over_border(Grid g, Thermal p, int x, int y) {
  return ((p.border_sides & SIDE_WEST) && x < 0) ||
         ((p.border_sides & SIDE_EAST) && x >= g.width) ||
         ((p.border_sides & SIDE_NORTH) && y < 0) ||
         ((p.border_sides & SIDE_SOUTH) && y >= g.height);
}

FN int tracked_wear(int sum, int gain) {
  return gain < 0 ? imin(sum, SCREE_WALL + gain) - gain : sum;
}

#endif
