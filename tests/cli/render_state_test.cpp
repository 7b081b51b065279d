// Pictures of a run's states: what a checkpoint or a folder shows is what the run itself drew.
#include "render_test.h"

namespace scree::testing {
namespace {

class RenderState : public Cli {
 protected:
  void SetUp() override {
    if (!render::can_render()) GTEST_SKIP() << "built without OpenGL";
  }
};

// Sand on a slope that slides, with boulders on it, over borders that wrap.
constexpr const char* boulders = R"([scene]
seed = 3
steps = 21
[terrain]
kind = "layers"
size = [40, 30]
cell = 1
borders = "wrap"
bedrock = "granite"
[terrain.generate]
kind = "mountain"
relief = 20
[[terrain.layer]]
material = "sand"
thickness = 2
[slippage]
[stones]
count = 60
[[output]]
kind = "picture"
pixels = [96, 60]
every = 20
[[output]]
kind = "mesh"
file = "solid.ply"
every = 20
)";

TEST_F(RenderState, StonesOfACheckpointAreThoseOfItsRun) {
  write("boulders.toml", boulders);
  expect_success(scree({"run", "boulders.toml", "--out", "run", "--checkpoint-every", "20"}));
  const std::string checkpoint = "run/checkpoint-20.scree";
  expect_success(scree({"render", checkpoint, "-o", "state.png", "--pixels", "96x60"}));
  EXPECT_TRUE(read("state.png") == read("run/picture-000020.png"));
  const Outcome mesh = scree({"mesh", checkpoint, "-o", "solid.ply", "--json"});
  expect_success(mesh);
  EXPECT_EQ(mesh.json()["stones"], 60);
  EXPECT_TRUE(read("solid.ply") == read("run/solid-000020.ply"));
}

}  // namespace
}  // namespace scree::testing
