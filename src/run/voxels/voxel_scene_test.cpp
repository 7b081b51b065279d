#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/hash.h"
#include "io/file/atomic_file.h"
#include "io/file/io_test.h"
#include "run/build/build.h"
#include "run/build/build_voxels.h"
#include "run/checkpoints.h"
#include "run/runner.h"
#include "run/scene_test.h"
#include "scene/scene.h"

namespace scree {
namespace {

using io::testing::error_of;
using io::testing::TemporaryFolder;
using testing::cpu;

const char* const small = R"(
[scene]
seed = 3
steps = 12
[terrain]
kind = "voxels"
size = [40, 36, 30]
cell = 0.5
[[terrain.rock]]
name = "hard"
durability = 0.7
[[terrain.rock]]
name = "soft"
durability = 0.2
noise = 0.1
noise_size = "2 m"
bubble = "flat"
[[terrain.rock]]
name = "debris"
durability = 0.4
loose = true
colour = "#336699"
[[terrain.layer]]
rock = "hard"
thickness = "4 m"
[[terrain.layer]]
rock = "soft"
thickness = "3 m"
[[terrain.form]]
kind = "block"
at = [10, 9, 0]
size = [20, 18, 1]
[[terrain.form]]
kind = "column"
at = [10, 9, 1]
size = [8, 8, 11]
noise = "0.5 m"
[weathering]
colluvium = true
repose = "40 deg"
[[weathering.bubble]]
name = "round"
radius_voxels = 4
[[weathering.bubble]]
name = "flat"
shape = "disc"
radius = "2 m"
half_height_voxels = 1
rate = "0.2 m"
[[output]]
kind = "mesh"
file = "rock.ply"
[[output]]
kind = "mesh"
file = "early.obj"
every = 6
)";

Scene scene() { return parse_scene(small, "small.toml"); }

std::string without(std::string toml, const std::string& part, const std::string& instead = "") {
  return toml.replace(toml.find(part), part.size(), instead);
}

TEST(VoxelScene, ReadsWhatItSays) {
  const Scene s = scene();
  EXPECT_EQ(s.name, "small");
  EXPECT_EQ(s.terrain.voxels->shape.nz, 30);
  EXPECT_EQ(s.terrain.voxels->rocks.layers.size(), 2U);
  EXPECT_EQ(s.terrain.voxels->rocks.rocks[2].colour,
            (std::array<std::uint8_t, 3>{0x33, 0x66, 0x99}));
  EXPECT_TRUE(s.processes["weathering"].as<WeatheringParameters>().colluvium);
  const std::vector<Bubble> bubbles = make_bubbles(s);
  EXPECT_EQ(bubbles[0].volume(), 257);
  EXPECT_EQ(bubbles[1].volume(), 3 * 49);  // 2 m are four voxels
  EXPECT_DOUBLE_EQ(bubbles[1].rates.back(), 0.4);
  EXPECT_EQ(make_rocks(s, cpu()).rocks[1].bubble, 1);
}

// Every shape and table of rates that the page names.
const char* const bubbles_of_every_kind = R"(
[[weathering.bubble]]
name = "heavy"
shape = "top-heavy"
radius_voxels = 5
depth_voxels = 2
[[weathering.bubble]]
name = "own"
shape = "offsets"
offsets = [[0, 0, 1], [1, 0, 0], [-1, 0, 0], [0, 3, 0]]
rate_voxels = 0.8
[[weathering.bubble]]
name = "hollows"
radius_voxels = 6
rates = "cavernous"
[[weathering.bubble]]
name = "drawn"
radius_voxels = 3
rates = "curve"
rate_voxels = 0.5
curve = [[0, 0], [0.5, 1], [1, 0.2]]
)";

