// Blocks of different detail (blocks.h) on any device, many at once, with the same bits on each.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "surface/blocks/blocks.h"
#include "surface/march/prefix_sums.h"

namespace scree::surface {

// The triangles of the blocks that were asked for, in a device's memory, until the next extraction.
// The i-th block's are those from first_triangle[i] to before first_triangle[i + 1]; their corners
// count from its own first vertex, so it can be drawn, copied or thrown away by itself.
struct DeviceBlocks {
  std::size_t asked = 0;
  std::size_t passed = 0;  // of these by the surface; of others the samples are looked at, no more
  std::uint32_t vertices = 0, triangles = 0;
  device::BufferPtr first_vertex, first_triangle;  // asked + 1 numbers each
  device::BufferPtr positions, normals, indices;   // three floats, three floats, three numbers each
  device::BufferPtr names;                         // 64 bits a vertex
  device::BufferPtr materials;                     // one number a vertex, where there are any
};

class DeviceBlockMesher {
 public:
  explicit DeviceBlockMesher(device::DevicePtr device);

  // Of a volume in the device's memory, the chosen blocks of a grid over it. Densities must be
  // finite.
  DeviceBlocks extract(const Lattice& lattice, const BlockGrid& grid,
                       const std::vector<std::size_t>& chosen, const device::BufferPtr& density,
                       float isovalue = 0.5F, const device::BufferPtr& materials = {});
  // All blocks of the grid.
  DeviceBlocks extract(const Lattice& lattice, const BlockGrid& grid,
                       const device::BufferPtr& density, float isovalue = 0.5F,
                       const device::BufferPtr& materials = {});
  // One for each that was asked for.
  std::vector<BlockMesh> download(const DeviceBlocks& blocks) const;

 private:
  void find_live(const struct BlockPlan& plan, const device::BufferPtr& density);
  void count(const struct BlockPlan& plan, const device::BufferPtr& density);
  void emit(const struct BlockPlan& plan, const device::BufferPtr& density,
            const device::BufferPtr& materials);

  device::DevicePtr device_;
  PrefixSums sums_;
  device::BufferPtr table_, levels_, chosen_, works_, live_, live_works_;
  device::BufferPtr bits_, vertices_before_, triangles_before_;
  std::array<int, 8> live_ends_{};  // of the blocks of each level among those that it passes
  DeviceBlocks mesh_;
};

}  // namespace scree::surface
