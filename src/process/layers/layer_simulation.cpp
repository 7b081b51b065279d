#include "process/layers/layer_simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/error.h"
#include "base/hash.h"

namespace scree {
namespace {

// The number that stands for a material and all that is linked with it by dust.
std::size_t kin(const std::vector<Material>& materials, std::size_t of) {
  std::vector<std::size_t> root(materials.size());
  for (std::size_t i = 0; i < root.size(); ++i) root[i] = i;
  // As often as there are materials: by then the lowest number has gone along the longest chain.
  for (std::size_t round = 0; round < root.size(); ++round)
    for (std::size_t i = 0; i < root.size(); ++i)
      if (materials[i].dust > 0) {
        const auto dust = static_cast<std::size_t>(materials[i].dust) - 1;
        root[i] = root[dust] = std::min(root[i], root[dust]);
      }
  return root[of];
}

}  // namespace

long long LayerLedger::error() const {
  long long sum = 0;
  for (const LayerBalance& balance : balances) sum += std::llabs(balance.error());
  return sum;
}

LayerSimulation::LayerSimulation(Layers& terrain, std::vector<LayerProcessPtr> processes,
                                 const SimulationOptions& options)
    : terrain_(terrain), processes_(std::move(processes)), options_(options) {
  if (options.dt < 0 || !std::isfinite(options.dt))
    throw UsageError(text("dt = ", options.dt, ": expected seconds, or 0 for automatic"));
  terrain_.set_fluids_run(std::any_of(processes_.begin(), processes_.end(),
                                      [](const auto& process) { return process->runs_fluids(); }));
  terrain_.make_room();
  for (const LayerProcessPtr& process : processes_) {
    process->seed = options_.seed;
    process->prepare(terrain_);
  }
  start_ = present();
}

void LayerSimulation::choose_dt() {
  double limit = std::numeric_limits<double>::infinity();
  double natural = std::numeric_limits<double>::infinity();
  for (const LayerProcessPtr& process : processes_) {
    limit = std::min(limit, process->stable_dt(terrain_));
    natural = std::min(natural, process->natural_dt());
  }
  if (options_.dt > limit)
    throw Unstable(text("dt = ", options_.dt, " s is too long in step ", step_, ": the limit is ",
                        limit, " s; use a smaller dt or dt = \"auto\""));
  dt_ = options_.dt > 0 ? options_.dt : std::isfinite(limit) ? limit : natural;
  if (!std::isfinite(dt_)) dt_ = 1;
}

void LayerSimulation::step() {
  if (dt_ == 0 || step_ % dt_interval == 0) choose_dt();
  const StepContext context{dt_, step_, options_.seed};
  for (const LayerProcessPtr& process : processes_)
    if (step_ % static_cast<std::uint64_t>(process->every) == 0) run_process(*process, context);
  ++step_;
  time_ += dt_;
}

void LayerSimulation::run(std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) step();
}

void LayerSimulation::run_process(LayerProcess& process, const StepContext& context) {
  if (!options_.measure_times) {
    process.run(terrain_, context);
    return;
  }
  terrain_.device().finish();
  const auto start = std::chrono::steady_clock::now();
  process.run(terrain_, context);
  terrain_.device().finish();
  seconds_[process.name()] +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::map<std::string, long long> LayerSimulation::present() const {
  std::map<std::string, long long> there;
  const std::vector<long long> totals = terrain_.totals();
  for (std::size_t i = 0; i < terrain_.materials().size(); ++i)
    there[terrain_.materials()[i].name] += totals[i + 1];
  for (const LayerProcessPtr& process : processes_)
    for (const auto& [name, booking] : process->booked(terrain_)) there[name] += booking.held;
  return there;
}

LayerLedger LayerSimulation::ledger() const {
  const std::vector<Material>& materials = terrain_.materials();
  std::map<std::string, std::size_t> place;  // of a name among the balances
  LayerLedger ledger;
  std::map<std::size_t, std::size_t> by_kin;
  for (std::size_t i = 0; i < materials.size(); ++i) {
    const auto [at, added] = by_kin.try_emplace(kin(materials, i), ledger.balances.size());
    if (added) ledger.balances.emplace_back();
    if (place.try_emplace(materials[i].name, at->second).second)
      ledger.balances[at->second].of.push_back(materials[i].name);
  }
  const auto balance_of = [&](const std::string& name) -> LayerBalance& {
    const auto [at, added] = place.try_emplace(name, ledger.balances.size());
    if (added) ledger.balances.emplace_back().of.push_back(name);
    return ledger.balances[at->second];
  };
  for (const auto& [name, quanta] : start_) balance_of(name).start += quanta;
  for (const auto& [name, quanta] : present()) balance_of(name).now += quanta;
  for (const LayerProcessPtr& process : processes_)
    for (const auto& [name, booking] : process->booked(terrain_)) {
      LayerBalance& balance = balance_of(name);
      balance.entered += booking.entered;
      balance.left += booking.left;
      balance.held += booking.held;
    }
  const std::vector<long long> totals = terrain_.totals();
  for (std::size_t i = 0; i < materials.size(); ++i)
    ledger.materials[materials[i].name] += totals[i + 1];
  return ledger;
}

std::map<std::string, std::uint64_t> LayerSimulation::hashes() const {
  std::map<std::string, std::uint64_t> hashes{{"layers", terrain_.hash()}};
  for (const LayerProcessPtr& process : processes_) {
    const LayerState state = process->state(terrain_);
    for (const auto& [name, bytes] : state.arrays()) {
      Hash64 hash;
      hash.update(bytes.data(), bytes.size());
      hashes[process->name() + "." + name] = hash.digest();
    }
  }
  return hashes;
}

LayerSimulationState LayerSimulation::state() const {
  LayerSimulationState state{step_, time_, dt_, start_, {}};
  for (const LayerProcessPtr& process : processes_)
    state.processes[process->name()] = process->state(terrain_);
  return state;
}

void LayerSimulation::restore(const LayerSimulationState& state) {
  step_ = state.step;
  time_ = state.time;
  dt_ = state.dt;
  start_ = state.start;
  for (const LayerProcessPtr& process : processes_) {
    const auto kept = state.processes.find(process->name());
    process->restore(terrain_, kept == state.processes.end() ? LayerState{} : kept->second);
  }
}

}  // namespace scree
