// Views that are read: that what they show is there, where they show it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/error.h"
#include "base/log.h"
#include "render/look/view_choice.h"
#include "render/map/plane.h"
#include "render/sheet/quantity_text.h"

namespace scree::render {
namespace {

struct Pixel {
  int r = 0, g = 0, b = 0;
  bool operator==(const Pixel&) const = default;
};

Pixel pixel(const Picture& picture, double x, double y) {
  const std::size_t i = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                             static_cast<std::size_t>(x));
  return {picture.rgb.at(i), picture.rgb.at(i + 1), picture.rgb.at(i + 2)};
}

Pixel of_colour(unsigned srgb) {
  return {static_cast<int>(srgb >> 16), static_cast<int>(srgb >> 8 & 255),
          static_cast<int>(srgb & 255)};
}

int dark_pixels(const Picture& picture, int left, int top, int right, int bottom) {
  int count = 0;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) count += pixel(picture, x, y).g < 128 ? 1 : 0;
  return count;
}

// ---- letters and lines

TEST(Lettering, WordsAreAsWideAsTheirLetters) {
  EXPECT_EQ(letter("").width, 0);
  EXPECT_DOUBLE_EQ(letter("Hm").width, letter("H").width + letter("m").width);
  EXPECT_EQ(letter("m\u00b3/s").strokes.size(),
            letter("m").strokes.size() + letter("\u00b3").strokes.size() +
                letter("/").strokes.size() + letter("s").strokes.size());
  for (char c = '!'; c <= '~'; ++c)
    for (const Stroke& stroke : letter(std::string(1, c)).strokes)
      for (const Point2& p : stroke) {
        EXPECT_GE(p.x, -1) << c;
        EXPECT_LE(p.x, letter(std::string(1, c)).width + 1) << c;
        EXPECT_GE(p.y, -5) << c;
        EXPECT_LE(p.y, 17) << c;
      }
  // What is unknown is a box, and bytes that are no UTF-8 are no reason to stop.
  EXPECT_EQ(letter("\u6c34").strokes.size(), 1u);
  EXPECT_GT(letter("\xff\xc3").width, 0);
}

TEST(Sheet, LettersStandWhereTheyAreWritten) {
  Sheet sheet(200, 60, 0xffffff);
  sheet.write("HHH", {20, 40}, {.size = 20, .colour = 0x000000});
  const double width = Sheet::width_of("HHH", 20);
  const Picture picture = sheet.take();
  const int right = 20 + static_cast<int>(width) + 2;
  EXPECT_GT(dark_pixels(picture, 20, 19, right, 42), 100);
  EXPECT_EQ(dark_pixels(picture, 0, 0, 20, 60), 0);
  EXPECT_EQ(dark_pixels(picture, right, 0, 200, 60), 0);
  EXPECT_EQ(dark_pixels(picture, 0, 0, 200, 18), 0);
  EXPECT_EQ(dark_pixels(picture, 0, 42, 200, 60), 0);
}

TEST(Sheet, LinesAndAreasCoverWhatTheyShould) {
  Sheet sheet(20, 20, 0xffffff);
  sheet.line({5, 0}, {5, 20}, 2, 0x000000);  // pixels 4 and 5 whole
  sheet.fill(10.5, 0, 12, 20, 0x000000);     // half of 10, all of 11
  sheet.area({{14, 4}, {18, 4}, {18, 8}, {14, 8}}, 0xff0000);
  sheet.lines({{{-50, -50}, {90, -40}}}, 3, 0x000000);  // beside the sheet
  const Picture picture = sheet.take();
  EXPECT_EQ(pixel(picture, 4, 9), of_colour(0x000000));
  EXPECT_EQ(pixel(picture, 5, 9), of_colour(0x000000));
  EXPECT_EQ(pixel(picture, 3, 9), of_colour(0xffffff));
  EXPECT_EQ(pixel(picture, 6, 9), of_colour(0xffffff));
  EXPECT_NEAR(pixel(picture, 10, 9).g, 128, 1);
  EXPECT_EQ(pixel(picture, 11, 9), of_colour(0x000000));
  EXPECT_EQ(pixel(picture, 12, 9), of_colour(0xffffff));
  EXPECT_EQ(pixel(picture, 14, 4), of_colour(0xff0000));
  EXPECT_EQ(pixel(picture, 17, 7), of_colour(0xff0000));
  EXPECT_EQ(pixel(picture, 18, 8), of_colour(0xffffff));
}

// ---- fields at the resolution of a picture

TEST(Plane, CoarserPixelsAreMeansAndFinerOnesGoThroughTheCells) {
  const std::vector<float> cells = {1, 3, 5, 7, 1, 3, 5, 7};
  const Plane coarse = resample(cells, 4, 2, 2, 1, true);
  EXPECT_EQ(coarse.values, (std::vector<float>{2, 6}));
  const Plane fine = resample(cells, 4, 2, 12, 6, true);
  for (int i = 0; i < 4; ++i)
    EXPECT_FLOAT_EQ(fine.at(3 * i + 1, 1), cells[static_cast<std::size_t>(i)]);
  const float none = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(
      std::isnan(resample(std::vector<float>{none, none, none, 1}, 2, 2, 1, 1, true).at(0, 0)));
  EXPECT_EQ(resample(std::vector<float>{none, 1, 1, 1}, 2, 2, 1, 1, true).at(0, 0), 1);
}

