// What a picture shows, and where. All of these draw with whatever OpenGL there is, Mesa's software
// where there is no GPU.
#include "render/gl/renderer_test.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <thread>

#include "base/error.h"
#include "base/progress.h"
#include "render/gl/gl.h"
#include "render/ground/grid_detail.h"

namespace scree::render {
namespace {

// The same for pictures that are compared, whatever they show.
Camera from_the_south() {
  Camera camera;
  camera.from = Vec3{0, -2200, 1300};
  camera.at = Vec3{0, 0, 0};
  return camera;
}

int difference(const Picture& a, const Picture& b, int x, int y) {
  const std::size_t i = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(a.width) +
                             static_cast<std::size_t>(x));
  int sum = 0;
  for (std::size_t c = 0; c < 3; ++c) sum += std::abs(a.rgb[i + c] - b.rgb[i + c]);
  return sum;
}

TEST(Renderer, TheHighestCellIsWhereTheViewSays) {
  Ground ground = flat(101, 101);
  const Picture without =
      (renderer().show(ground, plain_look()), renderer().take(from_the_south(), 320, 240));
  for (const auto& [column, row] : {std::pair{50, 50}, {20, 70}, {83, 31}}) {
    ground = flat(101, 101);
    for (int y = 0; y < 101; ++y)
      for (int x = 0; x < 101; ++x)
        ground.bed[static_cast<std::size_t>(101 * y + x)] =
            static_cast<float>(std::max(0.0, 300 - 15 * std::hypot(x - column, y - row)));
    renderer().show(ground, plain_look());
    const Picture with = renderer().take(from_the_south(), 320, 240);
    const View::Place summit =
        renderer().view_of(from_the_south(), 320, 240).project(renderer().place_of(column, row));
    // Its shadow falls elsewhere, but nothing that differs is higher up in the picture.
    int top = -1, x = -1;
    for (int y = 0; y < 240 && top < 0; ++y)
      for (int i = 0; i < 320 && top < 0; ++i)
        if (difference(with, without, i, y) > 24) {
          top = y;
          x = i;
        }
    EXPECT_NEAR(top, summit.y * 240, 2.5);
    EXPECT_NEAR(x, summit.x * 320, 2.5);
  }
}

TEST(Renderer, WaterIsWhereItsFieldSays) {
  Ground ground = flat(120, 120);
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 120; ++x)
      if (std::hypot(x - 30, y - 80) < 14) ground.bed[static_cast<std::size_t>(120 * y + x)] = -20;
  ground.water.assign(ground.bed.size(), 0.0f);
  for (std::size_t i = 0; i < ground.bed.size(); ++i)
    if (ground.bed[i] < 0) ground.water[i] = 18;
  renderer().show(ground, plain_look());
  const Picture picture = renderer().take(from_the_south(), 400, 300);
  const View view = renderer().view_of(from_the_south(), 400, 300);
  const Colour lake = colour_at(picture, view, renderer().place_of(30, 80)),
               land = colour_at(picture, view, renderer().place_of(80, 80));
  EXPECT_GT(lake.b / lake.r, 1.15);  // blue
  EXPECT_LT(land.b / land.r, 1.05);  // not so
  EXPECT_LT(lake.sum(), 0.8 * land.sum());
  Look dry = plain_look();
  dry.relief.show_water = false;
  renderer().show(ground, dry);
  const Picture without = renderer().take(from_the_south(), 400, 300);
  const Colour bottom = colour_at(without, view, renderer().place_of(30, 80));
  EXPECT_LT(bottom.b / bottom.r, 1.1);
}

// Seen from above, so that each cell is at its pixel.
Camera from_above() {
  Camera camera;
  camera.altitude = 90;
  camera.azimuth = 180;
  return camera;
}

// How blue the cells are on average, of those that `counts` names.
template <class Counts>
double blueness(const Picture& picture, const Ground& ground, const Counts& counts) {
  const View view = renderer().view_of(from_above(), picture.width, picture.height);
  double sum = 0, count = 0;
  for (int y = 3; y < ground.height - 3; ++y)
    for (int x = 3; x < ground.width - 3; ++x) {
      if (!counts(x, y)) continue;
      const Colour colour = colour_at(picture, view, renderer().place_of(x, y));
      sum += colour.b / colour.r;
      count += 1;
    }
  return sum / count;
}

