// All processes on layers at once, for long: nothing is lost, and every device agrees.
#include <gtest/gtest.h>

#include <map>

#include "kernel/common/random.h"
#include "process/core/registry.h"
#include "process/layers/layer_simulation.h"
#include "process/layers/stones.h"
#include "terrain/layers/materials.h"
#include "testing.h"

namespace scree {
namespace {

// The presets, with the dust of each by number.
std::vector<Material> presets() {
  std::vector<Material> all;
  const std::vector<std::string> names = material_preset_names();
  for (const NamedMaterial& preset : material_presets()) {
    Material m = preset.material;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == preset.dust) m.dust = static_cast<int>(i) + 1;
    m.ceiling = 0.002;
    all.push_back(m);
  }
  return all;
}

Layers random_ground(const device::DevicePtr& device, const LayerShape& shape, std::uint32_t seed,
                     int layers_on_rock, const std::vector<Material>& materials = presets()) {
  Layers layers(device, shape, materials);
  const auto kinds = static_cast<std::uint32_t>(layers.materials().size());
  std::vector<Stack> stacks;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      std::uint32_t h = cell_hash(seed, x, y);
      Stack stack{{1, 2000 + static_cast<int>(h % 20000)}};
      for (int k = 0; k < layers_on_rock; ++k) {
        h = mix_bits(h + 1);
        stack.push_back({static_cast<int>(h % (kinds + 1)), static_cast<int>(h >> 8 & 0xfff) + 1});
      }
      stacks.push_back(stack);
    }
  layers.set_stacks(stacks);
  return layers;
}

std::vector<LayerProcessPtr> everything() {
  ProcessSet set;
  set.use("slippage").use("slumping").use("melt", "rate", 1e-4).use("melt", "aspect", 0.5);
  set.use("water", "rain", 1e-4).use("water", "evaporation", 1e-3);
  set.use("hydraulic", "time_acceleration", 500.0).use("stones", "count", 5.0);
  set["slumping"].every = 3;
  return make_processes<LayerProcess>(set);
}

// A world from a number: its size and edges, its materials, its strata with voids and water among
// them, which processes there are, and how strong they are.
class RandomWorld {
 public:
  explicit RandomWorld(std::uint32_t seed) : seed_(seed), state_(mix_bits(seed + 77)) {
    shape_.width = 1 + below(9), shape_.height = 1 + below(9);
    shape_.dx = between(0.5, 3), shape_.dy = between(0.5, 3);
    shape_.wrap_x = below(3) == 0, shape_.wrap_y = below(3) == 0, shape_.open = below(2) == 0;
    layers_on_rock_ = below(8);
    materials_ = presets();
    for (Material& m : materials_) {
      m.ceiling = below(2) * between(0, 0.01);
      m.loose = m.loose || below(4) == 0;
      if (m.fluid) continue;
      m.strength = between(0, 1), m.talus = between(5, 70), m.cohesion = between(0, 20000);
      m.erodibility = between(0, 3), m.melting = below(4) == 0 ? between(0, 2) : m.melting;
    }
    set_processes();
  }

  Layers layers(const device::DevicePtr& device) const {
    Layers made = random_ground(device, shape_, seed_, layers_on_rock_, materials_);
    for (const auto& [name, most] : maps_) {
      std::vector<float> values;
      for (std::size_t i = 0; i < shape_.cells(); ++i)
        values.push_back(most * static_cast<float>(cell_hash(seed_, static_cast<int>(i), 9) % 8));
      made.set_map(name, values);
    }
    return made;
  }
  std::vector<LayerProcessPtr> processes() const { return make_processes<LayerProcess>(set_); }
  const LayerShape& shape() const { return shape_; }

 private:
  int below(int count) {
    state_ = mix_bits(state_ + 1);
    return static_cast<int>(state_ % static_cast<std::uint32_t>(count));
  }
  double between(double least, double most) { return least + (most - least) * below(1000) / 999; }

  void set_processes() {
    set_.use("slippage", "scatter", between(0, 1)).use("slippage", "mixing", between(0, 2));
    if (below(2) == 0) set_.use("slippage", "rate", between(0, 2));
    if (below(5) != 0) set_.use("slumping", "safety", between(0.1, 10));
    if (below(5) != 0)
      set_.use("melt", "rate", between(0, 2e-3)).use("melt", "aspect", between(0, 1));
    if (below(5) != 0) {
      set_.use("water", "rain", between(0, 1e-3)).use("water", "evaporation", between(0, 2e-3));
      if (below(5) != 0) set_.use("hydraulic", "time_acceleration", between(1, 2000));
    }
    if (below(5) != 0) set_.use("stones", "count", 1.0 + below(12));
    if (below(2) == 0) maps_["rain"] = 1e-4F;
    if (below(2) == 0) maps_["water"] = 0.1F;
    if (below(2) == 0) maps_["erodibility"] = 0.4F;
    for (const char* name : {"slippage", "slumping", "melt"})
      if (set_.on(name)) set_[name].every = 1 + below(3);
    set_.use("slippage", "published", below(3) == 0);
  }

