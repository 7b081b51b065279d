// Where water comes from: rain over all, a disc or a strip, a map, and springs, as one field of
// metres a second.
#pragma once

#include <string>
#include <vector>

#include "terrain/heights/heightfield.h"

#define SCREE_PARAMETERS SpringParameters
#define SCREE_DEF "kernel/heights/spring.def"
#include "base/define_parameters.h"

namespace scree {

struct RainShape {
  double rate = 0;  // m/s inside the shape
  std::string shape = "everywhere";
  double x = 0.5, y = 0.5, radius = 0;
};

// True where rain is the same in every cell, so that no field is needed. `mapped`: there is an
// input map of it.
bool rain_is_uniform(const RainShape& rain, const std::vector<SpringParameters>& springs,
                     bool mapped);

// Writes field `name`, which must be there, from the shape, the springs and, where there is one,
// the input map `rain`. Positions are shares of the world, whose size in cells is world_width x
// world_height.
void write_source(Heightfield& terrain, const std::string& name, const RainShape& rain,
                  const std::vector<SpringParameters>& springs);

}  // namespace scree
