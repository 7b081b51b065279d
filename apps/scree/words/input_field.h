// A field of what was read, by name.
#pragma once

#include <string>
#include <vector>

#include "commands/mesh_input.h"

namespace scree::cli {

struct InputField {
  std::vector<float> values;
  std::string unit;  // empty where it is not known, or the field was brought to 0 … 1
};

// One of the input's fields, height, slope, curvature, velocity and its parts, or a raster of the
// same cells. UsageError that begins with `what` and names all there are, `others` first.
InputField input_field(const std::string& what, const std::string& name, const MeshInput& input,
                       const std::vector<std::string>& others = {});

}  // namespace scree::cli
