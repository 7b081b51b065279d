// Layers slide to their talus angles, on every surface, and nothing is lost.
#include "process/layers/slippage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/angle.h"
#include "base/error.h"
#include "kernel/common/random.h"
#include "pile.h"
#include "process/layers/layer_simulation.h"
#include "slippage_reference.h"
#include "terrain/layers/materials.h"
#include "testing.h"

namespace scree {
namespace {

enum : int { granite = 1, shale = 2, dust = 3, mud = 4 };
std::vector<Material> ground() {
  return {{"granite", 80, 0, 0, 0, false, {}},
          {"shale", 55, 0.4, 0.002, dust, false, {}},
          {"dust", 33, 0.9, 0, 0, true, {}},
          {"mud", 12, 1, 0, 0, true, {}}};
}

// Stacks of anything on anything, voids too, from hashes alone.
std::vector<Stack> random_stacks(const LayerShape& shape, std::uint32_t seed) {
  std::vector<Stack> stacks;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      std::uint32_t h = cell_hash(seed, x, y);
      Stack stack{{granite, static_cast<int>(h % 3000)}};
      for (int k = 0; k < static_cast<int>(h >> 28) % 6; ++k) {
        h = mix_bits(h + 1);
        const auto thick = static_cast<int>(h >> 8 & 0x1fff);
        stack.push_back({static_cast<int>(h % 5), (h >> 24 & 7) == 0 ? thick % 10 : thick});
      }
      stacks.push_back(stack);
    }
  return stacks;
}

Layers layers_on(const device::DevicePtr& device, const LayerShape& shape,
                 const std::vector<Stack>& stacks) {
  Layers layers(device, shape, ground());
  layers.set_stacks(stacks);
  return layers;
}

LayerShape shape_of(int width, int height, double cell = 1) {
  LayerShape shape;
  shape.width = width, shape.height = height;
  shape.dx = shape.dy = cell;
  return shape;
}

LayerSimulation sliding(Layers& layers, const SlippageParameters& parameters = {}, double dt = 0) {
  std::vector<LayerProcessPtr> processes;
  processes.push_back(std::make_unique<Slippage>(parameters));
  return LayerSimulation(layers, std::move(processes), {.dt = dt});
}

// The numbers of the next step.
Slip next_numbers(const LayerSimulation& simulation, const SlippageParameters& parameters = {}) {
  const StepContext context{1, simulation.steps_done(), SimulationOptions{}.seed};
  return Slippage(parameters).numbers(simulation.terrain(), context);
}

// Chance takes away up to a tenth and adds nothing, as published: half a bell curve.
TEST(Slippage, ChanceTakesAwayUpToItsShare) {
  constexpr int draws = 100000;
  double sum = 0, squares = 0;
  int within = 0;
  for (int i = 0; i < draws; ++i) {
    const double less = 1 - static_cast<double>(scattered(0.1F, cell_hash(3, i, 7)));
    ASSERT_GE(less, 0);
    ASSERT_LE(less, 0.1 + 1e-6);
    sum += less, squares += less * less;
    within += less < 0.1 * 147.8 / 510 ? 1 : 0;
  }
  // Of four draws of 0 to 255 the deviation is 147.8; half of it lies on each side.
  EXPECT_NEAR(std::sqrt(squares / draws), 0.1 * 147.8 / 510, 2e-4);
  EXPECT_NEAR(sum / draws, 0.1 * 147.8 / 510 * std::sqrt(2 / pi), 4e-4);
  EXPECT_NEAR(1.0 * within / draws, 0.67, 0.015);
  EXPECT_EQ(scattered(0, 12345), 1);
}

TEST(Slippage, SameBitsOnEveryBackend) {
  for (const LayerShape& shape :
       {shape_of(1, 1), shape_of(1, 7), shape_of(17, 13), shape_of(40, 24)}) {
    const std::vector<Stack> start = random_stacks(shape, 5);
    std::uint64_t expected = 0;
    for (const testing::Backend& backend : testing::all_backends()) {
      Layers layers = layers_on(backend.device, shape, start);
      sliding(layers).run(40);
      if (expected == 0) expected = layers.hash();
      EXPECT_EQ(layers.hash(), expected) << backend.label << ", " << shape.width;
    }
  }
}

TEST(Slippage, AgreesWithAListOfTransfers) {
  for (const bool wrap : {false, true}) {
    LayerShape shape = shape_of(13, 11);
    shape.wrap_x = shape.wrap_y = wrap;
    shape.dy = wrap ? 2.5 : 1;
    Layers layers = layers_on(testing::cpu(), shape, random_stacks(shape, 3));
    LayerSimulation slippage = sliding(layers);
    const std::vector<LayerMaterial> table = Slippage::table(layers);
    for (int step = 0; step < 60; ++step) {
      const std::vector<Stack> expected =
          testing::slipped_naively(shape, layers.stacks(), table, next_numbers(slippage));
      slippage.step();
      ASSERT_EQ(layers.stacks(), expected) << step;
    }
  }
}

// On the CPU as the list of transfers says, and the same bits everywhere else.
void expect_as_listed(const LayerShape& shape, const std::vector<Stack>& start, int steps) {
  Layers layers = layers_on(testing::cpu(), shape, start);
  LayerSimulation slippage = sliding(layers);
  const std::vector<LayerMaterial> table = Slippage::table(layers);
  for (int step = 0; step < steps; ++step) {
    const std::vector<Stack> expected =
        testing::slipped_naively(shape, layers.stacks(), table, next_numbers(slippage));
    slippage.step();
    ASSERT_EQ(layers.stacks() == expected, true) << step;
  }
  for (const testing::Backend& backend : testing::all_backends()) {
    Layers others = layers_on(backend.device, shape, start);
    sliding(others).run(static_cast<std::uint64_t>(steps));
    EXPECT_EQ(others.hash(), layers.hash()) << backend.label;
  }
}

// Most columns stand: a plain that is wider than what a CPU looks over at once, with a few pillars
// and caves, some of them at its edges.
TEST(Slippage, AgreesWithAListOfTransfersWhereFewColumnsMove) {
  for (const bool wrap : {false, true}) {
    LayerShape shape = shape_of(2100, 5);
    shape.wrap_x = shape.wrap_y = wrap;
    std::vector<Stack> start;
    for (int y = 0; y < shape.height; ++y)
      for (int x = 0; x < shape.width; ++x) {
        const std::uint32_t h = cell_hash(21, x, y);
        start.push_back({{granite, 3000 + x % 7}, {shale, 500}, {dust, 40 + y}});
        const bool odd = h % 64 == 0 || (y == 2 && (x == 0 || x == 2047 || x == 2099));
        if (odd && h >> 31 != 0) start.back().push_back({mud, 3000});
        if (odd && h >> 31 == 0) start.back()[1] = {0, 400};
      }
    expect_as_listed(shape, start, 4);
  }
}

// Most columns move, on open ground that is wider than what a CPU works out at once: thin layers
// that are used up, thick ones, kinds of dust that come together.
TEST(Slippage, AgreesWithAListOfTransfersWhereMostColumnsMove) {
  for (const bool wrap : {false, true}) {
    LayerShape shape = shape_of(2100, 4);
    shape.wrap_x = shape.wrap_y = wrap;
    shape.dy = wrap ? 2.5 : 1;
    std::vector<Stack> start = random_stacks(shape, 17);
    for (Stack& stack : start)
      std::erase_if(stack, [](const Layer& layer) { return layer.material == 0; });
    expect_as_listed(shape, start, 2);
  }
}

// Caves above caves: more of them in a column than a GPU's work-group has room for, beside columns
// with few and with none, in tiles that others border on.
TEST(Slippage, AgreesWithAListOfTransfersWhereCavesLieAboveCaves) {
  for (const bool wrap : {false, true}) {
    LayerShape shape = shape_of(70, 9);
    shape.wrap_x = shape.wrap_y = wrap;
    std::vector<Stack> start;
    for (int y = 0; y < shape.height; ++y)
      for (int x = 0; x < shape.width; ++x) {
        std::uint32_t h = cell_hash(31, x, y);
        const int caves = x < 20 ? 0 : x < 40 ? static_cast<int>(h % 7) : static_cast<int>(h % 3);
        Stack stack{{granite, 1000 + static_cast<int>(h >> 16 & 1023)}};
        for (int k = 0; k < caves; ++k) {
          h = mix_bits(h + 1);
          stack.push_back({0, 200 + static_cast<int>(h & 511)});
          stack.push_back({k % 2 == 0 ? mud : dust, 100 + static_cast<int>(h >> 9 & 1023)});
        }
        start.push_back(stack);
      }
    expect_as_listed(shape, start, 6);
  }
}

// Where no column has more than one cave a GPU has a shorter way: floors beside floors, beside open
// ground and below it, tops beside the mouths of caves, caves without a floor of their own.
TEST(Slippage, AgreesWithAListOfTransfersWhereColumnsHaveOneCaveAtMost) {
  for (const bool wrap : {false, true}) {
    LayerShape shape = shape_of(70, 9);
    shape.wrap_x = shape.wrap_y = wrap;
    shape.dy = wrap ? 1.5 : 1;
    std::vector<Stack> start;
    for (int y = 0; y < shape.height; ++y)
      for (int x = 0; x < shape.width; ++x) {
        const std::uint32_t h = cell_hash(37, x, y), i = mix_bits(h);
        Stack stack{{granite, h % 16 == 0 ? 0 : 300 + static_cast<int>(h & 1023)},
                    {dust, static_cast<int>(h >> 10 & 2047)}};
        if (h % 4 != 3) {
          stack.push_back({0, 100 + static_cast<int>(i & 2047)});
          stack.push_back({h % 3 == 0 ? shale : granite, 50 + static_cast<int>(i >> 11 & 1023)});
        }
        stack.push_back({mud, static_cast<int>(i >> 21 & 511)});
        start.push_back(stack);
      }
    expect_as_listed(shape, start, 6);
  }
}

// Three caves in every column, on floors that all slide: more falls than a work-group lists.
TEST(Slippage, AgreesWithAListOfTransfersWhereAllFloorsSlide) {
  const LayerShape shape = shape_of(70, 9);
  std::vector<Stack> start;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      std::uint32_t h = cell_hash(41, x, y);
      Stack stack{{granite, 500 + static_cast<int>(h & 4095)}};
      for (int k = 0; k < 3; ++k) {
        h = mix_bits(h + 1);
        stack.push_back({mud, 1000 + static_cast<int>(h & 4095)});
        stack.push_back({0, 3000 + static_cast<int>(h >> 12 & 2047)});
        stack.push_back({granite, 100 + static_cast<int>(h >> 23 & 127)});
      }
      start.push_back(stack);
    }
  expect_as_listed(shape, start, 4);
}

