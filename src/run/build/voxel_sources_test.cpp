// Voxels from heightfields, eroded ones too, from meshes and from volumes.
#include "run/build/voxel_sources.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/log.h"
#include "io/file/atomic_file.h"
#include "io/file/io_test.h"
#include "io/mesh/mesh_test.h"
#include "io/volume/volume.h"
#include "run/build/build_voxels.h"
#include "run/runner.h"
#include "run/scene_test.h"

namespace scree {
namespace {

using io::testing::error_of;
using io::testing::TemporaryFolder;
using testing::cpu;

const char* const hills = R"(
[scene]
steps = 60
[terrain]
size = [24, 20]
extent = [12, 10]
[terrain.generate]
relief = 6
base = 100
[water]
rain = "500 mm/h"
[hydraulic]
[[output]]
kind = "height"
file = "height.r32"
)";

std::string voxels_over(const std::string& ground) {
  return R"(
[scene]
steps = 0
[terrain]
kind = "voxels"
size = [48, 40, 36]
cell = 0.25
[[terrain.rock]]
name = "rock"
[[terrain.layer]]
rock = "rock"
)" + ground;
}

std::string without_name(std::string toml, const std::string& name) {
  return toml.replace(toml.find('"' + name + '"'), name.size() + 2, "\"other\"");
}

Voxels built(const std::string& toml, const std::filesystem::path& folder) {
  const Scene scene = parse_scene(toml, "test.toml", folder);
  const RockSpec rocks = make_rocks(scene, cpu());
  Voxels voxels(cpu(), scene.terrain.voxels->shape, rock_materials(rocks),
                scene.terrain.voxels->edges);
  build_rocks(voxels, rocks);
  return voxels;
}

TEST(VoxelSources, AnErodedHeightfieldIsTheSameFromItsSceneItsFolderAndItsRaster) {
  const TemporaryFolder folder;
  io::write_file(folder.path() / "hills.toml", hills);
  RunOptions options;
  options.out = folder.path() / "run";
  options.opened = cpu();
  const RunResult run = run_scene(load_scene(folder.path() / "hills.toml"), options);
  EXPECT_GT(run.ledger.water_left + run.ledger.water_now, 0);
  std::uint64_t first = 0;
  for (const char* source :
       {"scene = \"hills.toml\"", "file = \"run\"", "file = \"run/height.r32\""}) {
    const Voxels voxels = built(
        voxels_over(std::string("[terrain.ground]\nbase = \"1 m\"\n") + source), folder.path());
    if (first == 0) first = voxels.hash();
    EXPECT_EQ(voxels.hash(), first) << source;
    // The lowest place is at 1 m, four voxels up, and what is above it is there too.
    const auto columns = static_cast<long long>(48) * 40;
    EXPECT_GT(voxels.totals().rock, 5 * columns);
    EXPECT_LT(voxels.totals().rock, 28 * columns);
    for (int i = 0; i < 48; ++i) EXPECT_NE(voxels.word(i, 11, 3), 0U);
  }
  Scene plain = load_scene(folder.path() / "hills.toml");
  plain.steps = 0;
  options.out = folder.path() / "plain";
  run_scene(plain, options);
  const Voxels uneroded =
      built(voxels_over("[terrain.ground]\nbase = \"1 m\"\nfile = \"plain\""), folder.path());
  EXPECT_NE(uneroded.hash(), first) << "the ground was not eroded";
}

// Rows of a raster run south, those of voxels north; each height is cut at the middle of a voxel.
TEST(VoxelSources, HeightsLandWhereTheyBelong) {
  const TemporaryFolder folder;
  Raster raster;
  raster.width = 48, raster.height = 40, raster.dx = raster.dy = 0.25;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 48; ++x)
      raster.values.push_back(static_cast<float>(x * 0.1 + (39 - y) * 0.05));
  raster.values[0] = std::numeric_limits<float>::quiet_NaN();
  io::write_raster(folder.path() / "ramp.r32", raster);
  const Voxels voxels =
      built(voxels_over("[terrain.ground]\nfile = \"ramp.r32\"\nscale = 1.5"), folder.path());
  for (int y = 0; y < 39; y += 3)
    for (int x = 0; x < 48; x += 5) {
      const double height = 1.5 * (x * 0.1 + y * 0.05);
      for (int z = 0; z < 36; ++z) {
        const double middle = (z + 0.5) * 0.25;
        if (std::abs(middle - height) < 1e-4) continue;
        ASSERT_EQ(voxels.word(x, y, z) != 0, middle < height) << x << ", " << y;
      }
    }
  EXPECT_EQ(voxels.word(0, 39, 0), 0U) << "no data, no ground";
}

