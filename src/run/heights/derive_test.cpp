#include "terrain/heights/derive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernel/common/compat.h"
#include "process/heights/simulation.h"
#include "process/heights/water.h"
#include "run/scene_test.h"
#include "scene/output.h"

namespace scree {
namespace {

Heightfield make(int width, int height, const std::vector<float>& heights, double dx = 1,
                 double dy = 1) {
  const auto& device = testing::cpu();
  return Heightfield(device, {width, height, dx, dy}, heights, {});
}

TEST(Derive, SlopeOfAPlaneIsItsTiltAlsoAtTheBorder) {
  std::vector<float> heights;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x) heights.push_back(static_cast<float>(2 * x));
  for (const float s : slope_degrees(make(5, 4, heights, 2, 3))) EXPECT_NEAR(s, 45, 1e-4);
}

TEST(Derive, NodataStaysNodataAndIsNoCliff) {
  std::vector<float> heights(25, 10.0F);
  heights[12] = std::numeric_limits<float>::quiet_NaN();
  const Heightfield terrain = make(5, 5, heights);
  for (const MaskInfo& mask : mask_list()) {
    const std::vector<float> values = mask_values(terrain, mask.name);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i == 12)
        EXPECT_TRUE(std::isnan(values[i])) << mask.name;
      else
        EXPECT_EQ(values[i], 0) << mask.name << " at " << i;
    }
  }
}

TEST(Derive, CurvatureOfABowl) {
  std::vector<float> heights;
  for (int y = -3; y <= 3; ++y)
    for (int x = -3; x <= 3; ++x) heights.push_back(static_cast<float>(x * x + 2 * y * y));
  const std::vector<float> values = curvature(make(7, 7, heights));
  EXPECT_NEAR(values[24], 6, 1e-5);
}

// A discharge that every edge carries eastward: flux.x alone, its western edges in the halo.
TEST(Derive, SpeedIsDischargeOverDepth) {
  Heightfield terrain = make(4, 3, std::vector<float>(12), 10, 5);
  terrain.set_values("water", std::vector<float>(12, 2.0F));
  const Grid& g = terrain.grid();
  device::Field& flux = terrain.field("flux.x");
  std::vector<float> all(flux.front()->bytes() / sizeof(float));
  // 3 m/s over 2 m of depth in cells 10 m long: 0.6 m of depth a second.
  const auto quanta = static_cast<float>(0.6 / terrain.quantum().metres());
  for (int y = 0; y < g.height; ++y)
    for (int x = -1; x < g.width; ++x) all[static_cast<std::size_t>(cell_index(g, x, y))] = quanta;
  terrain.device().write(*flux.front(), 0, all.data(), flux.front()->bytes());
  for (const float speed : water_speed(terrain)) EXPECT_NEAR(speed, 3, 1e-5);
}

// A film of 1 mm down a plane, once friction balances its fall: it runs straight down, at
// sqrt(g S d / c_f). Waves from the borders do not come as far as the middle.
void expect_film(const char* neighbours, double east, double north) {
  constexpr int size = 25, middle = size / 2 * size + size / 2;
  constexpr double cell = 10, tilt = 0.5, depth = 0.001, friction = 0.05;
  std::vector<float> heights;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      heights.push_back(static_cast<float>(500 - tilt * cell * (x * east - y * north)));
  Landscape land(std::make_unique<Heightfield>(make(size, size, heights, cell, cell)));
  Heightfield& terrain = land.single();
  terrain.set_values("water", std::vector<float>(size * size, static_cast<float>(depth)));
  WaterParameters water;
  water.neighbours = neighbours;
  water.rain = 0;
  water.friction = friction;
  std::vector<ProcessPtr> processes;
  processes.push_back(std::make_unique<Water>(water));
  Simulation(land, std::move(processes)).run(16);
  const double speed = std::sqrt(9.81 * tilt * depth / friction);
  const auto at_middle = [&](const char* mask) {
    return static_cast<double>(mask_values(terrain, mask)[middle]);
  };
  EXPECT_NEAR(at_middle("velocity.east"), speed * east, 0.01 * speed);
  EXPECT_NEAR(at_middle("velocity.north"), speed * north, 0.01 * speed);
  EXPECT_NEAR(at_middle("velocity"), speed, 0.01 * speed);
}

TEST(Derive, VelocityPointsDownThePlane) {
  for (const char* neighbours : {"4", "8"})
    for (const auto& [east, north] :
         {std::pair(1.0, 0.0), std::pair(0.0, 1.0), std::pair(0.0, -1.0), std::pair(0.6, 0.8),
          std::pair(-0.8, -0.6)}) {
      SCOPED_TRACE(neighbours + (" neighbours, " + std::to_string(east)) + " to the east, " +
                   std::to_string(north) + " to the north");
      expect_film(neighbours, east, north);
    }
}

TEST(Derive, NormaliseFillsZeroToOne) {
  std::vector<float> values{-5, 0, std::numeric_limits<float>::quiet_NaN(), 5};
  normalise(values, false);
  EXPECT_EQ(values[0], 0);
  EXPECT_EQ(values[1], 0.5F);
  EXPECT_TRUE(std::isnan(values[2]));
  EXPECT_EQ(values[3], 1);
  std::vector<float> same(3, 7.0F);
  normalise(same, false);
  EXPECT_EQ(same, std::vector<float>(3, 0.0F));
  std::vector<float> decades{0, 9, 99, 999};
  normalise(decades, true);
  EXPECT_NEAR(decades[1], 1.0 / 3, 1e-6);
  EXPECT_NEAR(decades[2], 2.0 / 3, 1e-6);
}

}  // namespace
}  // namespace scree
