// Is there a sea in this DEM?
#pragma once

#include <optional>

#include "io/raster/raster.h"

namespace scree::cli {

// The level of a wide, perfectly flat area at the lowest height of a raster that lies on Earth;
// nothing where there is none. Without a coordinate system a plain is more likely meant.
std::optional<double> find_sea(const Raster& raster);

}  // namespace scree::cli