// Still water over a quarter of the cells, shallow as it is; with cells of any size.
TEST(Renderer, WideAndShallowWaterIsWhereItsFieldSays) {
  for (const double cell : {1.0, 30.0, 1000.0})
    for (const float depth : {0.2f, 0.8f, 1.5f}) {
      Ground ground = flat(60, 60);
      ground.dx = ground.dy = cell;
      ground.water.assign(ground.bed.size(), 0.0f);
      for (int y = 0; y < 60; ++y)
        for (int x = 0; x < 15; ++x) {
          ground.bed[static_cast<std::size_t>(60 * y + x)] = -depth;
          ground.water[static_cast<std::size_t>(60 * y + x)] = depth;
        }
      renderer().show(ground, plain_look());
      const Picture picture = renderer().take(from_above(), 240, 240);
      const double land = blueness(picture, ground, [](int x, int) { return x > 18; }),
                   lake = blueness(picture, ground, [](int x, int) { return x < 13; });
      EXPECT_GT(lake, 1.08 * land) << depth << " m on cells of " << cell;
    }
}

// Rain that runs off a mountain, a hand deep, does not paint it blue.
TEST(Renderer, ARainFilmOnAMountainIsNotShown) {
  Ground ground = flat(60, 60);
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 60; ++x)
      ground.bed[static_cast<std::size_t>(60 * y + x)] =
          static_cast<float>(300 - 6 * std::hypot(x - 30, y - 30));
  const auto all = [](int, int) { return true; };
  renderer().show(ground, plain_look());
  const double dry = blueness(renderer().take(from_above(), 240, 240), ground, all);
  ground.water.assign(ground.bed.size(), 0.25f);
  renderer().show(ground, plain_look());
  EXPECT_NEAR(blueness(renderer().take(from_above(), 240, 240), ground, all), dry, 0.01 * dry);
}

TEST(Renderer, AShadowFallsAwayFromTheSun) {
  Ground ground = flat(121, 121);
  for (int y = 20; y < 100; ++y)
    for (int x = 59; x < 62; ++x) ground.bed[static_cast<std::size_t>(121 * y + x)] = 150;
  for (const double azimuth : {270.0, 90.0}) {
    Look look = plain_look();
    look.sun_azimuth = azimuth;
    look.sun_altitude = 35;
    renderer().show(ground, look);
    Camera above;
    above.altitude = 90;
    above.azimuth = 180;
    const Picture picture = renderer().take(above, 300, 300);
    const View view = renderer().view_of(above, 300, 300);
    const Colour west = colour_at(picture, view, renderer().place_of(50, 60)),
                 east = colour_at(picture, view, renderer().place_of(70, 60));
    const Colour& shade = azimuth > 180 ? east : west;
    const Colour& light = azimuth > 180 ? west : east;
    EXPECT_LT(shade.sum(), 0.7 * light.sum()) << azimuth;
    EXPECT_GT(shade.b / shade.r, light.b / light.r);  // what light there is comes from the sky
  }
}

TEST(Renderer, TheSameSceneIsTheSamePicture) {
  Ground ground = flat(90, 70);
  for (std::size_t i = 0; i < ground.bed.size(); ++i)
    ground.bed[i] = static_cast<float>(100 * std::sin(0.05 * static_cast<double>(i)));
  renderer().show(ground, {});
  const Picture first = renderer().take({}, 200, 130);
  Camera elsewhere;
  elsewhere.azimuth = 20;
  const Picture other = renderer().take(elsewhere, 200, 130);
  renderer().show(ground, {});
  EXPECT_EQ(renderer().take({}, 200, 130).rgb, first.rgb);
  EXPECT_NE(other.rgb, first.rgb);
}

TEST(Renderer, ALargePictureIsTakenInPartsThatMeet) {
  Ground ground = flat(64, 64);
  for (std::size_t i = 0; i < ground.bed.size(); ++i)
    ground.bed[i] = static_cast<float>(60 * std::sin(0.11 * static_cast<double>(i % 64)));
  renderer().show(ground, plain_look());
  const Picture picture = renderer().take(from_the_south(), 2300, 60, 1);
  const auto step = [&](int x) {
    int sum = 0;
    for (int y = 0; y < 60; ++y)
      for (int c = 0; c < 3; ++c)
        sum += std::abs(picture.rgb[static_cast<std::size_t>(3 * (2300 * y + x) + c)] -
                        picture.rgb[static_cast<std::size_t>(3 * (2300 * y + x + 1) + c)]);
    return sum;
  };
  // Between columns 2047 and 2048 two parts meet.
  EXPECT_LT(step(2047), 2 * (step(2045) + step(2046) + step(2048) + step(2049)) / 4 + 60);
}

