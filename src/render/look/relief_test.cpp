#include "render/look/relief.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "render/ground/horizon.h"

namespace scree::render {
namespace {

constexpr float nodata = std::numeric_limits<float>::quiet_NaN();

struct Scene {
  int width;
  int height;
  std::vector<float> bed;
  std::vector<float> water{};
  double dx = 10;
  double dy = 10;

  ReliefInput input() const { return {width, height, dx, dy, bed, water, {}, {}, {}}; }
};

template <class F>
Scene make_scene(int width, int height, F&& f) {
  Scene s{width, height, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) s.bed.push_back(static_cast<float>(f(x, y)));
  return s;
}

std::size_t cell(int width, int x, int y) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
         static_cast<std::size_t>(x);
}

struct Pixel {
  int r;
  int g;
  int b;
  int sum() const { return r + g + b; }
  bool operator==(const Pixel&) const = default;
};

Pixel pixel(const std::vector<unsigned char>& rgb, int width, int x, int y) {
  const unsigned char* p = &rgb[3 * cell(width, x, y)];
  return {p[0], p[1], p[2]};
}

TEST(Relief, FlatGroundIsUniformAndNeitherBlackNorWhite) {
  const Scene s = make_scene(40, 30, [](int, int) { return 250; });
  const auto rgb = shaded_relief(s.input());
  ASSERT_EQ(rgb.size(), 40u * 30 * 3);
  const Pixel first = pixel(rgb, 40, 0, 0);
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x) ASSERT_EQ(pixel(rgb, 40, x, y), first);
  EXPECT_GT(first.sum(), 300);
  EXPECT_LT(first.sum(), 720);
}

TEST(Relief, SlopeFacingTheLightIsBrighter) {
  // A ridge from south-west to north-east: its north-west side faces the default light.
  const Scene s = make_scene(64, 64, [](int x, int y) { return 300 - 6.0 * std::abs(x + y - 63); });
  ReliefOptions options;
  options.tint_high = 1e6;
  for (const double azimuth : {315.0, 135.0}) {
    options.sun_azimuth = azimuth;
    const auto rgb = shaded_relief(s.input(), options);
    const int north_west = pixel(rgb, 64, 20, 20).sum(), south_east = pixel(rgb, 64, 43, 43).sum();
    if (azimuth == 315) {
      EXPECT_GT(north_west, south_east + 80);
    } else {
      EXPECT_GT(south_east, north_west + 80);
    }
  }
}

TEST(Relief, WaterIsBlueWhereItIsDeepAndUnseenWhereItIsAFilm) {
  Scene s = make_scene(60, 20, [](int x, int) { return 100 + x; });
  const auto dry = shaded_relief(s.input());
  s.water.assign(s.bed.size(), 0.004f);
  const auto film = shaded_relief(s.input());
  for (std::size_t i = 0; i < dry.size(); ++i) ASSERT_EQ(dry[i], film[i]) << "byte " << i;
  for (int y = 0; y < 20; ++y)
    for (int x = 5; x < 15; ++x) s.water[cell(60, x, y)] = 20;
  const auto lake = shaded_relief(s.input());
  const Pixel wet = pixel(lake, 60, 10, 10), land = pixel(lake, 60, 40, 10);
  EXPECT_GT(wet.b, wet.r + 40);
  EXPECT_GT(wet.b, wet.g);
  EXPECT_LE(land.b, land.r);
  ReliefOptions hidden;
  hidden.show_water = false;
  EXPECT_EQ(shaded_relief(s.input(), hidden), dry);
}

TEST(Relief, PuddlesOfAFewCellsStayUnseen) {
  Scene s = make_scene(40, 40, [](int x, int) { return 0.1 * x; });
  s.water.assign(s.bed.size(), 0.0f);
  const auto dry = shaded_relief(s.input());
  s.water[cell(40, 20, 20)] = 0.3f;
  EXPECT_EQ(shaded_relief(s.input()), dry);
  for (int y = 0; y < 40; ++y) s.water[cell(40, 20, y)] = 0.3f;
  EXPECT_NE(shaded_relief(s.input()), dry) << "a brook of the same depth";
}

TEST(Relief, DeeperWaterIsDarker) {
  Scene s = make_scene(60, 9, [](int x, int) { return -x; });
  s.water.resize(s.bed.size());
  for (std::size_t i = 0; i < s.bed.size(); ++i) s.water[i] = 2 - s.bed[i];
  const auto rgb = shaded_relief(s.input());
  EXPECT_GT(pixel(rgb, 60, 3, 4).sum(), pixel(rgb, 60, 25, 4).sum() + 15);
  EXPECT_GT(pixel(rgb, 60, 25, 4).sum(), pixel(rgb, 60, 56, 4).sum());
}

