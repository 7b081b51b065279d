// Boreholes say what lies under them, and beds between them follow.
#include "terrain/layers/boreholes.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "kernel/common/random.h"
#include "terrain/layers/strata.h"

namespace scree {
namespace {

enum : int { clay = 1, sand = 2, rock = 3, coal = 4 };

LayerShape shape_of(int width, int height, double cell) {
  LayerShape shape;
  shape.width = width, shape.height = height;
  shape.dx = shape.dy = cell;
  return shape;
}

Borehole hole(const std::string& name, double x, double y,
              const std::vector<std::pair<int, double>>& beds) {
  Borehole h{name, x, y, {}, {}, name + ".csv:1"};
  double depth = 0;
  for (const auto& [material, thickness] : beds) {
    h.intervals.push_back({depth, depth + thickness, material});
    depth += thickness;
  }
  return h;
}

TEST(Boreholes, SequencesShareWhatTheyCan) {
  EXPECT_EQ(common_sequence({hole("a", 1, 1, {{clay, 1}, {sand, 1}, {rock, 1}}),
                             hole("b", 2, 2, {{clay, 1}, {rock, 1}}),
                             hole("c", 3, 3, {{clay, 1}, {coal, 1}, {rock, 1}, {sand, 1}})}),
            (std::vector<int>{clay, sand, coal, rock, sand}));
}

// Whatever the depths are: what was met in a cell is there to the quantum.
TEST(Boreholes, IntervalsReappearInTheirCells) {
  const LayerShape shape = shape_of(31, 23, 7);
  std::vector<Borehole> holes;
  for (std::uint32_t i = 0; i < 12; ++i) {
    std::vector<std::pair<int, double>> beds;
    int last = 0;
    for (std::uint32_t k = 0; k < 1 + cell_hash(i, 1, 2) % 5; ++k) {
      const std::uint32_t h = cell_hash(i, 7, static_cast<int>(k));
      const int material = static_cast<int>(h % 5);  // a void, too
      if (material == last) continue;
      last = material;
      beds.emplace_back(material, 0.01 + (h >> 8 & 0xfff) * 0.00137);
    }
    if (beds.empty()) beds.emplace_back(clay, 1.2345);
    holes.push_back(hole(std::to_string(i), (2 * i + 1.3) * 7, (i * 5 % 23 + 0.4) * 7, beds));
  }
  const std::vector<Stack> cores = interpolate_boreholes(shape, holes);
  for (const Borehole& h : holes) {
    const auto column = static_cast<std::size_t>(h.x / 7),
               row = 22 - static_cast<std::size_t>(h.y / 7);
    const Stack& core = cores[row * 31 + column];
    ASSERT_GE(core.size(), h.intervals.size()) << h.name;
    for (std::size_t i = 0; i < h.intervals.size(); ++i) {
      EXPECT_EQ(core[i].material, h.intervals[i].material) << h.name;
      EXPECT_EQ(core[i].quanta,
                layer_quanta(shape, h.intervals[i].to) - layer_quanta(shape, h.intervals[i].from))
          << h.name << ", interval " << i;
    }
  }
}

TEST(Boreholes, ABedThinsOutTowardsAHoleWithoutIt) {
  const LayerShape shape = shape_of(21, 1, 10);
  const std::vector<Stack> cores =
      interpolate_boreholes(shape, {hole("west", 5, 5, {{clay, 10}, {coal, 4}, {rock, 10}}),
                                    hole("east", 205, 5, {{clay, 20}, {rock, 2}})});
  EXPECT_EQ(cores[0], (Stack{{clay, 10240}, {coal, 4096}, {rock, 10240}}));
  EXPECT_EQ(cores[20], (Stack{{clay, 20480}, {rock, 2048}}));
  EXPECT_EQ(cores[10], (Stack{{clay, 15360}, {coal, 2048}, {rock, 6144}})) << "halfway";
  for (std::size_t x = 1; x < 20; ++x) {
    EXPECT_LE(cores[x][1].quanta, cores[x - 1][1].quanta);
    EXPECT_GE(cores[x][0].quanta, cores[x - 1][0].quanta);
  }
}

// A hole that ends says nothing of what comes below.
TEST(Boreholes, BelowItsEndAHoleIsNoAbsence) {
  const LayerShape shape = shape_of(3, 1, 10);
  const std::vector<Stack> cores = interpolate_boreholes(
      shape, {hole("shallow", 5, 5, {{clay, 3}}), hole("deep", 25, 5, {{clay, 5}, {rock, 7}})});
  EXPECT_EQ(cores[0], (Stack{{clay, 3072}, {rock, 7168}}));
  EXPECT_EQ(cores[1], (Stack{{clay, 4096}, {rock, 7168}}));
}

TEST(Boreholes, BadOnesAreRefusedInOneLine) {
  const LayerShape shape = shape_of(4, 4, 10);
  const auto said = [&](const std::vector<Borehole>& holes) -> std::string {
    try {
      interpolate_boreholes(shape, holes);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  const Borehole good = hole("good", 5, 5, {{clay, 3}});
  Borehole overlap = hole("x", 15, 5, {{clay, 3}, {rock, 2}}), gap = overlap, upside = overlap;
  overlap.intervals[1].from = 2;
  gap.intervals[1].from = 4;
  upside.intervals[0].to = -1;
  EXPECT_NE(said({good, overlap}).find("x.csv:1: borehole 'x': from 2 m overlaps"),
            std::string::npos);
  EXPECT_NE(said({good, gap}).find("nothing between 3 and 4 m"), std::string::npos);
  EXPECT_NE(said({good, upside}).find("expected a thickness above 0"), std::string::npos);
  EXPECT_NE(said({good, hole("far", 45, 5, {{clay, 1}})}).find("expected 0 to 40 m"),
            std::string::npos);
  EXPECT_NE(said({good, hole("same", 6, 7, {{clay, 1}})}).find("in the cell of 'good'"),
            std::string::npos);
  EXPECT_NE(said({}).find("at least one"), std::string::npos);
  Borehole high = good;
  high.z = 100;
  EXPECT_THROW(ground_of_boreholes(shape, {high, hole("low", 15, 5, {{clay, 1}})}), UsageError);
  EXPECT_NEAR(ground_of_boreholes(shape, {high})[3], 100, 1e-4);
}

// Wherever in its cell it lies, and others near it.
TEST(Boreholes, TheGroundOfAHoleIsItsOwn) {
  const LayerShape shape = shape_of(4, 3, 10);
  Borehole low = hole("low", 10.5, 10.5, {{clay, 1}}), high = hole("high", 9, 9, {{clay, 1}});
  low.z = 1, high.z = 50;
  const std::vector<float> ground = ground_of_boreholes(shape, {low, high});
  EXPECT_EQ(ground[borehole_cell(shape, low)], 1);
  EXPECT_EQ(ground[borehole_cell(shape, high)], 50);
  // One that lies outside is told later.
  Borehole far = low;
  far.x = -5;
  EXPECT_EQ(ground_of_boreholes(shape, {far, high}).size(), 12U);
}

}  // namespace
}  // namespace scree
