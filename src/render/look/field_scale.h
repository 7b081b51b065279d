// Which colours a field gets, and which values stand at their ends.
#pragma once

#include <optional>
#include <vector>

#include "render/look/colour.h"

namespace scree::render {

struct FieldScale {
  ColourMap map = ColourMap::viridis;  // diverging where values lie on both sides of 0
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  bool empty_at_zero = false;  // 0 means that there is none of it: there the ground shows

  double share(double value) const;           // 0 at low, 1 at high
  std::vector<double> ticks(int most) const;  // so many round values from low to high, or fewer
};

// What is asked for; where nothing is, it follows from the values.
struct ScaleWishes {
  bool logarithmic = false;
  std::optional<double> low = {};
  std::optional<double> high = {};
};
FieldScale chosen_scale(const std::vector<float>& values, const ScaleWishes& wishes);

}  // namespace scree::render
