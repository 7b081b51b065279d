// The tables of cases as kernels read them.
#pragma once

#include <cstdint>
#include <vector>

namespace scree::surface {

// The 256 cases of Marching Cubes (kernel/surface/march.h), of each how many triangles and then
// their corners, one byte each; then the 512 of faces towards finer blocks
// (kernel/surface/border_cells.h).
const std::vector<std::uint32_t>& packed_cases();

}  // namespace scree::surface
