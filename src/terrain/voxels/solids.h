// Voxels inside a closed surface or a volume, one bit each: what a form of rocks.h can be made of.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "terrain/voxels/voxels.h"

namespace scree {

// Bit x % 32 of word (z ny + y) ceil(nx / 32) + x / 32 says whether the voxel's middle is inside.
using SolidMask = std::vector<std::uint32_t>;

// Corners in metres in the box's own frame, triangles by their corners' numbers. Exact for every
// closed surface, however its triangles lie: corners are put on a grid of 1/65536 voxel, and all
// else is integer. Inside is where the surface winds around a point: parts may overlap, and which
// way triangles are turned does not matter. UsageError where it is not closed, or farther than
// 2^15 voxels from the box; `what` names it in messages.
SolidMask solid_from_triangles(const VoxelShape& shape,
                               std::span<const std::array<float, 3>> corners,
                               std::span<const std::array<std::uint32_t, 3>> triangles,
                               const std::string& what);

// Samples on a lattice, x fastest; inside is where the density between them (linear along each
// axis) is at least `level`. Beyond the lattice there is nothing.
struct SolidLattice {
  std::array<int, 3> size{};
  std::array<double, 3> cell{1, 1, 1};
  std::array<double, 3> origin{};  // of the first sample, metres in the box's own frame
};
SolidMask solid_from_samples(const VoxelShape& shape, const SolidLattice& lattice,
                             std::span<const float> density, float level);

}  // namespace scree
