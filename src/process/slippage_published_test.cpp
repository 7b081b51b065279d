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

// ---- general ground, to rest

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
  // How much is elsewhere, metres of all columns: as heights, and by material.
  double heights_apart(const Ground& other) const { return apart(other, false); }
  double materials_apart(const Ground& other) const { return apart(other, true); }
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

  double apart(const Ground& other, bool by_material) const {
    double sum = 0;
    for (std::size_t column = 0; column < thickness_.size(); column += kinds_) {
      double all = 0, each = 0;
      for (std::size_t m = 0; m < kinds_; ++m) {
        const double more = thickness_[column + m] - other.thickness_[column + m];
        all += more;
        if (m > 0) each += std::abs(more);
      }
      sum += by_material ? each : std::abs(all);
    }
    return sum;
  }

  const LayerShape& shape_;
  std::vector<Stack> stacks_;
  std::size_t kinds_;
  std::vector<double> thickness_;  // metres, material by material of column by column
  std::vector<double> steepest_;
};

// Until a step changes nothing.
std::vector<Stack> published_to_rest(const LayerShape& shape, std::vector<Stack> stacks,
                                     const testing::PublishedRules& rules) {
  for (int steps = 0; steps < 5000; ++steps) {
    std::vector<Stack> next = testing::slipped_as_published(shape, stacks, rules);
    if (next == stacks) return stacks;
    stacks = std::move(next);
  }
  ADD_FAILURE() << "the published algorithm does not come to rest";
  return stacks;
}

std::vector<Stack> engine_to_rest(const LayerShape& shape, const std::vector<Stack>& start,
                                  const std::vector<Material>& materials) {
  Layers layers(testing::cpu(), shape, materials);
  layers.set_stacks(start);
  SlippageParameters parameters;
  parameters.isotropic = false;
  LayerSimulation simulation = sliding(layers, parameters);
  for (std::uint64_t before = 0; before != layers.hash(); simulation.run(100)) {
    before = layers.hash();
    if (simulation.steps_done() < 50000) continue;
    ADD_FAILURE() << "the engine does not come to rest";
    break;
  }
  return layers.stacks();
}

// What the two may differ by on ground where surfaces have many neighbours: there they share out by
// other rules (docs/process/slippage.md), and rough ground has many ways to rest.
struct Bounds {
  bool beyond_talus;
  double heights, materials;  // that lie elsewhere, shares of what the publication moved
  double dust;                // least share of the dust that the publication makes
};

// Each of these is broken by some rule that is: slopes by a wrong angle or by floors of caves that
// do not slide, dust by rock that stays rock or by layers that are not asked when the one above
// them is used up, ceilings by those that do not crumble, heights and materials by diagonals that
// are as near as axes.
TEST(SlippageAsPublished, GeneralGroundComesToRestWithinBounds) {
  LayerShape shape;
  shape.width = 16, shape.height = 12;
  const std::vector<Material> materials = {{"wall", 80, 0, 0, 0, false, {}},
                                           {"rock", 50, 0.5, 0, debris, false, {}},
                                           {"debris", 33, 1, 0, 0, true, {}},
                                           {"clay", 42, 0.7, 2.0 / 1024, 0, true, {}}};
  // As fast as the engine over one edge, without chance.
  testing::PublishedRules rules;
  rules.materials = published(materials, 2 * axis_share);
  for (std::size_t m = 1; m < rules.materials.size(); ++m)
    rules.materials[m].speed *= materials[m - 1].strength;
  rules.chance = [](int, int, int, int) { return testing::PublishedChance{}; };
  for (const std::uint32_t seed : {2U, 3U}) {
    const std::vector<Stack> stacks = hills_with_caves(shape, seed);
    const Ground start(shape, stacks, materials),
        engine(shape, engine_to_rest(shape, stacks, materials), materials);
    for (const Bounds& bounds : {Bounds{true, 0.27, 0.34, 0.7}, Bounds{false, 0.3, 0.4, 0.45}}) {
      SCOPED_TRACE(text("ground ", seed, bounds.beyond_talus ? ", beyond the talus" : ""));
      rules.beyond_talus = bounds.beyond_talus;
      const Ground document(shape, published_to_rest(shape, stacks, rules), materials);
      EXPECT_LT(engine.heights_apart(document), bounds.heights * start.heights_apart(document));
      EXPECT_LT(engine.materials_apart(document),
                bounds.materials * start.materials_apart(document));
      const double dust = document.total(debris) - start.total(debris);
      EXPECT_GT(engine.total(debris) - start.total(debris), bounds.dust * dust);
      EXPECT_LT(engine.total(debris) - start.total(debris), 1.1 * dust);
      EXPECT_GT(start.ceilings(clay), 20);
      EXPECT_EQ(engine.ceilings(clay), 0);
      EXPECT_EQ(document.ceilings(clay), 0);
      for (const Ground& ground : {engine, document}) {
        // To the quantum: they are whole numbers of 1/1024.
        EXPECT_EQ(ground.total(wall), start.total(wall));
        EXPECT_EQ(ground.total(clay), start.total(clay));
        EXPECT_EQ(ground.total(rock) + ground.total(debris),
                  start.total(rock) + start.total(debris));
        for (const int m : {rock, debris, clay}) {
          const double talus = materials[static_cast<std::size_t>(m) - 1].talus;
          for (const bool diagonal : {false, true}) {
            EXPECT_GT(start.steepest(m, diagonal), talus + 5);
            EXPECT_LT(ground.steepest(m, diagonal), talus + 0.5);
            EXPECT_GT(engine.steepest(m, diagonal), talus - 0.5);
            EXPECT_GT(document.steepest(m, diagonal), talus - (diagonal ? 5 : 1));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace scree