// Roofs that are all gone in a step, while nothing moves below them: what was a void is the sky.
TEST(Slippage, RoofsThatSlideAwayLeaveNoVoid) {
  const LayerShape shape = shape_of(70, 9);
  std::vector<Stack> start;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      const bool dot = x % 5 == 2 && y % 4 == 1;
      start.push_back(dot ? Stack{{granite, 4000}, {0, 3000}, {mud, 4}}
                          : Stack{{granite, 4000}, {mud, 4}});
    }
  expect_as_listed(shape, start, 8);
  Layers layers = layers_on(testing::cpu(), shape, start);
  const auto voids = [&] {
    const std::vector<LayerTop> tops = layers.tops();
    return std::count_if(tops.begin(), tops.end(), top_has_void);
  };
  EXPECT_GT(voids(), 0);
  sliding(layers).run(1);
  EXPECT_EQ(voids(), 0);
}

// Two layers of one kind upon each other, as words may have them, become one where a void is near.
TEST(Slippage, LayersOfOneKindJoinByAVoid) {
  const LayerShape shape = shape_of(40, 3);
  const std::size_t cells = shape.cells();
  std::vector<std::uint32_t> words(4 * cells);
  for (std::size_t i = 0; i < cells; ++i) {
    const bool cave = i % 40 == 20;
    words[i] = layer_word(granite, 500);
    words[cells + i] = cave ? layer_word(LAYER_VOID, 900) : layer_word(granite, 700);
    words[2 * cells + i] = layer_word(granite, cave ? 300 : 600);
    if (cave) words[3 * cells + i] = layer_word(granite, 100);
  }
  std::uint64_t expected = 0;
  for (const testing::Backend& backend : testing::all_backends()) {
    Layers layers(backend.device, shape, ground());
    layers.set_words(words);
    sliding(layers).run(2);
    if (expected == 0) expected = layers.hash();
    EXPECT_EQ(layers.hash(), expected) << backend.label;
    EXPECT_EQ(layers.stacks()[60], (Stack{{granite, 500}, {0, 900}, {granite, 400}}));
    EXPECT_EQ(layers.stacks()[59], (Stack{{granite, 1800}})) << "beside it";
    EXPECT_EQ(layers.stacks()[43].size(), 3U) << "far from it";
  }
}

