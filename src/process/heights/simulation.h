// Steps a landscape through its processes, chooses dt, and keeps the ledger.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "process/core/balance.h"
#include "process/core/stepping.h"
#include "terrain/heights/landscape.h"

namespace scree {

// Whole quanta. start = end + left - entered - edited, for water and for solids, to the quantum.
struct Ledger {
  long long water_start = 0, water_now = 0;
  long long rained = 0, evaporated = 0, water_left = 0, dissolved = 0;
  long long solids_start = 0, solids_now = 0;
  long long solids_left = 0;
  long long scrolled_water = 0, scrolled_solids = 0;  // net, left
  long long advected = 0;  // made (or lost, negative) by a transport that does not conserve
  long long edited_water = 0, edited_solids = 0;  // brought in from outside

  long long water_error() const {
    return water_start + rained + dissolved + edited_water - evaporated - water_left -
           scrolled_water - water_now;
  }
  long long solids_error() const {
    return solids_start + advected + edited_solids - solids_left - scrolled_solids - solids_now;
  }
};

// What is special about stepping heights: halos are filled before every phase of a process, and dt
// follows the deepest water, of which it hears some steps later.
class HeightStepping {
 public:
  using Kind = Process;
  static constexpr bool has_dt = true;
  // Steps between two looks at the deepest water, at first and once a run is under way; and between
  // a look and the step that takes it up, so that no device has to wait for it.
  static constexpr std::uint64_t dt_interval = 16, dt_interval_later = 64, dt_later = 256;
  static constexpr std::uint64_t dt_delay = 8;

  explicit HeightStepping(Landscape& landscape) : landscape_(landscape) {}
  Landscape& landscape() const { return landscape_; }

  template <class Choose>
  void before_step(std::uint64_t step, double dt, const Choose& choose) {
    if (dt == 0) {
      choose(landscape_.deepest_water());
      return;
    }
    if (look_ && step >= dt_delay && looks(step - dt_delay)) {
      choose(look_->metres());
      look_.reset();
    }
    if (looks(step)) look_ = landscape_.deepest_water_later();
  }
  double look_again();
  double stable_dt(const Process& process, double deepest) const {
    return process.stable_dt(landscape_.tile(0), deepest);
  }
  static std::string reason(double deepest);
  void run(Process& process, const StepContext& context);
  void finish();
  static int weight(std::uint64_t runs) { return sampled_weight(runs); }

  // The deepest water of a look that is not taken up yet, in metres; below 0: none.
  double looked() const { return look_ ? look_->metres() : -1; }
  void set_looked(double metres);

 private:
  static bool looks(std::uint64_t step) {
    return step % (step < dt_later ? dt_interval : dt_interval_later) == 0;
  }

  Landscape& landscape_;
  mutable std::optional<DeepestWater> look_;  // under way; to know it changes nothing
};

class Simulation : public Stepping<HeightStepping> {
 public:
  Simulation(Landscape& landscape, std::vector<ProcessPtr> processes,
             const SimulationOptions& options = {});

  Ledger ledger() const;
  // Of water and of solids.
  std::vector<Balance> balances() const;
  Landscape& landscape() { return policy_.landscape(); }

  // Moves the window of a single-tile landscape and books what leaves and enters.
  void scroll(int cells_east, int cells_south, const std::vector<float>& heights);

  // The landscape was changed from outside: whoever keeps something of it hears so, and the next
  // step looks at the deepest water. `field` is what was changed; empty: it may be any.
  void terrain_changed(const Box& box, const std::string& field = {});
  // The same, and books what the edit brought in.
  void terrain_changed(const Receipt& receipt, const std::string& field = {});

  // Other processes in place of those there are, from the next step on. Fields of the landscape
  // stay as they are.
  void set_processes(std::vector<ProcessPtr> processes);

  // Everything that the next step reads; with several tiles, TILE.N. stands before what each has.
  void visit(StateVisitor& visitor);
  // The two parts of it: clock, ledger and shape; then fields.
  void visit_counts(StateVisitor& visitor);
  void visit_fields(StateVisitor& visitor);

  static constexpr std::uint64_t dt_interval = HeightStepping::dt_interval,
                                 dt_interval_later = HeightStepping::dt_interval_later,
                                 dt_later = HeightStepping::dt_later;
  static constexpr std::uint64_t dt_delay = HeightStepping::dt_delay;

 private:
  using Booked = std::array<long long, Heightfield::booked_entries>;
  Booked booked() const;
  void prepare(std::vector<ProcessPtr>& processes);

  Ledger ledger_;
};

}  // namespace scree
