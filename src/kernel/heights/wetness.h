// Soil wetness (0 dry … 1 saturated): soaks under water, dries without it. It stands in for
// Muck 2012, listing 5.5, whose constants are per step and fall again under deep water; here the
// fall of the talus angle in saturated soil is the curve's business (kernel/heights/thermal.h).
#ifndef SCREE_KERNEL_WETNESS_H
#define SCREE_KERNEL_WETNESS_H

#include "kernel/common/compat.h"

typedef struct {
  int film;         // quanta of water from which soil soaks
  float soak, dry;  // share of the way to 1 or 0, a step
} Wetness;

FN void wetness_cell(int x, int y, Grid g, Wetness p, GLOBAL const int* RESTRICT water,
                     GLOBAL float* RESTRICT wetness) {
  const int i = cell_index(g, x, y);
  const float w = wetness[i];
  const float soaked = w + (1.0f - w) * p.soak;
  const float dried = w - w * p.dry;
  const float now = water[i] >= p.film ? soaked : dried;
  wetness[i] = now < 1e-30f ? 0.0f : now;
}
SCREE_KERNEL_4(wetness, Grid, g, Wetness, p, GLOBAL const int*, water, GLOBAL float*, wetness)

#endif
