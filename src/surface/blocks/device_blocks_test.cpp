// Blocks on every backend are, bit for bit, those that are meshed one by one.
#include "surface/blocks/device_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "surface/blocks/block_fields.h"
#include "surface/mesh/validity.h"
#include "testing.h"

namespace scree::surface {
namespace {

using block_fields::random_field, block_fields::random_grid, block_fields::random_lattice;

template <class T>
device::BufferPtr uploaded(device::Device& device, const std::vector<T>& values) {
  const device::BufferPtr buffer = device.allocate(values.size() * sizeof(T));
  device.write(*buffer, 0, values.data(), values.size() * sizeof(T));
  return buffer;
}

void expect_same(const BlockMesh& a, const BlockMesh& b, const std::string& where) {
  ASSERT_EQ(a.names, b.names) << where;
  ASSERT_EQ(a.mesh.positions, b.mesh.positions) << where;
  ASSERT_EQ(a.mesh.normals, b.mesh.normals) << where;
  ASSERT_EQ(a.mesh.triangles, b.mesh.triangles) << where;
  ASSERT_EQ(a.materials, b.materials) << where;
}

struct Case {
  Lattice lattice;
  BlockGrid grid;
  std::vector<float> density;
  std::vector<std::uint32_t> materials;
};

// Small blocks of any size, and large ones whose rows need more than one word.
Case case_of(uint n) {
  Lattice l = random_lattice(n);
  int size = 1 << n % 4;
  if (n % 12 == 10) l = {70, 40, 9, 1, 2, 0.5F, 10, 0, 0}, size = 32;
  if (n % 12 == 11) l = {66, 11, 67, 1, 1, 1, 0, 0, 0}, size = 64;
  Case c{l, random_grid(n, l, size), random_field(n, l), {}};
  if (n % 3 == 0)
    for (std::size_t i = 0; i < c.density.size(); ++i)
      c.materials.push_back(static_cast<uint>(i % 5));
  return c;
}

TEST(DeviceBlocks, TheSameBitsOnEveryBackendAndOneByOne) {
  std::vector<DeviceBlockMesher> meshers;
  for (const testing::Backend& b : testing::all_backends()) meshers.emplace_back(b.device);
  for (uint n = 0; n < 48; ++n) {
    const Case c = case_of(n);
    const std::uint32_t* materials = c.materials.empty() ? nullptr : c.materials.data();
    const std::vector<BlockMesh> expected =
        BlockMesher(c.lattice, c.density.data(), 0.5F, materials).blocks(c.grid);
    for (std::size_t b = 0; b < meshers.size(); ++b) {
      device::Device& device = *testing::all_backends()[b].device;
      const std::vector<BlockMesh> found = meshers[b].download(meshers[b].extract(
          c.lattice, c.grid, uploaded(device, c.density), 0.5F,
          c.materials.empty() ? device::BufferPtr() : uploaded(device, c.materials)));
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        expect_same(found[i], expected[i],
                    "field " + std::to_string(n) + ", block " + std::to_string(i) + " on " +
                        testing::all_backends()[b].label);
      const MeshFaults faults = find_faults(welded(found).mesh);
      ASSERT_TRUE(faults.none()) << n << ": " << faults.summary();
    }
  }
}

TEST(DeviceBlocks, OnlyThoseAskedForInTheirOrder) {
  const Case c = case_of(8);
  const device::DevicePtr device = testing::cpu();
  DeviceBlockMesher mesher(device);
  const device::BufferPtr density = uploaded(*device, c.density);
  const std::vector<BlockMesh> all = mesher.download(mesher.extract(c.lattice, c.grid, density));
  const std::vector<std::size_t> chosen{all.size() - 1, 3, 7, 3};
  const DeviceBlocks some = mesher.extract(c.lattice, c.grid, chosen, density);
  const std::vector<BlockMesh> found = mesher.download(some);
  ASSERT_EQ(found.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) expect_same(found[i], all[chosen[i]], std::to_string(i));
  EXPECT_EQ(mesher.extract(c.lattice, c.grid, {}, density).triangles, 0U);
}

// Of blocks that lie wholly inside or outside, samples are looked at and nothing more.
TEST(DeviceBlocks, EmptyAndFullOnesAreLookedAtAndNoMore) {
  const Lattice l{65, 65, 65, 1, 1, 1, 0, 0, 0};
  const BlockGrid grid(l, 16);
  DeviceBlockMesher mesher(testing::cpu());
  const auto passed = [&](auto&& field) {
    return mesher.extract(l, grid, uploaded(*testing::cpu(), block_fields::sampled(l, field)))
        .passed;
  };
  EXPECT_EQ(passed([](int, int, int) { return 0; }), 0U);
  // The ring around 4 x 4 x 4 blocks.
  EXPECT_EQ(passed([](int, int, int) { return 1; }), 6U * 6 * 6 - 4 * 4 * 4);
  // Ground up to the third of four layers: that layer, the ring below it and around three of them.
  EXPECT_EQ(passed([](int, int, int z) { return z < 40 ? 1 : 0; }), 16U + 36 + 3 * 20);
}

TEST(DeviceBlocks, RefuseWhatDoesNotFit) {
  const Lattice l{20, 20, 20, 1, 1, 1, 0, 0, 0}, other{40, 20, 20, 1, 1, 1, 0, 0, 0};
  const device::DevicePtr device = testing::cpu();
  DeviceBlockMesher mesher(device);
  const device::BufferPtr density = device->allocate(l.samples() * sizeof(float));
  const BlockGrid grid(l, 8);
  EXPECT_THROW(mesher.extract(other, BlockGrid(other, 8), density), UsageError);
  EXPECT_THROW(mesher.extract(l, BlockGrid(other, 8), density), UsageError);
  EXPECT_THROW(mesher.extract(l, grid, {grid.count()}, density), UsageError);
  EXPECT_THROW(mesher.extract(l, grid, density, 0.5F, device->allocate(8)), UsageError);
}

}  // namespace
}  // namespace scree::surface
