// Where `mesh` finds its heights.
#pragma once

#include <string>

#include "arguments.h"
#include "io/raster.h"

namespace scree::cli {

struct MeshInput {
  std::string file;   // that was read: the raster itself, or the one in a folder
  io::Raster raster;  // its heights and cell size are known
};

// A raster; a checkpoint; or a run's folder, of which the heightmap is taken that its report lists
// as height or bed, and else the newest whole checkpoint.
MeshInput find_heights(const std::string& name, const InputWords& words);

}  // namespace scree::cli