TEST(VoxelScene, ReadsBubblesOfEveryKind) {
  const auto with = [](const std::string& bubbles) {
    return parse_scene(without(small, "[[output]]", bubbles + "[[output]]"), "bad.toml");
  };
  const std::vector<Bubble> bubbles = make_bubbles(with(bubbles_of_every_kind));
  ASSERT_EQ(bubbles.size(), 6U);
  EXPECT_EQ(bubbles[2].offsets, top_heavy_offsets(5, 2));
  EXPECT_EQ(bubbles[3].volume(), 4);
  EXPECT_DOUBLE_EQ(bubbles[3].rates[1], 0.2);
  EXPECT_EQ(bubbles[4].rates, cavernous_rates(sphere_offsets(6), 1));
  EXPECT_TRUE(bubbles[4].open_faces);
  EXPECT_FALSE(bubbles[5].open_faces);
  EXPECT_EQ(bubbles[5].rates,
            curve_rates(bubbles[5].volume(), {{0.0, 0.0}, {0.5, 0.5}, {1.0, 0.1}}));
  const auto refused = [&](const std::string& part, const std::string& instead,
                           const std::string& words) {
    const std::string message =
        error_of([&] { make_bubbles(with(without(bubbles_of_every_kind, part, instead))); });
    EXPECT_NE(message.find(words), std::string::npos) << message;
    EXPECT_NE(message.find("bad.toml:"), std::string::npos) << message;
  };
  refused("[0, 3, 0]", "[0, 16, 0]", "-15 to 15");
  refused("[0, 3, 0]", "[1, 0, 0]", "twice");
  refused("[0, 3, 0]", "[0, 3]", "[x, y, z]");
  refused("[0.5, 1], [1, 0.2]", "[0.5, 1], [0.4, 0.2]", "ascend");
  refused("[0.5, 1]", "[0.5, 3]", "0 to 1 of a voxel");
  refused("radius_voxels = 3", "radius_voxels = 0.5", "at least 1 voxel");
  refused("radius_voxels = 3", "radius_voxels = 40", "at most 8191");
  // What would not be looked at.
  refused("radius_voxels = 3", "radius_voxels = 3\nradius = 2", "radius or radius_voxels");
  refused("radius_voxels = 3", "radius_voxels = 3\ndepth = 1", "depth: a sphere has none");
  refused("rate_voxels = 0.8", "radius = 2", "radius: a list of offsets has none");
  refused("rates = \"curve\"", "", "curve: a spheroidal bubble has none");
  refused("curve = [[0, 0], [0.5, 1], [1, 0.2]]", "", "needs curve");
  refused("name = \"drawn\"", "name = \"own\"", "'own' is taken");
  refused("radius_voxels = 6", "shape = \"disc\"\nradius_voxels = 6\nhalf_height_voxels = 0",
          "nothing above its middle");
}

// Their volumes, in voxels of half a metre, to within what a voxel makes of a round face.
TEST(VoxelScene, FormsOfEveryKindAreAsLargeAsTheySay) {
  const auto voxels_of = [](const std::string& form) {
    std::string toml = small;
    const std::size_t from = toml.find("[[terrain.form]]"), to = toml.find("[weathering]");
    toml.replace(from, to - from,
                 "[[terrain.form]]\nrock = \"hard\"\nat = [10, 9, 1]\n" + form + "\n");
    const Scene s = parse_scene(toml, "form.toml");
    const RockSpec rocks = make_rocks(s, cpu());
    Voxels voxels(cpu(), s.terrain.voxels->shape, rock_materials(rocks));
    build_rocks(voxels, rocks);
    return static_cast<double>(voxels.totals().rock);
  };
  constexpr double pi = 3.14159265358979;
  EXPECT_EQ(voxels_of("kind = \"block\"\nsize = [6, 4, 5]"), 12 * 8 * 10);
  EXPECT_NEAR(voxels_of("kind = \"column\"\nsize = [8, 8, 5]"), pi * 64 * 10, 100);
  EXPECT_NEAR(voxels_of("kind = \"column\"\nsize = [8, 8, 6]\ntop = 0.5"),
              pi * 64 * 12 * (1 + 0.5 + 0.25) / 3, 150);
  EXPECT_NEAR(voxels_of("kind = \"disc\"\nsize = [12, 12, 1]"), pi * 144 * 2, 40);
  EXPECT_NEAR(voxels_of("kind = \"ball\"\nsize = [9, 9, 9]"), pi / 6 * 18 * 18 * 18, 150);
  EXPECT_NEAR(voxels_of("kind = \"table\"\nsize = [10, 10, 7]\nleg = 3\nslab = 2"),
              pi * (100 * 4 + 9 * 10), 100);
  // Half of an elliptic ring, seen along y.
  EXPECT_NEAR(voxels_of("kind = \"arch\"\nsize = [16, 4, 8]\nthickness = 3"),
              pi / 2 * (16 * 16 - 10 * 10) * 8, 400);
}

