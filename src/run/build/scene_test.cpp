#include "scene/scene.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "io/file/io_test.h"
#include "process/heights/water.h"
#include "run/build/build.h"
#include "run/scene_test.h"

namespace scree {
namespace {

// The line a person would see for this scene; "" where it is fine.
std::string complaint(const std::string& toml) {
  try {
    check_scene(parse_scene(toml, "s.toml"));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Scene, ReadsEveryTable) {
  const Scene scene = parse_scene(R"(
[scene]
name = "hill"
seed = 42
steps = 1e3
dt = "0.5 s"
[terrain]
size = [64, 32]
extent = [640, "0.64 km"]
borders = { west = "wrap", east = "wrap", north = "level", south = "closed" }
level = 3
[terrain.generate]
kind = "cone"
relief = "0.5 km"
[terrain.maps]
erodibility = { file = "e.tif", scale = 2 }
water = 1.5
[water]
rain = "36 mm/h"
neighbours = 4
[[water.spring]]
rate = 2
[[water.spring]]
x = 0.1
[hydraulic]
capacity = 3
[thermal]
every = 4
[sheet]
enabled = false
[scroll]
every = 10
cells = [0, -8]
[[output]]
kind = "mask"
mask = "flow"
file = "f.png"
every = 5
normalise = true
)",
                                  "s.toml", "/data");
  EXPECT_EQ(scene.name, "hill");
  EXPECT_EQ(scene.seed, 42U);
  EXPECT_EQ(scene.steps, 1000U);
  EXPECT_EQ(scene.dt, 0.5);
  EXPECT_EQ(scene.terrain.width, 64);
  EXPECT_EQ(scene.terrain.extent_y, 640);
  EXPECT_EQ(scene.terrain.borders.west, BorderKind::wrap);
  EXPECT_EQ(scene.terrain.borders.north, BorderKind::level);
  EXPECT_EQ(scene.terrain.borders.level, 3);
  EXPECT_EQ(scene.terrain.generate.relief, 500);
  EXPECT_EQ(scene.terrain.maps.at("erodibility").scale, 2);
  EXPECT_EQ(scene.terrain.maps.at("water").offset, 1.5);
  EXPECT_TRUE(scene.processes.on("water"));
  EXPECT_DOUBLE_EQ(scene.processes["water"].as<WaterParameters>().rain, 1e-5);
  EXPECT_EQ(scene.processes["water"].as<WaterParameters>().neighbours, "4");
  const auto springs = scene.processes["water"].list<SpringParameters>("spring");
  ASSERT_EQ(springs.size(), 2U);
  EXPECT_EQ(springs[0].rate, 2);
  EXPECT_EQ(scene.processes["hydraulic"].as<HydraulicParameters>().capacity, 3);
  EXPECT_EQ(scene.processes["thermal"].every, 4);
  EXPECT_FALSE(scene.processes.on("sheet"));
  EXPECT_EQ(scene.scroll.cells_south, -8);
  ASSERT_EQ(scene.outputs.size(), 1U);
  EXPECT_EQ(scene.outputs[0].name, "flow");
  EXPECT_TRUE(scene.outputs[0].normalise);
  EXPECT_EQ(scene.path("e.tif"), "/data/e.tif");
  EXPECT_TRUE(tracks_masks(scene));
  EXPECT_FALSE(tracks_wetness(scene));
}

TEST(Scene, AnEmptyFileIsAScene) {
  EXPECT_EQ(complaint(""), "");
  EXPECT_FALSE(parse_scene("", "s.toml").processes.on("water"));
}

TEST(Scene, HydraulicAloneBringsStillWeather) {
  const Scene scene = parse_scene("[hydraulic]\n", "s.toml");
  const std::vector<ProcessPtr> processes = make_processes(scene);
  ASSERT_EQ(processes.size(), 1U);
  EXPECT_EQ(processes[0]->name(), "water + hydraulic");
  const auto& device = testing::cpu();
  Heightfield flat(device, {4, 4, 1, 1}, std::vector<float>(16), {});
  processes[0]->prepare(flat);
  EXPECT_EQ(dynamic_cast<const Water&>(*processes[0]).flow_numbers(flat, {1, 0, 1}).rain, 0);
}

struct Complaint {
  const char* toml;
  const char* line;
};

TEST(Scene, BadInputIsOneLineWithFileLineAndExpectation) {
  const Complaint cases[] = {
      {"[water]\nraine = 1\n", "s.toml:2: unknown key 'raine', did you mean 'rain'?"},
      {"[hydrulic]\n", "s.toml:1: unknown key 'hydrulic', did you mean 'hydraulic'?"},
      {"[water]\n\nqqqq = 1\n", "s.toml:3: unknown key 'qqqq'"},
      {"[water]\nrain = 5\n", "s.toml:2: rain = 5: expected 0 to 0.1 m/s"},
      {"[water]\nrain = true\n", "s.toml:2: rain: expected a number in m/s"},
      {"[water]\nrain = [1, 2]\n", "s.toml:2: rain = a list: expected one value"},
      {"[water]\nneighbours = 6\n", "s.toml:2: neighbours = '6': expected one of 4, 8"},
      {"[[water.spring]]\nrat = 1\n", "s.toml:2: unknown key 'rat', did you mean 'rate'?"},
      {"[water.spring]\nrate = 1\n", "s.toml:1: spring: expected [[water.spring]] tables"},
      {"[hydraulic]\nsoil_to_water = 1\n", "s.toml:2: soil_to_water: expected true or false"},
      {"[thermal]\nevery = 0\n",
       "s.toml:2: every = 0: expected a whole number from 1 to 1000000000"},
      {"[thermal]\nenabled = 1\n", "s.toml:2: enabled = 1: expected true or false"},
      {"water = 3\n", "s.toml:1: water = 3: expected a table"},
      {"[scene]\nsteps = 1.5\n",
       "s.toml:2: steps = 1.5: expected a whole number from 0 to 1000000000000"},
      {"[scene]\nsteps = -1\n",
       "s.toml:2: steps = -1: expected a whole number from 0 to 1000000000000"},
      {"[scene]\nsteps = 1\ntime = 2\n", "s.toml:3: time: expected steps or time, not both"},
      {"[scene]\ndt = -1\n", "s.toml:2: dt = -1: expected 1e-09 to 1e+09 s"},
      {"[terrain]\nsize = [0, 4]\n", "s.toml:2: size = 0: expected a whole number from 1 to 65536"},
      {"[terrain]\nsize = [4, 9999999]\n",
       "s.toml:2: size = 9999999: expected a whole number from 1 to 65536"},
      {"[terrain]\nsize = 512\n", "s.toml:2: size = 512: expected [width, height] in cells"},
      {"[terrain]\ncell = 1\nextent = [4, 4]\n",
       "s.toml:3: extent: expected only one of cell, extent"},
      {"[terrain]\nsource = \"a.tif\"\n[terrain.generate]\nkind = \"fbm\"\n",
       "s.toml:2: source: expected only one of generate, mask, source"},
      {"[terrain]\nborders = \"opn\"\n",
       "s.toml:2: borders = 'opn': expected one of open, closed, wrap, level"},
      {"[terrain]\nborders = { west = \"wrap\" }\n",
       "s.toml:2: borders: a side that wraps needs its opposite side to wrap too"},
      {"[terrain]\nheight_range = [5, 1]\n",
       "s.toml:2: height_range: expected [lowest, highest] in metres"},
      {"[terrain.mask]\nrelief = 5\n", "s.toml:1: mask: expected source = \"picture.png\""},
      {"[terrain.generate]\nkind = \"fmb\"\n",
       "s.toml:2: kind = 'fmb': expected one of fbm, ridged, billow, warped, simplex, mountain, "
       "steps, cone, pyramid, crater, volcano, shield, tower, dam, grooves, plane, flat"},
      {"[terrain.maps]\nerodibilty = 1\n",
       "s.toml:2: unknown key 'erodibilty', did you mean 'erodibility'?"},
      {"[[output]]\nfile = \"a.tif\"\n", "s.toml:1: output: expected kind = \"height\""},
      {"[[output]]\nkind = \"hight\"\n",
       "s.toml:2: kind = 'hight': expected one of engine, field, height, mask, mesh, picture, "
       "relief, stones, tiles"},
      {"[[output]]\nkind = \"height\"\nfile = \"a.jpg\"\n",
       "s.toml:1: file = 'a.jpg': expected a name that ends in .tif, .png, .r16, .r32, .exr or "
       ".npy"},
      {"[[output]]\nkind = \"relief\"\nfile = \"a.tif\"\n",
       "s.toml:1: file = 'a.tif': expected a .png, .jpg or .webp"},
      {"[[output]]\nkind = \"mask\"\n", "s.toml:1: output: expected mask = \"flow\" or another"},
      {"[[output]]\nkind = \"tiles\"\n", "s.toml:1: output: expected tile = [width, height]"},
      {"[[output]]\nkind = \"height\"\n[[output]]\nkind = \"height\"\n",
       "s.toml:3: file = 'height.tif': another output has this name"},
      {"[scroll]\nevery = 5\n[terrain]\nsource = \"a.tif\"\n",
       "s.toml: scroll: expected a generated terrain, which goes on beyond its window"},
      {"[water]\nrain = 1979-05-27\n", "s.toml:2: rain = a date or time: expected one value"},
  };
  for (const Complaint& one : cases) EXPECT_EQ(complaint(one.toml), one.line) << one.toml;
}

TEST(Scene, WhatIsNotTomlOrNotAQuantitySaysWhere) {
  EXPECT_TRUE(complaint("[water\nrain = 1\n").starts_with("s.toml:1: not valid TOML: "));
  EXPECT_TRUE(complaint("a = 1\na = 2\n").starts_with("s.toml:2: not valid TOML: "));
  EXPECT_TRUE(complaint("[water]\nrain = \"3 kg\"\n").starts_with("s.toml:2: rain: "));
  EXPECT_TRUE(complaint("[terrain]\ncell = \"3 s\"\n").starts_with("s.toml:2: cell: "));
}

TEST(Scene, AMissingFileIsNamed) {
  const std::string line = io::testing::error_of([] { load_scene("no/such.toml"); });
  EXPECT_NE(line.find("no/such.toml"), std::string::npos) << line;
}

TEST(Scene, OverridesAreCheckedLikeAFile) {
  Scene scene = parse_scene("[water]\n[thermal]\nenabled = false\n", "s.toml");
  scene.apply_override("scene.steps=200");
  scene.apply_override("water.rain=36 mm/h");
  scene.apply_override("terrain.size=64x32");
  scene.apply_override("terrain.size=[48, 24]");
  scene.apply_override(" terrain.generate.relief = 120 ");
  scene.apply_override("terrain.generate.kind=cone");
  scene.apply_override("hydraulic.capacity=3");
  scene.apply_override("thermal.talus=30");
  EXPECT_EQ(scene.steps, 200U);
  EXPECT_DOUBLE_EQ(scene.processes["water"].as<WaterParameters>().rain, 1e-5);
  EXPECT_EQ(scene.terrain.width, 48);
  EXPECT_EQ(scene.terrain.height, 24);
  EXPECT_EQ(scene.terrain.generate.relief, 120);
  EXPECT_EQ(scene.terrain.generate.kind, "cone");
  EXPECT_TRUE(scene.processes.on("hydraulic")) << "a process nobody mentioned is switched on";
  EXPECT_FALSE(scene.processes.on("thermal")) << "one that was switched off stays off";
  scene.apply_override("water.enabled=false");
  EXPECT_FALSE(scene.processes.on("water"));
}

TEST(Scene, ABadOverrideChangesNothing) {
  Scene scene;
  const auto line = [&](const std::string& assignment) {
    return io::testing::error_of([&] { scene.apply_override(assignment); });
  };
  EXPECT_EQ(line("water.raine=1"),
            "--set water.raine=1: unknown key 'raine', did you mean 'rain'?");
  EXPECT_EQ(line("water.rain=7"), "--set water.rain=7: rain = 7: expected 0 to 0.1 m/s");
  const std::string form = ": expected TABLE.KEY=VALUE, such as hydraulic.capacity=3";
  for (const char* bad : {"rain", "rain=3", ".rain=3", "water.=3", "=3", "", "water..rain=3"})
    EXPECT_EQ(line(bad), "--set " + std::string(bad) + form);
  EXPECT_FALSE(scene.processes.on("water"));
}

TEST(Scene, SizeKeepsTheExtent) {
  Scene scene = parse_scene("[terrain]\nsize = [100, 50]\ncell = [10, 20]\n", "s.toml");
  scene.set_size(30, 20);
  EXPECT_EQ(scene.terrain.extent_x, 1000);
  EXPECT_EQ(scene.terrain.extent_y, 1000);
  const auto& device = testing::cpu();
  const LoadedTerrain land = load_terrain(scene, device);
  EXPECT_EQ(land.frame.width, 30);
  EXPECT_DOUBLE_EQ(land.frame.dx, 1000.0 / 30);
  EXPECT_DOUBLE_EQ(land.frame.dy, 50);
  EXPECT_THROW(scene.set_size(0, 5), UsageError);
  EXPECT_THROW(scene.set_size(5, 70000), UsageError);
}

TEST(Scene, PresetsAreScenesInTheBinary) {
  EXPECT_EQ(preset_names(),
            (std::vector<std::string>{"alpine", "canyon", "desert", "volcanic", "soft-hills"}));
  for (const std::string& name : preset_names()) {
    const Scene scene = preset(name);
    EXPECT_EQ(scene.name, name);
    EXPECT_NO_THROW(check_scene(scene));
    EXPECT_TRUE(scene.terrain.maps.empty()) << "a preset brings no files";
  }
  EXPECT_EQ(io::testing::error_of([] { preset("alpin"); }),
            "preset 'alpin': expected one of alpine, canyon, desert, volcanic, soft-hills, did you "
            "mean 'alpine'?");
}

TEST(Scene, FingerprintFollowsWhatDecidesTheBits) {
  Scene scene = preset("alpine");
  const std::uint64_t before = scene_fingerprint(scene);
  scene.steps += 1000;
  scene.name = "other";
  EXPECT_EQ(scene_fingerprint(scene), before) << "a run may go on for longer";
  for (const char* change :
       {"scene.seed=99", "scene.dt=1", "hydraulic.capacity=7", "terrain.generate.relief=17",
        "water.rain=0.01", "thermal.every=3", "terrain.borders=closed", "terrain.size=[7, 7]"}) {
    Scene changed = scene;
    changed.apply_override(change);
    EXPECT_NE(scene_fingerprint(changed), before) << change;
  }
}

TEST(Scene, EveryTableOfParametersHasDefaults) {
  for (const std::string& table : parameter_tables())
    EXPECT_FALSE(default_parameters(table)->list().empty()) << table;
  const std::string unknown = io::testing::error_of([] { default_parameters("watr"); });
  EXPECT_TRUE(unknown.starts_with("process 'watr': expected one of generate, hydraulic, melt, "))
      << unknown;
  EXPECT_TRUE(unknown.ends_with(", did you mean 'water'?")) << unknown;
}

}  // namespace
}  // namespace scree
