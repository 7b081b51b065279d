// Maps on layers: where it rains, where water stands, what it digs.
#include <gtest/gtest.h>

#include "io/file/io_test.h"
#include "io/raster/npy.h"
#include "io/raster/raster.h"
#include "run/runner.h"
#include "run/scene_test.h"

namespace scree {
namespace {

using io::testing::error_of;
using io::testing::TemporaryFolder;
using testing::options_for;

const char* const slope = R"(
[scene]
steps = 12
dt = 0.2
[terrain]
kind = "layers"
size = [12, 6]
cell = 4
borders = "closed"
bedrock = "clay"
[terrain.generate]
kind = "plane"
relief = 8
[water]
rain = 0
evaporation = 0
[hydraulic]
capacity = 5
time_acceleration = 100
[[output]]
kind = "field"
field = "water"
file = "water.npy"
)";

RunResult run_with_maps(const TemporaryFolder& folder, const std::string& maps) {
  return run_scene(
      parse_scene(std::string(slope) + "[terrain.maps]\n" + maps, "s.toml", folder.path()),
      options_for(folder));
}

// On layers as on heightfields: rain by a map, water at the start, a factor on what water digs.
TEST(LayerMaps, MapsTellWhereItRainsAndWhatWaterDigs) {
  const TemporaryFolder folder;
  std::vector<float> west(72, 0);
  for (std::size_t i = 0; i < west.size(); ++i) west[i] = i % 12 < 3 ? 1.0F : 0.0F;
  io::write_npy(folder.path() / "west.npy", 12, 6, west);
  const RunResult rain =
      run_with_maps(folder, "rain = { file = \"west.npy\", scale = 0.01 }\nerodibility = 0\n");
  const std::vector<float> water = io::read_raster(rain.outputs.at(0)).values;
  EXPECT_GT(water[0], 0.01);
  EXPECT_EQ(water[11], 0) << "no water has come so far east";
  EXPECT_EQ(rain.layers->error(), 0);
  const auto water_of = [](const RunResult& result) {
    for (const LayerBalance& balance : result.layers->balances)
      if (balance.of.front() == "water") return balance;
    return LayerBalance{};
  };
  EXPECT_NEAR(static_cast<double>(water_of(rain).entered) * rain.layer_quantum, 18 * 2.4 * 0.01,
              0.01);

  const RunResult lake = run_with_maps(folder, "water = 0.5\n");
  const RunResult hard = run_with_maps(folder, "water = 0.5\nerodibility = 0\n");
  const RunResult same = run_with_maps(folder, "water = 0.5\nerodibility = 1\n");
  EXPECT_EQ(static_cast<double>(water_of(lake).start) * lake.layer_quantum, 36);
  EXPECT_EQ(lake.layers->error(), 0);
  EXPECT_EQ(same.hashes, lake.hashes);
  EXPECT_NE(hard.hashes.at("layers"), lake.hashes.at("layers")) << "something was dug";
  const RunResult still = run_with_maps(folder, "erodibility = 0\n");
  EXPECT_EQ(hard.hashes.at("layers"), still.hashes.at("layers")) << "nothing is";
}

// The run that a checkpoint is of had the same maps.
TEST(LayerMaps, AnotherMapIsAnotherRun) {
  const TemporaryFolder folder;
  const auto run = [&](float value, bool resume) {
    io::write_npy(folder.path() / "map.npy", 12, 6, std::vector<float>(72, value));
    RunOptions options = options_for(folder);
    options.checkpoint_every = 5;
    options.resume = resume;
    return run_scene(parse_scene(std::string(slope) + "[terrain.maps]\nrain = \"map.npy\"\n",
                                 "s.toml", folder.path()),
                     options);
  };
  run(0.001F, false);
  EXPECT_EQ(run(0.001F, true).resumed_from, 10U);
  EXPECT_NE(error_of([&] { run(0.002F, true); }), "");
}

TEST(LayerMaps, MapsThatLayersCannotHaveSayWhatToDo) {
  const std::string head =
      "[scene]\nsteps = 0\n[terrain]\nkind = \"layers\"\nsize = [8, 8]\n[terrain.maps]\n";
  const auto said = [&](const std::string& words) {
    const TemporaryFolder folder;
    return error_of([&] { run_scene(parse_scene(head + words, "s.toml"), options_for(folder)); });
  };
  EXPECT_EQ(said("strength = 2\n[water]\n"),
            "s.toml:7: maps: strength: on layers, expected a [[terrain.stamp]] of a material with "
            "another talus angle, where it should differ");
  EXPECT_EQ(said("floor = 2\n[water]\n"),
            "s.toml:7: maps: floor: on layers, expected a material with strength = 0 and "
            "erodibility = 0 below that height, as bedrock");
  EXPECT_EQ(said("erodibility = 2\n[water]\n"),
            "s.toml:7: maps: erodibility: on layers, expected a table [hydraulic] beside it, whose "
            "digging it is a factor on");
  EXPECT_EQ(said("rain = 2\n[slippage]\n"),
            "s.toml:7: maps: rain: on layers, expected a table [water] beside it");
  EXPECT_EQ(said("rain = -1\n[water]\n"), "s.toml:7: rain = -1: expected nothing below 0");
}

}  // namespace
}  // namespace scree
