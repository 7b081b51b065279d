// `scree render`: the views that are read, of heights, layers and voxels.
#include <cstdlib>

#include "base/error.h"
#include "io/mesh/mesh.h"
#include "render_test.h"

namespace scree::testing {
namespace {

TEST_F(RenderCommand, ViewsThatAreReadNeedNoOpenGl) {
  ::setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent.json", 1);
  for (const Words& change : {Words{"--view", "field:slope"},
                              {"--view", "field:height", "--range", "1,500", "--log"},
                              {"--view", "field:land.tif", "--glyphs", "normals"},
                              {"--view", "relief", "--contours", "20 m"},
                              {"--view", "section", "--line", "-100:-50,150:80"}}) {
    Words words = {"render", "land.tif", "-o", "view.png", "--pixels", "220x210"};
    words.insert(words.end(), change.begin(), change.end());
    expect_success(scree(words));
    EXPECT_EQ(io::read_raster(path("view.png")).width, 220) << change[1];
  }
  ::unsetenv("__EGL_VENDOR_LIBRARY_FILENAMES");
}

TEST_F(RenderCommand, ViewsOfARunAndItsStates) {
  const std::string views = R"(
[[output]]
kind = "picture"
view = "field:flow"
file = "flow.png"
pixels = [210, 200]

[[output]]
kind = "picture"
view = "relief"
glyphs = "velocity"
before = true
file = "pair.png"
pixels = [420, 200]

[[output]]
kind = "picture"
view = "field:velocity.north"
file = "north.png"
pixels = [210, 200]

[[output]]
kind = "mask"
mask = "velocity.east"

[[output]]
kind = "picture"
view = "section"
line = [[-100, 0], [100, 50]]
file = "cut.png"
pixels = [210, 200]
)";
  write_scene("hills.toml", views);
  expect_success(scree({"run", "hills.toml", "--out", "run", "--checkpoint-every", "15"}));
  for (const char* file : {"flow.png", "pair.png", "north.png", "cut.png"})
    EXPECT_EQ(io::read_raster(path("run/" + std::string(file))).height, 200) << file;
  EXPECT_TRUE(fs::exists(path("run/velocity.east.tif")));
  expect_success(scree(
      {"render", "run", "-o", "part.png", "--pixels", "210x200", "--view", "field:velocity.east"}));
  expect_success(scree({"render", "run/checkpoint-30.scree", "-o", "speed.png", "--pixels",
                        "210x200", "--view", "field:velocity", "--glyphs", "velocity"}));
  for (const char* view : {"field:velocity.east", "field:velocity.north"})
    expect_success(scree({"render", "run/checkpoint-30.scree", "-o", "part.png", "--pixels",
                          "210x200", "--view", view}));
  expect_success(scree({"render", "run", "-o", "two.png", "--pixels", "200x80", "--before",
                        "run/checkpoint-15.scree"}));
  expect_failure(scree({"render", "run", "-o", "no.png", "--before", "run/checkpoint-30.scree"}), 2,
                 {"expected another state"});
  expect_failure(
      scree({"render", "run/checkpoint-30.scree", "-o", "no.png", "--view", "field:wather"}), 2,
      {"wather", "water", "velocity", "slope"});
  write_scene("bad.toml", "[[output]]\nkind = \"picture\"\nview = \"field:wather\"\n");
  expect_failure(scree({"run", "bad.toml"}), 2, {"field:wather", "water"});
  write_scene("bad.toml", "[[output]]\nkind = \"picture\"\nview = \"releif\"\n");
  expect_failure(scree({"run", "bad.toml"}), 2, {"releif", "relief"});
}

TEST_F(RenderCommand, SectionsOfVoxelsNameTheirMaterials) {
  write("rock.toml", rock_scene);
  const Outcome ran = scree({"run", "rock.toml", "--out", "run"});
  expect_success(ran);
  for (const char* in : {"rock.toml", "run", "run/rock.vdb"}) {
    expect_success(
        scree({"render", in, "-o", "cut.png", "--view", "section", "--pixels", "160x100"}));
    const Pixels cut(path("cut.png"));
    // The lower half of the rock is flint, the upper one chalk.
    EXPECT_GT(cut.at(80, 85)[2], cut.at(80, 85)[0] + 100) << in;
    EXPECT_GT(cut.at(80, 40)[0], cut.at(80, 40)[2] + 100) << in;
  }
  // In perspective it has the colours of the same report.
  expect_success(scree({"render", "run/rock.vdb", "-o", "rock.png", "--pixels", "160x100"}));
  expect_golden(path("rock.png"), data_file("render-rock.png"));
  expect_failure(scree({"render", "run/rock.vdb", "-o", "no.png", "--view", "field:water"}), 2,
                 {"height, slope, curvature or material"});
  expect_success(scree({"render", "run/rock.vdb", "-o", "folder/map.png", "--view",
                        "field:material", "--pixels", "160x100"}));
  const Pixels map(path("folder/map.png"));
  EXPECT_GT(map.at(80, 50)[0], map.at(80, 50)[2] + 60) << "chalk, in its colour";
  expect_success(scree({"mesh", "run/rock.vdb", "-o", "rock.ply"}));
  expect_failure(scree({"render", "rock.ply", "-o", "no.png", "--view", "relief"}), 2,
                 {"rock.ply", "beauty and wireframe"});
}

// A run's volume is shown as the run shows it: what is left of a voxel is rock, however little.
TEST_F(RenderCommand, AVolumeLooksAsTheRunThatWroteIt) {
  std::string worn = rock_scene;
  for (std::size_t at = 0; (at = worn.find("durability = 1", at)) != std::string::npos; ++at)
    worn.replace(at, 14, "durability = 0.6");
  worn.replace(worn.find("steps = 2"), 9, "steps = 5");
  write("rock.toml", worn + "[[output]]\nkind = \"mesh\"\nfile = \"rock.ply\"\n");
  expect_success(scree({"run", "rock.toml", "--out", "run"}));
  for (const char* view : {"beauty", "section"}) {
    std::vector<std::string> pictures;
    for (const char* in : {"rock.toml", "run/rock.vdb"}) {
      expect_success(scree({"render", in, "-o", "rock.png", "--view", view, "--pixels", "64x48"}));
      pictures.push_back(read("rock.png"));
    }
    EXPECT_EQ(pictures[0], pictures[1]) << view;
  }
  const auto triangles = [&](const Words& more) {
    Words words = {"mesh", "run/rock.vdb", "-o", "again.ply", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return scree(words).json()["triangles"].get<int>();
  };
  const auto own = static_cast<int>(io::read_mesh(path("run/rock.ply").string()).triangles.size());
  EXPECT_EQ(triangles({}), own);
  const Outcome told = scree({"mesh", "run/rock.vdb", "-o", "again.ply"});
  EXPECT_TRUE(contains(told.out, "all that is left of a voxel is rock")) << told.out;
  EXPECT_FALSE(contains(told.out, "isovalue")) << told.out;
  EXPECT_NE(triangles({"--isovalue", "0.5"}), own) << "half of a voxel's rock is another surface";
}

TEST_F(RenderCommand, EveryViewOfVoxels) {
  write("rock.toml", softer_rock("0.3", 4) + R"(
[[output]]
kind = "picture"
view = "relief"
file = "map.png"
pixels = [64, 48]

[[output]]
kind = "picture"
view = "section"
before = true
every = 1
file = "cut.png"
pixels = [200, 60]
)");
  expect_success(scree({"run", "rock.toml", "--out", "run", "--checkpoint-every", "1"}));
  EXPECT_TRUE(fs::exists(path("run/map.png")));
  EXPECT_TRUE(fs::exists(path("run/cut-000002.png")));
  for (const auto& [in, view] : {std::pair{"rock.toml", "relief"},
                                 {"run/rock.vdb", "field:slope"},
                                 {"run/checkpoint-3.scree", "beauty"},
                                 {"run/checkpoint-3.scree", "wireframe"},
                                 {"run/checkpoint-3.scree", "section"}}) {
    expect_success(scree({"render", in, "-o", "view.png", "--view", view, "--pixels", "64x48"}));
    EXPECT_EQ(io::read_raster(path("view.png")).width, 64) << view << " of " << in;
  }
  // Before its first step the block was whole: its upper corner, on the left half alone.
  expect_success(scree({"render", "rock.toml", "-o", "pair.png", "--view", "section", "--before",
                        "start", "--pixels", "322x100"}));
  const Pixels pair(path("pair.png"));
  int gone = 0;
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 160; ++x) {
      const auto then = pair.at(x, y), now = pair.at(x + 162, y);
      gone += then[0] > then[2] + 100 && now[0] < now[2] + 100 ? 1 : 0;
    }
  EXPECT_GT(gone, 20) << "chalk that is no more";
  expect_failure(scree({"render", "rock.toml", "-o", "no.png", "--before", "other.toml"}), 2,
                 {"--before", "start"});
  expect_failure(scree({"render", "run/rock.vdb", "-o", "no.png", "--before", "start"}), 2,
                 {"--before", "scene"});
  expect_success(scree({"mesh", "run/rock.vdb", "-o", "rock.ply"}));
  expect_failure(scree({"render", "rock.ply", "-o", "no.png", "--before", "run/rock.vdb"}), 2,
                 {"--before: run/rock.vdb: expected a mesh as rock.ply is, found a volume"});
}

TEST_F(RenderCommand, VoxelsOnCpuAndOpenClGiveTheSamePictures) {
  write("rock.toml", softer_rock("0.3", 4) + R"(
[[output]]
kind = "picture"
file = "beauty.png"
pixels = [64, 48]

[[output]]
kind = "picture"
view = "section"
file = "cut.png"
pixels = [64, 48]
)");
  if (!has_opencl()) GTEST_SKIP() << "no OpenCL device";
  std::vector<std::string> pictures;
  for (const char* device : {"cpu", "opencl"}) {
    expect_success(scree(
        {"run", "rock.toml", "--out", device, "--device", device, "--checkpoint-every", "2"}));
    const std::string out = device;
    expect_success(
        scree({"render", out + "/checkpoint-2.scree", "-o", "then.png", "--pixels", "64x48"}));
    pictures.push_back(read(out + "/beauty.png") + read(out + "/cut.png") + read("then.png"));
  }
  EXPECT_EQ(pictures.front(), pictures.back());
}

TEST_F(RenderCommand, EveryViewOfLayersAndTheirCheckpoints) {
  write("beds.toml", R"([scene]
steps = 6

[terrain]
kind = "layers"
size = [48, 32]
cell = 2
bedrock = "blue"
generate = { kind = "mountain", relief = 10 }

[[terrain.layer]]
material = "red"
thickness = 8

[[material]]
name = "blue"
talus = 80
colour = "#1428dc"

[[material]]
name = "red"
talus = 30
colour = "#e6141e"

[water]
rain = "4 m/h"

[slippage]

[[output]]
kind = "picture"
view = "relief"
before = true
file = "pair.png"
pixels = [130, 40]
)");
  expect_success(scree({"run", "beds.toml", "--out", "run", "--checkpoint-every", "5"}));
  EXPECT_EQ(io::read_raster(path("run/pair.png")).width, 130);
  const std::string checkpoint = "run/checkpoint-5.scree";
  for (const auto& [in, view] : {std::pair{checkpoint, "beauty"},
                                 {checkpoint, "wireframe"},
                                 {checkpoint, "relief"},
                                 {checkpoint, "field:water"},
                                 {checkpoint, "field:slope"},
                                 {std::string("beds.toml"), "field:thickness.red"}}) {
    expect_success(scree({"render", in, "-o", "view.png", "--view", view, "--pixels", "64x48"}));
    EXPECT_EQ(io::read_raster(path("view.png")).width, 64) << view << " of " << in;
  }
  expect_success(
      scree({"render", checkpoint, "-o", "cut.png", "--view", "section", "--pixels", "160x100"}));
  const Pixels cut(path("cut.png"));
  // Downwards through the middle: air, water, what was red, blue to the foot.
  std::string seen;
  for (int y = 0; y < 100; ++y) {
    const auto [r, g, b] = cut.at(80, y);
    const char kind = r > b + 100 ? 'r' : b > g + 100 ? 'b' : b > r + 60 ? 'w' : '.';
    if (seen.empty() || seen.back() != kind) seen += kind;
  }
  EXPECT_TRUE(contains(seen, "rb")) << seen;
  EXPECT_FALSE(contains(seen, "br")) << seen;
  expect_failure(scree({"render", checkpoint, "-o", "no.png", "--cut", "9,0,0,0"}), 2,
                 {"--cut: expected some of the terrain", "lies to the right"});
  expect_failure(scree({"render", checkpoint, "-o", "no.png", "--view", "field:wather"}), 2,
                 {"wather", "water"});
  expect_success(scree(
      {"render", checkpoint, "-o", "map.png", "--view", "field:material", "--pixels", "240x220"}));
  const Pixels map(path("map.png"));
  const auto [red, green, blue] = map.at(100, 110);
  EXPECT_GT(red, blue + 60) << "red lies on top, in its own colour";
  EXPECT_GT(red, green + 60);
  // The same motion from the run, its checkpoint and the arrows.
  for (const char* view : {"field:velocity", "field:velocity.north", "field:height"})
    expect_success(scree({"render", checkpoint, "-o", "view.png", "--view", view, "--glyphs",
                          "velocity", "--pixels", "220x200"}));
  std::string five = read("beds.toml");
  five.replace(five.find("steps = 6"), 9, "steps = 5");
  write("five.toml", five);
  for (const char* in : {"five.toml", checkpoint.c_str()})
    expect_success(scree({"render", in, "-o", text("speed-", in == checkpoint, ".png"), "--view",
                          "field:velocity", "--pixels", "120x100"}));
  EXPECT_EQ(read("speed-0.png"), read("speed-1.png"));
}

TEST_F(RenderCommand, LayersOnCpuAndOpenClGiveTheSamePictures) {
  if (!has_opencl()) GTEST_SKIP() << "no OpenCL device";
  const std::string scene = data_file("pictures/cave.toml");
  std::vector<std::string> pictures;
  for (const char* device : {"cpu", "opencl"}) {
    expect_success(
        scree({"render", scene, "-o", "beauty.png", "--pixels", "96x64", "--device", device}));
    expect_success(scree({"render", scene, "-o", "cut.png", "--pixels", "160x100", "--view",
                          "section", "--device", device}));
    pictures.push_back(read("beauty.png") + read("cut.png"));
  }
  EXPECT_EQ(pictures.front(), pictures.back());
}

}  // namespace
}  // namespace scree::testing
