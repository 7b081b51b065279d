// How steep a pile stands.
#pragma once

#include <algorithm>
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
// and 20 % of the summit's height. Cells may be oblong.
inline double flank_of_pile(const std::vector<float>& bed, int width, int height, double dx,
                            double dy, double degrees) {
  const double east = std::cos(degrees * pi / 180) / dx, south = std::sin(degrees * pi / 180) / dy;
  const int x = width / 2, y = height / 2;
  const double summit = height_at(bed, width, x, y), cell = std::min(dx, dy);
  double n = 0, sr = 0, sh = 0, srr = 0, srh = 0;
  for (double r = 0; std::abs(r * east) < x - 1 && std::abs(r * south) < y - 1; r += 0.25 * cell) {
    const double h = height_at(bed, width, x + r * east, y + r * south);
    if (h > 0.8 * summit || h < 0.2 * summit) continue;
    n += 1, sr += r, sh += h, srr += r * r, srh += r * h;
  }
  return std::atan(-(n * srh - sr * sh) / (n * srr - sr * sr)) * 180 / pi;
}
inline double flank_of_pile(const std::vector<float>& bed, int size, double cell, double degrees) {
  return flank_of_pile(bed, size, size, cell, cell, degrees);
}

}  // namespace scree::testing
