#include "render/ground/horizon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::render {
namespace {

constexpr double degree = 0.017453292519943295;

struct Land {
  int width = 0;
  int height = 0;
  double dx = 1;
  double dy = 1;
  std::vector<float> z;

  float at(double x, double y) const {
    const int i = static_cast<int>(std::floor(x)), j = static_cast<int>(std::floor(y));
    const auto cell = [&](int cx, int cy) {
      cx = std::clamp(cx, 0, width - 1);
      cy = std::clamp(cy, 0, height - 1);
      return z[static_cast<std::size_t>(cy) * static_cast<std::size_t>(width) +
               static_cast<std::size_t>(cx)];
    };
    const auto fx = static_cast<float>(x - i), fy = static_cast<float>(y - j);
    return std::lerp(std::lerp(cell(i, j), cell(i + 1, j), fx),
                     std::lerp(cell(i, j + 1), cell(i + 1, j + 1), fx), fy);
  }
};

Land hills(int width, int height, double dx, double dy) {
  Land land{width, height, dx, dy, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      land.z.push_back(static_cast<float>(20 * std::sin(x * 0.21) + 14 * std::cos(y * 0.17 + 1) +
                                          8 * std::sin(0.1 * (x + 2 * y))));
  return land;
}

// The plain way: a walk from each cell toward the azimuth, as finely as that is worth.
float walked(const Land& land, int x, int y, double azimuth) {
  const double east = std::sin(azimuth * degree) / land.dx,
               south = -std::cos(azimuth * degree) / land.dy;
  float most = 0;
  for (double metres = 0.5; metres < 2000; metres += 0.25) {
    const double px = x + east * metres, py = y + south * metres;
    if (px < 0 || py < 0 || px > land.width - 1 || py > land.height - 1) break;
    most = std::max(most, (land.at(px, py) - land.at(x, y)) / static_cast<float>(metres));
  }
  return most;
}

TEST(HorizonAlong, AgreesWithAWalkFromEveryCellInAnyDirection) {
  for (const Land& land : {hills(61, 47, 5, 5), hills(40, 70, 8, 3)})
    for (const double azimuth : {0.0, 17.0, 45.0, 90.0, 123.0, 200.0, 270.0, 301.0, 359.0}) {
      const auto found =
          horizon_along(land.z, land.width, land.height, land.dx, land.dy, azimuth, 2);
      double off = 0;
      int count = 0;
      for (int y = 4; y < land.height - 4; y += 3)
        for (int x = 4; x < land.width - 4; x += 3, ++count)
          off += std::abs(static_cast<double>(
              found[static_cast<std::size_t>(y) * static_cast<std::size_t>(land.width) +
                    static_cast<std::size_t>(x)] -
              walked(land, x, y, azimuth)));
      EXPECT_LT(off / count, 0.02) << azimuth;
    }
}

TEST(HorizonAlong, AWallIsSeenAtItsAngleFromTheSunnySideOnly) {
  Land land{30, 9, 10, 10, std::vector<float>(270, 0.0f)};
  for (int y = 0; y < 9; ++y) land.z[static_cast<std::size_t>(y * 30 + 12)] = 60;
  const auto west = horizon_along(land.z, 30, 9, 10, 10, 270, 1);
  EXPECT_NEAR(static_cast<double>(west[4 * 30 + 15]), 2, 1e-5);  // 60 m over 30 m
  EXPECT_EQ(west[4 * 30 + 9], 0);
  const auto east = horizon_along(land.z, 30, 9, 10, 10, 90, 1);
  EXPECT_NEAR(static_cast<double>(east[4 * 30 + 9]), 2, 1e-5);
  EXPECT_EQ(east[4 * 30 + 15], 0);
}

// The shade of a ground's beauty, which asks for the sky alone.
TEST(SkyInView, IsThatOfTheWholeLook) {
  const Land land = hills(61, 47, 5, 8);
  const auto sky = sky_in_view(land.z, land.width, land.height, land.dx, land.dy, 2);
  EXPECT_EQ(sky, look_at_sky(land.z, land.width, land.height, land.dx, land.dy, {250, 30}, 2).sky);
}

TEST(SkyInView, IsAllOfItOnAPlainAndHalfAtTheFootOfAWall) {
  const Land plain{20, 20, 10, 10, std::vector<float>(400, 3.0f)};
  for (const float share : sky_in_view(plain.z, 20, 20, 10, 10, 1)) EXPECT_NEAR(share, 1, 1e-5f);
  Land wall{40, 41, 10, 10, std::vector<float>(1640, 0.0f)};
  for (std::size_t i = 0; i < wall.z.size(); ++i)
    if (i % 40 >= 20) wall.z[i] = 1e5f;
  const auto sky = sky_in_view(wall.z, 40, 41, 10, 10, 1);
  EXPECT_NEAR(sky[20 * 40 + 19], 0.5f, 0.07f);
  EXPECT_NEAR(sky[20 * 40 + 21], 1, 1e-3f);
}

}  // namespace
}  // namespace scree::render
