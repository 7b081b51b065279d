// Columns that slide together, as many as a CPU takes at once, end as each does by itself.
#include <gtest/gtest.h>

#include "kernel/common/random.h"
#include "kernel/layers/slip.h"
#include "process/layers/layer_simulation.h"
#include "process/layers/slippage.h"
#include "testing.h"

namespace scree {
namespace {

class Draws {
 public:
  explicit Draws(std::uint32_t seed) : state_(mix_bits(seed)) {}
  int below(int most) {
    state_ = mix_bits(state_ + 0x9e3779b9U);
    return static_cast<int>(state_ % static_cast<std::uint32_t>(most));
  }
  bool once_in(int times) { return below(times) == 0; }

 private:
  std::uint32_t state_;
};

struct World {
  LayerShape shape;
  std::vector<Material> materials;
  std::vector<std::uint32_t> words;
  SlippageParameters parameters;
};

// Of few columns or many, as long as a row that a CPU has at hand or a little longer.
int some_width(Draws& draws) {
  if (draws.once_in(4)) return 1 + draws.below(9);
  if (draws.once_in(6)) return 1019 + draws.below(24);
  return 1 + draws.below(150);
}

std::vector<Material> some_materials(Draws& draws) {
  std::vector<Material> materials(static_cast<std::size_t>(1 + draws.below(7)));
  const bool ceilings = draws.once_in(2);
  for (Material& m : materials) {
    m.name = text("kind ", &m - materials.data());
    m.talus = 5 + draws.below(70);
    m.strength = draws.once_in(6) ? 0 : draws.below(101) / 100.0;
    m.ceiling = ceilings && draws.once_in(3) ? draws.below(100) / 300.0 : 0;
    m.dust = draws.below(static_cast<int>(materials.size()) + 1);
    m.loose = draws.once_in(2);
  }
  return materials;
}

// Layers upon each other, hollow ones in patches. Some worlds have two layers of a kind upon each
// other, as a step leaves them only where one alone would be too thick.
struct Ground {
  explicit Ground(Draws& draws)
      : hollow(draws.below(4)),
        deep(1 + draws.below(7)),
        rough(1 << draws.below(15)),
        thin(1 << draws.below(12)),
        patch(1 + draws.below(40)),
        odd(draws.once_in(3)) {}

  Stack stack(Draws& draws, int kinds, bool with_voids) const {
    Stack stack{{1 + draws.below(kinds), 1 + draws.below(rough)}};
    for (int k = draws.below(deep + 1); k > 0; --k) {
      const bool air = with_voids && draws.once_in(3);
      const int quanta = 1 + draws.below(draws.once_in(3) ? rough : thin);
      const Layer layer{air ? 0 : 1 + draws.below(kinds), quanta + (air ? draws.below(9000) : 0)};
      if ((odd && !air) || layer.material != stack.back().material) stack.push_back(layer);
    }
    while (stack.back().material == 0) stack.pop_back();
    return stack;
  }

  int hollow, deep, rough, thin, patch;
  bool odd;
};

World some_world(std::uint32_t seed) {
  Draws draws(seed);
  World world;
  LayerShape& shape = world.shape;
  shape.width = some_width(draws);
  shape.height = 1 + draws.below(draws.once_in(3) ? 4 : 20);
  shape.dx = 1 + draws.below(5);
  shape.dy = draws.once_in(3) ? 1 + draws.below(5) : shape.dx;
  shape.wrap_x = draws.once_in(2);
  shape.wrap_y = draws.once_in(2);
  world.materials = some_materials(draws);
  world.parameters.scatter = draws.below(11) / 10.0;
  world.parameters.mixing = draws.below(3) * 0.7;
  const Ground ground(draws);
  const std::size_t cells = shape.cells();
  world.words.resize(LAYERS_MOST * cells);
  for (std::size_t i = 0; i < cells; ++i) {
    const auto x = static_cast<int>(i) % shape.width, y = static_cast<int>(i) / shape.width;
    const std::uint32_t place = cell_hash(seed, x / ground.patch, y / ground.patch);
    const Stack stack = ground.stack(draws, static_cast<int>(world.materials.size()),
                                     static_cast<int>(place % 4) < ground.hollow);
    for (std::size_t k = 0; k < stack.size(); ++k)
      world.words[k * cells + i] =
          layer_word(static_cast<uint>(stack[k].material), stack[k].quanta);
  }
  return world;
}

struct Columns {
  std::vector<std::uint32_t> words;
  std::vector<LayerTop> tops;
};
Columns columns_of(const Layers& layers) {
  Columns columns{layers.words(), layers.tops()};
  columns.words.resize(LAYERS_MOST * layers.shape().cells());
  return columns;
}

// Each by itself (slip.h).
Columns slipped_alone(const Layers& layers, const Slip& numbers) {
  const Columns before = columns_of(layers);
  const std::vector<LayerMaterial> table = Slippage::table(layers);
  Columns after{std::vector<std::uint32_t>(before.words.size()),
                std::vector<LayerTop>(before.tops.size())};
  LayerGrid grid = layers.grid();
  grid.planes = LAYERS_MOST;
  uint needed = 0;
  for (int y = 0; y < grid.height; ++y)
    for (int x = 0; x < grid.width; ++x)
      slip_cell(x, y, grid, numbers, table.data(), before.words.data(), before.tops.data(),
                after.words.data(), after.tops.data(), &needed);
  EXPECT_EQ(needed, 0U);
  return after;
}

void expect_alike(const Columns& expected, const Columns& found, const std::string& where) {
  const std::size_t cells = expected.tops.size();
  for (std::size_t i = 0; i < expected.words.size(); ++i)
    ASSERT_EQ(found.words[i], expected.words[i])
        << where << ", column " << i % cells << ", layer " << i / cells;
  for (std::size_t i = 0; i < cells; ++i) {
    ASSERT_EQ(found.tops[i].height, expected.tops[i].height) << where << ", column " << i;
    ASSERT_EQ(found.tops[i].about, expected.tops[i].about) << where << ", column " << i;
  }
}

void expect_as_alone(std::uint32_t seed, const testing::Backend& backend) {
  const World world = some_world(seed);
  Layers layers(backend.device, world.shape, world.materials);
  layers.set_words(world.words);
  std::vector<LayerProcessPtr> processes;
  processes.push_back(std::make_unique<Slippage>(world.parameters));
  LayerSimulation simulation(layers, std::move(processes));
  for (std::uint64_t step = 0; step < 5; ++step) {
    const StepContext context{1, step, SimulationOptions{}.seed};
    const Slip numbers = Slippage(world.parameters).numbers(layers, context);
    const Columns expected = slipped_alone(layers, numbers);
    simulation.step();
    expect_alike(expected, columns_of(layers),
                 text(backend.label, ", world ", seed, " of ", world.shape.width, " x ",
                      world.shape.height, " columns, step ", step));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(SlippageWorlds, ColumnsTogetherEndAsEachByItself) {
  for (const testing::Backend& backend : testing::all_backends()) {
    if (!testing::is_cpu(backend)) continue;
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
      expect_as_alone(seed, backend);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace scree
