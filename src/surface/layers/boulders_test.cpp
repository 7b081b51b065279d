// Boulders are closed, as large as they should be, and each has a shape of its own.
#include "surface/layers/boulders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace scree::surface {
namespace {

TEST(Boulders, AreClosedAndWithinTheirBall) {
  Mesh mesh;
  mesh.positions = {{9, 9, 9}};
  mesh.normals = {{0, 0, 1}};
  mesh.colours = {{1, 2, 3, 255}};
  add_boulders(mesh, {{{10, 20, 30}, 2, 1}, {{-5, 0, 1}, 0.5F, 2}}, {90, 80, 70, 255});
  ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
  ASSERT_EQ(mesh.colours.size(), mesh.positions.size());
  const std::size_t each = (mesh.positions.size() - 1) / 2;
  float farthest = 0, volume = 0;
  for (std::size_t i = 1; i <= each; ++i) {
    const auto& p = mesh.positions[i];
    const float d = std::hypot(p[0] - 10, p[1] - 20, p[2] - 30);
    EXPECT_LE(d, 2.0001F);
    EXPECT_GT(d, 0.9F);
    farthest = std::max(farthest, d);
  }
  EXPECT_GT(farthest, 1.95F);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const auto& t : mesh.triangles) {
    const auto at = [&](std::size_t corner, std::size_t axis) {
      return mesh.positions[t[corner]][axis];
    };
    for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
    volume += (at(0, 0) * (at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)) +
               at(0, 1) * (at(1, 2) * at(2, 0) - at(1, 0) * at(2, 2)) +
               at(0, 2) * (at(1, 0) * at(2, 1) - at(1, 1) * at(2, 0))) /
              6;
  }
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(edges.contains({edge.second, edge.first}));
  }
  // Seen from outside, corners run counter-clockwise; a good part of the balls is left.
  const float balls = 4.18879F * (8 + 0.125F);
  EXPECT_GT(volume, 0.3F * balls);
  EXPECT_LT(volume, 0.8F * balls);
  // Other seeds, other stones.
  const auto relative = [&](std::size_t i, const Mesh::Vector& middle, float radius) {
    return (mesh.positions[i][0] - middle[0]) / radius;
  };
  bool differ = false;
  for (std::size_t i = 1; i <= each; ++i)
    differ |= std::abs(relative(i, {10, 20, 30}, 2) - relative(i + each, {-5, 0, 1}, 0.5F)) > 0.01F;
  EXPECT_TRUE(differ);
}

}  // namespace
}  // namespace scree::surface
