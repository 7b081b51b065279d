// A state that was saved and restored goes on with the same bits, for every process on every
// terrain; and what a visitor sees is all there is.
#include "process/core/state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "parity.h"
#include "process/heights/simulation.h"
#include "small_worlds.h"

namespace scree {
namespace {

using testing::CaveWorld;
using testing::RockWorld;

template <class Simulated>
void expect_same(const Simulated& a, const Simulated& b) {
  const std::vector<StateDifference> differences = compare_state(a, save_state(b));
  for (const StateDifference& difference : differences) ADD_FAILURE() << to_text(difference);
}

// `second` is made as `first` was, and takes over its state in the middle of a run.
template <class Simulated>
void expect_to_go_on(Simulated& first, Simulated& second, std::uint64_t some, std::uint64_t more) {
  first.run(some);
  const Blocks kept = save_state(first);
  restore_state(second, kept);
  expect_same(second, first);
  EXPECT_EQ(second.steps_done(), some);
  first.run(more);
  second.run(more);
  EXPECT_EQ(hash_state(second), hash_state(first));
  expect_same(second, first);
  EXPECT_TRUE(testing::balanced(first) && testing::balanced(second));
  EXPECT_FALSE(compare_state(first, kept).empty()) << "a run in which nothing happens";
}

Landscape some_land(const device::DevicePtr& device, bool maps) {
  const Borders borders{BorderKind::closed, BorderKind::open, BorderKind::level, BorderKind::closed,
                        20};
  Landscape land =
      testing::land_of(device, {33, 29, 5, 6}, testing::rough_heights(33, 29, 60, 7), borders);
  if (maps) testing::add_maps(land.single());
  return land;
}

class StateOf : public ::testing::TestWithParam<testing::ParityCase> {};

TEST_P(StateOf, AProcessOnHeightsGoesOnAsIfNothingHadHappened) {
  for (const testing::Backend& backend : testing::one_of_each_kind()) {
    SCOPED_TRACE(backend.label);
    Landscape one = some_land(backend.device, GetParam().has_maps),
              other = some_land(backend.device, GetParam().has_maps);
    Simulation first(one, GetParam().processes()), second(other, GetParam().processes());
    // A look at the water is under way then.
    expect_to_go_on(first, second, Simulation::dt_interval + Simulation::dt_delay / 2, 30);
    EXPECT_EQ(other.single().hashes(), one.single().hashes());
  }
}

INSTANTIATE_TEST_SUITE_P(Processes, StateOf, ::testing::ValuesIn(testing::parity_cases()),
                         [](const auto& param_info) { return param_info.param.name; });

TEST(State, TilesGoOnAsIfNothingHadHappened) {
  const Landscape whole = some_land(testing::cpu(), true);
  Landscape one(whole.tile(0), 3, 2), other(whole.tile(0), 3, 2);
  const auto everything = testing::parity_cases().back();
  Simulation first(one, everything.processes()), second(other, everything.processes());
  expect_to_go_on(first, second, 20, 20);
  EXPECT_EQ(other.hash("bed"), one.hash("bed"));
}

long long slumped(const LayerSimulation& simulation) {
  long long columns = 0;
  for (const LayerProcessPtr& process : simulation.processes())
    for (const auto& [name, count] : process->counts())
      if (name == "columns_fallen") columns += count;
  return columns;
}

TEST(State, LayersGoOnAsIfNothingHadHappened) {
  std::map<std::string, std::uint64_t> hashes;
  for (const testing::Backend& backend : testing::one_of_each_kind()) {
    SCOPED_TRACE(backend.label);
    CaveWorld one(backend.device), other(backend.device);
    LayerSimulation first(one.layers, CaveWorld::made()), second(other.layers, CaveWorld::made());
    expect_to_go_on(first, second, 17, 20);
    EXPECT_EQ(second.hashes(), first.hashes());
    EXPECT_GT(slumped(first), 0);
    if (hashes.empty()) hashes = first.hashes();
    EXPECT_EQ(first.hashes(), hashes);
  }
  CaveWorld world(testing::cpu());
  LayerSimulation simulation(world.layers, CaveWorld::made());
  simulation.run(10);
  std::map<std::string, long long> flows;
  for (const Balance& balance : simulation.balances()) {
    for (const BalanceFlow& flow : balance.in)
      flows[balance.name + " in " + flow.name] = flow.amount;
    for (const BalanceFlow& flow : balance.out)
      flows[balance.name + " out " + flow.name] = flow.amount;
  }
  for (const char* flow :
       {"water in rained", "water in melted", "ice out melted", "water out left"})
    EXPECT_GT(flows[flow], 0) << flow;
  for (const char* kept : {"water.looseness", "water.flux.sw", "melt.gained", "stones.stones",
                           "slumping.fallen", "water.booked", "water.left", "water.loads"})
    EXPECT_TRUE(hashes.contains(kept)) << kept;
}

TEST(State, VoxelsGoOnAsIfNothingHadHappened) {
  for (const testing::Backend& backend : testing::one_of_each_kind()) {
    SCOPED_TRACE(backend.label);
    RockWorld one(backend.device), other(backend.device);
    VoxelSimulation first(one.voxels, RockWorld::made()), second(other.voxels, RockWorld::made());
    expect_to_go_on(first, second, 5, 8);
    EXPECT_EQ(other.voxels.hash(), one.voxels.hash());
    EXPECT_GT(first.ledger().loose, 0);
    EXPECT_GT(first.ledger().cut_off, 0);
  }
}

// Files that were written so must be read for good.
TEST(State, HasTheNamesAndTheOrderOfCheckpoints) {
  Landscape land = some_land(testing::cpu(), false);
  const Simulation simulation(land, testing::standard_process("thermal"));
  std::vector<std::string> expected{"step", "time", "dt", "looked"};
  for (const char* count :
       {"water_start", "rained", "evaporated", "water_left", "dissolved", "solids_start",
        "solids_left", "scrolled_water", "scrolled_solids", "advected"})
    expected.push_back(std::string("ledger.") + count);
  for (int i = 0; i < 8; ++i) expected.push_back("booked." + std::to_string(i));
  for (const char* name : {"width", "height", "x0", "y0", "quantum.k", "quantum.datum", "field.bed",
                           "field.flux.x", "field.flux.y", "field.sediment", "field.water"})
    expected.emplace_back(name);
  EXPECT_EQ(save_state(simulation).names(), expected);

  RockWorld world(testing::cpu());
  const VoxelSimulation rock(world.voxels, RockWorld::made());
  expected = {"step",
              "booked.start",
              "booked.start_amount",
              "booked.rock_gone",
              "booked.loose_gone",
              "booked.worn",
              "booked.left",
              "booked.left_amount",
              "booked.cut_off",
              "booked.cut_amount",
              "voxels.size.0",
              "voxels.origin.0",
              "voxels.size.1",
              "voxels.origin.1",
              "voxels.size.2",
              "voxels.origin.2",
              "voxels.cell",
              "voxels.colours",
              "voxels.words"};
  EXPECT_EQ(save_state(rock).names(), expected);
}

// Arrays of a process are listed before they come, both by names that ascend.
TEST(State, OfLayersNamesTheArraysOfEachProcess) {
  CaveWorld world(testing::cpu());
  const LayerSimulation simulation(world.layers, CaveWorld::made());
  const Blocks kept = save_state(simulation);
  for (const char* process : {"melt", "slippage", "slumping", "stones", "water"}) {
    const std::string listed = std::string("arrays.") + process;
    std::vector<std::string> names;
    for (std::int64_t i = 0; i < kept.integer(listed + ".count"); ++i) {
      const auto& name = kept.block(listed + "." + std::to_string(i));
      names.emplace_back(name.begin(), name.end());
      EXPECT_TRUE(kept.has(std::string("state.") + process + "." + names.back())) << names.back();
    }
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end())) << process;
    EXPECT_EQ(names.empty(), std::string(process) == "slippage");
  }
}