int largest_difference(const Picture& a, const Picture& b) {
  int most = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i)
    most = std::max(most, std::abs(a.rgb[i] - b.rgb[i]));
  return most;
}

// A floor with a wall across it and a corner between them, where what is near takes light away;
// wet: the floor is a lake that mirrors the wall.
Picture corner_in_parts_of(int pixels, bool wet, float high = 3) {
  Mesh mesh;
  mesh.positions = {{-20, -20, 0}, {20, -20, 0}, {20, 20, 0},    {-20, 20, 0},
                    {-20, 19, 0},  {20, 19, 0},  {20, 19, high}, {-20, 19, high}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};
  mesh.colours.assign(8, {190, 120, 70, 255});
  std::vector<WaterOn> water;
  for (int i = 0; wet && i < 8; ++i) water.push_back({i < 4 ? 1.0f : 0.0f, 2, 0, 0});
  Look look;
  look.grain = 1;
  renderer().show(mesh, look, water);
  renderer().take_parts_of(pixels);
  Camera camera;
  camera.azimuth = 180;
  camera.altitude = 12;
  Picture picture = renderer().take(camera, 400, 200, 1);
  renderer().take_parts_of(1 << 20);
  return picture;
}

TEST(Renderer, PartsOfAPictureOfABodyAreThoseOfTheWhole) {
  EXPECT_LE(largest_difference(corner_in_parts_of(250, false), corner_in_parts_of(400, false)), 2);
  // So wide are parts that no look across them ends early.
  EXPECT_LE(largest_difference(corner_in_parts_of(390, true), corner_in_parts_of(400, true)), 2);
}

// What is mirrored fades where it is farther away than neighbouring parts can see.
int difference_down(const Picture& picture, int x, int y) {
  int sum = 0;
  const std::size_t i = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                             static_cast<std::size_t>(x));
  for (std::size_t c = 0; c < 3; ++c)
    sum += std::abs(picture.rgb[i + c] -
                    picture.rgb[i + c + 3 * static_cast<std::size_t>(picture.width)]);
  return sum;
}

TEST(Renderer, PartsOfAPictureOfALakeMeet) {
  constexpr int pixels = 120, rows_a_part = pixels / 2;
  const Picture picture = corner_in_parts_of(pixels, true, 9);
  // Mean change from a row to the next.
  const auto step = [&](int y) {
    double sum = 0;
    for (int x = 0; x < 400; ++x) sum += difference_down(picture, x, y) / 400.0;
    return sum;
  };
  for (const int seam : {2 * rows_a_part - 1, 3 * rows_a_part - 1})
    EXPECT_LT(step(seam), 2 * std::min(step(seam - 1), step(seam + 1)) + 2) << seam;
}

// A square of stone, of so many cells a side.
Mesh plate(std::uint32_t cells) {
  Mesh mesh;
  for (std::uint32_t y = 0; y <= cells; ++y)
    for (std::uint32_t x = 0; x <= cells; ++x) {
      const float step = 2000.0f / static_cast<float>(cells);
      mesh.positions.push_back(
          {step * static_cast<float>(x) - 1000, step * static_cast<float>(y) - 1000, 0});
      if (x == 0 || y == 0) continue;
      const std::uint32_t i = y * (cells + 1) + x, below = i - cells - 1;
      mesh.triangles.push_back({below - 1, below, i});
      mesh.triangles.push_back({below - 1, i, i - 1});
    }
  mesh.colours.assign(mesh.positions.size(), {190, 120, 70, 255});
  return mesh;
}

