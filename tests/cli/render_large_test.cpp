// `scree render` of terrains as large as people have them: they look as the same land on fewer
// cells does, and memory stays within bounds.
#include <sys/resource.h>

#include <array>
#include <cmath>

#include "io/volume/volume.h"
#include "render_test.h"

namespace scree::testing {
namespace {

class LargeRender : public RenderCommand {
 protected:
  // Generated land, wrapped around: metres at any of its cells.
  void SetUp() override {
    RenderCommand::SetUp();
    expect_success(scree(
        {"generate", "ridged", "-o", "tile.npy", "--size", "512x512", "--set", "relief=1000"}));
    tile_ = io::read_raster(path("tile.npy"));
  }
  float tile(int x, int y) const {
    return tile_
        .values[static_cast<std::size_t>(y & 511) * 512 + static_cast<std::size_t>(x & 511)];
  }
  // Between its cells; beyond the last, as there.
  float tile(float x, float y) const {
    x = std::min(x, 510.999F);
    y = std::min(y, 510.999F);
    const int i = static_cast<int>(x), j = static_cast<int>(y);
    const float u = x - static_cast<float>(i), v = y - static_cast<float>(j);
    return std::lerp(std::lerp(tile(i, j), tile(i + 1, j), u),
                     std::lerp(tile(i, j + 1), tile(i + 1, j + 1), u), v);
  }

  // How far two pictures are from each other, of 255, and how much there is to see on the first.
  struct Likeness {
    double apart = 0, contrast = 0;
  };
  Likeness likeness(const std::string& one, const std::string& other) const {
    const std::vector<float> a = blocks_of(path(one)), b = blocks_of(path(other));
    EXPECT_EQ(a.size(), b.size());
    Likeness found;
    for (std::size_t i = 0; i < a.size(); ++i) {
      found.apart += static_cast<double>(std::abs(a[i] - b[i])) / static_cast<double>(a.size());
      if (i > 0)
        found.contrast +=
            static_cast<double>(std::abs(a[i] - a[i - 1])) / static_cast<double>(a.size());
    }
    return found;
  }

  // The most memory that any program of this test has held, GiB.
  static double most_memory() {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    return static_cast<double>(used.ru_maxrss) / 1024 / 1024;
  }

 private:
  Raster tile_;
};

// Mountains of eight times their size, with the same ones on them as detail.
TEST_F(LargeRender, AHeightfieldOf4096Squared) {
  for (const int step : {1, 8}) {
    Raster land;
    land.width = land.height = 4096 / step;
    land.dx = land.dy = 10.0 * step;
    land.values.reserve(static_cast<std::size_t>(land.width) *
                        static_cast<std::size_t>(land.width));
    for (int y = 0; y < 4096; y += step)
      for (int x = 0; x < 4096; x += step)
        land.values.push_back(8 * tile(static_cast<float>(x) / 8, static_cast<float>(y) / 8) +
                              0.05F * tile(x, y));
    io::write_raster(path(step == 1 ? "fine.npy" : "coarse.npy"), land);
  }
  for (const auto& [file, cell] : {std::pair{"fine", "10"}, {"coarse", "80"}})
    expect_success(scree({"render", std::string(file) + ".npy", "--cell", cell, "-o",
                          std::string(file) + ".png", "--pixels", "640x400"}));
  const Likeness found = likeness("fine.png", "coarse.png");
  EXPECT_GT(found.contrast, 2);
  EXPECT_LT(found.apart, 0.7 * found.contrast) << found.contrast;
  EXPECT_LT(most_memory(), 2.5);
}

// A mountain range on rock that is full of winding caves.
TEST_F(LargeRender, AVolumeOf512By512By256) {
  constexpr int period = 64;
  std::array<float, period> sine{}, cosine{};
  for (std::size_t i = 0; i < period; ++i) {
    sine[i] = std::sin(static_cast<float>(i) * 6.2831853F / period);
    cosine[i] = std::cos(static_cast<float>(i) * 6.2831853F / period);
  }
  const auto rock_at = [&](int x, int y, int z) {
    if (static_cast<float>(z) > 90 + 0.16F * tile(x, y)) return 0.0F;
    const auto i = static_cast<std::size_t>(x % period), j = static_cast<std::size_t>(y % period),
               k = static_cast<std::size_t>(z % period);
    const float winding = sine[i] * cosine[j] + sine[j] * cosine[k] + sine[k] * cosine[i];
    return winding < -0.8F ? 0.0F : 1.0F;
  };
  for (const int step : {1, 4}) {
    VolumeShape shape;
    shape.size = {512 / step, 512 / step, 256 / step};
    shape.cell.fill(step);
    shape.origin.fill(0.5 * step);
    io::write_volume(path(step == 1 ? "fine.vdb" : "coarse.vdb").string(), shape, false,
                     [&](int z, int count, float* density, std::uint32_t* /*materials*/) {
                       for (int k = z; k < z + count; ++k)
                         for (int y = 0; y < shape.size[1]; ++y)
                           for (int x = 0; x < shape.size[0]; ++x)
                             *density++ = rock_at(x * step, y * step, k * step);
                     });
  }
  for (const std::string file : {"fine", "coarse"})
    expect_success(scree({"render", file + ".vdb", "-o", file + ".png", "--pixels", "640x400"}));
  const Likeness found = likeness("fine.png", "coarse.png");
  EXPECT_GT(found.contrast, 2);
  EXPECT_LT(found.apart, 0.7 * found.contrast) << found.contrast;
  EXPECT_LT(most_memory(), 4);
}

}  // namespace
}  // namespace scree::testing
