// Densities of columns of soil or rock whose surfaces mesh without steps.
//
// A voxel's share of soil says how full it is, which steps from voxel to voxel along a slope, and
// Marching Cubes shows the steps as ridges (Geiger 2015, section 5.3.2). The vertical distance to
// the column's own surface has none: on an even slope it is a linear field, and the mesh is even.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "surface/march/marching_cubes.h"

namespace scree::surface {

// Solid parts of columns, from the lowest up, apart from each other; metres.
struct SolidPart {
  float bottom = -std::numeric_limits<float>::infinity();  // ground without end
  float top = 0;
};
struct Columns {
  std::vector<std::uint32_t> first;  // of each column (x fastest, then y), and one past the last
  std::vector<SolidPart> parts;
};

// One part a column: heights in metres, x fastest, then y; NaN is a column without ground.
Columns columns_of(const std::vector<float>& heights);

// 0.5 at a surface, rising by one a cell of depth. lattice.nx x ny columns.
std::vector<float> ridge_free_density(const Lattice& lattice, const Columns& columns);

}  // namespace scree::surface
