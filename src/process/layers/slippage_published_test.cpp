// The published rule (`published = true`) beside the algorithm of the publication
// (tests/published_slippage.h): the same stacks to the quantum, on any ground, in every step. And
// how far the standard rule ends from it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/angle.h"
#include "kernel/layers/slip.h"
#include "process/layers/layer_simulation.h"
#include "process/layers/slippage.h"
#include "published_slippage.h"
#include "testing.h"

namespace scree {
namespace {

enum : int { wall = 1, rock = 2, debris = 3, clay = 4 };
std::vector<Material> ground() {
  return {{"wall", 80, 0, 0, 0, false, {}},
          {"rock", 50, 0.5, 3.0 / 1024, debris, false, {}},
          {"debris", 33, 1, 0, 0, true, {}},
          {"clay", 42, 0.7, 2.0 / 1024, 0, true, {}}};
}

LayerSimulation sliding(Layers& layers, const SlippageParameters& parameters) {
  std::vector<LayerProcessPtr> processes;
  processes.push_back(std::make_unique<Slippage>(parameters));
  return LayerSimulation(layers, std::move(processes));
}

SlippageParameters as_published() {
  SlippageParameters parameters;
  parameters.published = true;
  return parameters;
}

// What the publication needs to know; chance is the engine's, seeded and by cell, as it must be for
// runs to be repeated.
testing::PublishedRules rules_of(const LayerSimulation& simulation,
                                 const SlippageParameters& parameters) {
  testing::PublishedRules rules;
  rules.materials.resize(1);
  for (const Material& m : simulation.terrain().materials())
    rules.materials.push_back({tangent_of_degrees(m.talus), m.strength,
                               m.dust > 0 ? m.dust : static_cast<int>(rules.materials.size()),
                               static_cast<int>(std::lround(m.ceiling * 1024)), m.loose});
  const Slip numbers =
      Slippage(parameters)
          .numbers(simulation.terrain(), {1, simulation.steps_done(), SimulationOptions{}.seed});
  rules.mixing = numbers.mixing;
  rules.chance = [numbers](int x, int y, int dx, int dy) {
    int side = 0;
    while (side_x(side) != dx || side_y(side) != dy) ++side;
    return testing::PublishedChance{
        scattered(numbers.scatter, mix_bits(cell_hash(numbers.step_seed, x, y))),
        rounding(edge_of(numbers, x, y, side).hash, SCREE_DRAW_B)};
  };
  return rules;
}

// Any number of layers of anything, thick and thin, caves among them.
std::vector<Stack> random_ground(const LayerShape& shape, std::uint32_t seed) {
  std::vector<Stack> stacks;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      std::uint32_t h = cell_hash(seed, x, y);
      Stack stack;
      for (std::uint32_t layers = h % 7; layers > 0; --layers) {
        h = mix_bits(h + 1);
        const int most = (h & 3) == 0 ? 20 : (h & 3) == 1 ? 20000 : 3000;
        stack.push_back({static_cast<int>((h >> 2) % 5), 1 + static_cast<int>(h >> 8) % most});
      }
      stacks.push_back(stack);
    }
  return stacks;
}

TEST(SlippageAsPublished, AgreesToTheQuantumOnAnyGround) {
  LayerShape square, oblong;
  square.width = 13, square.height = 11;
  oblong.width = 9, oblong.height = 14, oblong.dx = 2, oblong.dy = 0.7;
  std::uint32_t seed = 0;
  for (const LayerShape& shape : {square, oblong})
    for (const double mixing : {0.5, 1000.0}) {
      SlippageParameters parameters = as_published();
      parameters.mixing = mixing;
      const int steps = mixing > 1 ? 120 : 8;
      const std::vector<Stack> start = random_ground(shape, ++seed);
      Layers layers(testing::cpu(), shape, ground());
      layers.set_stacks(start);
      LayerSimulation simulation = sliding(layers, parameters);
      int moving = 0;
      for (int step = 0; step < steps; ++step) {
        const std::vector<Stack> now = layers.stacks();
        const std::vector<Stack> expected =
            testing::slipped_as_published(shape, now, rules_of(simulation, parameters));
        moving += expected != now ? 1 : 0;
        simulation.step();
        ASSERT_EQ(layers.stacks(), expected) << "ground " << seed << ", step " << step;
      }
      EXPECT_EQ(moving, steps);
      for (const testing::Backend& backend : testing::all_backends()) {
        Layers others(backend.device, shape, ground());
        others.set_stacks(start);
        sliding(others, parameters).run(static_cast<std::uint64_t>(steps));
        EXPECT_EQ(others.hash(), layers.hash()) << backend.label;
      }
    }
}

// ---- general ground, to rest, by both rules

// Rough hills of rock, in part under clay and debris, with caves in one half whose floors are
// rough, too, and whose roofs hold (walls) or crumble (clay).
std::vector<Stack> hills_with_caves(const LayerShape& shape, std::uint32_t seed) {
  std::vector<Stack> stacks;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      const std::uint32_t h = cell_hash(seed, x, y);
      const auto metres = [&](double least, double more, int shift) {
        return static_cast<int>(1024 * (least + more * (h >> shift & 255) / 255));
      };
      const double hill = 5 * std::max(0.0, 1 - std::hypot(x - 4, y - 4) / 4) +
                          4 * std::max(0.0, 1 - std::hypot(x - 11, y - 8) / 5);
      const bool east = x > 9;
      Stack stack{{wall, 1024}, {rock, metres(0.5 + hill, 2.5, 0)}};
      if (y > 6) {
        stack.push_back({0, metres(1.5, 2, 8)});
        stack.push_back({east ? clay : wall, metres(0.5, 0.5, 16)});
      }
      if (h >> 30 == 0) stack.push_back({east ? clay : debris, metres(0.2, 2, 4)});
      stacks.push_back(stack);
    }
  return stacks;
}

