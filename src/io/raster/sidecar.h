// Inside io: NAME.EXT.json beside a file that cannot say by itself what its samples mean.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/raster/raster.h"

namespace scree::io {

struct Sidecar {
  Format format = Format::png16;
  int width = 0;
  int height = 0;
  double dx = 0;
  double dy = 0;
  HeightRange range;  // heights of sample_low and sample_high; integer formats only
  double sample_low = 0;
  double sample_high = 65535;
  std::optional<double> nodata_sample;  // NaN in RAW32
  long long nodata_cells = 0;
  long long clipped_cells = 0;
  ByteOrder byte_order = ByteOrder::little;
  bool south_first = false;
  std::vector<std::pair<std::string, std::string>> more;  // written only: key, JSON value
};

std::filesystem::path sidecar_path(const std::filesystem::path& path);
void write_sidecar(const std::filesystem::path& path, const Sidecar& sidecar);

// Nothing where there is none, or where it is somebody else's JSON; Error where it is ours and
// broken.
std::optional<Sidecar> read_sidecar(const std::filesystem::path& path);

// A JSON string, quotes included.
std::string json_text(const std::string& value);

}  // namespace scree::io
