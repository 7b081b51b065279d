// How things look in a picture: the edges of shadows, what is seen in water and through it, and wet
// ground. Each looks at pixels, of grounds and of meshes alike.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "render/gl/renderer_test.h"

namespace scree::render {
namespace {

double brightness(const Picture& picture, int x, int y) {
  const std::size_t i = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                             static_cast<std::size_t>(x));
  return picture.rgb.at(i) + picture.rgb.at(i + 1) + picture.rgb.at(i + 2);
}

// ---- penumbrae

// Over how many metres along a row a shadow fades: from 15 % to 85 % of the way from its darkest to
// the light beyond.
double edge_width(const Seen& seen, double y, double from, double to, double z) {
  constexpr int steps = 400;
  std::vector<double> light;
  for (int i = 0; i <= steps; ++i) light.push_back(seen.at({from + (to - from) * i / steps, y, z}));
  const double dark = *std::min_element(light.begin(), light.end()),
               bright = *std::max_element(light.begin(), light.end());
  EXPECT_GT(bright, 1.3 * dark) << "no shadow ends here";
  const auto passes = [&](double share) {
    int last = 0;
    for (int i = 0; i <= steps; ++i)
      if (light[static_cast<std::size_t>(i)] < dark + share * (bright - dark)) last = i;
    return last;
  };
  return (passes(0.85) - passes(0.15)) * (to - from) / steps;
}

// The sun stands in the west at 45 degrees: the top of a wall of some height ends its shadow as far
// to the east.
Look from_the_west() {
  Look look = plain_look();
  look.sun_azimuth = 270;
  look.sun_altitude = 45;
  look.sun_softness = 3;
  return look;
}

void expect_edges(double z) {
  const Seen seen = seen_by(straight_down(600), 640, 320);
  // In the picture's metres the walls' eastern sides are at -93.
  const double near = edge_width(seen, 30, -80, -55, z), far = edge_width(seen, -30, -10, 80, z);
  EXPECT_GT(near, 0.4);
  EXPECT_GT(far, 2.5 * near);
  // Its rays part at twice the softness: 120 m of wall, seen along 170 m of light.
  EXPECT_NEAR(far, 0.55 * 2 * 170 * std::sin(3 * 0.01745) / 0.707, 7);
}

Ground two_walls_on_a_ground() {
  Ground ground = flat(161, 81);
  ground.dx = ground.dy = 2;
  for (int y = 10; y < 70; ++y)
    for (int x = 30; x < 34; ++x)
      ground.bed[static_cast<std::size_t>(161 * y + x)] = y < 40 ? 20 : 120;
  return ground;
}

Mesh two_walls() {
  Mesh all = box_mesh(160, 80, 1, {170, 170, 170, 255});
  const auto add = [&](float y, float z) {
    const auto first = static_cast<std::uint32_t>(all.positions.size());
    const Mesh wall = box_mesh(4, 28, z / 2, {170, 170, 170, 255});
    for (const Mesh::Vector& p : wall.positions)
      all.positions.push_back({p[0] - 97, p[1] + y, p[2] + z / 2});
    for (const Mesh::Triangle& t : wall.triangles)
      all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    all.colours.insert(all.colours.end(), wall.colours.begin(), wall.colours.end());
  };
  add(30, 20);
  add(-30, 120);
  return all;
}

TEST(Appearance, AShadowsEdgeWidensWithItsDistance) {
  renderer().show(two_walls_on_a_ground(), from_the_west());
  expect_edges(0);
  renderer().show(two_walls(), from_the_west());
  expect_edges(2);
}

// The block that is cut out of the ground stands on a plain: its shadow there is as long as its
// highest rim asks for.
TEST(Appearance, TheBlockThrowsItsShadowOnThePlain) {
  Ground ground = flat(81, 81, 0);
  for (int y = 0; y < 81; ++y)
    for (int x = 60; x < 81; ++x)
      ground.bed[static_cast<std::size_t>(81 * y + x)] = y < 40 ? 150 : 0;
  Look look = from_the_west();
  look.sun_softness = 1;
  renderer().show(ground, look);
  const Seen seen = seen_by(straight_down(3000), 300, 300);
  // The plain lies below by 0.1 of what is shown, or 0.035 of its width.
  const double foot = -0.035 * 810, low = 400 - foot, high = low + 150;
  const auto lit = [&](double x, double y) { return seen.at({x, y, foot}); };
  const double dark = lit(500, 200), light = lit(high + 250, 200);
  EXPECT_LT(dark, 0.75 * light);
  EXPECT_LT(lit(high - 30, 200), 0.8 * light) << "north: of the wall";
  EXPECT_GT(lit(high + 30, 200), 0.9 * light);
  EXPECT_GT(lit(500, -200), 0.85 * light) << "south: of the level ground";
}

// ---- water

// Level water, with what is asked for in each column and row; on a ground, or on a mesh.
struct Lake {
  std::function<float(int, int)> depth;
  std::function<std::pair<float, float>(int, int)> velocity = [](int, int) {
    return std::pair{0.0f, 0.0f};
  };
  std::function<bool(int, int)> sandy = [](int, int) { return false; };
  double deep = 20;
};
constexpr int lake_side = 81, lake_middle = 40;
constexpr float lake_cell = 5;

Look lake_look(const Lake& lake) {
  Look look;
  look.relief.palette = Palette::alpine;
  look.relief.water_deep = lake.deep;
  look.relief.water_film = 0.1;
  look.haze = 0;
  look.sun_azimuth = 90;
  return look;
}

void show_on_ground(const Lake& lake) {
  Ground ground{lake_side, lake_side, lake_cell, lake_cell};
  for (int y = 0; y < lake_side; ++y)
    for (int x = 0; x < lake_side; ++x) {
      const float depth = lake.depth(x, y);
      ground.bed.push_back(100 - depth);
      ground.water.push_back(depth);
      ground.deposit.push_back(lake.sandy(x, y) ? 1.0f : 0.0f);
      ground.velocity_x.push_back(lake.velocity(x, y).first);
      ground.velocity_y.push_back(lake.velocity(x, y).second);
    }
  Look look = lake_look(lake);
  look.relief.tint_low = 0;
  look.relief.tint_high = 400;
  renderer().show(ground, look);
}

void show_on_mesh(const Lake& lake) {
  Mesh mesh;
  std::vector<WaterOn> water;
  constexpr auto side = static_cast<std::uint32_t>(lake_side);
  for (int y = 0; y < lake_side; ++y)
    for (int x = 0; x < lake_side; ++x) {
      mesh.positions.push_back({lake_cell * static_cast<float>(x - lake_middle),
                                lake_cell * static_cast<float>(lake_middle - y), 0});
      const auto [east, north] = lake.velocity(x, y);
      water.push_back({1, lake.depth(x, y), east, north});
      mesh.colours.push_back(lake.sandy(x, y) ? Mesh::Colour{200, 190, 165, 255}
                                              : Mesh::Colour{105, 100, 75, 255});
      if (x == 0 || y == 0) continue;
      const auto i = static_cast<std::uint32_t>(y) * side + static_cast<std::uint32_t>(x);
      mesh.triangles.push_back({i, i - side, i - side - 1});
      mesh.triangles.push_back({i, i - side - 1, i - 1});
    }
  renderer().show(mesh, lake_look(lake), water);
}

// On both, one after the other.
struct Stage {
  const char* name;
  void (*show)(const Lake&);
  // Height of the water in the picture's metres.
  double level() const { return show == show_on_mesh ? 0 : renderer().place_of(40, 40).z; }
};
constexpr Stage stages[] = {{"ground", show_on_ground}, {"mesh", show_on_mesh}};

TEST(Appearance, DeepWaterTakesTheLightAndRedFirst) {
  for (const Stage& stage : stages) {
    SCOPED_TRACE(stage.name);
    stage.show({.depth = [](int x, int) { return x < 27   ? 1.0f
                                                 : x < 54 ? 6.0f
                                                          : 30.0f; },
                .sandy = [](int, int) { return true; }});
    const Seen seen = seen_by(straight_down(900), 300, 300);
    const auto at = [&](double x) {
      return colour_at(seen.picture, seen.view, {x, 0, stage.level()});
    };
    const Colour shallow = at(-140), middle = at(0), deep = at(140);
    EXPECT_LT(middle.sum(), 0.85 * shallow.sum());
    EXPECT_LT(deep.sum(), 0.8 * middle.sum());
    EXPECT_GT(middle.b / middle.r, 1.2 * shallow.b / shallow.r);
    EXPECT_GT(deep.b / deep.r, 1.1 * middle.b / middle.r);
  }
}

TEST(Appearance, TheLowerOneLooksTheMoreSkyIsInIt) {
  for (const Stage& stage : stages) {
    SCOPED_TRACE(stage.name);
    stage.show({.depth = [](int, int) { return 40.0f; }});
    const auto seen_from = [&](double altitude) {
      Camera camera;
      const double r = altitude * 0.017453292519943295;
      camera.from = Vec3{0, -700 * std::cos(r), stage.level() + 700 * std::sin(r)};
      camera.at = Vec3{0, 0, stage.level()};
      return seen_by(camera, 120, 80).at({0, 0, stage.level()});
    };
    const double steep = seen_from(75), slant = seen_from(25), grazing = seen_from(7);
    EXPECT_GT(slant, 1.1 * steep);
    EXPECT_GT(grazing, 1.5 * slant);
  }
}

// Sand lies on the northern half of the bottom. Seen from the south, its edge is where a ray that
// the surface has bent meets it.
TEST(Appearance, TheBottomIsSeenWhereBentRaysMeetIt) {
  for (const Stage& stage : stages) {
    SCOPED_TRACE(stage.name);
    constexpr double depth = 40, altitude = 40, degree = 0.017453292519943295;
    stage.show({.depth = [](int, int) { return static_cast<float>(depth); },
                .sandy = [](int, int y) { return y < 40; },
                .deep = 900});
    Camera camera;
    camera.from = Vec3{0, -5000 * std::cos(altitude * degree),
                       stage.level() + 5000 * std::sin(altitude * degree)};
    camera.at = Vec3{0, 0, stage.level()};
    camera.field = 4;
    const Seen seen = seen_by(camera, 200, 200);
    // The row across which the picture changes most; means over columns.
    const auto row_light = [&](int row) {
      double sum = 0;
      for (int x = 40; x < 160; ++x) sum += brightness(seen.picture, x, row);
      return sum / 120;
    };
    const auto row_of = [&](double y) {
      return static_cast<int>(seen.view.project({0, y, stage.level()}).y * 200);
    };
    double most = 0, edge = 0;
    for (double y = -90; y <= 30; y += 1) {
      double step = 0;
      for (int n = 1; n <= 6; ++n) step += row_light(row_of(y) - n) - row_light(row_of(y) + n - 1);
      if (step > most) {
        most = step;
        edge = y;
      }
    }
    const double below = std::asin(std::cos(altitude * degree) / 1.333);
    EXPECT_GT(most, 6 * 20);
    EXPECT_NEAR(edge, 2.5 - depth * std::tan(below),
                7);  // straight on it would be at -45, at 2.5 not below at all
  }
}

// A red wall or slope stands in the north of a lake, or none does; looked at from the south, low
// over the water, in which it is seen upside down.
constexpr float wall_high = 90;

void show_slope_on_ground(bool slope) {
  Ground ground{lake_side, lake_side, lake_cell, lake_cell};
  for (int y = 0; y < lake_side; ++y)
    for (int x = 0; x < lake_side; ++x) {
      const float z = slope ? std::max(-20.0f, 2 * lake_cell * static_cast<float>(18 - y)) : -20;
      ground.bed.push_back(z);
      ground.water.push_back(std::max(0.0f, -z));
    }
  Look look = lake_look({.depth = {}});
  look.relief.palette = Palette::desert;
  look.sun_azimuth = 180;
  renderer().show(ground, look);
}

void show_wall_on_mesh(bool wall) {
  Mesh mesh = box_mesh(200, 200, 1, {90, 90, 90, 255});
  std::vector<WaterOn> water(mesh.positions.size(), WaterOn{1, 20, 0, 0});
  if (wall) {
    const Mesh box = box_mesh(180, 10, wall_high / 2, {200, 40, 25, 255});
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const Mesh::Vector& p : box.positions)
      mesh.positions.push_back({p[0], p[1] + 145, p[2] + wall_high / 2});
    for (const Mesh::Triangle& t : box.triangles)
      mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    mesh.colours.insert(mesh.colours.end(), box.colours.begin(), box.colours.end());
    water.resize(mesh.positions.size());
  }
  Look look = lake_look({.depth = {}});
  look.sun_azimuth = 180;
  renderer().show(mesh, look, water);
}

