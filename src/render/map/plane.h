// Inside render: fields at the resolution of a picture, and lines of equal height in them.
#pragma once

#include <span>
#include <vector>

#include "render/sheet/lettering.h"

namespace scree::render {

// Row 0 north; NaN is nodata.
struct Plane {
  int width = 0;
  int height = 0;
  std::vector<float> values;

  float at(int x, int y) const {
    return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

// Means over what a pixel covers, or where cells are larger than pixels a surface through them:
// smooth (Catmull & Rom 1974) or not beyond its neighbours' values.
Plane resample(std::span<const float> values, int width, int height, int to_width, int to_height,
               bool smooth);

// Without the grain of a cell or two.
Plane softened(const Plane& plane);

// Lines along which the plane has this value, in pixels; closed ones end where they begin.
std::vector<Stroke> contour(const Plane& plane, double level);

// 1, 2 or 5 times a power of ten, `count` or fewer of them in `range`.
double nice_step(double range, int count);

// Multiples of such a step from low to high.
std::vector<double> round_values(double low, double high, int count);

}  // namespace scree::render
