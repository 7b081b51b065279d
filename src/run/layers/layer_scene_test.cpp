// Scenes of layers: what they may say, what they make, how they run and go on.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/file/atomic_file.h"
#include "io/file/io_test.h"
#include "io/mesh/mesh.h"
#include "run/build/build_layers.h"
#include "run/checkpoints.h"
#include "run/layers/layer_state.h"
#include "run/run_folder.h"
#include "run/runner.h"
#include "run/scene_test.h"
#include "terrain/layers/materials.h"

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
  const Raster loam = io::read_raster(folder.path() / "out/loam.npy");
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
  ASSERT_EQ(RunFolder(options.out).checkpoints().size(), 1U);
  const io::CheckpointReader file(RunFolder(options.out).checkpoints()[0].path);
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
  const Raster inside = io::read_raster(folder.path() / "out/water.npy");
  EXPECT_GT(*std::max_element(inside.values.begin(), inside.values.end()), 0.1F);
  const Mesh mesh = io::read_mesh((folder.path() / "out/solid.ply").string());
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
  const Mesh mesh = io::read_mesh((folder.path() / "out/with.ply").string());
  // The least of its faces is 0.46 of the radius away from its middle.
  const double top = list[0]["height"].get<double>() + 1.3;
  const auto on_it = [&](const Mesh::Vector& p) {
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
