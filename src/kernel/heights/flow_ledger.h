// What crosses the border of the world, and where it is booked: one row of 64-bit counts for each
// tile of the step, so that no two workers share one. The host adds them up.
#ifndef SCREE_KERNEL_FLOW_LEDGER_H
#define SCREE_KERNEL_FLOW_LEDGER_H

#include "kernel/heights/flow.h"

#define LEDGER_RAIN 0
#define LEDGER_EVAPORATED 1
#define LEDGER_WATER_OUT 2     // net, over the booked sides
#define LEDGER_SEDIMENT_OUT 3  // net, over the booked sides
#define LEDGER_DISSOLVED 4     // soil volume added to water
#define LEDGER_ADVECTED 5      // sediment that a semi-Lagrangian transport made (or lost)
#define LEDGER_ENTRIES 8

// A work-group is a row of lanes, of which the outer two on each side are halo, and walks down one
// tile or more. How many lanes, terrain/heights/flow_lanes.h says.
#ifndef FLOW_LANES
#define FLOW_LANES 128
#endif
#define FLOW_HALO 2
#define FLOW_TILE_X (FLOW_LANES - 2 * FLOW_HALO)
#define FLOW_TILE_Y 8

FN int flow_ledger_slot(Grid g, int x, int y) {
  const int tiles_x = (g.width + FLOW_TILE_X - 1) / FLOW_TILE_X;
  return y / FLOW_TILE_Y * tiles_x + x / FLOW_TILE_X;
}

// 1 for each of a cell's edges that leads out over a booked side.
typedef struct {
  int w, e, n, s, nw, ne, sw, se;
} Crossing;

FN Crossing crossing(IN(Grid) g, IN(Flow) p, int x, int y) {
  Crossing c;
  c.w = x == 0 && (p.booked_sides & SIDE_WEST) ? 1 : 0;
  c.e = x == g.width - 1 && (p.booked_sides & SIDE_EAST) ? 1 : 0;
  c.n = y == 0 && (p.booked_sides & SIDE_NORTH) ? 1 : 0;
  c.s = y == g.height - 1 && (p.booked_sides & SIDE_SOUTH) ? 1 : 0;
  c.nw = c.n | c.w;
  c.ne = c.n | c.e;
  c.sw = c.s | c.w;
  c.se = c.s | c.e;
  return c;
}

FN float tracked_flow(IN(Flow) p, float flow, float q2) {
  const float discharge = q2 > FLOW_LEAST_SQUARE ? length_of(q2) : 0.0f;
  return flow + discharge * p.quantum * p.dt;
}
FN int tracked_quanta(int sum, int moved) {
  return moved > 0 ? imin(sum, SCREE_WALL - moved) + moved : sum;
}
FN int iabs(int a) { return a < 0 ? -a : a; }

#endif
