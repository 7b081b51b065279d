// How what slides is shared out among eight neighbours, for heights (thermal.h) and for layers
// (slip.h): the isotropic nine-point weights of the water, as shares of a diffusion.
#pragma once

namespace scree {

struct NinePointWeights {
  double x, y, d;  // a square metre of diffusion gives these shares of an excess to each edge

  // The largest share of a cell's excess that all its edges together may take a step; below one
  // half no mode of the grid overshoots.
  static constexpr double most_relaxed = 0.48;
  // The most diffusion in a step, square metres.
  double most() const { return most_relaxed / (2 * (x + y) + 4 * d); }
};

inline NinePointWeights nine_point_weights(double dx, double dy) {
  const double d = 1 / (3 * (dx * dx + dy * dy));
  return {1 / (dx * dx) - 2 * d, 1 / (dy * dy) - 2 * d, d};
}

}  // namespace scree
