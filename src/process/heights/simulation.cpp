#include "process/heights/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "kernel/common/random.h"
#include "kernel/heights/flow_ledger.h"

namespace scree {

std::uint32_t step_seed(const StepContext& context, std::uint32_t process_salt) {
  const auto low = static_cast<std::uint32_t>(context.seed) ^ process_salt;
  const auto high = static_cast<std::uint32_t>(context.seed >> 32) ^
                    static_cast<std::uint32_t>(context.step >> 32);
  return mix_seed(low, high, static_cast<std::uint32_t>(context.step));
}

Simulation::Simulation(Landscape& landscape, std::vector<ProcessPtr> processes,
                       const SimulationOptions& options)
    : landscape_(landscape), processes_(std::move(processes)), options_(options) {
  if (options.dt < 0 || !std::isfinite(options.dt))
    throw UsageError(text("dt = ", options.dt, ": expected seconds, or 0 for automatic"));
  for (const ProcessPtr& process : processes_)
    landscape_.each([&](Heightfield& tile) { process->prepare(tile); });
  landscape_.each([](Heightfield& tile) { tile.touch(); });
  ledger_.water_start = landscape_.sum("water");
  ledger_.solids_start = landscape_.sum("bed") + landscape_.sum("sediment");
}

void Simulation::look_at_water() {
  const auto looks = [](std::uint64_t step) {
    return step % (step < dt_later ? dt_interval : dt_interval_later) == 0;
  };
  if (dt_ == 0) {
    choose_dt(landscape_.deepest_water());
    return;
  }
  if (look_ && step_ >= dt_delay && looks(step_ - dt_delay)) {
    choose_dt(look_->metres());
    look_.reset();
  }
  if (looks(step_)) look_ = landscape_.deepest_water_later();
}

void Simulation::choose_dt(double deepest) {
  double limit = std::numeric_limits<double>::infinity();
  double natural = std::numeric_limits<double>::infinity();
  for (const ProcessPtr& process : processes_) {
    limit = std::min(limit, process->stable_dt(landscape_.tile(0), deepest));
    natural = std::min(natural, process->natural_dt());
  }
  if (options_.dt > limit) {
    // Shallower water than this sets no limit of its own (Water::stable_dt).
    const std::string depth = deepest > 0.25 ? text(" where water is ", deepest, " m deep") : "";
    throw Unstable(text("dt = ", options_.dt, " s is too long in step ", step_, ": the limit is ",
                        limit, " s", depth, "; use a smaller dt or dt = \"auto\""));
  }
  dt_ = options_.dt > 0 ? options_.dt : std::isfinite(limit) ? limit : natural;
  if (!std::isfinite(dt_)) dt_ = 1;
}

void Simulation::step() {
  look_at_water();
  const StepContext context{dt_, step_, options_.seed};
  for (const ProcessPtr& process : processes_)
    if (step_ % static_cast<std::uint64_t>(process->every) == 0) run_process(*process, context);
  ++step_;
  time_ += dt_;
}

void Simulation::run_process(Process& process, const StepContext& context) {
  const int weight = options_.measure_times ? time_weight(process) : 0;
  const auto finish = [&] { landscape_.each([](Heightfield& tile) { tile.device().finish(); }); };
  if (weight > 0) finish();
  const auto start = std::chrono::steady_clock::now();
  for (int phase = 0; phase < process.phases(); ++phase) {
    landscape_.refresh_halos();
    for (const std::string& name : process.halo_fields(landscape_.tile(0), phase))
      landscape_.refresh_halos(name);
    landscape_.each([&](Heightfield& tile) { process.run(tile, context, phase); });
  }
  if (weight > 0) {
    finish();
    seconds_[process.name()] +=
        weight * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
}

// Waiting for a device after each process would slow it down: once a run is under way, one step in
// a few stands for the others, and later one in many.
int Simulation::time_weight(const Process& process) const {
  const std::uint64_t run = step_ / static_cast<std::uint64_t>(process.every);
  if (run < 16) return 1;
  const std::uint64_t interval = run < 256 ? 16 : 256;
  return run % interval == 0 ? static_cast<int>(interval) : 0;
}

void Simulation::run(std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) step();
}

Ledger Simulation::ledger() const {
  Ledger l = ledger_;
  std::array<long long, Heightfield::booked_entries> booked{};
  for (std::size_t t = 0; t < landscape_.tile_count(); ++t) {
    const auto part = landscape_.tile(t).booked();
    for (std::size_t i = 0; i < booked.size(); ++i) booked[i] += part[i];
  }
  l.rained += booked[LEDGER_RAIN];
  l.evaporated += booked[LEDGER_EVAPORATED];
  l.water_left += booked[LEDGER_WATER_OUT];
  l.solids_left += booked[LEDGER_SEDIMENT_OUT];
  l.dissolved += booked[LEDGER_DISSOLVED];
  l.advected += booked[LEDGER_ADVECTED];
  l.water_now = landscape_.sum("water");
  l.solids_now = landscape_.sum("bed") + landscape_.sum("sediment");
  return l;
}

void Simulation::scroll(int cells_east, int cells_south, const std::vector<float>& heights) {
  Heightfield& terrain = landscape_.single();
  const Heightfield::Scrolled moved = terrain.scroll(cells_east, cells_south, heights);
  ledger_.scrolled_water += moved.water_left;
  ledger_.scrolled_solids += moved.bed_left + moved.sediment_left - moved.bed_entered;
  for (const ProcessPtr& process : processes_) process->prepare(terrain);
}

SimulationState Simulation::state() const {
  SimulationState s{step_, time_, dt_, look_ ? look_->metres() : -1, ledger_, {}};
  for (std::size_t t = 0; t < landscape_.tile_count(); ++t) {
    const auto part = landscape_.tile(t).booked();
    for (std::size_t i = 0; i < s.booked.size(); ++i) s.booked[i] += part[i];
  }
  return s;
}

void Simulation::restore(const SimulationState& state) {
  step_ = state.step;
  time_ = state.time;
  dt_ = state.dt;
  look_.reset();
  if (state.looked >= 0) look_.emplace(state.looked);
  ledger_ = state.ledger;
  landscape_.tile(0).set_booked(state.booked);
  for (std::size_t t = 1; t < landscape_.tile_count(); ++t) landscape_.tile(t).set_booked({});
  landscape_.each([](Heightfield& tile) { tile.touch(); });
}

}  // namespace scree
