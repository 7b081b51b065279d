// Water on layers digs by what lies on top, keeps kinds of sediment apart, and loses nothing.
#include "process/layers/layer_water.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "cave_reference.h"
#include "kernel/heights/flow_ledger.h"
#include "kernel/layers/load_moves.h"
#include "layer_water_reference.h"
#include "process/layers/layer_simulation.h"
#include "process/layers/slippage.h"
#include "process/layers/slumping.h"
#include "testing.h"

namespace scree {
namespace {

enum : int { granite = 1, shale = 2, sand = 3, silt = 4, clay = 5, water = 6, iron = 7 };
std::vector<Material> ground() {
  std::vector<Material> m(7);
  m[0].name = "granite", m[0].talus = 75, m[0].strength = 0.02, m[0].dust = sand;
  m[0].erodibility = 0.2;
  m[1].name = "shale", m[1].talus = 55, m[1].strength = 0.3, m[1].dust = silt;
  m[1].erodibility = 0.8, m[1].cohesion = 1e5, m[1].ceiling = 0.01;
  m[2].name = "sand", m[2].talus = 33, m[2].strength = 0.9, m[2].loose = true;
  m[2].coarse = true, m[2].erodibility = 1.5, m[2].cohesion = 0;
  m[3].name = "silt", m[3].talus = 30, m[3].strength = 0.9, m[3].loose = true;
  m[3].erodibility = 2, m[3].cohesion = 0;
  m[4].name = "clay", m[4].talus = 40, m[4].strength = 0.5, m[4].loose = true;
  m[4].cohesion = 1e4;
  m[5].name = "water", m[5].talus = 0, m[5].strength = 1, m[5].loose = m[5].fluid = true;
  m[5].erodibility = 0, m[5].cohesion = 0, m[5].density = 1000;
  m[6].name = "iron", m[6].talus = 85, m[6].strength = 0, m[6].erodibility = 0;
  m[6].cohesion = 1e8;
  return m;
}

LayerShape shape_of(int width, int height) {
  LayerShape shape;
  shape.width = width, shape.height = height;
  shape.dx = shape.dy = 10;
  shape.quantum = 1.0 / 4096;
  return shape;
}

// A rough slope of strata with loose cover, caves here and there, and some standing water.
std::vector<Stack> rough_strata(const LayerShape& shape, unsigned seed) {
  const std::vector<float> heights = testing::rough_heights(shape.width, shape.height, 30, seed);
  std::vector<Stack> stacks;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      const std::uint32_t h = cell_hash(seed, x, y);
      const auto i = static_cast<std::size_t>(y * shape.width + x);
      const auto quanta = static_cast<int>((heights[i] + 40) * 4096);
      Stack stack{{granite, quanta}};
      if (h % 7 == 0) stack.push_back({0, 5000 + static_cast<int>(h >> 20)});
      stack.push_back({shale, 500 + static_cast<int>(h >> 16 & 0x1fff)});
      if (h % 3 == 0) stack.push_back({clay, static_cast<int>(h >> 8 & 0x3ff) + 1});
      if (h % 5 == 0) stack.push_back({sand, static_cast<int>(h >> 8 & 0x1ff) + 1});
      if (h % 4 == 0) stack.push_back({silt, static_cast<int>(h >> 9 & 0xff) + 1});
      if (h % 11 == 0) stack.push_back({iron, 20});
      if (h % 13 == 0) stack.push_back({water, 800});
      stacks.push_back(stack);
    }
  return stacks;
}

ProcessSet rain_and_erosion() {
  ProcessSet set;
  set.use("water", "rain", 2e-4).use("water", "evaporation", 1e-3);
  set.use("hydraulic", "time_acceleration", 2000.0);
  return set;
}

const LayerWater& water_of(const LayerSimulation& simulation) {
  return dynamic_cast<const LayerWater&>(*simulation.processes().front());
}

std::vector<LayerShape> some_shapes() {
  LayerShape open = shape_of(23, 17), closed = shape_of(12, 19), wrapped = shape_of(16, 9);
  open.open = true;
  wrapped.wrap_x = wrapped.open = true;
  return {open, closed, wrapped};
}

TEST(LayerWater, AgreesWithAListOfTransfers) {
  for (const LayerShape& shape : some_shapes())
    for (const char* neighbours : {"8", "4"}) {
      Layers layers(testing::cpu(), shape, ground());
      layers.set_stacks(rough_strata(shape, 5));
      ProcessSet set = rain_and_erosion();
      set.use("water", "neighbours", std::string(neighbours));
      const AnyProcessPtr made = make_layer_water(set);
      auto& process = dynamic_cast<LayerWater&>(*made);
      process.prepare(layers);
      const std::vector<LoadMaterial> table = process.table(layers);
      ASSERT_EQ(process.load_materials(), (std::vector<int>{sand, silt, clay}));
      long long settled = 0;
      for (std::uint64_t step = 0; step < 25; ++step) {
        const StepContext context{0.3, step, 7};
        // Before the flow step, water runs into caves and out of them.
        testing::Wet wet{layers.stacks(), process.surface().raw("water")};
        wet = testing::tidied_naively(layers.materials(), wet);
        wet = testing::levelled_naively(shape, layers.materials(), wet, step);
        const testing::Laden before{wet.stacks, process.loads()};
        const std::vector<int>& depth = wet.water;
        process.run(layers, context);
        const testing::Laden after{layers.stacks(), process.loads()};
        const testing::Laden expected = testing::eroded_naively(
            shape, before, depth, process.surface(), table, process.flow_numbers(context),
            process.numbers(layers, context));
        ASSERT_EQ(after.loads, expected.loads) << step << ", " << neighbours;
        ASSERT_EQ(after.stacks, expected.stacks) << step << ", " << neighbours;
        for (const auto& kind : after.loads)
          for (const int quanta : kind) {
            ASSERT_GE(quanta, 0);
            settled += quanta;
          }
      }
      EXPECT_GT(settled, 0);
    }
}

// A cell gives away nearly all that it has, over all edges: no kind is overdrawn.
TEST(LayerWater, NoKindIsOverdrawn) {
  const Grid g = device::make_grid(1, 1, 1, 1);
  const auto at = static_cast<std::size_t>(cell_index(g, 0, 0));
  const auto stride = static_cast<std::size_t>(g.stride);
  std::vector<int> water_field(device::cells_allocated(g)), sediment(water_field.size());
  std::vector<float> east(water_field.size()), south = east, se = east, sw = east;
  Flow flow{};
  flow.reserve = 8;
  flow.dt = 1;
  Load numbers{};
  numbers.layers = {1, 1, 4, 0, 0};
  numbers.kinds = 3;
  long long emptied = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::uint32_t h = mix_bits(static_cast<std::uint32_t>(trial));
    const auto draw_below = [&](std::uint32_t n) {
      h = mix_bits(h + 0x9e3779b9U);
      return static_cast<int>(h % n);
    };
    int loads[3], out[2 * LAYER_SIDES];
    // Amounts beyond 2^24, which a float cannot hold exactly, too.
    for (int& load : loads)
      load =
          draw_below(3) == 0 ? draw_below(6) : (draw_below(900) << draw_below(15)) + draw_below(9);
    water_field[at] = 20 + (draw_below(500) << draw_below(15));
    sediment[at] = loads[0] + loads[1] + loads[2];
    const float gives = spendable(static_cast<float>(water_field[at]), flow.reserve);
    float weights[LAYER_SIDES], sum = 0;
    for (float& w : weights) sum += w = static_cast<float>(draw_below(5));
    for (float& w : weights) w *= gives / std::max(sum, 1.0F);
    east[at] = weights[0], east[at - 1] = -weights[1];
    south[at] = weights[2], south[at - stride] = -weights[3];
    se[at] = weights[4], se[at - stride - 1] = -weights[5];
    sw[at - stride + 1] = -weights[6], sw[at] = weights[7];
    flow.step_seed = mix_bits(h), numbers.step_seed = mix_bits(h + 1);
    Leaving rest = leaving(g, flow, 0, 0, water_field.data(), sediment.data(), east.data(),
                           south.data(), se.data(), sw.data());
    int kept[] = {loads[0], loads[1]};
    for (int kind = 0; kind < 2; ++kind) {
      leaves_of_kind(0, 1, kind, sending_chance(g, numbers, 0, 0), &rest, kept, out);
      less_of_kind(&rest, kind * LAYER_SIDES, 1, kept[kind], out);
    }
    const float load = concentration(flow, water_field[at], sediment[at]);
    int left = 0, gone[2] = {};
    for (int side = 0; side < LAYER_SIDES; ++side) {
      int total = 0;
      for (int kind = 0; kind < 2; ++kind) {
        ASSERT_GE(out[kind * LAYER_SIDES + side], 0) << trial;
        gone[kind] += out[kind * LAYER_SIDES + side];
        total += out[kind * LAYER_SIDES + side];
      }
      ASSERT_LE(static_cast<float>(total), weights[side] * load * 1.00001F + 1) << trial;
    }
    for (const auto& [owner, flux, which] : {std::tuple{std::pair{0, 0}, east[at], SCREE_DRAW_A},
                                             {{-1, 0}, east[at - 1], SCREE_DRAW_A},
                                             {{0, 0}, south[at], SCREE_DRAW_B},
                                             {{0, -1}, south[at - stride], SCREE_DRAW_B},
                                             {{0, 0}, se[at], SCREE_DRAW_F},
                                             {{-1, -1}, se[at - stride - 1], SCREE_DRAW_F},
                                             {{1, -1}, sw[at - stride + 1], SCREE_DRAW_G},
                                             {{0, 0}, sw[at], SCREE_DRAW_G}})
      left += std::abs(to_quanta(
          flux * load, rounding(cell_hash(flow.step_seed, owner.first, owner.second), which)));
    ASSERT_LE(gone[0], loads[0]) << trial;
    ASSERT_LE(gone[1], loads[1]) << trial;
    ASSERT_EQ(kept[0], loads[0] - gone[0]) << trial;
    ASSERT_LE(left - gone[0] - gone[1], loads[2]) << trial;
    emptied += gone[0] == loads[0];
  }
  EXPECT_GT(emptied, 1000);
}

