// Scenes of layers: what they may say, what they make, how they run and go on.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/log.h"
#include "io/atomic_file.h"
#include "io/io_test.h"
#include "io/mesh.h"
#include "io/npy.h"
#include "scene/build.h"
#include "scene/build_layers.h"
#include "scene/checkpoints.h"
#include "scene/layer_state.h"
#include "scene/runner.h"
#include "scene/scene_test.h"
#include "terrain/materials.h"
#include "terrain/strata.h"

namespace scree {
namespace {

using io::testing::error_of;
using io::testing::TemporaryFolder;
using testing::cpu;
using testing::material;
using testing::options_for;
using testing::options_in;
using testing::StopAfter;

const char* const everything = R"(
[scene]
seed = 5
steps = 30
[terrain]
kind = "layers"
size = [40, 30]
cell = 2
borders = "closed"
bottom = -30
bedrock = "granite"
[terrain.generate]
kind = "mountain"
relief = 40
[terrain.strata]
top = 30
dip = 10
dip_direction = 120
fold = { noise = 3, noise_size = 30 }
[[terrain.strata.bed]]
material = "limestone"
thickness = 6
[[terrain.strata.bed]]
material = "marl"
thickness = { value = 5, noise = 2, noise_size = 20 }
[[terrain.fault]]
at = [40, 30]
strike = 20
throw = 7
[[terrain.lens]]
material = "ice"
at = [20, 20, 0]
size = [20, 16, 6]
[[terrain.layer]]
material = "loam"
thickness = 1.5
[[terrain.layer]]
material = "mud"
up_to = 4
[[terrain.cave]]
path = [[5, 30, -5], [60, 30, -8]]
radius = 4
height = 6
wider = { noise = 1, noise_size = 10 }
[[material]]
name = "marl"
like = "shale"
talus = 40
colour = "#a0a0b0"
[[material]]
name = "limestone"
ceiling = 0.01
[slippage]
scatter = 0.05
)";

TEST(LayerScene, RulesBecomeStacks) {
  const Scene scene = parse_scene(everything, "s.toml");
  const LoadedLayers land = load_layers(scene, cpu());
  const Layers& layers = *land.layers;
  EXPECT_EQ(layers.shape().width, 40);
  EXPECT_EQ(layers.shape().dx, 2);
  EXPECT_EQ(layers.shape().datum, -30);
  EXPECT_EQ(layers.materials()[0].name, "marl") << "the scene's own come first";
  EXPECT_EQ(layers.materials()[0].talus, 40);
  EXPECT_EQ(layers.materials()[0].density, 2400) << "as shale's";
  const auto& marl = layers.materials()[0];
  EXPECT_EQ(layers.materials()[static_cast<std::size_t>(marl.dust) - 1].name, "clay");
  const std::vector<long long> totals = layers.totals();
  for (const char* name : {"granite", "limestone", "marl", "ice", "loam", "mud"})
    EXPECT_GT(totals[static_cast<std::size_t>(material(layers, name))], 0) << name;
  EXPECT_GT(totals[0], 0) << "the cave";
}

TEST(LayerScene, RunsWithAClosedLedgerAndWritesWhatIsAskedFor) {
  Scene scene = parse_scene(std::string(everything) + R"(
[[output]]
kind = "height"
file = "height.npy"
[[output]]
kind = "field"
field = "thickness.loam"
file = "loam.npy"
[[output]]
kind = "field"
field = "material"
file = "material.npy"
[[output]]
kind = "field"
field = "layers"
file = "layers.npy"
[[output]]
kind = "mesh"
file = "cut.ply"
cut = [[0, 30], [80, 30]]
)",
                            "s.toml");
  const TemporaryFolder folder;
  const RunResult result = run_scene(scene, options_for(folder));
  ASSERT_TRUE(result.layers);
  EXPECT_EQ(result.layers->error(), 0);
  EXPECT_EQ(result.steps, 30U);
  EXPECT_EQ(result.outputs.size(), 5U);
  const io::Raster loam = io::read_raster(folder.path() / "out/loam.npy");
  double metres = 0;
  for (const float value : loam.values) metres += static_cast<double>(value);
  EXPECT_NEAR(metres,
              static_cast<double>(result.layers->materials.at("loam")) * result.layer_quantum,
              0.01);
  EXPECT_FALSE(io::read_mesh((folder.path() / "out/cut.ply").string()).triangles.empty());
  const auto report = nlohmann::json::parse(result.report_text);
  EXPECT_EQ(report["terrain"], "layers");
  EXPECT_EQ(report["ledger"]["error"], 0);
  EXPECT_TRUE(report["hashes"].contains("layers"));
  const auto& balances = report["ledger"]["quanta"];
  const bool together = std::any_of(balances.begin(), balances.end(), [](const auto& b) {
    return b["of"] == nlohmann::json({"marl", "clay"}) && b["start"] == b["end"];
  });
  EXPECT_TRUE(together) << report["ledger"].dump();
}