// Of a terrain: how thick each material is in each column, and how steep it stands anywhere.
class Ground {
 public:
  Ground(const LayerShape& shape, const std::vector<Stack>& stacks,
         const std::vector<Material>& materials)
      : shape_(shape), stacks_(stacks), kinds_(materials.size() + 1), steepest_(2 * kinds_, -90) {
    for (const Stack& stack : stacks)
      for (std::size_t m = 0; m < kinds_; ++m) {
        double metres = 0;
        for (const Layer& layer : stack)
          if (layer.material == static_cast<int>(m)) metres += layer.quanta * shape.quantum;
        thickness_.push_back(metres);
      }
    for (int y = 0; y < shape.height; ++y)
      for (int x = 0; x < shape.width; ++x) measure_slopes(x, y);
  }

  double total(int material) const {
    double sum = 0;
    for (std::size_t i = static_cast<std::size_t>(material); i < thickness_.size(); i += kinds_)
      sum += thickness_[i];
    return sum;
  }
  // Degrees, of any surface of it towards any gap beside it that is open to it, over an axis or a
  // diagonal.
  double steepest(int material, bool diagonal) const {
    return steepest_[static_cast<std::size_t>(material) + (diagonal ? kinds_ : 0)];
  }
  int ceilings(int material) const {
    int count = 0;
    for (const Stack& stack : stacks_)
      for (std::size_t k = 1; k < stack.size(); ++k)
        count += stack[k].material == material && stack[k - 1].material == 0 ? 1 : 0;
    return count;
  }

 private:
  struct Surface {
    int material;
    double height, ceiling;
  };

  std::vector<Surface> surfaces(int x, int y) const {
    std::vector<Surface> all;
    double height = 0;
    int under = 0;
    for (const Layer& layer : stacks_[static_cast<std::size_t>(y * shape_.width + x)]) {
      const double top = height + layer.quanta * shape_.quantum;
      if (layer.material == 0) all.push_back({under, height, top});
      under = layer.material;
      height = top;
    }
    all.push_back({under, height, 1e30});
    return all;
  }

