// `scree render`: pictures from everything that has heights, and one line where there is none.
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include "base/error.h"
#include "io/film.h"
#include "io/mesh.h"
#include "io/raster.h"
#include "program.h"
#include "render/ground_maps.h"
#include "render/renderer.h"

namespace scree::testing {
namespace {

class RenderCommand : public Cli {
 protected:
  void SetUp() override {
    if (!render::can_render()) GTEST_SKIP() << "built without OpenGL";
    expect_success(scree({"generate", "ridged", "-o", "land.tif", "--size", "48x40"}));
  }

  // One line on stderr with this in it, and no picture.
  void refuses(const Words& words, int code, const std::string& part) const {
    const Outcome outcome = scree(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_FALSE(fs::exists(path("no.png")));
  }
};

TEST_F(RenderCommand, MakesAPictureOfTheSizeAskedFor) {
  const Outcome outcome =
      scree({"render", "land.tif", "-o", "a.png", "--pixels", "120x70", "--json"});
  expect_success(outcome);
  EXPECT_EQ(outcome.json()["width"], 120);
  EXPECT_EQ(outcome.json()["height"], 70);
  const io::Raster picture = io::read_raster(path("a.png"));
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
  const Outcome devices = scree({"devices", "--json"});
  std::vector<std::string> pictures;
  for (const char* device : {"cpu", "opencl"}) {
    if (!contains(devices.out, device)) continue;
    expect_success(scree({"run", "alpine", "--size", "48x48", "--steps", "50", "--device", device,
                          "--checkpoint-every", "40", "--out", "run"}));
    expect_success(scree({"render", "run", "-o", "folder.png", "--pixels", "64x40"}));
    EXPECT_TRUE(fs::exists(path("folder.png")));
    expect_success(
        scree({"render", "run/checkpoint-40.scree", "-o", "checkpoint.png", "--pixels", "64x40"}));
    expect_success(scree({"render", "run/checkpoint-40.scree", "-o", "map.png", "--pixels",
                          "210x210", "--view", "field:velocity", "--glyphs", "velocity"}));
    pictures.push_back(read("checkpoint.png") + read("map.png"));
  }
  for (const std::string& picture : pictures) EXPECT_EQ(picture, pictures.front());
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

// Red, green and blue of a picture's pixel.
class Pixels {
 public:
  explicit Pixels(const fs::path& file) {
    for (std::size_t band = 0; band < 3; ++band) {
      io::ReadOptions options;
      options.band = static_cast<int>(band) + 1;
      planes_[band] = io::read_raster(file, options);
    }
  }
  int width() const { return planes_[0].width; }
  int height() const { return planes_[0].height; }
  std::array<float, 3> at(int x, int y) const {
    const auto i = static_cast<std::size_t>(y * width() + x);
    return {planes_[0].values[i], planes_[1].values[i], planes_[2].values[i]};
  }

 private:
  std::array<io::Raster, 3> planes_;
};

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
    const io::Raster bed = io::read_raster(path("run/bed.tif")),
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

// A picture as three planes of means over 4 x 4 pixels: what the eye would see of a small change.
std::vector<float> blocks_of(const fs::path& file) {
  constexpr int side = 4;
  std::vector<float> means;
  for (int band = 1; band <= 3; ++band) {
    io::ReadOptions options;
    options.band = band;
    const io::Raster picture = io::read_raster(file, options);
    for (int y = 0; y + side <= picture.height; y += side)
      for (int x = 0; x + side <= picture.width; x += side) {
        float sum = 0;
        for (int j = y; j < y + side; ++j)
          for (int i = x; i < x + side; ++i)
            sum += picture.values[static_cast<std::size_t>(j * picture.width + i)];
        means.push_back(sum / (side * side));
      }
  }
  return means;
}

// Drivers differ in the last bits, and eyes do not see those. SCREE_UPDATE_GOLDEN=1 draws it anew.
void expect_golden(const fs::path& picture, const fs::path& golden) {
  if (std::getenv("SCREE_UPDATE_GOLDEN") != nullptr)
    fs::copy_file(picture, golden, fs::copy_options::overwrite_existing);
  const std::vector<float> found = blocks_of(picture), expected = blocks_of(golden);
  ASSERT_EQ(found.size(), expected.size());
  double sum = 0;
  float most = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const float off = std::abs(found[i] - expected[i]);
    sum += static_cast<double>(off);
    most = std::max(most, off);
  }
  EXPECT_LT(sum / static_cast<double>(found.size()), 1.5) << golden;
  EXPECT_LT(most, 16) << golden;
}

TEST_F(RenderCommand, LooksAsItDid) {
  expect_success(scree({"generate", "mountain", "-o", "peak.tif", "--size", "96x96", "--cell", "20",
                        "--seed", "3", "--set", "relief=900"}));
  expect_success(scree({"render", "peak.tif", "-o", "peak.png", "--pixels", "160x100"}));
  expect_golden(path("peak.png"), data_file("render-peak.png"));
  const std::string size = "240x220";
  for (const std::string view : {"relief", "field:slope", "section", "wireframe"}) {
    const std::string name = "render-" + view.substr(view.find(':') + 1) + ".png";
    expect_success(scree({"render", "peak.tif", "-o", name, "--pixels", size, "--view", view}));
    expect_golden(path(name), data_file(name));
  }
}

// Lakes, rivers and what they laid down; sand and beds; a lake on layers, and its cave; a column of
// voxels in its colluvium.
TEST_F(RenderCommand, WaterSandLayersAndColluviumLookAsTheyDid) {
  for (const auto& [name, camera] : {std::pair{"lake", "altitude=24,zoom=1.4"},
                                     {"desert", "altitude=24,zoom=1.4"},
                                     {"cave", "altitude=30"},
                                     {"column", "altitude=16"}}) {
    const std::string scene = text("pictures/", name, ".toml"), picture = text(name, ".png");
    expect_success(scree(
        {"render", data_file(scene), "-o", picture, "--pixels", "200x125", "--camera", camera}));
    expect_golden(path(picture), data_file("pictures/" + picture));
  }
}

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
  expect_success(scree({"run", "hills.toml", "--out", "run", "--checkpoint-every", "30"}));
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
                        "run/checkpoint-30.scree"}));
  expect_failure(
      scree({"render", "run/checkpoint-30.scree", "-o", "no.png", "--view", "field:wather"}), 2,
      {"wather", "water", "velocity", "slope"});
  write_scene("bad.toml", "[[output]]\nkind = \"picture\"\nview = \"field:wather\"\n");
  expect_failure(scree({"run", "bad.toml"}), 2, {"field:wather", "water"});
  write_scene("bad.toml", "[[output]]\nkind = \"picture\"\nview = \"releif\"\n");
  expect_failure(scree({"run", "bad.toml"}), 2, {"releif", "relief"});
}