TEST(Plane, AContourOfAConeIsACircle) {
  Plane cone{81, 81, {}};
  for (int y = 0; y < 81; ++y)
    for (int x = 0; x < 81; ++x)
      cone.values.push_back(static_cast<float>(100 - std::hypot(x - 40, y - 40)));
  const std::vector<Stroke> lines = contour(cone, 80);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].front().x, lines[0].back().x);
  EXPECT_EQ(lines[0].front().y, lines[0].back().y);
  EXPECT_GT(lines[0].size(), 100u);
  for (const Point2& p : lines[0]) EXPECT_NEAR(std::hypot(p.x - 40.5, p.y - 40.5), 20, 0.05);
  EXPECT_TRUE(contour(cone, 101).empty());
  // Cut by the border it is four lines that end there.
  EXPECT_EQ(contour(cone, 52).size(), 4u);
}

TEST(Plane, StepsAreRound) {
  EXPECT_DOUBLE_EQ(nice_step(100, 10), 10);
  EXPECT_DOUBLE_EQ(nice_step(101, 10), 20);
  EXPECT_DOUBLE_EQ(nice_step(0.9, 4), 0.5);
  EXPECT_DOUBLE_EQ(nice_step(0, 4), 1);
  EXPECT_EQ(round_values(-0.1, 1, 2), (std::vector<double>{0, 1}));
  EXPECT_EQ(round_values(10, 20, 5), (std::vector<double>{10, 12, 14, 16, 18, 20}));
  EXPECT_LE(round_values(1e16, 1e16 + 2, 8).size(), 9u) << "where 1 more is the same number";
}

// ---- maps

Ground level_ground(int width, int height) {
  Ground ground{width, height, 10, 10};
  ground.bed.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 100.0f);
  return ground;
}

// The middle of a cell on the sheet.
Point2 cell_on(const MapPlace& place, const Ground& ground, int x, int y) {
  return {place.left + (x + 0.5) * place.width / ground.width,
          place.top + (y + 0.5) * place.height / ground.height};
}

TEST(MapView, AWaterPixelIsWhereTheWaterIs) {
  const Ground ground = level_ground(40, 30);
  MapView view{"pond", "m"};
  view.values.assign(ground.bed.size(), 0.0f);
  for (int y = 5; y < 12; ++y)
    for (int x = 22; x < 31; ++x) view.values[static_cast<std::size_t>(40 * y + x)] = 2;
  const Picture picture = draw_map(ground, {}, view, 500, 400);
  const MapPlace place = map_place(ground, view, 500, 400);
  const Pixel dry = pixel(picture, place.left + 2, place.top + 2);
  EXPECT_NEAR(dry.r, dry.b, 12) << "where there is none, the ground shows";
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x) {
      const Point2 at = cell_on(place, ground, x, y);
      const Pixel found = pixel(picture, at.x, at.y);
      const bool wet = y >= 5 && y < 12 && x >= 22 && x < 31;
      EXPECT_EQ(found.b > found.r + 20, wet) << x << " " << y;
    }
}

TEST(MapView, ColoursFollowTheValues) {
  const Ground ground = level_ground(64, 8);
  MapView view{"ramp", "1"};
  for (int i = 0; i < 64 * 8; ++i) view.values.push_back(static_cast<float>(i % 64));
  view.low = 0;
  view.high = 63;
  const FieldScale scale = scale_of(view);
  EXPECT_EQ(scale.map, ColourMap::viridis);
  EXPECT_DOUBLE_EQ(scale.share(31.5), 0.5);
  const Picture picture = draw_map(ground, {}, view, 640, 300);
  const MapPlace place = map_place(ground, view, 640, 300);
  int last = -1;
  for (int x = 0; x < 64; ++x) {
    const Point2 at = cell_on(place, ground, x, 4);
    const Pixel found = pixel(picture, at.x, at.y);
    const int light = 2 * found.r + 7 * found.g + found.b;
    EXPECT_GT(light, last) << x;
    last = light;
  }
}

TEST(MapView, ScalesSuitTheField) {
  MapView view;
  for (int i = -100; i <= 100; ++i) view.values.push_back(static_cast<float>(i));
  EXPECT_EQ(scale_of(view).map, ColourMap::diverging);
  EXPECT_DOUBLE_EQ(scale_of(view).low, -scale_of(view).high);
  EXPECT_DOUBLE_EQ(scale_of(view).share(0), 0.5);
  view.values.assign(1000, 0.0f);
  for (std::size_t i = 0; i < 50; ++i) view.values[i] = static_cast<float>(i + 1);
  EXPECT_EQ(scale_of(view).map, ColourMap::amount);
  EXPECT_TRUE(scale_of(view).empty_at_zero);
  view.logarithmic = true;
  const FieldScale scale = scale_of(view);
  EXPECT_GT(scale.low, 0);
  EXPECT_NEAR(scale.share(std::sqrt(scale.low * scale.high)), 0.5, 1e-9);
  EXPECT_EQ(unit_text("m3/s"), "m\u00b3/s");
  EXPECT_EQ(unit_text("deg"), "\u00b0");
  EXPECT_EQ(number_text(-2.5), "\u22122.5");
}