TEST(Renderer, RefusesAnEyeUnderTheGround) {
  Ground ground = flat(101, 101);
  for (std::size_t i = 0; i < ground.bed.size(); ++i)
    ground.bed[i] = static_cast<float>(3 * (i % 101));  // it rises to the east
  renderer().show(ground, plain_look());
  Camera camera;
  camera.from = Vec3{200, 100, 180};
  camera.at = Vec3{0, 0, 100};
  try {
    renderer().take(camera, 40, 30);
    FAIL() << "expected an error";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "camera from=200:100:180: expected it above the ground, 210 m there");
  }
  camera.from->z = 215;
  EXPECT_NO_THROW(renderer().take(camera, 40, 30));
  camera.above_ground = true;
  camera.from->z = 5;
  EXPECT_NEAR(renderer().view_of(camera, 40, 30).eye.z, 215, 1e-3);
  EXPECT_NO_THROW(renderer().take(camera, 40, 30));
  // On its way around, above the ground where it then is.
  camera.turned = 180;
  const Vec3 eye = renderer().view_of(camera, 40, 30).eye;
  EXPECT_NEAR(eye.x, -200, 1e-6);
  EXPECT_NEAR(eye.z, 95, 1e-3);
}

// On the top of what is there, a roof over another; on the plain where there is nothing.
TEST(Renderer, AnEyeAboveAMeshIsAboveItsTop) {
  Mesh mesh = box_mesh(100, 100, 10, {150, 150, 150, 255});
  const Mesh roof = box_mesh(20, 100, 5, {150, 150, 150, 255});
  for (const Mesh::Vector& p : roof.positions)
    mesh.positions.push_back({p[0] - 50, p[1], p[2] + 75 + 0.2f * (p[0] + 20)});
  for (const Mesh::Triangle& t : roof.triangles)
    mesh.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  mesh.colours.resize(mesh.positions.size(), mesh.colours.front());
  std::reverse(mesh.triangles.begin(), mesh.triangles.end());  // the highest are not the last
  Look look;
  look.exaggeration = 2;
  renderer().show(mesh, look);
  const auto eye = [](double x, double y) {
    Camera camera;
    camera.from = Vec3{x, y, 3};
    camera.at = Vec3{0, 0, 0};
    camera.above_ground = true;
    return renderer().view_of(camera, 40, 30).eye.z;
  };
  EXPECT_NEAR(eye(30, 40), 2 * 20 + 3, 1e-3);
  // The roof's top is 90 m above the foot of all in its west, and rises by a fifth.
  EXPECT_NEAR(eye(-60, 40), 2 * (90 + 0.2 * 10) + 3, 1e-3);
  EXPECT_NEAR(eye(-45, -40), 2 * (90 + 0.2 * 25) + 3, 1e-3);
  EXPECT_NEAR(eye(130, 0), 3, 1e-3);
}

// What is left for the next renderer shows nothing of what the last one did.
TEST(Renderer, ANewOneOnTheSameContextBeginsAnew) {
  renderer();
  Picture first;
  for (int round = 0; round < 2; ++round) {
    Renderer other;
    EXPECT_THROW(other.take({}, 20, 10), Error);
    other.show(flat(20, 20), {});
    const Picture picture = other.take({}, 60, 40);
    if (round == 0) first = picture;
    EXPECT_EQ(picture.rgb, first.rgb);
    other.show_edges(true);
    EXPECT_NE(other.take({}, 60, 40).rgb, first.rgb);
  }
}

TEST(Renderer, AContextIsCurrentAgainAfterAnother) {
  renderer();
  OffscreenContext* const own = OffscreenContext::current();
  ASSERT_NE(own, nullptr);
  {
    const OffscreenContext other;
    EXPECT_EQ(OffscreenContext::current(), &other);
  }
  EXPECT_EQ(OffscreenContext::current(), own);
  renderer().show(flat(20, 20), {});
  EXPECT_NO_THROW(renderer().take({}, 20, 10));
}

// Across a room one sees no haze; across a range one does.
TEST(Renderer, HazeIsOfMetres) {
  const auto far_wall = [](double cell, double haze) {
    Ground ground = flat(101, 101);
    ground.dx = ground.dy = cell;
    for (std::size_t i = 0; i < 101 * 20; ++i) ground.bed[i] = static_cast<float>(30 * cell);
    Look look = plain_look();
    look.haze = haze;
    renderer().show(ground, look);
    Camera camera;
    camera.from = Vec3{0, -45 * cell, 3 * cell};
    camera.at = Vec3{0, 50 * cell, 15 * cell};
    camera.field = 60;
    return renderer().take(camera, 80, 60);
  };
  const auto mean_difference = [&](double cell) {
    const Picture with = far_wall(cell, 1), without = far_wall(cell, 0);
    double sum = 0;
    for (std::size_t i = 0; i < with.rgb.size(); ++i) sum += std::abs(with.rgb[i] - without.rgb[i]);
    return sum / static_cast<double>(with.rgb.size());
  };
  EXPECT_LT(mean_difference(1.8), 0.15 * mean_difference(100));
}

