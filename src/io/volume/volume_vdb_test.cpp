// VDB files as OpenVDB itself sees them, and volumes out of files that OpenVDB wrote.
#include <openvdb/openvdb.h>

#include <algorithm>
#include <cstdlib>

#include "base/log.h"
#include "io/volume/volume_test.h"
#include "vdb_files.h"

namespace scree::io {
namespace {

using scree::testing::write_ball;
using scree::testing::write_odd_vdb;
using testing::error_of;
using testing::expect_line;
using testing::expect_same_volume;
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
  EXPECT_EQ(density->transform().mapType(), openvdb::math::ScaleTranslateMap::mapType());
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
  EXPECT_EQ(grid->transform().mapType(), openvdb::math::UniformScaleTranslateMap::mapType());
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

#ifdef SCREE_VDB_PRINT
// A program of its own, as whoever gets the file would look at it.
TEST(VolumeVdb, AsVdbPrintSeesIt) {
  const TemporaryFolder folder;
  write_volume(folder / "a.vdb", lumps(29, 18, 33));
  const std::string command = std::string(SCREE_VDB_PRINT) + " -l " + (folder / "a.vdb").string() +
                              " >" + (folder / "said").string() + " 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << get(folder / "said");
  const std::string said = get(folder / "said");
  for (const char* part : {"Name: density", "Name: material", "Tree_float_5_4_3",
                           "Tree_int32_5_4_3", "fog volume", "creator: scree", "Bounding box"})
    EXPECT_NE(said.find(part), std::string::npos) << part << "\n" << said;
}
#endif

// ---- reading

TEST(VolumeVdb, RoundTripKeepsEveryBit) {
  const TemporaryFolder folder;
  const int sizes[][3] = {{1, 1, 1}, {8, 8, 8}, {9, 7, 17}, {40, 3, 1}, {23, 31, 16}};
  for (const auto& [nx, ny, nz] : sizes)
    for (const bool materials : {false, true}) {
      Volume volume = lumps(nx, ny, nz, materials);
      if (nx == 8) volume.shape.cell = {0.1, 0.1, 0.1};
      // What careless comparisons lose: the sign of a zero, the smallest number, air at the sides.
      volume.density.front() = -0.0F;
      volume.density[volume.density.size() / 2] = std::numeric_limits<float>::denorm_min();
      volume.density.back() = 0;
      // Integers whose difference overflows.
      if (nx == 8 && materials)
        for (std::size_t i = 0; i < volume.materials.size(); ++i)
          volume.materials[i] = i % 2 == 0 ? 0x40000000U : 0xc0000000U;
      write_volume(folder / "a.vdb", volume);
      const VolumeFile file = read_volume(folder / "a.vdb");
      EXPECT_EQ(file.grid, "density");
      EXPECT_FALSE(file.level_set);
      EXPECT_EQ(file.isovalue(), 0.5F);
      expect_same_volume(file.volume, volume);
    }
}

TEST(VolumeVdb, AirAloneIsAVolumeToo) {
  const TemporaryFolder folder;
  Volume volume;
  volume.shape = {{5, 6, 7}, {1, 1, 1}, {0, 0, 0}};
  volume.density.assign(volume.shape.samples(), 0.0F);
  write_volume(folder / "a.vdb", volume);
  expect_same_volume(read_volume(folder / "a.vdb").volume, volume);
}

// Its value at a place, which must be a sample's.
float at(const Volume& volume, double x, double y, double z) {
  const double place[3] = {x, y, z};
  std::size_t index = 0, stride = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const double steps = (place[d] - volume.shape.origin[d]) / volume.shape.cell[d];
    EXPECT_NEAR(steps, std::round(steps), 1e-6);
    EXPECT_TRUE(steps > -0.5 && steps < volume.shape.size[d] - 0.5) << x << " " << y << " " << z;
    index += stride * static_cast<std::size_t>(std::lround(steps));
    stride *= static_cast<std::size_t>(volume.shape.size[d]);
  }
  return volume.density.at(index);
}

TEST(VolumeVdb, LevelSetsAreMetresInwards) {
  const TemporaryFolder folder;
  write_ball(folder / "a.vdb", {});
  const VolumeFile file = read_volume(folder / "a.vdb");
  EXPECT_TRUE(file.level_set);
  EXPECT_EQ(file.isovalue(), 0);
  EXPECT_EQ(file.grid, "surface");
  EXPECT_TRUE(file.volume.materials.empty());
  const VolumeShape& shape = file.volume.shape;
  EXPECT_EQ(shape.cell, (std::array<double, 3>{0.25, 0.25, 0.25}));
  std::size_t i = 0, near = 0;
  for (int z = 0; z < shape.size[2]; ++z)
    for (int y = 0; y < shape.size[1]; ++y)
      for (int x = 0; x < shape.size[0]; ++x, ++i) {
        const double away =
            4 - std::hypot(shape.origin[0] + 0.25 * x - 3, shape.origin[1] + 0.25 * y + 2,
                           shape.origin[2] + 0.25 * z - 5);
        // Beyond the band of three cells there is only which side it is on.
        const double expected = std::clamp(away, -0.75, 0.75);
        ASSERT_NEAR(file.volume.density[i], expected, 1e-4) << x << " " << y << " " << z;
        near += std::abs(away) < 0.75 ? 1 : 0;
      }
  EXPECT_GT(near, 10000U);
}

TEST(VolumeVdb, EveryNumberBecomesAFloat) {
  const TemporaryFolder folder;
  write_odd_vdb(folder / "a.vdb", "numbers");
  for (const char* name : {"float", "half", "double", "int32", "int64", "bool", "mask"}) {
    VolumeOptions options;
    options.grid = name;
    const VolumeFile file = read_volume(folder / "a.vdb", options);
    EXPECT_EQ(file.grid, name);
    // One more on each side of 0 to 9, 0 to 1, 0 to 2.
    EXPECT_EQ(file.volume.shape.size, (std::array<int, 3>{12, 4, 5})) << name;
    EXPECT_EQ(at(file.volume, 0, 0, 0), 1) << name;
    const bool truth = std::string(name) == "bool" || std::string(name) == "mask";
    EXPECT_EQ(at(file.volume, 9, 1, 2), truth ? 1 : 2) << name;
    EXPECT_EQ(at(file.volume, -1, -1, -1), 0);
    EXPECT_EQ(std::count(file.volume.density.begin(), file.volume.density.end(), 0.0F),
              12 * 4 * 5 - 2);
  }
}

TEST(VolumeVdb, AxesAreTheWorlds) {
  const TemporaryFolder folder;
  write_odd_vdb(folder / "a.vdb", "inside-out");
  const Volume volume = read_volume(folder / "a.vdb").volume;
  EXPECT_EQ(volume.shape.cell, (std::array<double, 3>{3, 5, 2}));
  EXPECT_EQ(volume.shape.size, (std::array<int, 3>{4, 5, 12}));
  EXPECT_EQ(at(volume, 100, 200, 300), 1);
  EXPECT_EQ(at(volume, 97, 210, 318), 2);
}

TEST(VolumeVdb, WhichGrid) {
  const TemporaryFolder folder;
  const auto grid_in = [&](const char* what) {
    write_odd_vdb(folder / "a.vdb", what);
    return read_volume(folder / "a.vdb").grid;
  };
  EXPECT_EQ(grid_in("several"), "density");
  EXPECT_EQ(grid_in("numbers"), "float");
  EXPECT_EQ(grid_in("stream"), "density");
  EXPECT_EQ(grid_in("shared"), "one");
  EXPECT_EQ(grid_in("twins"), "smoke[0]");
  VolumeOptions options;
  options.grid = "three";
  write_odd_vdb(folder / "a.vdb", "shared");
  EXPECT_EQ(at(read_volume(folder / "a.vdb", options).volume, 9, 1, 2), 2);
  options.grid = "two";
  EXPECT_EQ(at(read_volume(folder / "a.vdb", options).volume, 27, 3, 6), 2) << "its own cells";
}

TEST(VolumeVdb, MaterialsOfTheSameLattice) {
  const TemporaryFolder folder;
  write_odd_vdb(folder / "a.vdb", "several");
  const Volume volume = read_volume(folder / "a.vdb").volume;
  ASSERT_EQ(volume.materials.size(), volume.density.size());
  for (std::size_t i = 0; i < volume.materials.size(); ++i)
    EXPECT_EQ(volume.materials[i], static_cast<std::uint32_t>(volume.density[i]));
  std::string said;
  const LogScope listens([&](LogLevel, const std::string& line) { said += line; });
  write_odd_vdb(folder / "b.vdb", "elsewhere");
  EXPECT_TRUE(read_volume(folder / "b.vdb").volume.materials.empty());
  testing::expect_line(said, "b.vdb", "grid 'material' lies on another lattice than 'density'");
}

TEST(VolumeVdb, ListsGrids) {
  const TemporaryFolder folder;
  write_odd_vdb(folder / "a.vdb", "several");
  const std::vector<VolumeGrid> grids = list_volume(folder / "a.vdb");
  ASSERT_EQ(grids.size(), 4U);
  EXPECT_EQ(grids[0].name, "v");
  EXPECT_EQ(grids[0].type, "vec3s");
  EXPECT_FALSE(grids[0].numbers);
  EXPECT_EQ(grids[3].name, "density");
  EXPECT_EQ(grids[3].size, (std::array<long long, 3>{10, 2, 3}));
  EXPECT_EQ(grids[3].active, 2U);
  EXPECT_EQ(grids[3].least, 1);
  EXPECT_EQ(grids[3].most, 2);
  EXPECT_EQ(grids[3].high, (std::array<double, 3>{9, 1, 2}));
  write_odd_vdb(folder / "b.vdb", "shared");
  for (const VolumeGrid& grid : list_volume(folder / "b.vdb")) EXPECT_EQ(grid.active, 2U);
  write_ball(folder / "c.vdb", {});
  EXPECT_EQ(list_volume(folder / "c.vdb").at(0).kind, "level set");
  EXPECT_NEAR(list_volume(folder / "c.vdb").at(0).background, 0.75, 1e-6);
}

TEST(VolumeVdb, WhatCannotBeRead) {
  const TemporaryFolder folder;
  const auto refused = [&](const char* what, const std::string& part, const char* grid = "") {
    write_odd_vdb(folder / "a.vdb", what);
    VolumeOptions options;
    options.grid = grid;
    options.memory = 1 << 30;
    expect_line(error_of([&] { read_volume(folder / "a.vdb", options); }), "a.vdb", part);
  };
  refused("nothing", "a VDB without a grid");
  refused("empty", "grid 'density' is empty: no voxel is active");
  refused("vectors", "expected a grid of numbers, found 'v' of type vec3s");
  refused("several", "grid 'v': expected numbers, found vec3s", "v");
  refused("several",
          "no grid 'densty' among 'v', 'material', 'temperature', 'density', did you mean "
          "'density'?",
          "densty");
  refused("frustum", "grid 'density': a tapered (frustum) grid");
  refused("rotated", "grid 'density': its axes are turned or sheared");
  refused("wide", "a volume of 100003 x 100003 x 100003 samples needs");
  refused("infinite", "density of sample 4, 2, 2: expected a finite number, found inf");
}

TEST(VolumeVdb, BrokenFiles) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "a.vdb";
  const auto refused = [&](const std::string& part) {
    expect_line(error_of([&] { read_volume(path); }), path, part);
    expect_line(error_of([&] { list_volume(path); }), path, part);
  };
  refused("no such file");
  testing::put(path, "");
  refused("the file is empty");
  testing::put(path, "BDV");
  refused("not a VDB file");
  testing::put(path, std::string(5000, 'x'));
  refused("not a VDB file");
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  refused("found a folder");
}

// Wherever it ends, it is seen: nothing is read past the end and nothing comes out.
TEST(VolumeVdb, CutFiles) {
  const TemporaryFolder folder;
  for (const bool stream : {false, true}) {
    if (stream)
      write_odd_vdb(folder / "whole.vdb", "stream");
    else
      write_volume(folder / "whole.vdb", lumps(17, 17, 17));
    const std::string whole = get(folder / "whole.vdb");
    ASSERT_GT(whole.size(), 500U);
    for (std::size_t length = 9; length < whole.size();
         length += length < 1200 || length + 50 > whole.size() ? 3 : 1009) {
      testing::put(folder / "cut.vdb", whole.substr(0, length));
      const std::string message = error_of([&] { read_volume(folder / "cut.vdb"); });
      expect_line(message, "cut.vdb", "");
      if (::testing::Test::HasFailure()) FAIL() << "after " << length << " bytes: " << message;
    }
  }
}

}  // namespace
}  // namespace scree::io
