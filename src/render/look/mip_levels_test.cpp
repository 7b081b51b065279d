#include "render/look/mip_levels.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace scree::render {
namespace {

double mean_of(const std::vector<float>& level, std::size_t part) {
  double sum = 0;
  for (std::size_t i = part; i < level.size(); i += 4) sum += static_cast<double>(level[i]);
  return sum / (static_cast<double>(level.size()) / 4);
}

std::vector<float> ramps(int width, int height) {
  std::vector<float> map;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (const float value : {static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f,
                                static_cast<float>((x * 7 + y * 13) % 5), 3.0f})
        map.push_back(value);
  return map;
}

TEST(MipLevels, AsManyAsItTakesToOneCell) {
  EXPECT_EQ(mip_levels(1, 1), 1);
  EXPECT_EQ(mip_levels(2, 1), 2);
  EXPECT_EQ(mip_levels(1023, 4), 10);
  EXPECT_EQ(mip_levels(1024, 4), 11);
  for (const auto& [width, height] : {std::pair{1, 1}, {7, 3}, {64, 64}, {1, 9}, {1025, 2}}) {
    const std::vector<float> map = ramps(width, height);
    int last = 0, last_width = width, last_height = height;
    each_smaller_level(map.data(), width, height, [&](int n, int w, int h, const float*) {
      EXPECT_EQ(n, last + 1);
      EXPECT_EQ(w, std::max(1, last_width / 2));
      EXPECT_EQ(h, std::max(1, last_height / 2));
      last = n;
      last_width = w;
      last_height = h;
    });
    EXPECT_EQ(last + 1, mip_levels(width, height)) << width << " x " << height;
    EXPECT_EQ(last_width * last_height, 1);
  }
}

// Every cell of a map counts as much as any other, at sides of any length.
TEST(MipLevels, TheMeanStays) {
  for (const std::pair<int, int> size : {std::pair{8, 8}, {7, 7}, {13, 2}, {1, 5}, {31, 64}}) {
    const std::vector<float> map = ramps(size.first, size.second);
    const auto check = [&](int n, int w, int h, const float* texels) {
      const std::vector<float> level(texels, texels + 4 * w * h);
      for (std::size_t part = 0; part < 4; ++part)
        EXPECT_NEAR(mean_of(level, part), mean_of(map, part), 1e-4)
            << size.first << " x " << size.second << ", level " << n << ", part " << part;
    };
    each_smaller_level(map.data(), size.first, size.second, check);
  }
}

// A ramp stays one: a cell lies in the middle of what it covers.
TEST(MipLevels, NothingMoves) {
  for (const int side : {16, 15, 9}) {
    const std::vector<float> map = ramps(side, side), level = halved(map.data(), side, side);
    const int half = side / 2;
    for (int y = 0; y < half; ++y)
      for (int x = 0; x < half; ++x) {
        const std::size_t cell = 4 * static_cast<std::size_t>(y * half + x);
        const double scale = static_cast<double>(side) / half;
        // Within what a cell of the old ones is wide beside a cell of the new ones.
        EXPECT_NEAR(static_cast<double>(level[cell]), (x + 0.5) * scale, 0.26) << side;
        EXPECT_NEAR(static_cast<double>(level[cell + 1]), (y + 0.5) * scale, 0.26) << side;
      }
  }
}

TEST(MipLevels, BytesAreRounded) {
  const std::vector<std::uint8_t> map = {0, 1, 254, 255, 1, 1, 255, 255,
                                         0, 2, 255, 255, 1, 2, 255, 255};
  EXPECT_EQ(halved(map.data(), 2, 2), (std::vector<std::uint8_t>{1, 2, 255, 255}));
  EXPECT_EQ(halved(map.data(), 4, 1), (std::vector<std::uint8_t>{1, 1, 255, 255, 1, 2, 255, 255}));
}

}  // namespace
}  // namespace scree::render
