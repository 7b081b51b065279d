// Water fills caves that open to it, stands level in all that is joined, and is never lost.
#include "process/layers/cave_water.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "cave_reference.h"
#include "kernel/common/random.h"
#include "kernel/layers/caves.h"
#include "process/core/registry.h"
#include "process/layers/layer_simulation.h"
#include "process/layers/layer_water.h"
#include "testing.h"

namespace scree {
namespace {

enum : int { rock = 1, sand = 2, water = 3 };
std::vector<Material> ground() {
  std::vector<Material> m(3);
  m[0].name = "rock", m[0].talus = 85, m[0].strength = 0, m[0].erodibility = 0;
  m[0].cohesion = 1e9;
  m[1].name = "sand", m[1].talus = 33, m[1].strength = 0.9, m[1].loose = true, m[1].cohesion = 0;
  m[2].name = "water", m[2].talus = 0, m[2].strength = 1, m[2].loose = m[2].fluid = true;
  m[2].erodibility = 0, m[2].cohesion = 0, m[2].density = 1000;
  return m;
}

LayerShape shape_of(int width, int height) {
  LayerShape shape;
  shape.width = width, shape.height = height;
  return shape;
}

ProcessSet still_water() {
  ProcessSet set;
  set.use("water", "rain", 0.0);
  return set;
}

const LayerWater& water_of(const LayerSimulation& simulation) {
  return dynamic_cast<const LayerWater&>(*simulation.processes().front());
}

// Height of the water in the lowest gap of a stack, and its depth.
struct Pool {
  int level = 0, depth = 0;
};
Pool pool_of(const Stack& stack) {
  int level = 0;
  for (const Layer& layer : stack) {
    level += layer.quanta;
    if (layer.material == water) return {level, layer.quanta};
    if (layer.material == 0) return {level - layer.quanta, 0};
  }
  return {level, 0};
}

std::vector<Stack> random_caves(const LayerShape& shape, std::uint32_t seed) {
  std::vector<Stack> stacks;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      std::uint32_t h = cell_hash(seed, x, y);
      Stack stack;
      const int layers = static_cast<int>(h % 7);
      for (int k = 0; k < layers; ++k) {
        h = mix_bits(h + 1);
        stack.push_back({static_cast<int>(h % 5 % 4), 1 + static_cast<int>(h >> 8 & 63)});
      }
      if (h % 4 != 0) stack.push_back({rock, 3});
      stacks.push_back(stack);
    }
  return stacks;
}

bool in_order(const Stack& stack) {
  for (std::size_t k = 0; k + 1 < stack.size(); ++k) {
    const int lower = stack[k].material, upper = stack[k + 1].material;
    if ((lower == 0 && upper == water) || (lower == water && upper == sand)) return false;
  }
  return true;
}

// cave_even has no way to refuse, since its two ends are far apart: whatever it may do to the gaps
// of a column that is as full as can be, the column stays as it can be kept.
TEST(CaveWater, BodiesNeverNeedMoreLayersThanThereAre) {
  const Grid g{1, 1, 32, 0, 0, 0, 0, 1, 1};
  std::vector<int> surface(1024, 0);
  const std::vector<int> cells{0};
  long long ends = 0;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    LayerStack own{}, next{};
    std::uint32_t h = mix_bits(seed);
    for (; own.count < LAYERS_MOST; ++own.count) {
      // Any order of air and water in a gap, and gaps that have but one of them.
      h = mix_bits(h + 1);
      const std::uint32_t kind = h % 3 == 0 ? 0 : h % 3 == 1 ? water : rock;
      const std::uint32_t below = own.count > 0 ? layer_material(own.words[own.count - 1]) : 99;
      own.words[own.count] = layer_word(kind == below ? (kind + 1) % 2 : kind, 1 + h % 50);
    }
    own.words[LAYERS_MOST - 1] = layer_word(sand, 3);
    const Caves p{{1, 1, LAYERS_MOST, 0, 0}, 0, 1, water};
    const std::vector<std::uint32_t> words(own.words, own.words + LAYERS_MOST);
    std::vector<CaveGap> gaps(CAVE_GAPS);
    std::vector<CaveBody> bodies(CAVE_GAPS);
    cave_gaps_cell(0, 0, g, p, cells.data(), words.data(), surface.data(), gaps.data(),
                   bodies.data());
    for (std::size_t j = 0; !gap_is_sky(gaps[j]); ++j) {
      if (bodies[j].high_at < 0) continue;
      ++ends;
      h = mix_bits(h + 1);
      const int size = gaps[j].high - gaps[j].low;
      gaps[j].water = h % 4 == 0 ? 0 : h % 4 == 1 ? size : static_cast<int>(h >> 4) % (size + 1);
    }
    stack_refilled(&own, p, gaps.data(), &next);
    ASSERT_LE(next.count, LAYERS_MOST) << seed;
    ASSERT_EQ(top_of(next.words, next.count).height, top_of(own.words, own.count).height) << seed;
  }
  EXPECT_GT(ends, 1000) << "gaps with water and air are what it is about";
}