TEST(Slippage, KeepsEveryMaterialWithItsDust) {
  LayerShape shape = shape_of(31, 29);
  shape.wrap_x = true;
  Layers layers = layers_on(testing::cpu(), shape, random_stacks(shape, 9));
  const std::vector<long long> before = layers.totals();
  sliding(layers).run(2000);
  const std::vector<long long> after = layers.totals();
  EXPECT_EQ(after[granite], before[granite]);
  EXPECT_EQ(after[shale] + after[dust], before[shale] + before[dust]);
  EXPECT_LT(after[shale], before[shale]);
  EXPECT_EQ(after[mud], before[mud]);
}

// By `rate`, a pile creeps as far in a time, in long steps and short ones, on coarse cells and
// fine.
TEST(Slippage, RatesAreOfSecondsAndMetres) {
  constexpr double side = 40, high = 12, seconds = 80;
  const auto height_after = [&](double cell, double dt, double rate) {
    const auto n = static_cast<int>(side / cell);
    LayerShape shape = shape_of(n, n, cell);
    std::vector<Stack> start;
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const double away =
            length_of((x + 0.5) * cell - side / 2, (y + 0.5) * cell - side / 2) / (side / 3);
        const double metres = 20 + high * std::max(1 - away * away, 0.0);
        start.push_back({{mud, static_cast<int>(metres / shape.quantum)}});
      }
    Layers layers = layers_on(testing::cpu(), shape, start);
    SlippageParameters slow;
    slow.rate = rate;
    slow.scatter = 0;
    sliding(layers, slow, dt).run(static_cast<std::uint64_t>(seconds / dt));
    // The mean of the middle, of the same square metres on any cells.
    const std::vector<float> heights = layers.heights();
    double sum = 0;
    const int from = n / 2 - static_cast<int>(2 / cell), to = n / 2 + static_cast<int>(2 / cell);
    for (int y = from; y < to; ++y)
      for (int x = from; x < to; ++x)
        sum += static_cast<double>(heights[static_cast<std::size_t>(y * n + x)]);
    return sum / ((to - from) * (to - from)) - 20;
  };
  const double coarse = height_after(1, 1, 0.06);
  EXPECT_LT(coarse, high - 0.5) << "it has crept";
  EXPECT_GT(coarse, high / 2) << "and not come to rest";
  EXPECT_NEAR(height_after(1, 0.25, 0.06), coarse, 0.02 * (high - coarse));
  EXPECT_NEAR(height_after(0.5, 0.25, 0.06), coarse, 0.1 * (high - coarse));
  // Twice as fast, half as long.
  EXPECT_LT(height_after(1, 1, 0.12), coarse - 0.3);
  // Without a rate, shorter steps are more of them.
  EXPECT_LT(height_after(1, 0.25, 0), height_after(1, 1, 0));
}