TEST(MapView, ContoursRunWhereTheHeightsAre) {
  Ground ground = level_ground(100, 100);
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 100; ++x)
      ground.bed[static_cast<std::size_t>(100 * y + x)] = static_cast<float>(10 * x);
  MapView view;
  view.contours = 100;  // at x = 10, 20, …; every fifth is stronger
  Look look;
  look.relief.palette = Palette::plain;
  const Picture picture = draw_map(ground, look, view, 120, 120);  // too small for letters
  const MapPlace place = map_place(ground, view, 120, 120);
  EXPECT_FALSE(place.furnished);
  for (const int column : {10, 30, 50, 70}) {
    const double x = place.left + (column + 0.5) * place.width / 100;
    EXPECT_LT(pixel(picture, x, 60).b + 12, pixel(picture, x + 5, 60).b) << column;
  }
}

// A hill on a plain that lies at a contour's height, but for what rounding left.
TEST(MapView, ContoursDoNotTraceTheNoiseOfAPlain) {
  Ground ground = level_ground(100, 100);
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 100; ++x)
      ground.bed[static_cast<std::size_t>(100 * y + x)] =
          static_cast<float>(std::max(0.0, 300 - 20 * std::hypot(x - 70, y - 70))) +
          ((x / 3 * 7 + y / 3 * 5) % 4 < 2 ? 1e-5F : -1e-5F);
  MapView view;
  view.contours = 50;
  Look look;
  look.relief.palette = Palette::plain;
  const Picture picture = draw_map(ground, look, view, 120, 120);
  const MapPlace place = map_place(ground, view, 120, 120);
  const auto at = [&](int column, int row) {
    return pixel(picture, place.left + (column + 0.5) * place.width / 100,
                 place.top + (row + 0.5) * place.height / 100);
  };
  for (int i = 5; i < 45; ++i) EXPECT_NEAR(at(i, 20).b, at(20, 40).b, 8) << i;
  int lines = 0;
  for (int i = 55; i < 85; ++i) lines += at(i, 70).b + 12 < at(20, 40).b ? 1 : 0;
  EXPECT_GT(lines, 4) << "the hill has its own";
}

TEST(MapView, ArrowsPointWhereTheWaterGoes) {
  const Ground ground = level_ground(20, 20);
  MapView still, east;
  still.arrow_x.assign(400, 0.0f);
  still.arrow_y = still.arrow_x;
  east = still;
  east.arrow_x.assign(400, 2.0f);
  const Picture without = draw_map(ground, {}, still, 300, 300),
                with = draw_map(ground, {}, east, 300, 300);
  EXPECT_NE(without.rgb, with.rgb);
  const MapPlace place = map_place(ground, east, 300, 300);
  // A shaft has more dark pixels along a row than down a column.
  int most_across = 0, most_down = 0;
  for (int i = 0; i < place.width; ++i) {
    const int x = static_cast<int>(place.left) + i, y = static_cast<int>(place.top) + i;
    most_across =
        std::max(most_across, dark_pixels(with, static_cast<int>(place.left), y,
                                          static_cast<int>(place.left) + place.width, y + 1));
    most_down = std::max(most_down, dark_pixels(with, x, static_cast<int>(place.top), x + 1,
                                                static_cast<int>(place.top) + place.height));
  }
  EXPECT_GT(most_across, 2 * most_down);
}

// Where the ink of an arrow lies beside the middle of it: toward its head, which has the most. Of a
// plane that falls so much a cell, on a picture that is too small for a second one.
Point2 lean_of_normal(float fall_east, float fall_south) {
  Ground ground = level_ground(20, 20);
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 20; ++x)
      ground.bed[static_cast<std::size_t>(20 * y + x)] =
          -fall_east * static_cast<float>(x) - fall_south * static_cast<float>(y);
  constexpr int side = 44;
  ViewChoice choice;
  set_view("--view", "field:same", choice);
  const ViewFields fields = [](const std::string&) {
    return ViewField{std::vector<float>(400, 1.0f), "m"};
  };
  const Picture without = draw_view(choice, ground, {}, fields, false, side, side);
  choice.glyphs = Glyphs::normals;
  const Picture with = draw_view(choice, ground, {}, fields, false, side, side);
  double ink = 0, x_sum = 0, y_sum = 0;
  int left = side, right = 0, top = side, bottom = 0;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const double here = std::abs(pixel(with, x, y).g - pixel(without, x, y).g);
      if (here < 8) continue;
      ink += here;
      x_sum += here * x;
      y_sum += here * y;
      left = std::min(left, x);
      right = std::max(right, x);
      top = std::min(top, y);
      bottom = std::max(bottom, y);
    }
  EXPECT_GT(std::max(right - left, bottom - top), 10);
  return {x_sum / ink - 0.5 * (left + right), y_sum / ink - 0.5 * (top + bottom)};
}