TEST(CaveWater, AgreesWithEveryPairAndBodyByItself) {
  LayerShape closed = shape_of(13, 9), odd = shape_of(9, 7), even = shape_of(8, 2);
  odd.wrap_x = odd.wrap_y = even.wrap_x = even.wrap_y = true;
  long long joined = 0;
  for (const LayerShape& shape : {closed, odd, even, shape_of(1, 6)})
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
      Layers layers(testing::cpu(), shape, ground());
      layers.set_stacks(random_caves(shape, seed));
      const auto process = make_layer_water(still_water());
      auto& flow = dynamic_cast<LayerWater&>(*process);
      testing::Wet expected{layers.stacks(), std::vector<int>(shape.cells())};
      expected = testing::tidied_naively(layers.materials(), expected);
      const auto caves = std::make_unique<CaveWater>(
          layers, hollow_cells(layers, water, {.width = shape.width, .height = shape.height}),
          water);
      flow.prepare(layers);
      ASSERT_EQ(layers.stacks(), expected.stacks);
      Heightfield& surface = flow.surface();
      for (int step = 0; step < 20; ++step) {
        ASSERT_EQ(surface.raw("water"), expected.water) << step;
        // Rain here and there.
        for (std::size_t i = 0; i < expected.water.size(); ++i)
          if (cell_hash(seed, static_cast<int>(i), step) % 5 == 0) expected.water[i] += 40;
        expected = testing::tidied_naively(layers.materials(), expected);
        caves->tidy(layers);
        for (const Stack& stack : layers.stacks()) EXPECT_TRUE(in_order(stack));
        // Water that has come to lie on top joins that of the surface, as before every flow step.
        layers.set_stacks(expected.stacks);
        surface.field("water").upload(layers.device(), surface.grid(), expected.water);
        const testing::Wet before = expected;
        const auto turn = static_cast<std::uint64_t>(step);
        expected = testing::levelled_naively(shape, layers.materials(), expected, turn);
        caves->level(layers, surface, turn);
        ASSERT_EQ(layers.stacks(), expected.stacks) << step << ", seed " << seed;
        joined += before.stacks != expected.stacks;
      }
    }
  EXPECT_GT(joined, 100);
}

// A basin from x = 0 to 7; beside it a cave from x = 8 to 15 under rock, its floor `step` lower.
std::vector<Stack> lake_and_cave(const LayerShape& shape, int lake, int inside) {
  std::vector<Stack> stacks;
  for (int i = 0; i < shape.width * shape.height; ++i) {
    const int x = i % shape.width, y = i / shape.width;
    const bool wall = x == 0 || y == 0 || x >= 16 || y == shape.height - 1;
    if (wall)
      stacks.push_back({{rock, 9000}});
    else if (x < 8)
      stacks.push_back({{rock, 2000}, {water, lake}});
    else
      stacks.push_back({{rock, 1000}, {water, inside}, {0, 5000 - inside}, {rock, 3000}});
  }
  return stacks;
}

TEST(CaveWater, ACaveBesideALakeFillsToItsLevel) {
  const LayerShape shape = shape_of(18, 6);
  Layers layers(testing::cpu(), shape, ground());
  layers.set_stacks(lake_and_cave(shape, 5000, 0));
  ProcessSet calmed = still_water();
  calmed.use("water", "dampening", 0.05);
  LayerSimulation simulation(layers, make_processes<LayerProcess>(calmed));
  simulation.run(2000);
  EXPECT_EQ(simulation.ledger().error(), 0);
  const std::vector<Stack> after = layers.stacks();
  const std::vector<int> depth = water_of(simulation).surface().raw("water");
  // 28 columns of lake gave to 32 of cave, whose floor is lower.
  const double level = (28.0 * 7000 + 32 * 1000) / 60;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const int x = static_cast<int>(i) % 18, y = static_cast<int>(i) / 18;
    if (x == 0 || y == 0 || x >= 16 || y == 5) continue;
    const double here = x < 8 ? 2000 + depth[i] : pool_of(after[i]).level;
    // On the lake ripples of a few quanta die down slowly.
    EXPECT_NEAR(here, level, x < 8 ? 12 : 3) << x << ", " << y;
  }
}

TEST(CaveWater, RestsWhereItStandsLevel) {
  const LayerShape shape = shape_of(18, 6);
  Layers layers(testing::cpu(), shape, ground());
  layers.set_stacks(lake_and_cave(shape, 2500, 3500));
  LayerSimulation simulation(layers, make_processes<LayerProcess>(still_water()));
  const auto before = simulation.hashes();
  simulation.run(500);
  EXPECT_EQ(simulation.hashes(), before);
  EXPECT_GT(layers.totals()[water], 0);
}

