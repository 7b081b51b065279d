// Weathering as the document describes it, voxel by voxel: air is counted anew in every step by a
// walk over the whole bubble, and nothing is skipped (Farley 2011, §3.1).
#pragma once

#include <cstdint>
#include <vector>

#include "process/voxels/bubble.h"
#include "terrain/voxels/voxels.h"

namespace scree::testing {

class NaiveWeathering {
 public:
  NaiveWeathering(const VoxelShape& shape, const VoxelEdges& edges,
                  std::vector<VoxelMaterial> materials, std::vector<Bubble> bubbles,
                  std::vector<std::uint32_t> words, std::uint64_t seed);
  void step();
  // With the counts of air as they are now.
  std::vector<std::uint32_t> words() const;

 private:
  bool solid(int x, int y, int z) const;
  std::uint32_t air(int x, int y, int z) const;
  std::size_t at(int x, int y, int z) const;

  VoxelShape shape_;
  VoxelEdges edges_;
  std::vector<VoxelMaterial> materials_;
  std::vector<Bubble> bubbles_;
  std::vector<std::uint32_t> words_;
  std::uint64_t seed_, step_ = 0;
};

}  // namespace scree::testing