TEST(MapView, NormalsPointDownTheSlope) {
  EXPECT_GT(lean_of_normal(4, 0).x, 1);
  EXPECT_LT(lean_of_normal(-4, 0).x, -1);
  EXPECT_GT(lean_of_normal(0, 4).y, 1);
  EXPECT_LT(lean_of_normal(0, -4).y, -1);
  EXPECT_NEAR(lean_of_normal(4, 0).y, 0, 0.5);
}

// The map is what is looked at: arrows are sparse and thin, and it shows through them.
TEST(MapView, ArrowsHideLittleOfTheMap) {
  const Ground ground = level_ground(60, 60);
  MapView still, running;
  running.arrow_x.assign(3600, 2.0f);
  running.arrow_y.assign(3600, -1.0f);
  const Picture without = draw_map(ground, {}, still, 640, 640),
                with = draw_map(ground, {}, running, 640, 640);
  const MapPlace place = map_place(ground, running, 640, 640);
  int changed = 0, darkest = 255;
  for (int y = 0; y < place.height; ++y)
    for (int x = 0; x < place.width; ++x) {
      const Pixel a = pixel(without, place.left + x, place.top + y),
                  b = pixel(with, place.left + x, place.top + y);
      changed += std::abs(a.g - b.g) > 3 ? 1 : 0;
      darkest = std::min<int>(darkest, b.g);
    }
  EXPECT_LT(changed, 0.09 * place.width * place.height);
  EXPECT_GT(changed, 0.005 * place.width * place.height);
  EXPECT_GT(darkest, 40) << "half-transparent";
  EXPECT_LT(darkest, 160);
}

// Where there is little water its speed does not matter, however high.
TEST(MapView, ArrowsAreMeansByWhatThereIs) {
  const Ground ground = level_ground(60, 60);
  MapView river;
  river.arrow_x.assign(3600, 1.3f);
  river.arrow_y.assign(3600, 0.0f);
  river.arrow_weight.assign(3600, 1.0f);
  const Picture even = draw_map(ground, {}, river, 400, 400);
  for (std::size_t i = 0; i < 3600; i += 2) {
    river.arrow_x[i] = -50;  // a film in every other cell
    river.arrow_weight[i] = 1e-4f;
  }
  const Picture mixed = draw_map(ground, {}, river, 400, 400);
  int differ = 0;
  for (std::size_t i = 0; i < even.rgb.size(); ++i)
    differ += std::abs(even.rgb[i] - mixed.rgb[i]) > 24 ? 1 : 0;
  EXPECT_LT(differ, 60);
  river.arrow_weight.pop_back();
  EXPECT_THROW(draw_map(ground, {}, river, 400, 400), Error);
}

// Of what is mostly little, next to nothing leaves the ground as it is.
// What a sheet has at its foot, column by column.
std::vector<std::vector<Pixel>> foot_of(const Ground& ground, const MapView& view, int width,
                                        int height) {
  const MapPlace place = map_place(ground, view, width, height);
  const Picture picture = draw_map(ground, {}, view, width, height);
  std::vector<std::vector<Pixel>> columns(static_cast<std::size_t>(width));
  for (int y = static_cast<int>(place.top) + place.height + 3; y < height; ++y)
    for (int x = 0; x < width; ++x)
      columns[static_cast<std::size_t>(x)].push_back(pixel(picture, x, y));
  return columns;
}

TEST(MapView, WhatStandsAtTheFootDoesNotOverlap) {
  const Ground level = level_ground(60, 60);
  Ground slope = level;
  for (std::size_t i = 0; i < slope.bed.size(); ++i) slope.bed[i] += static_cast<float>(i % 60);
  MapView plain;
  plain.title = "a map";
  MapView arrows = plain;
  arrows.arrow_unit = "of a unit normal";
  arrows.arrow_x.assign(level.bed.size(), 1.0f);
  arrows.arrow_y.assign(level.bed.size(), 0.0f);
  for (const auto& [width, height, arrows_fit, note_fits] :
       {std::tuple{500, 560, true, true}, {400, 260, true, false}, {300, 200, false, false}}) {
    const auto bare = foot_of(level, plain, width, height);
    const auto scaled = foot_of(level, arrows, width, height);
    const auto whole = foot_of(slope, arrows, width, height);
    const std::vector<Pixel>& paper = bare.at(0);
    bool arrow = false, note = false;
    for (std::size_t x = 0; x < bare.size(); ++x) {
      if (scaled[x] != bare[x]) {
        arrow = true;
        EXPECT_EQ(bare[x], paper) << "the arrows' scale at " << x << " of " << width;
      }
      if (whole[x] != scaled[x]) {
        note = true;
        EXPECT_EQ(scaled[x], paper) << "the note at " << x << " of " << width;
      }
    }
    EXPECT_EQ(arrow, arrows_fit) << width;
    EXPECT_EQ(note, note_fits) << width;
  }
}

