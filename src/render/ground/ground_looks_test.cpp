// What a ground is seen to be made of: beds on its cliffs, what was laid down on it, and rock that
// was laid bare.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numbers>

#include "base/error.h"
#include "render/gl/renderer_test.h"
#include "render/look/materials.h"

namespace scree::render {
namespace {

constexpr int side = 121;
constexpr float cell = 10;
constexpr double middle = 0.5 * (side - 1);

// Height of each column and row.
Ground ground_of(const std::function<double(int, int)>& height) {
  Ground ground{side, side, static_cast<double>(cell), static_cast<double>(cell)};
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) ground.bed.push_back(static_cast<float>(height(x, y)));
  return ground;
}

// The sun is in the south, where the camera is; tints do not depend on the form.
Look look_of(Palette palette) {
  Look look;
  look.relief.palette = palette;
  look.relief.tint_low = 0;
  look.relief.tint_high = 400;
  look.haze = 0;
  look.sun_azimuth = 180;
  look.sun_altitude = 40;
  return look;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

double spread(const std::vector<double>& values) {
  const double middle_value = mean(values);
  double sum = 0;
  for (const double v : values) sum += (v - middle_value) * (v - middle_value);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean_a = mean(a), mean_b = mean(b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
  return sum / static_cast<double>(a.size()) / (spread(a) * spread(b));
}

// ---- beds

// Without the arch over all of them that light alone makes: more of the sky is seen from the rim.
std::vector<double> without_arch(std::vector<double> levels) {
  const double centre = 0.5 * static_cast<double>(levels.size() - 1);
  std::vector<double> line, arch;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double t = (static_cast<double>(i) - centre) / centre;
    line.push_back(t);
    arch.push_back(1.5 * t * t - 0.5);
  }
  for (const std::vector<double>& shape : {line, arch}) {
    const double share = correlation(levels, shape) * spread(levels) / spread(shape),
                 off = mean(shape);
    for (std::size_t i = 0; i < levels.size(); ++i) levels[i] -= share * (shape[i] - off);
  }
  return levels;
}

// Two cliffs that face south, 300 m high, one in the west and one 400 m before it in the east;
// level ground elsewhere.
constexpr double cliff_high = 300, cliff_steepness = 5;
double foot_of(int x) { return x < side / 2 ? 200 : -200; }  // metres north of the middle

Ground two_cliffs() {
  return ground_of([](int x, int y) {
    const double north = (middle - y) * static_cast<double>(cell);
    return std::clamp(cliff_steepness * (north - foot_of(x)), 0.0, cliff_high);
  });
}

// Brightness of a face at so many places along each of so many levels. From far away, so that all
// of it is seen alike.
struct Face {
  std::vector<double> levels;  // means along each
  double along = 0;            // how much the places of a level differ, in the mean
  double up() const { return spread(without_arch(levels)); }
};

Face face_of(const std::function<Vec3(int, int)>& place, int levels, int places) {
  Camera camera;
  camera.from = Vec3{0, -9000, 2600};
  camera.at = Vec3{0, 0, 150};
  camera.field = 8;
  const Seen seen = seen_by(camera, 600, 300);
  Face face;
  for (int i = 0; i < levels; ++i) {
    std::vector<double> row;
    // Means of a stretch each: stones are none of our business here.
    for (int j = 0; j < places; ++j) {
      double sum = 0;
      for (int n = 0; n < 5; ++n) sum += seen.at(place(i, 5 * j + n)) / 5;
      row.push_back(sum);
    }
    face.levels.push_back(mean(row));
    face.along += spread(row) / levels;
  }
  return face;
}

// From 60 to 240 m: neither foot nor rim.
constexpr int cliff_levels = 37;
Face cliff(bool west) {
  return face_of(
      [&](int i, int j) {
        const double z = 60 + 5 * i, x = (west ? -450 : 100) + 10 * j;
        return Vec3{x, foot_of(west ? 0 : side - 1) + z / cliff_steepness, z};
      },
      cliff_levels, 7);
}

TEST(GroundLooks, BedsAreLevelOnACliff) {
  for (const Palette palette : {Palette::desert, Palette::volcanic}) {
    renderer().show(two_cliffs(), look_of(palette));
    for (const bool west : {true, false}) {
      SCOPED_TRACE(text("palette ", static_cast<int>(palette), west ? ", west" : ", east"));
      const Face face = cliff(west);
      EXPECT_GT(face.up(), 0.07 * mean(face.levels));
      EXPECT_GT(face.up(), 1.5 * face.along);
    }
  }
}

TEST(GroundLooks, TwoCliffsShowTheSameBedsAtTheSameHeight) {
  renderer().show(two_cliffs(), look_of(Palette::desert));
  const Face west = cliff(true), east = cliff(false);
  EXPECT_GT(correlation(without_arch(west.levels), without_arch(east.levels)), 0.6);
  // Turned over they would be others.
  const std::vector<double> turned(east.levels.rbegin(), east.levels.rend());
  EXPECT_LT(correlation(without_arch(west.levels), without_arch(turned)), 0.4);
}

// The largest difference between levels that lie 10 m apart: of a cliff, that at the border of a
// bed.
double largest_step(const Face& face) {
  double step = 0;
  for (std::size_t i = 2; i < face.levels.size(); ++i)
    step = std::max(step, std::abs(face.levels[i] - face.levels[i - 2]));
  return step;
}

double slope_height(double rise, int y) {
  return rise * static_cast<double>(cell) * (side - 1 - y);
}
Ground slope_of(double rise) {
  return ground_of([rise](int, int y) { return slope_height(rise, y); });
}

// Ground that rises to the north passes as many beds, of the same rock.
Face face_of_slope(double rise) {
  renderer().show(slope_of(rise), look_of(Palette::desert));
  return face_of(
      [rise](int i, int j) {
        const double z = 60 + 5 * i;
        return Vec3{-500.0 + 10 * j, z / rise - 600, z};
      },
      cliff_levels, 20);
}

// Debris stands as steep as the second.
TEST(GroundLooks, OnlyWallsShowBeds) {
  const double gentle = largest_step(face_of_slope(0.28)),
               steep = largest_step(face_of_slope(0.65));
  renderer().show(two_cliffs(), look_of(Palette::desert));
  const double wall = largest_step(cliff(true));
  EXPECT_LT(gentle, 0.15 * wall);
  EXPECT_LT(steep, 0.25 * wall);
}

TEST(GroundLooks, APaletteWithoutBedsShowsNone) {
  ASSERT_EQ(material_style(Palette::plain).strata, 0);
  const auto contrast = [](Palette palette) {
    renderer().show(two_cliffs(), look_of(palette));
    const Face face = cliff(true);
    return face.up() / mean(face.levels);
  };
  const double plain = contrast(Palette::plain);
  EXPECT_LT(plain, 0.03);
  EXPECT_LT(plain, 0.25 * contrast(Palette::desert));
}

// ---- what was laid down, and what was laid bare

// Within a circle in the west there is much of a field, elsewhere none.
constexpr double patch_x = -250, patch_wide = 180;
std::vector<float> patch() {
  std::vector<float> field;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const double east = static_cast<double>(cell) * (x - middle),
                   north = static_cast<double>(cell) * (middle - y);
      field.push_back(std::hypot(east - patch_x, north) < patch_wide ? 2.0f : 0.0f);
    }
  return field;
}

// A slope from above, with and without what `set` gives it.
struct Compared {
  Colour here, here_without;  // within the patch
  Colour beside;              // and as far on the other side
  int changed_elsewhere = 0;  // of the places beyond the patch
};

Compared compare(double rise, Palette palette, const std::function<void(Ground&)>& set) {
  Ground ground = slope_of(rise);
  const auto seen = [&] {
    renderer().show(ground, look_of(palette));
    Camera camera = straight_down(6000 + 600 * rise);
    camera.at = Vec3{0, 0, 600 * rise};
    camera.field = 14;
    return seen_by(camera, 300, 300);
  };
  const Seen without = seen();
  set(ground);
  const Seen with = seen();
  const auto mean_of = [&](const Seen& picture, double x) {
    Colour sum;
    for (int j = -6; j <= 6; ++j)
      for (int i = -6; i <= 6; ++i) {
        const double north = 16 * j;
        const Colour c = picture.colour({x + 16 * i, north, rise * (600 + north)});
        sum.r += c.r / 169;
        sum.g += c.g / 169;
        sum.b += c.b / 169;
      }
    return sum;
  };
  Compared result{mean_of(with, patch_x), mean_of(without, patch_x), mean_of(with, -patch_x)};
  for (double north = -500; north <= 500; north += 20)
    for (double east = -500; east <= 500; east += 20) {
      if (std::hypot(east - patch_x, north) < patch_wide + 60) continue;
      const Vec3 place{east, north, rise * (600 + north)};
      if (std::abs(with.at(place) - without.at(place)) > 1) ++result.changed_elsewhere;
    }
  return result;
}

// How far toward another colour a colour has gone: 0 not at all, 1 there, by what blue and green
// are beside red. What light makes of both is the same.
struct Hue {
  explicit Hue(const Colour& c) : green(std::log(c.g / c.r)), blue(std::log(c.b / c.r)) {}
  double green, blue;
};
Colour painted(unsigned srgb) {
  return {static_cast<double>(srgb >> 16 & 0xffu), static_cast<double>(srgb >> 8 & 0xffu),
          static_cast<double>(srgb & 0xffu)};
}
double gone_toward(unsigned from, unsigned to, const Colour& without, const Colour& with) {
  const Hue a(painted(from)), b(painted(to)), was(without), is(with);
  const double dg = b.green - a.green, db = b.blue - a.blue;
  return ((is.green - was.green) * dg + (is.blue - was.blue) * db) / (dg * dg + db * db);
}

TEST(GroundLooks, SedimentLiesWhereItWasLaidDown) {
  for (const Palette palette : {Palette::alpine, Palette::volcanic, Palette::meadow}) {
    SCOPED_TRACE(static_cast<int>(palette));
    const MaterialStyle& style = material_style(palette);
    const Compared seen = compare(0.05, palette, [](Ground& ground) { ground.deposit = patch(); });
    EXPECT_GT(gone_toward(style.soil, style.sand, seen.here_without, seen.here), 0.5);
    EXPECT_GT(gone_toward(style.soil, style.sand, seen.beside, seen.here), 0.4);
    EXPECT_GT(seen.here.sum(), 1.1 * seen.here_without.sum()) << "it is paler than soil";
    EXPECT_EQ(seen.changed_elsewhere, 0);
  }
}

// The shader of a ground without water has none of it: elsewhere they agree.
TEST(GroundLooks, WaterChangesNothingElsewhere) {
  const Compared seen =
      compare(0.05, Palette::alpine, [](Ground& ground) { ground.water = patch(); });
  EXPECT_GT(seen.here.b / seen.here.r, 1.2 * seen.here_without.b / seen.here_without.r);
  EXPECT_LT(seen.changed_elsewhere, 25) << "of some 2100: it takes a little of the sky away";
}

// A slope on which there is rock is scree where debris came to rest. Where more was worn than laid
// down it stays rock, and nothing rests on a wall.
TEST(GroundLooks, DebrisIsScree) {
  const MaterialStyle& style = material_style(Palette::desert);
  const auto gone = [&](const Compared& seen) {
    return gone_toward(style.rock, style.scree, seen.here_without, seen.here);
  };
  const auto rests = [](Ground& ground) { ground.deposit = patch(); };
  const Compared debris = compare(0.7, Palette::desert, rests),
                 wall = compare(2.5, Palette::desert, rests),
                 worn = compare(0.7, Palette::desert, [](Ground&ground) {
                   ground.wear = ground.deposit = patch();
                   for (float& metres : ground.deposit) metres *= 0.1f;
                   // There is much of it elsewhere.
                   std::fill_n(ground.deposit.end() - 10 * side, 10 * side, 2.0f);
                 });
  // However little there is of it elsewhere, a millimetre is no debris.
  const Compared film = compare(0.7, Palette::desert, [](Ground& ground) {
    ground.deposit = patch();
    for (float& metres : ground.deposit) metres *= 0.0005f;
  });
  EXPECT_GT(gone(debris), 0.5);
  EXPECT_EQ(debris.changed_elsewhere, 0);
  EXPECT_LT(gone(film), 0.1);
  EXPECT_LT(gone(worn), 0.2);
  EXPECT_NEAR(gone(wall), 0, 0.05);
}

// Slopes are those of cells, which lean over the level ground beside a wall; it is no wall.
TEST(GroundLooks, TheGroundBesideAWallIsLevel) {
  Look look = look_of(Palette::desert);
  look.sun_azimuth = 270;  // along the wall
  look.sun_altitude = 60;
  renderer().show(ground_of([](int, int y) { return y < side / 2 ? 400 : 0; }), look);
  Camera camera = straight_down(2500);
  camera.field = 6;
  const Seen seen = seen_by(camera, 400, 400);
  // The wall rises between the middle and 10 m north of it.
  const auto row = [&](double north) {
    Colour sum;
    for (double x = -90; x <= 90; x += 6) {
      const Colour c = seen.colour({x, north, 0});
      sum = {sum.r + c.r, sum.g + c.g, sum.b + c.b};
    }
    return sum;
  };
  const Colour far = row(-100);
  for (const double north : {-25.0, -15.0, -5.0}) {
    const Colour near = row(north);
    EXPECT_NEAR(near.b / near.r, far.b / far.r, 0.06) << north;
    EXPECT_NEAR(near.g / near.r, far.g / far.r, 0.04) << north;
  }
}

TEST(GroundLooks, RockIsBareWhereItWasWorn) {
  for (const Palette palette : {Palette::desert, Palette::meadow}) {
    SCOPED_TRACE(static_cast<int>(palette));
    const MaterialStyle& style = material_style(palette);
    const Compared seen = compare(0.5, palette, [](Ground& ground) { ground.wear = patch(); });
    EXPECT_GT(gone_toward(style.scree, style.rock, seen.here_without, seen.here), 0.25);
    EXPECT_EQ(seen.changed_elsewhere, 0);
  }
}

// On a slope as steep as debris lies, ribs stand out of it bare, and gullies are full of it.
TEST(GroundLooks, RibsAreBareAndGulliesHoldScree) {
  constexpr double rise = 0.55, apart = 200, high = 14;
  const auto height = [](double east, double north) {
    return rise * (600 + north) + high * std::cos(2 * std::numbers::pi * east / apart);
  };
  renderer().show(ground_of([&](int x, int y) {
                    return height(static_cast<double>(cell) * (x - middle),
                                  static_cast<double>(cell) * (middle - y));
                  }),
                  look_of(Palette::desert));
  Camera camera = straight_down(6000);
  camera.at = Vec3{0, 0, 330};
  camera.field = 14;
  const Seen seen = seen_by(camera, 400, 400);
  const auto mean_along = [&](double first) {
    Colour sum;
    for (double east = first; east < 400; east += apart)
      for (double north = -450; north <= 450; north += 15) {
        const Colour c = seen.colour({east, north, height(east, north)});
        sum = {sum.r + c.r, sum.g + c.g, sum.b + c.b};
      }
    return sum;
  };
  const MaterialStyle& style = material_style(Palette::desert);
  EXPECT_GT(gone_toward(style.scree, style.rock, mean_along(-300), mean_along(-400)), 0.3);
}

// A tower three cells wide behind a lake: what is seen of it in the water is one tower, and not a
// piece of it wherever a look along a ray happened to meet it.
TEST(GroundLooks, ALakeMirrorsATowerWhole) {
  Ground ground = ground_of([](int x, int y) {
    return std::abs(x - side / 2) <= 1 && std::abs(y - 12) <= 1 ? 300 : y > 16 ? -20 : 0;
  });
  for (const float z : ground.bed) ground.water.push_back(z < 0 ? 20.0f : 0.0f);
  renderer().show(ground, look_of(Palette::desert));
  Camera camera;
  camera.from = Vec3{0, -1500, 220};
  camera.at = Vec3{0, 0, 60};
  camera.field = 32;
  const Seen seen = seen_by(camera, 320, 400);
  // Down the middle of its image, to a quarter of its height from the top: how much redder than
  // what is mirrored beside it.
  std::vector<double> tower, steps;
  const double shore = static_cast<double>(cell) * (middle - 17), top = 500;
  for (double share = 0.15; share < 0.75; share += 0.01) {
    // A ray from the eye to the image of the tower, 300 m below the lake, meets the lake there.
    const double z = 20 - 300 * share, far = (220.0 - 20) / (220.0 - z);
    const double north = std::min(-1500 + far * (top + 1500), shore);
    const Colour on = seen.colour({0, north, 20}), beside = seen.colour({60, north, 20});
    tower.push_back(on.r / on.b - beside.r / beside.b);
  }
  for (std::size_t i = 1; i < tower.size(); ++i) steps.push_back(tower[i] - tower[i - 1]);
  EXPECT_GT(mean(tower), 0.08);
  EXPECT_LT(spread(steps), 0.25 * mean(tower));
}

// A hillside of ledges behind a lake, light and dark by turns: what neighbouring pixels of the
// water see of it lies side by side, and not as far apart as looks along their rays.
TEST(GroundLooks, NeighboursInALakeSeeTheSameLedge) {
  Ground ground = ground_of([](int, int y) {
    const double behind = static_cast<double>(cell) * (40 - y);
    return y > 40 ? -20 : 0.5 * behind + 12 * std::sin(2 * std::numbers::pi * behind / 60);
  });
  for (const float z : ground.bed) ground.water.push_back(z < -19 ? 20.0f : 0.0f);
  renderer().show(ground, look_of(Palette::desert));
  Camera camera;
  camera.from = Vec3{0, -1500, 260};
  camera.at = Vec3{0, 0, 0};
  camera.field = 24;
  const Seen seen = seen_by(camera, 300, 300);
  const auto red = [&](int x, int y) {
    return static_cast<double>(seen.picture.rgb.at(3 * static_cast<std::size_t>(300 * y + x)));
  };
  const auto row_of = [&](double north) {
    return static_cast<int>(300 * seen.view.project({0, north, 0}).y);
  };
  std::vector<double> beside, all;
  for (int y = row_of(150); y < row_of(-250); ++y)
    for (int x = 60; x < 240; ++x) {
      beside.push_back(std::abs(red(x + 1, y) - red(x, y)));
      all.push_back(red(x, y));
    }
  EXPECT_GT(spread(all), 3) << "ledges should be seen";
  EXPECT_LT(mean(beside), 0.2 * spread(all)) << mean(beside);
}

// A ridge behind a lake, its near side in the sun and its far side in the dark: up to its crest,
// what is seen of it in the water is the near side.
TEST(GroundLooks, ALakeMirrorsTheSideThatFacesIt) {
  Ground ground =
      ground_of([](int, int y) { return y > 40 ? -20.0 : 60.0 - 3.0 * std::abs(y - 20); });
  for (const float z : ground.bed) ground.water.push_back(z < -19 ? 20.0f : 0.0f);
  Look look = look_of(Palette::desert);
  look.sun_altitude = 10;
  renderer().show(ground, look);
  Camera camera;
  camera.from = Vec3{0, -1500, 245};
  camera.at = Vec3{0, 100, 20};
  camera.field = 14;
  const Seen seen = seen_by(camera, 300, 300);
  // Where in the lake, which is 20 m above its bed, a stretch of the ridge is seen.
  const auto red_of = [&](double south, double north) {
    std::vector<double> red;
    for (double y = south; y <= north; y += 5)
      for (double x = -100; x <= 100; x += 10) red.push_back(seen.colour({x, y, 20}).r);
    return mean(red);
  };
  const double crest = red_of(-80, -20), below = red_of(0, 40);
  EXPECT_GT(crest, 0.8 * below) << crest << " and " << below;
}

}  // namespace
}  // namespace scree::render