TEST(LayerWater, LosesNothingOfAnyMaterial) {
  for (const LayerShape& shape : some_shapes()) {
    Layers layers(testing::cpu(), shape, ground());
    layers.set_stacks(rough_strata(shape, 11));
    LayerSimulation simulation(layers, make_processes<LayerProcess>(rain_and_erosion()));
    simulation.run(150);
    const LayerLedger ledger = simulation.ledger();
    long long held = 0;
    for (const LayerBalance& balance : ledger.balances) {
      EXPECT_EQ(balance.error(), 0) << balance.of[0];
      held += balance.held;
    }
    EXPECT_GT(held, 0);
    EXPECT_GT(ledger.materials.at("silt"), 0);
    // What the kinds lost over the border is what the flow step booked.
    const auto& process = water_of(simulation);
    long long left = 0;
    for (const auto& [name, booking] : process.booked(layers))
      if (name != "water") left += booking.left;
    EXPECT_EQ(left, process.surface().booked()[LEDGER_SEDIMENT_OUT]);
    EXPECT_EQ(left > 0, shape.open);
  }
}

// With one material all over, stacks do what a heightfield does.
TEST(LayerWater, OneMaterialErodesAsAHeightfield) {
  const LayerShape shape = shape_of(31, 22);
  std::vector<Material> one(1);
  one[0].name = "soil";
  Layers layers(testing::cpu(), shape, one);
  const std::vector<float> heights = testing::rough_heights(31, 22, 30, 3);
  std::vector<Stack> stacks;
  for (const float h : heights) stacks.push_back({{1, static_cast<int>((h + 60) * 4096)}});
  layers.set_stacks(stacks);
  SimulationOptions options;
  options.dt = 0.4;
  LayerSimulation simulation(layers, make_processes<LayerProcess>(rain_and_erosion()), options);
  simulation.run(200);

  Landscape land(std::make_unique<Heightfield>(testing::cpu(), HeightfieldShape{31, 22, 10, 10},
                                               std::vector<float>(heights.size(), 0),
                                               Borders::all(BorderKind::closed), Quantum{12, 0}));
  std::vector<float> metres;
  for (const Stack& stack : stacks) metres.push_back(static_cast<float>(stack[0].quanta) / 4096);
  land.single().set_values("bed", metres);
  Simulation plain(land, make_processes(rain_and_erosion()), options);
  plain.run(200);
  for (const char* field : {"bed", "water", "sediment"})
    EXPECT_EQ(water_of(simulation).surface().hash(field), land.hash(field)) << field;
}