// What lies above a void stays at its height whatever happens below it.
TEST(Slippage, GapsKeepWhatLiesAboveThemInPlace) {
  LayerShape shape = shape_of(9, 1);
  std::vector<Stack> stacks;
  for (int x = 0; x < 9; ++x)
    stacks.push_back(
        {{granite, 1000}, {mud, x < 4 ? 4000 : 0}, {0, x < 4 ? 4000 : 8000}, {granite, 500}});
  Layers layers = layers_on(testing::cpu(), shape, stacks);
  sliding(layers).run(3000);
  for (const Stack& stack : layers.stacks()) {
    int height = 0;
    for (const Layer& layer : stack) height += layer.quanta;
    EXPECT_EQ(height, 9500);
    ASSERT_EQ(stack.size(), 4U);
    EXPECT_EQ(stack[3], (Layer{granite, 500}));
    EXPECT_GT(stack[1].quanta, 700) << "the mud of the cave's one end has run to the other";
    EXPECT_LT(stack[1].quanta, 3000);
  }
}

TEST(Slippage, WhatFallsFromACeilingLiesBelowIt) {
  const LayerShape shape = shape_of(1, 1);
  for (const double dt : {1.0, 0.25}) {
    Layers layers = layers_on(testing::cpu(), shape,
                              {{{granite, 1000}, {0, 5000}, {shale, 4000}, {granite, 10}}});
    SlippageParameters still;
    still.scatter = 0;
    sliding(layers, still, dt).run(static_cast<std::uint64_t>(100 / dt));
    const Stack stack = layers.stacks()[0];
    ASSERT_EQ(stack.size(), 5U);
    const int fallen = 4000 - stack[3].quanta;
    EXPECT_NEAR(fallen, 100 * 0.002 * 1024, 15) << dt;
    EXPECT_EQ(stack[1], (Layer{dust, fallen}));
    EXPECT_EQ(stack[2], (Layer{0, 5000}));
  }
}

