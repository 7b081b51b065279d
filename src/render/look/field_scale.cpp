#include "render/look/field_scale.h"

#include <algorithm>
#include <cmath>

#include "render/look/statistics.h"
#include "render/map/plane.h"

namespace scree::render {

double FieldScale::share(double value) const {
  if (low == high) return map == ColourMap::diverging ? 0.5 : 0;
  if (!logarithmic) return (value - low) / (high - low);
  return value > 0 ? std::log(value / low) / std::log(high / low) : 0;
}

std::vector<double> FieldScale::ticks(int most) const {
  std::vector<double> found;
  if (logarithmic) {
    const double first = std::floor(std::log10(low)), last = std::ceil(std::log10(high));
    const double every = std::max(1.0, std::ceil((last - first) / (most + 1)));
    const bool between = last - first < 3 && 3 * (last - first) <= most + 1;
    for (double power = first; power <= last; power += every)
      for (const double of : {1.0, 2.0, 5.0})
        if ((of == 1 || between) && of * std::pow(10, power) >= low * 0.999 &&
            of * std::pow(10, power) <= high * 1.001)
          found.push_back(of * std::pow(10, power));
    return found;
  }
  return round_values(low, high, most);
}

FieldScale chosen_scale(const std::vector<float>& values, const ScaleWishes& wishes) {
  FieldScale scale;
  const auto counts = [&](float v) { return !wishes.logarithmic || v > 0; };
  const float first = percentile(values, 0.01, 0, counts),
              last = percentile(values, 0.99, 0, counts);
  scale.logarithmic = wishes.logarithmic;
  std::size_t zeros = 0, below = 0;
  for (const float v : values) {
    if (v == 0) ++zeros;
    if (v < 0) ++below;
  }
  scale.empty_at_zero = wishes.logarithmic || (below == 0 && 10 * zeros > values.size());
  scale.low = static_cast<double>(first);
  scale.high = static_cast<double>(last);
  if (scale.empty_at_zero && !wishes.logarithmic) {
    scale.low = 0;
    scale.high = static_cast<double>(percentile(values, 0.99, 0, [](float v) { return v > 0; }));
  } else if (!wishes.logarithmic && first < 0 && last > 0 && -8 * first > last &&
             8 * last > -first) {
    scale.map = ColourMap::diverging;
    scale.high = static_cast<double>(std::max(-first, last));
    scale.low = -scale.high;
  }
  if (wishes.low) scale.low = *wishes.low;
  if (wishes.high) scale.high = *wishes.high;
  if (wishes.logarithmic && !(scale.low > 0)) scale.low = scale.high > 0 ? scale.high / 1e4 : 1e-4;
  if (wishes.logarithmic && !(scale.high > scale.low)) scale.high = 10 * scale.low;
  // Of what is mostly little, the little must not hide the ground.
  const float middle = percentile(values, 0.5, 0, counts);
  if (below == 0 && scale.share(static_cast<double>(middle)) < 0.2) scale.map = ColourMap::amount;
  return scale;
}

}  // namespace scree::render
