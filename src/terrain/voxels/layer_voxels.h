// Layers into voxels: each voxel takes the material that fills most of it, and as much of it as
// there is rock of any kind in it. What lies loose becomes colluvium; voids stay voids.
#pragma once

#include <cstdint>
#include <vector>

#include "terrain/layers/layers.h"
#include "terrain/voxels/voxels.h"

namespace scree {

struct LayerVoxels {
  // As Voxels::set_words takes them. A column's amounts are rounded together: it holds what its
  // stack does to half a unit, of which a whole voxel has 2047.
  std::vector<std::uint32_t> words;
  long long amount = 0;  // of all voxels
  double outside = 0;    // what lay below or above the box, in voxels
};

// The stacks' materials as voxels', in the same order and with no durability.
std::vector<VoxelMaterial> voxel_materials(const Layers& layers);

// `numbers`: for each material of the layers that of the voxels, 0 for what is not to be kept.
// `lift`: metres that the stacks are raised by. A column of voxels is the stack of the cell that
// its middle is in, when the layers are laid over the box from border to border.
LayerVoxels voxels_from_layers(const Layers& layers, const VoxelShape& shape,
                               const std::vector<std::uint32_t>& numbers, double lift = 0);

}  // namespace scree
