// Inside io: write_raster with more keys for the sidecar, which engine exports use.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/raster/raster.h"

namespace scree::io {

using JsonValues = std::vector<std::pair<std::string, std::string>>;  // key, JSON value

// force_sidecar: also for formats that need none.
void write_raster_with(const std::filesystem::path& path, const Raster& raster,
                       const WriteOptions& options, const JsonValues& more, bool force_sidecar);

}  // namespace scree::io
