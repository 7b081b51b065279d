// Inside scene: report.json, what a run was and what came of it.
#pragma once

#include <string>

#include "device/device.h"
#include "run/runner.h"

namespace scree {

std::string report_json(const Scene& scene, const RunResult& result,
                        const device::DeviceInfo& device, const std::filesystem::path& folder);

}  // namespace scree
