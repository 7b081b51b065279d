#include "surface/grid/grid_colours.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace scree::surface {
namespace {

struct Cell {
  int x = 0, y = 0;
};

Cell cell_at(const HeightView& view, const Mesh::Vector& position) {
  const double x = static_cast<double>(position[0]) / view.dx + 0.5 * (view.width - 1);
  const double y = 0.5 * (view.height - 1) - static_cast<double>(position[1]) / view.dy;
  return {std::clamp(static_cast<int>(std::lround(x)), 0, view.width - 1),
          std::clamp(static_cast<int>(std::lround(y)), 0, view.height - 1)};
}

// Cells between a vertex and its nearest neighbour, along the axis on which they are farther apart.
std::vector<int> spacings(const Mesh& mesh, const HeightView& view) {
  std::vector<int> spacing(mesh.positions.size(), std::numeric_limits<int>::max());
  for (const Mesh::Triangle& triangle : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t i = triangle[k], j = triangle[(k + 1) % 3];
      const Cell a = cell_at(view, mesh.positions[i]), b = cell_at(view, mesh.positions[j]);
      const int apart = std::max(std::abs(a.x - b.x), std::abs(a.y - b.y));
      spacing[i] = std::min(spacing[i], apart);
      spacing[j] = std::min(spacing[j], apart);
    }
  return spacing;
}

// Bytes as they are, as most programs scale pictures down; cells without data do not count.
Mesh::Colour mean_colour(const HeightView& view, std::span<const unsigned char> rgb,
                         const Cell& middle, int reach) {
  std::uint64_t sum[3] = {}, count = 0;
  for (int y = std::max(middle.y - reach, 0); y <= std::min(middle.y + reach, view.height - 1); ++y)
    for (int x = std::max(middle.x - reach, 0); x <= std::min(middle.x + reach, view.width - 1);
         ++x) {
      const std::size_t cell = static_cast<std::size_t>(y) * static_cast<std::size_t>(view.width) +
                               static_cast<std::size_t>(x);
      if (std::isnan(view.heights[cell])) continue;
      for (std::size_t k = 0; k < 3; ++k) sum[k] += rgb[3 * cell + k];
      ++count;
    }
  const auto mean = [&](std::size_t k) {
    return static_cast<std::uint8_t>(count == 0 ? 0 : (sum[k] + count / 2) / count);
  };
  return {mean(0), mean(1), mean(2), 255};
}

}  // namespace

void colour_grid(Mesh& mesh, const HeightView& view, std::span<const unsigned char> rgb) {
  if (rgb.size() != 3 * view.cells())
    throw Error(text("colours of a mesh: expected ", 3 * view.cells(),
                     " bytes, three a cell, found ", rgb.size()));
  const std::vector<int> spacing = spacings(mesh, view);
  mesh.colours.resize(mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    // A vertex that no triangle has is a cell like at full detail.
    const int reach = spacing[i] == std::numeric_limits<int>::max() ? 0 : spacing[i] / 2;
    mesh.colours[i] = mean_colour(view, rgb, cell_at(view, mesh.positions[i]), reach);
  }
}

}  // namespace scree::surface