TEST(LayerScene, ResumedRunsEndLikeUninterruptedOnes) {
  const Scene scene = parse_scene(everything, "s.toml");
  const TemporaryFolder whole, part;
  const RunResult expected = run_scene(scene, options_for(whole));
  RunOptions options = options_for(part);
  StopAfter stop(11);
  options.progress = &stop;
  options.cancel = &stop.token;
  EXPECT_THROW(run_scene(scene, options), Cancelled);
  ASSERT_EQ(list_checkpoints(options.out).size(), 1U);
  const io::CheckpointReader file(list_checkpoints(options.out)[0].path);
  ASSERT_TRUE(holds_layers(file));
  const Layers seen = read_layers(file, cpu());
  EXPECT_EQ(seen.shape().datum, -30);
  EXPECT_EQ(seen.materials()[0].name, "marl");
  for (const Material& m : seen.materials()) {
    const NamedMaterial* preset = find_material_preset(m.name);
    EXPECT_EQ(m.loose, preset != nullptr && preset->material.loose) << m.name;
    EXPECT_EQ(m.melting, preset != nullptr ? preset->material.melting : 0) << m.name;
  }
  options.progress = nullptr;
  options.cancel = nullptr;
  options.resume = true;
  const RunResult resumed = run_scene(scene, options);
  EXPECT_EQ(resumed.resumed_from, 11U);
  EXPECT_EQ(resumed.hashes, expected.hashes);
  EXPECT_EQ(resumed.layers->error(), 0);
  Scene other = scene;
  other.apply_override("terrain.bottom=-31");
  EXPECT_NE(error_of([&] { run_scene(other, options); }).find("other settings"), std::string::npos);
}

// The scene names no water among its materials: it is there since there are caves for it.
TEST(LayerScene, ALakeRunsIntoACave) {
  const TemporaryFolder folder;
  const Scene scene = parse_scene(R"([scene]
steps = 200
[terrain]
kind = "layers"
size = [40, 12]
cell = 1
borders = "closed"
bottom = -5
[terrain.generate]
kind = "plane"
slope = 20
angle = 270
relief = 14
[[terrain.cave]]
path = [[-5, 6, 3], [32, 6, 3]]
radius = 2
[water]
rain = 0.002
[[output]]
kind = "field"
field = "thickness.water"
file = "water.npy"
[[output]]
kind = "mesh"
file = "solid.ply"
)",
                                  "lake.toml");
  const RunResult result = run_scene(scene, options_for(folder));
  EXPECT_EQ(result.layers->error(), 0);
  const io::Raster inside = io::read_raster(folder.path() / "out/water.npy");
  EXPECT_GT(*std::max_element(inside.values.begin(), inside.values.end()), 0.1F);
  const io::Mesh mesh = io::read_mesh((folder.path() / "out/solid.ply").string());
  const std::array<std::uint8_t, 3> blue{64, 118, 160};
  const auto is_water = [&](const auto& colour) {
    return std::equal(blue.begin(), blue.end(), colour.begin());
  };
  EXPECT_TRUE(std::any_of(mesh.colours.begin(), mesh.colours.end(), is_water));
}