TEST(Appearance, AWallIsSeenInStillWater) {
  for (const bool on_mesh : {false, true}) {
    SCOPED_TRACE(on_mesh ? "mesh" : "ground");
    const auto redness = [&](bool wall) {
      on_mesh ? show_wall_on_mesh(wall) : show_slope_on_ground(wall);
      const double level = on_mesh ? 2 : renderer().place_of(40, 60).z;
      Camera camera;
      camera.from = Vec3{0, -190, level + 45};
      camera.at = Vec3{0, 60, level};
      camera.field = 60;
      const Seen seen = seen_by(camera, 240, 160);
      const Colour c = colour_at(seen.picture, seen.view, {0, 60, level});
      return c.r / c.b;
    };
    const double open = redness(false), walled = redness(true);
    EXPECT_LT(open, 0.9);
    EXPECT_GT(walled, 1.25 * open);
  }
}

// Ripples are longer along the water than across it.
TEST(Appearance, RipplesRunWithTheWater) {
  for (const Stage& stage : stages) {
    SCOPED_TRACE(stage.name);
    const auto grain = [&](float east, float north) {
      stage.show({.depth = [](int, int) { return 60.0f; },
                  .velocity =
                      [&](int, int) {
                        return std::pair{east, north};
                      }});
      Camera camera;
      camera.from = Vec3{0, -400, stage.level() + 260};
      camera.at = Vec3{0, 0, stage.level()};
      camera.field = 12;
      const Seen seen = seen_by(camera, 240, 160);
      double along_x = 0, along_y = 0;
      for (int y = 40; y < 120; ++y)
        for (int x = 60; x < 180; ++x) {
          along_x += std::abs(brightness(seen.picture, x + 2, y) - brightness(seen.picture, x, y));
          along_y += std::abs(brightness(seen.picture, x, y + 2) - brightness(seen.picture, x, y));
        }
      return along_y / along_x;
    };
    const double eastward = grain(4, 0), northward = grain(0, 4);
    EXPECT_GT(eastward, 1.5 * northward);
    EXPECT_GT(eastward, 1.3);
  }
}

