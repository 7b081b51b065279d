// A live mesh is what meshing everything anew would give.
#include "surface/blocks/live_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernel/common/random.h"
#include "surface/mesh/validity.h"
#include "testing.h"

namespace scree::surface {
namespace {

double noise(uint n, int x, int y, int z) {
  return static_cast<double>(draw(cell_hash(mix_seed(n, static_cast<uint>(z), 3), x, y), 1));
}

void expect_same(const LiveMesh& live, const Lattice& l, const std::vector<float>& density) {
  const std::vector<BlockMesh> fresh = BlockMesher(l, density.data(), 0.5F).blocks(live.grid());
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    ASSERT_EQ(live.blocks()[i].names, fresh[i].names) << i;
    ASSERT_EQ(live.blocks()[i].mesh.positions, fresh[i].mesh.positions) << i;
    ASSERT_EQ(live.blocks()[i].mesh.normals, fresh[i].mesh.normals) << i;
    ASSERT_EQ(live.blocks()[i].mesh.triangles, fresh[i].mesh.triangles) << i;
  }
}

TEST(LiveMesh, FollowsChangesOfSamplesAndLevels) {
  const Lattice l{50, 41, 37, 1, 1, 1, 0, 0, 0};
  std::vector<float> density(l.samples());
  const auto at = [&](int x, int y, int z) -> float& {
    return density[static_cast<std::size_t>((z * l.ny + y) * l.nx + x)];
  };
  for (int z = 0; z < l.nz; ++z)
    for (int y = 0; y < l.ny; ++y)
      for (int x = 0; x < l.nx; ++x)
        at(x, y, z) = static_cast<float>(noise(1, x / 5, y / 5, z / 5));
  LiveMesh live(l, density.data(), 0.5F, 8);
  for (uint n = 0; n < 60; ++n) {
    if (n % 5 == 4) {
      live.look_from({noise(n, 1, 0, 0) * 50, noise(n, 2, 0, 0) * 40, noise(n, 3, 0, 0) * 37}, 3);
    } else {
      LiveMesh::Box box{};
      const std::array<int, 3> samples{l.nx, l.ny, l.nz};
      for (std::size_t d = 0; d < 3; ++d) {
        box.first[d] = static_cast<int>(noise(n, 9, static_cast<int>(d), 0) * samples[d]);
        box.last[d] =
            std::min(box.first[d] + static_cast<int>(noise(n, 8, static_cast<int>(d), 0) * 9),
                     samples[d] - 1);
      }
      for (int z = box.first[2]; z <= box.last[2]; ++z)
        for (int y = box.first[1]; y <= box.last[1]; ++y)
          for (int x = box.first[0]; x <= box.last[0]; ++x)
            at(x, y, z) = static_cast<float>(noise(n + 100, x, y, z));
      live.touch({box});
    }
    expect_same(live, l, density);
    ASSERT_TRUE(find_faults(live.whole().mesh).none()) << n;
  }
}

// A volume in the memory of each device, of which one sample and the viewpoint change.
TEST(LiveMesh, LivesOnEveryDevice) {
  const Lattice l{30, 21, 19, 1, 1, 1, 0, 0, 0};
  for (const testing::Backend& backend : testing::all_backends()) {
    std::vector<float> density(l.samples());
    for (std::size_t i = 0; i < density.size(); ++i)
      density[i] = static_cast<float>(noise(2, static_cast<int>(i), 0, 0));
    const device::BufferPtr buffer = backend.device->allocate(density.size() * sizeof(float));
    backend.device->write(*buffer, 0, density.data(), density.size() * sizeof(float));
    LiveMesh live(backend.device, l, buffer, 0.5F, 8);
    expect_same(live, l, density);
    const std::size_t changed = (8U * 21U + 8U) * 30U + 16U;
    density[changed] = 1 - density[changed];
    backend.device->write(*buffer, changed * sizeof(float), &density[changed], sizeof(float));
    EXPECT_EQ(live.touch({16, 8, 8}, {16, 8, 8}).size(), 8U) << backend.label;
    expect_same(live, l, density);
    EXPECT_FALSE(live.look_from({0, 0, 0}, 2).empty());
    expect_same(live, l, density);
  }
}

TEST(LiveMesh, MeshesOnlyWhatWasTouched) {
  const Lattice l{65, 65, 65, 1, 1, 1, 0, 0, 0};
  const std::vector<float> density(l.samples(), 1.0F);
  LiveMesh live(l, density.data(), 0.5F, 16);
  // In the middle of a block, away from its border: that block alone.
  EXPECT_EQ(live.touch({24, 24, 24}, {25, 24, 24}).size(), 1U);
  // On a corner of eight blocks.
  EXPECT_EQ(live.touch({32, 32, 32}, {32, 32, 32}).size(), 8U);
  EXPECT_TRUE(live.set_levels(live.grid().levels()).empty());
}

}  // namespace
}  // namespace scree::surface
