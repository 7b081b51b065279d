// Roof falls as their description goes: slabs are listed first, their paths found from the
// nearest outwards, their sites by hearsay, and each column is then rebuilt.
#pragma once

#include <vector>

#include "kernel/layers/slump.h"
#include "terrain/layers/layers.h"

namespace scree::testing {

std::vector<Stack> slumped_naively(const LayerShape& shape, const std::vector<Stack>& before,
                                   const std::vector<SlumpMaterial>& table, const Slump& numbers);

}  // namespace scree::testing
