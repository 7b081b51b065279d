// The example scenes of layers, and that each shows what its words say.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "io/file/atomic_file.h"
#include "io/file/io_test.h"
#include "run/build/build.h"
#include "run/build/build_layers.h"
#include "run/checkpoints.h"
#include "run/layers/layer_state.h"
#include "run/run_folder.h"
#include "run/runner.h"
#include "run/scene_test.h"
#include "terrain/layers/strata.h"

namespace scree {
namespace {

using io::testing::TemporaryFolder;
using testing::cpu;
using testing::material;
using testing::options_for;

// As its words say. Half as fine, since debris settles as heat spreads: in a quarter of the time.
TEST(LayerExamples, TheBouldersOfTheExampleComeToRest) {
  Scene scene = load_scene(std::filesystem::path(SCREE_EXAMPLES) / "layers/boulders.toml");
  scene.set_size(90, 55);
  scene.steps = 4000;
  scene.outputs.clear();
  const TemporaryFolder folder;
  const RunResult result = run_scene(scene, options_for(folder));
  EXPECT_EQ(result.counts.at("stones.stones"), 901);
  EXPECT_EQ(result.counts.at("stones.stones_at_rest"), 901);
}

TEST(LayerExamples, EveryExampleRunsWithTheSameBitsAtASmallSize) {
  int scenes = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(SCREE_EXAMPLES) / "layers")) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path());
    ++scenes;
    Scene scene = load_scene(entry.path());
    scene.set_size(70, 37);  // several tiles of OpenCL each way, and parts of them
    scene.steps = 12;
    scene.time = 0;
    // Pictures need a device that draws; GeoTIFF is a part that a build may leave out.
    std::erase_if(scene.outputs,
                  [](const OutputSettings& o) { return o.kind == OutputKind::picture; });
    for (OutputSettings& output : scene.outputs)
      if (output.file.ends_with(".tif")) output.file += ".npy";
    std::map<std::string, std::uint64_t> expected;
    for (const char* selector : {"cpu", "opencl"}) {
      const TemporaryFolder folder;
      const RunResult result =
          run_scene(scene, options_for(folder, testing::open_selected(selector)));
      EXPECT_EQ(result.layers->error(), 0);
      for (const auto& output : result.outputs) EXPECT_TRUE(std::filesystem::exists(output));
      if (expected.empty()) expected = result.hashes;
      EXPECT_EQ(result.hashes, expected) << result.device;
    }
  }
  EXPECT_GE(scenes, 6);
}

// As the comment in the scene says: a raster instead of extent and generator, with cells of its
// own.
TEST(LayerExamples, ARasterTakesThePlaceOfOlympus) {
  if (!io::can_write(io::Format::geotiff)) GTEST_SKIP() << "built without GDAL";
  const TemporaryFolder folder;
  const auto file = std::filesystem::path(SCREE_EXAMPLES) / "layers/olympus.toml";
  std::string words = io::read_file(file);
  const auto line = words.find("\nextent = "), table = words.find("\n[terrain.generate]\n"),
             after = words.find("\n[[terrain.layer]]\n");
  ASSERT_TRUE(line < table && table < after && after != std::string::npos);
  words.erase(table, after - table);
  words.replace(line, words.find('\n', line + 1) - line, "\nsource = \"mola.tif\"");
  const auto cap = words.find("../data/cap.png");
  ASSERT_NE(cap, std::string::npos);
  words.replace(cap, 15, (file.parent_path() / "../data/cap.png").string());
  Raster mola;
  mola.width = 44, mola.height = 30;
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 44; ++x) mola.values.push_back(static_cast<float>(100 * x + 10 * y - 3000));
  mola.geo.present = true;
  mola.geo.transform = {-7e6, 15000, 0, 1.1e6, 0, -22000};
  io::write_raster(folder / "mola.tif", mola);
  Scene scene = parse_scene(words, "olympus.toml", folder.path());
  scene.set_size(22, 20);
  scene.steps = 2;
  const LoadedLayers land = load_layers(scene, cpu());
  EXPECT_EQ(land.layers->shape().width, 22);
  EXPECT_EQ(land.layers->shape().height, 20);
  EXPECT_EQ(land.layers->shape().dx, 30000);
  EXPECT_EQ(land.layers->shape().dy, 33000);
  // Ground, and 400 to 2040 m on it.
  for (const std::size_t cell : {std::size_t{0}, std::size_t{9 * 22 + 10}, std::size_t{439}}) {
    const std::size_t column = cell % 22, row = cell / 22;
    const double ground = (2.0 * static_cast<double>(column) + 0.5) * 100 +
                          (1.5 * static_cast<double>(row) + 0.25) * 10 - 3000;
    EXPECT_GT(land.layers->heights()[cell], ground + 380) << cell;
    EXPECT_LT(land.layers->heights()[cell], ground + 2040) << cell;
  }
  const int ice = material(*land.layers, "ice");
  EXPECT_EQ(land.layers->stacks()[9 * 22 + 10].back().material, ice) << "the middle";
  EXPECT_NE(land.layers->stacks()[0].back().material, ice);
  EXPECT_EQ(land.frame.geo.transform[1], 30000);
  scene.outputs.clear();
  EXPECT_EQ(run_scene(scene, options_for(folder)).layers->error(), 0);
}

// What of the ground passes a test: how far it reaches from west to east and how high it is.
struct Part {
  double west = 1e9, east = -1e9, low = 1e9, high = -1e9;
  void add(double x, double z) {
    west = std::min(west, x), east = std::max(east, x);
    low = std::min(low, z), high = std::max(high, z);
  }
};

