// Randomness is a hash of (seed, step, cell): no state, no order.
#ifndef SCREE_KERNEL_RANDOM_H
#define SCREE_KERNEL_RANDOM_H

#include "kernel/common/compat.h"

// A 32-bit finaliser with low bias (two rounds of xor-shift-multiply).
FN uint mix_bits(uint h) {
  h ^= h >> 16;
  h *= 0x7feb352du;
  h ^= h >> 15;
  h *= 0x846ca68bu;
  h ^= h >> 16;
  return h;
}

// step_seed is mix_seed(seed, step); x and y are world cells, so tiles and windows agree.
FN uint column_term(int x) { return (uint)x * 0x9e3779b1u; }
FN uint row_term(uint step_seed, int y) { return step_seed + (uint)y * 0x85ebca77u; }
FN uint cell_hash(uint step_seed, int x, int y) {
  return mix_bits(row_term(step_seed, y) + column_term(x));
}

FN uint mix_seed(uint seed_low, uint seed_high, uint step) {
  return mix_bits(mix_bits(mix_bits(seed_low) ^ seed_high) + step * 0xc2b2ae3du);
}

// World coordinate of an interior coordinate; a wrapped world has one name for each cell.
FN int wrapped(int world, int size) {
  const int rest = world % size;
  return rest < 0 ? rest + size : rest;
}
FN int world_x(Grid g, int x) { return g.wrap_x > 0 ? wrapped(g.x0 + x, g.wrap_x) : g.x0 + x; }
FN int world_y(Grid g, int y) { return g.wrap_y > 0 ? wrapped(g.y0 + y, g.wrap_y) : g.y0 + y; }
FN uint hash_at(Grid g, uint step_seed, int x, int y) {
  return cell_hash(step_seed, world_x(g, x), world_y(g, y));
}

// One hash serves several roundings: each takes the high bits after a multiplication of its own.
#define SCREE_DRAW_A 1u
#define SCREE_DRAW_B 0x9e3779b1u
#define SCREE_DRAW_C 0x85ebca6bu
#define SCREE_DRAW_D 0xc2b2ae35u
#define SCREE_DRAW_E 0x27d4eb2fu
#define SCREE_DRAW_F 0x165667b1u
#define SCREE_DRAW_G 0xd3a2646du

// An odd multiple of 2^-24 in (0, 1): the high bits become the digits of a number in [1, 2).
FN float draw(uint hash, uint which) {
  return from_bits((hash * which) >> 9 | 0x3f800000u) - 0.99999994f;
}

// In (-1/2, 1/2): what is added to an amount before it is rounded. The factor is a little less than
// 2^-32, so that no amount is rounded past the next whole number.
FN float rounding(uint hash, uint which) { return (float)(int)(hash * which) * 2.3283058e-10f; }

// From a float amount (either sign, up to 2e9) to quanta without bias: over all roundings, the
// expectation is the amount. `most` cuts amounts that may be beyond any level.
FN int to_quanta(float amount, float rounding) { return nearest(amount + rounding); }
FN int quanta_up_to(float most, float amount, float rounding) {
  return nearest(fmin2(amount + rounding, most));
}

#endif
