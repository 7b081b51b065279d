// How steep a pile stands.
#pragma once

#include <cmath>
#include <vector>

#include "base/angle.h"

namespace scree::testing {

// Height at a position in cells, between the four cells around it; rows of `size` cells.
inline double height_at(const std::vector<float>& bed, int size, double x, double y) {
  const int ix = static_cast<int>(x), iy = static_cast<int>(y);
  const double fx = x - ix, fy = y - iy;
  const auto at = [&](int cx, int cy) {
    return static_cast<double>(bed[static_cast<std::size_t>(cy * size + cx)]);
  };
  return (at(ix, iy) * (1 - fx) + at(ix + 1, iy) * fx) * (1 - fy) +
         (at(ix, iy + 1) * (1 - fx) + at(ix + 1, iy + 1) * fx) * fy;
}

// Slope of the flank along a ray from the middle, in degrees: a straight line fitted between 80 %
// and 20 % of the summit's height.
inline double flank_of_pile(const std::vector<float>& bed, int size, double cell, double degrees) {
  const double east = std::cos(degrees * pi / 180), south = std::sin(degrees * pi / 180);
  const int middle = size / 2;
  const double summit = height_at(bed, size, middle, middle);
  double n = 0, sr = 0, sh = 0, srr = 0, srh = 0;
  for (double r = 0; r < middle - 1; r += 0.25) {
    const double h = height_at(bed, size, middle + r * east, middle + r * south);
    if (h > 0.8 * summit || h < 0.2 * summit) continue;
    n += 1, sr += r, sh += h, srr += r * r, srh += r * h;
  }
  const double slope = -(n * srh - sr * sh) / (n * srr - sr * sr) / cell;
  return std::atan(slope) * 180 / pi;
}

}  // namespace scree::testing
