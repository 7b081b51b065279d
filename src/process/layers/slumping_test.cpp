// Roofs stand as far as they span, and no further; what falls lies below.
#include "process/layers/slumping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "base/error.h"
#include "kernel/common/random.h"
#include "slumping_reference.h"
#include "testing.h"

namespace scree {
namespace {

enum : int { granite = 1, shale = 2, rubble = 3, water = 4 };
std::vector<Material> ground() {
  std::vector<Material> m(4);
  m[0].name = "granite", m[0].cohesion = 2e6, m[0].dust = rubble;
  m[1].name = "shale", m[1].cohesion = 2e5, m[1].density = 2400, m[1].dust = rubble;
  m[2].name = "rubble", m[2].cohesion = 0, m[2].density = 1800, m[2].loose = true;
  m[3].name = "water", m[3].cohesion = 0, m[3].density = 1000, m[3].fluid = true;
  return m;
}

LayerShape shape_of(int width, int height) {
  LayerShape shape;
  shape.width = width, shape.height = height;
  shape.quantum = 1.0 / 64;
  return shape;
}

// Columns that fall in one step.
long long step(Slumping& slumping, Layers& layers) {
  const long long before = slumping.counts().at("columns_fallen");
  slumping.run(layers, {});
  return slumping.counts().at("columns_fallen") - before;
}
long long falls_in_one_step(Layers& layers) {
  Slumping slumping;
  slumping.prepare(layers);
  return step(slumping, layers);
}

constexpr int floor_quanta = 200, hollow = 300;

// A plain of granite under a roof; `open` says which cells have a void below it.
Layers cave(const device::DevicePtr& device, const LayerShape& shape, int roof,
            const std::function<bool(int, int)>& open) {
  std::vector<Stack> stacks;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      if (open(x, y))
        stacks.push_back({{granite, floor_quanta}, {0, hollow}, {shale, roof}});
      else
        stacks.push_back({{granite, floor_quanta + hollow}, {shale, roof}});
    }
  Layers layers(device, shape, ground());
  layers.set_stacks(stacks);
  return layers;
}

// The thickness, in quanta, of which a shale roof just stands this many metres from its support.
int thickness_for(double metres) {
  const Material m = ground()[shale - 1];
  return static_cast<int>(
      std::ceil(metres * metres / std::pow(Slumping::span(m, 1), 2) * 64 * (1 + 1e-5)));
}

TEST(Slumping, ARoofOverASlotFallsOnlyWhenItSpansTooFar) {
  const LayerShape shape = shape_of(24, 9);
  // From the face of the wall to the middle of a slot of 11 cells there are 5.5 m.
  const auto slot = [](int x, int) { return x >= 6 && x < 17; };
  const int roof = thickness_for(5.5);
  Layers stands = cave(testing::cpu(), shape, roof, slot);
  const std::uint64_t before = stands.hash();
  EXPECT_EQ(falls_in_one_step(stands), 0);
  EXPECT_EQ(stands.hash(), before);

  Layers falls = cave(testing::cpu(), shape, roof - 1, slot);
  Slumping slumping;
  slumping.prepare(falls);
  EXPECT_EQ(step(slumping, falls), 9) << "the slot's middle, and nothing else";
  const std::vector<Stack> after = falls.stacks();
  for (int x = 0; x < 24; ++x) {
    const Stack& s = after[static_cast<std::size_t>(4 * 24 + x)];
    if (x == 11)
      EXPECT_EQ(s, (Stack{{granite, floor_quanta}, {rubble, roof - 1}})) << "the sky is open";
    else
      EXPECT_EQ(s.back(), (Layer{shale, roof - 1})) << x;
  }
  EXPECT_EQ(step(slumping, falls), 0) << "both halves stand without it";
}

TEST(Slumping, ARoofOverARoundHoleFallsOnlyWhenItSpansTooFar) {
  const LayerShape shape = shape_of(31, 31);
  const auto hole = [](int x, int y) {
    return (x - 15) * (x - 15) + (y - 15) * (y - 15) <= 10 * 10;
  };
  // The wall nearest to the middle is 10 cells away along one axis and 1 along the other.
  const int roof = thickness_for(std::sqrt(9.5 * 9.5 + 0.5 * 0.5));
  Layers stands = cave(testing::cpu(), shape, roof, hole);
  EXPECT_EQ(falls_in_one_step(stands), 0);
  Layers falls = cave(testing::cpu(), shape, roof - 1, hole);
  EXPECT_EQ(falls_in_one_step(falls), 1);
  EXPECT_EQ(falls.stacks()[15 * 31 + 15], (Stack{{granite, floor_quanta}, {rubble, roof - 1}}));
  // Much too thin a roof leaves a ledge around a sinkhole as deep as the hollow was high.
  Layers thin = cave(testing::cpu(), shape, roof / 4, hole);
  EXPECT_GT(falls_in_one_step(thin), 60);
  const std::vector<float> heights = thin.heights();
  EXPECT_EQ((heights[0] - heights[15 * 31 + 15]) * 64, static_cast<float>(hollow));
  EXPECT_EQ(heights[15 * 31 + 6], heights[0]);
  EXPECT_EQ(thin.stacks()[15 * 31 + 6].size(), 3U) << "the ledge is hollow";
}

using Open = std::function<bool(int, int)>;

// Metres from the middle of a cell to the nearest point of a cell that is not open.
double to_the_face(const LayerShape& shape, const Open& open, int x, int y) {
  double least = 1e30;
  for (int v = 0; v < shape.height; ++v)
    for (int u = 0; u < shape.width; ++u) {
      const double dx = std::max(std::abs(u - x) - 0.5, 0.0) * shape.dx;
      const double dy = std::max(std::abs(v - y) - 0.5, 0.0) * shape.dy;
      if (!open(u, v)) least = std::min(least, dx * dx + dy * dy);
    }
  return std::sqrt(least);
}

// What falls is what is farther from a face than its roof spans, cell by cell.
void expect_falls_beyond_its_span(const LayerShape& shape, const Open& open,
                                  const std::string& which) {
  double farthest = 0;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x)
      if (open(x, y)) farthest = std::max(farthest, to_the_face(shape, open, x, y));
  const int least = thickness_for(farthest);
  for (const int roof : {least / 9 + 1, least / 3 + 1, least - 1, least}) {
    const double spans = Slumping::span(ground()[shale - 1], roof / 64.0);
    Layers layers = cave(testing::cpu(), shape, roof, open);
    const long long fallen = falls_in_one_step(layers);
    EXPECT_EQ(fallen > 0, roof < least) << which << ", " << roof;
    const std::vector<Stack> after = layers.stacks();
    for (int y = 0; y < shape.height; ++y)
      for (int x = 0; x < shape.width; ++x) {
        const bool falls = after[static_cast<std::size_t>(y * shape.width + x)].back().material !=
                           static_cast<int>(shale);
        const double distance = open(x, y) ? to_the_face(shape, open, x, y) : 0;
        ASSERT_EQ(falls, distance > spans) << which << ", " << roof << ": " << x << ", " << y
                                           << " is " << distance << " m away, spans " << spans;
      }
  }
}

