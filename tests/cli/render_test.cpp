// `scree render`: pictures from everything that has heights.
#include "render_test.h"

#include "io/mesh/mesh.h"
#include "render/ground/ground_maps.h"

namespace scree::testing {
namespace {

TEST_F(RenderCommand, MakesAPictureOfTheSizeAskedFor) {
  const Outcome outcome =
      scree({"render", "land.tif", "-o", "a.png", "--pixels", "120x70", "--json"});
  expect_success(outcome);
  EXPECT_EQ(outcome.json()["width"], 120);
  EXPECT_EQ(outcome.json()["height"], 70);
  const Raster picture = io::read_raster(path("a.png"));
  EXPECT_EQ(picture.width, 120);
  EXPECT_EQ(picture.height, 70);
  expect_success(scree({"render", "land.tif", "-o", "b.png", "--pixels", "120x70"}));
  EXPECT_EQ(read("a.png"), read("b.png")) << "the same land, the same bytes";
  for (const Words& change : {Words{"--camera", "azimuth=100,altitude=50"},
                              {"--camera", "from=0:-600:300,at=0:0:0"},
                              {"--palette", "desert"},
                              {"--exaggeration", "2"}}) {
    Words words = {"render", "land.tif", "-o", "c.png", "--pixels", "120x70"};
    words.insert(words.end(), change.begin(), change.end());
    expect_success(scree(words));
    EXPECT_NE(read("a.png"), read("c.png")) << change[0] << " " << change[1];
  }
}

TEST_F(RenderCommand, RunsOnCpuAndOpenClGiveTheSamePicture) {
  if (!has_opencl()) GTEST_SKIP() << "no OpenCL device";
  std::vector<std::string> pictures;
  for (const char* device : {"cpu", "opencl"}) {
    expect_success(scree({"run", "alpine", "--size", "48x48", "--steps", "50", "--device", device,
                          "--checkpoint-every", "40", "--out", "run"}));
    expect_success(scree({"render", "run", "-o", "folder.png", "--pixels", "64x40"}));
    expect_success(
        scree({"render", "run/checkpoint-40.scree", "-o", "checkpoint.png", "--pixels", "64x40"}));
    expect_success(scree({"render", "run/checkpoint-40.scree", "-o", "map.png", "--pixels",
                          "210x210", "--view", "field:velocity", "--glyphs", "velocity"}));
    pictures.push_back(read("folder.png") + read("checkpoint.png") + read("map.png"));
  }
  EXPECT_EQ(pictures.front(), pictures.back());
}

TEST_F(RenderCommand, ASceneIsRunForItAndLeavesNothingElse) {
  write_scene("hills.toml");
  const std::vector<std::string> before = files();
  expect_success(
      scree({"render", "hills.toml", "-o", "hills.png", "--pixels", "64x40", "--turntable", "2"}));
  std::vector<std::string> added;
  for (const std::string& file : files())
    if (std::find(before.begin(), before.end(), file) == before.end()) added.push_back(file);
  EXPECT_EQ(added, (std::vector<std::string>{"hills-000.png", "hills-001.png"}));
  EXPECT_NE(read("hills-000.png"), read("hills-001.png")) << "from the other side";
}

// A basin that rain fills, seen from above: the mean blue over red of its cells by how deep the
// field says they are. The eye is far off, so that rows and columns are those of the picture.
class RenderedBasin : public RenderCommand {
 protected:
  void SetUp() override {
    RenderCommand::SetUp();
    write("basin.toml", R"([scene]
seed = 3
time = 600

[terrain]
size = [64, 64]
cell = 10
borders = "closed"
generate = { kind = "simplex", relief = 12 }

[water]
rain = "2 m/h"

[[output]]
kind = "field"
field = "bed"
file = "bed.tif"

[[output]]
kind = "field"
field = "water"
file = "water.tif"

[[output]]
kind = "relief"

[[output]]
kind = "relief"
palette = "plain"
water = false
file = "dry.png"
)");
    expect_success(scree({"run", "basin.toml", "--out", "run"}));
  }

  struct Blueness {
    double lakes = 0, land = 0;
    int lake_cells = 0, land_cells = 0;
  };