// A plain of a hundred kilometres on which a person stands.
TEST(Renderer, TheGroundIsThereBeforeAnEyeThatStandsOnIt) {
  Ground ground = flat(512, 512);
  ground.dx = ground.dy = 200;
  renderer().show(ground, {});
  Camera camera;
  camera.from = Vec3{-30000, -30000, 2};
  camera.at = Vec3{0, 0, 100};
  camera.field = 60;
  const Picture picture = renderer().take(camera, 160, 100);
  const auto pixel = [&](int x, int y) {
    const std::size_t i = static_cast<std::size_t>(3 * (160 * y + x));
    return Colour{static_cast<double>(picture.rgb[i]), static_cast<double>(picture.rgb[i + 1]),
                  static_cast<double>(picture.rgb[i + 2])};
  };
  // Down to the last row it is a meadow, not the plain below it that the block stands on.
  for (const int x : {5, 80, 155}) {
    EXPECT_GT(pixel(x, 99).g, 1.25 * pixel(x, 99).b) << x;
    EXPECT_NEAR(pixel(x, 99).sum(), pixel(x, 80).sum(), 0.35 * pixel(x, 80).sum()) << x;
  }
}

// Of triangles that reach from before the eye to the horizon, both ends are where they are.
TEST(Renderer, DepthIsPreciseAlongAWideTriangle) {
  Camera camera;
  camera.from = Vec3{-900, -900, 2};
  camera.at = Vec3{0, 0, -20};
  camera.field = 50;
  Look look;
  look.grain = 20;  // else it goes by the triangles
  renderer().show(plate(1), look);
  const Picture coarse = renderer().take(camera, 160, 100);
  renderer().show(plate(64), look);
  const Picture fine = renderer().take(camera, 160, 100);
  double sum = 0;
  for (std::size_t i = 0; i < fine.rgb.size(); ++i) sum += std::abs(fine.rgb[i] - coarse.rgb[i]);
  EXPECT_LT(sum / static_cast<double>(fine.rgb.size()), 0.7);
}

// Lines of what is behind do not shine through what is in front, however steeply they are seen.
TEST(Renderer, EdgesStayBehindAWall) {
  // It falls away from the eye about as steeply as one looks down on it.
  Ground ground = flat(101, 101);
  for (int y = 0; y < 101; ++y)
    for (int x = 0; x < 101; ++x)
      ground.bed[static_cast<std::size_t>(101 * y + x)] =
          static_cast<float>(400 + 5 * y + 30 * std::sin(0.9 * x) * std::cos(0.7 * y));
  renderer().show(ground, plain_look());
  Camera camera;
  camera.from = Vec3{0, -1800, 1250};
  camera.at = Vec3{0, -400, 350};
  camera.field = 40;
  const Picture without = renderer().take(camera, 320, 240, 1);
  renderer().show_edges(true);
  const Picture with = renderer().take(camera, 320, 240, 1);
  renderer().show_edges(false);
  const View view = renderer().view_of(camera, 320, 240);
  int drawn = 0, looked = 0, on_wall = 0;
  for (int y = 0; y < 240; ++y)
    for (int x = 0; x < 320; ++x) drawn += difference(with, without, x, y) > 9 ? 1 : 0;
  // The southern wall, well below its rim.
  for (int column = 2; column < 99; ++column)
    for (double z = -20; z < renderer().place_of(column, 100).z - 15; z += 4) {
      const View::Place at = view.project({renderer().place_of(column, 100).x, -500, z});
      const int x = static_cast<int>(at.x * 320), y = static_cast<int>(at.y * 240);
      if (x < 0 || y < 0 || x >= 320 || y >= 240) continue;
      ++looked;
      on_wall += difference(with, without, x, y) > 9 ? 1 : 0;
    }
  EXPECT_GT(looked, 5000);
  EXPECT_GT(drawn, 2000);
  EXPECT_EQ(on_wall, 0);
}