TEST(Slumping, RoofsOnCellsOfAnyShapeFallExactlyBeyondTheirSpan) {
  for (const auto& [dx, dy] :
       {std::pair{1.0, 1.0}, {4.0, 1.0}, {1.0, 4.0}, {2.0, 1.0}, {1.0, 1.5}}) {
    LayerShape shape = shape_of(31, 29);
    shape.dx = dx, shape.dy = dy;
    const std::string cells = text(dx, " x ", dy, ", ");
    for (const int wide : {1, 4, 9}) {
      expect_falls_beyond_its_span(
          shape, [=](int x, int) { return x >= 8 && x < 8 + wide; }, text(cells, "x ", wide));
      expect_falls_beyond_its_span(
          shape, [=](int, int y) { return y >= 8 && y < 8 + wide; }, text(cells, "y ", wide));
      expect_falls_beyond_its_span(
          shape, [=](int x, int y) { return std::abs(x - y) < wide; }, text(cells, "xy ", wide));
    }
    const auto round = [dx = dx, dy = dy](int x, int y) {
      return std::pow((x - 15) * dx, 2) + std::pow((y - 14) * dy, 2) < 150;
    };
    expect_falls_beyond_its_span(shape, round, text(cells, "round"));
    for (std::uint32_t seed = 1; seed <= 4; ++seed)
      expect_falls_beyond_its_span(
          shape, [=](int x, int y) { return cell_hash(seed, x, y) % 60 != 0; },
          text(cells, "pillars ", seed));
  }
}

// A ledge that leads along a wall, at some distance from it, hangs at the end of its own length.
TEST(Slumping, AWayRoundCountsByItsLength) {
  for (const double dy : {1.0, 2.0}) {
    LayerShape shape = shape_of(16, 5);
    shape.dy = dy;
    const auto ledge = [](int x, int y) {
      return (y == 1 && x >= 1 && x <= 12) || (y == 2 && x == 12) || (y == 3 && x >= 1 && x <= 12);
    };
    const auto made = [&](int roof) {
      std::vector<Stack> stacks;
      for (int y = 0; y < shape.height; ++y)
        for (int x = 0; x < shape.width; ++x)
          stacks.push_back(x == 0 && y < 2 ? Stack{{granite, floor_quanta + hollow + roof}}
                           : ledge(x, y)
                               ? Stack{{granite, floor_quanta}, {0, hollow}, {shale, roof}}
                               : Stack{{granite, floor_quanta}});
      Layers layers(testing::cpu(), shape, ground());
      layers.set_stacks(stacks);
      return layers;
    };
    // To the end at (1, 3): from the face out to (11, 1), two diagonals, and back.
    const double whole = 10.5 + 2 * std::sqrt(1 + dy * dy) + 10, detour = dy > 1 ? 1.176 : 1.083;
    Layers stands = made(thickness_for(whole));
    EXPECT_EQ(falls_in_one_step(stands), 0) << dy;
    Layers falls = made(thickness_for(whole / detour * 0.99));
    EXPECT_GE(falls_in_one_step(falls), 1) << dy;
    EXPECT_EQ(falls.stacks()[3 * 16 + 1].size(), 2U) << dy;
    EXPECT_EQ(falls.stacks()[1 * 16 + 12].size(), 3U) << dy;
  }
}

