// The kinds of terrain that can be run: the one list of what a run needs to know of each. What it
// reads of a scene is in scene/read/kinds.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "run/report.h"
#include "run/run_model.h"

namespace scree {

struct RunKind {
  const char* name;
  // What a scene writes that says nothing of outputs.
  std::vector<OutputSettings> (*standard_outputs)();
  // UsageError for settings that are fine alone and make no sense together.
  void (*check)(const Scene& scene, const RunOptions& options);
  std::unique_ptr<RunModel> (*make)(const Scene& scene, const device::DevicePtr& device);
  // Its own parts of report.json.
  ReportParts (*report)(const Scene& scene, const RunResult& result);
};

// Of a scene: UsageError where nothing runs its kind of terrain.
const RunKind& run_kind(const Scene& scene);

// What run_kind() lists. Each is in the folder of its name.
std::vector<OutputSettings> height_outputs();
void check_height_run(const Scene& scene, const RunOptions& options);
std::unique_ptr<RunModel> make_height_model(const Scene& scene, const device::DevicePtr& device);
ReportParts height_report(const Scene& scene, const RunResult& result);

std::unique_ptr<RunModel> make_layer_model(const Scene& scene, const device::DevicePtr& device);
ReportParts layer_report(const Scene& scene, const RunResult& result);

std::vector<OutputSettings> voxel_outputs();
void check_voxel_run(const Scene& scene, const RunOptions& options);
std::unique_ptr<RunModel> make_voxel_model(const Scene& scene, const device::DevicePtr& device);
ReportParts voxel_report(const Scene& scene, const RunResult& result);

}  // namespace scree