// A meadow of so many cells a side, with nodata in the middle half of it.
Ground holed(int side) {
  Ground ground = flat(side, side, 200);
  ground.dx = ground.dy = 800.0 / side;
  for (int y = side / 4; y < side - side / 4; ++y)
    for (int x = side / 4; x < side - side / 4; ++x)
      ground.bed[static_cast<std::size_t>(side * y + x)] = std::numeric_limits<float>::quiet_NaN();
  return ground;
}

// Where cells are wider than pixels, and where steps of many cells are as wide as one.
TEST(Renderer, NodataIsAHoleThroughWhichThePlainIsSeen) {
  for (const int side : {80, 801}) {
    renderer().show(holed(side), {});
    EXPECT_LT(renderer().place_of(side / 2, side / 2).z, renderer().place_of(5, 5).z);
    const Picture picture = renderer().take(from_the_south(), 320, 240);
    const View view = renderer().view_of(from_the_south(), 320, 240);
    const Colour meadow = colour_at(picture, view, renderer().place_of(side / 10, side / 2));
    EXPECT_GT(meadow.g, 1.4 * meadow.b);
    for (const double share : {0.35, 0.5, 0.65}) {
      const int column = static_cast<int>(share * side);
      const Colour hole = colour_at(picture, view, renderer().place_of(column, side / 2));
      EXPECT_LT(hole.g, 1.15 * hole.b) << side << " cells, " << share;
    }
  }
}

TEST(Renderer, TheRimOfAHoleIsAWallDownToTheFoot) {
  renderer().show(holed(80), {});
  Camera camera;
  camera.from = Vec3{0, -700, 500};
  camera.at = Vec3{0, 180, 0};
  const Picture picture = renderer().take(camera, 400, 300);
  const View view = renderer().view_of(camera, 400, 300);
  const double foot = renderer().place_of(40, 40).z, rim = renderer().place_of(40, 19).z;
  const double north = renderer().place_of(40, 19).y;
  const Colour meadow = colour_at(picture, view, {0, north + 60, rim}),
               wall = colour_at(picture, view, {0, north, 0.4 * rim + 0.6 * foot}),
               plain = colour_at(picture, view, {0, north - 150, foot});
  EXPECT_GT(meadow.g, 1.4 * meadow.b);
  EXPECT_LT(wall.g, 1.25 * wall.b);  // grey rock
  EXPECT_LT(wall.sum(), 0.8 * plain.sum());
}

// A raster that was turned is empty in its corners: the camera takes what is there.
TEST(Renderer, APictureIsOfTheDataAlone) {
  Ground ground = flat(81, 81, 0);
  for (int y = 0; y < 81; ++y)
    for (int x = 0; x < 81; ++x)
      if (std::hypot(x - 60, y - 60) > 15)
        ground.bed[static_cast<std::size_t>(81 * y + x)] = std::numeric_limits<float>::quiet_NaN();
  renderer().show(ground, {});
  const View view = renderer().view_of(from_above(), 100, 100);
  EXPECT_NEAR(view.eye.x, 200, 10);
  EXPECT_NEAR(view.eye.y, -200, 10);
  EXPECT_LT(view.project({350, -200, 0}).x, 1);
  EXPECT_GT(view.project({350, -200, 0}).x, 0.9);
}

// Wherever it was stopped, noise not yet made among it.
TEST(Renderer, APictureAfterOneThatWasStoppedIsWhole) {
  renderer().show(flat(40, 40), {});
  const std::vector<std::uint8_t> whole = renderer().take({}, 90, 60).rgb;
  for (const int milliseconds : {0, 15, 30, 60, 120}) {
    const OffscreenContext context;
    Renderer fresh;
    fresh.show(flat(40, 40), {});
    CancelToken stop;
    try {
      const CancelScope stoppable(&stop);
      const std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        stop.cancel();
      });
      fresh.take({}, 90, 60);
    } catch (const Cancelled&) {
    }
    EXPECT_TRUE(fresh.take({}, 90, 60).rgb == whole) << "stopped after " << milliseconds << " ms";
  }
}

