// Pictures beside those that were stored when somebody last looked at them.
#include <cmath>
#include <cstdlib>

#include "base/error.h"
#include "render_test.h"

namespace scree::testing {

std::vector<float> blocks_of(const fs::path& file) {
  constexpr int side = 4;
  std::vector<float> means;
  for (int band = 1; band <= 3; ++band) {
    io::ReadOptions options;
    options.band = band;
    const Raster picture = io::read_raster(file, options);
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

namespace {

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

// Flat faces with beds, water and a cave, aslant to the cells.
TEST_F(RenderCommand, CutLayersLookAsTheyDid) {
  expect_success(scree({"render", data_file("pictures/cave.toml"), "-o", "cut.png", "--pixels",
                        "200x125", "--cut", "150,52,0,38", "--camera", "azimuth=14,altitude=24"}));
  expect_golden(path("cut.png"), data_file("pictures/cave-cut.png"));
}

}  // namespace
}  // namespace scree::testing