TEST(State, ListsTypesAndSizes) {
  Landscape land = some_land(testing::cpu(), true);
  const Simulation simulation(land, testing::standard_process("thermal"));
  const std::vector<StateEntry> entries = list_state(simulation);
  const std::size_t plane = device::cells_allocated(land.single().grid()) * 4;
  const auto has = [&](const StateEntry& entry) {
    return std::find(entries.begin(), entries.end(), entry) != entries.end();
  };
  EXPECT_TRUE(has({"time", StateType::real, 8}));
  EXPECT_TRUE(has({"field.bed", StateType::int32, plane}));
  EXPECT_TRUE(has({"field.floor", StateType::int32, plane}));
  EXPECT_TRUE(has({"field.strength", StateType::float32, plane}));
  const Blocks kept = save_state(simulation);
  ASSERT_EQ(entries.size(), kept.names().size());
  for (const StateEntry& entry : entries) EXPECT_EQ(kept.size(entry.name), entry.bytes);
}

TEST(State, ComparingFindsWhatWasPlanted) {
  Landscape land = some_land(testing::cpu(), false);
  const Simulation simulation(land, testing::standard_process("thermal"));
  Blocks kept = save_state(simulation);
  EXPECT_TRUE(compare_state(simulation, kept).empty());
  const std::size_t place = static_cast<std::size_t>(cell_index(land.single().grid(), 4, 9));
  std::vector<unsigned char> bed = kept.block("field.bed");
  std::int32_t quanta = 0;
  std::memcpy(&quanta, bed.data() + place * 4, 4);
  const std::int32_t planted = quanta + 3;
  std::memcpy(bed.data() + place * 4, &planted, 4);
  kept.add("field.bed", bed.data(), bed.size());
  kept.add_real("dt", 0.5);
  kept.add("field.foreign", bed.data(), 4);
  const std::vector<StateDifference> found = compare_state(simulation, kept);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].name, "dt");
  EXPECT_EQ(found[0].kept, "0.5");
  EXPECT_EQ(found[1].name, "field.bed");
  EXPECT_EQ(found[1].type, StateType::int32);
  EXPECT_EQ(found[1].first, place);
  EXPECT_EQ(found[1].count, 1U);
  EXPECT_EQ(found[1].visited, std::to_string(quanta));
  EXPECT_EQ(found[1].kept, std::to_string(planted));
  EXPECT_EQ(found[2].name, "field.foreign");
  // A block that the kept state lacks.
  Blocks less;
  for (const std::string& name : kept.names())
    if (name != "looked") less.add(name, kept.block(name).data(), kept.size(name));
  EXPECT_EQ(compare_state(simulation, less).size(), 4U);
}