  void measure_slopes(int x, int y) {
    for (int ny = std::max(y - 1, 0); ny <= std::min(y + 1, shape_.height - 1); ++ny)
      for (int nx = std::max(x - 1, 0); nx <= std::min(x + 1, shape_.width - 1); ++nx)
        for (const Surface& from : surfaces(x, y))
          for (const Surface& to : surfaces(nx, ny)) {
            if (to.height >= from.height || to.ceiling <= from.height) continue;
            const std::size_t way = nx != x && ny != y ? kinds_ : 0;
            double& most = steepest_[static_cast<std::size_t>(from.material) + way];
            const double away = std::hypot((nx - x) * shape_.dx, (ny - y) * shape_.dy);
            most = std::max(most, std::atan((from.height - to.height) / away) * 180 / pi);
          }
  }

  const LayerShape& shape_;
  std::vector<Stack> stacks_;
  std::size_t kinds_;
  std::vector<double> thickness_;  // metres, material by material of column by column
  std::vector<double> steepest_;
};

std::vector<Stack> at_rest(const LayerShape& shape, const std::vector<Stack>& start,
                           const SlippageParameters& parameters) {
  Layers layers(testing::cpu(), shape, ground());
  layers.set_stacks(start);
  LayerSimulation simulation = sliding(layers, parameters);
  for (std::uint64_t before = 0; before != layers.hash(); simulation.run(100)) {
    before = layers.hash();
    if (simulation.steps_done() < 50000) continue;
    ADD_FAILURE() << "it does not come to rest";
    break;
  }
  return layers.stacks();
}

// Half of all differences at once: a pit becomes a tower, of more than a word holds.
TEST(SlippageAsPublished, TowersOfManyWordsAreKept) {
  LayerShape shape;
  shape.width = shape.height = 3;
  for (const testing::Backend& backend : testing::all_backends()) {
    Layers layers(backend.device, shape, ground());
    std::vector<Stack> stacks(9, Stack{{wall, 7}, {debris, 10000000}});
    stacks[4] = {{wall, 7}};
    layers.set_stacks(stacks);
    const std::vector<long long> before = layers.totals();
    LayerSimulation simulation = sliding(layers, as_published());
    simulation.run(1);
    const std::vector<std::uint32_t> words = layers.words();
    EXPECT_EQ(layers.totals(), before) << backend.label;
    EXPECT_GT(layers.heights()[4] - layers.heights()[0], 1.9F * LAYER_THICKEST / 1024)
        << backend.label;
    layers.set_words(words);
    EXPECT_EQ(layers.words(), words) << backend.label;
    simulation.run(5);
    EXPECT_EQ(layers.totals(), before) << backend.label;
  }
}

// Half of the whole difference, as soon as the angle is passed, leaves slopes flatter than that,
// the more so the fewer ways there are down; by the standard rule they end at it.
TEST(SlippageAsPublished, BothRulesComeToRest) {
  LayerShape shape;
  shape.width = 16, shape.height = 12;
  const std::vector<Material> materials = ground();
  for (const std::uint32_t seed : {2U, 3U}) {
    SCOPED_TRACE(seed);
    const std::vector<Stack> stacks = hills_with_caves(shape, seed);
    const Ground start(shape, stacks, materials),
        standard(shape, at_rest(shape, stacks, {}), materials),
        document(shape, at_rest(shape, stacks, as_published()), materials);
    EXPECT_GT(start.ceilings(clay), 20);
    for (const Ground& end : {standard, document}) {
      // To the quantum: they are whole numbers of 1/1024.
      EXPECT_EQ(end.total(wall), start.total(wall));
      EXPECT_EQ(end.total(clay), start.total(clay));
      EXPECT_EQ(end.total(rock) + end.total(debris), start.total(rock) + start.total(debris));
      EXPECT_GT(end.total(debris), start.total(debris));
      EXPECT_EQ(end.ceilings(clay), 0);
    }
    for (const int m : {rock, debris, clay})
      for (const bool diagonal : {false, true}) {
        const double talus = materials[static_cast<std::size_t>(m) - 1].talus;
        EXPECT_GT(start.steepest(m, diagonal), talus + 5);
        EXPECT_NEAR(standard.steepest(m, diagonal), talus, 0.5);
        EXPECT_LT(document.steepest(m, diagonal), talus + 0.01);
        EXPECT_GT(document.steepest(m, diagonal), talus - 15);
      }
  }
}

}  // namespace
}  // namespace scree
