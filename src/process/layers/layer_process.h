// What happens to a terrain of layers. A process changes the stacks, keeps what it needs beside
// them, and books what enters or leaves them.
#pragma once

#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "process/core/process.h"
#include "terrain/layers/layers.h"

namespace scree {

// What a process keeps between steps beside the stacks: arrays of any length, by name. They go
// into checkpoints and hashes as they are, so they hold no padding and nothing that depends on
// device or threads.
class LayerState {
 public:
  template <class T>
  void add(const std::string& name, const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<unsigned char>& bytes = arrays_[name];
    bytes.resize(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  // UsageError where there is no such array, or none of such elements.
  template <class T>
  std::vector<T> get(const std::string& name) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::vector<unsigned char>& bytes = find(name, sizeof(T));
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  // A buffer of a device, whole.
  void add(const std::string& name, device::Device& device, const device::Buffer& buffer);
  void get(const std::string& name, device::Device& device, device::Buffer& buffer) const;

  std::map<std::string, std::vector<unsigned char>>& arrays() { return arrays_; }
  const std::map<std::string, std::vector<unsigned char>>& arrays() const { return arrays_; }

 private:
  const std::vector<unsigned char>& find(const std::string& name, std::size_t element) const;
  std::map<std::string, std::vector<unsigned char>> arrays_;
};

// Quanta that a process has taken in and given away since the beginning, and has with it now.
struct LayerBooking {
  long long entered = 0;  // came into the world: rain, a spring, volume that a change of state made
  long long left = 0;     // went out of it: over an edge, into the air, volume lost
  long long held = 0;     // in no stack, but still there: suspended, in a boulder
};

class LayerProcess : public AnyProcess {
 public:
  std::uint64_t seed = 0;  // of the run, for what prepare() leaves to chance
  // Before the first step, and before restore(): makes what it needs for this terrain.
  virtual void prepare(Layers& /*terrain*/) {}
  virtual void run(Layers& terrain, const StepContext& context) = 0;
  // The longest stable time step now. Asked every LayerSimulation::dt_interval steps: what grows
  // in between needs a margin.
  virtual double stable_dt(const Layers& /*terrain*/) const {
    return std::numeric_limits<double>::infinity();
  }
  // The time a step stands for where nothing limits dt.
  virtual double natural_dt() const { return 1; }

  // True where it moves fluids as water: then they slide in no other process.
  virtual bool runs_fluids() const { return false; }

  // All that its next step needs beside stacks and parameters; what it has booked, too.
  virtual LayerState state(const Layers& /*terrain*/) const { return {}; }
  virtual void restore(Layers& /*terrain*/, const LayerState& /*state*/) {}

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