TEST(VoxelScene, AnotherSizeKeepsTheBoxAndWhatIsInVoxels) {
  Scene s = scene();
  s.set_size(80, 72, 60);
  EXPECT_DOUBLE_EQ(s.terrain.voxels->shape.cell, 0.25);
  const std::vector<Bubble> bubbles = make_bubbles(s);
  EXPECT_EQ(bubbles[0].volume(), 257);
  EXPECT_EQ(bubbles[1].volume(), 3 * 197);  // eight voxels now
  EXPECT_THROW(s.set_size(80, 72, 20), UsageError);
}

TEST(VoxelScene, WhatIsWrongIsNamedWithItsLine) {
  const auto message = [](const std::string& toml) {
    return error_of([&] {
      const Scene s = parse_scene(toml, "bad.toml");
      make_bubbles(s);
      make_rocks(s, cpu());
    });
  };
  EXPECT_NE(message(without(small, "radius_voxels = 4", "radius_voxels = 14")).find("bad.toml:"),
            std::string::npos);
  EXPECT_NE(message(without(small, "bubble = \"flat\"", "bubble = \"flak\"")).find("'flak'"),
            std::string::npos);
  EXPECT_NE(message(without(small, "repose", "reposs")).find("repose"), std::string::npos);
  EXPECT_NE(message(without(small, "\"#336699\"", "\"blue\"")).find("#rrggbb"), std::string::npos);
  // Without its kind it is a heightfield, whose size has two sides.
  EXPECT_NE(message(without(small, "kind = \"voxels\"")).find("size"), std::string::npos);
  EXPECT_NE(message(without(small, "rate = \"0.2 m\"", "rate = \"4 m\"")).find("0 to 1 of a voxel"),
            std::string::npos);
  EXPECT_NE(message(without(small, "name = \"soft\"", "name = \"hard\"")).find("'hard' is taken"),
            std::string::npos);
  const auto form_says = [&](const std::string& key, const std::string& words) {
    const std::string said =
        message(without(small, "size = [20, 18, 1]", "size = [20, 18, 1]\n" + key));
    EXPECT_NE(said.find("bad.toml:"), std::string::npos) << said;
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  form_says("thickness = 1", "thickness: a block has none");
  form_says("top = 0.5", "top: a block has none");
  form_says("leg = 1", "leg: a block has none");
  form_says("scale = 2", "scale: a block has none");
  form_says("level = 2", "level: a block has none");
}

// One line that names the scene, before the first step.
TEST(VoxelScene, WhatCannotBeWeatheredIsRefusedAtOnce) {
  const TemporaryFolder folder;
  RunOptions options;
  options.out = folder.path();
  options.opened = cpu();
  const auto says = [&](const Scene& s, const std::string& words) {
    const std::string said = error_of([&] { run_scene(s, options); });
    EXPECT_EQ(said.find("small.toml: "), 0U) << said;
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  Scene s = scene();
  s.terrain.voxels->rocks.forms.clear();
  says(s, "no rock in its box of 20 x 18 x 15 m");
  s = scene();
  s.terrain.voxels->rocks.rocks.clear();
  says(s, "[[terrain.rock]]");
  s = scene();
  s.terrain.voxels->rocks.rocks[2].loose = false;
  says(s, "loose = true");
  s = scene();
  s.terrain.voxels->rocks.layers.clear();
  says(s, "need layers");
  s = scene();
  s.processes["weathering"].parameters.as<WeatheringParameters>().stability_every = 1.5;
  says(s, "whole steps");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "report.json"));
}

TEST(VoxelScene, WeatheringIsKnownByNameAndNotForHeightfields) {
  const Scene heights = parse_scene("[weathering]\nrepose = 30\n", "heights.toml");
  EXPECT_NE(error_of([&] { check_scene(heights); }).find("weathering: works on voxels"),
            std::string::npos);
  const std::vector<std::string> tables = parameter_tables();
  EXPECT_EQ(std::count(tables.begin(), tables.end(), "weathering"), 1);
}