TEST(Appearance, WetGroundIsDarker) {
  Ground ground = flat(101, 101);
  for (int y = 0; y < 101; ++y)
    for (int x = 0; x < 101; ++x) ground.flow.push_back(x > 50 ? 1.0f : 0.0f);
  renderer().show(ground, plain_look());
  const Seen seen = seen_by(straight_down(2000), 200, 200);
  double dry = 0, wet = 0;
  for (double y = -300; y <= 300; y += 50)
    for (double x = 100; x <= 400; x += 50) {
      dry += seen.at({-x, y, 0});
      wet += seen.at({x, y, 0});
    }
  EXPECT_LT(wet, 0.88 * dry);
  EXPECT_GT(wet, 0.5 * dry);
}

// ---- air and snow

// Red ground as far as one sees: the farther, the less red, and the more haze, the more so.
TEST(Appearance, HazeGrowsWithDistance) {
  const auto red = [](double haze, double y) {
    Look look;
    look.relief.palette = Palette::desert;
    look.sun_azimuth = 180;  // the sky ahead is not the bright one
    look.haze = 2.5 * haze;  // as over land of 5 km, and this is of two
    renderer().show(flat(201, 201), look);
    Camera camera;
    camera.from = Vec3{0, -950, 120};
    camera.at = Vec3{0, 0, 0};
    camera.field = 30;
    const Seen seen = seen_by(camera, 200, 200);
    const Colour c = colour_at(seen.picture, seen.view, {0, y, 0});
    return c.r / c.b;
  };
  const double clear = red(0, 600), near = red(1, -500), far = red(1, 600), thick = red(3, 600);
  EXPECT_LT(far, 0.93 * near);
  EXPECT_LT(far, 0.9 * clear);
  EXPECT_LT(thick, 0.9 * far);
  EXPECT_NEAR(red(0, -500), clear, 0.12 * clear);
}

