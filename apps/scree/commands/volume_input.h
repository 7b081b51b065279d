// Volumes wherever a command takes one: a VDB, a three-dimensional array, or a checkpoint of
// voxels.
#pragma once

#include <filesystem>
#include <string>

#include "io/checkpoint/checkpoint.h"
#include "io/volume/volume.h"

namespace scree::cli {

bool is_voxel_checkpoint(const std::filesystem::path& path);
bool holds_voxels(const io::CheckpointReader& checkpoint);

bool is_volume_file(const std::string& path);
// Of a run's VDB the densities become those of its checkpoints, meshes and pictures, in which any
// rock is rock. False, and nothing is done, of another volume.
bool as_rock(io::VolumeFile& file);
// With the names and colours of its materials, where the file or the report beside it has them.
io::VolumeFile read_volume_file(const std::string& path, const io::VolumeOptions& options);

}  // namespace scree::cli
