#include <gtest/gtest.h>

#include "io/file/atomic_file.h"
#include "io/file/io_test.h"
#include "run/checkpoints.h"
#include "run/run_folder.h"
#include "run/runner.h"
#include "run/scene_test.h"

namespace scree {
namespace {

std::vector<std::filesystem::path> examples() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(SCREE_EXAMPLES))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  return files;
}

TEST(Examples, EveryOneRunsAtASmallSize) {
  const auto& device = testing::cpu();
  ASSERT_GE(examples().size(), 17U);
  for (const std::filesystem::path& file : examples()) {
    SCOPED_TRACE(file);
    const io::testing::TemporaryFolder folder;
    Scene scene = load_scene(file);
    scene.set_size(32, 32);
    scene.steps = 5;
    scene.time = 0;
    RunOptions options;
    options.out = folder.path() / "out";
    options.opened = device;
    const RunResult result = run_scene(scene, options);
    EXPECT_EQ(result.steps, 5U);
    EXPECT_EQ(result.ledger.water_error(), 0);
    EXPECT_EQ(result.ledger.solids_error(), 0);
    for (const std::filesystem::path& output : result.outputs)
      EXPECT_TRUE(std::filesystem::exists(output)) << output;
    EXPECT_TRUE(std::filesystem::exists(options.out / "relief.png"));
  }
}

TEST(Examples, APresetIsTheExample) {
  for (const std::string& name : preset_names())
    EXPECT_EQ(preset_text(name),
              io::read_file(std::filesystem::path(SCREE_EXAMPLES) / (name + ".toml")));
}

// The processes of a preset on a DEM.
Scene alpine_on_dem(std::uint64_t steps) {
  Scene scene = preset("alpine");
  use_source(scene, std::filesystem::path(SCREE_EXAMPLES) / "data/jacksboro.tif");
  scene.steps = steps;
  scene.time = 0;
  scene.outputs.clear();
  return scene;
}

// The DEM is geographic: its own size and cells, or another size over the same extent.
TEST(Examples, APresetErodesAnotherTerrain) {
  const io::testing::TemporaryFolder folder;
  Scene scene = alpine_on_dem(1);
  RunOptions options;
  options.out = folder.path() / "out";
  options.device.selector = "cpu";
  options.device.threads = 1;
  const RunResult own = run_scene(scene, options);
  const Raster source = io::read_raster(scene.terrain.file);
  EXPECT_EQ(own.width, source.width);
  EXPECT_EQ(own.dx, source.dx);
  EXPECT_EQ(io::read_raster(own.outputs.at(0)).geo.transform, source.geo.transform);
  scene.set_size(40, 30);
  const RunResult small = run_scene(scene, options);
  EXPECT_EQ(small.width, 40);
  EXPECT_NEAR(small.width * small.dx, source.width * source.dx, 1e-6 * source.width * source.dx);
  EXPECT_NEAR(small.height * small.dy, source.height * source.dy, 1e-6 * source.height * source.dy);
}

TEST(Examples, ACheckpointKeepsTheGeoreference) {
  const io::testing::TemporaryFolder folder;
  const Scene scene = alpine_on_dem(2);
  RunOptions options;
  options.out = folder.path() / "out";
  options.opened = testing::cpu();
  options.checkpoint_every = 1;
  run_scene(scene, options);
  const Raster frame =
      read_frame(io::CheckpointReader(RunFolder(options.out).checkpoints().at(0).path));
  const Raster source = io::read_raster(scene.terrain.file);
  EXPECT_TRUE(frame.geo.present);
  EXPECT_EQ(frame.geo.transform, source.geo.transform);
  EXPECT_EQ(frame.geo.crs_wkt, source.geo.crs_wkt);
  EXPECT_EQ(frame.geo.geographic, source.geo.geographic);
  EXPECT_EQ(frame.geo.pixel_is_point, source.geo.pixel_is_point);
  EXPECT_EQ(frame.dx, source.dx);
  EXPECT_EQ(frame.dy, source.dy);
}

}  // namespace
}  // namespace scree
