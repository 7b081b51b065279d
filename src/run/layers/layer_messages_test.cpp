// What a scene of layers is told: what is wrong with it, and what its outputs lack.
#include <gtest/gtest.h>

#include "base/log.h"
#include "io/file/atomic_file.h"
#include "io/file/io_test.h"
#include "io/raster/npy.h"
#include "run/build/build_layers.h"
#include "run/runner.h"
#include "run/scene_test.h"

namespace scree {
namespace {

using io::testing::error_of;
using io::testing::TemporaryFolder;
using testing::cpu;
using testing::options_for;

// What the library says of an action, a line each.
template <class Action>
std::string notes_of(Action action) {
  std::string said;
  const LogScope listens([&](LogLevel, const std::string& line) { said += line + "\n"; });
  action();
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

TEST(LayerMessages, WhatHeightsAndSolidsLackIsTold) {
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

TEST(LayerMessages, AMapThatLeavesNoThicknessIsRefused) {
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
TEST(LayerMessages, TooManyCellsAreRefusedAtOnce) {
  Scene scene = parse_scene(level, "s.toml");
  scene.set_size(32768, 8192);
  EXPECT_EQ(error_of([&] { load_layers(scene, cpu()); }),
            "s.toml: terrain: layers of 32768 x 8192 cells: expected at most 134217727 in all: "
            "choose a smaller size, such as 23104x5760");
}

TEST(LayerMessages, WhatIsWrongIsToldInOneLine) {
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
      {"[[material]]\nname = \"loam\"\ntalus = 30\n[[material]]\nname = \"clay\"\n"
       "[[material]]\nname = \"loam\"\nstrength = 0.2\n",
       "s.toml:9: material 'loam' is described twice: expected once"},
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

TEST(LayerMessages, AMaterialThatAFileDescribesTwiceIsRefused) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "m.toml").string();
  const std::string loam = "[[material]]\nname = \"loam\"\ntalus = 30\n";
  const auto read = [&](const std::string& shared, const std::string& own) {
    io::write_file(file, shared);
    parse_scene("materials = \"m.toml\"\n[terrain]\nkind = \"layers\"\n" + own, "s.toml",
                folder.path());
  };
  const auto said = [&](const std::string& shared, const std::string& own) {
    return error_of([&] { read(shared, own); });
  };
  EXPECT_EQ(said(loam + "[[material]]\nlike = \"clay\"\nname = \"loam\"\n", ""),
            file + ":4: material 'loam' is described twice: expected once");
  EXPECT_EQ(said(loam, loam + loam), "s.toml:7: material 'loam' is described twice: expected once");
  EXPECT_NO_THROW(read(loam, loam)) << "the scene has the last say over the file";
}

TEST(LayerMessages, WhatMakesNoSenseTogetherIsRefused) {
  const std::string head = "[scene]\nsteps = 0\n[terrain]\nkind = \"layers\"\nsize = [8, 8]\n";
  const auto said = [&](const std::string& words) {
    const TemporaryFolder folder;
    return error_of([&] { run_scene(parse_scene(head + words, "s.toml"), options_for(folder)); });
  };
  EXPECT_EQ(said("[thermal]\n"),
            "s.toml: thermal: works on heightfield, and this terrain is of layers: use [slippage]");
  EXPECT_EQ(said("[sheet]\n"),
            "s.toml: sheet: works on heightfield, and this terrain is of layers: use [water] and "
            "[hydraulic]");
  EXPECT_EQ(said("[weathering]\n"),
            "s.toml: weathering: works on voxels, and this terrain is of layers");
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
            "s.toml: slippage: works on layers, and this terrain is a heightfield: use [thermal]");
}

}  // namespace
}  // namespace scree