  // Level and at least a hand deep as far as two cells around; or next to dry there.
  Blueness blueness_of(const std::string& picture) const {
    const Raster bed = io::read_raster(path("run/bed.tif")),
                 water = io::read_raster(path("run/water.tif"));
    render::Ground ground{bed.width, bed.height, 10, 10, bed.values, water.values};
    const std::vector<render::Vec3> outline = render::outline(render::ground_maps(ground, {}));
    render::Camera above;
    above.altitude = 90;
    above.azimuth = 180;
    const Pixels pixels(path(picture));
    const render::View view =
        render::look(above, outline, static_cast<double>(pixels.width()) / pixels.height());
    Blueness found;
    const auto middle = [](int n, int cells) { return 10 * (n - 0.5 * (cells - 1)); };
    for (int y = 2; y < bed.height - 2; ++y)
      for (int x = 2; x < bed.width - 2; ++x) {
        float shallow = 1e9F, deep = 0, low = 1e9F, high = -1e9F;
        for (int j = y - 2; j <= y + 2; ++j)
          for (int i = x - 2; i <= x + 2; ++i) {
            const auto n = static_cast<std::size_t>(bed.width * j + i);
            shallow = std::min(shallow, water.values[n]);
            deep = std::max(deep, water.values[n]);
            low = std::min(low, bed.values[n] + water.values[n]);
            high = std::max(high, bed.values[n] + water.values[n]);
          }
        const bool lake = shallow > 0.15F && high - low < 0.05F, land = deep < 0.08F;
        if (!lake && !land) continue;
        const auto place = view.project(
            {middle(x, bed.width), -middle(y, bed.height), static_cast<double>(high - low)});
        const auto [r, g, b] = pixels.at(static_cast<int>(place.x * pixels.width()),
                                         static_cast<int>(place.y * pixels.height()));
        (lake ? found.lakes : found.land) += static_cast<double>(b / r);
        ++(lake ? found.lake_cells : found.land_cells);
      }
    found.lakes /= found.lake_cells;
    found.land /= found.land_cells;
    return found;
  }
};

TEST_F(RenderedBasin, WaterOfARunIsWhereItsFieldSays) {
  for (const char* in : {"basin.toml", "run"}) {
    expect_success(
        scree({"render", in, "-o", "wet.png", "--pixels", "400x400", "--camera", "top"}));
    const Blueness wet = blueness_of("wet.png");
    EXPECT_GT(wet.lake_cells, 100);
    EXPECT_GT(wet.land_cells, 50);
    EXPECT_GT(wet.lakes, 1.15 * wet.land) << in << ": that a relief is dry does not dry it";
    expect_success(
        scree({"render", in, "-o", "dry.png", "--pixels", "400x400", "--camera", "top", "--dry"}));
    const Blueness dry = blueness_of("dry.png");
    EXPECT_NEAR(dry.lakes, dry.land, 0.05 * dry.land) << in;
  }
}

// By the ending of its name: a picture in perspective, a turn, maps and cuts, of the command and of
// a scene alike.
TEST_F(RenderCommand, PicturesAreWebPOrJpegByTheirEndings) {
  expect_success(scree({"render", "land.tif", "-o", "plain.png", "--pixels", "64x40"}));
  const std::vector<float> expected = blocks_of(path("plain.png"));
  for (const std::string name : {"a.webp", "a.jpg"}) {
    expect_success(scree({"render", "land.tif", "-o", name, "--pixels", "64x40"}));
    const std::vector<float> found = blocks_of(path(name));
    ASSERT_EQ(found.size(), expected.size()) << name;
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 8) << name;
    const std::string begins = read(name).substr(0, 4);
    EXPECT_EQ(begins, name == "a.jpg" ? "\xff\xd8\xff\xe0" : "RIFF");
  }
  const Words turn = {"render",   "land.tif", "-o",          "turn.webp",
                      "--pixels", "64x40",    "--turntable", "2"};
  expect_success(scree(turn));
  EXPECT_TRUE(fs::exists(path("turn-000.webp")) && fs::exists(path("turn-001.webp")));
  for (const std::string view : {"relief", "field:slope", "section"}) {
    const std::string name = view.substr(view.find(':') + 1) + ".webp";
    expect_success(
        scree({"render", "land.tif", "-o", name, "--pixels", "240x200", "--view", view}));
    EXPECT_EQ(io::read_raster(path(name)).width, 240) << view;
  }
  write("lossy.toml", R"([scene]
steps = 2
[terrain]
size = [32, 32]
cell = 5
generate = { kind = "simplex", relief = 12 }
[water]
rain = "20 mm/h"
[[output]]
kind = "relief"
file = "relief.jpg"
[[output]]
kind = "picture"
file = "small.webp"
pixels = [64, 40]
every = 1
)");
  expect_success(scree({"run", "lossy.toml", "--out", "lossy"}));
  for (const char* name : {"relief.jpg", "small-000001.webp", "small-000002.webp"})
    EXPECT_TRUE(fs::exists(path(std::string("lossy/") + name))) << name;
  expect_success(scree({"erode", "land.tif", "-o", "e.tif", "--relief", "e.webp", "--steps", "1"}));
  EXPECT_EQ(io::read_raster(path("e.webp")).width, 48);
}

TEST_F(RenderCommand, ARunWritesPicturesAsItGoes) {
  write_scene("hills.toml", R"(
[[output]]
kind = "picture"
pixels = [64, 40]
azimuth = 150
palette = "desert"
every = 20
)");
  expect_success(scree({"run", "hills.toml", "--out", "run"}));
  EXPECT_TRUE(fs::exists(path("run/picture-000020.png")));
  EXPECT_TRUE(fs::exists(path("run/picture-000040.png")));
  EXPECT_NE(read("run/picture-000020.png"), read("run/picture-000040.png"));
  write_scene("bad.toml", "[[output]]\nkind = \"picture\"\npixels = [64]\n");
  expect_failure(scree({"run", "bad.toml"}), 2, {"pixels"});
  write_scene("bad.toml", "[[output]]\nkind = \"picture\"\nfile = \"a.tif\"\n");
  expect_failure(scree({"run", "bad.toml"}), 2, {".png"});
}

TEST_F(RenderCommand, OfMeshes) {
  std::vector<float> whole;
  for (const char* name : {"land.ply", "land.glb", "land.obj", "land.stl", "LAND.GLB"}) {
    expect_success(scree({"mesh", "land.tif", "-o", name}));
    const Outcome outcome =
        scree({"render", name, "-o", "mesh.png", "--pixels", "64x40", "--json"});
    expect_success(outcome);
    EXPECT_EQ(outcome.json()["source"], name);
    // Whichever way is up in the file, the same land is seen; of STL without its colours.
    const std::vector<float> seen = blocks_of(path("mesh.png"));
    if (whole.empty()) whole = seen;
    ASSERT_EQ(seen.size(), whole.size());
    float most = 0;
    for (std::size_t i = 0; i < seen.size(); ++i)
      most = std::max(most, std::abs(seen[i] - whole[i]));
    if (std::string(name) == "land.stl")
      EXPECT_GT(most, 10) << "an STL has no colours";
    else
      EXPECT_LT(most, 3) << name;
  }
  expect_success(scree({"mesh", "land.tif", "-o", "grey.ply", "--colour", "none"}));
  expect_success(scree({"render", "grey.ply", "-o", "grey.png", "--pixels", "64x40"}));
  EXPECT_EQ(read("mesh.png") == read("grey.png"), false) << "vertices have colours";
}

TEST_F(RenderCommand, AScenesKeysMayBeChanged) {
  write_scene("hills.toml");
  const auto rendered = [&](const Words& more) {
    Words words = {"render",  "hills.toml", "-o",          "a.png",    "--pixels",
                   "240x220", "--view",     "field:water", "--device", "cpu"};
    words.insert(words.end(), more.begin(), more.end());
    expect_success(scree(words));
    return read("a.png");
  };
  const std::string plain = rendered({});
  EXPECT_TRUE(rendered({"--set", "water.rain=30 mm/h", "--threads", "1"}) == plain);
  for (const Words& more : {Words{"--set", "water.rain=90 mm/h"},
                            {"--size", "24x20"},
                            {"--steps", "20"},
                            {"--seed", "8"}})
    EXPECT_FALSE(rendered(more) == plain) << more[0];
  write("rock.toml", rock_scene);
  expect_success(scree({"render", "rock.toml", "-o", "b.png", "--view", "section", "--size",
                        "8x6x5", "--steps", "1"}));
  refuses({"render", "land.tif", "-o", "no.png", "--size", "8x8"}, 2, "--size");
  refuses({"render", "hills.toml", "-o", "no.png", "--set", "water.rian=1"}, 2, "rain");
}

// A file that some other system named.
TEST_F(RenderCommand, EndingsInCapitals) {
  fs::copy_file(path("land.tif"), path("LAND.TIF"));
  const Words small = {"--pixels", "32x20", "--view", "relief"};
  const auto renders = [&](const std::string& in, const std::string& out) {
    Words words = {"render", in, "-o", out};
    words.insert(words.end(), small.begin(), small.end());
    expect_success(scree(words));
    EXPECT_EQ(io::read_raster(path(out)).width, 32) << in;
  };
  renders("LAND.TIF", "A.PNG");
#ifdef SCREE_WITH_VDB
  std::string rock = rock_scene;
  rock.replace(rock.find("rock.vdb"), 8, "ROCK.VDB");
  write("rock.toml", rock);
  expect_success(scree({"run", "rock.toml", "--out", "run"}));
  renders("run", "B.Png");
  renders("run/ROCK.VDB", "C.png");
  expect_success(scree({"info", "run/ROCK.VDB"}));
#endif
}

}  // namespace
}  // namespace scree::testing