// A stream over a soft layer on hard rock digs to the rock and then slows down.
TEST(LayerWater, HardLayersSlowItDown) {
  const LayerShape shape = shape_of(30, 5);
  const auto dug = [&](int material) {
    Layers layers(testing::cpu(), shape, ground());
    std::vector<Stack> stacks;
    for (int i = 0; i < 150; ++i)
      stacks.push_back({{granite, 40000}, {material, (30 - i % 30) * 8000 + 4096}});
    layers.set_stacks(stacks);
    const long long before = layers.totals()[static_cast<std::size_t>(material)];
    ProcessSet set = rain_and_erosion();
    set.use("hydraulic", "dissolve", 1e-3);
    LayerSimulation simulation(layers, make_processes<LayerProcess>(set));
    simulation.run(300);
    return before - layers.totals()[static_cast<std::size_t>(material)];
  };
  EXPECT_EQ(dug(iron), 0);
  EXPECT_GT(dug(granite), 0);
  EXPECT_GT(dug(shale), 2 * dug(granite));
}

TEST(LayerWater, WhereNothingErodesWaterStaysClear) {
  for (const testing::Backend& backend : testing::all_backends()) {
    const LayerShape shape = shape_of(23, 17);
    std::vector<Material> hard = ground();
    for (Material& m : hard) m.erodibility = 0;
    Layers layers(backend.device, shape, hard);
    layers.set_stacks(rough_strata(shape, 5));
    LayerSimulation simulation(layers, make_processes<LayerProcess>(rain_and_erosion()));
    const std::vector<long long> before = layers.totals();
    simulation.run(20);
    EXPECT_EQ(water_of(simulation).surface().sum("sediment"), 0) << backend.label;
    for (const int solid : {granite, shale, sand, clay, silt, iron})
      EXPECT_EQ(layers.totals()[static_cast<std::size_t>(solid)],
                before[static_cast<std::size_t>(solid)]);
  }
}

