#include "surface/blocks/levels.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "kernel/common/random.h"

namespace scree::surface {
namespace {

// The definition itself: the least of level + steps over all blocks.
std::vector<std::uint8_t> eased_slowly(const std::vector<std::uint8_t>& levels,
                                       const std::array<int, 3>& blocks) {
  const auto place = [&](std::size_t i) {
    const int n = static_cast<int>(i);
    return std::array<int, 3>{n % blocks[0], n / blocks[0] % blocks[1], n / blocks[0] / blocks[1]};
  };
  std::vector<std::uint8_t> eased = levels;
  for (std::size_t i = 0; i < levels.size(); ++i)
    for (std::size_t j = 0; j < levels.size(); ++j) {
      int steps = 0;
      for (std::size_t d = 0; d < 3; ++d)
        steps = std::max(steps, std::abs(place(i)[d] - place(j)[d]));
      eased[i] = static_cast<std::uint8_t>(std::min<int>(eased[i], levels[j] + steps));
    }
  return eased;
}

TEST(Levels, EasedAsTheDefinitionSays) {
  for (uint n = 0; n < 300; ++n) {
    const auto roll = [&](int what, int below) {
      return static_cast<int>(draw(cell_hash(mix_seed(n, 0, 6), what, 0), 1) *
                              static_cast<float>(below));
    };
    const std::array<int, 3> blocks{1 + roll(1, 9), 1 + roll(2, 9),
                                    n % 2 == 0 ? 1 : 1 + roll(3, 5)};
    std::vector<std::uint8_t> levels(static_cast<std::size_t>(blocks[0] * blocks[1] * blocks[2]));
    const int most = 1 + roll(4, 12);
    for (std::size_t i = 0; i < levels.size(); ++i)
      levels[i] = static_cast<std::uint8_t>(
          roll(100 + static_cast<int>(i), 8) == 0 ? roll(500 + static_cast<int>(i), most) : most);
    ASSERT_EQ(eased_levels(levels, blocks), eased_slowly(levels, blocks)) << n;
  }
}

TEST(Levels, CoarserFromAfar) {
  EXPECT_EQ(level_at(0, 10, 2, 5), 0);
  EXPECT_EQ(level_at(39.9, 10, 2, 5), 0);
  EXPECT_EQ(level_at(40, 10, 2, 5), 1);
  EXPECT_EQ(level_at(80, 10, 2, 5), 2);
  EXPECT_EQ(level_at(1e9, 10, 2, 5), 5);
}

}  // namespace
}  // namespace scree::surface