// A solid wall beside a cave's floor lets nothing through, and a cave's opening lets it out.
TEST(Slippage, NothingPassesThroughRock) {
  const LayerShape shape = shape_of(2, 1);
  const auto mud_after = [&](const Stack& beside) {
    Layers layers = layers_on(testing::cpu(), shape,
                              {{{granite, 2000}, {mud, 3000}, {0, 1000}, {granite, 100}}, beside});
    sliding(layers).run(500);
    return layers.stacks()[0][1].quanta;
  };
  EXPECT_EQ(mud_after({{granite, 9000}}), 3000);
  EXPECT_EQ(mud_after({{granite, 1000}, {0, 3000}, {granite, 5000}}), 3000) << "its gap lies lower";
  EXPECT_LT(mud_after({{granite, 1000}, {0, 4500}, {granite, 5000}}), 2500);
  EXPECT_LT(mud_after({{granite, 1000}}), 2500);
}

// A tower of 3 x 3 columns from which a cone of this radius comes, in cells of a metre.
int tower_of_a_cone(const Material& m, int radius) {
  return static_cast<int>(pi * radius * radius * radius / 3 * std::tan(m.talus * pi / 180) / 9 *
                          1024);
}

// Every preset that slides: a tower of it ends as a pile at its angle, in all directions.
TEST(Slippage, EveryMaterialEndsAtItsTalusAngle) {
  constexpr int n = 21, middle = n / 2, radius = 7;
  const LayerShape shape = shape_of(n, n);
  int kinds = 0;
  for (const NamedMaterial& preset : material_presets()) {
    Material m = preset.material;
    if (m.fluid) continue;
    ++kinds;
    // It stays what it is, and slides fast enough: strength decides when, not at which angle.
    m.dust = 0;
    m.strength = std::max(m.strength, 0.4);
    const int tower = tower_of_a_cone(m, radius);
    std::vector<Stack> stacks(shape.cells(), Stack{{1, 10}});
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x)
        stacks[static_cast<std::size_t>((middle + y) * n + middle + x)] = {{1, tower}};
    Layers layers(testing::cpu(), shape, {m});
    layers.set_stacks(stacks);
    sliding(layers).run(1500);
    const std::vector<float> heights = layers.heights();
    for (int direction = 0; direction < 360; direction += 5) {
      const double angle = testing::flank_of_pile(heights, n, 1, direction);
      EXPECT_NEAR(angle, m.talus, 0.5) << preset.material.name << " towards " << direction;
    }
  }
  EXPECT_EQ(kinds, 10);
}

// The same on cells that are not square, 8 of their longer sides from the middle to the foot.
TEST(Slippage, PilesOnOblongCellsEndAtTheirTalusAngle) {
  constexpr double radius = 8;
  for (const double talus : {12.0, 34.0, 60.0})
    for (const auto& [dx, dy] : {std::pair{1.5, 1.0}, {1.0, 2.0}, {2.0, 1.0}, {3.0, 1.0}}) {
      const double side = std::max(dx, dy), foot = radius * side;
      LayerShape shape = shape_of(2 * static_cast<int>(1.3 * foot / dx) + 1,
                                  2 * static_cast<int>(1.3 * foot / dy) + 1);
      shape.dx = dx, shape.dy = dy;
      const auto poured = [&, dx = dx, dy = dy](int x, int y) {
        return std::abs(x - shape.width / 2) * dx <= 1.5 * side &&
               std::abs(y - shape.height / 2) * dy <= 1.5 * side;
      };
      int columns = 0;
      for (int y = 0; y < shape.height; ++y)
        for (int x = 0; x < shape.width; ++x) columns += poured(x, y) ? 1 : 0;
      const double volume = pi * foot * foot * foot / 3 * tangent_of_degrees(talus);
      const auto tower = static_cast<int>(volume / (columns * dx * dy) * 1024);
      std::vector<Stack> stacks;
      for (int y = 0; y < shape.height; ++y)
        for (int x = 0; x < shape.width; ++x)
          stacks.push_back({{granite, 1}, {mud, poured(x, y) ? tower : 0}});
      std::vector<Material> kinds = ground();
      kinds[mud - 1].talus = talus;
      Layers layers(testing::cpu(), shape, kinds);
      layers.set_stacks(stacks);
      sliding(layers).run(6000);
      const std::vector<float> heights = layers.heights();
      for (int direction = 0; direction < 360; direction += 5)
        EXPECT_NEAR(testing::flank_of_pile(heights, shape.width, shape.height, dx, dy, direction),
                    talus, 0.5)
            << dx << " x " << dy << " m, towards " << direction;
    }
}

