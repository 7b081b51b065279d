#include "surface/grid/grid.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "base/hash.h"
#include "surface/mesh/validity.h"

namespace scree::surface {
namespace {

constexpr float nan_height = std::numeric_limits<float>::quiet_NaN();

struct Land {
  int width = 0, height = 0;
  double dx = 10, dy = 10;
  std::vector<float> heights;

  float& at(int column, int row) { return heights[static_cast<std::size_t>(row * width + column)]; }
  HeightView view() const { return {heights.data(), width, height, dx, dy}; }
};

template <class Height>
Land land_of(int width, int height, Height z) {
  Land land{width, height, 10, 10, {}};
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column)
      land.heights.push_back(static_cast<float>(z(column, row)));
  return land;
}

Land rough_land(int width, int height) {
  unsigned state = 7;
  return land_of(width, height, [&](int, int) {
    state = state * 1664525U + 1013904223U;
    return static_cast<float>(state >> 12) / 1024.0F;
  });
}

// Twice a triangle's area in plan; above 0 where it is seen from above.
double plan_area(const Mesh& mesh, const Mesh::Triangle& t) {
  const auto side = [&](std::size_t to, std::size_t i) {
    return static_cast<double>(mesh.positions[t[to]][i]) -
           static_cast<double>(mesh.positions[t[0]][i]);
  };
  return side(1, 0) * side(2, 1) - side(1, 1) * side(2, 0);
}

std::size_t open_edges(int width, int height, int level) {
  return 2 * (kept_lines(width, level).size() + kept_lines(height, level).size() - 2);
}

TEST(Grid, KeepsEveryPowerOfTwoAndTheLast) {
  EXPECT_EQ(kept_lines(5, 0), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(kept_lines(5, 1), (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(kept_lines(6, 1), (std::vector<int>{0, 2, 4, 5}));
  EXPECT_EQ(kept_lines(6, 2), (std::vector<int>{0, 4, 5}));
  EXPECT_EQ(kept_lines(6, 40), (std::vector<int>{0, 5}));
  EXPECT_EQ(kept_lines(1, 3), (std::vector<int>{0}));
  EXPECT_TRUE(kept_lines(0, 0).empty());
}

// A plane stays one at any level and size, with its normal at every vertex.
TEST(Grid, PlaneIsExact) {
  for (const auto& [width, height] : {std::pair{2, 2}, {3, 2}, {17, 9}, {16, 31}})
    for (int level = 0; level < 6; ++level) {
      Land land = land_of(width, height, [](int x, int y) { return 3 * x + 4 * y; });
      land.dx = 4;
      land.dy = 2;
      const Mesh mesh = grid_mesh(land.view(), level);
      const GridCounts counts = grid_counts(width, height, level);
      ASSERT_EQ(mesh.positions.size(), counts.vertices);
      ASSERT_EQ(mesh.triangles.size(), counts.triangles);
      const double extent_x = 4.0 * (width - 1), extent_y = 2.0 * (height - 1);
      // Rises 0.75 to the east and 2 to the south.
      const double steepness = std::sqrt(1 + 0.75 * 0.75 + 2.0 * 2.0);
      EXPECT_NEAR(area(mesh), extent_x * extent_y * steepness, 1e-9 * extent_x * extent_y);
      for (const Mesh::Vector& n : mesh.normals) {
        EXPECT_EQ(n[0], static_cast<float>(-0.75 / steepness));
        EXPECT_EQ(n[1], static_cast<float>(2 / steepness));
        EXPECT_EQ(n[2], static_cast<float>(1 / steepness));
      }
      // North-west first: the lowest corner, half the extent from the middle.
      EXPECT_EQ(mesh.positions.front(), (Mesh::Vector{static_cast<float>(-extent_x / 2),
                                                      static_cast<float>(extent_y / 2), 0}));
    }
}

TEST(Grid, NoCellsNoMesh) {
  for (const auto& [width, height] : {std::pair{0, 0}, {1, 1}, {1, 9}, {9, 1}}) {
    const Land land = rough_land(width, height);
    EXPECT_TRUE(grid_mesh(land.view()).triangles.empty());
    EXPECT_TRUE(grid_mesh(land.view()).positions.empty());
    EXPECT_EQ(grid_counts(width, height, 0).vertices, 0U);
  }
}

TEST(Grid, NodataLeavesAHoleAndNoVertex) {
  Land land = rough_land(5, 5);
  land.at(2, 2) = nan_height;
  Mesh mesh = grid_mesh(land.view());
  EXPECT_EQ(mesh.positions.size(), 24U);
  EXPECT_EQ(mesh.triangles.size(), 2 * 12U + 4U) << "the four beside the hole lose a half each";
  MeshFaults faults = find_faults(mesh);
  EXPECT_EQ(faults.open, open_edges(5, 5, 0) + 4);
  EXPECT_EQ(faults.degenerate + faults.crowded + faults.pinched + faults.unused, 0U);

  // A strip without data leaves the column west of it without any rectangle.
  for (int row = 0; row < 5; ++row) land.at(1, row) = nan_height;
  mesh = grid_mesh(land.view());
  EXPECT_EQ(mesh.positions.size(), 14U);
  EXPECT_EQ(find_faults(mesh).unused, 0U);

  for (float& z : land.heights) z = nan_height;
  EXPECT_TRUE(grid_mesh(land.view()).positions.empty());
}

// Beside nodata the slope is that of the side that has data.
TEST(Grid, NormalsBesideNodata) {
  Land land = land_of(4, 4, [](int x, int) { return 10 * x; });
  land.at(3, 0) = land.at(0, 3) = nan_height;
  const Mesh mesh = grid_mesh(land.view());
  EXPECT_EQ(mesh.positions.size(), 14U);
  for (const Mesh::Vector& n : mesh.normals) {
    EXPECT_EQ(n[0], static_cast<float>(-1 / std::sqrt(2.0)));
    EXPECT_EQ(n[1], 0);
  }
}

// A valley floor across the rectangles is one line of edges, whichever way it runs.
TEST(Grid, ValleysAreNotDammed) {
  for (const int turn : {1, -1}) {
    const Land land =
        land_of(9, 9, [&](int x, int y) { return x == (turn > 0 ? y : 8 - y) ? 0 : 50; });
    const Mesh mesh = grid_mesh(land.view());
    int along = 0;
    for (const Mesh::Triangle& t : mesh.triangles) {
      int low = 0;
      for (const std::uint32_t i : t) low += mesh.positions[i][2] == 0;
      along += low == 2;
    }
    EXPECT_EQ(along, 16) << "both sides of eight edges";
  }
}

TEST(Grid, SplitsAlongTheShorterDiagonal) {
  const auto shares_edge = [](const Mesh& mesh, float za, float zb) {
    int triangles = 0;
    for (const Mesh::Triangle& t : mesh.triangles) {
      int found = 0;
      for (const std::uint32_t i : t)
        found += mesh.positions[i][2] == za || mesh.positions[i][2] == zb;
      triangles += found == 2;
    }
    return triangles == 2;
  };
  Land land{2, 2, 10, 10, {1, 5, 9, 2}};
  EXPECT_TRUE(shares_edge(grid_mesh(land.view()), 1, 2));
  land.heights = {1, 6, 7, 9};
  EXPECT_TRUE(shares_edge(grid_mesh(land.view()), 6, 7));
}

// Far from the middle a vertex is still the float nearest to its place.
TEST(Grid, WideLandIsPrecise) {
  Land land = land_of(60001, 2, [](int, int) { return 0; });
  land.dx = 0.1;
  const Mesh mesh = grid_mesh(land.view());
  for (int i = 0; i <= 60000; ++i) {
    const double exact = (i - 30000) * 0.1;
    EXPECT_NEAR(mesh.positions[static_cast<std::size_t>(i)][0], exact, std::abs(exact) * 6e-8);
    EXPECT_EQ(mesh.positions[static_cast<std::size_t>(i)][0],
              -mesh.positions[static_cast<std::size_t>(60000 - i)][0]);
  }
}

RC_GTEST_PROP(Grid, CoversWhatHasData, ()) {
  const int width = *rc::gen::inRange(1, 24), height = *rc::gen::inRange(1, 24);
  const int level = *rc::gen::inRange(0, 5);
  Land land = rough_land(width, height);
  const auto holes = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, width * height));
  for (const int hole : holes) land.heights[static_cast<std::size_t>(hole)] = nan_height;
  const Mesh mesh = grid_mesh(land.view(), level);
  const MeshFaults faults = find_faults(mesh);
  RC_ASSERT(faults.degenerate + faults.crowded + faults.unused == 0U);
  if (holes.empty() && width > 1 && height > 1)
    RC_ASSERT(faults.open == open_edges(width, height, level));
  double covered = 0, expected = 0;
  for (const Mesh::Triangle& t : mesh.triangles) {
    RC_ASSERT(plan_area(mesh, t) > 0);
    covered += plan_area(mesh, t) / 2;
  }
  const std::vector<int> columns = kept_lines(width, level), rows = kept_lines(height, level);
  for (std::size_t r = 0; r + 1 < rows.size(); ++r)
    for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
      int count = 0;
      for (const int row : {rows[r], rows[r + 1]})
        for (const int column : {columns[c], columns[c + 1]})
          count += !std::isnan(land.at(column, row));
      const double whole = 100.0 * (columns[c + 1] - columns[c]) * (rows[r + 1] - rows[r]);
      expected += count == 4 ? whole : count == 3 ? whole / 2 : 0;
    }
  RC_ASSERT(covered == expected);
}

std::string hash_of(const Mesh& mesh) {
  Hash64 hash;
  hash.update(mesh.positions.data(), mesh.positions.size() * sizeof mesh.positions[0]);
  hash.update(mesh.normals.data(), mesh.normals.size() * sizeof mesh.normals[0]);
  hash.update(mesh.triangles.data(), mesh.triangles.size() * sizeof mesh.triangles[0]);
  return hash_text(hash.digest());
}

// The same bits from every compiler and processor.
TEST(Grid, GoldenHash) {
  Land land = rough_land(67, 45);
  land.dx = 29.3;
  land.dy = 30.7;
  for (int i = 0; i < 40; ++i) land.at(i, 30 + i % 3) = nan_height;
  EXPECT_EQ(hash_of(grid_mesh(land.view(), 0)), "a0d4a4cd37757082");
  EXPECT_EQ(hash_of(grid_mesh(land.view(), 2)), "b9b51cdf55db28bc");
}

}  // namespace
}  // namespace scree::surface
