#include "render/ground/ground_maps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "render/ground/water.h"

namespace scree::render {
namespace {

Ground slope(int width, int height) {
  Ground ground{width, height, 10, 5};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) ground.bed.push_back(static_cast<float>(100 + 2 * x - y));
  return ground;
}

TEST(GroundMaps, RiseIsEastAndNorthAndHeightsBeginAtTheLowest) {
  Look look;
  look.exaggeration = 3;
  const GroundMaps maps = ground_maps(slope(20, 10), look);
  const float* cell = &maps.light[4 * (5 * 20 + 7)];
  EXPECT_FLOAT_EQ(cell[0], 3 * 2.0f / 10);
  EXPECT_FLOAT_EQ(cell[1], 3 * 1.0f / 5);
  EXPECT_FLOAT_EQ(maps.zero, 91);
  EXPECT_FLOAT_EQ(maps.high, 3 * 47);
  EXPECT_FLOAT_EQ(maps.surface[0], 3 * 9);
  EXPECT_LT(maps.base, 0);
}

TEST(GroundMaps, NodataIsNoCliffForWhatIsBesideIt) {
  Ground ground = slope(20, 10);
  const GroundMaps whole = ground_maps(ground, {});
  EXPECT_FALSE(whole.has_holes());
  for (const std::size_t cell : {5 * 20 + 7, 5 * 20 + 8})
    ground.bed[cell] = std::numeric_limits<float>::quiet_NaN();
  const GroundMaps maps = ground_maps(ground, {});
  EXPECT_FALSE(maps.solid.at(7, 5));
  EXPECT_TRUE(maps.solid.at(6, 5));
  for (const std::size_t beside : {5 * 20 + 6, 5 * 20 + 9, 4 * 20 + 7})
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_NEAR(maps.light[4 * beside + i], whole.light[4 * beside + i], 1e-4);
  EXPECT_GT(maps.surface[5 * 20 + 7], maps.base);
}

TEST(GroundMaps, CrestsAndHollowsAreToldFromEvenGround) {
  Ground ground = slope(60, 60);
  const auto hollow = [&](float raised) {
    for (int y = 0; y < 60; ++y) ground.bed[static_cast<std::size_t>(60 * y + 30)] += raised;
    return static_cast<int>(ground_maps(ground, {}).matter[4 * (30 * 60 + 30) + 3]);
  };
  EXPECT_NEAR(hollow(0), 128, 1);
  EXPECT_LT(hollow(5), 100);
  EXPECT_GT(hollow(-10), 155);
}

TEST(GroundMaps, ALakeIsSeenAndRaisesTheSurface) {
  Ground ground = slope(40, 40);
  ground.water.assign(1600, 0.0f);
  for (int y = 10; y < 30; ++y)
    for (int x = 10; x < 30; ++x) ground.water[static_cast<std::size_t>(40 * y + x)] = 6;
  const GroundMaps maps = ground_maps(ground, {});
  const std::size_t middle = 40 * 20 + 20, dry = 40 * 3 + 3;
  EXPECT_NEAR(maps.water[4 * middle], 1, 1e-5);
  EXPECT_NEAR(maps.water[4 * middle + 1], 6, 1e-4);
  EXPECT_EQ(maps.water[4 * dry], 0);
  EXPECT_NEAR(maps.surface[middle] + maps.zero, ground.bed[middle] + 6, 1e-3);
  Look dry_look;
  dry_look.relief.show_water = false;
  EXPECT_EQ(ground_maps(ground, dry_look).water[4 * middle], 0);
}

TEST(GroundMaps, LightOfALargeGroundIsCoarser) {
  const GroundMaps maps = ground_maps(slope(4099, 7), {});
  EXPECT_EQ(maps.light_step, 3);
  EXPECT_EQ(maps.light_width, 1367);
  EXPECT_EQ(maps.light_height, 3);
  EXPECT_NEAR(maps.light[4 * (1367 + 600)], 0.2, 1e-3);
}

// The third and fourth part of a cell's water are where its bulk runs; films on the shore are not.
TEST(GroundMaps, RiversKnowWhereTheyRun) {
  Ground ground = slope(40, 40);
  ground.water.assign(1600, 0.0f);
  ground.velocity_x.assign(1600, 9.0f);  // a film that rushes
  ground.velocity_y.assign(1600, 9.0f);
  for (int y = 10; y < 30; ++y)
    for (int x = 0; x < 40; ++x) {
      const auto i = static_cast<std::size_t>(40 * y + x);
      ground.water[i] = 5;
      ground.velocity_x[i] = 2;
      ground.velocity_y[i] = -1;
    }
  const GroundMaps maps = ground_maps(ground, {});
  const std::size_t middle = 40 * 20 + 20, dry = 40 * 3 + 20;
  EXPECT_NEAR(maps.water[4 * middle + 2], 2, 0.01);
  EXPECT_NEAR(maps.water[4 * middle + 3], -1, 0.01);
  EXPECT_NEAR(maps.water[4 * dry + 2], 0, 0.01);
  EXPECT_NEAR(maps.water[4 * dry + 3], 0, 0.01);
  ground.velocity_y.clear();
  EXPECT_EQ(ground_maps(ground, {}).water[4 * middle + 2], 0) << "half a velocity is none";
}

// A puddle stays unseen, as large as the ground is to be looked at; its bed is damp.
TEST(GroundMaps, SpecksOfWaterAreNoLakes) {
  Ground ground = slope(400, 400);
  ground.water.assign(160000, 0.0f);
  const auto pond = [&](int left, int side) {
    for (int y = 200; y < 200 + side; ++y)
      for (int x = left; x < left + side; ++x)
        ground.water[static_cast<std::size_t>(400 * y + x)] = 2;
  };
  pond(50, 4);
  pond(200, 12);
  const GroundMaps maps = ground_maps(ground, {});
  const auto cover = [&](std::size_t x, std::size_t y) { return maps.water[4 * (400 * y + x)]; };
  EXPECT_EQ(cover(51, 201), 0);
  EXPECT_GT(cover(206, 206), 0.9f);
  EXPECT_GT(maps.matter[4 * (400 * 201 + 51) + 2], 20);
}

// A plain that rises to the east, with a level pond over its western third: as deep as that.
Ground pond(double cell, float depth, float rise) {
  Ground ground{60, 60, cell, cell};
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 60; ++x) {
      ground.bed.push_back(x < 20 ? -depth : rise * static_cast<float>(cell * (x - 19)));
      ground.water.push_back(x < 20 ? depth : 0.0f);
    }
  return ground;
}

