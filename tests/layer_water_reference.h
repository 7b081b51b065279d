// What water does to stacks, as its description goes: every transfer of every kind of sediment is
// written down first, and each cell is then worked out by itself.
#pragma once

#include <vector>

#include "kernel/layers/load.h"
#include "process/layers/layer_water.h"

namespace scree::testing {

struct Laden {
  std::vector<Stack> stacks;
  std::vector<std::vector<int>> loads;  // by kind, quanta a cell
  friend bool operator==(const Laden&, const Laden&) = default;
};

// `surface` is as the flow step has left it; `before` are stacks, loads and water before it.
Laden eroded_naively(const LayerShape& shape, const Laden& before, const std::vector<int>& water,
                     const Heightfield& surface, const std::vector<LoadMaterial>& table,
                     const Flow& flow, const Load& numbers);

}  // namespace scree::testing
