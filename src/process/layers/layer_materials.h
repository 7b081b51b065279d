// What processes on layers ask of the table of materials. Numbers are those in stacks, from 1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "terrain/layers/layers.h"

namespace scree {

// What the i-th material is when it has moved: its dust, or itself.
inline int dust_of(const std::vector<Material>& materials, std::size_t i) {
  return materials[i].dust > 0 ? materials[i].dust : static_cast<int>(i) + 1;
}

// The first material that is a fluid; 0 where none is.
inline int fluid_among(const std::vector<Material>& materials) {
  const auto found =
      std::find_if(materials.begin(), materials.end(), [](const Material& m) { return m.fluid; });
  return found == materials.end() ? 0 : static_cast<int>(found - materials.begin()) + 1;
}

}  // namespace scree