// Twice the light is seen as brighter, by less the brighter it is already, and what is very bright
// keeps its form.
TEST(Renderer, LightIsRolledOffAsOnFilm) {
  std::vector<double> seen;
  for (const double exposure : {0.25, 0.5, 1.0, 2.0, 4.0}) {
    Look look = plain_look();
    look.exposure = exposure;
    renderer().show(flat(60, 60), look);
    seen.push_back(seen_by(straight_down(900), 60, 60).at({0, 0, 0}) / 3);
  }
  for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_GT(seen[i], seen[i - 1] + 4) << i;
  EXPECT_LT(seen[4] - seen[3], 0.6 * (seen[2] - seen[1]));
  EXPECT_LT(seen[4], 254.5);
}

TEST(Renderer, TakesOddAndTinySizesAndRefusesOthers) {
  renderer().show(flat(2, 2), {});
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 1}, {1, 7}, {33, 17}})
    EXPECT_EQ(renderer().take({}, width, height).rgb.size(),
              static_cast<std::size_t>(3 * width * height));
  EXPECT_THROW(renderer().take({}, 0, 10), UsageError);
  EXPECT_THROW(renderer().take({}, 10, 20000), UsageError);
  EXPECT_THROW(renderer().take({}, 10, 10, 9), UsageError);
}

// Its maps would take long: it has none, and is refused for its size all the same.
TEST(Renderer, RefusesAGroundThatIsTooLargeBeforeItsMapsAreMade) {
  Ground ground;
  ground.width = 1 << 20;
  ground.height = 1 << 20;
  try {
    renderer().show(ground, {});
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("cells a side, found 1048576 x 1048576"),
              std::string::npos)
        << error.what();
  }
}

TEST(Renderer, AShadersErrorNamesFileAndLine) {
  renderer();
  EXPECT_THROW(gl::make_program("nowhere.vert", "wall_depth.frag"), Error);
  // Without a word that it needs, the compiler has something to say.
  try {
    gl::make_program("ground.vert", "ground_depth.frag", "#define cell ?\n");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("src/render/shader/ground.vert:21"), std::string::npos)
        << error.what();
  }
}

TEST(Renderer, AMeshIsWhereTheViewSaysAndHasItsColour) {
  renderer().show(box_mesh(20, 20, 30, {200, 40, 30, 255}), {});
  const Picture picture = renderer().take({}, 240, 200);
  const View view = renderer().view_of({}, 240, 200);
  const Colour top = colour_at(picture, view, renderer().place_of({0, 0, 30}));
  EXPECT_GT(top.r, 1.6 * top.b);
  const Colour plain = colour_at(picture, view, {-27, 0, 0});
  EXPECT_LT(plain.r, 1.15 * plain.b);
  // The picture's highest red is the box's highest corner.
  int first = -1;
  for (int y = 0; y < 200 && first < 0; ++y)
    for (int x = 0; x < 240 && first < 0; ++x) {
      const std::size_t i = static_cast<std::size_t>(3 * (240 * y + x));
      if (picture.rgb[i] > 1.4 * picture.rgb[i + 2]) first = y;
    }
  double highest = 1;
  for (const double x : {-20.0, 20.0})
    for (const double y : {-20.0, 20.0})
      highest = std::min(highest, view.project(renderer().place_of({x, y, 30})).y);
  EXPECT_NEAR(first, highest * 200, 2.5);
}

TEST(Renderer, AMeshThrowsItsShadowOnThePlainAwayFromTheSun) {
  Look look;
  look.sun_azimuth = 270;
  look.sun_altitude = 45;
  renderer().show(box_mesh(10, 10, 20, {180, 180, 180, 255}), look);
  Camera above;
  above.from = Vec3{0, -250, 250};
  above.at = Vec3{0, 0, 0};
  const Picture picture = renderer().take(above, 240, 240);
  const View view = renderer().view_of(above, 240, 240);
  const Colour east = colour_at(picture, view, {30, 0, 0}),
               west = colour_at(picture, view, {-30, 0, 0});
  EXPECT_LT(east.sum(), 0.75 * west.sum());
  const Colour far_east = colour_at(picture, view, {70, 0, 0});
  EXPECT_GT(far_east.sum(), 0.9 * west.sum());
}

