// The engine beside the algorithm as it was published (tests/published_slippage.h), step for step.
//
// The two give the same stacks, to the quantum, where each surface has one neighbour to which it
// can give: then there is nothing to share out. Everything else is compared as it is published:
// which surfaces there are (tops, floors of voids), which of them give to which, dust, what falls
// from ceilings, where it all comes to lie. What must be chosen so that the amounts are the same,
// too:
//  - the strength of a material such that an edge moves 1/64 (on diagonals, a quarter of that) of
//    the difference, and the publication's half of it at that speed;
//  - layers thick enough that an eighth of the topmost is enough: the publication takes all of a
//    layer before it asks the next, the engine as much of each as all eight edges can have at once;
//  - talus angles of 0, or amounts measured from the slope that may stand.
// Chance is the engine's, seeded and by cell, as it must be for runs to be repeated.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "base/angle.h"
#include "kernel/slip.h"
#include "process/layer_simulation.h"
#include "process/slippage.h"
#include "published_slippage.h"
#include "testing.h"

namespace scree {
namespace {

constexpr double axis_share = 0.096;  // of an excess, at strength 1 (nine_point.h)

enum : int { wall = 1, rock = 2, debris = 3, clay = 4 };
std::vector<Material> ground(double talus) {
  const double strength = 1.0 / 64 / axis_share;
  return {{"wall", 80, 0, 0, 0, false, {}},
          {"rock", talus, strength, 3.0 / 1024, debris, false, {}},
          {"debris", talus, strength, 0, 0, false, {}},
          {"clay", talus, strength, 5.0 / 1024, 0, false, {}}};
}

// What the publication needs to know of them.
std::vector<testing::PublishedMaterial> published(const std::vector<Material>& all, double speed) {
  std::vector<testing::PublishedMaterial> materials(1);
  for (const Material& m : all)
    materials.push_back({tangent_of_degrees(m.talus), m.strength > 0 ? speed : 0,
                         m.dust > 0 ? m.dust : static_cast<int>(materials.size()),
                         static_cast<int>(std::lround(m.ceiling * 1024))});
  return materials;
}

Slip numbers_of(const LayerSimulation& simulation, const SlippageParameters& parameters) {
  return Slippage(parameters)
      .numbers(simulation.terrain(), {1, simulation.steps_done(), SimulationOptions{}.seed});
}

testing::ChanceOf chance_of(const Slip& numbers) {
  return [numbers](int x, int y, int dx, int dy) {
    int side = 0;
    while (side_x(side) != dx || side_y(side) != dy) ++side;
    const SlipEdge edge = edge_of(numbers, x, y, side);
    return testing::PublishedChance{edge.factor, rounding(edge.hash, SCREE_DRAW_B)};
  };
}

LayerSimulation sliding(Layers& layers, const SlippageParameters& parameters) {
  std::vector<LayerProcessPtr> processes;
  processes.push_back(std::make_unique<Slippage>(parameters));
  return LayerSimulation(layers, std::move(processes));
}

// Any number of layers of anything, caves among them, each of 64 to 128 times 64 quanta.
Stack random_column(std::uint32_t h) {
  Stack stack;
  const int layers = 1 + static_cast<int>(h % 4);
  for (int k = 0; k < layers; ++k) {
    h = mix_bits(h + 1);
    const int material = h % 5 == 0 ? 0 : 2 + static_cast<int>(h % 3);
    stack.push_back({material, 64 * (64 + static_cast<int>(h >> 8 & 63))});
  }
  return stack;
}

// Pairs of columns that stand alone among walls, beside each other or corner to corner.
std::vector<Stack> pairs_of_columns(const LayerShape& shape, int dx, int dy, std::uint32_t seed) {
  std::vector<Stack> stacks;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      const bool first = x % 3 == 0 && y % 3 == 0, second = x % 3 == dx && y % 3 == dy;
      stacks.push_back(first || second ? random_column(cell_hash(seed, x, y))
                                       : Stack{{wall, 60000}});
    }
  return stacks;
}

TEST(SlippageAsPublished, PairsOfColumnsAgreeToTheQuantum) {
  LayerShape shape;
  shape.width = 24, shape.height = 21;
  for (const auto& [dx, dy] : {std::pair(1, 0), std::pair(0, 1), std::pair(1, 1)})
    for (const double talus : {0.0, 45.0})
      for (const double scatter : {0.0, 0.1}) {
        const std::vector<Material> materials = ground(talus);
        const std::vector<Stack> start =
            pairs_of_columns(shape, dx, dy, static_cast<std::uint32_t>(5 + dx + 2 * dy));
        SlippageParameters parameters;
        parameters.scatter = scatter;
        parameters.mixing = 0;
        parameters.isotropic = false;
        std::vector<Stack> expected;
        for (const testing::Backend& backend : testing::all_backends()) {
          Layers layers(backend.device, shape, materials);
          layers.set_stacks(start);
          LayerSimulation simulation = sliding(layers, parameters);
          if (expected.empty()) {
            const double speed = 2.0 / 64 / (dx * dy != 0 ? 4 : 1);
            expected = testing::slipped_as_published(
                shape, layers.stacks(),
                {published(materials, speed), chance_of(numbers_of(simulation, parameters)),
                 talus > 0});
            EXPECT_NE(expected, layers.stacks());
          }
          simulation.step();
          ASSERT_EQ(layers.stacks(), expected)
              << backend.label << ", " << dx << " " << dy << ", talus " << talus;
        }
      }
}

// Angles at which no difference of heights in quanta of 256 is near the limit, along an axis or a
// diagonal: what gives at all gives more than rounding takes away.
std::vector<double> clear_angles(std::size_t count) {
  std::vector<double> angles;
  const auto clear = [](double drop) { return std::abs(std::fmod(drop, 256) - 128) < 50; };
  for (double angle = 30; angles.size() < count; angle += 0.37)
    if (const double drop = 1024 * tangent_of_degrees(angle);
        clear(drop) && clear(drop * std::sqrt(2.0)))
      angles.push_back(angle);
  return angles;
}

// With neighbours all around, on rough ground with caves: who gives to whom, from which surface to
// which, is as published. Each column is of its own kind among its neighbours', so that stacks
// tell.
TEST(SlippageAsPublished, WhoGivesToWhomIsTheSameOnAnyGround) {
  LayerShape shape;
  shape.width = 21, shape.height = 17;
  std::vector<Material> materials;
  for (const double angle : clear_angles(9))
    materials.push_back({std::to_string(angle), angle, 1, 0, 0, false, {}});
  SlippageParameters parameters;
  parameters.mixing = 0;
  parameters.isotropic = false;
  const auto kinds_of = [](const std::vector<Stack>& stacks) {
    std::vector<std::vector<int>> kinds;
    for (const Stack& stack : stacks) {
      kinds.emplace_back();
      for (const Layer& layer : stack) kinds.back().push_back(layer.material);
    }
    return kinds;
  };
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    std::vector<Stack> start;
    for (int y = 0; y < shape.height; ++y)
      for (int x = 0; x < shape.width; ++x) {
        const std::uint32_t h = cell_hash(seed, x, y);
        const int own = 1 + x % 3 + 3 * (y % 3);
        const auto thickness = [&](int shift) {
          return 256 * (4 + static_cast<int>(h >> shift & 15));
        };
        start.push_back({{own, thickness(0)}});
        if (h >> 30 != 0) start.back().insert(start.back().end(), {{0, thickness(8)}, {own, 4096}});
      }
    Layers layers(testing::cpu(), shape, materials);
    layers.set_stacks(start);
    LayerSimulation simulation = sliding(layers, parameters);
    const std::vector<Stack> expected = testing::slipped_as_published(
        shape, start,
        {published(materials, 1.0 / 8), chance_of(numbers_of(simulation, parameters)), false});
    for (const Stack& stack : expected) ASSERT_LE(stack.size(), std::size_t{LAYERS_MOST});
    simulation.step();
    EXPECT_NE(kinds_of(expected), kinds_of(start));
    ASSERT_EQ(kinds_of(layers.stacks()), kinds_of(expected)) << seed;
  }
}

}  // namespace
}  // namespace scree
