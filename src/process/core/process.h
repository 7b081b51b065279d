// What happens to a terrain. A process declares its fields, runs its passes, and books what it
// moves.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/parameter.h"
#include "terrain/core/edit.h"
#include "terrain/heights/heightfield.h"

namespace scree {

class StateVisitor;

struct StepContext {
  double dt = 0;           // seconds
  std::uint64_t step = 0;  // counts from 0
  std::uint64_t seed = 0;
};

// The seed of one process in one step.
std::uint32_t step_seed(const StepContext& context, std::uint32_t process_salt);

// What every process has, whatever terrain it works on.
class AnyProcess {
 public:
  virtual ~AnyProcess() = default;
  virtual std::string name() const = 0;
  // The time a step stands for where nothing limits dt.
  virtual double natural_dt() const { return 1; }
  // All that its next step needs beside terrain and parameters (process/core/state.h), by names
  // that ascend: fields that it has on a heightfield are the terrain's.
  virtual void visit(StateVisitor& /*visitor*/) {}
  // The terrain was changed from outside, in this box: what it keeps of that part is out of date.
  virtual void terrain_changed(const Box& /*box*/) {}
  // Steps between two runs: 1 runs in every step.
  int every = 1;
};

using AnyProcessPtr = std::unique_ptr<AnyProcess>;

// A process on a heightfield.
class Process : public AnyProcess {
 public:
  static constexpr const char* terrain_kind = "heightfield";
  // Fields that it needs beside the state, on a terrain that was given these maps.
  virtual std::vector<FieldSpec> fields(const std::set<std::string>& /*maps*/) const { return {}; }
  // Adds those; called for each tile before the first step, and after a scroll.
  virtual void prepare(Heightfield& terrain) {
    const std::vector<std::string> names = terrain.field_names();
    for (const FieldSpec& field : fields({names.begin(), names.end()})) terrain.ensure(field);
  }
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
  // True where prepare() works something out from this field of the terrain.
  virtual bool follows(const std::string& /*field*/) const { return false; }
  // Add up what it does in the fields of masks; costs memory and time.
  bool track = false;
};

using ProcessPtr = std::unique_ptr<Process>;

// What processes add up where they track, and how soaked the ground is: fields that they share.
inline constexpr FieldSpec flow_field{
    .name = "flow", .unit = "m2", .help = "Water that passed, added up, for each metre of width"};
inline constexpr FieldSpec wear_field{.name = "wear",
                                      .type = device::FieldType::int32,
                                      .unit = "m",
                                      .help = "Ground taken away, added up"};
inline constexpr FieldSpec deposit_field{.name = "deposit",
                                         .type = device::FieldType::int32,
                                         .unit = "m",
                                         .help = "Ground laid down, added up"};
inline constexpr FieldSpec wetness_field{.name = "wetness",
                                         .help = "How soaked the ground is, 0 to 1"};

}  // namespace scree