TEST(Relief, NodataHasItsToneAndHarmsNobody) {
  Scene s = make_scene(30, 30, [](int x, int y) { return 3.0 * x + y; });
  for (int i = 0; i < 30; ++i) s.bed[cell(30, i, i)] = nodata;
  s.water.assign(s.bed.size(), nodata);
  const auto rgb = shaded_relief(s.input());
  for (int i = 0; i < 30; ++i) EXPECT_EQ(pixel(rgb, 30, i, i), (Pixel{0xe4, 0xe2, 0xdd}));
  EXPECT_GT(pixel(rgb, 30, 3, 20).sum(), 60);
  std::fill(s.bed.begin(), s.bed.end(), nodata);
  EXPECT_EQ(pixel(shaded_relief(s.input()), 30, 3, 20), (Pixel{0xe4, 0xe2, 0xdd}));
}

TEST(Relief, AnySizeAndAnyThreadCount) {
  for (const auto& [width, height] : {std::pair{0, 0}, {1, 1}, {1, 7}, {7, 1}, {33, 70}}) {
    Scene s = make_scene(width, height, [](int x, int y) { return 20 * std::sin(x + 0.3 * y); });
    s.water.assign(s.bed.size(), 0.5f);
    ReliefOptions one, four;
    one.contour_interval = 5;
    four.contour_interval = 5;
    one.threads = 1;
    four.threads = 4;
    const auto rgb = shaded_relief(s.input(), one);
    EXPECT_EQ(rgb.size(), s.bed.size() * 3);
    EXPECT_EQ(rgb, shaded_relief(s.input(), four));
  }
}

TEST(Relief, WrongSizesAreRefused) {
  Scene s = make_scene(4, 4, [](int, int) { return 0; });
  s.water.resize(5);
  EXPECT_THROW(shaded_relief(s.input()), Error);
  s.water.clear();
  s.dx = 0;
  EXPECT_THROW(shaded_relief(s.input()), Error);
  EXPECT_THROW(field_picture(s.bed, 3, 4), Error);
}

TEST(Relief, ContoursDarkenTheirLine) {
  const Scene s = make_scene(101, 5, [](int x, int) { return x; });
  ReliefOptions options;
  options.palette = Palette::plain;
  options.contour_interval = 20;
  const auto rgb = shaded_relief(s.input(), options);
  for (const int line : {20, 40, 60, 80})
    EXPECT_LT(pixel(rgb, 101, line, 2).sum() + 30, pixel(rgb, 101, line + 10, 2).sum());
  EXPECT_DOUBLE_EQ(nice_contour_interval(900), 50);
  EXPECT_DOUBLE_EQ(nice_contour_interval(2000), 100);
  EXPECT_DOUBLE_EQ(nice_contour_interval(0), 0);
}

TEST(Relief, DepositTintsTheLand) {
  const Scene s = make_scene(32, 32, [](int, int) { return 5; });
  std::vector<float> deposit(s.bed.size(), 0.0f);
  std::fill(deposit.begin(), deposit.begin() + 200, 2.0f);
  ReliefInput input = s.input();
  input.deposit = deposit;
  const auto rgb = shaded_relief(input);
  EXPECT_NE(pixel(rgb, 32, 3, 3), pixel(rgb, 32, 3, 20));
}

// Both sides of a ridge are alike where no light falls, and level ground has the palette's colour.
TEST(LandColours, AreTheReliefsWithoutItsLight) {
  const Scene ridge = make_scene(65, 65, [](int x, int) { return 300 - 4.0 * std::abs(x - 32); });
  const LandColours colours = land_colours(ridge.input());
  ASSERT_EQ(colours.rgb.size(), ridge.bed.size() * 3);
  EXPECT_EQ(colours.surface, ridge.bed);
  for (int x = 0; x < 32; ++x)
    ASSERT_EQ(pixel(colours.rgb, 65, x, 30), pixel(colours.rgb, 65, 64 - x, 30)) << x;
  const Scene plain = make_scene(9, 9, [](int, int) { return 40; });
  for (const auto& [name, palette] : palettes()) {
    ReliefOptions options;
    options.palette = palette;
    options.tint_high = 80;
    unsigned char expected[3];
    store_srgb(land_ramp(palette).at(0.5f), expected);
    const LandColours level = land_colours(plain.input(), options);
    EXPECT_EQ(pixel(level.rgb, 9, 4, 4), (Pixel{expected[0], expected[1], expected[2]})) << name;
  }
}

TEST(LandColours, WaterIsBlueAndLevel) {
  Scene s = make_scene(40, 40, [](int x, int) { return 0.5 * x; });
  s.water.assign(s.bed.size(), 0.0f);
  for (std::size_t i = 0; i < s.bed.size(); ++i) s.water[i] = std::max(0.0f, 8 - s.bed[i]);
  const LandColours colours = land_colours(s.input());
  const Pixel lake = pixel(colours.rgb, 40, 3, 20), shore = pixel(colours.rgb, 40, 22, 20);
  EXPECT_GT(lake.b, lake.r + 40);
  EXPECT_GT(shore.r, shore.b);
  for (int x = 0; x < 12; ++x) EXPECT_FLOAT_EQ(colours.surface[cell(40, x, 20)], 8) << x;
  EXPECT_EQ(colours.surface[cell(40, 22, 20)], s.bed[cell(40, 22, 20)]);
  s.water.pop_back();
  EXPECT_THROW(land_colours(s.input()), Error);
}

