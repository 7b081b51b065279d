// VDB files as OpenVDB itself sees them, and volumes out of files that OpenVDB wrote.
#include <openvdb/openvdb.h>

#include "io/volume_test.h"

namespace scree::io {
namespace {

using testing::get;
using testing::lumps;
using testing::TemporaryFolder;

openvdb::GridPtrVecPtr grids_of(const std::filesystem::path& path) {
  openvdb::initialize();
  openvdb::io::File file(path);
  file.open(false);
  return file.getGrids();
}

template <class Grid>
typename Grid::Ptr grid_of(const std::filesystem::path& path, const std::string& name) {
  const openvdb::GridPtrVecPtr grids = grids_of(path);
  for (const openvdb::GridBase::Ptr& grid : *grids)
    if (grid->getName() == name) return openvdb::gridPtrCast<Grid>(grid);
  return {};
}

TEST(VolumeVdb, AsOpenVdbSeesIt) {
  const TemporaryFolder folder;
  const Volume volume = lumps(29, 18, 33);
  write_volume(folder / "a.vdb", volume);
  ASSERT_EQ(grids_of(folder / "a.vdb")->size(), 2U);
  const auto density = grid_of<openvdb::FloatGrid>(folder / "a.vdb", "density");
  const auto material = grid_of<openvdb::Int32Grid>(folder / "a.vdb", "material");
  ASSERT_TRUE(density && material);
  EXPECT_EQ(density->getGridClass(), openvdb::GRID_FOG_VOLUME);
  EXPECT_EQ(density->background(), 0);
  EXPECT_FALSE(density->saveFloatAsHalf());
  EXPECT_TRUE(density->transform().isLinear());
  std::size_t i = 0, stored = 0;
  for (int z = 0; z < 33; ++z)
    for (int y = 0; y < 18; ++y)
      for (int x = 0; x < 29; ++x, ++i) {
        const openvdb::Coord at(x, y, z);
        ASSERT_EQ(density->tree().getValue(at), volume.density[i]) << at;
        ASSERT_EQ(static_cast<std::uint32_t>(material->tree().getValue(at)), volume.materials[i]);
        ASSERT_EQ(density->tree().isValueOn(at), volume.density[i] != 0) << at;
        stored += volume.density[i] != 0 ? 1 : 0;
      }
  EXPECT_EQ(density->activeVoxelCount(), stored) << "nothing outside the box";
  const auto corner = density->indexToWorld(openvdb::Coord(28, 17, 32));
  for (int d = 0; d < 3; ++d) {
    const auto axis = static_cast<std::size_t>(d);
    EXPECT_NEAR(corner[d],
                volume.shape.origin[axis] + (volume.shape.size[axis] - 1) * volume.shape.cell[axis],
                1e-9);
  }
}

TEST(VolumeVdb, AirAndSolidRockTakeNoRoom) {
  const TemporaryFolder folder;
  Volume volume;
  volume.shape = {{64, 64, 64}, {2, 2, 2}, {0, 0, 0}};
  volume.density.assign(volume.shape.samples(), 0.0F);
  std::fill_n(volume.density.begin(), volume.density.size() / 2, 0.75F);
  write_volume(folder / "a.vdb", volume);
  EXPECT_LT(std::filesystem::file_size(folder / "a.vdb"), 60000U);
  const auto grid = grid_of<openvdb::FloatGrid>(folder / "a.vdb", "density");
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->tree().leafCount(), 0U);
  EXPECT_EQ(grid->activeVoxelCount(), 64U * 64 * 32);
  EXPECT_TRUE(grid->hasUniformVoxels());
  EXPECT_FALSE(grid_of<openvdb::Int32Grid>(folder / "a.vdb", "material"));
}

TEST(VolumeVdb, EqualVolumesGiveEqualBytes) {
  const TemporaryFolder folder;
  Volume volume = lumps(20, 20, 20);
  write_volume(folder / "a.vdb", volume);
  write_volume(folder / "b.vdb", volume);
  EXPECT_EQ(get(folder / "a.vdb"), get(folder / "b.vdb"));
  volume.materials[11] ^= 1;
  write_volume(folder / "c.vdb", volume);
  openvdb::io::File a((folder / "a.vdb").string()), c((folder / "c.vdb").string());
  a.open(false), c.open(false);
  EXPECT_NE(a.getUniqueTag(), c.getUniqueTag());
  EXPECT_EQ(a.getUniqueTag().size(), 36U);
}

TEST(VolumeVdb, BySlices) {
  const TemporaryFolder folder;
  const Volume volume = lumps(11, 12, 21);
  write_volume(folder / "whole.vdb", volume);
  int next = 0;
  write_volume(folder / "slices.vdb", volume.shape, true,
               [&](int z, int count, float* density, std::uint32_t* materials) {
                 EXPECT_EQ(z, next);
                 next += count;
                 const auto first = static_cast<std::ptrdiff_t>(11 * 12 * z);
                 std::copy_n(volume.density.begin() + first, 11 * 12 * count, density);
                 std::copy_n(volume.materials.begin() + first, 11 * 12 * count, materials);
               });
  EXPECT_EQ(next, 21);
  EXPECT_EQ(get(folder / "slices.vdb"), get(folder / "whole.vdb"));
}

}  // namespace
}  // namespace scree::io
