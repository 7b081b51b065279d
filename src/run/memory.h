// Inside scene: is there room, asked before anything large is allocated.
#pragma once

#include <cstddef>

#include "device/device.h"
#include "scene/output.h"
#include "terrain/voxels/voxels.h"

namespace scree {

// What this machine can still give out, in bytes; 0 where it does not say.
std::size_t available_memory();

// Error unless `bytes` fit on the device, and they (where the device shares this machine's memory)
// with what the host needs beside them fit here.
void check_memory(std::size_t bytes, int width, int height, const device::Device& device);

// What a picture of so many cells takes beside them, in bytes, and Error unless that is available.
std::size_t picture_bytes(const PictureSettings& settings, std::size_t cells);
void check_picture_memory(const PictureSettings& settings, std::size_t cells,
                          std::size_t available = available_memory());

// Error unless a run of these voxels has the memory: on this machine, all of it where the device
// shares its memory, and their words once more on the way to a checkpoint.
void check_voxel_memory(const device::Device& device, const VoxelShape& shape, bool meshed,
                        std::size_t available = available_memory());

}  // namespace scree