TEST(LayerWater, CoarseSedimentSettlesFirst) {
  // Two kinds wash down a slope into a basin: sand stays where the slope ends, silt goes on.
  const LayerShape shape = shape_of(60, 3);
  Layers layers(testing::cpu(), shape, ground());
  std::vector<Stack> stacks;
  for (int i = 0; i < 180; ++i) {
    const int x = i % 60;
    Stack stack{{iron, x < 25 ? (25 - x) * 12000 + 4096 : 4096}};
    if (x < 20) stack.push_back({i % 2 == 0 ? sand : silt, 4000});
    stacks.push_back(stack);
  }
  layers.set_stacks(stacks);
  ProcessSet set = rain_and_erosion();
  LayerSimulation simulation(layers, make_processes<LayerProcess>(set));
  simulation.run(900);
  double sand_at = 0, silt_at = 0, sands = 0, silts = 0;
  const std::vector<Stack> after = layers.stacks();
  for (std::size_t i = 0; i < after.size(); ++i)
    for (const Layer& layer : after[i]) {
      const auto x = static_cast<double>(i % 60);
      if (x < 25) continue;
      if (layer.material == sand) sand_at += x * layer.quanta, sands += layer.quanta;
      if (layer.material == silt) silt_at += x * layer.quanta, silts += layer.quanta;
    }
  const std::vector<std::vector<int>> carried = water_of(simulation).loads();
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto x = static_cast<double>(i % 60);
    if (x < 25) continue;
    sand_at += x * carried[0][i], sands += carried[0][i];
    silt_at += x * carried[1][i], silts += carried[1][i];
  }
  ASSERT_GT(sands, 1000);
  ASSERT_GT(silts, 1000);
  EXPECT_LT(sand_at / sands + 1, silt_at / silts);
}