// A ramp above the line of snow: of the same height, what is steep holds less of it.
TEST(Appearance, SnowThinsOutWhereItIsSteep) {
  const auto white = [](float rise) {
    Ground ground = flat(101, 101);
    for (int y = 0; y < 101; ++y)
      for (int x = 0; x < 101; ++x)
        ground.bed[static_cast<std::size_t>(101 * y + x)] =
            1000 + rise * 10 * static_cast<float>(50 - x);
    Look look;
    look.relief.palette = Palette::alpine;
    look.relief.tint_low = 0;
    look.relief.tint_high = 1150;
    look.sun_azimuth = 180;  // along the ramp
    look.haze = 0;
    renderer().show(ground, look);
    const Seen seen = seen_by(straight_down(4000), 300, 300);
    int snowy = 0;
    for (double y = -300; y <= 300; y += 10) {
      const Colour c =
          colour_at(seen.picture, seen.view, renderer().place_of(50, 50) + Vec3{0, y, 0});
      if (c.b > 0.9 * c.r && c.sum() > 450) ++snowy;
    }
    return snowy;
  };
  const int level = white(0.2f), slope = white(1.2f), wall = white(2.0f);
  EXPECT_GT(level, 55);
  EXPECT_LT(slope, level);
  EXPECT_LT(wall, 5);
}

