#include "words/sea.h"

namespace scree::cli {
namespace {

// Of all cells; valley floors of whole metres are narrower.
constexpr double least_share = 0.01;

// Cells at this height all of whose eight neighbours are, too.
long long flat_cells(const Raster& raster, float height) {
  const auto width = static_cast<std::size_t>(raster.width);
  const auto all_three = [&](std::size_t i) {
    return raster.values[i - 1] == height && raster.values[i] == height &&
           raster.values[i + 1] == height;
  };
  long long count = 0;
  for (std::size_t y = 1; y + 1 < static_cast<std::size_t>(raster.height); ++y)
    for (std::size_t x = 1; x + 1 < width; ++x) {
      const std::size_t i = y * width + x;
      count += all_three(i - width) && all_three(i) && all_three(i + width);
    }
  return count;
}

}  // namespace

std::optional<double> find_sea(const Raster& raster) {
  if (raster.geo.crs_wkt.empty() || !raster.heights_known) return {};
  const HeightRange range = io::height_range(raster);
  const auto cells = static_cast<double>(raster.values.size());
  const auto flat = static_cast<double>(flat_cells(raster, static_cast<float>(range.low)));
  if (range.low == range.high || flat < least_share * cells) return {};
  return range.low;
}

}  // namespace scree::cli