TEST(VoxelScene, RunsAndWritesMeshesAndAReport) {
  const TemporaryFolder folder;
  RunOptions options;
  options.out = folder.path();
  options.opened = cpu();
  const RunResult result = run_scene(scene(), options);
  EXPECT_EQ(result.weathering->voxel_error(), 0);
  EXPECT_EQ(result.weathering->amount_error(), 0);
  EXPECT_GT(result.weathering->loose, 0);
  for (const char* file : {"rock.ply", "early-000006.obj", "early-000012.obj", "report.json"})
    EXPECT_TRUE(std::filesystem::exists(folder.path() / file)) << file;
  const auto report = nlohmann::json::parse(io::read_file(folder.path() / "report.json"));
  EXPECT_EQ(report["hashes"]["voxels"], hash_text(result.hashes.at("voxels")));
  EXPECT_EQ(report["ledger"]["voxels"]["error"], 0);
}

TEST(VoxelScene, TakesPicturesAllAround) {
  const TemporaryFolder folder;
  const std::string mesh = "kind = \"mesh\"\nfile = \"rock.ply\"";
  Scene s = parse_scene(
      without(small, mesh,
              "kind = \"picture\"\nfile = \"turn.png\"\npixels = [32, 24]\nturntable = 2"),
      "small.toml");
  s.steps = 4;
  s.outputs.resize(1);
  RunOptions options;
  options.out = folder.path();
  options.opened = cpu();
  std::set<std::string> names, contents;
  const auto take = [&] {
    for (const std::filesystem::path& file : run_scene(s, options).outputs) {
      names.insert(file.filename().string());
      contents.insert(io::read_file(file));
    }
  };
  try {
    take();
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  EXPECT_EQ(names, (std::set<std::string>{"turn-000.png", "turn-001.png"}));
  EXPECT_EQ(contents.size(), 2U) << "both pictures are equal";
  for (Rock& rock : s.terrain.voxels->rocks.rocks) rock.colour = {40, 60, 220};
  s.outputs[0].picture.turntable = 0;
  s.outputs[0].every = 4;
  take();
  EXPECT_EQ(names.count("turn-000004.png"), 1U) << "the step, as films need it";
  EXPECT_EQ(contents.size(), 3U) << "not in the materials' colours";
  const std::string bad = without(small, mesh, "kind = \"picture\"\nfile = \"a.gif\"");
  EXPECT_NE(error_of([&] { parse_scene(bad, "bad.toml"); }).find("file = 'a.gif': expected a .png"),
            std::string::npos);
}

TEST(VoxelScene, GoesOnFromACheckpointToTheSameBits) {
  const TemporaryFolder folder;
  RunOptions options;
  options.out = folder.path() / "whole";
  options.opened = cpu();
  Scene s = scene();
  const RunResult whole = run_scene(s, options);
  options.out = folder.path() / "parts";
  options.checkpoint_every = 4;
  s.steps = 9;
  run_scene(s, options);
  s.steps = 12;
  options.resume = true;
  const RunResult parts = run_scene(s, options);
  EXPECT_EQ(parts.resumed_from, 8U);
  EXPECT_EQ(parts.hashes.at("voxels"), whole.hashes.at("voxels"));
  EXPECT_EQ(parts.weathering->deleted, whole.weathering->deleted);
  EXPECT_EQ(parts.weathering->amount_error(), 0);
  s.seed = 4;
  EXPECT_NE(error_of([&] { run_scene(s, options); }).find("other settings"), std::string::npos);
}

const char* const regions = R"(
[[weathering.region]]
at = [10, 9, 8]
radius = "3 m"
rate = 0.1
soft = "1 m"
[[weathering.region]]
kind = "capsule"
at = [2, 2, 2]
to = [18, 16, 3]
radius = "2 m"
durability = -0.3
from_step = 5
to_step = 10
[[weathering.region]]
kind = "map"
file = "map.r32"
of = "durability"
scale = 0.5
offset = -0.1
)";

// With the table's end, so that regions belong to it.
std::string with_regions(const std::string& tables) {
  std::string toml = small;
  return toml.insert(toml.find("[[output]]"), tables);
}

