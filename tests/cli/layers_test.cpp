// Scenes of layers as a person uses them: what they write, and that they go on where they were
// killed.
#include <signal.h>

#include <chrono>
#include <thread>

#include "program.h"

namespace scree::testing {
namespace {

class LayersCli : public Cli {
 protected:
  LayersCli() {
    write("hill.toml", R"(
[scene]
seed = 4
steps = 120
[terrain]
kind = "layers"
size = [160, 120]
cell = 2
bedrock = "granite"
[terrain.generate]
kind = "mountain"
relief = 60
[[terrain.layer]]
material = "mud"
thickness = 2
[[terrain.cave]]
path = [[40, 120, 5], [280, 120, 8]]
radius = 6
[slippage]
[slumping]
every = 10
[[output]]
kind = "height"
file = "height.npy"
[[output]]
kind = "field"
field = "thickness.mud"
file = "mud.npy"
)");
  }

  Words run(const std::string& out, const Words& more = {}) const {
    Words all = {"run", "hill.toml", "--out", out, "--device", "cpu"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(LayersCli, GoesOnWhereItWasKilled) {
  expect_success(scree(run("whole")));
  int killed = 0;
  for (int round = 0; round < 3; ++round) {
    Running running(run("part", {"--checkpoint-every", "7", "--resume"}), folder());
    std::this_thread::sleep_for(std::chrono::milliseconds(120 + 90 * round));
    running.send(SIGKILL);
    killed += running.wait().signal == SIGKILL;
  }
  EXPECT_GT(killed, 0);
  expect_success(scree(run("part", {"--checkpoint-every", "7", "--resume"})));
  EXPECT_EQ(hashes("part"), hashes("whole"));
  EXPECT_EQ(read("part/mud.npy"), read("whole/mud.npy"));
}

TEST_F(LayersCli, ItsCheckpointIsMeshedAndDescribed) {
  const Outcome outcome =
      scree(run("out", {"--size", "40x30", "--steps", "9", "--checkpoint-every", "8", "--json"}));
  expect_success(outcome);
  EXPECT_EQ(outcome.json()["layer_error"], 0);
  const Outcome info = scree({"info", "out/checkpoint-8.scree", "--json"});
  expect_success(info);
  EXPECT_EQ(info.json()["terrain"], "layers");
  EXPECT_TRUE(info.json()["cubic_metres"].contains("mud"));
  EXPECT_TRUE(contains(scree({"info", "out"}).out, "0 quanta astray"));
  expect_success(scree({"mesh", "out/checkpoint-8.scree", "-o", "whole.glb"}));
  const Outcome cut = scree(
      {"mesh", "out/checkpoint-8.scree", "-o", "cut.ply", "--cut", "0,120,320,120", "--json"});
  expect_success(cut);
  EXPECT_EQ(cut.json()["materials"], info.json()["cubic_metres"].size() - 1);
  expect_failure(scree({"mesh", "out/checkpoint-8.scree", "-o", "a.glb", "--cut", "0,120"}), 2,
                 {"--cut '0,120'", "X,Y,X,Y"});
  expect_failure(scree({"mesh", "out/checkpoint-8.scree", "-o", "a.glb", "--cut", "nan,0,1,1"}), 2,
                 {"--cut 'nan,0,1,1'", "X,Y,X,Y"});
  expect_failure(scree({"mesh", "out/checkpoint-8.scree", "-o", "a.glb", "--cut", "9,0,0,0"}), 2,
                 {"--cut: expected some of the terrain", "lies to the right"});
  expect_failure(scree({"mesh", "out/height.npy", "-o", "a.glb", "--cut", "0,1,2,1"}), 2,
                 {"--cut", "layers"});
}

// Heights have no caves: nobody gets them for the solid unasked.
TEST_F(LayersCli, TheSolidOfARunThatHasEndedIsNotItsHeights) {
  const Words small = {"--size", "40x30", "--steps", "9"};
  const Outcome done = scree(run("out", small));
  expect_success(done);
  EXPECT_TRUE(contains(done.err, "m3 of voids below it are not in them"));
  expect_failure(scree({"mesh", "out", "-o", "a.glb"}), 1,
                 {"out: its terrain is of layers", "kind = \"mesh\"", "out/height.npy"});
  expect_success(scree({"mesh", "out/height.npy", "-o", "a.glb", "--cell", "8"}));
  expect_success(scree(run("out", {"--size", "40x30", "--steps", "9", "--checkpoint-every", "8"})));
  const Outcome older = scree({"mesh", "out", "-o", "a.glb", "--cell-z", "0.5", "--json"});
  expect_success(older);
  EXPECT_TRUE(contains(older.err, "this is step 8 of 9"));
  EXPECT_EQ(older.json()["cell_z"], 0.5);
  const Outcome coarse = scree({"mesh", "out", "-o", "b.glb", "--cell-z", "9"});
  expect_success(coarse);
  EXPECT_LT(std::filesystem::file_size(path("b.glb")), std::filesystem::file_size(path("a.glb")));
  EXPECT_TRUE(contains(coarse.err, "thinner than the 9 m between samples"));
  expect_failure(scree({"mesh", "out", "-o", "b.glb", "--cell-z", "0"}), 2, {"--cell-z '0'"});
  expect_failure(scree({"mesh", "out/height.npy", "-o", "b.glb", "--cell-z", "1"}), 2,
                 {"--cell-z: expected a checkpoint of layers"});
}

// The ledger's water, and what that carries.
TEST_F(LayersCli, InfoCountsTheWaterOnTop) {
  write("wet.toml", R"(
[scene]
steps = 9
[terrain]
kind = "layers"
size = [20, 16]
cell = 2
borders = "closed"
bedrock = "clay"
[terrain.generate]
kind = "plane"
relief = 20
[[terrain.layer]]
material = "water"
thickness = 1
[water]
rain = 0
evaporation = 0
[hydraulic]
time_acceleration = 2000
)");
  expect_success(scree({"run", "wet.toml", "-o", "wet", "--checkpoint-every", "8"}));
  const Json volumes = scree({"info", "wet/checkpoint-8.scree", "--json"}).json()["cubic_metres"];
  const Json report = Json::parse(read("wet/report.json"));
  double start = 0;
  for (const Json& balance : report["ledger"]["quanta"])
    if (balance["of"][0] == "water") start = balance["start"].get<double>();
  EXPECT_GT(start, 0);
  EXPECT_NEAR(volumes["water"].get<double>(), start * report["quantum"]["metres"].get<double>() * 4,
              1e-6);
  ASSERT_TRUE(volumes.contains("carried by water"));
  EXPECT_GT(volumes["carried by water"].get<double>(), 0);
}

TEST_F(LayersCli, ItsCheckpointsAreCompared) {
  const Words small = {"--size", "40x30", "--steps", "9", "--checkpoint-every", "8"};
  expect_success(scree(run("a", small)));
  expect_success(scree(run("b", small)));
  Words other = small;
  other.insert(other.end(), {"--set", "slippage.scatter=0"});
  expect_success(scree(run("c", other)));
  const Outcome same = scree({"compare", "a/checkpoint-8.scree", "b/checkpoint-8.scree"});
  expect_success(same);
  EXPECT_TRUE(contains(same.out, "1200 stacks"));
  const Outcome differs = scree({"compare", "a/checkpoint-8.scree", "c/checkpoint-8.scree"});
  EXPECT_EQ(differs.code, 1);
  EXPECT_TRUE(contains(differs.out, "stacks differ, the first at column"));
  EXPECT_EQ(scree({"compare", "a", "b"}).code, 0);
  EXPECT_EQ(scree({"compare", "a", "c"}).code, 1);
}

TEST_F(LayersCli, WhatIsWrongIsOneLine) {
  expect_failure(scree(run("out", {"--set", "terrain.bedrock=\"granit\""})), 2,
                 {"granit", "did you mean 'granite'?"});
  expect_failure(scree(run("out", {"--set", "slippage.scater=1"})), 2, {"scatter"});
}

}  // namespace
}  // namespace scree::testing
