// Ice melts at its rate, by altitude and aspect; every quantum of it is booked.
#include "process/layers/melt.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "process/core/registry.h"
#include "process/layers/layer_simulation.h"
#include "process/layers/layer_water.h"
#include "testing.h"

namespace scree {
namespace {

enum : int { rock = 1, ice = 2, water = 3, snow = 4 };
std::vector<Material> ground() {
  std::vector<Material> m(4);
  m[0].name = "rock", m[0].strength = 0, m[0].talus = 80, m[0].erodibility = 0.5;
  m[1].name = "ice", m[1].melting = 1, m[1].density = 900, m[1].erodibility = 0;
  m[2].name = "water", m[2].fluid = m[2].loose = true, m[2].density = 1000, m[2].talus = 0;
  m[2].erodibility = 0;
  m[3].name = "snow", m[3].melting = 3, m[3].density = 300, m[3].erodibility = 0;
  return m;
}

LayerShape shape_of(int width, int height) {
  LayerShape shape;
  shape.width = width, shape.height = height;
  shape.dx = shape.dy = 10;
  return shape;
}

std::vector<LayerProcessPtr> melting(const MeltParameters& parameters) {
  std::vector<LayerProcessPtr> processes;
  processes.push_back(std::make_unique<Melting>(parameters));
  return processes;
}

SimulationOptions seconds(double dt) {
  SimulationOptions options;
  options.dt = dt;
  return options;
}

TEST(Melt, TakesTheRateAndGivesItsWeightInWater) {
  const LayerShape shape = shape_of(40, 40);
  Layers layers(testing::cpu(), shape, ground());
  std::vector<Stack> stacks;
  for (int i = 0; i < 1600; ++i) {
    if (i % 4 == 0) stacks.push_back({{rock, 50}, {ice, 40000}});
    if (i % 4 == 1) stacks.push_back({{rock, 50}, {ice, 300}, {rock, 5}});
    if (i % 4 == 2) stacks.push_back({{rock, 50}, {0, 70}, {snow, 20}});
    if (i % 4 == 3) stacks.push_back({{ice, 90}, {snow, 40000}, {water, 7}});
  }
  layers.set_stacks(stacks);
  MeltParameters parameters;
  parameters.rate = 0.003;  // 0.307 quanta a step
  LayerSimulation simulation(layers, melting(parameters), seconds(0.1));
  simulation.run(200);
  const LayerLedger ledger = simulation.ledger();
  for (const LayerBalance& balance : ledger.balances)
    EXPECT_EQ(balance.error(), 0) << balance.of[0];
  const double expected = 0.003 * 20 * 1024;
  long long melted = 0, runs = 0, snow_gone = 0;
  const std::vector<Stack> after = layers.stacks();
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (i % 4 == 0) melted += 40000 - after[i][1].quanta, runs += after[i][2].quanta;
    if (i % 4 == 1) {
      EXPECT_EQ(after[i], stacks[i]) << "covered";
    }
    if (i % 4 == 2) {
      EXPECT_EQ(after[i][0], (Layer{rock, 50})) << "the bridge is gone";
      EXPECT_EQ(after[i][1].material, water);
    }
    if (i % 4 == 3) snow_gone += 40000 - after[i][1].quanta;
  }
  EXPECT_NEAR(static_cast<double>(melted) / 400, expected, 0.5);
  EXPECT_NEAR(static_cast<double>(snow_gone) / 400, 3 * expected, 0.5);
  EXPECT_NEAR(static_cast<double>(runs) / static_cast<double>(melted), 0.9, 0.005);
}

// Of what is far heavier than water, more becomes of a step than a layer can hold, and in time more
// than a column can: that melts when there is room.
TEST(Melt, GivesNoMoreThanAColumnHolds) {
  std::vector<Material> heavy = ground();
  heavy[ice - 1].density = 30000, heavy[ice - 1].melting = 1000;
  Layers layers(testing::cpu(), shape_of(3, 2), heavy);
  layers.set_stacks(std::vector<Stack>(6, {{rock, 50}, {ice, 5000000}}));
  MeltParameters parameters;
  parameters.rate = 1;
  LayerSimulation simulation(layers, melting(parameters), seconds(100));
  simulation.run(30);
  EXPECT_EQ(simulation.ledger().error(), 0);
  EXPECT_EQ(layers.totals()[rock], 300);
  const LayerShape& shape = layers.shape();
  for (const float height : layers.heights()) {
    EXPECT_LE((height - shape.datum) / shape.quantum, LAYER_THICKEST);
    EXPECT_GT((height - shape.datum) / shape.quantum, LAYER_THICKEST - 100);
  }
  EXPECT_NO_THROW(layers.set_stacks(layers.stacks())) << "what is left can be read";
  // It has run off.
  std::vector<Stack> stacks = layers.stacks();
  const long long left = layers.totals()[ice];
  for (Stack& stack : stacks) stack.pop_back();
  layers.set_stacks(stacks);
  LayerSimulation(layers, melting(parameters), seconds(100)).run(1);
  EXPECT_LT(layers.totals()[ice], left - 1000000);
}

TEST(Melt, FollowsAltitudeAndSun) {
  // A ridge from west to east: its southern side faces the sun.
  const LayerShape shape = shape_of(5, 41);
  std::vector<Stack> stacks;
  for (int i = 0; i < 205; ++i)
    stacks.push_back({{rock, (20 - std::abs(i / 5 - 20)) * 4000 + 100}, {ice, 200000}});
  const auto melt = [&](const MeltParameters& parameters) {
    Layers layers(testing::cpu(), shape, ground());
    layers.set_stacks(stacks);
    LayerSimulation simulation(layers, melting(parameters), seconds(1));
    simulation.run(100);
    return simulation.processes().front()->values(layers, "melted");
  };
  MeltParameters parameters;
  parameters.rate = 0.01;
  parameters.lapse = 0.01;
  parameters.altitude = 250;
  const std::vector<float> by_height = melt(parameters);
  // The top is at about 273 m, its foot at about 195 m.
  EXPECT_NEAR(by_height[20 * 5 + 2], 1 - 0.01 * (272.9 - 250), 0.03);
  EXPECT_NEAR(by_height[2], 1 - 0.01 * (194.9 - 250), 0.03);
  parameters.lapse = 0;
  parameters.aspect = 1;
  parameters.sun_elevation = 40;
  const std::vector<float> by_sun = melt(parameters);
  const double slope = 4000.0 / 1024 / 10, angle = std::atan(slope), sun = 40 * std::acos(-1) / 180;
  EXPECT_NEAR(by_sun[30 * 5 + 2], std::sin(sun + angle) / std::sin(sun), 0.03);
  EXPECT_NEAR(by_sun[10 * 5 + 2], std::sin(sun - angle) / std::sin(sun), 0.03);
}

// By hand, a cell at a time.
std::vector<Stack> melted_naively(const LayerShape& shape, const std::vector<Stack>& before,
                                  const std::vector<MeltMaterial>& table, const Melt& p) {
  const auto height = [&](int x, int y) {
    int sum = 0;
    for (const Layer& layer : before[static_cast<std::size_t>(y * shape.width + x)])
      sum += layer.quanta;
    return static_cast<float>(sum);
  };
  std::vector<Stack> after = before;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      Stack& stack = after[static_cast<std::size_t>(y * shape.width + x)];
      auto layer = stack.rbegin();
      while (layer != stack.rend() && layer->material == water) ++layer;
      if (layer == stack.rend()) continue;
      const MeltMaterial& m = table[static_cast<std::size_t>(layer->material)];
      if (!(m.melting > 0)) continue;
      const int east = std::min(x + 1, shape.width - 1), west = std::max(x - 1, 0);
      const int south = std::min(y + 1, shape.height - 1), north = std::max(y - 1, 0);
      const float gx = (height(east, y) - height(west, y)) * p.slope_x;
      const float gy = (height(x, south) - height(x, north)) * p.slope_y;
      const float lit =
          std::max(p.sun_z - gx * p.sun_x - gy * p.sun_y, 0.0F) / std::sqrt(1 + gx * gx + gy * gy);
      const float rate = p.rate * std::max(1 - p.lapse * (height(x, y) - p.altitude), 0.0F) *
                         (1 + p.aspect * (lit - 1));
      const std::uint32_t bits = cell_hash(p.step_seed, x, y);
      const int melts = std::min(
          static_cast<int>(std::nearbyint(m.melting * rate + rounding(bits, SCREE_DRAW_A))),
          layer->quanta);
      if (melts <= 0) continue;
      const auto runs = static_cast<int>(
          std::nearbyint(static_cast<float>(melts) * m.water + rounding(bits, SCREE_DRAW_B)));
      layer->quanta -= melts;
      stack.push_back({water, runs});
      // Tidied up: nothing of no thickness, air under water only where rock is under it.
      Stack tidy;
      for (const Layer& l : stack) {
        if (l.quanta == 0) continue;
        while (l.material == water && !tidy.empty() && tidy.back().material == 0) tidy.pop_back();
        if (!tidy.empty() && tidy.back().material == l.material)
          tidy.back().quanta += l.quanta;
        else
          tidy.push_back(l);
      }
      while (!tidy.empty() && tidy.back().material == 0) tidy.pop_back();
      stack = tidy;
    }
  return after;
}

