// What happens to a terrain of layers. A process changes the stacks, keeps what it needs beside
// them, and books what enters or leaves them.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "process/core/balance.h"
#include "process/core/process.h"
#include "terrain/layers/layers.h"

namespace scree {

// Quanta that a process has taken in and given away since the beginning, and has with it now.
struct LayerBooking {
  long long entered = 0;  // came into the world: rain, a spring, volume that a change of state made
  long long left = 0;     // went out of it: over an edge, into the air, volume lost
  long long held = 0;     // in no stack, but still there: suspended, in a boulder
  // Entered and left by what did it (rained, evaporated), where there is more to say.
  std::vector<BalanceFlow> in = {}, out = {};
};

class LayerProcess : public AnyProcess {
 public:
  static constexpr const char* terrain_kind = "layers";
  std::uint64_t seed = 0;  // of the run, for what prepare() leaves to chance
  // Before the first step, and before a state is restored: makes what it needs for this terrain,
  // which outlives it.
  virtual void prepare(Layers& /*terrain*/) {}
  virtual void run(Layers& terrain, const StepContext& context) = 0;
  // The longest stable time step now. Asked every LayerSimulation::dt_interval steps: what grows
  // in between needs a margin.
  virtual double stable_dt(const Layers& /*terrain*/) const {
    return std::numeric_limits<double>::infinity();
  }

  // True where it moves fluids as water: then they slide in no other process.
  virtual bool runs_fluids() const { return false; }

  // What it visits (AnyProcess::visit) goes into checkpoints and hashes as it is, so it holds no
  // padding and nothing that depends on device or threads; what it has booked, too.

  // What it has to show, a number a cell, rows from north to south: water, flow, wear.
  virtual std::vector<FieldSpec> fields() const { return {}; }
  virtual std::vector<float> values(const Layers& /*terrain*/, const std::string& /*field*/) const {
    return {};
  }

  // By name of a material, or of something that is in no stack ("water"). Moving from stack to
  // stack is not booked, nor turning into dust.
  virtual std::map<std::string, LayerBooking> booked(const Layers& /*terrain*/) const { return {}; }
  // Whatever else a report should say, by name: roofs that fell, stones at rest.
  virtual std::map<std::string, long long> counts() const { return {}; }
};

using LayerProcessPtr = std::unique_ptr<LayerProcess>;

}  // namespace scree
