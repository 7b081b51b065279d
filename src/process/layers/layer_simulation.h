// Steps a terrain of layers through its processes, chooses dt, and keeps the ledger.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "process/heights/simulation.h"
#include "process/layers/layer_process.h"

namespace scree {

// Whole quanta, of a material and all that turn into the same dust, or of something that is in no
// stack: start + entered = now + left.
struct LayerBalance {
  std::vector<std::string> of;  // names of its materials
  long long start = 0, entered = 0, left = 0;
  long long held = 0;  // part of now: with a process, in no stack
  long long now = 0;
  long long error() const { return start + entered - left - now; }
};

struct LayerLedger {
  std::vector<LayerBalance> balances;
  std::map<std::string, long long> materials;  // in stacks, by name
  long long error() const;                     // the sum of all errors without their signs
};

// What must be kept, beside the stacks, to go on from here with the same bits.
struct LayerSimulationState {
  std::uint64_t step = 0;
  double time = 0, dt = 0;
  std::map<std::string, long long> start;       // by name, of the ledger
  std::map<std::string, LayerState> processes;  // by name
};

class LayerSimulation {
 public:
  // `terrain` must outlive it.
  LayerSimulation(Layers& terrain, std::vector<LayerProcessPtr> processes,
                  const SimulationOptions& options = {});

  // One step of every process that is due. Throws Unstable before it touches the state.
  void step();
  void run(std::uint64_t steps);

  std::uint64_t steps_done() const { return step_; }
  double time() const { return time_; }  // simulated seconds
  double dt() const { return dt_; }
  LayerLedger ledger() const;
  const std::map<std::string, double>& seconds_by_process() const { return seconds_; }
  Layers& terrain() { return terrain_; }
  const Layers& terrain() const { return terrain_; }
  const std::vector<LayerProcessPtr>& processes() const { return processes_; }

  // "layers", and PROCESS.NAME of all that processes keep.
  std::map<std::string, std::uint64_t> hashes() const;

  LayerSimulationState state() const;
  void restore(const LayerSimulationState& state);

  static constexpr std::uint64_t dt_interval = 16;

 private:
  void choose_dt();
  void run_process(LayerProcess& process, const StepContext& context);
  // Quanta in stacks and with processes, by name.
  std::map<std::string, long long> present() const;

  Layers& terrain_;
  std::vector<LayerProcessPtr> processes_;
  SimulationOptions options_;
  std::uint64_t step_ = 0;
  double time_ = 0, dt_ = 0;
  std::map<std::string, long long> start_;
  std::map<std::string, double> seconds_;
};

}  // namespace scree
