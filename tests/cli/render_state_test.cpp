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

// Whatever a checkpoint holds is shown as the run shows it: values, unit and title.
TEST_F(RenderState, EveryFieldOfACheckpointIsShown) {
  std::string pictures;
  const Words fields = {"flux.x", "flux.se", "wetness", "looseness", "flow", "wear"};
  for (const std::string& field : fields)
    pictures
        .append("[[output]]\nkind = \"picture\"\npixels = [240, 220]\nevery = 20\nview = \"field:")
        .append(field)
        .append("\"\nfile = \"")
        .append(field)
        .append(".png\"\n");
  write_scene("fields.toml", pictures);
  expect_success(scree({"run", "fields.toml", "--out", "fields", "--checkpoint-every", "20",
                        "--set", "water.neighbours=8", "--set", "hydraulic.loosening=0.1", "--set",
                        "thermal.wetness_influence=0.5"}));
  for (const std::string& field : fields) {
    // Titles name the scene there, and the folder and step here.
    expect_success(scree({"render", "fields/checkpoint-20.scree", "-o", "state.png", "--pixels",
                          "240x220", "--view", "field:" + field}));
    const Pixels state(path("state.png")), run(path("fields/" + field + "-000020.png"));
    int differ = 0;
    for (int y = 39; y < state.height(); ++y)
      for (int x = 0; x < state.width(); ++x) differ += state.at(x, y) != run.at(x, y) ? 1 : 0;
    EXPECT_EQ(differ, 0) << field;
  }
}

// The newest state of a folder, and a word where the run went on after it.
TEST_F(RenderState, AFolderShowsItsNewestState) {
  const std::string seen = "[[output]]\nkind = \"picture\"\npixels = [32, 20]\n",
                    heights = "[[output]]\nkind = \"height\"\nevery = 20\n";
  const auto shown = [&](const char* every) {
    expect_success(scree({"run", "hills.toml", "--out", "run", "--checkpoint-every", every}));
    const Outcome outcome =
        scree({"render", "run", "-o", "a.png", "--pixels", "32x20", "--view", "relief", "--json"});
    expect_success(outcome);
    return std::pair(outcome.json()["source"].get<std::string>(), outcome.err);
  };
  write_scene("hills.toml", seen);
  auto [source, note] = shown("30");
  EXPECT_EQ(source, "run/checkpoint-30.scree");
  EXPECT_TRUE(contains(note, "this is step 30 of 40")) << note;
  expect_failure(scree({"render", "run", "-o", "no.png", "--view", "relief", "--before",
                        "run/checkpoint-30.scree", "-q"}),
                 2, {"--before", "found the same"});
  write_scene("hills.toml", heights + seen);
  std::tie(source, note) = shown("30");
  EXPECT_EQ(source, "run/height-000040.tif");
  EXPECT_FALSE(contains(note, "this is step")) << note;
  write_scene("hills.toml", "[[output]]\nkind = \"height\"\nevery = 15\n");
  std::tie(source, note) = shown("35");
  EXPECT_EQ(source, "run/checkpoint-35.scree") << "newer than the heights of step 30";
}

}  // namespace
}  // namespace scree::testing
