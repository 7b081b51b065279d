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

// Ground that rain has worn, in colours that are not those of any terrain.
TEST_F(RenderState, ACheckpointOfHeightsLooksAsItsRunDid) {
  const std::string tints = "tint_low = 20\ntint_high = 400\nwater_film = 0.01\n",
                    picture =
                        "[[output]]\nkind = \"picture\"\npixels = [96, 60]\nevery = 20\n"
                        "palette = \"desert\"\n" +
                        tints,
                    relief = "[[output]]\nkind = \"relief\"\npalette = \"volcanic\"\n" + tints;
  write_scene("pictured.toml", picture);
  write_scene("both.toml", relief + picture);
  expect_success(scree({"run", "pictured.toml", "--out", "run", "--checkpoint-every", "20"}));
  expect_success(scree({"run", "both.toml", "--out", "both", "--checkpoint-every", "20"}));
  const auto rendered = [&](const std::string& in, const Words& more = {}) {
    Words words = {"render", in, "-o", "state.png", "--pixels", "96x60"};
    words.insert(words.end(), more.begin(), more.end());
    expect_success(scree(words));
    return read("state.png");
  };
  const std::string drawn = read("run/picture-000020.png");
  EXPECT_TRUE(rendered("run/checkpoint-20.scree") == drawn);
  EXPECT_FALSE(rendered("run/checkpoint-20.scree", {"--palette", "alpine"}) == drawn);
  EXPECT_TRUE(rendered("both/checkpoint-20.scree") ==
              rendered("run/checkpoint-20.scree", {"--palette", "volcanic"}))
      << "a relief's palette comes first";
}

}  // namespace
}  // namespace scree::testing
