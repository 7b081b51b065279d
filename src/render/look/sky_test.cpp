#include "render/look/sky.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scree::render {
namespace {

TEST(Sky, IsBlueAboveAndPaleOverTheHorizon) {
  const Sky sky(270, 25);
  for (const double azimuth : {0.0, 90.0, 180.0}) {
    const Vec3 low = sky.radiance(direction(azimuth, 1)), high = sky.radiance({0, 0, 1});
    EXPECT_GT(high.z / high.x, 2 * low.z / low.x) << azimuth;
    EXPECT_GT(low.y, 2 * high.y) << azimuth;
  }
}

TEST(Sky, GlowsAroundTheSunWhichALowerOneMakesWarm) {
  const Sky sky(270, 25), evening(270, 8);
  EXPECT_GT(sky.radiance(direction(270, 12)).y, 1.8 * sky.radiance(direction(90, 12)).y);
  const Vec3 day = sky.sun_light(), late = evening.sun_light();
  EXPECT_LT(late.y, day.y);
  EXPECT_GT(late.x / late.z, 1.5 * day.x / day.z);
}

// Light from all over the dome on a surface, and what the five numbers say of it.
TEST(Sky, LightsSurfacesAsItsDomeDoes) {
  const Sky sky(200, 40);
  const std::array<Vec3, 5> light = sky.on_surfaces();
  const auto summed = [&](Vec3 normal) {
    constexpr int rings = 60, around = 60;
    double sum = 0;
    for (int j = 0; j < rings; ++j)
      for (int i = 0; i < around; ++i) {
        const Vec3 d = direction(360.0 * i / around, 90 * (j + 0.5) / rings);
        // A patch of the half sphere, over pi.
        const double patch = std::sqrt(1 - d.z * d.z) * (3.14159265 / 2 / rings) * 2 / around;
        sum += sky.radiance(d).y * patch * std::max(0.0, dot(normal, d));
      }
    return sum;
  };
  for (const double azimuth : {20.0, 110.0, 200.0})
    for (const double altitude : {0.0, 40.0, 90.0}) {
      const Vec3 n = direction(azimuth, altitude);
      const double found = light[0].y + light[1].y * n.x + light[2].y * n.y + light[3].y * n.z +
                           light[4].y * n.z * n.z;
      EXPECT_NEAR(found, summed(n), 0.12 * summed(n)) << azimuth << ' ' << altitude;
    }
}

// Where sky.glsl looks a direction up.
TEST(Sky, ItsTableIsTheSky) {
  const Sky sky(90, 30);
  const std::vector<float> table = sky.table();
  ASSERT_EQ(table.size(), 4u * Sky::table_width * Sky::table_height);
  const int far = Sky::table_width - 1, top = Sky::table_height - 1;
  for (const int row : {0, 9, 31, 50, top})
    for (const int column : {0, 17, 140, 256, 400, far}) {
      const double u = static_cast<double>(column) / far, v = static_cast<double>(row) / top;
      constexpr double degrees = 180 / 3.141592653589793;
      const Vec3 light =
          sky.radiance(direction(90 + 2 * std::asin(u) * degrees, std::asin(v * v) * degrees));
      const float* texel = &table.at(4 * static_cast<std::size_t>(row * Sky::table_width + column));
      EXPECT_NEAR(static_cast<double>(texel[0]), light.x, 1e-5) << column << ' ' << row;
      EXPECT_NEAR(static_cast<double>(texel[1]), light.y, 1e-5) << column << ' ' << row;
      EXPECT_NEAR(static_cast<double>(texel[2]), light.z, 1e-5) << column << ' ' << row;
    }
}

}  // namespace
}  // namespace scree::render