// Share of the cells between two columns that show as water.
double cover_in(const GroundMaps& maps, int from, int to) {
  int wet = 0;
  for (int y = 5; y < 55; ++y)
    for (int x = from; x < to; ++x)
      wet += maps.water[4 * static_cast<std::size_t>(maps.width * y + x)] > 0.45f ? 1 : 0;
  return wet / (50.0 * (to - from));
}

// Lakes are seen as wide and shallow as they are, on cells of any size.
TEST(GroundMaps, LevelWaterIsSeenHoweverWideAndShallow) {
  for (const double cell : {0.1, 1.0, 30.0, 1000.0})
    for (const float depth : {0.12f, 0.8f, 1.5f, 2.5f}) {
      Ground ground = pond(cell, depth, 0.02f);
      // Rain on the land around it, and a surface that is not quite at rest.
      for (std::size_t i = 0; i < ground.water.size(); ++i) {
        const auto x = static_cast<double>(i % 60);
        const double wave = std::min(0.02 * static_cast<double>(depth), 0.01 * cell);
        ground.water[i] += x < 20 ? static_cast<float>(wave * std::sin(0.3 * x)) : 0.01f;
      }
      const GroundMaps maps = ground_maps(ground, {});
      EXPECT_EQ(cover_in(maps, 0, 18), 1) << depth << " m on cells of " << cell;
      EXPECT_EQ(cover_in(maps, 24, 60), 0) << depth << " m on cells of " << cell;
    }
  Look named;
  named.relief.water_film = 1;
  EXPECT_EQ(cover_in(ground_maps(pond(30, 0.8f, 0.02f), named), 0, 18), 0) << "a film by name";
}