// The same under a roof: a pile poured in a cave is a cone, too.
TEST(Slippage, APileInACaveEndsAtItsTalusAngle) {
  constexpr int n = 21, middle = n / 2, radius = 7, roof = 60000;
  const LayerShape shape = shape_of(n, n);
  const Material m = find_material_preset("sand")->material;
  const int tower = tower_of_a_cone(m, radius);
  std::vector<Stack> stacks;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const bool poured = std::abs(x - middle) < 2 && std::abs(y - middle) < 2;
      const int floor = poured ? tower : 10;
      stacks.push_back({{1, floor}, {0, roof - floor}, {2, 300 + 40 * (x % 3)}});
    }
  Material rock;
  rock.name = "rock", rock.strength = 0;
  Layers layers(testing::cpu(), shape, {m, rock});
  layers.set_stacks(stacks);
  sliding(layers).run(1500);
  std::vector<float> floors;
  for (const Stack& stack : layers.stacks()) {
    ASSERT_EQ(stack.size(), 3U);
    EXPECT_EQ(stack[0].quanta + stack[1].quanta, roof);
    floors.push_back(static_cast<float>(stack[0].quanta) / 1024);
  }
  for (int direction = 0; direction < 360; direction += 5)
    EXPECT_NEAR(testing::flank_of_pile(floors, n, 1, direction), m.talus, 0.5) << direction;
}

// A plane that falls in any direction, on cells of any shape, stands half a percent below its talus
// slope and slides half a percent above it.
TEST(Slippage, PlanesStandByTheirSteepestSlope) {
  for (const double length : {1.0, 2.0, 0.4}) {
    LayerShape shape = shape_of(15, 15);
    shape.dx = length;
    for (int direction = 0; direction < 360; direction += 15)
      for (const double share : {0.995, 1.005}) {
        const double slope = share * tangent_of_degrees(33) * 1024;
        const double east = slope * std::cos(direction * pi / 180);
        const double south = slope * std::sin(direction * pi / 180);
        std::vector<Stack> stacks;
        for (int y = 0; y < 15; ++y)
          for (int x = 0; x < 15; ++x) {
            const double fall = east * length * (x - 7) + south * (y - 7);
            stacks.push_back(
                {{granite, 1000}, {dust, static_cast<int>(40000 - std::lround(fall))}});
          }
        Layers layers = layers_on(testing::cpu(), shape, stacks);
        sliding(layers).run(1);
        int moved = 0;
        for (int y = 2; y < 13; ++y)
          for (int x = 2; x < 13; ++x) {
            const auto cell = static_cast<std::size_t>(y * 15 + x);
            moved += layers.stacks()[cell] != stacks[cell] ? 1 : 0;
          }
        if (share < 1)
          EXPECT_EQ(moved, 0) << length << " m, towards " << direction;
        else
          EXPECT_GT(moved, 15) << length << " m, towards " << direction;
      }
  }
}

// Dust that slopes along the foot of a cliff, or through a gorge: what is steep on one side of an
// edge, or on both, lets nothing slide along it.
TEST(Slippage, CliffsBesideASlopeLeaveItAsItIs) {
  const LayerShape shape = shape_of(30, 7);
  const int fall = static_cast<int>(0.9 * tangent_of_degrees(33) * 1024);
  for (const auto& [left, right] :
       {std::pair(60000, 0), std::pair(0, 60000), std::pair(60000, 60000)}) {
    std::vector<Stack> stacks;
    for (int y = 0; y < 7; ++y)
      for (int x = 0; x < 30; ++x) {
        const int height = 80000 - fall * x + (y < 3 ? left : y > 3 ? right : 0);
        stacks.push_back(y == 3 ? Stack{{granite, height - 500}, {dust, 500}}
                                : Stack{{granite, height}});
      }
    Layers layers = layers_on(testing::cpu(), shape, stacks);
    sliding(layers).run(50);
    EXPECT_EQ(layers.stacks() == stacks, true) << left << " and " << right;
  }
}