// The lines that something says while it runs.
template <class Run>
std::string said_by(const Run& run) {
  std::string said;
  const LogScope listens([&](LogLevel, const std::string& line) { said += line + "\n"; });
  run();
  return said;
}

TEST(VoxelSources, GroundThatTheBoxCannotHoldIsNamed) {
  const TemporaryFolder folder;
  Raster raster;
  raster.width = 48, raster.height = 40, raster.dx = raster.dy = 0.25;
  raster.values.assign(48 * 40, 3);
  raster.values[5] = 20;
  io::write_raster(folder.path() / "peak.r32", raster);
  const auto said = [&](const std::string& more) {
    return said_by([&] {
      built(voxels_over("[terrain.ground]\nfile = \"peak.r32\"\n" + more), folder.path());
    });
  };
  EXPECT_NE(said("").find("1 of 1920 columns of ground are higher than the box, 9 m"),
            std::string::npos)
      << said("");
  EXPECT_EQ(said("scale = 0.1\n"), "");
}

const char* const beds = R"(
[scene]
steps = 0
[terrain]
kind = "layers"
size = [24, 20]
cell = 0.5
bottom = 0
bedrock = "granite"
[terrain.generate]
kind = "flat"
base = 3
[[terrain.cave]]
at = [3, 3, 1.5]
radius = 1
[[terrain.layer]]
material = "sand"
thickness = 1
[[material]]
name = "granite"
[[material]]
name = "sand"
loose = true
)";

// A scene of layers as ground: its materials by name, its caves, and forms and joints in it.
TEST(VoxelSources, LayersAreGround) {
  const TemporaryFolder folder;
  io::write_file(folder.path() / "beds.toml", beds);
  const std::string box = R"(
[scene]
steps = 0
[terrain]
kind = "voxels"
size = [24, 20, 12]
cell = 0.5
[[terrain.rock]]
name = "sand"
loose = true
jointed = false
[[terrain.rock]]
name = "granite"
)";
  const std::string more = R"(
[[terrain.rock]]
name = "gouge"
[[terrain.joint]]
rock = "gouge"
offset = 10.25
spacing = 100
thickness = 0.5
[[terrain.form]]
at = [6, 5, 3]
size = [2, 2, 3]
rock = "granite"
[[terrain.form]]
at = [9, 9, 0]
size = [1, 1, 9]
carve = true
[terrain.ground]
scene = "beds.toml"
)";
  std::optional<Voxels> kept;
  EXPECT_EQ(said_by([&] { kept.emplace(built(box + more, folder.path())); }), "");
  const Voxels& voxels = *kept;
  const std::string lifted = said_by([&] { built(box + more + "base = 7\n", folder.path()); });
  // The uppermost metre of 12 x 10 m of sand.
  EXPECT_NE(lifted.find("120 m3 of its layers lie below or above the box"), std::string::npos)
      << lifted;
  const auto material = [&](int x, int y, int z) { return voxel_material(voxels.word(x, y, z)); };
  EXPECT_EQ(material(2, 17, 0), 2U);
  EXPECT_EQ(voxels.word(2, 17, 5), voxel_word(VOXEL_FULL, 2));
  EXPECT_EQ(voxels.word(2, 17, 7), voxel_word(VOXEL_FULL, 1));
  EXPECT_EQ(voxels.word(2, 17, 8), 0U);
  EXPECT_EQ(voxels.word(6, 6, 2), 0U) << "the cave";
  EXPECT_EQ(material(6, 6, 6), 1U) << "the sand above it";
  EXPECT_EQ(material(12, 10, 9), 2U) << "a form on top";
  EXPECT_EQ(voxels.word(18, 18, 2), 0U) << "a hole";
  EXPECT_EQ(material(20, 4, 1), 3U) << "a joint";
  // Two voxels high, but for the form and the hole; no joint cuts it.
  EXPECT_EQ(voxels.totals().loose, 24 * 20 * 2 - 32 - 8);
  EXPECT_NE(error_of([&] {
              built(without_name(box, "granite") + more, folder.path());
            }).find("layers of 'granite'"),
            std::string::npos);
}

