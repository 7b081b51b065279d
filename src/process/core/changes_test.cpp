// Terrains that are changed from outside between two steps, and processes that are made anew: what
// was kept follows, dt is not outrun, nothing is lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "process/heights/simulation.h"
#include "process/heights/thermal.h"
#include "process/heights/water.h"
#include "process/layers/layer_water.h"
#include "small_worlds.h"

namespace scree {
namespace {

using testing::CaveWorld;
using testing::RockWorld;

// ---- heights

constexpr int land_side = 40;

Landscape wet_land() {
  return testing::land_of(testing::cpu(), {land_side, land_side, 5, 5},
                          testing::rough_heights(land_side, land_side, 20, 3),
                          Borders::all(BorderKind::closed));
}

ProcessSet rain() { return ProcessSet().use("water", "rain", 1e-5); }

constexpr Box pond{.x = 12, .y = 20, .width = 5, .height = 4};

// Makes the water in the pond as deep, as a write would; how much that brought in.
Receipt pour(Heightfield& terrain, float metres) {
  std::vector<float> water = terrain.values("water");
  const long long before = terrain.sum("water");
  for (int y = pond.y; y < pond.y + pond.height; ++y)
    for (int x = pond.x; x < pond.x + pond.width; ++x)
      water[static_cast<std::size_t>(y * land_side + x)] = metres;
  terrain.set_values("water", water);
  return {pond, pond.cells(), {{"water", terrain.sum("water") - before}}};
}

// dt over the limit for the deepest water that there is: a wave crosses less than a cell below 1.
double courant(const Simulation& simulation, const Landscape& land) {
  return simulation.dt() * std::sqrt(9.81 * land.deepest_water() * 2 / (5.0 * 5.0));
}

// Poured at any place of the schedule, also while a look from before is under way (328 takes up
// what 320 saw), dt follows at once.
TEST(Changes, PouredWaterDoesNotOutrunDt) {
  for (const std::uint64_t poured_in : {1U, 17U, 20U, 24U, 300U, 322U, 328U, 383U}) {
    SCOPED_TRACE(poured_in);
    Landscape land = wet_land();
    Simulation simulation(land, make_processes(rain()));
    simulation.run(poured_in);
    const double before = simulation.dt();
    simulation.terrain_changed(pour(land.single(), 50), "water");
    simulation.step();
    EXPECT_LT(simulation.dt(), before / 5);
    double worst = 0;
    for (int i = 0; i < 150; ++i) {
      worst = std::max(worst, courant(simulation, land));
      simulation.step();
      ASSERT_LT(land.deepest_water(), 60) << "it swings up";
    }
    EXPECT_LT(worst, 1);
    EXPECT_TRUE(testing::balanced(simulation));
    EXPECT_EQ(simulation.ledger().water_error(), 0);
  }
}

TEST(Changes, PouredWaterStopsAFixedDtThatIsTooLong) {
  Landscape land = wet_land();
  Simulation simulation(land, make_processes(rain()), {.dt = 0.5});
  simulation.run(20);
  simulation.terrain_changed(pour(land.single(), 50), "water");
  const auto before = land.single().hashes();
  EXPECT_THROW(simulation.step(), Unstable);
  EXPECT_THROW(simulation.step(), Unstable) << "as long as it is too long";
  EXPECT_EQ(land.single().hashes(), before);
}

// Steps with looks are the same ones, whatever was asked beside them.
TEST(Changes, DoNotMoveTheScheduleOfLooks) {
  Landscape one = wet_land(), other = wet_land();
  pour(one.single(), 3), pour(other.single(), 3);
  Simulation plain(one, make_processes(rain())), told(other, make_processes(rain()));
  for (int i = 0; i < 100; ++i) {
    if (i % 7 == 3) told.terrain_changed(Box{.width = 1, .height = 1}, "wear");
    plain.step(), told.step();
    EXPECT_LE(told.dt(), plain.dt());
  }
  plain.run(60), told.run(60);
  EXPECT_GT(told.dt(), 0.9 * plain.dt()) << "a shorter step is for a while alone";
}

TEST(Changes, TheMapOfRainIsFollowed) {
  Landscape land = wet_land();
  land.single().ensure("rain", device::FieldType::float32, false);
  Simulation simulation(land, make_processes(rain()));
  simulation.run(5);
  const long long before = simulation.ledger().rained;
  land.single().set_values("rain", std::vector<float>(land_side * land_side, 1e-2F));
  simulation.terrain_changed(Box{.width = land_side, .height = land_side}, "rain");
  simulation.step();
  EXPECT_GT(simulation.ledger().rained - before, 100 * before);
}

TEST(Changes, OtherProcessesOnHeightsKeepTheFieldsOfThoseBefore) {
  const auto eroding = [](double loosening, const char* neighbours) {
    const char* const shape = loosening > 0 ? "disc" : "everywhere";
    return make_processes(rain()
                              .use("water", "rain", 1e-3)
                              .use("water", "rain_shape", std::string(shape))
                              .use("water", "rain_radius", 60.0)
                              .use("water", "neighbours", std::string(neighbours))
                              .use("hydraulic", "loosening", loosening)
                              .use("thermal", "wetness_influence", 1.0));
  };
  Landscape land = wet_land(), other = wet_land();
  Simulation simulation(land, eroding(50, "8"), {.dt = 0.05});
  simulation.run(200);
  const auto before = land.single().hashes();
  EXPECT_NE(land.single().values("looseness"), std::vector<float>(land_side * land_side, 1.0F));
  simulation.set_processes(eroding(0, "4"));
  for (const char* field : {"looseness", "wetness", "bed", "water"})
    EXPECT_EQ(land.single().hash(field), before.at(field)) << field;
  const std::vector<float> diagonal = testing::raw_floats(land.single(), "flux.se");
  EXPECT_EQ(diagonal, std::vector<float>(diagonal.size())) << "nobody moves them on";
  simulation.run(3);
  // Whoever has only the processes of now takes up the fields of those before, too.
  Simulation second(other, eroding(0, "4"), {.dt = 0.05});
  restore_state(second, save_state(simulation));
  for (Simulation* each : {&simulation, &second}) {
    each->set_processes(eroding(50, "8"));
    each->run(20);
    EXPECT_TRUE(testing::balanced(*each));
  }
  EXPECT_EQ(hash_state(second), hash_state(simulation));
}

TEST(Changes, TheSameProcessesAnewAreAsIfNothingHadHappened) {
  Landscape land = wet_land(), other = wet_land();
  Simulation plain(land, make_processes(rain().use("hydraulic")), {.dt = 0.05}),
      anew(other, make_processes(rain().use("hydraulic")), {.dt = 0.05});
  plain.run(40);
  anew.run(20);
  anew.set_processes(make_processes(rain().use("hydraulic")));
  anew.run(20);
  EXPECT_EQ(other.single().hashes(), land.single().hashes());
}

// ---- layers

constexpr Box east_half{.x = 10, .y = 2, .width = 9, .height = 8};

// Digs a second gallery, in which water stands, into the half without caves.
void dig(Layers& layers) {
  std::vector<Stack> stacks = layers.stacks();
  for (int y = east_half.y; y < east_half.y + east_half.height; ++y)
    for (int x = east_half.x; x < east_half.x + east_half.width; ++x) {
      Stack& stack = stacks[static_cast<std::size_t>(y * CaveWorld::width + x)];
      const int k = stack.empty() || stack[0].quanta < 900 ? -1 : 0;
      if (k < 0 || y % 3 != 0) continue;
      const Layer lowest = stack[0];
      stack.erase(stack.begin());
      const Stack below{{lowest.material, 300},
                        {testing::cave_water, (x * 37) % 200},
                        {0, 200 - (x * 37) % 200},
                        {lowest.material, lowest.quanta - 500}};
      stack.insert(stack.begin(), below.begin(), below.end());
    }
  layers.set_stacks(stacks);
}

std::map<std::string, long long> brought_in(const std::vector<long long>& before,
                                            const Layers& layers) {
  std::map<std::string, long long> edited;
  const std::vector<long long> now = layers.totals();
  for (std::size_t m = 0; m < layers.materials().size(); ++m)
    edited[layers.materials()[m].name] = now[m + 1] - before[m + 1];
  return edited;
}

// As a world that knows of all caves from its beginning; and the water moves there.
TEST(Changes, CavesThatAreDugAreTakenIn) {
  for (const testing::Backend& backend : testing::one_of_each_kind()) {
    SCOPED_TRACE(backend.label);
    CaveWorld one(backend.device), other(backend.device), third(backend.device);
    LayerSimulation dug(one.layers, CaveWorld::made());
    dug.run(6);
    const std::vector<long long> before = one.layers.totals();
    dig(one.layers);
    dug.terrain_changed(Receipt{east_half, 0, brought_in(before, one.layers)});
    EXPECT_EQ(dug.ledger().error(), 0);
    // It hears only of the caves that there are in the end.
    dig(other.layers);
    LayerSimulation fresh(other.layers, CaveWorld::made());
    restore_state(fresh, save_state(dug));
    // It is never told.
    LayerSimulation deaf(third.layers, CaveWorld::made());
    deaf.run(6);
    dig(third.layers);
    for (LayerSimulation* each : {&dug, &fresh, &deaf}) each->run(12);
    EXPECT_EQ(fresh.hashes(), dug.hashes());
    EXPECT_NE(deaf.hashes(), dug.hashes());
    EXPECT_EQ(dug.ledger().error(), 0);
    EXPECT_TRUE(testing::balanced(dug));
  }
}

// Where there were no caves at all.
TEST(Changes, TheFirstCaveFills) {
  LayerShape shape;
  shape.width = 9, shape.height = 1;
  Layers layers(testing::cpu(), shape, testing::cave_materials());
  layers.set_stacks(std::vector<Stack>(9, {{testing::cave_rock, 4000}}));
  ProcessSet set;
  set.use("water", "rain", 0.0);
  LayerSimulation simulation(layers, make_processes<LayerProcess>(set));
  simulation.run(2);
  std::vector<Stack> stacks = layers.stacks();
  stacks[0] = {{testing::cave_rock, 1000}, {testing::cave_water, 3000}};
  for (std::size_t x = 1; x < 6; ++x)
    stacks[x] = {{testing::cave_rock, 1000}, {0, 1000}, {testing::cave_rock, 2000}};
  const std::vector<long long> before = layers.totals();
  layers.set_stacks(stacks);
  simulation.terrain_changed(Receipt{{.width = 6, .height = 1}, 6, brought_in(before, layers)});
  EXPECT_EQ(simulation.ledger().error(), 0) << "what was poured is water on the surface at once";
  simulation.run(60);
  EXPECT_EQ(layers.totals()[testing::cave_water] > 1000, true);
  EXPECT_EQ(simulation.ledger().error(), 0);
  for (const Balance& balance : simulation.balances()) EXPECT_EQ(balance.error(), 0);
}

// dt of layers is chosen in every sixteenth step, and follows what is poured between them.
TEST(Changes, WaterPouredOnLayersDoesNotOutrunDt) {
  LayerShape shape;
  shape.width = shape.height = 12, shape.dx = shape.dy = 5;
  Layers layers(testing::cpu(), shape, testing::cave_materials());
  layers.set_stacks(std::vector<Stack>(144, {{testing::cave_rock, 4000}}));
  ProcessSet set;
  set.use("water", "rain", 1e-5);
  LayerSimulation simulation(layers, make_processes<LayerProcess>(set));
  simulation.run(3);
  const double before = simulation.dt();
  std::vector<Stack> stacks = layers.stacks();
  stacks[70].push_back({testing::cave_water, 50 * 1024});
  layers.set_stacks(stacks);
  simulation.terrain_changed(Box{.x = 10, .y = 5, .width = 1, .height = 1});
  simulation.step();
  EXPECT_LT(simulation.dt(), before / 5);
}

TEST(Changes, OtherProcessesOnLayersTakeOverWhatThoseBeforeKept) {
  CaveWorld one(testing::cpu()), other(testing::cpu());
  const SimulationOptions steady{.dt = 0.02};
  LayerSimulation plain(one.layers, CaveWorld::made(), steady),
      anew(other.layers, CaveWorld::made(), steady);
  plain.run(20);
  anew.run(9);
  const auto before = anew.hashes();
  anew.set_processes(CaveWorld::made());
  EXPECT_EQ(anew.hashes(), before);
  anew.run(11);
  EXPECT_EQ(anew.hashes(), plain.hashes());
  // With other parameters what was kept stays, also what the new ones do not use.
  const auto now = anew.hashes();
  ProcessSet firm = CaveWorld::processes();
  firm.use("hydraulic", "loosening", 0.0).use("slippage", "scatter", 0.0);
  anew.set_processes(make_processes<LayerProcess>(firm));
  EXPECT_EQ(anew.hashes(), now);
  anew.run(5);
  EXPECT_TRUE(testing::balanced(anew));
}

// Nobody may take away a process with what it holds.
TEST(Changes, AProcessThatHoldsMaterialIsNotLost) {
  CaveWorld world(testing::cpu());
  LayerSimulation simulation(world.layers, CaveWorld::made());
  simulation.run(10);
  const auto before = hash_state(simulation);
  ProcessSet dry;
  dry.use("slippage");
  EXPECT_THROW(simulation.set_processes(make_processes<LayerProcess>(dry)), UsageError);
  EXPECT_EQ(hash_state(simulation), before);
  simulation.run(3);
  EXPECT_EQ(simulation.ledger().error(), 0);
}

// ---- voxels

// Takes a box of voxels out; what that brought in.
Receipt dig(Voxels& voxels, const Box& box) {
  const Voxels::Totals before = voxels.totals();
  std::vector<std::uint32_t> words = voxels.words();
  for (int z = box.z; z < box.z + box.depth; ++z)
    for (int y = box.y; y < box.y + box.height; ++y)
      for (int x = box.x; x < box.x + box.width; ++x)
        words[static_cast<std::size_t>(voxel_index(voxels.box(), x, y, z))] = 0;
  voxels.set_words(words);
  const Voxels::Totals now = voxels.totals();
  return {box,
          box.cells(),
          {{"voxels", now.rock + now.loose - before.rock - before.loose},
           {"amount", now.amount - before.amount}}};
}

// The bricks within a bubble of the box are counted again and no others, and all is as if every
// brick had been.
TEST(Changes, AirIsCountedAgainWithinABubbleOfTheBox) {
  const VoxelShape shape{4 * BRICK_X, 5 * BRICK_Y, 3 * BRICK_Z, 1, {}};
  const auto made = [](double radius) {
    std::vector<VoxelProcessPtr> list;
    list.push_back(std::make_unique<Weathering>(WeatheringPlan{{sphere_bubble(radius, 0.5)}, {}}));
    return list;
  };
  std::vector<std::uint32_t> start(shape.count(), voxel_word(VOXEL_FULL, 1));
  const std::vector<VoxelMaterial> rock{{"rock", 0, 0, false, {}}};
  struct Case {
    Box box;
    double radius;
    int bricks;
  };
  for (const Case& c : {Case{{40, 20, 20, 3, 3, 3}, 3, 1}, Case{{34, 20, 20, 3, 3, 3}, 3, 2},
                        Case{{58, 25, 20, 3, 3, 3}, 3, 1}, Case{{59, 27, 20, 3, 3, 3}, 3, 4},
                        Case{{60, 28, 28, 8, 8, 8}, 2, 8}, Case{{0, 0, 0, 1, 1, 1}, 5, 1},
                        Case{{127, 79, 47, 1, 1, 1}, 5, 1}, Case{{31, 40, 33, 1, 1, 1}, 9, 12}}) {
    SCOPED_TRACE(testing::text_of("box", c.box.x));
    for (const testing::Backend& backend : testing::one_of_each_kind()) {
      Voxels voxels(backend.device, shape, rock);
      voxels.set_words(start);
      VoxelSimulation simulation(voxels, made(c.radius));
      auto& weathering = dynamic_cast<Weathering&>(*simulation.processes().front());
      const Receipt receipt = dig(voxels, c.box);
      simulation.terrain_changed(receipt);
      EXPECT_EQ(weathering.activity().recounted, c.bricks) << backend.label;
      EXPECT_TRUE(testing::balanced(simulation));
      const std::vector<std::uint32_t> partly = voxels.words();
      voxels.set_words(partly);  // nobody says where
      weathering.refresh();
      EXPECT_GT(weathering.activity().recounted, c.bricks) << backend.label;
      ASSERT_TRUE(voxels.words() == partly) << backend.label;
    }
  }
}

TEST(Changes, VoxelsThatAreDugGoOnAsIfAllHadBeenCountedAgain) {
  const Box box{.x = 14, .y = 10, .z = 5, .width = 4, .height = 20, .depth = 3};
  for (const testing::Backend& backend : testing::one_of_each_kind()) {
    RockWorld one(backend.device), other(backend.device);
    VoxelSimulation told(one.voxels, RockWorld::made()), untold(other.voxels, RockWorld::made());
    told.run(4), untold.run(4);
    told.terrain_changed(dig(one.voxels, box));
    dig(other.voxels, box);  // its revision tells that anything may have changed
    told.run(6), untold.run(6);
    EXPECT_EQ(one.voxels.hash(), other.voxels.hash()) << backend.label;
    EXPECT_TRUE(testing::balanced(told));
    EXPECT_EQ(told.ledger().voxel_error(), 0);
    EXPECT_EQ(told.ledger().amount_error(), 0);
    EXPECT_FALSE(testing::balanced(untold)) << "an edit that nobody booked";
  }
}

TEST(Changes, OtherProcessesOnVoxelsTakeOverWhatThoseBeforeBooked) {
  RockWorld one(testing::cpu()), other(testing::cpu());
  VoxelSimulation plain(one.voxels, RockWorld::made()), anew(other.voxels, RockWorld::made());
  plain.run(10);
  anew.run(5);
  anew.set_processes(RockWorld::made());
  anew.run(5);
  EXPECT_EQ(other.voxels.hash(), one.voxels.hash());
  EXPECT_TRUE(testing::balanced(anew));
  EXPECT_EQ(hash_state(anew), hash_state(plain));
  EXPECT_THROW(anew.set_processes({}), UsageError);
  EXPECT_EQ(hash_state(anew), hash_state(plain));
}

}  // namespace
}  // namespace scree
