// Runs that doubt themselves: all kinds of terrain pass, and a difference is named.
#include "run/validated_model.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "run/kinds.h"
#include "run/scene_test.h"

namespace scree {
namespace {

using io::testing::error_of;
using io::testing::TemporaryFolder;
using testing::cpu;

const char* const heights = R"([scene]
seed = 3
steps = 40
[terrain]
size = [30, 22]
[water]
rain = "80 mm/h"
neighbours = "8"
[hydraulic]
[thermal]
every = 3
[[output]]
kind = "mask"
mask = "wetness"
file = "wetness.npy"
)";

const char* const layers = R"([scene]
seed = 3
steps = 24
[terrain]
kind = "layers"
size = [24, 20]
cell = 3
bedrock = "limestone"
generate = { kind = "pyramid", relief = 40 }
[[terrain.layer]]
material = "sand"
thickness = 3
[water]
rain = "80 mm/h"
[hydraulic]
[slippage]
[stones]
count = 12
[[output]]
kind = "field"
field = "bed"
file = "bed.npy"
)";

const char* const voxels = R"([scene]
seed = 3
steps = 12
[terrain]
kind = "voxels"
size = [32, 24, 24]
cell = 0.25
[[terrain.rock]]
name = "sandstone"
[[terrain.rock]]
name = "debris"
loose = true
[[terrain.form]]
kind = "column"
at = [4, 3, 0]
size = [4, 4, 5]
rock = "sandstone"
[weathering]
colluvium = true
stability_every = 2
[[weathering.bubble]]
radius_voxels = 3
[[output]]
kind = "mesh"
file = "rock.ply"
)";

class Validated : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(EveryKind, Validated, ::testing::Values(heights, layers, voxels));

TEST_P(Validated, ARunPassesAndIsTheSame) {
  const TemporaryFolder folder;
  const Scene scene = parse_scene(GetParam(), "validated");
  RunOptions options = testing::options_for(folder);
  const RunResult plain = run_scene(scene, options);
  options.validate = 3;
  EXPECT_EQ(run_scene(scene, options).hashes, plain.hashes);
}

// A twin of other rain, or of another seed, has the same state and takes another step.
TEST_P(Validated, WhatDiffersIsNamed) {
  Scene scene = parse_scene(GetParam(), "validated");
  auto model = run_kind(scene).make(scene, cpu());
  scene.apply_override(scene.terrain.voxels ? "scene.seed=4" : "water.rain=40 mm/h");
  const auto both = validated(std::move(model), scene, 1);
  both->prepare(nullptr, nullptr);
  const std::string said = error_of([&] {
    for (int step = 0; step < 20; ++step) both->step();
  });
  EXPECT_NE(said.find("from a restored state differs in "), std::string::npos) << said;
}

}  // namespace
}  // namespace scree