Mesh box_mesh(float low, float high) {
  Mesh mesh;
  for (std::uint32_t k = 0; k < 8; ++k)
    mesh.positions.push_back(
        {(k & 1) != 0 ? high : low, (k & 2) != 0 ? high : low, (k & 4) != 0 ? high : low});
  const std::array<std::array<std::uint32_t, 4>, 6> faces = {
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  for (const auto& f : faces) {
    mesh.triangles.push_back({f[0], f[1], f[2]});
    mesh.triangles.push_back({f[0], f[2], f[3]});
  }
  return mesh;
}

TEST(VoxelSources, MeshesOfEveryKind) {
  const TemporaryFolder folder;
  for (const std::string& ending : io::testing::writable_mesh_endings()) {
    const std::string name = "box" + ending;
    io::write_mesh((folder.path() / name).string(), box_mesh(1, 4));
    const Voxels own = built(
        voxels_over("[[terrain.form]]\nkind = \"mesh\"\nfile = \"" + name + "\""), folder.path());
    EXPECT_EQ(own.totals().rock, 12 * 12 * 12) << ending;
    EXPECT_NE(own.word(4, 4, 4), 0U);
    EXPECT_EQ(own.word(3, 4, 4), 0U);
    const Voxels placed = built(voxels_over("[[terrain.form]]\nkind = \"mesh\"\nfile = \"" + name +
                                            "\"\nat = [6, 5, 0]\nscale = 2"),
                                folder.path());
    EXPECT_EQ(placed.totals().rock, 24 * 24 * 24) << ending;
    EXPECT_NE(placed.word(24, 20, 0), 0U);
  }
}

TEST(VoxelSources, VolumesGiveBackTheVoxelsThatTheyWereWrittenFrom) {
  try {
    io::check_volume_name("a.vdb");
  } catch (const Error&) {
    GTEST_SKIP() << "built without OpenVDB";
  }
  const TemporaryFolder folder;
  const std::string forms = R"(
[[terrain.form]]
kind = "ball"
at = [5, 5, 1]
size = [6, 7, 5]
noise = "0.5 m"
[weathering]
[[weathering.bubble]]
radius_voxels = 4
[[output]]
kind = "volume"
file = "ball.vdb"
)";
  Scene scene = parse_scene(voxels_over(forms), "ball.toml");
  scene.steps = 8;
  RunOptions options;
  options.out = folder.path();
  options.opened = cpu();
  const RunResult run = run_scene(scene, options);
  const Voxels again =
      built(voxels_over("[[terrain.form]]\nkind = \"volume\"\nfile = \"ball.vdb\"\nlevel = 1e-9"),
            folder.path());
  EXPECT_EQ(again.totals().rock, run.weathering->rock);
  EXPECT_GT(again.totals().rock, 1000);
  const Voxels half =
      built(voxels_over("[[terrain.form]]\nkind = \"volume\"\nfile = \"ball.vdb\""), folder.path());
  EXPECT_LT(half.totals().rock, run.weathering->rock);
}

TEST(VoxelSources, WhatIsWrongIsNamed) {
  const TemporaryFolder folder;
  io::write_file(folder.path() / "hills.toml", hills);
  Mesh open = box_mesh(1, 4);
  open.triangles.pop_back();
  io::write_mesh((folder.path() / "open.ply").string(), open);
  const auto message = [&](const std::string& more) {
    return error_of([&] { built(voxels_over(more), folder.path()); });
  };
  const auto says = [&](const std::string& more, const std::string& words) {
    EXPECT_NE(message(more).find(words), std::string::npos) << message(more);
  };
  says("[terrain.ground]\nbase = 1", "expected scene");
  says("[terrain.ground]\nfile = \"none.tif\"", "none.tif");
  says("[terrain.ground]\nscene = \"none.toml\"", "none.toml");
  says("[terrain.ground]\nfile = \".\"", "report.json");
  says("[terrain.generate]\n[terrain.ground]\nscene = \"hills.toml\"", "not both");
  says("[[terrain.form]]\nkind = \"mesh\"\nfile = \"open.ply\"", "no closed surface");
  says("[[terrain.form]]\nkind = \"mesh\"", "expected file");
  says("[[terrain.form]]\nkind = \"mesh\"\nfile = \"a.ply\"\nsize = [1, 1, 1]", "scale");
  says("[[terrain.form]]\nkind = \"block\"\nfile = \"a.ply\"\nsize = [1, 1, 1]", "kind = \"mesh\"");
  says("[[terrain.form]]\nkind = \"volume\"\nfile = \"none.vdb\"", "none.vdb");
  std::string larger = voxels_over("[terrain.ground]\nscene = \"hills.toml\"");
  larger.replace(larger.find("0.25"), 4, "0.5 ");
  EXPECT_NE(
      error_of([&] { built(larger, folder.path()); }).find("12 x 10 m under a box of 24 x 20"),
      std::string::npos);
  built(larger + "\nstretch = true", folder.path());
}

TEST(VoxelSources, ARunOfTheGroundCanBeStopped) {
  const TemporaryFolder folder;
  io::write_file(folder.path() / "hills.toml", hills);
  const Scene scene = parse_scene(voxels_over("[terrain.ground]\nscene = \"hills.toml\""),
                                  "test.toml", folder.path());
  CancelToken cancel;
  cancel.cancel();
  EXPECT_THROW(make_rocks(scene, cpu(), nullptr, &cancel), Cancelled);
}

}  // namespace
}  // namespace scree
