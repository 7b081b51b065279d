#include "render/ground/cliffs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "render/ground/ground_maps.h"

namespace scree::render {
namespace {

constexpr int side = 128;
constexpr double middle = 0.5 * (side - 1), radius = 44.8, high = 40;

// Level ground with a block on it, cells of 1 m.
Ground block_where(const std::function<bool(double, double)>& inside) {
  Ground ground{side, side, 1, 1};
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      ground.bed.push_back(inside(x - middle, middle - y) ? static_cast<float>(high) : 0.0f);
  return ground;
}

Ground tower() {
  return block_where([](double x, double y) { return std::hypot(x, y) < radius; });
}

struct Place {
  double x, y;  // east and north of the middle
};

Place place_of(const CliffCell& cliff, double moved) {
  const std::uint32_t x = cliff.index % side, y = cliff.index / side;
  return {x - middle + moved * static_cast<double>(cliff.up_east),
          middle - y + moved * static_cast<double>(cliff.up_north)};
}

// How far cells are from where a wall between two rows of them would be, at most, and in the mean.
struct Off {
  double most = 0, squares = 0, count = 0;
  void add(double off) {
    most = std::max(most, std::abs(off));
    squares += off * off;
    ++count;
  }
  double mean() const { return std::sqrt(squares / count); }
};

TEST(Cliffs, ACurveOfStepsIsRound) {
  const GroundMaps maps = ground_maps(tower(), {});
  Off before, after;
  for (const CliffCell& cliff : maps.cliffs) {
    const double wanted = radius + (cliff.upper ? -0.5 : 0.5);
    const auto off = [&](double moved) {
      const Place at = place_of(cliff, moved);
      return std::hypot(at.x, at.y) - wanted;
    };
    before.add(off(0));
    after.add(off(static_cast<double>(cliff.moved)));
  }
  EXPECT_GT(before.most, 0.75);
  EXPECT_LT(after.most, 0.35);
  EXPECT_LT(after.mean(), 0.35 * before.mean());
  EXPECT_GT(after.count, 4 * std::numbers::pi * radius);  // both edges, all around
}

TEST(Cliffs, StraightWallsAndTheirCornersStayWhereTheyAre) {
  const auto square = [](double x, double y) { return std::max(std::abs(x), std::abs(y)) < 30; };
  const auto notched = [&](double x, double y) { return square(x, y) && (x < 0 || y < 0); };
  const GroundMaps maps = ground_maps(block_where(notched), {});
  EXPECT_GT(maps.cliffs.size(), 400u);
  for (const CliffCell& cliff : maps.cliffs)
    EXPECT_NEAR(cliff.moved, 0, 0.03) << cliff.index % side << ", " << cliff.index / side;
}

TEST(Cliffs, SlopesAndBordersHaveNone) {
  Ground ground{side, side, 1, 1};
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) ground.bed.push_back(static_cast<float>(1.5 * x + 0.7 * y));
  EXPECT_TRUE(ground_maps(ground, {}).cliffs.empty());
  const auto half = [](double x, double y) { return 3 * x + y > 0; };
  for (const CliffCell& cliff : ground_maps(block_where(half), {}).cliffs) {
    EXPECT_GT(cliff.index / side, 0u);
    EXPECT_LT(cliff.index / side, side - 1u);
  }
}

// Walls of holes stand where their cells are.
TEST(Cliffs, NoneIsBesideAHole) {
  Ground ground = tower();
  for (int y = 0; y < side; ++y)
    for (int x = 100; x < 103; ++x)
      ground.bed[static_cast<std::size_t>(side * y + x)] = std::numeric_limits<float>::quiet_NaN();
  const GroundMaps maps = ground_maps(ground, {});
  EXPECT_GT(maps.cliffs.size(), 300u);
  for (const CliffCell& cliff : maps.cliffs)
    EXPECT_TRUE(cliff.index % side < 99 || cliff.index % side > 103) << cliff.index % side;
}

TEST(Cliffs, TheirEdgesFaceAsTheCurveDoes) {
  const GroundMaps maps = ground_maps(tower(), {});
  for (const CliffCell& cliff : maps.cliffs) {
    const float* light = &maps.light[4 * static_cast<std::size_t>(cliff.index)];
    const double rise = std::hypot(static_cast<double>(light[0]), static_cast<double>(light[1]));
    if (rise < 1) continue;  // behind the edge
    const Place at = place_of(cliff, 0);
    const double inward =
        -(static_cast<double>(light[0]) * at.x + static_cast<double>(light[1]) * at.y) /
        (rise * std::hypot(at.x, at.y));
    EXPECT_GT(inward, std::cos(12 * std::numbers::pi / 180)) << at.x << ", " << at.y;
  }
}

// Steps hide neither the sun nor the sky from each other.
TEST(Cliffs, TheRimAndTheFootOfALitWallAreLit) {
  Look look;
  look.sun_azimuth = 250;
  look.sun_altitude = 30;
  const GroundMaps maps = ground_maps(tower(), look);
  const double sun = look.sun_azimuth * std::numbers::pi / 180;
  double least = 1, most = 0;
  for (const CliffCell& cliff : maps.cliffs) {
    if (cliff.share < 1) continue;
    const Place at = place_of(cliff, 0);
    const double facing = (at.x * std::sin(sun) + at.y * std::cos(sun)) / std::hypot(at.x, at.y);
    const float* light = &maps.light[4 * static_cast<std::size_t>(cliff.index)];
    if (cliff.upper || facing > 0.1) {
      EXPECT_LT(static_cast<double>(light[3]), 0.5) << at.x << ", " << at.y;
    }
    if (cliff.upper) continue;
    if (facing < -0.4) {
      EXPECT_GT(static_cast<double>(light[3]), 0.6) << at.x << ", " << at.y;
    }
    least = std::min(least, static_cast<double>(light[2]));
    most = std::max(most, static_cast<double>(light[2]));
  }
  EXPECT_LT(most - least, 0.12);
}

// ---- shadows

constexpr double altitude = 30, edge_slant = 0.37;

// Row by row, where the shadow ends: between which columns, by their horizons.
double edge_in(const std::vector<float>& sun, int y) {
  const double horizon = std::tan(altitude * std::numbers::pi / 180);
  for (int x = 0; x + 1 < side; ++x) {
    const auto at = [&](int i) {
      return static_cast<double>(sun[static_cast<std::size_t>(side * y + i)]);
    };
    if (at(x) > horizon && at(x + 1) <= horizon) return x + (at(x) - horizon) / (at(x) - at(x + 1));
  }
  return -1;
}

TEST(SunReach, ASlantingShadowHasNoTeeth) {
  std::vector<float> sun;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) sun.push_back(x < 30.2 + edge_slant * y ? 20.0f : 0.0f);
  const auto off = [&](const std::vector<float>& field) {
    double least = side, most = -side;
    for (int y = 5; y < side - 5; ++y) {
      const double past = edge_in(field, y) - edge_slant * y;
      least = std::min(least, past);
      most = std::max(most, past);
    }
    return most - least;
  };
  EXPECT_GT(off(sun), 0.9);
  const SunReach reach(altitude, 1.6);
  reach.keep_within(sun);
  reach.even(sun, side, side, {});
  EXPECT_LT(off(sun), 0.62);
}

TEST(SunReach, HorizonsThatChangeSlowlyAreAsTheyWere) {
  std::vector<float> sun;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) sun.push_back(0.4f + 0.003f * static_cast<float>(x));
  const std::vector<float> before = sun;
  const SunReach reach(altitude, 1.6);
  reach.keep_within(sun);
  reach.even(sun, side, side, {});
  EXPECT_EQ(sun, before);
}

}  // namespace
}  // namespace scree::render
