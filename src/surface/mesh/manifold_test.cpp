#include "surface/mesh/manifold.h"

#include <gtest/gtest.h>

#include "surface/mesh/validity.h"

namespace scree::surface {
namespace {

// Tetrahedra, each with its own vertices or with those of one before.
struct Solid {
  Mesh mesh;
  std::uint32_t at(float x, float y, float z) {
    mesh.positions.push_back({x, y, z});
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
  }
  // d lies behind a, b, c.
  void add(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    for (const Mesh::Triangle& t : {Mesh::Triangle{a, b, c}, {a, d, b}, {b, d, c}, {c, d, a}})
      mesh.triangles.push_back(t);
  }
};

void expect_manifold(const Mesh& mesh, std::size_t triangles, double expected_volume) {
  EXPECT_TRUE(find_faults(mesh).none()) << find_faults(mesh).summary();
  EXPECT_EQ(mesh.triangles.size(), triangles);
  EXPECT_NEAR(volume(mesh), expected_volume, 1e-6);
}

TEST(Manifold, WhatIsOneStaysAsItIs) {
  Solid s;
  s.add(s.at(0, 0, 1), s.at(1, 0, 0), s.at(0, 1, 0), s.at(0, 0, 0));
  const double size = volume(s.mesh);
  ASSERT_GT(size, 0);
  expect_manifold(as_manifold(s.mesh), 4, size);
  EXPECT_EQ(as_manifold(s.mesh).positions.size(), 4U);
  EXPECT_TRUE(as_manifold({}).triangles.empty());
}

TEST(Manifold, SolidsThatShareAVertexAreCutApart) {
  Solid s;
  const std::uint32_t o = s.at(0, 0, 0);
  s.add(s.at(0, 0, 1), s.at(1, 0, 0), s.at(0, 1, 0), o);
  s.add(s.at(-1, 0, 0), s.at(0, 0, -1), s.at(0, -1, 0), o);
  const double size = volume(s.mesh);
  EXPECT_EQ(find_faults(s.mesh).pinched, 1U);
  expect_manifold(as_manifold(s.mesh), 8, size);
  EXPECT_EQ(as_manifold(s.mesh).positions.size(), 8U);
}

TEST(Manifold, SolidsThatShareAnEdgeAreCutApart) {
  Solid s;
  const std::uint32_t a = s.at(0, 0, 0), b = s.at(0, 0, 1);
  s.add(b, s.at(1, 0, 0), s.at(1, 1, 0), a);
  s.add(b, s.at(-1, 0, 0), s.at(-1, -1, 0), a);
  const double size = volume(s.mesh);
  EXPECT_GT(find_faults(s.mesh).crowded, 0U);
  const Mesh apart = as_manifold(s.mesh);
  expect_manifold(apart, 8, size);
  EXPECT_EQ(apart.positions.size(), 8U);
  // Each solid is by itself: the first four triangles have no vertex of the others.
  for (std::size_t t = 0; t < 4; ++t)
    for (const std::uint32_t i : apart.triangles[t])
      for (std::size_t u = 4; u < 8; ++u)
        for (const std::uint32_t j : apart.triangles[u]) EXPECT_NE(i, j);
}

// Back to back, without an area, and twice in one place.
TEST(Manifold, WhatEnclosesNothingGoes) {
  Solid s;
  s.add(s.at(0, 0, 1), s.at(1, 0, 0), s.at(0, 1, 0), s.at(0, 0, 0));
  const double size = volume(s.mesh);
  const std::uint32_t again = s.at(1, 0, 0), far = s.at(2, 0, 0);
  s.mesh.triangles.push_back({1, again, far});
  s.mesh.triangles.push_back({again, 1, far});
  s.mesh.triangles.push_back({0, 2, far});
  s.mesh.triangles.push_back({2, 0, far});
  expect_manifold(as_manifold(s.mesh), 4, size);
}

}  // namespace
}  // namespace scree::surface
