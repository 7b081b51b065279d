// Numbers about fields that choose colours and exposures.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace scree::render {

// Value below which the given share of the numbers lies; from a fixed sample, which is enough for
// a picture. NaN and what `keep` refuses do not count; `otherwise` where nothing is left.
template <class Keep>
float percentile(std::span<const float> values, double share, float otherwise, Keep&& keep) {
  const std::size_t stride = std::max<std::size_t>(1, values.size() / 200000);
  std::vector<float> sample;
  for (std::size_t i = 0; i < values.size(); i += stride)
    if (std::isfinite(values[i]) && keep(values[i])) sample.push_back(values[i]);
  if (sample.empty()) return otherwise;
  const auto place = sample.begin() + std::lround(share * static_cast<double>(sample.size() - 1));
  std::nth_element(sample.begin(), place, sample.end());
  return *place;
}

inline float percentile(std::span<const float> values, double share, float otherwise) {
  return percentile(values, share, otherwise, [](float) { return true; });
}

}  // namespace scree::render
