// All processes on layers at once, for long: nothing is lost, and every device agrees.
#include <gtest/gtest.h>

#include <map>

#include "kernel/random.h"
#include "process/layer_simulation.h"
#include "process/registry.h"
#include "process/stones.h"
#include "terrain/materials.h"
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
                     int layers_on_rock) {
  Layers layers(device, shape, presets());
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

TEST(LayerProcesses, LoseNothingInTenThousandSteps) {
  LayerShape shape;
  shape.width = 6, shape.height = 5;
  shape.open = true;
  Layers layers = random_ground(testing::cpu(), shape, 3, 5);
  LayerSimulation simulation(layers, everything());
  ASSERT_EQ(simulation.processes().size(), 5U);
  for (int turn = 0; turn < 20; ++turn) {
    simulation.run(500);
    for (const LayerBalance& balance : simulation.ledger().balances)
      ASSERT_EQ(balance.error(), 0) << balance.of[0] << " after " << simulation.steps_done();
  }
  long long moved = 0;
  for (const LayerBalance& balance : simulation.ledger().balances) moved += balance.left;
  EXPECT_GT(moved, 0);
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
