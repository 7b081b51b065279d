// Materials can be told apart: by colour, by pattern, in the cut and in the list that names them.
#include "render/sheet/legend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/error.h"
#include "render/section/section_view.h"

namespace scree::render {
namespace {

// Those of examples/layers/roof-fall.toml: greys and browns.
std::vector<MapKind> greys() {
  return {{"granite", 0x605d60},   {"mudstone", 0x5c5e43}, {"clay", 0x80695c},
          {"sandstone", 0xa5785a}, {"debris", 0xa8998a},   {"limestone", 0xbfb59e},
          {"water", 0x5b9cc4}};
}

std::vector<MapKind> many(int count) {
  std::vector<MapKind> kinds;
  for (int i = 0; i < count; ++i)
    kinds.push_back({text("rock ", i), 0x8a6a50U + 0x010101U * static_cast<unsigned>(i)});
  return kinds;
}

float least_apart(const std::vector<MapKind>& kinds) {
  float least = 9;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      least = std::min(least, seen_apart(kinds[i].colour, kinds[j].colour));
  return least;
}

TEST(Legend, RedAndGreenAreAlikeToWhomTheirConesAreMissing) {
  EXPECT_NEAR(seen_apart(0x000000, 0xffffff), 1, 0.01);
  EXPECT_EQ(seen_apart(0x123456, 0x123456), 0);
  // Equally light: apart to most, and next to the same to some.
  const Oklab red = to_oklab(from_srgb(0xb06a5a)), green = to_oklab(from_srgb(0x7f8458));
  EXPECT_GT(std::hypot(red.l - green.l, red.a - green.a, red.b - green.b), 0.09F);
  EXPECT_LT(seen_apart(0xb06a5a, 0x7f8458), 0.05F);
}

TEST(Legend, ColoursThatAreTooAlikeAreMovedAndOthersAreNot) {
  const std::vector<MapKind> own = greys(), shown = told_apart(own);
  EXPECT_LT(least_apart(own), 0.05F) << "they are too alike to begin with";
  EXPECT_GE(least_apart(shown), 0.068F);
  EXPECT_GE(least_apart(told_apart(many(12))), 0.06F);
  int moved = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (shown[i].colour != own[i].colour) ++moved;
    const Oklab a = to_oklab(from_srgb(own[i].colour)), b = to_oklab(from_srgb(shown[i].colour));
    EXPECT_LT(std::hypot(a.a - b.a, a.b - b.b), 0.05F) << own[i].name << ": another hue";
    EXPECT_GE(seen_apart(shown[i].colour, 0xe6eef3), 0.068F) << own[i].name << " is as air";
  }
  EXPECT_EQ(shown[0].colour, own[0].colour) << "the first has nothing to be told from";
  EXPECT_EQ(shown.back().colour, own.back().colour) << "water is blue";
  EXPECT_GT(moved, 0);
  EXPECT_LT(moved, 4);
  const std::vector<MapKind> apart = {{"a", 0xe6141e}, {"b", 0x1428dc}, {"c", 0xd9c48f}};
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(told_apart(apart)[i].colour, apart[i].colour) << "is far from the others";
}

// A rock has a number for each hardness, and 0 may be no rock at all.
TEST(Legend, OneRockOfManyNumbersStaysOne) {
  std::vector<MapKind> kinds = {{"", 0x605d60}};
  for (int i = 0; i < 200; ++i) kinds.push_back({"granite", 0x605d60});
  kinds.push_back({"slate", 0x605e60});
  const std::vector<MapKind> shown = told_apart(kinds);
  for (std::size_t i = 1; i < 201; ++i) {
    EXPECT_EQ(shown[i].colour, 0x605d60U);
    EXPECT_EQ(shown[i].pattern, Pattern::crosses);
  }
  EXPECT_GE(seen_apart(shown[201].colour, 0x605d60), 0.068F);
}

TEST(Legend, PatternsAreThoseOfTheRockAndNoneIsThereTwice) {
  const std::vector<std::string> names = {
      "water",   "juice",    "hard", "Sandstone", "red sand", "limestone", "shale", "clay",
      "granite", "old lava", "ash",  "debris",    "gouge",    "soil",      "ice",   "soft"};
  const std::vector<Pattern> patterns = patterns_of(names);
  const auto of = [&](const std::string& name) {
    return patterns[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) -
                                             names.begin())];
  };
  EXPECT_EQ(of("water"), Pattern::plain);
  EXPECT_EQ(of("Sandstone"), Pattern::dots);
  EXPECT_EQ(of("red sand"), Pattern::stipple);
  EXPECT_EQ(of("limestone"), Pattern::bricks);
  EXPECT_EQ(of("shale"), Pattern::dashes);
  EXPECT_EQ(of("clay"), Pattern::dash_dots) << "dashes are those of shale";
  EXPECT_EQ(of("old lava"), Pattern::ticks);
  EXPECT_NE(of("juice"), Pattern::stars) << "no ice";
  EXPECT_EQ(std::set<Pattern>(patterns.begin(), patterns.end()).size(), names.size());
  // Of more than there are, each is used about as often.
  std::vector<std::string> numbers;
  for (int i = 0; i < 34; ++i) numbers.push_back(text("rock ", i));
  std::map<Pattern, int> used;
  for (const Pattern pattern : patterns_of(numbers)) ++used[pattern];
  EXPECT_EQ(used.size(), 17U);
  for (const auto& [pattern, count] : used) EXPECT_EQ(count, 2) << static_cast<int>(pattern);
}