TEST(LayerWater, SameBitsOnEveryBackendAndAfterAnInterruption) {
  for (const LayerShape& shape : some_shapes()) {
    std::map<std::string, std::uint64_t> expected;
    const auto processes = [] {
      ProcessSet set = rain_and_erosion();
      set.use("slippage").use("slumping");
      return make_processes<LayerProcess>(set);
    };
    for (const testing::Backend& backend : testing::all_backends()) {
      Layers layers(backend.device, shape, ground());
      layers.set_stacks(rough_strata(shape, 21));
      LayerSimulation simulation(layers, processes());
      simulation.run(12);
      if (expected.empty()) expected = simulation.hashes();
      EXPECT_EQ(simulation.hashes(), expected) << backend.label << ", " << shape.width;
    }
    Layers first(testing::cpu(), shape, ground()), second(testing::cpu(), shape, ground());
    first.set_stacks(rough_strata(shape, 21));
    LayerSimulation before(first, processes());
    before.run(11);
    second.set_words(first.words());
    LayerSimulation after(second, processes());
    restore_state(after, save_state(before));
    after.run(1);
    EXPECT_EQ(after.hashes(), expected);
    EXPECT_EQ(after.ledger().error(), 0);
  }
}

TEST(LayerWater, WaterThatLiesOnAStackRuns) {
  const LayerShape shape = shape_of(5, 1);
  Layers layers(testing::cpu(), shape, ground());
  layers.set_stacks({{{iron, 9000}, {water, 5000}}, {{iron, 100}}, {{iron, 100}}, {}, {{iron, 5}}});
  ProcessSet set;
  set.use("water", "rain", 0.0);
  LayerSimulation simulation(layers, make_processes<LayerProcess>(set));
  EXPECT_EQ(layers.totals()[water], 0);
  simulation.run(200);
  EXPECT_EQ(water_of(simulation).surface().sum("water"), 5000);
  EXPECT_LT(water_of(simulation).surface().raw("water")[0], 100);
  EXPECT_EQ(simulation.ledger().error(), 0);
}

TEST(LayerWater, RefusesWhatItCannotDo) {
  ProcessSet set;
  set.use("hydraulic", "transport", std::string("euler"));
  EXPECT_THROW(make_layer_water(set), UsageError);
  LayerShape shape = shape_of(1, 1);
  shape.quantum = 0.001;
  Layers odd(testing::cpu(), shape, ground());
  LayerWater process(WaterParameters{});
  EXPECT_THROW(process.prepare(odd), UsageError);
  std::vector<Material> many(9);
  for (Material& m : many) m.name = "kind";
  Layers kinds(testing::cpu(), shape_of(1, 1), many);
  LayerWater eroding(WaterParameters{}, {}, HydraulicParameters{});
  EXPECT_THROW(eroding.prepare(kinds), UsageError);
  LayerWater clear(WaterParameters{});
  EXPECT_NO_THROW(clear.prepare(kinds)) << "water that erodes nothing carries nothing";
  std::vector<Material> wet = ground();
  wet[clay - 1].dust = water;
  Layers melting(testing::cpu(), shape_of(1, 1), wet);
  const auto said = [&](LayerWater& of) -> std::string {
    try {
      of.prepare(melting);
    } catch (const UsageError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(said(clear), "");
  EXPECT_EQ(said(eroding),
            "material 'clay': dust = 'water': where water erodes, expected a dust "
            "that is no fluid, or an erodibility of 0");
  wet[clay - 1].erodibility = 0;
  Layers kept(testing::cpu(), shape_of(1, 1), wet);
  EXPECT_NO_THROW(eroding.prepare(kept));
}

}  // namespace
}  // namespace scree