// The measures of the source document, in metres of the ground that the beds lie on.
TEST(LayerExamples, OlympusIsAsLargeAsItIs) {
  Scene scene = load_scene(std::filesystem::path(SCREE_EXAMPLES) / "layers/olympus.toml");
  scene.set_size(330, 330);
  const LoadedGround ground = load_ground(scene, *cpu(), {});
  const double cell = ground.shape.dx, plain = static_cast<double>(ground.heights[0]);
  EXPECT_EQ(cell, 2000);
  const auto at = [&](int x, int y) {
    return static_cast<double>(
        ground.heights[static_cast<std::size_t>(y) * 330 + static_cast<std::size_t>(x)]);
  };
  Part all, volcano, calderas;
  for (int y = 0; y < 330; ++y)
    for (int x = 0; x < 330; ++x) {
      const double east = (x - 164.5) * cell;
      all.add(east, at(x, y));
      if (at(x, y) > plain + 500) volcano.add(east, at(x, y));
    }
  EXPECT_NEAR(all.high - all.low, 21900, 700) << "some of it is flows of lava";
  EXPECT_NEAR(volcano.east - volcano.west, 590e3, 15e3);
  for (int y = 140; y < 190; ++y)
    for (int x = 140; x < 190; ++x) {
      const double east = (x - 164.5) * cell, away = std::hypot(east, (y - 164.5) * cell);
      if (away < 42e3 && at(x, y) < all.high - 1000) calderas.add(east, at(x, y));
    }
  EXPECT_NEAR(calderas.east - calderas.west, 70e3, 11e3) << "80 km from rim to rim";
  EXPECT_GT(calderas.high - calderas.low, 1000);
  // How far it falls over 16 km, on its flanks and at its foot: the most in four directions.
  const auto steepest = [&](int from, int to) {
    double most = 0;
    for (int r = from; r < to; ++r)
      for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
        most = std::max(
            most, at(164 + r * dx, 164 + r * dy) - at(164 + (r + 8) * dx, 164 + (r + 8) * dy));
    return most;
  };
  EXPECT_LT(steepest(30, 110), 2500);
  EXPECT_GT(steepest(120, 150), 5000) << "a scarp";
}

// Five layers a column of the volcano, as the source document has them.
TEST(LayerExamples, OlympusHasFiveLayers) {
  Scene scene = load_scene(std::filesystem::path(SCREE_EXAMPLES) / "layers/olympus.toml");
  scene.set_size(150, 150);
  const LoadedLayers land = load_layers(scene, cpu());
  const std::vector<Stack> stacks = land.layers->stacks();
  const std::vector<float> heights = land.layers->heights();
  std::size_t columns = 0, five = 0;
  for (std::size_t cell = 0; cell < stacks.size(); ++cell) {
    if (heights[cell] < 2000) continue;
    ++columns;
    five += stacks[cell].size() >= 5 ? 1 : 0;
  }
  EXPECT_GT(columns, 10000U);
  EXPECT_GT(static_cast<double>(five), 0.99 * static_cast<double>(columns));
  std::vector<std::string> flank;
  for (const Layer& layer : stacks[75 * 150 + 25])
    flank.push_back(land.layers->materials()[static_cast<std::size_t>(layer.material) - 1].name);
  EXPECT_EQ(flank, (std::vector<std::string>{"basalt", "old lava", "ash", "lava", "dust"}));
}

// Before and after a run: the letter stays to the quantum in every column, and of the mud over all
// of it a twentieth is left at most. Answers the columns of the letter that keep more of their own.
int columns_with_mud(Scene scene, int columns) {
  const LoadedLayers before = load_layers(scene, cpu());
  scene.outputs.resize(1);
  scene.outputs[0].file = "height.npy";
  const TemporaryFolder folder;
  RunOptions options = options_for(folder);
  options.checkpoint_every = scene.steps - 1;
  run_scene(scene, options);
  const Layers after =
      read_layers(io::CheckpointReader(RunFolder(options.out).checkpoints()[0].path), cpu());
  const int granite = material(after, "granite"), mud = material(after, "mud");
  const auto quanta = [](const Stack& stack, int wanted) {
    long long sum = 0;
    for (const Layer& layer : stack) sum += layer.material == wanted ? layer.quanta : 0;
    return sum;
  };
  const std::vector<Stack> start = before.layers->stacks(), end = after.stacks();
  long long was = 0, is = 0;
  int letter = 0, muddy = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    EXPECT_EQ(quanta(end[i], granite), quanta(start[i], granite)) << i;
    if (quanta(start[i], granite) == 0) continue;
    ++letter;
    was += quanta(start[i], mud);
    is += quanta(end[i], mud);
    muddy += quanta(end[i], mud) * 20 > quanta(start[i], mud) ? 1 : 0;
  }
  EXPECT_GT(letter, columns);
  EXPECT_GT(was, columns * layer_quanta(after.shape(), 1));
  EXPECT_LE(is, was / 20);
  return muddy;
}

// A coarser map has columns that the letter's edge runs through: low ones, which mud may cover.
TEST(LayerExamples, TheHardLetterStays) {
  Scene scene = load_scene(std::filesystem::path(SCREE_EXAMPLES) / "layers/hard-w.toml");
  scene.set_size(100, 100);
  scene.steps = 300;
  EXPECT_LT(columns_with_mud(scene, 1500), 100);
}

TEST(LayerExamples, LongTheHardLetterStaysAtItsOwnSize) {
  const Scene scene = load_scene(std::filesystem::path(SCREE_EXAMPLES) / "layers/hard-w.toml");
  EXPECT_EQ(columns_with_mud(scene, 30000), 0);
}

}  // namespace
}  // namespace scree
