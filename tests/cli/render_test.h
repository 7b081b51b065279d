// What tests of `scree render` share.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "io/raster/raster.h"
#include "program.h"
#include "render/gl/renderer.h"

namespace scree::testing {

class RenderCommand : public Cli {
 protected:
  void SetUp() override {
    if (!render::can_render()) GTEST_SKIP() << "built without OpenGL";
    expect_success(scree({"generate", "ridged", "-o", "land.tif", "--size", "48x40"}));
  }

  bool has_opencl() const { return contains(scree({"devices", "--json"}).out, "opencl"); }

  // One line on stderr with this in it, and no picture.
  void refuses(const Words& words, int code, const std::string& part) const {
    const Outcome outcome = scree(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_FALSE(fs::exists(path("no.png")));
  }
};

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
  std::array<Raster, 3> planes_;
};

// Two rocks on each other, and the volume that they leave.
inline constexpr const char* rock_scene = R"([scene]
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

// The rock so soft, and for so long, that some of it goes, or all.
inline std::string softer_rock(const std::string& durability, int steps) {
  std::string soft = rock_scene;
  for (std::size_t at = 0; (at = soft.find("durability = 1", at)) != std::string::npos; ++at)
    soft.replace(at, 14, "durability = " + durability);
  soft.replace(soft.find("steps = 2"), 9, "steps = " + std::to_string(steps));
  return soft;
}

// A picture as three planes of means over 4 x 4 pixels: what the eye would see of a small change.
std::vector<float> blocks_of(const fs::path& file);

// Drivers differ in the last bits, and eyes do not see those. SCREE_UPDATE_GOLDEN=1 draws it anew.
void expect_golden(const fs::path& picture, const fs::path& golden);

}  // namespace scree::testing
