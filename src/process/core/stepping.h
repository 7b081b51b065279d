// What every simulation does alike, whatever its terrain: runs the processes that are due in their
// order, chooses dt, counts steps and time, and measures how long each process takes.
//
// What differs is a policy, which has
//   Kind                                 what the terrain's processes are: Process, LayerProcess, …
//   has_dt                               false where steps have no duration
//   before_step(step, dt, choose)        calls choose(seen) where dt must be chosen now; `seen` is
//                                        what stable_dt needs to know of the terrain (heights: how
//                                        deep the deepest water is)
//   look_again()                         `seen` as it is now, after a change from outside
//   stable_dt(process, seen), reason(seen)
//   run(process, context), finish()      finish waits for the device
//   weight(runs)                         in how many of a process's runs it is timed: this one
//                                        stands for so many; 0: not in this one
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "process/core/process.h"
#include "process/core/state.h"
#include "terrain/core/edit.h"

namespace scree {

// A fixed dt has become too long for the terrain as it is. The state is whole.
class Unstable : public Error {
 public:
  using Error::Error;
};

struct SimulationOptions {
  double dt = 0;  // seconds; 0: follows the terrain
  std::uint64_t seed = 1;
  bool measure_times = false;  // waits for the device after a process, in some of the steps
};

template <class Policy>
class Stepping {
 public:
  using Kind = typename Policy::Kind;
  using Processes = std::vector<std::unique_ptr<Kind>>;

  // One step of every process that is due. Throws Unstable before it touches the state.
  void step();
  void run(std::uint64_t steps) {
    for (std::uint64_t i = 0; i < steps; ++i) step();
  }

  std::uint64_t steps_done() const { return step_; }
  double time() const { return time_; }  // simulated seconds
  double dt() const { return dt_; }
  const std::map<std::string, double>& seconds_by_process() const { return seconds_; }
  const Processes& processes() const { return processes_; }

  // Quanta that edits of the terrain brought in (or took out, negative), by name, as their receipts
  // have it: the one place where edits come into the ledger and the balances.
  const std::map<std::string, long long>& edited() const { return edited_; }

 protected:
  Stepping(Policy policy, Processes processes, const SimulationOptions& options);

  // All processes hear of a change from outside, and the next step looks whether dt is too long.
  void tell_of_change(const Box& box);
  void look_at_next_step() { changed_ = true; }
  void book(const Receipt& receipt) {
    for (const auto& [name, quanta] : receipt.edited) edited_[name] += quanta;
  }

  // Step, time and dt; then what edits brought in, where there were any.
  void visit_clock(StateVisitor& visitor);
  void visit_edits(StateVisitor& visitor);
  // What a process keeps, under PREFIX.
  static void visit_process(StateVisitor& visitor, Kind& process, const std::string& prefix) {
    StateWithPrefix prefixed(visitor, prefix);
    process.visit(prefixed);
  }

  Policy policy_;
  Processes processes_;
  SimulationOptions options_;
  std::uint64_t step_ = 0;
  double time_ = 0, dt_ = 0;

 private:
  double dt_for(double seen) const;
  void run_process(Kind& process, const StepContext& context);

  bool changed_ = false;  // from outside, since the last step
  std::map<std::string, long long> edited_;
  std::map<std::string, double> seconds_;
};

template <class Policy>
Stepping<Policy>::Stepping(Policy policy, Processes processes, const SimulationOptions& options)
    : policy_(std::move(policy)), processes_(std::move(processes)), options_(options) {
  if (options.dt < 0 || !std::isfinite(options.dt))
    throw UsageError(text("dt = ", options.dt, ": expected seconds, or 0 for automatic"));
}

template <class Policy>
double Stepping<Policy>::dt_for(double seen) const {
  double limit = std::numeric_limits<double>::infinity();
  double natural = std::numeric_limits<double>::infinity();
  for (const std::unique_ptr<Kind>& process : processes_) {
    limit = std::min(limit, policy_.stable_dt(*process, seen));
    natural = std::min(natural, process->natural_dt());
  }
  if (options_.dt > limit)
    throw Unstable(text("dt = ", options_.dt, " s is too long in step ", step_, ": the limit is ",
                        limit, " s", policy_.reason(seen), "; use a smaller dt or dt = \"auto\""));
  const double chosen = options_.dt > 0 ? options_.dt : std::isfinite(limit) ? limit : natural;
  return std::isfinite(chosen) ? chosen : 1;
}

template <class Policy>
void Stepping<Policy>::step() {
  if constexpr (Policy::has_dt) {
    policy_.before_step(step_, dt_, [this](double seen) { dt_ = dt_for(seen); });
    // What was poured must not outrun dt. This look is beside those of the schedule, and never
    // makes a step longer.
    if (changed_) dt_ = std::min(dt_, dt_for(policy_.look_again()));
  }
  changed_ = false;
  const StepContext context{dt_, step_, options_.seed};
  for (const std::unique_ptr<Kind>& process : processes_)
    if (step_ % static_cast<std::uint64_t>(process->every) == 0) run_process(*process, context);
  ++step_;
  time_ += dt_;
}

template <class Policy>
void Stepping<Policy>::run_process(Kind& process, const StepContext& context) {
  const std::uint64_t runs = step_ / static_cast<std::uint64_t>(process.every);
  const int weight = options_.measure_times ? Policy::weight(runs) : 0;
  if (weight == 0) {
    policy_.run(process, context);
    return;
  }
  policy_.finish();
  const auto start = std::chrono::steady_clock::now();
  policy_.run(process, context);
  policy_.finish();
  seconds_[process.name()] +=
      weight * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Waiting for a device after each process would slow it down: once a run is under way, one step in
// a few stands for the others, and later one in many.
inline int sampled_weight(std::uint64_t runs) {
  if (runs < 16) return 1;
  const std::uint64_t interval = runs < 256 ? 16 : 256;
  return runs % interval == 0 ? static_cast<int>(interval) : 0;
}

template <class Policy>
void Stepping<Policy>::tell_of_change(const Box& box) {
  if (box.empty()) return;
  for (const std::unique_ptr<Kind>& process : processes_) process->terrain_changed(box);
  look_at_next_step();
}

template <class Policy>
void Stepping<Policy>::visit_clock(StateVisitor& visitor) {
  visitor.integer("step", step_);
  if constexpr (Policy::has_dt) {
    visitor.real("time", time_);
    visitor.real("dt", dt_);
  }
}

template <class Policy>
void Stepping<Policy>::visit_edits(StateVisitor& visitor) {
  visitor.integer_unless("changed", changed_, false);
  const std::string prefix = "edited.";
  if (visitor.restores()) edited_.clear();
  for (const std::string& name : visitor.names(prefix)) edited_[name.substr(prefix.size())] = 0;
  for (auto& [name, quanta] : edited_) visitor.integer_unless(prefix + name, quanta, 0LL);
}

}  // namespace scree