std::vector<Stack> icy(const LayerShape& shape, std::uint32_t seed) {
  std::vector<Stack> stacks;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      const std::uint32_t h = cell_hash(seed, x, y);
      Stack stack{{rock, static_cast<int>(h % 30000)}};
      if (h % 5 == 0) stack.push_back({0, 300});
      if (h % 3 != 0) stack.push_back({ice, static_cast<int>(h >> 10 & 511) + 1});
      if (h % 4 == 0) stack.push_back({snow, static_cast<int>(h >> 12 & 127) + 1});
      if (h % 7 == 0) stack.push_back({rock, 10});
      stacks.push_back(stack);
    }
  return stacks;
}

TEST(Melt, AgreesWithAMeltByHand) {
  const LayerShape shape = shape_of(13, 11);
  Layers layers(testing::cpu(), shape, ground());
  layers.set_stacks(icy(shape, 4));
  MeltParameters parameters;
  parameters.rate = 0.03, parameters.lapse = 0.02, parameters.altitude = 20;
  parameters.aspect = 0.7, parameters.sun_azimuth = 230;
  Melting process(parameters);
  process.prepare(layers);
  for (std::uint64_t step = 0; step < 40; ++step) {
    const StepContext context{0.4, step, 3};
    const std::vector<Stack> expected = melted_naively(
        shape, layers.stacks(), Melting::table(layers), process.numbers(layers, context));
    process.run(layers, context);
    ASSERT_EQ(layers.stacks(), expected) << step;
  }
}

