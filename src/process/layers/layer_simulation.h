// Steps a terrain of layers through its processes, chooses dt, and keeps the ledger.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "process/core/balance.h"
#include "process/core/stepping.h"
#include "process/layers/layer_process.h"

namespace scree {

// Whole quanta, of a material and all that turn into the same dust, or of something that is in no
// stack: start + entered + edited = now + left.
struct LayerBalance {
  std::vector<std::string> of;  // names of its materials
  long long start = 0, entered = 0, left = 0;
  long long held = 0;  // part of now: with a process, in no stack
  long long now = 0;
  long long edited = 0;  // brought in from outside
  long long error() const { return start + entered + edited - left - now; }
};

struct LayerLedger {
  std::vector<LayerBalance> balances;
  std::map<std::string, long long> materials;  // in stacks, by name
  long long error() const;                     // the sum of all errors without their signs
};

// What is special about stepping layers: dt is chosen in every sixteenth step.
class LayerStepping {
 public:
  using Kind = LayerProcess;
  static constexpr bool has_dt = true;
  static constexpr std::uint64_t dt_interval = 16;

  explicit LayerStepping(Layers& terrain) : terrain_(terrain) {}
  Layers& terrain() const { return terrain_; }

  template <class Choose>
  void before_step(std::uint64_t step, double dt, const Choose& choose) const {
    if (dt == 0 || step % dt_interval == 0) choose(0.0);
  }
  static double look_again() { return 0; }
  double stable_dt(const LayerProcess& process, double /*seen*/) const {
    return process.stable_dt(terrain_);
  }
  static std::string reason(double /*seen*/) { return {}; }
  void run(LayerProcess& process, const StepContext& context) const {
    process.run(terrain_, context);
  }
  void finish() const { terrain_.device().finish(); }
  static int weight(std::uint64_t /*runs*/) { return 1; }

 private:
  Layers& terrain_;
};

class LayerSimulation : public Stepping<LayerStepping> {
 public:
  // `terrain` must outlive it.
  LayerSimulation(Layers& terrain, std::vector<LayerProcessPtr> processes,
                  const SimulationOptions& options = {});

  LayerLedger ledger() const;
  // In the order of the ledger.
  std::vector<Balance> balances() const;
  Layers& terrain() { return policy_.terrain(); }
  const Layers& terrain() const { return policy_.terrain(); }

  // "layers", and PROCESS.NAME of all that processes keep.
  std::map<std::string, std::uint64_t> hashes() const;

  // The stacks of a box were changed from outside: whoever keeps something of them hears so.
  void terrain_changed(const Box& box) { tell_of_change(box); }
  // The same, and books what the edit brought in.
  void terrain_changed(const Receipt& receipt);

  // Other processes in place of those there are, from the next step on: each takes over what the
  // one of its name has kept. UsageError, and nothing has changed, where something would be lost: a
  // process that holds quanta must be among them.
  void set_processes(std::vector<LayerProcessPtr> processes);

  // Everything that the next step reads, with shape and materials for whoever looks at it alone.
  void visit(StateVisitor& visitor);

  static constexpr std::uint64_t dt_interval = LayerStepping::dt_interval;

 private:
  void prepare();
  // What every process keeps, by the names of processes.
  void visit_processes(StateVisitor& visitor);
  void visit_start(StateVisitor& visitor);
  void visit_shape(StateVisitor& visitor) const;
  void visit_materials(StateVisitor& visitor) const;
  // What processes have booked as entered, left and held, by name.
  std::map<std::string, std::array<long long, 3>> bookings() const;
  // Quanta in stacks and with processes, by name.
  std::map<std::string, long long> present() const;

  std::map<std::string, long long> start_;
};

}  // namespace scree
