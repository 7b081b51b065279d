// Steps a landscape through its processes, chooses dt, and keeps the ledger.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/error.h"
#include "process/core/process.h"
#include "terrain/heights/landscape.h"

namespace scree {

// A fixed dt has become too long for the water there is. The state is whole.
class Unstable : public Error {
 public:
  using Error::Error;
};

struct SimulationOptions {
  double dt = 0;  // seconds; 0: follows the deepest water
  std::uint64_t seed = 1;
  bool measure_times = false;  // waits for the device after a process, in some of the steps
};

// Whole quanta. start = end + left - entered, for water and for solids, to the quantum.
struct Ledger {
  long long water_start = 0, water_now = 0;
  long long rained = 0, evaporated = 0, water_left = 0, dissolved = 0;
  long long solids_start = 0, solids_now = 0;
  long long solids_left = 0;
  long long scrolled_water = 0, scrolled_solids = 0;  // net, left
  long long advected = 0;  // made (or lost, negative) by a transport that does not conserve

  long long water_error() const {
    return water_start + rained + dissolved - evaporated - water_left - scrolled_water - water_now;
  }
  long long solids_error() const {
    return solids_start + advected - solids_left - scrolled_solids - solids_now;
  }
};

// What must be kept, beside the fields, to go on from here with the same bits.
struct SimulationState {
  std::uint64_t step = 0;
  double time = 0;
  double dt = 0;
  double looked = -1;  // the deepest water of a look that is not taken up yet; below 0: none
  Ledger ledger;
  std::array<long long, Heightfield::booked_entries> booked{};
};

class Simulation {
 public:
  Simulation(Landscape& landscape, std::vector<ProcessPtr> processes,
             const SimulationOptions& options = {});

  // One step of every process that is due. Throws Unstable before it touches the state.
  void step();
  void run(std::uint64_t steps);

  std::uint64_t steps_done() const { return step_; }
  double time() const { return time_; }  // simulated seconds
  double dt() const { return dt_; }
  Ledger ledger() const;
  const std::map<std::string, double>& seconds_by_process() const { return seconds_; }
  Landscape& landscape() { return landscape_; }

  // Moves the window of a single-tile landscape and books what leaves and enters.
  void scroll(int cells_east, int cells_south, const std::vector<float>& heights);

  SimulationState state() const;
  void restore(const SimulationState& state);

  // Steps between two looks at the deepest water, at first and once a run is under way; and between
  // a look and the step that takes it up, so that no device has to wait for it.
  static constexpr std::uint64_t dt_interval = 16, dt_interval_later = 64, dt_later = 256;
  static constexpr std::uint64_t dt_delay = 8;

 private:
  void look_at_water();
  void choose_dt(double deepest);
  void run_process(Process& process, const StepContext& context);
  int time_weight(const Process& process) const;

  Landscape& landscape_;
  std::vector<ProcessPtr> processes_;
  SimulationOptions options_;
  std::uint64_t step_ = 0;
  double time_ = 0;
  double dt_ = 0;
  mutable std::optional<DeepestWater> look_;  // under way; to know it changes nothing
  Ledger ledger_;
  std::map<std::string, double> seconds_;
};

}  // namespace scree