  std::uint32_t seed_, state_;
  LayerShape shape_;
  int layers_on_rock_ = 0;
  std::vector<Material> materials_;
  ProcessSet set_;
  std::map<std::string, float> maps_;  // and an eighth of the most in them
};

// All balances close, every `turn` steps of `steps`; how much left the world or came into it.
long long expect_nothing_lost(LayerSimulation& simulation, std::uint64_t steps,
                              std::uint64_t turn) {
  long long booked = 0;
  while (simulation.steps_done() < steps && !::testing::Test::HasFailure()) {
    simulation.run(turn);
    booked = 0;
    for (const LayerBalance& balance : simulation.ledger().balances) {
      EXPECT_EQ(balance.error(), 0) << balance.of[0] << " after " << simulation.steps_done();
      booked += balance.left + balance.entered;
    }
    // What a step leaves, a checkpoint gives back.
    const Layers& terrain = simulation.terrain();
    Layers again(testing::cpu(), terrain.shape(), terrain.materials());
    EXPECT_NO_THROW(again.set_words(terrain.words())) << simulation.steps_done();
  }
  return booked;
}

void expect_worlds_keep_all(std::uint32_t first, std::uint32_t count, std::uint64_t steps) {
  long long booked = 0;
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    const RandomWorld world(seed);
    SCOPED_TRACE(::testing::Message() << "world " << seed << ", " << world.shape().width << " x "
                                      << world.shape().height);
    Layers layers = world.layers(testing::cpu());
    LayerSimulation simulation(layers, world.processes());
    booked += expect_nothing_lost(simulation, steps, 100);
  }
  EXPECT_GT(booked, 0);
}

// The same on every other device, and with the same bits.
void expect_worlds_alike(std::uint32_t first, std::uint32_t count, std::uint64_t steps) {
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    const RandomWorld world(seed);
    SCOPED_TRACE(::testing::Message() << "world " << seed);
    std::map<std::string, std::uint64_t> expected;
    for (const testing::Backend& backend : testing::all_backends()) {
      Layers layers = world.layers(backend.device);
      LayerSimulation simulation(layers, world.processes());
      expect_nothing_lost(simulation, steps, steps / 4);
      if (expected.empty()) expected = simulation.hashes();
      EXPECT_EQ(simulation.hashes(), expected) << backend.label;
    }
  }
}

TEST(LayerProcesses, LoseNothingInTenThousandSteps) {
  LayerShape shape;
  shape.width = 6, shape.height = 5;
  shape.open = true;
  Layers layers = random_ground(testing::cpu(), shape, 3, 5);
  LayerSimulation simulation(layers, everything());
  ASSERT_EQ(simulation.processes().size(), 5U);
  EXPECT_GT(expect_nothing_lost(simulation, 10000, 500), 0);
}

TEST(LayerProcesses, LoseNothingInAnyWorld) { expect_worlds_keep_all(1, 20, 400); }
TEST(LayerProcesses, LoseNothingInAnyWorldOnAnyDevice) { expect_worlds_alike(1, 5, 60); }

TEST(LayerProcesses, LongLoseNothingInAnyWorldInTenThousandSteps) {
  expect_worlds_keep_all(101, 8, 10000);
}
TEST(LayerProcesses, LongLoseNothingOnAnyDeviceInTenThousandSteps) {
  expect_worlds_alike(201, 1, 10000);
}

TEST(LayerProcesses, SameBitsOnEveryBackend) {
  LayerShape shape;
  shape.width = 19, shape.height = 14;
  shape.wrap_y = shape.open = true;
  std::map<std::string, std::uint64_t> expected;
  for (const testing::Backend& backend : testing::all_backends()) {
    Layers layers = random_ground(backend.device, shape, 8, 3);
    LayerSimulation simulation(layers, everything());
    simulation.run(20);
    if (expected.empty()) expected = simulation.hashes();
    EXPECT_EQ(simulation.hashes(), expected) << backend.label;
    EXPECT_EQ(simulation.ledger().error(), 0);
  }
}

}  // namespace
}  // namespace scree
