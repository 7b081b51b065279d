// `scree render`: pictures from everything that has heights, and one line where there is none.
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