constexpr const char* rock_scene = R"([scene]
steps = 2

[terrain]
kind = "voxels"
size = [16, 12, 10]
cell = 1

[[terrain.rock]]
name = "chalk"
durability = 1
colour = "#e6141e"

[[terrain.rock]]
name = "flint"
durability = 1
colour = "#1428dc"

[[terrain.form]]
kind = "block"
rock = "flint"
at = [8, 6, 0]
size = [16, 12, 4]

[[terrain.form]]
kind = "block"
rock = "chalk"
at = [8, 6, 4]
size = [16, 12, 4]

[[output]]
kind = "volume"
file = "rock.vdb"
)";

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
  EXPECT_NE(triangles({"--isovalue", "0.5"}), own) << "half of a voxel's rock is another surface";
}

// The rock so soft, and for so long, that some of it goes, or all.
std::string softer_rock(const std::string& durability, int steps) {
  std::string soft = rock_scene;
  for (std::size_t at = 0; (at = soft.find("durability = 1", at)) != std::string::npos; ++at)
    soft.replace(at, 14, "durability = " + durability);
  soft.replace(soft.find("steps = 2"), 9, "steps = " + std::to_string(steps));
  return soft;
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
  const Outcome devices = scree({"devices", "--json"});
  std::vector<std::string> pictures;
  for (const char* device : {"cpu", "opencl"}) {
    if (!contains(devices.out, device)) continue;
    expect_success(scree(
        {"run", "rock.toml", "--out", device, "--device", device, "--checkpoint-every", "2"}));
    const std::string out = device;
    expect_success(
        scree({"render", out + "/checkpoint-2.scree", "-o", "then.png", "--pixels", "64x48"}));
    pictures.push_back(read(out + "/beauty.png") + read(out + "/cut.png") + read("then.png"));
  }
  for (const std::string& picture : pictures) EXPECT_EQ(picture, pictures.front());
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
  // The same from its own state on another device.
  if (!contains(scree({"devices", "--json"}).out, "opencl")) return;
  const std::string expected = read("cut.png");
  expect_success(
      scree({"run", "beds.toml", "--out", "run", "--checkpoint-every", "5", "--device", "opencl"}));
  expect_success(
      scree({"render", checkpoint, "-o", "cut.png", "--view", "section", "--pixels", "160x100"}));
  EXPECT_EQ(read("cut.png"), expected);
}