// A sheet of rain as deep as a pond falls as its slope does: it is none, and does not hide one.
TEST(GroundMaps, ASheetOfRainOnASlopeIsNoLake) {
  for (const double cell : {1.0, 30.0, 1000.0}) {
    Ground ground = pond(cell, 0.8f, 0.1f);
    for (std::size_t i = 0; i < ground.water.size(); ++i)
      if (i % 60 >= 20) ground.water[i] = 0.3f;
    const GroundMaps maps = ground_maps(ground, {});
    EXPECT_EQ(cover_in(maps, 0, 18), 1) << cell;
    EXPECT_EQ(cover_in(maps, 24, 60), 0) << cell;
  }
}

// What runs in a channel is seen beside a lake as without it: the lake's depth is no film's.
TEST(GroundMaps, ALakeDoesNotHideARiver) {
  for (const float lake : {0.0f, 1.5f, 40.0f}) {
    Ground ground = pond(10, lake, 0.1f);
    for (int y = 29; y < 32; ++y)
      for (int x = 20; x < 60; ++x) {
        ground.bed[static_cast<std::size_t>(60 * y + x)] -= 0.6f;
        ground.water[static_cast<std::size_t>(60 * y + x)] = 0.6f;
      }
    const GroundMaps maps = ground_maps(ground, {});
    for (std::size_t x = 25; x < 55; ++x)
      EXPECT_GT(maps.water[4 * (60 * 30 + x)], 0.45f) << lake << " m, column " << x;
  }
}

// Frames of a film: as a pond fills, what was covered stays so.
TEST(GroundMaps, AFillingPondDoesNotFlicker) {
  long before = 0;
  for (int frame = 1; frame <= 120; ++frame) {
    Ground ground = pond(10, 2, 0.01f);
    const float level = -2 + 0.02f * static_cast<float>(frame);
    for (std::size_t i = 0; i < ground.water.size(); ++i) {
      const double wave = 0.004 * std::sin(0.7 * static_cast<double>(i % 60) + 2.0 * frame);
      ground.water[i] = std::max(0.003f, level + static_cast<float>(wave) - ground.bed[i]);
    }
    const SeenWater water = seen_water(ground.as_relief(), {}, film_in_pictures);
    const long now = std::count_if(water.cover.begin(), water.cover.end(),
                                   [](float cover) { return cover > 0.45f; });
    EXPECT_GE(now, before) << "frame " << frame;
    if (frame > 10) {
      EXPECT_GE(now, 60 * 19) << "frame " << frame;
    }
    before = now;
  }
  EXPECT_GT(before, 60 * 22);
}

TEST(GroundMaps, RefusesWhatIsNoGround) {
  EXPECT_THROW(ground_maps(slope(1, 10), {}), Error);
  Ground ground = slope(5, 5);
  ground.water.assign(7, 1.0f);
  EXPECT_THROW(ground_maps(ground, {}), Error);
  ground = slope(5, 5);
  ground.bed.assign(25, std::numeric_limits<float>::quiet_NaN());
  EXPECT_THROW(ground_maps(ground, {}), Error);
  ground = slope(5, 5);
  ground.dx = 0;
  EXPECT_THROW(ground_maps(ground, {}), Error);
}

TEST(GroundMaps, TheOutlineHoldsTheSummit) {
  Ground ground = slope(200, 300);
  ground.bed[200 * 123 + 77] = 2000;
  const GroundMaps maps = ground_maps(ground, {});
  double top = 0;
  for (const Vec3& point : outline(maps)) top = std::max(top, point.z);
  EXPECT_FLOAT_EQ(static_cast<float>(top), maps.high);
}

}  // namespace
}  // namespace scree::render
