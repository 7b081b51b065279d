// How walls a cell wide and the sides of a block are seen, from near and from afar.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numbers>

#include "render/gl/renderer_test.h"
#include "render/gl/shader_blocks.h"

namespace scree::render {
namespace {

constexpr double high = 40;

// A tower on level ground of `cells` cells a side, 256 m wide.
constexpr double tower_radius = 44.8;
Ground tower(int cells) {
  const double cell = 256.0 / cells, middle = 0.5 * (cells - 1);
  Ground ground{cells, cells, cell, cell};
  for (int y = 0; y < cells; ++y)
    for (int x = 0; x < cells; ++x)
      ground.bed.push_back(
          cell * std::hypot(x - middle, y - middle) < tower_radius ? static_cast<float>(high) : 0);
  return ground;
}

Ground level(int cells) {
  Ground ground{cells, cells, 256.0 / cells, 256.0 / cells};
  ground.bed.assign(static_cast<std::size_t>(cells) * static_cast<std::size_t>(cells), 0.0f);
  return ground;
}

Look desert(double azimuth, double altitude) {
  Look look;
  look.relief.palette = Palette::desert;
  look.sun_azimuth = azimuth;
  look.sun_altitude = altitude;
  look.haze = 0;
  return look;
}

Camera camera_at(Vec3 from, Vec3 at, double field) {
  Camera camera;
  camera.from = from;
  camera.at = at;
  camera.field = field;
  return camera;
}

// Of the pixel in which a place is seen, or between it and its neighbours.
Colour pixel_at(const Seen& seen, Vec3 place) {
  const View::Place at = seen.view.project(place);
  const double x = std::clamp(at.x * seen.picture.width - 0.5, 0.0, seen.picture.width - 1.001),
               y = std::clamp(at.y * seen.picture.height - 0.5, 0.0, seen.picture.height - 1.001);
  const auto left = static_cast<std::size_t>(x), top = static_cast<std::size_t>(y);
  const auto channel = [&](std::size_t c) {
    const auto byte = [&](std::size_t i, std::size_t j) {
      return static_cast<double>(
          seen.picture.rgb.at(3 * (j * static_cast<std::size_t>(seen.picture.width) + i) + c));
    };
    const double across = x - static_cast<double>(left);
    return std::lerp(std::lerp(byte(left, top), byte(left + 1, top), across),
                     std::lerp(byte(left, top + 1), byte(left + 1, top + 1), across),
                     y - static_cast<double>(top));
  };
  return {channel(0), channel(1), channel(2)};
}

Vec3 on_tower(double bearing, double radius, double z) {
  const double angle = bearing * std::numbers::pi / 180;
  return {radius * std::sin(angle), radius * std::cos(angle), z};
}

// The far rim stands before the tower's shadow: where light ends, all along it.
TEST(CliffLooks, TheRimOfARoundTowerIsRound) {
  renderer().show(tower(256), desert(180, 20));
  const Seen seen = seen_by(camera_at({0, -150, 160}, {0, 20, 35}, 34), 1100, 800);
  double sum = 0, squares = 0, least = 9, most = -9, count = 0;
  for (double bearing = -40; bearing <= 40; bearing += 0.5) {
    const double lit = pixel_at(seen, on_tower(bearing, tower_radius - 4, high)).sum(),
                 dark = pixel_at(seen, on_tower(bearing, tower_radius + 2.5, high)).sum();
    ASSERT_GT(lit, 1.4 * dark) << bearing;
    double past = -3;
    while (past < 2 &&
           pixel_at(seen, on_tower(bearing, tower_radius + past, high)).sum() > 0.5 * (lit + dark))
      past += 0.02;
    sum += past;
    squares += past * past;
    least = std::min(least, past);
    most = std::max(most, past);
    ++count;
  }
  const double mean = sum / count;
  EXPECT_LT(most - least, 0.6);
  EXPECT_LT(std::sqrt(squares / count - mean * mean), 0.13);
}

// Brightness of the wall at a bearing, in the mean over its height.
double wall_at(const Seen& seen, double bearing) {
  double sum = 0;
  for (int n = 0; n < 20; ++n)
    sum += pixel_at(seen, on_tower(bearing, tower_radius, high * (0.3 + 0.02 * n))).sum() / 20;
  return sum;
}

// The sun is in the west: toward the east its light fades, and every step would throw a shadow.
TEST(CliffLooks, ALitWallHasNoBarsOfShade) {
  renderer().show(tower(256), desert(240, 30));
  const Seen seen = seen_by(camera_at({0, -400, 110}, {0, 0, 20}, 20), 1100, 700);
  for (double bearing = 165; bearing <= 230; bearing += 0.5) {
    const double around = 0.5 * (wall_at(seen, bearing - 4) + wall_at(seen, bearing + 4));
    EXPECT_GT(wall_at(seen, bearing), 0.75 * around) << bearing;
    EXPECT_LT(wall_at(seen, bearing), 1.25 * around) << bearing;
  }
}

// From afar blocks are drawn in steps of many cells, over which a wall leans that is one cell wide:
// it is red all the same, and not as pale as the sand on those cells.
TEST(CliffLooks, AWallIsAWallFromAfar) {
  renderer().show(tower(1024), desert(250, 30));
  Camera camera;
  camera.altitude = 20;
  camera.zoom = 1.5;
  const Seen seen = seen_by(camera, 640, 300);
  double least = 9;
  for (double bearing = 140; bearing <= 280; bearing += 0.25)
    for (double z = 0.45 * high; z < 0.7 * high; z += 0.5) {
      const Colour wall = pixel_at(seen, on_tower(bearing, tower_radius, z));
      least = std::min(least, wall.r / wall.b);
    }
  EXPECT_GT(least, 2.15);
}

// How much redder than what is beside it the rim of a block is, in the west, at most; from so many
// metres beyond that side.
double red_rim(double beyond) {
  renderer().show(level(200), desert(270, 40));
  const Seen seen = seen_by(camera_at({-127.4 - beyond, -420, 300}, {-100, 0, 0}, 30), 700, 500);
  double most = 0;
  for (double y = -100; y <= 100; y += 0.25) {
    const Colour ground = pixel_at(seen, {-122, y, 0});
    for (double x = -129; x <= -126; x += 0.1) {
      const Colour rim = pixel_at(seen, {x, y, 0});
      most = std::max(most, (rim.r - rim.b) - (ground.r - ground.b));
    }
  }
  return most;
}

TEST(CliffLooks, NoSideIsADottedLine) {
  EXPECT_GT(red_rim(90), 45) << "it is red";
  for (const double beyond : {-3.0, 0.0, 1.0, 3.0, 6.0, 9.0})
    EXPECT_LT(red_rim(beyond), 25) << beyond;
}

// The same land on finer cells has the same dunes.
TEST(CliffLooks, DunesGoByTheLandNotByItsCells) {
  const Camera camera = straight_down(560);
  const auto brightness = [&](int cells) {
    renderer().show(level(cells), desert(270, 25));
    const Seen seen = seen_by(camera, 400, 400);
    std::vector<double> means;
    for (double y = -100; y < 100; y += 0.9)
      for (double x = -100; x < 100; x += 0.9) means.push_back(pixel_at(seen, {x, y, 0}).sum());
    return means;
  };
  const auto likeness = [](const std::vector<double>& a, const std::vector<double>& b) {
    double a1 = 0, b1 = 0, a2 = 0, b2 = 0, ab = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      a1 += a[i];
      b1 += b[i];
      a2 += a[i] * a[i];
      b2 += b[i] * b[i];
      ab += a[i] * b[i];
    }
    const auto n = static_cast<double>(a.size());
    return (ab - a1 * b1 / n) / std::sqrt((a2 - a1 * a1 / n) * (b2 - b1 * b1 / n));
  };
  const std::vector<double> coarse = brightness(256);
  for (const int cells : {400, 512, 1024})
    EXPECT_GT(likeness(coarse, brightness(cells)), 0.5) << cells;
}

TEST(CliffLooks, FormsGoByTheLandButNoneIsMuchFinerThanACell) {
  const auto metres = [](int cells) {
    const Look look;
    return land_block(ground_maps(level(cells), look), look).soil.w;
  };
  EXPECT_NEAR(metres(256), metres(512), 0.01);
  EXPECT_NEAR(metres(256), 256.0 / 360, 0.01);
  EXPECT_NEAR(metres(16), 8, 0.01);
}

}  // namespace
}  // namespace scree::render