// Rock that is soft enough to be gone at the end: the film goes on over the empty plain, and a mesh
// of nothing is not written.
TEST_F(RenderCommand, AFilmOfRockThatWeathersAway) {
  std::string soft = softer_rock("0", 30);
  soft.resize(soft.find("[[output]]"));
  write("rock.toml", soft +
                         "[[output]]\nkind = \"picture\"\npixels = [32, 20]\nevery = 15\n"
                         "[[output]]\nkind = \"mesh\"\nfile = \"rock.ply\"\n");
  const Outcome outcome = scree({"run", "rock.toml", "--out", "run", "--json"});
  expect_success(outcome);
  EXPECT_EQ(outcome.json()["rock"], 0) << "nothing is left";
  EXPECT_EQ(io::read_raster(path("run/picture-000030.png")).width, 32);
  EXPECT_FALSE(fs::exists(path("run/rock.ply")));
  EXPECT_TRUE(contains(outcome.json()["lines"][0], "rock.ply: not written, no rock is left"));
  EXPECT_TRUE(fs::exists(path("run/report.json")));
  expect_success(scree({"render", "rock.toml", "-o", "gone.png", "--pixels", "32x20"}));
}

// A stand-in that keeps what it was given.
TEST_F(RenderCommand, FilmsWhereFfmpegIs) {
  const Words turn = {"render",   "land.tif", "-o",          "turn.mp4",
                      "--pixels", "32x20",    "--turntable", "3"};
  const std::string paths = std::getenv("PATH");
  ::setenv("PATH", path("none").c_str(), 1);
  const Outcome without = scree(turn);
  expect_success(without);
  EXPECT_TRUE(contains(without.err, "ffmpeg is not installed")) << without.err;
  EXPECT_TRUE(fs::exists(path("turn-002.png")));
  EXPECT_FALSE(fs::exists(path("turn.mp4")));
  fs::create_directory(path("bin"));
  write("bin/ffmpeg", "#!/bin/sh\nfor last; do :; done\nPATH=/usr/bin:/bin\ncat > \"$last\"\n");
  fs::permissions(path("bin/ffmpeg"), fs::perms::owner_all);
  ::setenv("PATH", path("bin").c_str(), 1);
  const std::string frames = read("turn-000.png") + read("turn-001.png") + read("turn-002.png");
  expect_success(scree(turn));
  EXPECT_EQ(read("turn.mp4"), frames) << "all pictures, in order";
  EXPECT_FALSE(fs::exists(path("turn-000.png")));
  write_scene("hills.toml",
              "[[output]]\nkind = \"picture\"\npixels = [32, 20]\nevery = 20\nfile = \"a.mp4\"\n");
  expect_success(scree({"run", "hills.toml", "--out", "run"}));
  EXPECT_TRUE(fs::exists(path("run/a.mp4")));
  EXPECT_FALSE(fs::exists(path("run/a-000020.png")));
  write("bin/ffmpeg", "#!/bin/sh\nexit 3\n");
  fs::permissions(path("bin/ffmpeg"), fs::perms::owner_all);
  expect_failure(scree(turn), 1, {"ffmpeg failed"});
  EXPECT_TRUE(fs::exists(path("turn-000.png"))) << "not lost";
  ::setenv("PATH", paths.c_str(), 1);
}