TEST(Slippage, HardRockUnderMudStaysToTheQuantum) {
  constexpr int n = 40;
  const LayerShape shape = shape_of(n, n);
  std::vector<Stack> stacks;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const bool letter = (x + y) % 13 < 3 && x > 8 && x < 32 && y > 8 && y < 32;
      stacks.push_back({{granite, letter ? 6 * 1024 : 100}, {mud, letter ? 1024 : 200}});
    }
  Layers layers = layers_on(testing::cpu(), shape, stacks);
  sliding(layers).run(4000);
  const std::vector<Stack> after = layers.stacks();
  long long left = 0, was = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_EQ(after[i][0], stacks[i][0]);
    if (stacks[i][0].quanta < 1024) continue;
    was += stacks[i][1].quanta;
    left += after[i].size() > 1 ? after[i][1].quanta : 0;
  }
  EXPECT_LE(left, was / 20);
}

TEST(Slippage, StacksGrowWhenAStepNeedsIt) {
  const LayerShape shape = shape_of(3, 1);
  SlippageParameters apart;
  apart.mixing = 0;
  Layers layers = layers_on(testing::cpu(), shape,
                            {{{granite, 9000}, {mud, 9000}},
                             {{granite, 10}, {dust, 5}, {0, 2000}, {granite, 10}},
                             {{granite, 9000}, {shale, 9000}}});
  EXPECT_EQ(layers.grid().planes, 4);
  sliding(layers, apart).run(2);
  EXPECT_GT(layers.grid().planes, 4);
}

// Steep ground of many kinds, none of which mix: stacks fill up, and go on.
TEST(Slippage, FullStacksGoOn) {
  const LayerShape shape = shape_of(12, 12);
  std::vector<Material> kinds;
  for (int m = 0; m < 6; ++m) kinds.push_back({std::to_string(m), 20.0 + m, 1, 0, 0, false, {}});
  Layers layers(testing::cpu(), shape, kinds);
  std::vector<Stack> stacks;
  for (int i = 0; i < 144; ++i) stacks.push_back({{1 + i % 6, 500 + i * 7919 % 20000}});
  layers.set_stacks(stacks);
  SlippageParameters apart;
  apart.mixing = 0;
  LayerSimulation slippage = sliding(layers, apart);
  const std::vector<LayerMaterial> table = Slippage::table(layers);
  const std::vector<long long> before = layers.totals();
  for (int step = 0; step < 80; ++step) {
    const std::vector<Stack> expected =
        testing::slipped_naively(shape, layers.stacks(), table, next_numbers(slippage, apart));
    slippage.step();
    ASSERT_EQ(layers.stacks(), expected) << step;
  }
  EXPECT_EQ(layers.grid().planes, LAYERS_MOST);
  EXPECT_EQ(layers.totals(), before);
}

// Kinds of rock that slide, each at its own angle, and never mix.
std::vector<Material> strangers(int count) {
  std::vector<Material> kinds;
  for (int m = 0; m < count; ++m)
    kinds.push_back({std::to_string(m), 15.0 + m, 1, 0.001, 0, false, {}});
  return kinds;
}

