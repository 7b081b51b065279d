// Blocks of any allowed levels give one closed surface.
#include "surface/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "surface/block_fields.h"
#include "surface/validity.h"

namespace scree::surface {
namespace {

using block_fields::noise, block_fields::random_field, block_fields::random_grid,
    block_fields::random_lattice, block_fields::random_levels, block_fields::sampled;

Surface mesh_of(const Lattice& l, const std::vector<float>& density, const BlockGrid& grid) {
  return welded(BlockMesher(l, density.data(), 0.5F).blocks(grid));
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
  device::DeviceOptions cpu;
  cpu.selector = "cpu";
  const Surface whole = MarchingCubes(device::open_device(cpu)).extract(l, density);
  const auto corners = [](const Surface& s) {
    std::vector<std::array<io::Mesh::Vector, 3>> all;
    for (const auto& t : s.mesh.triangles) {
      std::array<io::Mesh::Vector, 3> c{s.mesh.positions[t[0]], s.mesh.positions[t[1]],
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

// A ball in mixed detail: no vertex further from the true surface than a coarse cell, faces look
// outwards, and the volume is the ball's.
TEST(Blocks, MixedDetailStaysWithinACoarseCell) {
  const Lattice l{65, 65, 65, 1, 1, 1, 0, 0, 0};
  const auto density = sampled(
      l, [](int x, int y, int z) { return 0.5 + 24 - std::hypot(x - 32.0, y - 32.0, z - 32.0); });
  for (uint n = 0; n < 20; ++n) {
    BlockGrid grid(l, 16);
    auto levels = random_levels(grid, n);
    for (auto& level : levels) level = std::min<std::uint8_t>(level, 2);
    grid.set_levels(levels);
    const Surface s = mesh_of(l, density, grid);
    ASSERT_TRUE(find_faults(s.mesh).none());
    for (const auto& p : s.mesh.positions) {
      const double r = std::hypot(p[0] - 32.0, p[1] - 32.0, p[2] - 32.0);
      EXPECT_LT(std::abs(r - 24), 4) << n;
    }
    EXPECT_NEAR(volume(s.mesh), 4.0 / 3 * std::acos(-1.0) * 24 * 24 * 24, 0.03 * 57906) << n;
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