// On a map that is narrower than what stands at its foot, that stands side by side all the same.
TEST(MapView, TheScaleOfANarrowMapDoesNotRunIntoTheNorthArrow) {
  const Ground ground = level_ground(1, 5);
  MapView view;
  view.title = "a column";
  const auto foot = foot_of(ground, view, 300, 220);
  const std::vector<Pixel>& paper = foot.at(0);
  // Runs of columns with ink in them: bar, its length, north.
  int runs = 0, empty = 9;
  for (const auto& column : foot) {
    if (column == paper) {
      ++empty;
    } else {
      if (empty > 2) ++runs;
      empty = 0;
    }
  }
  EXPECT_GE(runs, 3);
}

// Every colour bar has a number: one that hardly varies, or does not, too.
TEST(MapView, ABarOfWhatHardlyVariesHasItsValue) {
  const Ground ground = level_ground(8, 8);
  for (const float step : {0.0f, 1e-6f}) {
    MapView view{"constant", "m"};
    for (int i = 0; i < 64; ++i) view.values.push_back(5.7105f + step * static_cast<float>(i % 3));
    const MapPlace place = map_place(ground, view, 300, 260);
    const Picture picture = draw_map(ground, {}, view, 300, 260);
    int inked = 0;  // right of the bar, below its unit
    for (int y = static_cast<int>(place.top + 3 * place.type); y < 260; ++y)
      for (int x = static_cast<int>(place.left + place.width + 5 * place.type); x < 300; ++x)
        inked += pixel(picture, x, y).r < 0x80 ? 1 : 0;
    EXPECT_GT(inked, 10) << step;
  }
}

// A wide map on a high sheet is low: its bar is longer than that, and its numbers do not touch.
TEST(MapView, NumbersBesideALowBarDoNotTouch) {
  const Ground ground = level_ground(90, 9);
  MapView view{"wide", "m"};
  for (int i = 0; i < 810; ++i) view.values.push_back(static_cast<float>(i % 90));
  const MapPlace place = map_place(ground, view, 220, 900);
  ASSERT_LT(place.height, 3 * place.type) << "a low one";
  const Picture picture = draw_map(ground, {}, view, 220, 900);
  int numbers = 0, empty = 9;
  for (int y = static_cast<int>(place.top + 1.2 * place.type); y < 900; ++y) {
    bool ink = false;
    for (int x = static_cast<int>(place.left + place.width + 4.9 * place.type); x < 220; ++x)
      ink |= pixel(picture, x, y).r < 0xb0;
    if (ink && empty >= 2) ++numbers;
    empty = ink ? 0 : empty + 1;
  }
  EXPECT_GE(numbers, 2);
  EXPECT_LE(numbers, 6);
}

TEST(MapView, AFilmDoesNotHideTheGround) {
  const Ground ground = level_ground(40, 40);
  MapView dry{"rain", "m"}, wet{"rain", "m"};
  dry.values.assign(1600, 0.0f);
  for (std::size_t i = 0; i < 160; ++i) dry.values[i] = 3;
  wet.values = dry.values;
  for (std::size_t i = 160; i < 1600; ++i) wet.values[i] = 0.01f;
  wet.low = dry.low = 0;
  wet.high = dry.high = 3;
  ASSERT_EQ(scale_of(wet).map, ColourMap::amount);
  const Picture a = draw_map(ground, {}, dry, 300, 300), b = draw_map(ground, {}, wet, 300, 300);
  const MapPlace place = map_place(ground, wet, 300, 300);
  const Point2 at = cell_on(place, ground, 20, 30), lake = cell_on(place, ground, 20, 1);
  EXPECT_NEAR(pixel(a, at.x, at.y).b, pixel(b, at.x, at.y).b, 3);
  EXPECT_LT(pixel(b, lake.x, lake.y).r, 60);
}

TEST(MapView, AnySizeMakesAPictureAndBadInputDoesNot) {
  const Ground ground = level_ground(3, 2);
  for (const auto& [w, h] : {std::pair{1, 1}, {7, 300}, {300, 7}, {200, 200}, {2000, 210}}) {
    MapView view;
    EXPECT_EQ(draw_map(ground, {}, view, w, h).rgb.size(), static_cast<std::size_t>(3 * w * h));
    view.values.assign(6, 1.0f);
    EXPECT_EQ(draw_map(ground, {}, view, w, h).rgb.size(), static_cast<std::size_t>(3 * w * h));
  }
  MapView view;
  view.values.assign(5, 1.0f);
  EXPECT_THROW(draw_map(ground, {}, view, 300, 300), Error);
  ViewChoice choice;
  EXPECT_THROW(set_view("--view", "contour", choice), UsageError);
  EXPECT_THROW(set_view("--view", "field:", choice), UsageError);
  set_view("--view", "field:water", choice);
  EXPECT_EQ(choice.field, "water");
  choice.glyphs = Glyphs::velocity;
  const ViewFields fields = [](const std::string&) {
    return ViewField{std::vector<float>(6, 1.0f), "m"};
  };
  EXPECT_THROW(draw_view(choice, ground, {}, fields, false, 300, 300), Error);
}

