// Levels of detail of blocks: how coarse one may be from afar, and how much neighbours may differ.
// Blocks lie in a box, x fastest; a plane of them is one block deep.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::surface {

// The coarsest level up to `most` whose cells (`cell` metres at level 0) are seen from at least
// `detail` times their size.
inline int level_at(double distance, double detail, double cell, int most) {
  int level = 0;
  while (level < most && distance >= detail * cell * std::ldexp(1.0, level + 1)) ++level;
  return level;
}

// The nearest levels that are nowhere coarser and of which neighbours across faces, edges and
// corners differ by at most one: the least of level + steps over all blocks. One sweep forth takes
// in the half of the neighbours that come before a block, one sweep back the other half, which is
// exact for steps that may be diagonal (Rosenfeld & Pfaltz 1968).
inline std::vector<std::uint8_t> eased_levels(std::vector<std::uint8_t> levels,
                                              const std::array<int, 3>& blocks) {
  const std::ptrdiff_t row = blocks[0], plane = row * blocks[1];
  const auto ease = [&](int x, int y, int z, int side) {
    std::uint8_t& level = levels[static_cast<std::size_t>(z * plane + y * row + x)];
    for (int k = 0; k < 13; ++k) {
      const int i = x + side * (k % 3 - 1), j = y + side * (k / 3 % 3 - 1),
                l = z + side * (k / 9 - 1);
      if (i < 0 || j < 0 || l < 0 || i >= blocks[0] || j >= blocks[1] || l >= blocks[2]) continue;
      const int most = levels[static_cast<std::size_t>(l * plane + j * row + i)] + 1;
      level = static_cast<std::uint8_t>(std::min<int>(level, most));
    }
  };
  for (int z = 0; z < blocks[2]; ++z)
    for (int y = 0; y < blocks[1]; ++y)
      for (int x = 0; x < blocks[0]; ++x) ease(x, y, z, 1);
  for (int z = blocks[2]; z-- > 0;)
    for (int y = blocks[1]; y-- > 0;)
      for (int x = blocks[0]; x-- > 0;) ease(x, y, z, -1);
  return levels;
}

}  // namespace scree::surface
