#include "surface/march/columns.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "device/parallel.h"

namespace scree::surface {
namespace {

// Far from any ground.
constexpr float nowhere = -1e6F;

// To the nearest surface of the column: positive in its solid parts.
float distance_into(const SolidPart* first, const SolidPart* last, float z) {
  float deepest = -std::numeric_limits<float>::infinity();
  for (const SolidPart* part = first; part != last; ++part)
    deepest = std::max(deepest, std::min(part->top - z, z - part->bottom));
  return deepest;
}

void check(const Lattice& lattice, const Columns& columns) {
  const auto count = static_cast<std::size_t>(lattice.nx) * static_cast<std::size_t>(lattice.ny);
  if (columns.first.size() != count + 1 || columns.first.back() != columns.parts.size())
    throw UsageError(text("columns: expected ", count, " with ", columns.parts.size(), " parts"));
  for (std::size_t c = 0; c < count; ++c) {
    if (columns.first[c] > columns.first[c + 1])
      throw UsageError(text("column ", c, ": its parts end before they begin"));
    float above = -std::numeric_limits<float>::infinity();
    for (std::uint32_t i = columns.first[c]; i < columns.first[c + 1]; ++i) {
      const SolidPart& part = columns.parts[i];
      if (!(part.bottom >= above) || !(part.top >= part.bottom) || !std::isfinite(part.top))
        throw UsageError(text("column ", c, ": a part from ", part.bottom, " to ", part.top,
                              " m above ", above, " m: expected parts from the lowest up"));
      above = part.top;
    }
  }
}

}  // namespace

Columns columns_of(const std::vector<float>& heights) {
  Columns columns;
  columns.first.reserve(heights.size() + 1);
  for (const float height : heights) {
    columns.first.push_back(static_cast<std::uint32_t>(columns.parts.size()));
    if (!std::isnan(height)) {
      SolidPart part;
      part.top = height;
      columns.parts.push_back(part);
    }
  }
  columns.first.push_back(static_cast<std::uint32_t>(columns.parts.size()));
  return columns;
}

std::vector<float> ridge_free_density(const Lattice& lattice, const Columns& columns) {
  check(lattice, columns);
  std::vector<float> density(lattice.samples());
  const std::size_t slice =
      static_cast<std::size_t>(lattice.nx) * static_cast<std::size_t>(lattice.ny);
  device::parallel_for(lattice.nz, [&](int k) {
    const float z = lattice.origin_z + static_cast<float>(k) * lattice.cell_z;
    float* out = density.data() + static_cast<std::size_t>(k) * slice;
    for (std::size_t c = 0; c < slice; ++c) {
      const SolidPart* first = columns.parts.data() + columns.first[c];
      const SolidPart* last = columns.parts.data() + columns.first[c + 1];
      const float into = distance_into(first, last, z) / lattice.cell_z;
      out[c] = 0.5F + std::max(into, nowhere);
    }
  });
  return density;
}

}  // namespace scree::surface
