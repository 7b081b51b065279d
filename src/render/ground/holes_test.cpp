#include "render/ground/holes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <utility>

namespace scree::render {
namespace {

Solid random_solid() {
  Solid solid{*rc::gen::inRange(2, 12), *rc::gen::inRange(2, 12), {}};
  const int holes_in_ten = *rc::gen::inRange(0, 11);
  for (int i = 0; i < solid.width * solid.height; ++i)
    solid.cells.push_back(*rc::gen::inRange(0, 10) < holes_in_ten ? 0 : 1);
  return solid;
}

RC_GTEST_PROP(Holes, ARimHasNoEnds, ()) {
  std::map<std::pair<float, float>, int> ends;
  for (const RimPiece& piece : rim_of(random_solid())) {
    ++ends[{piece.from_column, piece.from_row}];
    ++ends[{piece.to_column, piece.to_row}];
  }
  for (const auto& [place, count] : ends) RC_ASSERT(count % 2 == 0);
}

TEST(Holes, TheRimOfABlockIsItsBorder) {
  const Solid block{4, 3, std::vector<std::uint8_t>(12, 1)};
  EXPECT_EQ(rim_of(block).size(), 2u * (3 + 2));
  Solid without_corner = block;
  without_corner.cells[0] = 0;  // two sides of a square become two halves of its diagonal
  EXPECT_EQ(rim_of(without_corner).size(), 2u * (3 + 2));
}

RC_GTEST_PROP(Holes, TheNearestIsSolidAndAboutTheNearest, ()) {
  const Solid solid = random_solid();
  const Nearest nearest = nearest_solid(solid, 1, 1);
  const auto apart = [&](std::size_t a, std::size_t b) {
    const auto width = static_cast<std::size_t>(solid.width);
    const std::size_t row_a = a / width, row_b = b / width;
    return std::hypot(static_cast<double>(a % width) - static_cast<double>(b % width),
                      static_cast<double>(row_a) - static_cast<double>(row_b));
  };
  for (std::size_t i = 0; i < solid.cells.size(); ++i) {
    double least = 1e9;
    for (std::size_t j = 0; j < solid.cells.size(); ++j)
      if (solid.cells[j] != 0) least = std::min(least, apart(i, j));
    if (least > 1e8) continue;
    RC_ASSERT(solid.cells[nearest.cell[i]] != 0);
    RC_ASSERT(apart(i, nearest.cell[i]) <= 1.1 * least);
    // Steps along rows, columns and diagonals are a longer way, by up to a twelfth.
    RC_ASSERT(static_cast<double>(nearest.metres[i]) >= least - 1e-4);
    RC_ASSERT(static_cast<double>(nearest.metres[i]) <= 1.1 * least + 1e-4);
  }
}

}  // namespace
}  // namespace scree::render
