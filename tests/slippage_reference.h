// Thermal erosion of layers by the engine's own rule, full stacks included, cell by cell and edge
// by edge: transfers are written down in a list first and carried out afterwards. The rule as it
// was published is in published_slippage.h.
#pragma once

#include <vector>

#include "kernel/layers/slip.h"
#include "terrain/layers/layers.h"

namespace scree::testing {

std::vector<Stack> slipped_naively(const LayerShape& shape, const std::vector<Stack>& before,
                                   const std::vector<LayerMaterial>& table, const Slip& numbers);

}  // namespace scree::testing