// Whoever refuses changes nothing.
TEST(State, OfAnotherTerrainOrWithoutAPartIsRefused) {
  Landscape small = testing::land_of(testing::cpu(), {8, 8, 5, 5}, std::vector<float>(64, 1.0F),
                                     Borders::all(BorderKind::open));
  Landscape land = some_land(testing::cpu(), false);
  Simulation first(small, testing::standard_process("thermal")),
      second(land, testing::standard_process("thermal"));
  second.run(3);
  const auto before = hash_state(second);
  const Blocks kept = save_state(first);
  EXPECT_THROW(restore_state(second, kept), Error);
  EXPECT_EQ(hash_state(second), before);
  Blocks less;
  const Blocks whole = save_state(second);
  for (const std::string& name : whole.names())
    if (name != "field.water") less.add(name, whole.block(name).data(), whole.size(name));
  EXPECT_THROW(restore_state(second, less), Error);
  CaveWorld world(testing::cpu());
  LayerSimulation layers(world.layers, CaveWorld::made());
  EXPECT_THROW(restore_state(layers, kept), Error);
}

// What a change and an edit leave behind is part of the state.
TEST(State, KeepsEditsAndTheLookThatAChangeAsksFor) {
  Landscape land = some_land(testing::cpu(), false), other = some_land(testing::cpu(), false);
  Simulation first(land, testing::standard_process("thermal")),
      second(other, testing::standard_process("thermal"));
  first.terrain_changed(Receipt{{.width = 1, .height = 1}, 1, {{"bed", 17}, {"water", -4}}});
  const Blocks kept = save_state(first);
  EXPECT_EQ(kept.integer("edited.bed"), 17);
  EXPECT_EQ(kept.integer("changed"), 1);
  restore_state(second, kept);
  expect_same(second, first);
  EXPECT_EQ(second.edited(), first.edited());
  first.step();
  second.step();
  expect_same(second, first);
  EXPECT_FALSE(save_state(second).has("changed"));
}

TEST(Blocks, ReadBackWhatWasAdded) {
  Blocks blocks;
  blocks.add_integer("step", 7);
  blocks.add_real("time", 0.25);
  blocks.add("none", nullptr, 0);
  EXPECT_EQ(blocks.integer("step"), 7);
  EXPECT_EQ(blocks.real("time"), 0.25);
  EXPECT_EQ(blocks.size("none"), 0U);
  EXPECT_EQ(blocks.names(), (std::vector<std::string>{"step", "time", "none"}));
  blocks.add_integer("step", 8);
  EXPECT_EQ(blocks.integer("step"), 8);
  EXPECT_EQ(blocks.names().size(), 3U);
  EXPECT_EQ(blocks.bytes(), 16U);
  float small = 0;
  EXPECT_THROW(blocks.read("step", &small, sizeof small), Error);
  EXPECT_THROW(blocks.integer("seed"), Error);
}

}  // namespace
}  // namespace scree