// Two shafts, and a gallery deep below that joins them and is full: what stands in one pushes up
// the other, though the gallery itself has no room for anything.
std::vector<Stack> two_shafts(const LayerShape& shape, int west, int east) {
  std::vector<Stack> stacks;
  for (int i = 0; i < shape.width * shape.height; ++i) {
    const int x = i % shape.width, last = shape.width - 1;
    if (i / shape.width != 1)
      stacks.push_back({{rock, 20000}});
    else if (x == 0 || x == last)
      stacks.push_back({{rock, 1000}, {water, x == 0 ? west : east}});
    else
      stacks.push_back({{rock, 1000}, {water, 500}, {rock, 18500}});
  }
  return stacks;
}

TEST(CaveWater, VesselsThatAreJoinedStandLevel) {
  const LayerShape shape = shape_of(23, 3);
  for (const auto& [west, east] : {std::pair{16000, 700}, {3, 15000}}) {
    Layers layers(testing::cpu(), shape, ground());
    layers.set_stacks(two_shafts(shape, west, east));
    LayerSimulation simulation(layers, make_processes<LayerProcess>(still_water()));
    simulation.run(1500);
    EXPECT_EQ(simulation.ledger().error(), 0);
    const std::vector<int> depth = water_of(simulation).surface().raw("water");
    const int first = depth[23], last = depth[45];
    EXPECT_LE(std::abs(first - last), 1) << first << ", " << last;
    EXPECT_EQ(first + last, west + east);
    const auto rests = simulation.hashes();
    simulation.run(100);
    EXPECT_EQ(simulation.hashes(), rests);
  }
}

// What opens nowhere neither takes nor gives.
TEST(CaveWater, ASealedCaveStaysAsItIs) {
  const LayerShape shape = shape_of(7, 7);
  Layers layers(testing::cpu(), shape, ground());
  std::vector<Stack> stacks(49, Stack{{rock, 9000}});
  stacks[24] = {{rock, 1000}, {0, 4000}, {rock, 4000}};
  stacks[9] = {{rock, 1000}, {water, 1234}, {0, 2000}, {rock, 4766}};
  stacks[10] = {{rock, 1000}, {water, 1234}, {0, 100}, {rock, 6666}};
  stacks[38] = {{rock, 1000}, {water, 4000}, {rock, 4000}};
  layers.set_stacks(stacks);
  ProcessSet set;
  set.use("water", "rain", 1e-4).use("slippage");
  LayerSimulation simulation(layers, make_processes<LayerProcess>(set));
  simulation.run(10000);
  EXPECT_EQ(layers.stacks(), stacks);
  EXPECT_EQ(simulation.ledger().error(), 0);
}

// When the level of a lake falls below a cave's floor, the cave drains to it.
TEST(CaveWater, ACaveDrainsOverItsSill) {
  const LayerShape shape = shape_of(9, 3);
  Layers layers(testing::cpu(), shape, ground());
  std::vector<Stack> stacks(27, Stack{{rock, 9000}});
  for (std::size_t x = 1; x < 4; ++x) stacks[9 + x] = {{rock, 100}};
  for (std::size_t x = 4; x < 8; ++x)
    stacks[9 + x] = {{rock, 3000}, {water, 1000}, {0, 1000}, {rock, 2000}};
  stacks[9 + 6][0].quanta = 2400, stacks[9 + 6][1].quanta = 1600;  // a pool in its floor
  layers.set_stacks(stacks);
  LayerSimulation simulation(layers, make_processes<LayerProcess>(still_water()));
  simulation.run(600);
  EXPECT_EQ(simulation.ledger().error(), 0);
  const std::vector<Stack> after = layers.stacks();
  // A film of a quantum a column, of which the last may not know that it could run, is left.
  for (const std::size_t x : {4U, 5U, 7U}) EXPECT_LE(pool_of(after[9 + x]).depth, 4) << x;
  EXPECT_NEAR(pool_of(after[9 + 6]).depth, 600, 4);
  EXPECT_GT(water_of(simulation).surface().sum("water"), 3900);
}

// A roof that comes down into water lifts it to the new surface; none is lost.
TEST(CaveWater, ARoofFallsIntoTheWater) {
  std::vector<Material> materials = ground();
  materials[0].cohesion = 0;
  materials[0].dust = sand;
  const LayerShape shape = shape_of(5, 5);
  Layers layers(testing::cpu(), shape, materials);
  std::vector<Stack> stacks(25, Stack{{rock, 9000}});
  for (const std::size_t cell : {6U, 7U, 8U, 11U, 12U, 13U, 16U, 17U, 18U})
    stacks[cell] = {{rock, 1000}, {water, 3000}, {0, 1000}, {rock, 2000}};
  layers.set_stacks(stacks);
  ProcessSet set = still_water();
  set.use("slumping");
  LayerSimulation simulation(layers, make_processes<LayerProcess>(set));
  simulation.run(20);
  EXPECT_EQ(simulation.ledger().error(), 0);
  EXPECT_EQ(layers.totals()[0], 0);
  EXPECT_EQ(layers.totals()[water], 0);
  EXPECT_EQ(water_of(simulation).surface().sum("water"), 27000);
}

