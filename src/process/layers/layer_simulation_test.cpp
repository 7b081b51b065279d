// A run of processes on layers: order, time step, ledger, and going on from what was kept.
#include "process/layers/layer_simulation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "process/core/registry.h"
#include "process/layers/slippage.h"
#include "testing.h"

namespace scree {
namespace {

enum : int { rock = 1, dust = 2, snow = 3 };
std::vector<Material> ground() {
  return {{.name = "rock", .talus = 40, .strength = 0.5, .dust = dust},
          {.name = "dust", .talus = 30, .strength = 1, .loose = true},
          {.name = "snow", .talus = 20, .strength = 1, .loose = true}};
}

Layers hill(int n = 9) {
  LayerShape shape;
  shape.width = shape.height = n;
  Layers layers(testing::cpu(), shape, ground());
  std::vector<Stack> stacks;
  for (int i = 0; i < n * n; ++i) stacks.push_back({{rock, 500 + i * 7919 % 6000}, {snow, 200}});
  layers.set_stacks(stacks);
  return layers;
}

// Takes snow from one cell a step and keeps three quarters of it; the rest goes into the air. Some
// vapour comes from elsewhere.
class Thaw : public LayerProcess {
 public:
  std::string name() const override { return "thaw"; }
  void prepare(Layers& terrain) override { kept_.assign(terrain.shape().cells(), 0); }
  void run(Layers& terrain, const StepContext& context) override {
    std::vector<Stack> stacks = terrain.stacks();
    const std::size_t cell = context.step % stacks.size();
    if (stacks[cell].empty() || stacks[cell].back().material != snow) return;
    const int taken = stacks[cell].back().quanta;
    stacks[cell].pop_back();
    terrain.set_stacks(stacks);
    kept_[cell] += taken - taken / 4;
    gone_ += taken / 4;
    vapour_ += 3;
  }
  double stable_dt(const Layers& /*terrain*/) const override { return limit; }
  void visit(StateVisitor& visitor) override {
    visitor.integer("gone", gone_);
    visitor.array("kept", kept_);
    visitor.integer("vapour", vapour_);
  }
  std::map<std::string, LayerBooking> booked(const Layers& /*terrain*/) const override {
    long long held = 0;
    for (const int quanta : kept_) held += quanta;
    return {{"snow", {.entered = 0, .left = gone_, .held = held}},
            {"vapour", {.entered = vapour_, .left = 0, .held = vapour_}}};
  }
  double limit = 0.25;

 private:
  std::vector<int> kept_;
  long long gone_ = 0, vapour_ = 0;
};

std::vector<LayerProcessPtr> thaw_and_slide(int every = 1) {
  std::vector<LayerProcessPtr> processes;
  processes.push_back(std::make_unique<Thaw>());
  processes.push_back(std::make_unique<Slippage>());
  processes.back()->every = every;
  return processes;
}

TEST(LayerSimulation, BalancesMaterialsWithTheirDustAndWhatProcessesHold) {
  Layers layers = hill();
  LayerSimulation simulation(layers, thaw_and_slide());
  simulation.run(50);
  const LayerLedger ledger = simulation.ledger();
  ASSERT_EQ(ledger.balances.size(), 3U);
  EXPECT_EQ(ledger.balances[0].of, (std::vector<std::string>{"rock", "dust"}));
  EXPECT_EQ(ledger.balances[1].of, (std::vector<std::string>{"snow"}));
  EXPECT_EQ(ledger.balances[2].of, (std::vector<std::string>{"vapour"}));
  EXPECT_GT(ledger.materials.at("dust"), 0);
  EXPECT_GT(ledger.balances[1].left, 0);
  EXPECT_GT(ledger.balances[1].held, ledger.balances[1].left);
  EXPECT_GT(ledger.balances[2].entered, 0);
  for (const LayerBalance& balance : ledger.balances)
    EXPECT_EQ(balance.error(), 0) << balance.of[0];
  std::vector<Stack> stacks = layers.stacks();
  stacks[0][0].quanta += 5;
  layers.set_stacks(stacks);
  EXPECT_EQ(simulation.ledger().error(), 5) << "rock from nowhere";
}

TEST(LayerSimulation, GoesOnFromWhatWasKept) {
  Layers whole = hill(), first = hill(), second = hill();
  LayerSimulation uninterrupted(whole, thaw_and_slide(3));
  uninterrupted.run(40);
  LayerSimulation before(first, thaw_and_slide(3));
  before.run(17);
  const Blocks kept = save_state(before);
  LayerSimulation after(second, thaw_and_slide(3));
  restore_state(after, kept);
  after.run(23);
  EXPECT_EQ(after.hashes(), uninterrupted.hashes());
  EXPECT_EQ(after.hashes().size(), 4U);
  EXPECT_EQ(after.time(), uninterrupted.time());
  EXPECT_EQ(after.ledger().error(), 0);
  EXPECT_EQ(after.ledger().balances[1].start, uninterrupted.ledger().balances[1].start);
}

TEST(LayerSimulation, ChoosesAStableTimeStep) {
  Layers layers = hill();
  LayerSimulation simulation(layers, thaw_and_slide());
  simulation.run(4);
  EXPECT_EQ(simulation.dt(), 0.25);
  EXPECT_EQ(simulation.time(), 1);
  SimulationOptions options;
  options.dt = 0.5;
  LayerSimulation hasty(layers, thaw_and_slide(), options);
  const std::uint64_t hash = layers.hash();
  EXPECT_THROW(hasty.step(), Unstable);
  EXPECT_EQ(layers.hash(), hash);
}

TEST(LayerSimulation, RunsWhatASetSwitchesOn) {
  ProcessSet set;
  set.use("slippage", "scatter", 0.0);
  set["slippage"].every = 2;
  set.use("thermal");
  Layers layers = hill();
  LayerSimulation simulation(layers, make_processes<LayerProcess>(set));
  ASSERT_EQ(simulation.processes().size(), 1U) << "thermal works on heightfields";
  simulation.step();
  const std::uint64_t once = layers.hash();
  simulation.step();
  EXPECT_EQ(layers.hash(), once) << "runs in every second step";
  simulation.step();
  EXPECT_NE(layers.hash(), once);
}

}  // namespace
}  // namespace scree
