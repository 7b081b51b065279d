// What a simulation does around its processes: when each runs, how long a step is, what is booked.
#include "process/heights/simulation.h"

#include <gtest/gtest.h>

#include <limits>

#include "process/heights/thermal.h"
#include "process/heights/water.h"

namespace scree {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

// Notes the steps it ran in; moves nothing.
class Watcher : public Process {
 public:
  struct Seen {
    std::vector<std::uint64_t> steps;
    std::vector<double> dt, deepest;
    std::vector<std::uint64_t> seeds;
    int prepared = 0;
  };
  explicit Watcher(Seen& seen, double limit = none, double natural = 1)
      : seen_(seen), limit_(limit), natural_(natural) {}
  std::string name() const override { return "watcher"; }
  void prepare(Heightfield& /*terrain*/) override { ++seen_.prepared; }
  void run(Heightfield& /*terrain*/, const StepContext& context, int /*phase*/) override {
    seen_.steps.push_back(context.step);
    seen_.dt.push_back(context.dt);
    seen_.seeds.push_back(context.seed);
  }
  double stable_dt(const Heightfield& /*terrain*/, double deepest) const override {
    seen_.deepest.push_back(deepest);
    return limit_;
  }
  double natural_dt() const override { return natural_; }

 private:
  Seen& seen_;
  double limit_, natural_;
};

template <class... P>
std::vector<ProcessPtr> list_of(std::unique_ptr<P>... processes) {
  std::vector<ProcessPtr> list;
  (list.push_back(std::move(processes)), ...);
  return list;
}

Landscape slope() {
  device::DeviceOptions options;
  options.selector = "cpu";
  options.threads = 1;
  std::vector<float> heights;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 12; ++x) heights.push_back(static_cast<float>(30 - 2 * x + y % 3));
  return Landscape(std::make_unique<Heightfield>(device::open_device(options),
                                                 HeightfieldShape{12, 8, 5, 5}, heights,
                                                 Borders::all(BorderKind::open)));
}

std::vector<ProcessPtr> rain_and_slopes() {
  WaterParameters water;
  water.rain = 1e-3;
  water.evaporation = 1e-3;
  auto slopes = std::make_unique<ThermalWeathering>(ThermalParameters{});
  slopes->every = 3;
  return list_of(
      std::make_unique<Water>(water, std::vector<SpringParameters>{}, HydraulicParameters{}),
      std::move(slopes));
}

double dt_of(double limit, double natural, double fixed) {
  Landscape land = slope();
  Watcher::Seen seen;
  SimulationOptions options;
  options.dt = fixed;
  Simulation simulation(land, list_of(std::make_unique<Watcher>(seen, limit, natural)), options);
  simulation.step();
  EXPECT_EQ(seen.dt, std::vector<double>{simulation.dt()});
  EXPECT_EQ(simulation.time(), simulation.dt());
  return simulation.dt();
}

TEST(TimeStep, IsTheLimitOrElseTheNaturalOneOrElseASecond) {
  EXPECT_EQ(dt_of(0.25, 7, 0), 0.25);
  EXPECT_EQ(dt_of(none, 7, 0), 7);
  EXPECT_EQ(dt_of(none, none, 0), 1);
  EXPECT_EQ(dt_of(0.25, 7, 0.125), 0.125);
  EXPECT_EQ(dt_of(none, 7, 100), 100);
  EXPECT_EQ(dt_of(0.25, 7, 0.25), 0.25) << "the limit itself is allowed";
}

TEST(TimeStep, TheStrictestProcessDecides) {
  Landscape land = slope();
  Watcher::Seen one, other;
  Simulation simulation(land, list_of(std::make_unique<Watcher>(one, 0.5, 3),
                                      std::make_unique<Watcher>(other, 0.125, 2)));
  simulation.step();
  EXPECT_EQ(simulation.dt(), 0.125);
}

TEST(TimeStep, FollowsTheDeepestWaterEveryFewSteps) {
  Landscape land = slope();
  Watcher::Seen seen;
  Simulation simulation(land, list_of(std::make_unique<Watcher>(seen, 0.5)));
  simulation.run(2 * Simulation::dt_interval);
  ASSERT_EQ(seen.deepest.size(), 2U);
  EXPECT_EQ(seen.deepest[0], 0);
  std::vector<float> water(96);
  water[17] = 3;
  land.single().set_values("water", water);
  simulation.step();
  water[17] = 5;
  land.single().set_values("water", water);
  simulation.run(Simulation::dt_delay);
  ASSERT_EQ(seen.deepest.size(), 3U);
  EXPECT_NEAR(seen.deepest[2], 3, 1e-5) << "as it was when it was looked at";
}

TEST(TimeStep, AnUnstableOneIsRefusedBeforeAnythingMoves) {
  Landscape land = slope();
  land.single().set_values("water", std::vector<float>(96, 2.0F));
  SimulationOptions options;
  options.dt = 5;
  WaterParameters water;
  Simulation simulation(land, list_of(std::make_unique<Water>(water)), options);
  const auto before = land.single().hashes();
  try {
    simulation.step();
    FAIL() << "5 s for waves that cross a cell in one";
  } catch (const Unstable& error) {
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with("dt = 5 s is too long in step 0: the limit is ")) << what;
    EXPECT_NE(what.find(" where water is 2 m deep"), std::string::npos) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
  }
  EXPECT_EQ(land.single().hashes(), before);
  EXPECT_EQ(simulation.steps_done(), 0U);
  EXPECT_EQ(simulation.time(), 0);
}