TEST(Legend, NoTwoPatternsLookAlike) {
  for (const double type : {6.5, 8.5, 30.0})
    for (int a = 0; a <= static_cast<int>(Pattern::lattice); ++a) {
      const PatternTile one(static_cast<Pattern>(a), type);
      double ink = 0;
      for (int y = 0; y < one.side(); ++y)
        for (int x = 0; x < one.side(); ++x) ink += static_cast<double>(one.ink(x, y));
      const double share = ink / (one.side() * one.side());
      EXPECT_LT(share, 0.3) << a << ": hides the colour";
      EXPECT_EQ(share > 0.015, a > 0) << a;
      EXPECT_EQ(one.ink(3, 5), one.ink(3 + one.side(), 5 - 2 * one.side()));
      for (int b = 0; b < a; ++b) {
        const PatternTile other(static_cast<Pattern>(b), type);
        double differ = 0;
        for (int y = 0; y < one.side(); ++y)
          for (int x = 0; x < one.side(); ++x)
            differ += static_cast<double>(std::abs(one.ink(x, y) - other.ink(x, y)));
        EXPECT_GT(differ / (one.side() * one.side()), 0.015) << a << " and " << b;
      }
    }
}

using Pixel = std::tuple<int, int, int>;
Pixel at(const Picture& picture, int x, int y) {
  const auto i = 3 * static_cast<std::size_t>(y * picture.width + x);
  return {picture.rgb[i], picture.rgb[i + 1], picture.rgb[i + 2]};
}
Pixel of_colour(unsigned colour) {
  return {static_cast<int>(colour >> 16), static_cast<int>(colour >> 8 & 0xff),
          static_cast<int>(colour & 0xff)};
}

// Beds of one thickness on each other.
Section beds(std::vector<MapKind> kinds, double thickness) {
  Section section;
  section.title = "beds";
  section.length = 100;
  section.base = 0;
  section.columns.resize(100);
  for (auto& column : section.columns)
    for (std::size_t m = 0; m < kinds.size(); ++m)
      column.push_back({static_cast<int>(m), static_cast<double>(m) * thickness,
                        static_cast<double>(m + 1) * thickness});
  section.materials = std::move(kinds);
  return section;
}