// ---- sections

// Where a place along the line and a height come to lie.
Point2 on_section(const SectionPlace& place, const Section& section, double along, double z) {
  return {place.left + along / section.length * place.width,
          place.top + (place.high - z) / (place.high - place.low) * place.height};
}

// Beside a block of sand that has lost its hat of ice: each half has the other's names and heights.
TEST(SectionView, TwoSideBySideHaveOneLegendAndOneScale) {
  Section after, before;
  after.length = before.length = 100;
  after.materials = {{"sand", 0xd9c48f}, {"water", 0x5b9cc4}, {"never seen", 0x123456}};
  after.columns.assign(10, {{0, 0, 20}, {1, 20, 22}});
  before.materials = {{"ice", 0xffffff}, {"sand", 0xd9c48f}};
  before.columns.assign(10, {{1, 0, 25}, {0, 25, 60}});
  share_scale(after, before);
  ASSERT_EQ(after.legend.size(), 3U);
  EXPECT_EQ(after.legend[0].name, "sand");
  EXPECT_EQ(after.legend[1].name, "water");
  EXPECT_EQ(after.legend[2].name, "ice");
  const SectionPlace a = section_place(after, 0, 400, 300), b = section_place(before, 0, 400, 300);
  EXPECT_EQ(std::tie(a.left, a.top, a.width, a.height, a.low, a.high, a.exaggeration),
            std::tie(b.left, b.top, b.width, b.height, b.low, b.high, b.exaggeration));
  EXPECT_GT(a.high, 60);
  // The legends themselves, beside the sections.
  const Picture one = draw_section(after, 0, 400, 300), other = draw_section(before, 0, 400, 300);
  int drawn = 0;
  for (int y = 0; y < 300; ++y)
    for (int x = static_cast<int>(a.left + a.width) + 3; x < 400; ++x) {
      const auto i = static_cast<std::size_t>(3 * (400 * y + x));
      for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(one.rgb[i + c], other.rgb[i + c]);
      drawn += one.rgb[i] < 0x80 ? 1 : 0;
    }
  EXPECT_GT(drawn, 100);
}

// A field that is there everywhere has other colours than one that mostly is not: beside each other
// they have those of one.
TEST(MapView, TwoSideBySideHaveOneScale) {
  const Ground ground = level_ground(8, 8);
  std::vector<float> values(64);
  for (std::size_t i = 0; i < 64; ++i) values[i] = 1 + 0.01f * static_cast<float>(i);
  const ViewFields now =
                       [&](const std::string&) {
                         return ViewField{values, "m"};
                       },
                   then = [](const std::string&) {
                     return ViewField{std::vector<float>(64, 0.0f), "m"};
                   };
  ViewChoice choice;
  set_view("--view", "field:water", choice);
  settle_range(choice, now);
  const Picture a = draw_view(choice, ground, {}, now, false, 300, 300),
                b = draw_view(choice, ground, {}, then, false, 300, 300);
  const MapPlace place = map_place(ground, {.title = "", .unit = "m", .values = values}, 300, 300);
  int coloured = 0;
  for (int y = 0; y < 300; ++y)
    for (int x = static_cast<int>(place.left) + place.width + 3; x < 300; ++x) {
      EXPECT_EQ(pixel(a, x, y), pixel(b, x, y)) << x << ", " << y;
      coloured += pixel(a, x, y).g > pixel(a, x, y).r + 40 ? 1 : 0;
    }
  EXPECT_GT(coloured, 50);
}

// What has vanished from one of two maps of materials is in the legends of both.
TEST(MapView, TwoSideBySideHaveOneLegend) {
  const Ground ground = level_ground(8, 8);
  const auto all = [](float number) {
    return ViewFields([number](const std::string&) {
      return ViewField{std::vector<float>(64, number),
                       "1",
                       {{"no", 0}, {"ice", 0xd8dfe6}, {"granite", 0x605d60}}};
    });
  };
  const ViewFields now = all(2), then = all(1);
  ViewChoice choice;
  set_view("--view", "field:material", choice);
  settle_kinds(choice, now, then);
  ASSERT_EQ(choice.legend.size(), 2U);
  EXPECT_EQ(choice.legend[0].name, "granite");
  const Picture a = draw_view(choice, ground, {}, now, false, 300, 260),
                b = draw_view(choice, ground, {}, then, false, 300, 260);
  int ice = 0;
  for (int y = 0; y < 260; ++y)
    for (int x = 240; x < 300; ++x) {
      EXPECT_EQ(pixel(a, x, y), pixel(b, x, y)) << x << ", " << y;
      ice += pixel(a, x, y) == of_colour(0xd8dfe6) ? 1 : 0;
    }
  EXPECT_GT(ice, 20);
}