// Columns that are full from the beginning, with caves among them: what arrives on a cave's floor
// finds room, as the reference finds it, the run goes on, and nothing is lost. As many kinds as
// there may be layers are no matter: then caves close.
TEST(Slippage, FullStacksWithCavesGoOn) {
  const LayerShape shape = shape_of(7, 6);
  SlippageParameters apart;
  apart.mixing = 0;
  for (const int count : {12, LAYERS_MOST}) {
    std::vector<Stack> stacks;
    for (int i = 0; i < 42; ++i) {
      Stack stack{{1 + i % count, 300 + i * 7919 % 3000}};
      for (int k = 1; k < LAYERS_MOST; ++k)
        stack.push_back({k % 5 == 2 ? 0 : 1 + (i + k * 5) % count, 60 + (i * 31 + k * 97) % 400});
      stacks.push_back(stack);
    }
    Layers layers(testing::cpu(), shape, strangers(count));
    layers.set_stacks(stacks);
    const std::vector<long long> before = layers.totals();
    LayerSimulation slippage = sliding(layers, apart);
    const std::vector<LayerMaterial> table = Slippage::table(layers);
    for (int step = 0; step < 60; ++step) {
      const std::vector<Stack> expected =
          testing::slipped_naively(shape, layers.stacks(), table, next_numbers(slippage, apart));
      slippage.step();
      ASSERT_EQ(layers.stacks(), expected) << count << " kinds, step " << step;
    }
    const std::vector<long long> after = layers.totals();
    for (std::size_t m = 1; m < before.size(); ++m) EXPECT_EQ(after[m], before[m]) << m;
    for (const testing::Backend& backend : testing::all_backends()) {
      Layers others(backend.device, shape, strangers(count));
      others.set_stacks(stacks);
      sliding(others, apart).run(60);
      EXPECT_EQ(others.hash(), layers.hash()) << backend.label;
    }
  }
}

// More kinds in one column than there may be layers cannot be told apart in it: the run ends with
// a line that says so, and the stacks are as they were.
TEST(Slippage, MoreKindsThanLayersInAColumnEndARun) {
  const LayerShape shape = shape_of(5, 5);
  Layers layers(testing::cpu(), shape, strangers(LAYERS_MOST + 9));
  std::vector<Stack> stacks;
  for (int i = 0; i < 25; ++i)  // a bowl, of one kind a cell
    stacks.push_back({{1 + i, 100 + 9000 * std::max(std::abs(i % 5 - 2), std::abs(i / 5 - 2))}});
  layers.set_stacks(stacks);
  SlippageParameters apart;
  apart.mixing = 0;
  LayerSimulation slippage = sliding(layers, apart);
  std::uint64_t before = 0;
  std::string told;
  for (int step = 0; step < 200 && told.empty(); ++step) {
    before = layers.hash();
    try {
      slippage.step();
    } catch (const Error& error) {
      told = error.what();
    }
  }
  EXPECT_NE(told.find(" layers: at most 16 are possible; expected fewer beds or kinds of dust"),
            std::string::npos)
      << told;
  EXPECT_EQ(layers.hash(), before);
}

TEST(Layers, BadStacksAndMaterialsAreRefused) {
  const LayerShape shape = shape_of(1, 1);
  Layers layers(testing::cpu(), shape, ground());
  EXPECT_THROW(layers.set_stacks({{{granite, -1}}}), UsageError);
  EXPECT_THROW(layers.set_stacks({{{5, 1}}}), UsageError);
  EXPECT_THROW(layers.set_stacks({}), UsageError);
  EXPECT_THROW(layers.set_stacks({Stack(40, Layer{granite, 1 << 24})}), UsageError);
  layers.set_stacks({{{granite, LAYER_THICKEST - 2}, {mud, 2}}});
  EXPECT_THROW(layers.set_stacks({{{granite, LAYER_THICKEST - 2}, {mud, 3}}}), UsageError);
  const std::uint32_t rock = layer_word(granite, 7), air = layer_word(LAYER_VOID, 7);
  layers.set_words({air, rock});
  EXPECT_THROW(layers.set_words({rock, air}), UsageError) << "a void under the sky";
  EXPECT_THROW(layers.set_words({rock, air, air, rock}), UsageError) << "a void on a void";
  std::vector<Material> odd = ground();
  odd[0].dust = 9;
  EXPECT_THROW(Layers(testing::cpu(), shape, odd), UsageError);
  EXPECT_THROW(Layers(testing::cpu(), shape_of(0, 1), ground()), UsageError);
}

TEST(Layers, StacksComeBackAsTheyAre) {
  const LayerShape shape = shape_of(2, 1);
  Layers layers(testing::cpu(), shape, ground());
  layers.set_stacks(
      {{{granite, 5}, {granite, 6}, {0, 3}, {mud, 0}, {0, 2}, {shale, 1}, {0, 9}}, {}});
  EXPECT_EQ(layers.stacks()[0], (Stack{{granite, 11}, {0, 5}, {shale, 1}}));
  EXPECT_TRUE(layers.stacks()[1].empty());
  EXPECT_EQ(layers.totals(), (std::vector<long long>{5, 11, 1, 0, 0}));
}

}  // namespace
}  // namespace scree