// Nor does it name water for ice to melt into.
TEST(LayerScene, IceMeltsIntoWaterThatRunsAndErodes) {
  for (const char* flows : {"[slippage]\n", "[water]\nrain = 0\n[hydraulic]\n"}) {
    SCOPED_TRACE(flows);
    const TemporaryFolder folder;
    const RunResult result = run_scene(parse_scene(std::string(R"([scene]
steps = 60
dt = 0.5
[terrain]
kind = "layers"
size = [24, 8]
cell = 5
borders = "closed"
bottom = -5
bedrock = "clay"
[terrain.generate]
kind = "plane"
relief = 14
[[terrain.layer]]
material = "ice"
thickness = { value = 2 }
[melt]
rate = 0.005
)") + flows,
                                                   "ice.toml"),
                                       options_for(folder));
    EXPECT_EQ(result.layers->error(), 0);
    long long entered = 0;
    for (const LayerBalance& balance : result.layers->balances)
      if (balance.of.front() == "water") entered = balance.entered;
    // 0.15 m in each cell, by the weight of ice.
    EXPECT_NEAR(static_cast<double>(entered) * result.layer_quantum, 24 * 8 * 0.15 * 0.917, 0.5);
  }
}

TEST(LayerScene, StonesAreListedAndLieOnTheSolid) {
  const std::string words = std::string(everything) + R"(
[stones]
count = 30
[[stones.stone]]
x = 0.25
y = 0.1
radius = 3
[[output]]
kind = "stones"
every = 10
[[output]]
kind = "stones"
file = "stones.json"
[[output]]
kind = "mesh"
file = "with.ply"
)";
  const TemporaryFolder folder;
  run_scene(parse_scene(words, "s.toml"), options_for(folder));
  const auto list = nlohmann::json::parse(io::read_file(folder.path() / "out/stones.json"));
  ASSERT_EQ(list.size(), 31U);
  // A quarter from the west of 80 m, a tenth from the north of 60 m.
  EXPECT_NEAR(list[0]["x"].get<double>(), 20, 3);
  EXPECT_NEAR(list[0]["y"].get<double>(), 54, 3);
  EXPECT_NEAR(list[0]["mass"].get<double>(), 2700 * 4.18879 * 27, 1);
  const std::string lines = io::read_file(folder.path() / "out/stones-000030.csv");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 32);
  const io::Mesh mesh = io::read_mesh((folder.path() / "out/with.ply").string());
  // The least of its faces is 0.46 of the radius away from its middle.
  const double top = list[0]["height"].get<double>() + 1.3;
  const auto on_it = [&](const io::Mesh::Vector& p) {
    return std::hypot(static_cast<double>(p[0]) + 40 - list[0]["x"].get<double>(),
                      static_cast<double>(p[1]) + 30 - list[0]["y"].get<double>()) < 0.7 &&
           static_cast<double>(p[2]) > top;
  };
  EXPECT_TRUE(std::any_of(mesh.positions.begin(), mesh.positions.end(), on_it));
  const auto refused = [&](const std::string& scene) {
    return error_of([&] { run_scene(parse_scene(scene, "s.toml"), options_for(folder)); });
  };
  const std::string wanted = "\n[[output]]\nkind = \"stones\"\n";
  EXPECT_NE(refused(everything + wanted).find("expected a table [stones]"), std::string::npos);
  EXPECT_NE(refused("[scene]\nsteps = 1\n" + wanted).find("of layers alone"), std::string::npos);
  EXPECT_NE(refused(everything + wanted + "file = \"stones.txt\"\n").find("a .csv or .json"),
            std::string::npos);
}

// Before the run, not at its end.
TEST(LayerScene, RefusesACutThatKeepsNothing) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& scene) {
    return error_of([&] { run_scene(parse_scene(scene, "s.toml"), options_for(folder)); });
  };
  const std::string picture = "\n[[output]]\nkind = \"picture\"\ncut = [[9, 0], [0, 0]]\n";
  EXPECT_NE(refused(everything + picture).find("cut: expected some of the terrain, which is 80 x"),
            std::string::npos);
  EXPECT_NE(refused("[scene]\nsteps = 1\n" + picture).find("cut: of layers alone"),
            std::string::npos);
}

// As its words say. Half as fine, since debris settles as heat spreads: in a quarter of the time.
TEST(LayerScene, TheBouldersOfTheExampleComeToRest) {
  Scene scene = load_scene(std::filesystem::path(SCREE_EXAMPLES) / "layers/boulders.toml");
  scene.set_size(90, 55);
  scene.steps = 4000;
  scene.outputs.clear();
  const TemporaryFolder folder;
  const RunResult result = run_scene(scene, options_for(folder));
  EXPECT_EQ(result.counts.at("stones.stones"), 901);
  EXPECT_EQ(result.counts.at("stones.stones_at_rest"), 901);
}

