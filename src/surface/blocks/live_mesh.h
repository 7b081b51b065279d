// The surface of a volume that changes: only blocks that a change touches are meshed again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "surface/blocks/device_blocks.h"

namespace scree::surface {

class LiveMesh {
 public:
  // Reads densities (and materials, if any) whenever it meshes; they must outlive this.
  LiveMesh(const Lattice& lattice, const float* density, float isovalue, int block_size = 16,
           const std::uint32_t* materials = nullptr);
  // Of a volume in a device's memory, meshed there.
  LiveMesh(const device::DevicePtr& device, const Lattice& lattice,
           const device::BufferPtr& density, float isovalue, int block_size = 16,
           const device::BufferPtr& materials = {});

  const BlockGrid& grid() const { return grid_; }
  // One a block of the grid, whose vertices are named: see welded().
  const std::vector<BlockMesh>& blocks() const { return blocks_; }
  Surface whole() const { return welded(blocks_); }

  // Samples first to last, all included, have changed. Returns the blocks that were meshed again.
  std::vector<std::size_t> touch(const std::array<int, 3>& first, const std::array<int, 3>& last);
  // Many such boxes at once: a block that several touch is meshed once.
  struct Box {
    std::array<int, 3> first, last;
  };
  std::vector<std::size_t> touch(const std::vector<Box>& boxes);

  // Other levels of detail: see BlockGrid.
  std::vector<std::size_t> set_levels(const std::vector<std::uint8_t>& levels);
  std::vector<std::size_t> look_from(const std::array<double, 3>& viewpoint_metres, double detail);

 private:
  void mesh(const std::vector<std::size_t>& chosen);
  std::vector<std::size_t> change_levels(const BlockGrid& changed);

  BlockGrid grid_;
  // The meshes of chosen blocks.
  std::function<std::vector<BlockMesh>(const BlockGrid&, const std::vector<std::size_t>&)> mesher_;
  std::vector<BlockMesh> blocks_;
};

}  // namespace scree::surface
