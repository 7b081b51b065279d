// report.json: what a run was and what came of it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "device/device.h"
#include "run/runner.h"

namespace scree {

// The parts of a report that each kind of terrain says in its own words, as JSON objects whose keys
// come in at their place: report_parts.h defines it, for those who write one.
struct ReportJson;
struct ReportParts {
  std::shared_ptr<ReportJson> json;
};

std::string report_json(const Scene& scene, const RunResult& result, const ReportParts& parts,
                        const device::DeviceInfo& device, const std::filesystem::path& folder);

}  // namespace scree