TEST(LayerScene, SameBitsOnEveryDeviceAndThreadCount) {
  Scene scene = parse_scene(everything, "s.toml");
  scene.set_size(20, 15);
  scene.steps = 8;
  scene.outputs = {};
  std::uint64_t expected = 0;
  for (const char* selector : {"cpu", "cpu", "opencl"}) {
    device::DeviceOptions device;
    device.selector = selector;
    device.threads = expected == 0 ? 1 : 2;
    const TemporaryFolder folder;
    const RunResult result = run_scene(scene, options_for(folder, device::open_device(device)));
    if (expected == 0) expected = result.hashes.at("layers");
    EXPECT_EQ(result.hashes.at("layers"), expected) << result.device;
  }
}

TEST(LayerScene, EveryExampleRunsWithTheSameBitsAtASmallSize) {
  int scenes = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(SCREE_EXAMPLES) / "layers")) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path());
    ++scenes;
    Scene scene = load_scene(entry.path());
    scene.set_size(24, 20);
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
  EXPECT_GE(scenes, 2);
}

// As the comment in the scene says: a raster instead of extent and generator, with cells of its
// own.
TEST(LayerScene, ARasterTakesThePlaceOfOlympus) {
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
  io::Raster mola;
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

// What the library says of an action, a line each.
template <class Action>
std::string notes_of(Action action) {
  std::string said;
  set_log_sink([&](LogLevel, const std::string& line) { said += line + "\n"; });
  action();
  set_log_sink({});
  return said;
}

const char* const level = R"(
[scene]
steps = 0
[terrain]
kind = "layers"
size = [10, 8]
cell = 4
)";

TEST(LayerScene, WhatHeightsAndSolidsLackIsTold) {
  const TemporaryFolder folder;
  const std::string roof = std::string(level) +
                           "[[terrain.layer]]\nmaterial = \"void\"\nthickness = 5\n"
                           "[[terrain.layer]]\nmaterial = \"granite\"\nthickness = 0.0625\n";
  const std::string outputs =
      "[[output]]\nkind = \"height\"\nfile = \"a.npy\"\n"
      "[[output]]\nkind = \"height\"\nfile = \"b.npy\"\n"
      "[[output]]\nkind = \"mesh\"\nfile = \"a.ply\"\n";
  const auto said = [&](const std::string& words) {
    return notes_of([&] { run_scene(parse_scene(words, "s.toml"), options_for(folder)); });
  };
  EXPECT_EQ(said(roof + outputs),
            "a.npy: heights of the top surface: 6400 m3 of voids below it are not in them; kind = "
            "\"mesh\" has them\n"
            "a.ply: 80 columns have roofs, floors or voids that are thinner than the 0.090625 m "
            "between samples, 80 m3 in all, which the solid may lack; the thinnest has 0.0625 m "
            "(cell_z chooses other samples)\n");
  EXPECT_EQ(said(level + outputs), "");
}

TEST(LayerScene, AMapThatLeavesNoThicknessIsRefused) {
  const TemporaryFolder folder;
  std::vector<float> values(80, 0.5F);
  io::write_npy(folder.path() / "half.npy", 10, 8, values);
  values[7] = values[8] = -1;
  io::write_npy(folder.path() / "some.npy", 10, 8, values);
  io::write_npy(folder.path() / "none.npy", 10, 8, std::vector<float>(80, -2));
  const auto load = [&](const std::string& thickness) {
    const Scene scene =
        parse_scene(std::string(level) + "[[terrain.layer]]\nmaterial = \"mud\"\nthickness = { " +
                        thickness + " }\n",
                    "s.toml", folder.path());
    return static_cast<double>(load_layers(scene, cpu()).layers->totals()[2]) / 1024;
  };
  EXPECT_EQ(error_of([&] { load("map = \"none.npy\""); }),
            "s.toml:10: thickness: map 'none.npy': from -2 to -2 m: expected some above 0");
  EXPECT_EQ(error_of([&] { load("map = \"half.npy\", scale = -3"); }),
            "s.toml:10: thickness: map 'half.npy': from -1.5 to -1.5 m: expected some above 0");
  EXPECT_EQ(load("map = \"none.npy\", value = 3"), 80) << "a map may take something away";
  EXPECT_EQ(
      notes_of([&] { EXPECT_EQ(load("map = \"some.npy\""), 39); }),
      "s.toml:10: thickness: map 'some.npy': below 0, down to -1 m, in 2.5 % of the cells: it "
      "is 0 there\n");
  EXPECT_EQ(notes_of([&] { load("map = \"some.npy\", value = 1"); }), "");
}