// The same form is white on top as a mountain, and bare as a hill.
TEST(Appearance, SnowLiesOnMountainsAndNotOnHills) {
  const auto top = [](double relief) {
    Ground ground = flat(101, 101);
    ground.dx = ground.dy = 40;
    for (int y = 0; y < 101; ++y)
      for (int x = 0; x < 101; ++x) {
        const double off = std::min(1.0, std::hypot(x - 50, y - 50) / 50);
        ground.bed[static_cast<std::size_t>(101 * y + x)] =
            static_cast<float>(relief * (0.5 + 0.5 * std::cos(3.14159265 * off)));
      }
    renderer().show(ground, {});
    const Seen seen = seen_by(straight_down(9000), 200, 200);
    return colour_at(seen.picture, seen.view, renderer().place_of(50, 50));
  };
  const Colour mountain = top(1500), hill = top(300);
  EXPECT_GT(mountain.b, 0.9 * mountain.r);
  EXPECT_LT(hill.b, 0.8 * hill.r) << "of the colour of soil";
  EXPECT_LT(hill.sum(), 0.8 * mountain.sum());
}

// ---- land that is a mesh

Mesh slope_of(double rise, Mesh::Colour colour) {
  constexpr std::uint32_t side = 41;
  Mesh mesh;
  for (std::uint32_t y = 0; y < side; ++y)
    for (std::uint32_t x = 0; x < side; ++x) {
      const double east = 5.0 * x - 100, north = 5.0 * y - 100;
      mesh.positions.push_back(
          {static_cast<float>(east), static_cast<float>(north), static_cast<float>(rise * north)});
      if (x == 0 || y == 0) continue;
      const std::uint32_t i = y * side + x;
      mesh.triangles.push_back({i - side - 1, i - side, i});
      mesh.triangles.push_back({i - side - 1, i, i - 1});
    }
  mesh.colours.assign(mesh.positions.size(), colour);
  return mesh;
}

// How much neighbouring pixels of a slope differ, seen from so high.
double graininess(std::uint8_t loose, double up) {
  Look look = from_the_west();
  look.grain = 5;
  renderer().show(slope_of(0.7, {150, 140, 130, loose}), look);
  Camera camera = straight_down(up);
  camera.at = Vec3{0, 0, 70};
  const Seen seen = seen_by(camera, 200, 200);
  double sum = 0, off = 0;
  for (int y = 50; y < 150; ++y)
    for (int x = 50; x < 150; ++x) {
      sum += brightness(seen.picture, x, y);
      off += std::abs(brightness(seen.picture, x + 2, y) - brightness(seen.picture, x, y));
    }
  return off / sum;
}

// On the same slope, what is loose lies in grains, and rock with beds does not.
TEST(Appearance, WhatIsLooseLiesInGrains) {
  EXPECT_GT(graininess(255, 300), 1.2 * graininess(127, 300));
}

// How much a row of pixels of a wall differs, as a whole, from those below it.
double banding(std::uint8_t kind) {
  Look look = from_the_west();
  look.grain = 5;
  renderer().show(box_mesh(50, 50, 20, {150, 140, 130, kind}), look);
  Camera camera;
  camera.from = Vec3{-300, 0, 20};
  camera.at = Vec3{0, 0, 20};
  camera.field = 10;
  const Seen seen = seen_by(camera, 200, 200);
  std::vector<double> rows;
  for (int y = 60; y < 140; ++y) {
    rows.push_back(0);
    for (int x = 20; x < 180; ++x) rows.back() += brightness(seen.picture, x, y);
  }
  double sum = 0, off = 0;
  for (std::size_t y = 4; y < rows.size(); ++y) {
    sum += rows[y];
    off += std::abs(rows[y] - rows[y - 4]);
  }
  return off / sum;
}

