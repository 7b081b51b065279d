// Runs a scene from beginning to end: checks, steps, outputs, checkpoints, report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "device/device.h"
#include "process/heights/simulation.h"
#include "process/layers/layer_simulation.h"
#include "process/voxels/weathering.h"
#include "scene/scene.h"

namespace scree {

struct RunOptions {
  std::filesystem::path out = "out";  // folder; made where there is none
  device::DeviceOptions device = {};
  device::DevicePtr opened = {};  // a device that is open already, instead of `device`
  Progress* progress = nullptr;
  const CancelToken* cancel = nullptr;
  std::uint64_t checkpoint_every = 0;  // steps; 0: none by steps
  double checkpoint_seconds = 0;       // of real time; 0: none by time
  std::uint64_t validate = 0;          // restore and step again every so many steps; 0: never
  bool resume = false;                 // go on from the newest whole checkpoint in `out`
  bool leave_state = true;             // a run that is stopped leaves a checkpoint
  bool allow_outside = false;          // outputs may lie outside `out`
  std::string engine = {};  // "unreal", "unity", "godot": one more output, named after it
  std::string report = "report.json";  // in `out`; empty: none
};

struct RunResult {
  std::string kind;                            // of its terrain, as the scene names it
  std::vector<std::filesystem::path> outputs;  // as written, in order
  std::vector<OutputFile> files;               // the same, and what they hold
  std::filesystem::path report;
  std::string report_text;         // the JSON
  std::vector<std::string> lines;  // for people: numbers to type into an engine, and notes
  std::map<std::string, std::uint64_t> hashes;
  Ledger ledger;
  std::optional<LayerLedger> layers;           // instead, of a terrain of layers
  std::optional<WeatheringLedger> weathering;  // instead, of voxels
  std::string astray;                          // a line where its ledger does not close
  std::map<std::string, long long> counts;     // what its processes counted: roofs that fell
  Quantum quantum;
  double layer_quantum = 0;  // metres, of layers
  std::string device;        // "cpu: AMD EPYC … (v4, 2 threads)"
  int width = 0;
  int height = 0;
  double dx = 0;
  double dy = 0;
  VoxelShape voxels;               // instead, of voxels
  std::uint64_t steps = 0;         // done in all
  std::uint64_t resumed_from = 0;  // step; 0: from the beginning
  double time = 0;                 // simulated seconds
  double dt = 0;                   // of the last step
  double seconds = 0;              // real ones, of this run
  std::map<std::string, double> seconds_by_process;
};

// Checks everything (inputs, outputs, memory) before it computes. Throws UsageError, Error,
// Unstable (a checkpoint is written, its name is in the message) or Cancelled (a checkpoint is
// written).
RunResult run_scene(const Scene& wanted, const RunOptions& options = {});

}  // namespace scree
