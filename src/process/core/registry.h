// Every process by name: what scenes, `scree params`, help and bindings know of it.
//
// A process announces itself in its own file (process/heights/thermal.cpp); nothing else lists it:
//
//   SCREE_PROCESS(thermal) {
//     ProcessKind kind = kind_of<ThermalWeathering, ThermalParameters>("thermal");
//     kind.title = "Thermal weathering";
//     …
//     return kind;
//   }
#pragma once

#include <any>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "process/core/process.h"

namespace scree {

class ProcessSet;

struct ProcessKind {
  std::string name;                     // its table in a scene
  std::string title;                    // as pages call it
  std::string help;                     // one line
  std::string terrain = "heightfield";  // what it works on: heightfield, layers or voxels
  int order = 50;                       // those with a lower one come first in a step
  bool takes_every = true;              // may run in one step of several
  AnyParameters parameters;             // at their standard values
  // Tables inside its own, any number of each: [[water.spring]].
  std::map<std::string, AnyParameters> lists = {};
  // Every field that it may add and no other process has.
  std::vector<FieldSpec> fields = {};
  // The number of its physics: one more whenever the same settings begin to give other bits.
  int physics = 1;
  // Made from the settings of all, since one step may do the work of two (water, hydraulic); null
  // where it is switched off, or where another process does its work. By the kind of terrain that
  // what is made works on; one process may be at home on several.
  using Make = std::function<AnyProcessPtr(const ProcessSet&)>;
  std::map<std::string, Make> make = {};

  bool works_on(const std::string& kind_of_terrain) const {
    return terrain == kind_of_terrain || make.count(kind_of_terrain) > 0;
  }
};

// Defines the function that tells of a process; the build finds it by this macro.
#define SCREE_PROCESS(name) ProcessKind name##_process()

// All processes, in the order of a step.
const std::vector<ProcessKind>& process_kinds();

// A process as a scene sets it: on when there is a table of it that does not say enabled = false.
struct ProcessSettings {
  bool enabled = false;
  bool mentioned = false;  // there is such a table
  int every = 1;
  AnyParameters parameters;
  std::map<std::string, std::vector<AnyParameters>> lists;
  // What is more than parameters: plain data of a type that the process names (weathering: its
  // bubbles and regions).
  std::any plan = {};

  template <class P>
  const P& as() const {
    return parameters.as<P>();
  }
  template <class P>
  std::vector<P> list(const std::string& list_name) const {
    std::vector<P> all;
    for (const AnyParameters& one : lists.at(list_name)) all.push_back(one.as<P>());
    return all;
  }
  // UsageError where there is none.
  template <class Plan>
  const Plan& plan_as(const std::string& name) const {
    if (const auto* found = std::any_cast<Plan>(&plan)) return *found;
    throw UsageError(text(name, ": expected what it is made of beside its parameters"));
  }
};

// The settings of every process. All are off at first.
class ProcessSet {
 public:
  ProcessSet();
  // UsageError with the nearest name where there is no such process.
  ProcessSettings& operator[](const std::string& name);
  const ProcessSettings& operator[](const std::string& name) const;
  bool on(const std::string& name) const { return (*this)[name].enabled; }
  // Switches it on and sets one parameter: use("water", "rain", "100 mm/h").
  ProcessSet& use(const std::string& name);
  ProcessSet& use(const std::string& name, const std::string& parameter,
                  const ParameterValue& value);
  // Switches it on with what is more than its parameters.
  ProcessSet& use(const std::string& name, std::any plan);
  // Names of those that are on, in the order of a step.
  std::vector<std::string> names() const;

 private:
  std::map<std::string, ProcessSettings> settings_;
};

// A field that a process may have, whichever has it; null where none does.
const FieldSpec* field_spec(const std::string& name);

// What the numbers of a field of heights are, known by its name alone, as in a checkpoint; floats
// where it is nobody's.
device::FieldType field_type(const std::string& name);

// Those that are on and work on this kind of terrain: Process for heightfields, LayerProcess for
// layers, VoxelProcess for voxels.
template <class P = Process>
std::vector<std::unique_ptr<P>> make_processes(const ProcessSet& set) {
  std::vector<std::unique_ptr<P>> made;
  for (const ProcessKind& kind : process_kinds()) {
    const auto make = kind.make.find(P::terrain_kind);
    AnyProcessPtr any = make != kind.make.end() ? make->second(set) : nullptr;
    auto* fitting = dynamic_cast<P*>(any.get());
    if (fitting == nullptr) continue;
    fitting->every = set[kind.name].every;
    made.emplace_back(fitting);
    static_cast<void>(any.release());
  }
  return made;
}

// A process that is made from its own parameters alone.
template <class P, class Parameters>
ProcessKind kind_of(const std::string& name) {
  ProcessKind kind{
      .name = name, .title = name, .help = "", .parameters = AnyParameters(Parameters{})};
  kind.terrain = P::terrain_kind;
  kind.make[kind.terrain] = [name](const ProcessSet& set) -> AnyProcessPtr {
    if (!set.on(name)) return nullptr;
    return std::make_unique<P>(set[name].as<Parameters>());
  };
  return kind;
}

}  // namespace scree