TEST(VoxelScene, RegionsDirectTheRunAndAreKeptByACheckpoint) {
  const TemporaryFolder folder;
  Raster map;
  map.width = 10, map.height = 9;
  // Larger to the east, and to the south, where the first row of columns is.
  for (int row = 0; row < 9; ++row)
    for (int column = 0; column < 10; ++column)
      map.values.push_back(static_cast<float>(column) / 10 + static_cast<float>(row) / 100);
  io::write_raster(folder.path() / "map.r32", map);
  Scene s = parse_scene(with_regions(regions), "regions.toml", folder.path());
  ASSERT_EQ(s.terrain.voxels->regions.size(), 3U);
  const std::vector<WeatherRegion> made = make_regions(s);
  EXPECT_EQ(made[2].durabilities.size(), 40U * 36U);
  EXPECT_NEAR(made[2].durabilities[0], -0.06, 1e-6);
  EXPECT_NEAR(made[2].durabilities[39], 0.39, 1e-6);
  EXPECT_NEAR(made[2].durabilities[40 * 35], -0.1, 1e-6);
  RunOptions options;
  options.opened = cpu();
  options.out = folder.path() / "plain";
  const RunResult plain = run_scene(scene(), options);
  options.out = folder.path() / "whole";
  const RunResult whole = run_scene(s, options);
  EXPECT_NE(whole.hashes.at("voxels"), plain.hashes.at("voxels"));
  EXPECT_EQ(whole.weathering->amount_error(), 0);
  options.out = folder.path() / "parts";
  options.checkpoint_every = 4;
  s.steps = 9;
  run_scene(s, options);
  s.steps = 12;
  options.resume = true;
  EXPECT_EQ(run_scene(s, options).hashes.at("voxels"), whole.hashes.at("voxels"));
  s.terrain.voxels->regions[0].region.rate = 0.2;
  EXPECT_NE(error_of([&] { run_scene(s, options); }).find("other settings"), std::string::npos);
}

TEST(VoxelScene, RegionsThatCannotBeAreNamed) {
  const auto message = [](const std::string& region) {
    return error_of([&] {
      make_regions(parse_scene(with_regions("[[weathering.region]]\n" + region), "bad.toml"));
    });
  };
  const auto says = [&](const std::string& region, const std::string& words) {
    EXPECT_NE(message(region).find(words), std::string::npos) << message(region);
    EXPECT_NE(message(region).find("bad.toml:"), std::string::npos) << message(region);
  };
  says("at = [1, 1, 1]\n", "needs radius");
  says("radius = 1\n", "needs at");
  says("at = [1, 1, 1]\nradius = 1\nrate = -2\n", "rate");
  says("kind = \"box\"\nat = [1, 1, 1]\nsize = [1, 1, 1]\nradius = 2\n", "a box has none");
  says("kind = \"map\"\n", "needs file");
  says("at = [1, 1, 1]\nradius = 1\nfrom_step = 5\nto_step = 2\n", "in no step");
  says("at = [1, 1, 1]\nradius = 1\nto_step = 0\n", "in no step");
  EXPECT_NE(message("kind = \"map\"\nfile = \"none.png\"\n").find("none.png"), std::string::npos);
}

TEST(VoxelScene, EveryExampleRunsAtASmallSize) {
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SCREE_EXAMPLES "/voxels")) {
    if (entry.path().extension() != ".toml") continue;
    ++found;
    ASSERT_EQ(load_scene(entry.path()).terrain.kind, "voxels") << entry.path();
    Scene s = load_scene(entry.path());
    s.set_size(s.terrain.voxels->shape.nx / 8, s.terrain.voxels->shape.ny / 8,
               s.terrain.voxels->shape.nz / 8);
    s.steps = 3;
    s.outputs = {output_of(OutputKind::mesh, "rock.ply")};
    const TemporaryFolder folder;
    RunOptions options;
    options.out = folder.path();
    options.opened = cpu();
    const RunResult result = run_scene(s, options);
    EXPECT_EQ(result.weathering->voxel_error(), 0) << entry.path();
    EXPECT_EQ(result.weathering->amount_error(), 0) << entry.path();
    EXPECT_GT(result.weathering->worn, 0) << entry.path();
  }
  EXPECT_GE(found, 9);
}

}  // namespace
}  // namespace scree