TEST(Renderer, WaterStandsOnAMeshWhereItIsWet) {
  constexpr std::uint32_t side = 21;
  Mesh plate;
  std::vector<WaterOn> wet;
  for (std::uint32_t y = 0; y < side; ++y)
    for (std::uint32_t x = 0; x < side; ++x) {
      plate.positions.push_back(
          {4 * (static_cast<float>(x) - 10), 4 * (static_cast<float>(y) - 10), 2});
      wet.push_back({x > 10 ? 1.0f : 0.0f, 9, 0, 0});  // its eastern half
      if (x == 0 || y == 0) continue;
      const std::uint32_t i = y * side + x;
      plate.triangles.push_back({i - side - 1, i - side, i});
      plate.triangles.push_back({i - side - 1, i, i - 1});
    }
  plate.colours.assign(plate.positions.size(), {190, 120, 70, 255});
  renderer().show(plate, {}, wet);
  const Picture picture = renderer().take({}, 300, 200);
  const View view = renderer().view_of({}, 300, 200);
  const Colour dry = colour_at(picture, view, renderer().place_of({-25, 0, 2})),
               water = colour_at(picture, view, renderer().place_of({30, 0, 2}));
  EXPECT_GT(dry.r, 1.3 * dry.b);
  EXPECT_GT(water.b, 1.05 * water.r);
  EXPECT_THROW(renderer().show(plate, {}, std::vector<WaterOn>(3)), Error);
}

TEST(Renderer, RefusesAMeshThatIsNone) {
  Mesh mesh;
  EXPECT_THROW(renderer().show(mesh, {}), Error);
  mesh = box_mesh(1, 1, 1, {});
  mesh.triangles.push_back({0, 1, 8});
  EXPECT_THROW(renderer().show(mesh, {}), Error);
}

TEST(GridDetail, BlocksCoverTheGroundAndKnowTheirNeighbours) {
  const GroundMaps maps = ground_maps(flat(700, 300), {});
  const GridDetail detail(maps);
  Camera low;
  low.from = Vec3{-5200, 0, 900};
  low.at = Vec3{3000, 0, 0};
  low.field = 110;
  const View view = look(low, outline(maps), 1.6);
  const auto levels = detail.blocks(view, 160, 100, {0, 0, 160, 100});
  std::size_t count = 0, used = 0;
  std::array<std::array<int, 5>, 11> steps{};
  for (std::size_t level = 0; level < levels.size(); ++level) {
    used += levels[level].empty() ? 0 : 1;
    count += levels[level].size();
    for (const BlockInstance& block : levels[level]) {
      EXPECT_EQ(block.step, 1 << level);
      steps[static_cast<std::size_t>(block.column / 64)][static_cast<std::size_t>(block.row / 64)] =
          block.step;
    }
  }
  EXPECT_EQ(count, 11u * 5);
  EXPECT_GT(used, 1u);  // near ones finer than far ones
  for (const auto& blocks : levels)
    for (const BlockInstance& block : blocks) {
      const auto x = static_cast<std::size_t>(block.column / 64),
                 y = static_cast<std::size_t>(block.row / 64);
      if (x > 0) {
        EXPECT_EQ(block.neighbours[0], steps[x - 1][y]);
      }
      if (x < 10) {
        EXPECT_EQ(block.neighbours[1], steps[x + 1][y]);
      }
      if (y > 0) {
        EXPECT_EQ(block.neighbours[2], steps[x][y - 1]);
      }
      if (y < 4) {
        EXPECT_EQ(block.neighbours[3], steps[x][y + 1]);
      }
    }
  // The border is drawn as the blocks that lie at it.
  const std::vector<BorderPiece> border = detail.border(view, 160);
  EXPECT_EQ(border.size(), 2u * (11 + 5));
  for (const BorderPiece& piece : border) {
    const auto n = static_cast<std::size_t>(piece.first / 64);
    const std::array<int, 4> at_sides{n < 11 ? steps[n][0] : 0, n < 5 ? steps[10][n] : 0,
                                      n < 11 ? steps[n][4] : 0, n < 5 ? steps[0][n] : 0};
    EXPECT_EQ(piece.step, at_sides[static_cast<std::size_t>(piece.side)]);
    EXPECT_EQ(piece.step * piece.steps, 64);
  }
}

}  // namespace
}  // namespace scree::render