// Whoever sees no colours reads the patterns: the same in the bed and in its patch.
TEST(SectionView, BedsOfOneColourDifferInTheirPatterns) {
  const unsigned colour = 0xa89a80;
  const Section section =
      beds({{"limestone", colour, Pattern::bricks}, {"sandstone", colour, Pattern::dots}}, 20);
  const Picture picture = draw_section(section, 1, 500, 400);
  const SectionPlace place = section_place(section, 1, 500, 400);
  const double type = 6.5;
  const auto row_of = [&](double z) {
    return static_cast<int>(place.top + (place.high - z) / (place.high - place.low) * place.height);
  };
  for (const auto& [pattern, low, high] :
       {std::tuple{Pattern::bricks, 1, 19}, {Pattern::dots, 21, 39}}) {
    const PatternTile tile(pattern, type);
    std::set<Pixel> seen;
    for (int y = row_of(high); y < row_of(low); ++y)
      for (int x = static_cast<int>(place.left) + 5; x < place.left + place.width - 5; ++x) {
        seen.insert(at(picture, x, y));
        if (tile.ink(x, y) == 0) {
          ASSERT_EQ(at(picture, x, y), of_colour(colour)) << x << " " << y;
        } else if (tile.ink(x, y) > 0.6F) {
          ASSERT_LT(std::get<1>(at(picture, x, y)), 0x9a - 12) << x << " " << y;
        }
      }
    EXPECT_GT(seen.size(), 1U);
    // All of its shades, and no others, are in a patch beside it.
    std::set<Pixel> beside;
    for (int y = 0; y < 400; ++y)
      for (int x = static_cast<int>(place.left + place.width) + 3; x < 500; ++x)
        beside.insert(at(picture, x, y));
    EXPECT_TRUE(std::includes(beside.begin(), beside.end(), seen.begin(), seen.end()));
  }
}

TEST(SectionView, APatternDoesNotHideAThinBed) {
  const Section section =
      beds({{"a", 0xa89a80, Pattern::lattice}, {"b", 0x605d60, Pattern::rising}}, 1);
  const Picture picture = draw_section(section, 1, 500, 400);
  const SectionPlace place = section_place(section, 1, 500, 400);
  for (int x = static_cast<int>(place.left) + 5; x < place.left + place.width - 5; ++x) {
    int own = 0;
    for (int y = static_cast<int>(place.top) + 2; y < place.top + place.height - 2; ++y)
      own += at(picture, x, y) == of_colour(0xa89a80) || at(picture, x, y) == of_colour(0x605d60);
    ASSERT_GE(own, 3) << x;
  }
}

// Rows of the sheet, beside the section, in which there is this colour.
int rows_with(const Picture& picture, int from, unsigned colour) {
  int rows = 0;
  for (int y = 0; y < picture.height; ++y) {
    bool found = false;
    for (int x = from; x < picture.width; ++x) found |= at(picture, x, y) == of_colour(colour);
    rows += found ? 1 : 0;
  }
  return rows;
}

TEST(SectionView, ALegendOfSixteenFitsASmallSheet) {
  for (const auto& [width, height] : {std::pair{300, 200}, {200, 200}, {900, 200}, {200, 900}}) {
    const Section section = beds(told_apart(many(16)), 2);
    const Picture picture = draw_section(section, 1, width, height);
    const SectionPlace place = section_place(section, 1, width, height);
    EXPECT_GT(place.width, width / 3) << "the section itself has room";
    for (const MapKind& kind : section.materials)
      EXPECT_GE(rows_with(picture, static_cast<int>(place.left + place.width) + 3, kind.colour), 3)
          << kind.name << " on " << width << " x " << height;
  }
}

TEST(SectionView, ALegendSaysHowManyItLeavesOut) {
  const auto beside = [](int count) {
    const Section section = beds(many(count), 1);
    const Picture picture = draw_section(section, 1, 300, 200);
    const SectionPlace place = section_place(section, 1, 300, 200);
    int named = 0;
    for (const MapKind& kind : section.materials)
      named += rows_with(picture, static_cast<int>(place.left + place.width) + 3, kind.colour) > 2;
    return std::pair{named, at(picture, 299, 199)};
  };
  EXPECT_EQ(beside(16).first, 16);
  const auto [named, corner] = beside(40);
  EXPECT_GE(named, 14);
  EXPECT_LE(named, 16) << "and a line for the others";
  EXPECT_EQ(corner, of_colour(0xf8f7f3)) << "within the sheet";
}

