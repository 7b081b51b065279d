// What happens to a terrain. A process declares its fields, runs its passes, and books what it
// moves.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "base/parameter.h"
#include "terrain/heightfield.h"

namespace scree {

struct StepContext {
  double dt = 0;           // seconds
  std::uint64_t step = 0;  // counts from 0
  std::uint64_t seed = 0;
};

// The seed of one process in one step.
std::uint32_t step_seed(const StepContext& context, std::uint32_t process_salt);

class Process {
 public:
  virtual ~Process() = default;
  virtual std::string name() const = 0;
  // Adds the fields it needs; called for each tile before the first step, and after a scroll.
  virtual void prepare(Heightfield& terrain) = 0;
  // A step is this many phases; the halo of the state is filled before each.
  virtual int phases() const { return 1; }
  virtual void run(Heightfield& terrain, const StepContext& context, int phase) = 0;
  // Float fields whose neighbours this phase reads, beside the state.
  virtual std::vector<std::string> halo_fields(const Heightfield& /*terrain*/,
                                               int /*phase*/) const {
    return {};
  }
  // The largest stable dt for the deepest water there is now, in metres.
  virtual double stable_dt(const Heightfield& /*terrain*/, double /*deepest*/) const {
    return std::numeric_limits<double>::infinity();
  }
  // The time a step stands for where nothing limits dt.
  virtual double natural_dt() const { return 1; }
  // Steps between two runs: 1 runs in every step.
  int every = 1;
};

using ProcessPtr = std::unique_ptr<Process>;

}  // namespace scree
