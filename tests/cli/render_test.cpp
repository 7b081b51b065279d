// `scree render`: pictures from everything that has heights, and one line where there is none.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "io/raster.h"
#include "program.h"
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
    pictures.push_back(read("checkpoint.png"));
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
TEST_F(RenderCommand, LooksAsItDid) {
  expect_success(scree({"generate", "mountain", "-o", "peak.tif", "--size", "96x96", "--cell", "20",
                        "--seed", "3", "--set", "relief=900"}));
  expect_success(scree({"render", "peak.tif", "-o", "peak.png", "--pixels", "160x100"}));
  const fs::path golden = data_file("render-peak.png");
  if (std::getenv("SCREE_UPDATE_GOLDEN") != nullptr)
    fs::copy_file(path("peak.png"), golden, fs::copy_options::overwrite_existing);
  const std::vector<float> found = blocks_of(path("peak.png")), expected = blocks_of(golden);
  ASSERT_EQ(found.size(), expected.size());
  double sum = 0;
  float most = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const float off = std::abs(found[i] - expected[i]);
    sum += static_cast<double>(off);
    most = std::max(most, off);
  }
  EXPECT_LT(sum / static_cast<double>(found.size()), 1.5);
  EXPECT_LT(most, 16);
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

TEST_F(RenderCommand, RefusesInOneLine) {
  write("bad.ply", "ply\nformat ascii 1.0\nend_header\n");
  refuses({"render", "bad.ply", "-o", "no.png"}, 1, "triangle");
  refuses({"render", "nowhere.tif", "-o", "no.png"}, 1, "nowhere.tif");
  refuses({"render", "land.tif", "-o", "no.jpg"}, 2, "ends in .png");
  refuses({"render", "land.tif", "-o", "no.png", "--pixels", "100"}, 2, "--pixels");
  refuses({"render", "land.tif", "-o", "no.png", "--pixels", "0x10"}, 2, "--pixels");
  refuses({"render", "land.tif", "-o", "no.png", "--pixels", "99999x10"}, 2, "16384");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "azimut=3"}, 2, "azimuth");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "altitude=100"}, 2, "-90 to 90");
  refuses({"render", "land.tif", "-o", "no.png", "--camera", "from=1:2"}, 2, "X:Y:Z");
  refuses({"render", "land.tif", "-o", "no.png", "--sun", "300"}, 2, "AZIMUTH,ALTITUDE");
  refuses({"render", "land.tif", "-o", "no.png", "--palette", "dessert"}, 2, "desert");
  refuses({"render", "land.tif", "-o", "no.png", "--samples", "5"}, 2, "--samples");
  refuses({"render", "land.tif", "-o", "missing/no.png"}, 1, "missing");
}

TEST_F(RenderCommand, SaysWhatIsMissingWhereThereIsNoOpenGl) {
  // A vendor-neutral EGL that knows no vendor.
  ::setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent.json", 1);
  refuses({"render", "land.tif", "-o", "no.png"}, 1, "OpenGL 4.5");
  ::unsetenv("__EGL_VENDOR_LIBRARY_FILENAMES");
}

}  // namespace
}  // namespace scree::testing