TEST(TimeStep, WhatIsNoTimeIsRefused) {
  for (const double dt : {-1.0, none, std::numeric_limits<double>::quiet_NaN()}) {
    Landscape land = slope();
    SimulationOptions options;
    options.dt = dt;
    EXPECT_THROW(Simulation(land, {}, options), UsageError) << dt;
  }
}

TEST(Every, AProcessRunsInItsStepsAlone) {
  Landscape land = slope();
  Watcher::Seen often, seldom;
  auto third = std::make_unique<Watcher>(seldom);
  third->every = 3;
  SimulationOptions options;
  options.seed = 41;
  Simulation simulation(land, list_of(std::make_unique<Watcher>(often), std::move(third)), options);
  simulation.run(8);
  EXPECT_EQ(often.steps, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(seldom.steps, (std::vector<std::uint64_t>{0, 3, 6}));
  EXPECT_EQ(seldom.seeds, std::vector<std::uint64_t>(3, 41));
  EXPECT_EQ(often.prepared, 1);
  EXPECT_EQ(simulation.steps_done(), 8U);
  EXPECT_EQ(simulation.time(), 8);
}

// Seeds differ in every step, for every process and every scene, also beyond 32 bits.
TEST(StepSeed, DependsOnAllOfIt) {
  const std::uint64_t far = std::uint64_t{1} << 32;
  const std::uint32_t seed = step_seed({1, 5, 7}, 3);
  EXPECT_EQ(seed, step_seed({2, 5, 7}, 3)) << "not on dt";
  EXPECT_NE(seed, step_seed({1, 6, 7}, 3));
  EXPECT_NE(seed, step_seed({1, 5, 8}, 3));
  EXPECT_NE(seed, step_seed({1, 5, 7}, 4));
  EXPECT_NE(seed, step_seed({1, 5 + far, 7}, 3));
  EXPECT_NE(seed, step_seed({1, 5, 7 + far}, 3));
}

TEST(Ledgers, CloseAndCountFromWhereTheRunBegan) {
  Landscape land = slope();
  land.single().set_values("water", std::vector<float>(96, 0.5F));
  Simulation simulation(land, rain_and_slopes());
  const Ledger start = simulation.ledger();
  EXPECT_EQ(start.water_start, land.sum("water"));
  EXPECT_EQ(start.water_now, start.water_start);
  EXPECT_EQ(start.solids_start, land.sum("bed"));
  EXPECT_EQ(start.rained, 0);
  simulation.run(40);
  const Ledger end = simulation.ledger();
  EXPECT_EQ(end.water_start, start.water_start);
  EXPECT_EQ(end.water_now, land.sum("water"));
  EXPECT_EQ(end.solids_now, land.sum("bed") + land.sum("sediment"));
  for (const long long moved : {end.rained, end.evaporated, end.water_left, end.solids_left})
    EXPECT_GT(moved, 0);
  EXPECT_EQ(end.water_error(), 0);
  EXPECT_EQ(end.solids_error(), 0);
  // It sees a quantum that comes from nowhere.
  std::vector<std::int32_t> water = land.single().raw("water");
  water[50] += 1;
  land.single().field("water").upload(land.single().device(), land.single().grid(), water);
  land.single().touch();
  EXPECT_EQ(simulation.ledger().water_error(), -1);
}

// A second simulation that takes over the state and the fields goes on with the same bits, here
// while a look at the water is under way.
TEST(Restore, GoesOnAsIfNothingHadHappened) {
  Landscape whole = slope();
  Simulation through(whole, rain_and_slopes());
  constexpr std::uint64_t some = Simulation::dt_interval + Simulation::dt_delay / 2;
  through.run(some);
  const Blocks kept = save_state(through);
  EXPECT_GE(kept.real("looked"), 0);
  Landscape other = slope();
  Simulation resumed(other, rain_and_slopes());
  restore_state(resumed, kept);
  EXPECT_EQ(resumed.steps_done(), some);
  EXPECT_EQ(resumed.time(), through.time());
  EXPECT_EQ(resumed.dt(), through.dt());
  EXPECT_EQ(resumed.ledger().rained, through.ledger().rained);
  through.run(20);
  resumed.run(20);
  EXPECT_EQ(other.single().hashes(), whole.single().hashes());
  EXPECT_EQ(resumed.time(), through.time());
  const Ledger a = through.ledger(), b = resumed.ledger();
  EXPECT_EQ(a.rained, b.rained);
  EXPECT_EQ(a.water_left, b.water_left);
  EXPECT_EQ(a.solids_left, b.solids_left);
  EXPECT_EQ(b.water_error(), 0);
  EXPECT_EQ(b.solids_error(), 0);
}

}  // namespace
}  // namespace scree
