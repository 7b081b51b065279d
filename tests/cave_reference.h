// Water in caves, as its description goes: every pair of neighbours by itself, and bodies of water
// by filling them from one gap to the next.
#pragma once

#include <cstdint>
#include <vector>

#include "terrain/layers/layers.h"

namespace scree::testing {

struct Wet {
  std::vector<Stack> stacks;
  std::vector<int> water;  // on the surface, quanta a cell
  friend bool operator==(const Wet&, const Wet&) = default;
};

// Columns put in order, and water on top of them with that of the surface.
Wet tidied_naively(const std::vector<Material>& materials, Wet before);
// One step.
Wet levelled_naively(const LayerShape& shape, const std::vector<Material>& materials, Wet before,
                     std::uint64_t step);

}  // namespace scree::testing
