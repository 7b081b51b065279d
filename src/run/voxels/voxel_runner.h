// Runs a scene of voxels from beginning to end: checks, steps, outputs, checkpoints, report.
#pragma once

#include "run/runner.h"
#include "scene/voxel_scene.h"

namespace scree {

struct VoxelRunResult {
  std::vector<std::filesystem::path> outputs;  // as written, in order
  std::filesystem::path report;
  std::string report_text;         // the JSON
  std::vector<std::string> lines;  // for people
  std::uint64_t hash = 0;          // of the words (docs/process/weathering.md)
  WeatheringLedger ledger;
  std::string astray;  // a line where that does not close
  std::string device;
  VoxelShape shape;
  std::uint64_t steps = 0, resumed_from = 0;
  double seconds = 0;
};

// As run_scene; engine is not for voxels.
VoxelRunResult run_voxel_scene(const VoxelScene& wanted, const RunOptions& options = {});

}  // namespace scree