TEST(Melt, RunsAndErodesWithTheSameBitsOnEveryBackend) {
  const LayerShape shape = shape_of(21, 18);
  std::map<std::string, std::uint64_t> expected;
  for (const testing::Backend& backend : testing::all_backends()) {
    Layers layers(backend.device, shape, ground());
    layers.set_stacks(icy(shape, 9));
    ProcessSet set;
    set.use("melt", "rate", 0.01).use("melt", "aspect", 0.5);
    set.use("water", "rain", 0.0).use("hydraulic");
    LayerSimulation simulation(layers, make_processes<LayerProcess>(set));
    simulation.run(25);
    EXPECT_EQ(simulation.ledger().error(), 0);
    EXPECT_EQ(layers.totals()[water], 0) << "it runs on the surface";
    if (expected.empty()) expected = simulation.hashes();
    EXPECT_EQ(simulation.hashes(), expected) << backend.label;
  }
}

TEST(Melt, WantsIceAndWater) {
  std::vector<Material> dry = ground();
  dry[2].fluid = false;
  Layers layers(testing::cpu(), shape_of(1, 1), dry);
  EXPECT_THROW(Melting().prepare(layers), UsageError);
  std::vector<Material> warm = ground();
  warm[1].melting = warm[3].melting = 0;
  Layers other(testing::cpu(), shape_of(1, 1), warm);
  EXPECT_THROW(Melting().prepare(other), UsageError);
}

}  // namespace
}  // namespace scree
