// No triangle of a mesh of any levels overlaps another.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "surface/blocks/block_fields.h"
#include "surface/blocks/blocks.h"
#include "surface/mesh/mesh_overlap.h"
#include "surface/mesh/validity.h"
#include "testing.h"

namespace scree::surface {
namespace {

using block_fields::noise, block_fields::random_levels, block_fields::sampled, block_fields::smooth;

constexpr Lattice lattice{33, 33, 33, 1, 1, 1, 0, 0, 0};
constexpr double near = 1e-5;  // metres: a few steps of floats of this size

struct Shape {
  const char* name;
  double (*density)(uint n, double x, double y, double z);
  bool resolved;  // by the coarsest level that is used
};
constexpr std::array<Shape, 6> shapes{{
    {"ball",
     [](uint n, double x, double y, double z) {
       return 0.5 + 11.3 + 0.37 * n - std::hypot(x - 16.1, y - 15.7, z - 16.4);
     },
     true},
    {"slope",
     [](uint n, double x, double y, double z) {
       return 0.5 + 7.3137 + (0.3171 + 0.1319 * n) * x + 0.1733 * y - z;
     },
     true},
    {"terrain",
     [](uint n, double x, double y, double z) {
       return 0.5 + 6 + 18 * smooth(n, x / 17, y / 17, 0) + 3 * smooth(n, x / 9, y / 9, 3) - z;
     },
     true},
    {"caves",
     [](uint n, double x, double y, double z) { return smooth(n, x / 13, y / 13, z / 13); }, false},
    {"noise", [](uint n, double x, double y, double z) { return smooth(n, x / 2, y / 2, z / 2); },
     false},
    {"white noise",
     [](uint n, double x, double y, double z) {
       return noise(n, static_cast<int>(x), static_cast<int>(y), static_cast<int>(z));
     },
     false},
}};

std::vector<float> density_of(const Shape& shape, uint n) {
  return sampled(lattice, [&](int x, int y, int z) { return shape.density(n, x, y, z); });
}

Surface mesh_of(const std::vector<float>& density, const BlockGrid& grid) {
  return welded(BlockMesher(lattice, density.data(), 0.5F).blocks(grid));
}

MeshOverlap at_one_level(const std::vector<float>& density, std::uint8_t level) {
  BlockGrid grid(lattice, 8);
  grid.set_levels(std::vector<std::uint8_t>(grid.count(), level));
  return find_overlap(mesh_of(density, grid).mesh, near);
}

TEST(Overlap, IsSeen) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 0}};
  mesh.normals.assign(mesh.positions.size(), {0, 0, 1});
  const auto found = [&](const Mesh::Triangle& other) {
    mesh.triangles = {{0, 1, 2}, other};
    return find_overlap(mesh, near);
  };
  EXPECT_EQ(found({3, 4, 5}).crossings, 1U);
  EXPECT_EQ(found({0, 3, 4}).crossings, 1U) << "also where they share a corner";
  EXPECT_EQ(found({4, 5, 6}).crossings, 0U);
  EXPECT_EQ(found({0, 6, 4}).crossings, 1U) << "an edge that runs in it";
  EXPECT_EQ(found({2, 1, 6}).folded, 0U) << "neighbours in one plane";
  EXPECT_EQ(found({0, 6, 2}).folded, 1U);
  EXPECT_EQ(found({1, 0, 2}).backward, 1U);
  EXPECT_EQ(found({0, 6, 0}).flat, 1U);
}

// What closes the volume has triangles without an area along the border's edges, as Marching Cubes
// has them there, and also where a sample lies exactly on the isovalue.
std::size_t flat_within(const Mesh& mesh) {
  Mesh within = mesh;
  within.triangles.clear();
  for (const auto& t : mesh.triangles) {
    bool border = false;
    for (std::size_t d = 0; d < 3; ++d)
      for (const float end : {0.0F, 32.0F})
        border = border || (mesh.positions[t[0]][d] == end && mesh.positions[t[1]][d] == end &&
                            mesh.positions[t[2]][d] == end);
    if (!border) within.triangles.push_back(t);
  }
  return find_overlap(within, near).flat;
}

TEST(Overlap, ThereIsNoneBetweenAnyLevels) {
  for (const Shape& shape : shapes) {
    for (uint n = 0; n < (shape.density == shapes.back().density ? 1U : 4U); ++n) {
      const std::vector<float> density = density_of(shape, n);
      BlockGrid grid(lattice, 8);
      auto levels = random_levels(grid, n);
      for (auto& level : levels) level = std::min<std::uint8_t>(level, 2);
      grid.set_levels(levels);
      const Surface s = mesh_of(density, grid);
      ASSERT_TRUE(find_faults(s.mesh).none()) << find_faults(s.mesh).summary();
      const MeshOverlap found = find_overlap(s.mesh, near);
      EXPECT_TRUE(found.none()) << shape.name << " " << n << ": " << found.summary();
      EXPECT_LE(flat_within(s.mesh), shape.resolved ? 0 : found.triangles / 10000)
          << shape.name << " " << n;
      if (shape.resolved) {
        EXPECT_EQ(found.backward, 0U) << shape.name << " " << n;
      }
    }
  }
}

// White noise changes sides from sample to sample. Volumes of any size, so that coarse cells reach
// beyond them, and blocks of one cell and more at their coarsest, so that cells have from one to
// six finer faces.
TEST(Overlap, ThereIsNoneInWhiteNoise) {
  std::size_t triangles = 0;
  for (uint n = 0; n < 24; ++n) {
    const auto side = [&](int k) { return 6 + static_cast<int>(noise(n, k, 0, 0) * 14); };
    const bool even = n % 2 != 0;
    const Lattice l{side(1), side(2), side(3), 1, even ? 1.0F : 2.0F, even ? 1.0F : 0.5F, 0, 0, 0};
    BlockGrid grid(l, 2 << n % 4);
    grid.set_levels(random_levels(grid, n));
    const double least = std::array{0.5, 0.3, 0.8}[n % 3];
    const auto density =
        sampled(l, [&](int x, int y, int z) { return 0.5 + noise(n, x, y, z) - least; });
    const Surface s = welded(BlockMesher(l, density.data(), 0.5F).blocks(grid));
    ASSERT_TRUE(find_faults(s.mesh).none()) << find_faults(s.mesh).summary();
    const MeshOverlap found = find_overlap(s.mesh, near);
    EXPECT_TRUE(found.none()) << n << ": " << found.summary();
    triangles += found.triangles;
  }
  EXPECT_GT(triangles, 50000U);
}

// Marching Cubes alone, at full and at coarse detail.
TEST(Overlap, ThereIsNoneAtOneLevel) {
  for (const Shape& shape : shapes)
    for (std::uint8_t level = 0; level < 3; ++level) {
      const MeshOverlap found = at_one_level(density_of(shape, 1), level);
      EXPECT_TRUE(found.none()) << shape.name << " at level " << int{level} << ": "
                                << found.summary();
    }
}

}  // namespace
}  // namespace scree::surface
