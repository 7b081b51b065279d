#include "surface/mesh/simplify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "surface/blocks/block_fields.h"
#include "surface/grid/grid.h"
#include "surface/march/marching_cubes.h"
#include "surface/mesh/validity.h"
#include "testing.h"

namespace scree::surface {
namespace {

constexpr int side = 65;

// Smooth hills, so that flat parts can do with fewer triangles; colours tell vertices apart.
Mesh hills() {
  std::vector<float> heights;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const double u = (x - 20) / 9.0, v = (y - 30) / 12.0;
      heights.push_back(static_cast<float>(80 / (1 + u * u + v * v)));
    }
  Mesh mesh = grid_mesh({heights.data(), side, side, 10, 10});
  for (std::size_t i = 0; i < mesh.positions.size(); ++i)
    mesh.colours.push_back(
        {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i >> 8), 3, 255});
  return mesh;
}

std::set<Mesh::Vector> border_of(const Mesh& mesh) {
  std::set<Mesh::Vector> border;
  for (const Mesh::Vector& p : mesh.positions)
    if (std::abs(p[0]) == 320 || std::abs(p[1]) == 320) border.insert(p);
  return border;
}

class Simplify : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!can_simplify()) GTEST_SKIP() << "built without meshoptimizer";
  }
};

TEST_F(Simplify, ReachesItsTargetAndKeepsTheBorder) {
  const Mesh whole = hills();
  double last_error = 0;
  for (const std::size_t target : {4000U, 2000U, 1000U}) {
    const Simplified fewer = simplify(whole, target);
    EXPECT_LE(fewer.mesh.triangles.size(), target);
    EXPECT_GT(fewer.mesh.triangles.size(), target / 2);
    EXPECT_EQ(border_of(fewer.mesh), border_of(whole));
    const MeshFaults faults = find_faults(fewer.mesh);
    EXPECT_EQ(faults.open, 4U * (side - 1));
    EXPECT_EQ(faults.degenerate + faults.crowded + faults.pinched + faults.unused, 0U)
        << faults.summary();
    EXPECT_GT(fewer.error, last_error);
    EXPECT_LT(fewer.error, 4) << "metres, of hills 80 m high";
    EXPECT_NEAR(area(fewer.mesh), area(whole), 0.01 * area(whole));
    last_error = fewer.error;
  }
}

// What a vertex has goes where it goes.
TEST_F(Simplify, VerticesKeepTheirNormalsAndColours) {
  const Mesh whole = hills();
  const Mesh fewer = simplify(whole, 1500).mesh;
  ASSERT_EQ(fewer.normals.size(), fewer.positions.size());
  ASSERT_EQ(fewer.colours.size(), fewer.positions.size());
  for (std::size_t i = 0; i < fewer.positions.size(); ++i) {
    const std::size_t was = fewer.colours[i][0] + std::size_t{256} * fewer.colours[i][1];
    EXPECT_EQ(fewer.positions[i], whole.positions[was]);
    EXPECT_EQ(fewer.normals[i], whole.normals[was]);
  }
}

TEST_F(Simplify, WithRoomForAllOnlyTheOrderChanges) {
  const Mesh whole = hills();
  const Simplified same = simplify(whole, whole.triangles.size());
  EXPECT_EQ(same.error, 0);
  EXPECT_EQ(same.mesh.triangles.size(), whole.triangles.size());
  std::vector<Mesh::Vector> before = whole.positions, after = same.mesh.positions;
  EXPECT_NE(before, after);
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  EXPECT_EQ(before, after);
  // Vertices come in the order of their first use.
  std::uint32_t next = 0;
  for (const Mesh::Triangle& t : same.mesh.triangles)
    for (const std::uint32_t i : t) {
      EXPECT_LE(i, next);
      next = std::max(next, i + 1);
    }
}

TEST_F(Simplify, EndsWhereTheBorderDoesNotAllowFewer) {
  const Mesh fewer = simplify(hills(), 1).mesh;
  EXPECT_GE(fewer.triangles.size(), 4U * (side - 1) - 2) << "what a polygon of its border needs";
  EXPECT_LT(fewer.triangles.size(), 700U);
  EXPECT_TRUE(simplify({}, 10).mesh.triangles.empty());
}

// Noise has thin walls, pillars and caves that touch when edges collapse.
TEST_F(Simplify, ClosedSurfacesStayClosedManifolds) {
  const Lattice l{25, 25, 25, 1, 1, 1, 0, 0, 0};
  for (uint n = 0; n < 2; ++n) {
    const double scale = n == 0 ? 2.5 : 7;
    const std::vector<float> density = block_fields::sampled(l, [&](int x, int y, int z) {
      return block_fields::smooth(n, x / scale, y / scale, z / scale);
    });
    const Mesh whole = MarchingCubes(testing::cpu()).extract(l, density).mesh;
    ASSERT_TRUE(find_faults(whole).none());
    for (const std::size_t part : {2U, 5U, 20U, 100U, 1000U}) {
      const std::size_t target = whole.triangles.size() / part;
      const Simplified fewer = simplify(whole, target);
      const MeshFaults faults = find_faults(fewer.mesh);
      EXPECT_TRUE(faults.none()) << n << ", 1 in " << part << ": " << faults.summary();
      EXPECT_GT(fewer.mesh.triangles.size(), 3U);
      EXPECT_EQ(fewer.mesh.normals.size(), fewer.mesh.positions.size());
      if (part == 2) {
        EXPECT_NEAR(volume(fewer.mesh), volume(whole), 0.02 * volume(whole)) << n;
      }
    }
  }
}

TEST_F(Simplify, TwiceTheSame) {
  const Mesh a = simplify(hills(), 1234).mesh, b = simplify(hills(), 1234).mesh;
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.triangles, b.triangles);
}

TEST(SimplifyOff, SaysWhatIsMissing) {
  if (can_simplify()) GTEST_SKIP() << "built with meshoptimizer";
  try {
    simplify(hills(), 5);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("built without meshoptimizer"), std::string::npos);
  }
}

}  // namespace
}  // namespace scree::surface
