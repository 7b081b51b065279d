// Inside scene: report.json of a run on voxels.
#pragma once

#include <string>

#include "device/device.h"
#include "run/voxels/voxel_runner.h"

namespace scree {

std::string voxel_report_json(const VoxelScene& scene, const VoxelRunResult& result,
                              const device::DeviceInfo& device,
                              const std::filesystem::path& folder);

}  // namespace scree