TEST(Appearance, RockThatFrozeAsAWholeHasNoBeds) { EXPECT_GT(banding(127), 2 * banding(0)); }

// Who comes close sees finer stones, not the same ones as slabs.
TEST(Appearance, StonesAreFineFromNearAndFar) {
  EXPECT_GT(graininess(255, 120), 0.7 * graininess(255, 300));
}

// Nobody has to say how wide the cells are from which triangles were made.
TEST(Appearance, LandThatIsAMeshHasTheGrainOfItsTriangles) {
  Look look;
  const Mesh mesh = slope_of(0.7, {150, 140, 130, 255});
  renderer().show(mesh, look);
  const Picture found = renderer().take({}, 200, 125);
  look.grain = 5;
  renderer().show(mesh, look);
  EXPECT_EQ(found.rgb, renderer().take({}, 200, 125).rgb);
}

// Who stands on it sees more of the same land beyond; who looks at it from outside sees a table.
TEST(Appearance, ThePlainBeyondAMeshIsAsItsGround) {
  Look look;
  look.grain = 5;
  look.haze = 0;
  renderer().show(slope_of(0, {170, 60, 40, 255}), look);
  const auto redness = [](Vec3 eye, Vec3 place) {
    Camera camera;
    camera.from = eye;
    camera.at = place;
    camera.field = 30;
    const Seen seen = seen_by(camera, 100, 100);
    const Colour c = colour_at(seen.picture, seen.view, place);
    return c.r / c.b;
  };
  EXPECT_GT(redness({0, 0, 60}, {0, 115, 0}), 1.3);
  EXPECT_LT(redness({0, -400, 60}, {0, -115, 0}), 1.1);
}

// A lake that was cut: the deeper, the darker.
TEST(Appearance, CutWaterDarkensWithDepth) {
  Mesh box = box_mesh(50, 50, 20, {120, 110, 100, 255});
  std::vector<WaterOn> water;
  for (const Mesh::Vector& p : box.positions) water.push_back({1, 20 - p[2], 0, 0});
  Look look = from_the_west();
  look.grain = 5;
  look.relief.water_deep = 30;
  renderer().show(box, look, water);
  Camera camera;
  camera.from = Vec3{-300, 0, 20};
  camera.at = Vec3{0, 0, 20};
  camera.field = 30;
  const Seen seen = seen_by(camera, 200, 200);
  EXPECT_GT(seen.at({-50, 0, 36}), 1.3 * seen.at({-50, 0, 6}));
}

// ---- exaggeration

// A roof of two gentle slopes, with normals of its own: five times as high, the one that turns away
// from the sun is darker beside the other, though nothing throws a shadow on it.
TEST(Appearance, WhatIsExaggeratedIsLitAsSteepAsItIsShown) {
  Mesh roof;
  const float up = 1 / std::sqrt(1.04f);
  for (const float side : {-1.0f, 1.0f}) {
    const auto first = static_cast<std::uint32_t>(roof.positions.size());
    for (const float y : {-100.0f, 100.0f})
      for (const float x : {0.0f, 100.0f}) {
        roof.positions.push_back({side * x, y, 0.2f * (100 - x)});
        roof.normals.push_back({side * 0.2f * up, 0, up});
      }
    roof.triangles.push_back({first, first + 1, first + 3});
    roof.triangles.push_back({first, first + 3, first + 2});
  }
  roof.colours.assign(roof.positions.size(), {150, 150, 150, 255});
  Look look = from_the_west();
  look.sun_altitude = 60;
  const auto shade = [&](double exaggeration) {
    look.exaggeration = exaggeration;
    renderer().show(roof, look);
    const Seen seen = seen_by(straight_down(500), 320, 320);
    return seen.at({50, 0, 10 * exaggeration}) / seen.at({-50, 0, 10 * exaggeration});
  };
  const double as_it_is = shade(1), steep = shade(5);
  EXPECT_LT(as_it_is, 1);
  EXPECT_LT(steep, 0.85 * as_it_is);
}

}  // namespace
}  // namespace scree::render
