// Thermal erosion of layers as its description goes, cell by cell and edge by edge: transfers are
// written down in a list first and carried out afterwards.
#pragma once

#include <vector>

#include "kernel/slip.h"
#include "terrain/layers.h"

namespace scree::testing {

std::vector<Stack> slipped_naively(const LayerShape& shape, const std::vector<Stack>& before,
                                   const std::vector<LayerMaterial>& table, const Slip& numbers);

}  // namespace scree::testing
