// Blocks of any allowed levels give one closed surface.
#include "surface/blocks/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "surface/blocks/block_fields.h"
#include "surface/mesh/mesh_distance.h"
#include "surface/mesh/validity.h"
#include "testing.h"

namespace scree::surface {
namespace {

using block_fields::noise, block_fields::random_field, block_fields::random_grid,
    block_fields::random_lattice, block_fields::random_levels, block_fields::sampled,
    block_fields::smooth;

bool on_border(const Lattice& l, const Mesh::Vector& p) {
  const std::array<float, 3> first{l.origin_x, l.origin_y, l.origin_z};
  const std::array<float, 3> last{l.origin_x + static_cast<float>(l.nx - 1) * l.cell_x,
                                  l.origin_y + static_cast<float>(l.ny - 1) * l.cell_y,
                                  l.origin_z + static_cast<float>(l.nz - 1) * l.cell_z};
  for (std::size_t d = 0; d < 3; ++d)
    if (p[d] <= first[d] || p[d] >= last[d]) return true;
  return false;
}

Surface mesh_of(const Lattice& l, const std::vector<float>& density, const BlockGrid& grid) {
  return welded(BlockMesher(l, density.data(), 0.5F).blocks(grid));
}

Surface full_detail(const Lattice& l, const std::vector<float>& density) {
  return MarchingCubes(testing::cpu()).extract(l, density);
}

// Every vertex lies in the volume.
TEST(Blocks, AnyLevelsGiveAClosedSurface) {
  std::size_t triangles = 0;
  for (uint n = 0; n < 2000; ++n) {
    const Lattice l = random_lattice(n);
    const int size = 1 << static_cast<int>(noise(n, 7, 7, 7) * 4);
    const BlockGrid grid = random_grid(n, l, size);
    const std::vector<float> density = random_field(n, l);
    const Surface s = mesh_of(l, density, grid);
    const MeshFaults faults = find_faults(s.mesh);
    ASSERT_TRUE(faults.none()) << "field " << n << ", blocks of " << size << ": "
                               << faults.summary();
    for (const auto& p : s.mesh.positions) {
      const std::array<int, 3> last{l.nx - 1, l.ny - 1, l.nz - 1};
      const std::array<float, 3> origin{10, 0, 0}, cell{1, 2, 0.5F};
      for (std::size_t d = 0; d < 3; ++d) {
        ASSERT_GE(p[d], origin[d]) << n;
        ASSERT_LE(p[d], origin[d] + static_cast<float>(last[d]) * cell[d]) << n;
      }
    }
    triangles += s.mesh.triangles.size();
  }
  EXPECT_GT(triangles, 200000U);
}

// At level 0 everywhere it is the mesh of Marching Cubes, triangle by triangle.
TEST(Blocks, AtFullDetailItIsMarchingCubes) {
  const Lattice l{21, 18, 35, 1, 1, 1, 0, 0, 0};
  const auto density =
      sampled(l, [](int x, int y, int z) { return noise(4, x / 2, y / 2, z / 2); });
  const Surface blocks = mesh_of(l, density, BlockGrid(l, 8));
  const Surface whole = full_detail(l, density);
  const auto corners = [](const Surface& s) {
    std::vector<std::array<Mesh::Vector, 3>> all;
    for (const auto& t : s.mesh.triangles) {
      std::array<Mesh::Vector, 3> c{s.mesh.positions[t[0]], s.mesh.positions[t[1]],
                                    s.mesh.positions[t[2]]};
      std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
      all.push_back(c);
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  EXPECT_EQ(corners(blocks), corners(whole));
  EXPECT_EQ(blocks.mesh.positions.size(), whole.mesh.positions.size());
}

// Where all blocks have one level, coarse vertices are vertices of the full detail:
// their positions and normals, to the bit.
TEST(Blocks, CoarseVerticesLieOnTheFullDetail) {
  const Lattice l{50, 45, 41, 1, 2, 0.5F, 3, 0, 0};
  const auto density =
      sampled(l, [](int x, int y, int z) { return smooth(5, x / 7.0, y / 7.0, z / 7.0); });
  const Surface full = full_detail(l, density);
  std::map<Mesh::Vector, Mesh::Vector> normals;
  for (std::size_t i = 0; i < full.mesh.positions.size(); ++i)
    normals[full.mesh.positions[i]] = full.mesh.normals[i];
  for (std::uint8_t level = 1; level <= 4; ++level) {
    BlockGrid grid(l, 16);
    grid.set_levels(std::vector<std::uint8_t>(grid.count(), level));
    const Surface s = mesh_of(l, density, grid);
    EXPECT_GT(s.mesh.positions.size(), 10U);
    for (std::size_t i = 0; i < s.mesh.positions.size(); ++i) {
      const auto found = normals.find(s.mesh.positions[i]);
      ASSERT_NE(found, normals.end()) << "level " << int{level} << ", vertex " << i;
      if (on_border(l, s.mesh.positions[i])) continue;  // may be a corner of several directions
      ASSERT_EQ(found->second, s.mesh.normals[i]) << "level " << int{level} << ", vertex " << i;
    }
  }
}

// Both ways: no point of a mesh of mixed detail is a coarse cell away from the full detail, and
// none of the full detail from it, on land and around caves that are larger than such a cell: half
// of one at most.
TEST(Blocks, MixedDetailIsLessThanACoarseCellAway) {
  const Lattice l{41, 41, 41, 1, 1, 1, 0, 0, 0};
  for (uint n = 0; n < 4; ++n) {
    const auto density = sampled(l, [&](int x, int y, int z) {
      if (n % 2 == 0) return 0.5 + 8 + 24 * smooth(n, x / 21.0, y / 21.0, 0) - z;
      return smooth(n, x / 18.0, y / 18.0, z / 18.0);
    });
    BlockGrid grid(l, 8);
    auto levels = random_levels(grid, n);
    for (auto& level : levels) level = std::min<std::uint8_t>(level, 2);
    grid.set_levels(levels);
    const Surface full = full_detail(l, density), mixed = mesh_of(l, density, grid);
    ASSERT_TRUE(find_faults(mixed.mesh).none());
    ASSERT_GT(mixed.mesh.triangles.size(), 500U);
    constexpr double coarse = 4;
    EXPECT_LT(MeshDistance(full.mesh, coarse).furthest(mixed.mesh), coarse / 2) << n;
    EXPECT_LT(MeshDistance(mixed.mesh, coarse).furthest(full.mesh), coarse / 2) << n;
  }
}

// A ball in mixed detail: faces look outwards, and the volume is the ball's.
TEST(Blocks, ABallKeepsItsVolume) {
  const Lattice l{65, 65, 65, 1, 1, 1, 0, 0, 0};
  const auto density = sampled(
      l, [](int x, int y, int z) { return 0.5 + 24 - std::hypot(x - 32.0, y - 32.0, z - 32.0); });
  for (uint n = 0; n < 20; ++n) {
    BlockGrid grid(l, 16);
    auto levels = random_levels(grid, n);
    for (auto& level : levels) level = std::min<std::uint8_t>(level, 2);
    grid.set_levels(levels);
    const Surface s = mesh_of(l, density, grid);
    EXPECT_NEAR(volume(s.mesh), 4.0 / 3 * std::acos(-1.0) * 24 * 24 * 24, 0.005 * 57906) << n;
    double most = 0;
    for (const auto& p : s.mesh.positions)
      most = std::max(most, std::abs(std::hypot(p[0] - 32.0, p[1] - 32.0, p[2] - 32.0) - 24));
    EXPECT_LT(most, 0.05) << n;  // vertices make way along the surface
  }
}

TEST(Blocks, LevelsFollowTheViewpoint) {
  const Lattice l{129, 129, 33, 2, 2, 2, 0, 0, 0};
  BlockGrid grid(l, 16);
  grid.set_levels({0, 0, 0}, 16);
  EXPECT_EQ(grid.level({1, 1, 1}), 0);
  EXPECT_GE(grid.level({8, 8, 1}), 2);
  EXPECT_EQ(grid.level({-5, 1, 1}), grid.level({0, 1, 1}));
}

TEST(Blocks, RefuseLevelsThatAreTooFarApart) {
  const Lattice l{40, 40, 40, 1, 1, 1, 0, 0, 0};
  BlockGrid grid(l, 16);
  std::vector<std::uint8_t> levels(grid.count(), 0);
  levels[5] = 2;
  EXPECT_THROW(grid.set_levels(levels), UsageError);
  levels[5] = 9;
  EXPECT_THROW(grid.set_levels(levels), UsageError);
  levels.pop_back();
  EXPECT_THROW(grid.set_levels(levels), UsageError);
  EXPECT_THROW(BlockGrid(l, 12), UsageError);
  const float one = 1;
  EXPECT_THROW(BlockMesher(Lattice{20000, 20000, 20, 1, 1, 1, 0, 0, 0}, &one, 0.5F), UsageError);
  EXPECT_THROW(BlockMesher(Lattice{1, 1, 1, 1, 0, 1, 0, 0, 0}, &one, 0.5F), UsageError);
}

}  // namespace
}  // namespace scree::surface