// A name of any length leaves a third of the sheet to the section, and ends before the edge.
TEST(SectionView, ALongNameIsCut) {
  const std::string name(300, 'W');
  const Section section = beds({{name, 0xa89a80}, {"b", 0x605d60}}, 20);
  for (const int width : {300, 900}) {
    const SectionPlace place = section_place(section, 1, width, 300);
    EXPECT_GT(place.width, width / 3.0);
    const Picture picture = draw_section(section, 1, width, 300);
    for (int y = 0; y < 300; ++y) ASSERT_EQ(at(picture, width - 1, y), of_colour(0xf8f7f3)) << y;
  }
}

// Two files may call a material by different numbers, and have others of their own.
TEST(SectionView, AMaterialHasOneLookInBothHalves) {
  Section now = beds(told_apart({{"sand", 0xd9c48f}, {"rock", 0x605d60}}), 20),
          then = beds(told_apart({{"rock", 0x625f62}, {"lava", 0x605d60}, {"sand", 0xd9c48f}}), 20);
  const std::vector<MapKind> before = now.materials;
  share_scale(now, then);
  EXPECT_EQ(now.materials[1].colour, before[1].colour);
  EXPECT_EQ(then.materials[0].colour, now.materials[1].colour);
  EXPECT_EQ(then.materials[0].pattern, now.materials[1].pattern);
  EXPECT_EQ(then.materials[2].colour, now.materials[0].colour);
  EXPECT_GE(least_apart(then.materials), 0.068F);
  EXPECT_NE(then.materials[1].pattern, then.materials[0].pattern);
  EXPECT_EQ(now.legend.size(), 3U);
}

// How strongly heights are exaggerated is said on a narrow sheet too.
TEST(SectionView, SaysItsExaggerationOnANarrowSheet) {
  const Section section = beds({{"a", 0xa89a80}, {"b", 0x605d60}}, 0.5);
  const SectionPlace place = section_place(section, 0, 260, 300);
  ASSERT_GT(place.exaggeration, 2);
  const Picture picture = draw_section(section, 0, 260, 300);
  int inked = 0;
  for (int y = static_cast<int>(place.top + place.height + 2.4 * 6.5); y < 300; ++y)
    for (int x = 0; x < 260; ++x) inked += std::get<0>(at(picture, x, y)) < 0xb0;
  EXPECT_GT(inked, 40);
}

// One bed, though it has a number for each hardness.
TEST(SectionView, ARockOfManyNumbersIsOneBed) {
  Volume volume;
  volume.shape.size = {4, 4, 16};
  volume.shape.cell = {1, 1, 1};
  volume.density.assign(volume.shape.samples(), 1.0F);
  for (std::size_t i = 0; i < volume.density.size(); ++i)
    volume.materials.push_back(1 + static_cast<std::uint32_t>(i / 16 % 5));
  std::vector<MapKind> kinds(1);
  kinds.resize(6, {"shaft", 0xcd8c5f});
  const Section section = section_of(volume, 0.5F, {}, kinds);
  for (const auto& column : section.columns) EXPECT_EQ(column.size(), 1U);
}

TEST(Lettering, LettersWithMarksAreNoBoxes) {
  const auto box = letter("\x01").strokes;
  ASSERT_EQ(box.size(), 1U);
  for (const char* name : {"\u00e4", "\u00d6", "\u00e9", "\u00f1", "\u00e7", "\u00c5", "\u00f8",
                           "\u00df", "\u017e", "~", "@", "{", "\u2026"}) {
    const Lettering drawn = letter(name);
    ASSERT_FALSE(drawn.strokes.empty()) << name;
    EXPECT_FALSE(drawn.strokes.size() == 1 && drawn.strokes[0].size() == 5 &&
                 drawn.strokes[0][2].y == box[0][2].y)
        << name;
    double high = 0, low = 0;
    for (const Stroke& stroke : drawn.strokes)
      for (const Point2& p : stroke) {
        high = std::max(high, p.y);
        low = std::min(low, p.y);
      }
    EXPECT_LE(high, 20) << name;
    EXPECT_GE(low, -5) << name;
  }
  EXPECT_GT(letter("\u00e4").strokes.size(), letter("a").strokes.size());
}

}  // namespace
}  // namespace scree::render
