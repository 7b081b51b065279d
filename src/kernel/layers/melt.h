// Ice melts where it lies open, into water that lies on it as a layer until it runs (Beneš &
// Forsbach 2001, §7: the cap of Olympus Mons).
//
//   melt = rate · factor of the material · (1 - lapse (h - altitude)) · (1 + aspect (s - 1))
//
// with s the sun on the slope over the sun on level ground. Both amounts are rounded without bias:
// what melts, and the water that comes of it, whose volume is that of the ice by the ratio of their
// densities.
#ifndef SCREE_KERNEL_MELT_H
#define SCREE_KERNEL_MELT_H

#include "kernel/common/atomics.h"
#include "kernel/layers/stack.h"

typedef struct {
  float melting;  // factor on the rate
  float water;    // quanta of water that a quantum of it becomes
  uint fluid;     // 1: lies on ice without covering it
  uint place;     // among the materials that melt
} MeltMaterial;

typedef struct {
  uint step_seed;
  uint water;      // the material that ice becomes
  float rate;      // quanta a step
  float altitude;  // quanta above the bottom of all stacks
  float lapse;     // per quantum
  float aspect;
  float slope_x, slope_y;     // a quantum over two cells
  float sun_x, sun_y, sun_z;  // towards the sun, x east and y south; over its height
  int counts;                 // 1: only looks how many layers there must be room for
} Melt;

// Sun on a slope, from the rise over two cells along x and y; 1 on level ground.
FN float sun_on_slope(IN(Melt) p, float rise_x, float rise_y) {
  const float gx = rise_x * p.slope_x, gy = rise_y * p.slope_y;
  const float lit = p.sun_z - gx * p.sun_x - gy * p.sun_y;
  return fmax2(lit, 0.0f) / SQRT(1.0f + gx * gx + gy * gy);
}

// Height beside; beyond an edge the ground goes on as it is.
FN int height_beside(IN(LayerGrid) g, GLOBAL const LayerTop* before, int x, int y, int side) {
  const int other = layer_beside(g, x, y, side);
  return before[other < 0 ? y * g.width + x : other].height;
}

FN float melt_rate(IN(LayerGrid) g, IN(Melt) p, GLOBAL const LayerTop* before, int x, int y) {
  const int here = before[y * g.width + x].height;
  const float high = 1.0f - p.lapse * ((float)here - p.altitude);
  const float rise_x =
      (float)(height_beside(g, before, x, y, 0) - height_beside(g, before, x, y, 1));
  const float rise_y =
      (float)(height_beside(g, before, x, y, 2) - height_beside(g, before, x, y, 3));
  const float sun = 1.0f + p.aspect * (sun_on_slope(p, rise_x, rise_y) - 1.0f);
  return fmin2(p.rate * fmax2(high, 0.0f) * sun, 1e8f);
}

// What is heavier than water makes a column grow. What it becomes is one layer, and no column may
// be taller than a word can say (layers.h), some quanta of rounding left: the rest melts later.
FN int melt_limit(MeltMaterial ice, int height) {
  const float layer = 0.999f * (float)LAYER_THICKEST / fmax2(ice.water, 1.0f);
  if (!(ice.water > 1.0f)) return (int)layer;
  const float room = 0.999f * (float)imax(LAYER_THICKEST - 4 - height, 0);
  return (int)fmin2(layer, room / (ice.water - 1.0f));
}

// In place; `before` is a copy of the tops, from which slopes are taken.
FN void melt_cell(int x, int y, LayerGrid g, Melt p, GLOBAL const MeltMaterial* RESTRICT table,
                  GLOBAL const LayerTop* RESTRICT before, GLOBAL uint* words, GLOBAL LayerTop* tops,
                  GLOBAL uint* melted, GLOBAL uint* gained, GLOBAL uint* needed) {
  const int cell = y * g.width + x;
  const LayerTop top = tops[cell];
  const MeltMaterial first = table[top_material(top)];
  if (top_count(top) == 0 || !(first.fluid || first.melting > 0.0f)) return;
  LayerStack stack;
  stack_read(&stack, g, words, cell);
  int k = stack.count - 1;
  while (k >= 0 && table[layer_material(stack.words[k])].fluid) --k;
  if (k < 0) return;
  const MeltMaterial ice = table[layer_material(stack.words[k])];
  if (!(ice.melting > 0.0f)) return;
  const uint hash = cell_hash(p.step_seed, x, y);
  const int melts =
      imin(to_quanta(ice.melting * melt_rate(g, p, before, x, y), rounding(hash, SCREE_DRAW_A)),
           imin(layer_thickness(stack.words[k]), melt_limit(ice, top.height)));
  if (melts <= 0) return;
  const int runs = to_quanta((float)melts * ice.water, rounding(hash, SCREE_DRAW_B));
  const int above = stack.count;
  uint on_top[LAYERS_MOST];
  for (int n = k + 1; n < above; ++n) on_top[n] = stack.words[n];
  stack.words[k] -= (uint)melts;
  stack.count = layer_thickness(stack.words[k]) > 0 ? k + 1 : k;
  if (stack.count == k) stack_open_to_sky(&stack);
  for (int n = k + 1; n < above; ++n)
    stack_put(&stack, layer_material(on_top[n]), layer_thickness(on_top[n]));
  stack_put(&stack, p.water, runs);
  if (stack.count > LAYERS_MOST) return;  // a stack that no layer fits into melts later
  if (p.counts) {
    if (stack.count > g.planes) most_into(needed, (uint)stack.count);
    return;
  }
  stack_write(&stack, g, words, tops, cell);
  melted[cell + (int)ice.place * g.width * g.height] += (uint)melts;
  gained[cell] += (uint)runs;
}
SCREE_KERNEL_9(melt, LayerGrid, g, Melt, p, GLOBAL const MeltMaterial*, table,
               GLOBAL const LayerTop*, before, GLOBAL uint*, words, GLOBAL LayerTop*, tops,
               GLOBAL uint*, melted, GLOBAL uint*, gained, GLOBAL uint*, needed)

#endif
