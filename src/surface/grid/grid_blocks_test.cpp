// Blocks of any allowed levels cover the land once, without cracks.
#include "surface/grid/grid_blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "base/error.h"
#include "kernel/common/random.h"
#include "surface/grid/grid.h"

namespace scree::surface {
namespace {

double noise(uint n, int x, int y) {
  return static_cast<double>(draw(cell_hash(mix_seed(n, 0, 4), x, y), 1));
}

std::vector<float> heights_of(uint n, int width, int height) {
  std::vector<float> heights;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      heights.push_back(static_cast<float>(100 * noise(n, x / 2, y / 3)));
  return heights;
}

GridLevels random_levels(uint n, int width, int height, int size) {
  GridLevels levels(width, height, size);
  std::vector<std::uint8_t> wanted(levels.levels().size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    wanted[i] =
        static_cast<std::uint8_t>(noise(n + 7, static_cast<int>(i), 1) * (levels.most_level() + 1));
  levels.set(levels.eased(wanted));
  return levels;
}

TEST(GridBlocks, CoverTheLandOnceWithoutCracks) {
  for (uint n = 0; n < 400; ++n) {
    const int width = 2 + static_cast<int>(noise(n, 1, 1) * 40),
              height = 2 + static_cast<int>(noise(n, 2, 2) * 40);
    const int size = 1 << static_cast<int>(noise(n, 3, 3) * 5);
    const std::vector<float> heights = heights_of(n, width, height);
    const HeightView view{heights.data(), width, height, 2.0, 3.0};
    const Mesh mesh = grid_mesh(view, random_levels(n, width, height, size));
    double area = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const auto& t : mesh.triangles) {
      const auto& a = mesh.positions[t[0]];
      const auto& b = mesh.positions[t[1]];
      const auto& c = mesh.positions[t[2]];
      const double twice =
          static_cast<double>((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
      ASSERT_GT(twice, 0) << n;
      area += twice / 2;
      for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
    }
    EXPECT_NEAR(area, (width - 1) * 2.0 * (height - 1) * 3.0, 1e-3) << n;
    const auto outer = [&](std::uint32_t v, std::uint32_t w) {
      const auto &p = mesh.positions[v], &q = mesh.positions[w];
      const float x = static_cast<float>(width - 1), y = static_cast<float>(height - 1) * 1.5F;
      return (p[0] == q[0] && std::abs(p[0]) == x) || (p[1] == q[1] && std::abs(p[1]) == y);
    };
    for (const auto& [edge, count] : edges) {
      ASSERT_EQ(count, 1) << n;
      if (edges.count({edge.second, edge.first}) == 0) {
        ASSERT_TRUE(outer(edge.first, edge.second)) << "a crack in field " << n;
      }
    }
  }
}

TEST(GridBlocks, AtFullDetailTheyHaveEveryVertex) {
  const std::vector<float> heights = heights_of(3, 33, 20);
  const HeightView view{heights.data(), 33, 20, 1.0, 1.0};
  const Mesh blocks = grid_mesh(view, GridLevels(33, 20)), whole = grid_mesh(view, 0);
  EXPECT_EQ(blocks.positions.size(), whole.positions.size());
  EXPECT_EQ(blocks.triangles.size(), whole.triangles.size());
}

// Detail where somebody stands, less of it farther away, and less of it from high above.
TEST(GridBlocks, DetailFollowsTheViewpoint) {
  constexpr int side = 257;
  const std::vector<float> heights = heights_of(3, side, side);
  const HeightView view{heights.data(), side, side, 2.0, 3.0};
  GridLevels levels(side, side, 16);
  // The middle of the block in the south-west.
  const Viewpoint corner{-240, -360};
  levels.set(view, corner, 10);
  EXPECT_EQ(levels.level(0, 15), 0);
  // 464 m east and 696 m north of there: 836 m, at least 10 times 3 m times 16 and less than 32.
  EXPECT_EQ(levels.level(15, 0), 4);
  EXPECT_EQ(levels.level(3, 15), 1) << "80 m east: from 60 m on, but not from 120";
  for (int row = 0; row < levels.rows(); ++row)
    for (int column = 0; column < levels.columns(); ++column)
      EXPECT_LE(levels.level(column, row), levels.level(column + 1, row));
  const GridCounts most = levels.counts();
  const Mesh mesh = grid_mesh(view, levels);
  EXPECT_LT(mesh.triangles.size(), 2U * 256 * 256 / 8);
  EXPECT_LE(mesh.triangles.size(), most.triangles);
  EXPECT_LE(mesh.positions.size(), most.vertices);
  EXPECT_GT(2 * mesh.triangles.size(), most.triangles) << "the bound is of use";

  levels.set(view, corner, 1e9);
  EXPECT_EQ(grid_mesh(view, levels).triangles.size(), 2U * 256 * 256);
  EXPECT_EQ(levels.counts().triangles, 2U * 256 * 256);
  // As near to the ground as the ground is high, and then 5 km above it.
  levels.set(view, {corner.x, corner.y, 50.0}, 10);
  EXPECT_EQ(levels.level(0, 15), 0);
  levels.set(view, {corner.x, corner.y, 5000.0}, 10);
  EXPECT_EQ(levels.level(0, 15), levels.most_level());
}

TEST(GridBlocks, NodataIsAHole) {
  std::vector<float> heights = heights_of(3, 33, 33);
  heights[static_cast<std::size_t>(10 * 33 + 12)] = std::numeric_limits<float>::quiet_NaN();
  const HeightView view{heights.data(), 33, 33, 1.0, 1.0};
  const auto covered = [](const Mesh& mesh) {
    double area = 0;
    for (const auto& t : mesh.triangles) {
      const auto &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
      area +=
          static_cast<double>((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
    }
    return area;
  };
  // At full detail the four rectangles around the hole are a triangle each.
  EXPECT_NEAR(covered(grid_mesh(view, GridLevels(33, 33, 8))), 32 * 32 - 2, 1e-9);
  // Between the vertices of a coarse block it is not seen.
  GridLevels coarse(33, 33, 8);
  coarse.set(std::vector<std::uint8_t>(coarse.levels().size(), 3));
  EXPECT_NEAR(covered(grid_mesh(view, coarse)), 32 * 32, 1e-9);
}

TEST(GridBlocks, RefuseLevelsThatDoNotFit) {
  GridLevels levels(100, 100, 16);
  std::vector<std::uint8_t> bad(levels.levels().size(), 0);
  bad[8] = 2;
  EXPECT_THROW(levels.set(bad), UsageError);
  bad[8] = 7;
  EXPECT_THROW(levels.set(bad), UsageError);
  const std::vector<float> heights = heights_of(3, 30, 30);
  EXPECT_THROW(grid_mesh(HeightView{heights.data(), 30, 30, 1.0, 1.0}, levels), UsageError);
  EXPECT_THROW(levels.set(HeightView{heights.data(), 30, 30, 1.0, 1.0}, {}, 1), UsageError);
  EXPECT_THROW(GridLevels(10, 10, 12), UsageError);
}

}  // namespace
}  // namespace scree::surface
