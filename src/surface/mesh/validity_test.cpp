#include "surface/mesh/validity.h"

#include <gtest/gtest.h>

namespace scree::surface {
namespace {

Mesh tetrahedron() {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return mesh;
}

TEST(Validity, OfASolid) {
  const Mesh mesh = tetrahedron();
  EXPECT_TRUE(find_faults(mesh).none()) << find_faults(mesh).summary();
  EXPECT_NEAR(volume(mesh), 1.0 / 6, 1e-12);
  EXPECT_NEAR(area(mesh), 1.5 + 0.8660254037844386, 1e-12);
}

TEST(Validity, FindsEachFault) {
  Mesh open = tetrahedron();
  open.triangles.pop_back();
  EXPECT_EQ(find_faults(open).open, 3U);
  Mesh turned = tetrahedron();
  std::swap(turned.triangles[0][0], turned.triangles[0][1]);
  EXPECT_GT(find_faults(turned).crowded, 0U);
  Mesh unused = tetrahedron();
  unused.positions.push_back({5, 5, 5});
  EXPECT_EQ(find_faults(unused).unused, 1U);
  Mesh degenerate = tetrahedron();
  degenerate.triangles.push_back({1, 1, 2});
  EXPECT_EQ(find_faults(degenerate).degenerate, 1U);
  // Two solids that share a vertex.
  Mesh pinched = tetrahedron();
  for (const auto& p : {Mesh::Vector{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}})
    pinched.positions.push_back(p);
  const std::array<std::uint32_t, 4> other{0, 5, 4, 6};
  for (const auto& t : tetrahedron().triangles)
    pinched.triangles.push_back({other[t[0]], other[t[1]], other[t[2]]});
  EXPECT_EQ(find_faults(pinched).pinched, 1U);
  EXPECT_EQ(find_faults(pinched).open, 0U);
}

}  // namespace
}  // namespace scree::surface