TEST(LandColours, TheSeaIsDeepWhereItIs) {
  const std::vector<float> sink{0, 1, nodata, 1};
  EXPECT_EQ(with_sea({0.5f, 0, 2, 0}, sink), (std::vector<float>{0.5f, 30, 2, 30}));
  EXPECT_EQ(with_sea({}, sink), (std::vector<float>{0, 30, 0, 30})) << "without any water";
  EXPECT_EQ(with_sea({1, 2}, {}), (std::vector<float>{1, 2}));
}

// A wall hides the sky to the height of its top, and the sun on the side away from it.
TEST(Horizon, WallHidesSkyAndSun) {
  const Scene s = make_scene(80, 81, [](int x, int) { return x == 40 ? 100 : 0; });
  Sun west;
  west.azimuth = 270;
  const SkyLight light = look_at_sky(s.bed, 80, 81, 10, 10, west, 1);
  const auto at = [](int x) { return cell(80, x, 40); };
  EXPECT_NEAR(light.sky[at(40)], 1, 1e-5);
  EXPECT_LT(light.sky[at(42)], 0.75f);
  EXPECT_GT(light.sky[at(60)], light.sky[at(42)] + 0.1f);
  EXPECT_LT(light.sun[at(45)], 0.05f) << "behind the wall";
  EXPECT_GT(light.sun[at(35)], 0.95f) << "before it";
  EXPECT_GT(light.sun[at(70)], 0.95f) << "beyond its shadow: 100 m / tan 40 degrees = 119 m";
  const SkyLight threaded = look_at_sky(s.bed, 80, 81, 10, 10, west, 3);
  EXPECT_EQ(threaded.sky, light.sky);
}

// An even slope sees the same sky everywhere, whatever lines the horizons run along: no hatching.
TEST(Horizon, AnEvenSlopeHasNoTexture) {
  for (const auto& slope : {std::pair{8.0, 0.0}, {0.0, 8.0}, {6.0, 3.0}, {-5.0, 7.0}}) {
    const Scene s =
        make_scene(61, 61, [&](int x, int y) { return slope.first * x + slope.second * y; });
    const SkyLight light = look_at_sky(s.bed, 61, 61, 10, 10, {}, 2);
    for (int y = 2; y < 59; ++y)
      for (int x = 2; x < 59; ++x) {
        ASSERT_NEAR(light.sky[cell(61, x, y)], light.sky[cell(61, 30, 30)], 1e-3f) << x << ' ' << y;
        ASSERT_NEAR(light.sun[cell(61, x, y)], light.sun[cell(61, 30, 30)], 1e-3f) << x << ' ' << y;
      }
  }
}

TEST(FieldPicture, EndsOfTheMap) {
  const std::vector<float> values{0, 1, 2, 3, nodata, 100};
  FieldOptions options;
  options.high = 3;
  const auto rgb = field_picture(values, 6, 1, options);
  EXPECT_EQ(pixel(rgb, 6, 0, 0), (Pixel{0x44, 0x01, 0x54}));
  EXPECT_EQ(pixel(rgb, 6, 3, 0), (Pixel{0xfd, 0xe7, 0x25}));
  EXPECT_EQ(pixel(rgb, 6, 4, 0), (Pixel{0xe4, 0xe2, 0xdd}));
  EXPECT_EQ(pixel(rgb, 6, 5, 0), pixel(rgb, 6, 3, 0));
  EXPECT_LT(pixel(rgb, 6, 1, 0).g, pixel(rgb, 6, 2, 0).g);
  EXPECT_EQ(field_range(values, options).high, 3);
  EXPECT_EQ(field_range(values).high, 100);
  EXPECT_EQ(field_range(values).low, 0);
}

TEST(FieldPicture, DivergingIsWhiteAtNothing) {
  const std::vector<float> values{-1, 0, 3};
  FieldOptions options;
  options.map = ColourMap::diverging;
  const auto rgb = field_picture(values, 3, 1, options);
  EXPECT_EQ(pixel(rgb, 3, 1, 0), (Pixel{0xf7, 0xf7, 0xf7}));
  EXPECT_GT(pixel(rgb, 3, 0, 0).b, pixel(rgb, 3, 0, 0).r);
  EXPECT_GT(pixel(rgb, 3, 2, 0).r, pixel(rgb, 3, 2, 0).b);
  EXPECT_EQ(field_picture(std::vector<float>(3, 0.0f), 3, 1, options)[0], 0xf7);
}

TEST(FieldPicture, LogarithmicSpreadsDecades) {
  const std::vector<float> values{1, 10, 100, 0};
  FieldOptions options;
  options.map = ColourMap::grey;
  options.logarithmic = true;
  options.low = 1;
  options.high = 100;
  const auto rgb = field_picture(values, 4, 1, options);
  EXPECT_EQ(pixel(rgb, 4, 0, 0).r, 0);
  EXPECT_NEAR(pixel(rgb, 4, 1, 0).r, 128, 2);
  EXPECT_EQ(pixel(rgb, 4, 2, 0).r, 255);
  EXPECT_EQ(pixel(rgb, 4, 3, 0).r, 0);
}

}  // namespace
}  // namespace scree::render
