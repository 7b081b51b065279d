#include "surface/grid/grid_colours.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "surface/grid/grid.h"
#include "surface/grid/grid_blocks.h"

namespace scree::surface {
namespace {

// Bumps, and colours that say which cell is which: its column and its row.
struct Land {
  Land(int w, int h) : width(w), height(h) {
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        heights.push_back(static_cast<float>(10 * std::sin(0.7 * x) * std::cos(0.4 * y)));
        for (const int part : {x, y, 7}) rgb.push_back(static_cast<unsigned char>(part));
      }
  }
  HeightView view() const { return {heights.data(), width, height, 2.5, 0.7}; }
  float column(const Mesh::Vector& v) const {
    return v[0] / 2.5F + 0.5F * static_cast<float>(width - 1);
  }
  float row(const Mesh::Vector& v) const {
    return 0.5F * static_cast<float>(height - 1) - v[1] / 0.7F;
  }

  int width, height;
  std::vector<float> heights;
  std::vector<unsigned char> rgb;
};

TEST(GridColours, AtFullDetailAVertexHasTheColourOfItsCell) {
  Land land(57, 33);
  land.heights[200] = std::numeric_limits<float>::quiet_NaN();
  Mesh mesh = grid_mesh(land.view());
  colour_grid(mesh, land.view(), land.rgb);
  ASSERT_EQ(mesh.colours.size(), mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    ASSERT_NEAR(mesh.colours[i][0], land.column(mesh.positions[i]), 1e-3);
    ASSERT_NEAR(mesh.colours[i][1], land.row(mesh.positions[i]), 1e-3);
    ASSERT_EQ(mesh.colours[i][2], 7);
    ASSERT_EQ(mesh.colours[i][3], 255);
  }
}

// Every other cell white: from afar all is grey, near the eye it is as it was.
TEST(GridColours, FromAfarAVertexHasTheMeanOfTheCellsAroundIt) {
  Land land(129, 129);
  for (std::size_t i = 0; i < land.heights.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) land.rgb[3 * i + k] = i % 2 == 0 ? 0 : 255;
  Mesh coarse = grid_mesh(land.view(), 3);
  colour_grid(coarse, land.view(), land.rgb);
  for (const Mesh::Colour& colour : coarse.colours) ASSERT_NEAR(colour[0], 127.5, 127.5 / 5);
  GridLevels levels(129, 129, 32);
  levels.set(land.view(), {-160, 45}, 5);
  ASSERT_EQ(levels.level(0, 0), 0);
  ASSERT_GT(levels.level(3, 3), 2);
  Mesh mixed = grid_mesh(land.view(), levels);
  colour_grid(mixed, land.view(), land.rgb);
  for (std::size_t i = 0; i < mixed.positions.size(); ++i) {
    const float column = land.column(mixed.positions[i]), row = land.row(mixed.positions[i]);
    const int colour = mixed.colours[i][0];
    const bool near = column < 30 && row<30, far = column> 100 && row > 100;
    ASSERT_TRUE(!near || colour == 0 || colour == 255) << i;
    ASSERT_TRUE(!far || std::abs(colour - 127.5) < 127.5 / 3) << i;
  }
}

TEST(GridColours, CellsWithoutDataDoNotCount) {
  Land land(9, 9);
  for (std::size_t i = 0; i < land.heights.size(); ++i) {
    const bool kept = i % 9 % 8 == 0 && i / 9 % 8 == 0;
    if (!kept) land.heights[i] = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t k = 0; k < 3; ++k) land.rgb[3 * i + k] = kept ? 40 : 200;
  }
  Mesh mesh = grid_mesh(land.view(), 3);
  ASSERT_EQ(mesh.positions.size(), 4U);
  colour_grid(mesh, land.view(), land.rgb);
  for (const Mesh::Colour& colour : mesh.colours) EXPECT_EQ(colour[1], 40);
}

TEST(GridColours, RefuseAPictureOfAnotherSize) {
  Land land(5, 5);
  Mesh mesh = grid_mesh(land.view());
  land.rgb.pop_back();
  EXPECT_THROW(colour_grid(mesh, land.view(), land.rgb), Error);
}

}  // namespace
}  // namespace scree::surface
