// Checkpoints of voxels, for commands that look at them without their scene.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace scree::cli {

struct VoxelCheckpoint {
  std::int64_t step = 0;
  std::array<int, 3> size{};
  double cell = 0;
  std::vector<std::uint32_t> words;  // kernel/voxels/voxel.h, x fastest, then y, then z upwards

  long long solid() const;  // voxels that hold anything
  std::string hash() const;
};
VoxelCheckpoint read_voxel_checkpoint(const std::string& file);

}  // namespace scree::cli