TEST(Slumping, StrongLayersStandWhereWeakOnesBelowThemFall) {
  const LayerShape shape = shape_of(15, 1);
  std::vector<Stack> stacks;
  for (int x = 0; x < 15; ++x) {
    const bool open = x > 0 && x < 14;
    stacks.push_back({{granite, 100}, {open ? 0 : granite, 400}, {shale, 600}, {granite, 120}});
  }
  Layers layers(testing::cpu(), shape, ground());
  layers.set_stacks(stacks);
  EXPECT_GT(falls_in_one_step(layers), 0);
  EXPECT_EQ(layers.stacks()[7], (Stack{{granite, 100}, {rubble, 600}, {0, 400}, {granite, 120}}));
}

TEST(Slumping, StacksOfCavesFallThroughAndWaterRises) {
  const LayerShape shape = shape_of(1, 1);
  Layers layers(testing::cpu(), shape, ground());
  // Nothing holds any of it.
  layers.set_stacks({{{granite, 10},
                      {water, 7},
                      {0, 20},
                      {shale, 30},
                      {0, 40},
                      {granite, 50},
                      {water, 3},
                      {0, 5},
                      {shale, 6}}});
  EXPECT_EQ(falls_in_one_step(layers), 1);
  EXPECT_EQ(layers.stacks()[0], (Stack{{granite, 10}, {rubble, 86}, {water, 10}}));
}

std::vector<Stack> random_caves(const LayerShape& shape, std::uint32_t seed) {
  std::vector<Stack> stacks;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      std::uint32_t h = cell_hash(seed, x, y);
      Stack stack;
      if ((h & 3) != 0) stack.push_back({granite, static_cast<int>(h >> 8 & 255) + 1});
      for (int k = 0; k < static_cast<int>(h >> 28) % 9; ++k) {
        h = mix_bits(h + 1);
        stack.push_back({static_cast<int>(h % 5), static_cast<int>(h >> 8 & 127) + 1});
      }
      stacks.push_back(stack);
    }
  return stacks;
}

TEST(Slumping, AgreesWithSlabsThatAreListed) {
  for (const bool wrap : {false, true})
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
      LayerShape shape = shape_of(11 + static_cast<int>(seed) % 3, 9);
      shape.wrap_x = shape.wrap_y = wrap;
      shape.dy = seed % 2 == 0 ? 1.25 : 3;
      Layers layers(testing::cpu(), shape, ground());
      layers.set_stacks(random_caves(shape, seed));
      Slumping slumping;
      slumping.prepare(layers);
      for (int turn = 0; turn < 4; ++turn) {
        const std::vector<Stack> expected = testing::slumped_naively(
            shape, layers.stacks(), Slumping::table(layers), slumping.numbers(layers));
        const std::vector<long long> sums = layers.totals();
        slumping.run(layers, {});
        ASSERT_EQ(layers.stacks(), expected) << seed << ", " << turn;
        const std::vector<long long> now = layers.totals();
        EXPECT_EQ(now[granite] + now[shale] + now[rubble],
                  sums[granite] + sums[shale] + sums[rubble]);
        EXPECT_EQ(now[water], sums[water]);
      }
    }
}

TEST(Slumping, SameBitsOnEveryBackend) {
  const LayerShape shape = shape_of(37, 21);
  std::uint64_t expected = 0;
  for (const testing::Backend& backend : testing::all_backends()) {
    Layers layers(backend.device, shape, ground());
    layers.set_stacks(random_caves(shape, 77));
    Slumping slumping;
    slumping.prepare(layers);
    while (step(slumping, layers) > 0) {
    }
    if (expected == 0) expected = layers.hash();
    EXPECT_EQ(layers.hash(), expected) << backend.label;
  }
}

TEST(Slumping, BadNumbersAreRefused) {
  SlumpingParameters none;
  none.safety = 0;
  EXPECT_THROW(Slumping{none}, UsageError);
}

}  // namespace
}  // namespace scree
