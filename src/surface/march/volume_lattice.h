// Where the samples of a volume lie, for the meshers.
#pragma once

#include <array>

#include "data/volume.h"
#include "surface/march/marching_cubes.h"

namespace scree::surface {

// `zero` is where the mesh's 0, 0, 0 lies: what is far from it would lose its detail.
inline Lattice lattice_of(const VolumeShape& shape, const std::array<double, 3>& zero) {
  const auto metres = [](double value) { return static_cast<float>(value); };
  return {shape.size[0],
          shape.size[1],
          shape.size[2],
          metres(shape.cell[0]),
          metres(shape.cell[1]),
          metres(shape.cell[2]),
          metres(shape.origin[0] - zero[0]),
          metres(shape.origin[1] - zero[1]),
          metres(shape.origin[2] - zero[2])};
}

}  // namespace scree::surface