// Killed again and again in the middle of a time-lapse, and resumed: every picture is in the film.
TEST_F(RenderCommand, AFilmOfARunThatWasKilledIsWhole) {
  const std::string paths = std::getenv("PATH");
  fs::create_directory(path("bin"));
  write("bin/ffmpeg", "#!/bin/sh\nfor last; do :; done\nPATH=/usr/bin:/bin\ncat > \"$last\"\n");
  fs::permissions(path("bin/ffmpeg"), fs::perms::owner_all);
  ::setenv("PATH", path("bin").c_str(), 1);
  write_scene("hills.toml",
              "[[output]]\nkind = \"picture\"\nview = \"relief\"\npixels = [48, 40]\nevery = 5\n"
              "file = \"a.mp4\"\n");
  const auto words = [](const std::string& out, bool resume) {
    Words all = {"run", "hills.toml", "--out",  out,        "--steps", "200", "--checkpoint-every",
                 "7",   "--size",     "128x96", "--device", "cpu"};
    if (resume) all.emplace_back("--resume");
    return all;
  };
  expect_success(scree(words("whole", false)));
  int killed = 0;
  for (const char* picture : {"a-000030.png", "a-000080.png", "a-000145.png"}) {
    Running running(words("cut", killed > 0), folder());
    for (int i = 0; i < 6000 && !fs::exists(path("cut") / picture) && !running.ended(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    running.send(SIGKILL);
    killed += running.wait().signal == SIGKILL ? 1 : 0;
    EXPECT_FALSE(fs::exists(path("cut/a.mp4"))) << picture;
  }
  EXPECT_EQ(killed, 3);
  const Outcome resumed = scree(words("cut", true));
  ::setenv("PATH", paths.c_str(), 1);
  expect_success(resumed);
  EXPECT_GT(Json::parse(read("cut/report.json"))["resumed_from"], 100);
  EXPECT_EQ(read("cut/a.mp4").size(), read("whole/a.mp4").size());
  EXPECT_TRUE(read("cut/a.mp4") == read("whole/a.mp4")) << "every picture, in order, once";
}

// Frames, size and seconds of a film as the program that came with ffmpeg tells them.
std::string probed(const fs::path& film) {
  const std::string command =
      "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
      "stream=codec_name,width,height,nb_read_frames,r_frame_rate -of csv=p=0 '" +
      film.string() + "' 2>&1";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::array<char, 256> line{};
  return pipe && std::fgets(line.data(), line.size(), pipe.get()) != nullptr ? line.data() : "";
}

TEST_F(RenderCommand, FilmsThatARealFfmpegMakes) {
  if (!io::can_film() || std::system("ffprobe -version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "ffmpeg is not installed";
  expect_success(
      scree({"render", "land.tif", "-o", "turn.mp4", "--pixels", "65x40", "--turntable", "5"}));
  EXPECT_EQ(probed(path("turn.mp4")), "h264,66,40,25/1,5\n") << "an odd side gains a column";
  EXPECT_FALSE(fs::exists(path("turn-000.png")));
  write_scene("hills.toml",
              "[[output]]\nkind = \"picture\"\npixels = [32, 20]\nevery = 20\nfile = \"a.mp4\"\n");
  expect_success(scree({"run", "hills.toml", "--out", "run"}));
  EXPECT_EQ(probed(path("run/a.mp4")), "h264,32,20,25/1,2\n");
  write("rock.toml", std::string(rock_scene) +
                         "[[output]]\nkind = \"picture\"\npixels = [32, 20]\nturntable = 3\n"
                         "file = \"b.mp4\"\n");
  expect_success(scree({"run", "rock.toml", "--out", "run"}));
  EXPECT_EQ(probed(path("run/b.mp4")), "h264,32,20,25/1,3\n");
}

TEST_F(RenderCommand, OfMeshes) {
  expect_success(scree({"mesh", "land.tif", "-o", "land.ply"}));
  const Outcome outcome =
      scree({"render", "land.ply", "-o", "mesh.png", "--pixels", "64x40", "--json"});
  expect_success(outcome);
  EXPECT_EQ(outcome.json()["source"], "land.ply");
  expect_success(scree({"mesh", "land.tif", "-o", "grey.ply", "--colour", "none"}));
  expect_success(scree({"render", "grey.ply", "-o", "grey.png", "--pixels", "64x40"}));
  EXPECT_NE(read("mesh.png"), read("grey.png")) << "vertices have colours";
}

// Ctrl-C in the middle of the run: no state, no half of a film.
TEST_F(RenderCommand, AStoppedRunForAPictureLeavesNothing) {
  write_scene("hills.toml");
  std::string longer = read("hills.toml");
  longer.replace(longer.find("steps = 40"), 10, "steps = 10000000");
  write("hills.toml", longer);
  write("rock.toml", std::string(rock_scene).replace(8, 9, "steps = 10000000"));
  const std::vector<std::string> before = files();
  for (const char* scene : {"hills.toml", "rock.toml"}) {
    Running running({"render", scene, "-o", "a.mp4", "--pixels", "32x20", "--turntable", "2"},
                    folder());
    for (int i = 0; i < 6000 && !fs::exists(path("a.mp4.work")) && !running.ended(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    running.send(SIGINT);
    const Outcome outcome = running.wait();
    expect_failure(outcome, 130, {"stopped after"});
    EXPECT_FALSE(contains(outcome.err, ".scree")) << outcome.err;
    EXPECT_EQ(files(), before) << scene;
  }
}

TEST_F(RenderCommand, RefusesInOneLine) {
  write("bad.ply", "ply\nformat ascii 1.0\nend_header\n");
  refuses({"render", "bad.ply", "-o", "no.png"}, 1, "triangle");
  expect_success(scree({"generate", "ridged", "-o", "row.tif", "--size", "5x1"}));
  refuses({"render", "row.tif", "-o", "no.png"}, 1, "row.tif: expected at least 2 x 2 cells");
  write("far.obj", "v 0 0 0\nv 1e30 0 0\nv 0 1 1e38\nf 1 2 3\n");
  refuses({"render", "far.obj", "-o", "no.png"}, 1, "far.obj: position of vertex 2: expected");
  write("none.obj", "v 0 0 0\nv 1 0 0\nv 0 1 1\nf 1 2 4\n");
  refuses({"render", "none.obj", "-o", "no.png"}, 1,
          "triangle 1: expected vertices 1 to 3, found 4");
  refuses({"render", "nowhere.tif", "-o", "no.png"}, 1, "nowhere.tif");
  refuses({"render", "land.tif", "-o", "no.jpg"}, 2, "ends in .png");
  refuses({"render", "land.tif", "-o", "no.png", "--cut", "0,5,9,5"}, 2, "a terrain of layers");
  refuses({"render", "land.tif", "-o", "no.png", "--pixels", "100"}, 2, "--pixels");
  refuses({"render", "land.tif", "-o", "no.png", "--pixels", "0x10"}, 2, "--pixels");
  refuses({"render", "land.tif", "-o", "no.png", "--pixels", "99999x10"}, 2, "16384");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "azimut=3"}, 2, "azimuth");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "altitude=100"}, 2, "-90 to 90");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "from=1:2"}, 2, "X:Y:Z");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "top,low"}, 2, "'top' says altitude");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "azimuth=1,azimuth=2"}, 2,
          "'azimuth=2': 'azimuth=1' says azimuth already");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "low,from=9:9:9"}, 2,
          "'low': says where the camera stands, and so does from");
  refuses({"render", "land.tif", "-o", "no.png", "--sun", "300"}, 2, "AZIMUTH,ALTITUDE");
  refuses({"render", "land.tif", "-o", "no.png", "--palette", "dessert"}, 2, "desert");
  refuses({"render", "land.tif", "-o", "no.png", "--samples", "5"}, 2, "--samples");
  refuses({"render", "land.tif", "-o", "land.tif/no.png"}, 1, "land.tif: cannot make this folder");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "from=1:2:3,at=1:2:3"}, 2,
          "--camera from: the camera stands where it looks");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "section", "--turntable", "3"}, 2,
          "--turntable: expected --view beauty or wireframe");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "section", "--line", "900:0,999:0"}, 2,
          "runs beside the terrain, which reaches 240 m");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "releif"}, 2, "relief");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "field:slop"}, 2, "slope");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "relief", "--log"}, 2, "field:NAME");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "field:height", "--range", "9,5"}, 2,
          "lowest below the highest");
  refuses({"render", "land.tif", "-o", "no.png", "--line", "0:0,9:9"}, 2, "--view section");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "section", "--line", "0:0"}, 2, "X:Y");
  refuses({"render", "land.tif", "-o", "no.png", "--view", "relief", "--glyphs", "velocity"}, 1,
          "velocity");
  refuses({"render", "land.tif", "-o", "no.png", "--before", "nowhere.tif"}, 1, "nowhere.tif");
  refuses({"render", "land.tif", "-o", "no.mp4"}, 2, "--turntable");
}

// Under a limit of the shell's, as `ulimit -v` sets it.
TEST_F(RenderCommand, APictureThatMemoryCannotHoldIsRefusedBeforeTheWork) {
  write("rock.toml", std::string(rock_scene));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  rlimit less = before;
  less.rlim_cur = rlim_t{6} << 30;
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &less), 0);
  write_scene("hills.toml");
  for (const char* in : {"land.tif", "hills.toml", "rock.toml"})
    refuses({"render", in, "-o", "no.png", "--view", "relief", "--pixels", "16384x16384"}, 1,
            std::string(in) == "rock.toml" ? "MiB of memory is free" : "GiB is free");
  const Outcome small =
      scree({"render", "land.tif", "-o", "a.png", "--view", "relief", "--pixels", "300x300"});
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  expect_success(small);
}

TEST_F(RenderCommand, SaysWhatIsMissingWhereThereIsNoOpenGl) {
  // A vendor-neutral EGL that knows no vendor.
  ::setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent.json", 1);
  refuses({"render", "land.tif", "-o", "no.png"}, 1, "OpenGL 4.5");
  ::unsetenv("__EGL_VENDOR_LIBRARY_FILENAMES");
}

}  // namespace
}  // namespace scree::testing