TEST(ReliefView, TwoSideBySideHaveOneScale) {
  Ground ground = level_ground(3, 2);
  ground.bed = {0, 100, 200, 300, 400, 500};
  ViewChoice choice;
  choice.kind = ViewKind::relief;
  Look look;
  settle_relief(choice, look, ground);
  EXPECT_EQ(choice.contours, 20);
  EXPECT_LT(look.relief.tint_low, look.relief.tint_high);
  choice.contours = 7;
  settle_relief(choice, look, ground);
  EXPECT_EQ(choice.contours, 7) << "what was asked for stays";
}

TEST(SectionView, ShowsTheRightMaterialAtTheRightDepth) {
  Volume volume;
  volume.shape.size = {20, 10, 16};
  volume.shape.cell = {2, 2, 2};
  volume.shape.origin = {1, 1, 1};
  volume.density.assign(volume.shape.samples(), 0.0f);
  volume.materials.assign(volume.shape.samples(), 0);
  const auto material_at = [](int x, int z) { return z < 4 ? 1 : z < 9 + x / 4 ? 2 : 0; };
  for (int z = 0; z < 16; ++z)
    for (int y = 0; y < 10; ++y)
      for (int x = 0; x < 20; ++x) {
        const auto i = static_cast<std::size_t>((z * 10 + y) * 20 + x);
        const int m = y == 5 ? material_at(x, z) : 3;
        volume.materials[i] = static_cast<std::uint32_t>(m);
        volume.density[i] = m != 0 ? 1.0f : 0.0f;
      }
  const std::vector<SectionMaterial> materials = {
      {"none", 0}, {"granite", 0x808890}, {"sandstone", 0xc07040}, {"elsewhere", 0x00ff00}};
  // Through the middles of row 5: a metre north of the middle.
  const Section section = section_of(volume, 0.5f, SectionLine{{-20, 1}, {20, 1}}, materials);
  EXPECT_EQ(section.from, "W");
  EXPECT_EQ(section.to, "E");
  EXPECT_DOUBLE_EQ(section.length, 40);
  const Picture picture = draw_section(section, 1, 640, 480);
  const SectionPlace place = section_place(section, 1, 640, 480);
  const Pixel air = pixel(picture, place.left + 3, place.top + 3);
  for (int z = 0; z < 13; ++z)
    for (int x = 0; x < 20; ++x) {
      const Point2 at = on_section(place, section, 2 * x + 1, 2 * z + 1);
      const int m = material_at(x, z);
      const Pixel found = pixel(picture, at.x, at.y + 0.5);
      if (m == 0) {
        EXPECT_NEAR(found.r, air.r, 26) << x << " " << z;
        continue;
      }
      // Its own, or its pattern's ink.
      const unsigned colour = materials[static_cast<std::size_t>(m)].colour;
      const Pixel own = of_colour(colour), inked = of_colour(pattern_ink(colour));
      EXPECT_LE(found.r, own.r) << x << " " << z;
      EXPECT_GE(found.r, inked.r) << x << " " << z;
      EXPECT_LE(found.b, own.b) << x << " " << z;
      EXPECT_GE(found.b, inked.b) << x << " " << z;
    }
}

TEST(SectionView, OfAHeightfieldHasGroundAndWater) {
  Ground ground = level_ground(101, 3);
  ground.water.assign(ground.bed.size(), 0.0f);
  for (int y = 0; y < 3; ++y)
    for (int x = 40; x <= 60; ++x) {
      ground.bed[static_cast<std::size_t>(101 * y + x)] = 80;
      ground.water[static_cast<std::size_t>(101 * y + x)] = 15;
    }
  const Section section = section_of(ground, {}, false);
  EXPECT_DOUBLE_EQ(section.length, 1000);
  const Picture picture = draw_section(section, 0, 640, 480);
  const SectionPlace place = section_place(section, 0, 640, 480);
  EXPECT_GT(place.exaggeration, 1.5);
  const auto at = [&](double along, double z) {
    const Point2 p = on_section(place, section, along, z);
    return pixel(picture, p.x, p.y);
  };
  EXPECT_EQ(at(500, 90), of_colour(section.materials[0].colour));
  EXPECT_EQ(at(500, 79), of_colour(section.materials[2].colour));
  EXPECT_EQ(at(200, 90), of_colour(section.materials[2].colour));
  EXPECT_GT(at(500, 99).g, 200) << "air";
  EXPECT_THROW(section_of(ground, SectionLine{{5, 5}, {5, 5}}, false), UsageError);
  for (const auto& [w, h] : {std::pair{1, 1}, {7, 300}, {3000, 200}})
    EXPECT_EQ(draw_section(section, 0, w, h).rgb.size(), static_cast<std::size_t>(3 * w * h));
}

TEST(SectionView, LevelLandIsNotExaggeratedToNoEnd) {
  const Section section = section_of(level_ground(50, 3), {}, false);
  EXPECT_LE(section_place(section, 0, 640, 480).exaggeration, 20);
}