// What slides into a cave's pool sinks in it: no sand comes to lie on water.
TEST(CaveWater, SandSinks) {
  const LayerShape shape = shape_of(5, 3);
  Layers layers(testing::cpu(), shape, ground());
  std::vector<Stack> stacks(15, Stack{{rock, 9000}});
  for (std::size_t x = 1; x < 4; ++x)
    stacks[5 + x] = {{rock, 100}, {water, 1500}, {0, 4000}, {rock, 3400}};
  stacks[5 + 1] = {{rock, 100}, {sand, 4000}, {0, 1500}, {rock, 3400}};
  layers.set_stacks(stacks);
  ProcessSet set = still_water();
  set.use("slippage", "mixing", 0.0);
  LayerSimulation simulation(layers, make_processes<LayerProcess>(set));
  simulation.run(300);
  EXPECT_EQ(simulation.ledger().error(), 0);
  for (const Stack& stack : layers.stacks())
    for (std::size_t k = 0; k + 1 < stack.size(); ++k)
      EXPECT_FALSE(stack[k].material == water && stack[k + 1].material == sand);
  EXPECT_EQ(layers.totals()[water], 3000);
  EXPECT_LT(layers.stacks()[6][1].quanta, 4000);
}

TEST(CaveWater, SameBitsOnEveryBackendAndAfterAnInterruption) {
  LayerShape shape = shape_of(15, 11);
  shape.wrap_x = true;
  shape.open = true;
  shape.quantum = 1.0 / 64;
  const auto processes = [] {
    ProcessSet set;
    set.use("water", "rain", 2e-2).use("slippage").use("slumping");
    set["slumping"].every = 5;
    return make_processes<LayerProcess>(set);
  };
  std::map<std::string, std::uint64_t> expected;
  for (const testing::Backend& backend : testing::all_backends()) {
    Layers layers(backend.device, shape, ground());
    layers.set_stacks(random_caves(shape, 12));
    LayerSimulation simulation(layers, processes());
    simulation.run(16);
    if (expected.empty()) expected = simulation.hashes();
    EXPECT_EQ(simulation.hashes(), expected) << backend.label;
    EXPECT_EQ(simulation.ledger().error(), 0);
    EXPECT_GT(layers.totals()[water], 0);
  }
  Layers first(testing::cpu(), shape, ground()), second(testing::cpu(), shape, ground());
  first.set_stacks(random_caves(shape, 12));
  LayerSimulation before(first, processes());
  before.run(9);
  second.set_words(first.words());
  LayerSimulation after(second, processes());
  restore_state(after, save_state(before));
  after.run(7);
  EXPECT_EQ(after.hashes(), expected);
}

// No stack begins with a void: water under a roof runs out and leaves them, and sand slides there.
TEST(CaveWater, WhatWaterLeavesEmptyIsACaveOnEveryBackend) {
  const LayerShape shape = shape_of(19, 7);
  std::vector<Stack> stacks;
  for (int i = 0; i < shape.width * shape.height; ++i) {
    const int x = i % shape.width;
    const int pile = i == 3 * shape.width + 6 ? 3000 : 1;
    if (x > 4 && x < 14)
      stacks.push_back({{rock, 3000}, {sand, pile}, {water, 4000 - pile}, {rock, 2000}});
    else
      stacks.push_back({{rock, 500}});
  }
  const auto sand_beside = [&](const Layers& layers) {
    int quanta = 0;
    const Stack stack = layers.stacks()[3 * 19 + 7];
    for (const Layer& layer : stack)
      if (layer.material == sand) quanta += layer.quanta;
    return quanta;
  };
  ProcessSet set = still_water();
  set.use("slippage");
  std::uint64_t expected = 0;
  for (const testing::Backend& backend : testing::all_backends()) {
    Layers layers(backend.device, shape, ground());
    layers.set_stacks(stacks);
    LayerSimulation simulation(layers, make_processes<LayerProcess>(set));
    simulation.run(20);
    if (expected == 0) expected = layers.hash();
    EXPECT_EQ(layers.hash(), expected) << backend.label;
    EXPECT_GT(layers.totals()[0], 0);
    EXPECT_GT(sand_beside(layers), 1) << backend.label;
    EXPECT_EQ(simulation.ledger().error(), 0);
  }
}

}  // namespace
}  // namespace scree