// Before hours are spent on stacks that no kernel can count, and with a size that it can.
TEST(LayerScene, TooManyCellsAreRefusedAtOnce) {
  Scene scene = parse_scene(level, "s.toml");
  scene.set_size(32768, 8192);
  EXPECT_EQ(error_of([&] { load_layers(scene, cpu()); }),
            "s.toml: terrain: layers of 32768 x 8192 cells: expected at most 134217727 in all: "
            "choose a smaller size, such as 23104x5760");
}

TEST(LayerScene, LayersBeginWithACheckpointOfHeights) {
  const TemporaryFolder folder;
  const std::string heights =
      "[scene]\nsteps = 9\n[terrain]\nsize = [10, 8]\ncell = 4\nborders = \"closed\"\n"
      "[terrain.generate]\nkind = \"plane\"\nrelief = 8\n[terrain.maps]\nwater = 1\n"
      "[water]\nrain = 0\nevaporation = 0\n[hydraulic]\ntime_acceleration = 100\n"
      "[[output]]\nkind = \"height\"\nfile = \"bed.npy\"\nevery = 8\n"
      "[[output]]\nkind = \"field\"\nfield = \"water\"\nfile = \"water.npy\"\nevery = 8\n";
  RunOptions options = options_for(folder);
  options.checkpoint_every = 8;
  const RunResult before = run_scene(parse_scene(heights, "h.toml"), options);
  const std::string words =
      "[scene]\nsteps = 5\n[terrain]\nkind = \"layers\"\nborders = \"closed\"\n"
      "bedrock = \"shale\"\nsource = \"out/checkpoint-8.scree\"\n[water]\n"
      "rain = 0\nevaporation = 0\n";
  const Scene scene = parse_scene(words, "s.toml", folder.path());
  const LoadedLayers land = load_layers(scene, cpu());
  EXPECT_EQ(land.layers->shape().dx, 4);
  const std::vector<float> bed = io::read_raster(before.outputs.at(0)).values,
                           water = io::read_raster(before.outputs.at(1)).values;
  const int rock = material(*land.layers, "shale"), clay = material(*land.layers, "clay"),
            wet = material(*land.layers, "water");
  ASSERT_TRUE(rock > 0 && clay > 0 && wet > 0);
  const double quantum = land.layers->shape().quantum;
  const std::vector<Stack> stacks = land.layers->stacks();
  long long carried = 0;
  for (std::size_t cell = 0; cell < bed.size(); ++cell) {
    double ground = land.layers->shape().datum, depth = 0;
    for (const Layer& layer : stacks[cell]) {
      if (layer.material == rock) ground += layer.quanta * quantum;
      if (layer.material == wet) depth += layer.quanta * quantum;
      if (layer.material == clay) carried += layer.quanta;
    }
    EXPECT_NEAR(ground, bed[cell], quantum) << cell;
    EXPECT_NEAR(depth, water[cell], quantum) << cell;
  }
  EXPECT_GT(carried, 0) << "what the water had dissolved is dust of the bedrock";
  EXPECT_EQ(run_scene(scene, options_in(folder.path() / "on")).layers->error(), 0);
  Scene wrong = scene;
  wrong.terrain.layers.reset();
  EXPECT_NE(error_of([&] { run_scene(wrong, options_for(folder)); }).find("with --resume"),
            std::string::npos);
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
TEST(LayerScene, OlympusIsAsLargeAsItIs) {
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
TEST(LayerScene, OlympusHasFiveLayers) {
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
      read_layers(io::CheckpointReader(list_checkpoints(options.out)[0].path), cpu());
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
TEST(LayerScene, TheHardLetterStays) {
  Scene scene = load_scene(std::filesystem::path(SCREE_EXAMPLES) / "layers/hard-w.toml");
  scene.set_size(100, 100);
  scene.steps = 300;
  EXPECT_LT(columns_with_mud(scene, 1500), 100);
}

TEST(LayerScene, LongTheHardLetterStaysAtItsOwnSize) {
  const Scene scene = load_scene(std::filesystem::path(SCREE_EXAMPLES) / "layers/hard-w.toml");
  EXPECT_EQ(columns_with_mud(scene, 30000), 0);
}

// ---- what is wrong

TEST(LayerScene, WhatIsWrongIsToldInOneLine) {
  const std::string head = "[terrain]\nkind = \"layers\"\nsize = [8, 8]\n";
  const std::pair<const char*, const char*> cases[] = {
      {"bedrok = \"granite\"\n", "s.toml:4: unknown key 'bedrok', did you mean 'bedrock'?"},
      {"[[terrain.layer]]\nmaterial = \"mud\"\nthickness = -1\n",
       "s.toml:6: thickness = -1: expected 0 to 100000 m"},
      {"[[terrain.layer]]\nmaterial = \"mud\"\nthickness = 1e30\n",
       "s.toml:6: thickness = 1e+30: expected 0 to 100000 m"},
      {"[[terrain.layer]]\nmaterial = \"mud\"\nup_to = 2e5\n",
       "s.toml:6: up_to = 2e+05: expected -100000 to 100000 m"},
      {"[[terrain.layer]]\nmaterial = \"mud\"\n",
       "s.toml:4: layer: expected thickness = metres or up_to = height"},
      {"[[terrain.layer]]\nthickness = 1\n", "s.toml:4: layer: expected material = \"…\""},
      {"[[terrain.cave]]\nat = [1, 2, 3]\n", "s.toml:4: cave: expected radius = metres"},
      {"[[terrain.fault]]\nat = [1, 2]\n", "s.toml:4: fault: expected throw = metres"},
      {"[[material]]\ntalus = 3\n", "s.toml:4: material: expected name = \"…\""},
      {"[[material]]\nname = \"marl\"\nlike = \"shael\"\n",
       "s.toml:6: like = 'shael': expected one of the presets, did you mean 'shale'?"},
      {"[[output]]\nkind = \"mesh\"\nfile = \"a.jpg\"\n", nullptr},
  };
  for (const auto& wrong : cases) {
    const std::string told = error_of([&] { parse_scene(head + wrong.first, "s.toml"); });
    if (wrong.second != nullptr)
      EXPECT_EQ(told, wrong.second);
    else
      EXPECT_NE(told, "");
  }
}

// The quantum is as fine as the highest column allows, whatever makes it high.
TEST(LayerScene, ARoofHighUpStaysThere) {
  Scene scene = parse_scene(
      "[scene]\nsteps = 3\n[terrain]\nkind = \"layers\"\nsize = [6, 6]\ncell = 100\n"
      "bottom = -100\n[[terrain.layer]]\nmaterial = \"void\"\nup_to = 20000\n"
      "[[terrain.layer]]\nmaterial = \"granite\"\nthickness = 50\n[slippage]\n"
      "[[output]]\nkind = \"height\"\nfile = \"h.npy\"\n",
      "s.toml");
  const TemporaryFolder folder;
  const RunResult result = run_scene(scene, options_for(folder));
  for (const float height : io::read_raster(result.outputs.at(0)).values)
    ASSERT_NEAR(height, 20050, 0.01);
}

TEST(LayerScene, LakesMayBeAsDeepAsTheyLike) {
  const TemporaryFolder folder;
  const Scene scene = parse_scene(R"(
[scene]
steps = 1
[terrain]
kind = "layers"
size = [8, 6]
borders = "closed"
[[terrain.layer]]
material = "water"
thickness = 3000
[water]
rain = 0
[[output]]
kind = "field"
field = "water"
file = "water.npy"
)",
                                  "s.toml");
  const RunResult result = run_scene(scene, options_for(folder));
  for (const float depth : io::read_raster(result.outputs.at(0)).values)
    ASSERT_NEAR(depth, 3000, 0.01);
}

TEST(LayerScene, WhatMakesNoSenseTogetherIsRefused) {
  const std::string head = "[scene]\nsteps = 0\n[terrain]\nkind = \"layers\"\nsize = [8, 8]\n";
  const auto said = [&](const std::string& words) {
    const TemporaryFolder folder;
    return error_of([&] { run_scene(parse_scene(head + words, "s.toml"), options_for(folder)); });
  };
  EXPECT_EQ(said("[thermal]\n"),
            "s.toml: thermal: works on heightfield, and this terrain is of "
            "layers");
  EXPECT_EQ(said("[[terrain.layer]]\nmaterial = \"granit\"\nthickness = 1\n"),
            "s.toml:6: material 'granit': expected one of [[material]] or a preset, did you mean "
            "'granite'?");
  EXPECT_EQ(
      said("quantum = 1e-6\nbottom = -1\n[[terrain.layer]]\nmaterial = \"mud\"\nthickness = 100\n"),
      "s.toml: cell 0: a column of 101 m: expected at most 16.7772 m with a quantum of 1e-06 m");
  EXPECT_EQ(
      said("[[terrain.layer]]\nmaterial = \"mud\"\nthickness = 60000\n"
           "[[terrain.layer]]\nmaterial = \"sand\"\nthickness = 60000\n"),
      "s.toml:9: layer: its top lies 120010 m above the bottom: expected at most 100000 m, or "
      "a terrain.quantum that is coarse enough");
  EXPECT_EQ(said("bottom = 5\n"),
            "s.toml: terrain: bottom = 5: expected it below the lowest ground, 0 m");
  EXPECT_NE(said("[[output]]\nkind = \"field\"\nfield = \"thickness.granit\"\n")
                .find("did you mean 'thickness.granite'?"),
            std::string::npos);
  EXPECT_EQ(said("bedrock = \"marl\"\n[[material]]\nname = \"marl\"\ndust = \"dsut\"\n"),
            "s.toml:7: material 'dsut': expected one of [[material]] or a preset, did you mean "
            "'dust'?");
  EXPECT_EQ(said("bedrock = \"water\"\n"),
            "s.toml:6: bedrock = 'water': expected a material that is solid");
  EXPECT_EQ(said("[terrain.strata]\ntop = 5\n"),
            "s.toml:6: strata: expected a [[terrain.strata.bed]]");
  EXPECT_EQ(said("[[terrain.fault]]\nat = [1, 2]\nthrow = 3\n"),
            "s.toml:6: fault: expected a [[terrain.strata.bed]] that it breaks");
  EXPECT_EQ(said("[[terrain.cave]]\npath = [[0, 0, -3], [60, 50, -4]]\nradius = 1e-6\n"),
            "s.toml: a cave of radius 1e-06 m and height 2e-06 m along 78.1089 m: expected a wider "
            "or shorter one");
  EXPECT_EQ(said("[melt]\n"), "s.toml: melt: expected a material that melts, as \"ice\"");
  EXPECT_EQ(said("[stones]\ncount = 2.5\n"),
            "s.toml: stones: count = 2.5: expected a whole number");
  const TemporaryFolder folder;
  EXPECT_EQ(error_of([&] {
              run_scene(parse_scene("[terrain]\nsize = [8, 8]\n[slippage]\n", "s.toml"),
                        options_for(folder));
            }),
            "s.toml: slippage: works on layers, and this terrain is a heightfield");
}

TEST(LayerScene, MaterialsMayStandInAFileOfTheirOwn) {
  const TemporaryFolder folder;
  io::write_file(folder.path() / "materials.toml",
                 "[[material]]\nname = \"chalk\"\nlike = \"limestone\"\ntalus = 60\n"
                 "[[material]]\nname = \"mud\"\ntalus = 9\nstrength = 0.3\n"
                 "[[material]]\nname = \"clay\"\ntalus = 9\n");
  const Scene scene = parse_scene(
      "materials = \"materials.toml\"\n[terrain]\nkind = \"layers\"\nsize = [4, 4]\n"
      "bedrock = \"chalk\"\n[[material]]\nname = \"mud\"\ntalus = 11\n"
      "[[material]]\nname = \"clay\"\nlike = \"clay\"\nstrength = 0.4\n",
      "s.toml", folder.path());
  const std::vector<Material> materials = MaterialTable(*scene.terrain.layers).materials();
  EXPECT_EQ(materials[0].talus, 60);
  EXPECT_EQ(materials[1].talus, 11) << "the scene's own say is the last";
  EXPECT_EQ(materials[1].strength, 0.3) << "of what it does not say, the file's stays";
  EXPECT_EQ(materials[2].talus, 42) << "anew, from the preset";
  EXPECT_EQ(materials[2].strength, 0.4);
  EXPECT_EQ(materials.size(), 4U) << "and the dust of chalk";
}

}  // namespace
}  // namespace scree