// A round factor between any two that are a quarter apart: little of the sheet stays empty.
TEST(SectionView, FillsItsSheet) {
  for (const float relief : {3.0f, 11.0f, 47.0f, 130.0f}) {
    Ground ground = level_ground(101, 3);
    for (std::size_t i = 0; i < ground.bed.size(); ++i)
      ground.bed[i] = relief * 0.01f * static_cast<float>(i % 101);
    const SectionPlace place = section_place(section_of(ground, {}, false), 0, 640, 480);
    EXPECT_GT(place.height * place.width, 0.6 * (640 - 130) * (480 - 75)) << relief;
  }
}

// Rises to the east, by 300 m.
Ground slope_ground() {
  Ground ground = level_ground(40, 30);
  for (std::size_t i = 0; i < ground.bed.size(); ++i)
    ground.bed[i] = 10 + 7.5F * static_cast<float>(i % 40);
  return ground;
}

TEST(SectionView, ALineBesideTheTerrainIsNamedWithItsExtent) {
  const auto says = [](const SectionLine& line) {
    try {
      check_line("here: ", line, 100, 50);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(says({{-500, 0}, {500, 0}}), "") << "longer than it";
  EXPECT_EQ(says({{0, 49}, {500, 400}}), "") << "only its end";
  EXPECT_EQ(says({{-120, 0}, {0, 70}}), "") << "over a corner";
  for (const SectionLine& line : {SectionLine{{101, 0}, {500, 0}},
                                  {{0, 60}, {10, 60}},
                                  {{-150, 40}, {-90, 70}},
                                  {{200, -10}, {200, 10}}})
    EXPECT_NE(says(line).find("reaches 100 m to the east and west of its middle and 50 m"),
              std::string::npos)
        << line.from.x;
  const Ground ground = slope_ground();
  EXPECT_THROW(section_of(ground, SectionLine{{1e5, 0}, {2e5, 0}}, false), UsageError);
}

TEST(MapView, ContoursThatCannotBeSeenAreToldOf) {
  std::vector<std::string> told;
  const LogScope listens(
      [&](LogLevel /*level*/, const std::string& line) { told.push_back(line); });
  const Ground ground = slope_ground();
  const auto drawn = [&](double contours) {
    MapView view;
    view.contours = contours;
    told.clear();
    return draw_map(ground, {}, view, 220, 210).rgb;
  };
  const auto chosen = drawn(0);
  EXPECT_TRUE(told.empty());
  EXPECT_EQ(drawn(1e-3), chosen) << "those that would be chosen";
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("contours every 0.001 m"), std::string::npos) << told[0];
  drawn(1e4);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("none lies between"), std::string::npos) << told[0];
}

TEST(MapView, MaterialsAreInTheirColoursWithALegend) {
  Ground ground = slope_ground();
  MapView view;
  view.kinds = {{"nothing", 0xffffff}, {"chalk", 0xe6141e}, {"flint", 0x1428dc}};
  for (int y = 0; y < ground.height; ++y)
    for (int x = 0; x < ground.width; ++x)
      view.values.push_back(2 * x < ground.width ? 1.0F : 2.0F);
  const MapPlace place = map_place(ground, view, 300, 260);
  const Picture picture = draw_map(ground, {}, view, 300, 260);
  const auto at = [&](double x, double y) {
    return &picture.rgb[3 * (static_cast<std::size_t>(y) * 300 + static_cast<std::size_t>(x))];
  };
  const double middle = place.top + place.height / 2.0;
  const unsigned char* west = at(place.left + 0.25 * place.width, middle);
  const unsigned char* east = at(place.left + 0.75 * place.width, middle);
  EXPECT_GT(west[0], west[2] + 60);
  EXPECT_GT(east[2], east[0] + 60);
  // The border between them is sharp: no third colour.
  for (int x = 0; x < place.width; ++x) {
    const unsigned char* pixel = at(place.left + x, middle);
    EXPECT_GT(std::abs(pixel[0] - pixel[2]), 40) << x;
  }
  // Beside it a patch of each.
  int reds = 0, blues = 0;
  for (int y = 0; y < 260; ++y)
    for (int x = static_cast<int>(place.left) + place.width + 2; x < 300; ++x) {
      reds += at(x, y)[0] == 0xe6 && at(x, y)[1] == 0x14 ? 1 : 0;
      blues += at(x, y)[2] == 0xdc && at(x, y)[1] == 0x28 ? 1 : 0;
    }
  EXPECT_GT(reds, 20);
  EXPECT_GT(blues, 20);
  // A rock of many numbers is named once.
  for (std::size_t i = 0; i < view.values.size(); i += 2) view.values[i] += 2;
  view.kinds.push_back(view.kinds[1]);
  view.kinds.push_back(view.kinds[2]);
  EXPECT_EQ(draw_map(ground, {}, view, 300, 260).rgb, picture.rgb);
}

}  // namespace
}  // namespace scree::render
