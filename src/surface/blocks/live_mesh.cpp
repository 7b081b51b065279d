#include "surface/blocks/live_mesh.h"

#include <algorithm>
#include <memory>

namespace scree::surface {

LiveMesh::LiveMesh(const Lattice& lattice, const float* density, float isovalue, int block_size,
                   const std::uint32_t* materials)
    : grid_(lattice, block_size),
      mesher_([mesher = BlockMesher(lattice, density, isovalue, materials)](
                  const BlockGrid& grid, const std::vector<std::size_t>& chosen) {
        return mesher.blocks(grid, chosen);
      }),
      blocks_(grid_.count()) {
  mesh(grid_.all());
}

LiveMesh::LiveMesh(const device::DevicePtr& device, const Lattice& lattice,
                   const device::BufferPtr& density, float isovalue, int block_size,
                   const device::BufferPtr& materials)
    : grid_(lattice, block_size),
      mesher_([=, mesher = std::make_shared<DeviceBlockMesher>(device)](
                  const BlockGrid& grid, const std::vector<std::size_t>& chosen) {
        return mesher->download(
            mesher->extract(lattice, grid, chosen, density, isovalue, materials));
      }),
      blocks_(grid_.count()) {
  mesh(grid_.all());
}

void LiveMesh::mesh(const std::vector<std::size_t>& chosen) {
  std::vector<BlockMesh> meshes = mesher_(grid_, chosen);
  for (std::size_t i = 0; i < chosen.size(); ++i) blocks_[chosen[i]] = std::move(meshes[i]);
}

std::vector<std::size_t> LiveMesh::touch(const std::array<int, 3>& first,
                                         const std::array<int, 3>& last) {
  return touch({Box{first, last}});
}

std::vector<std::size_t> LiveMesh::touch(const std::vector<Box>& boxes) {
  std::vector<std::size_t> chosen;
  // The last block, of the grid or beyond it, that has a sample along an axis.
  const auto block_at = [&](int sample) {
    const int size = grid_.size(), shifted = sample + size;
    return shifted >= 0 ? shifted / size : -((size - 1 - shifted) / size);
  };
  for (const Box& box : boxes) {
    // A block asks for samples up to one beyond its border: normals are differences.
    std::array<int, 3> low{}, high{};
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::max(block_at(box.first[d] - 2), 0);
      high[d] = std::min(block_at(box.last[d] + 1), grid_.blocks()[d] - 1);
    }
    for (int z = low[2]; z <= high[2]; ++z)
      for (int y = low[1]; y <= high[1]; ++y)
        for (int x = low[0]; x <= high[0]; ++x) chosen.push_back(grid_.index({x, y, z}));
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  mesh(chosen);
  return chosen;
}

std::vector<std::size_t> LiveMesh::set_levels(const std::vector<std::uint8_t>& levels) {
  BlockGrid changed = grid_;
  changed.set_levels(levels);
  return change_levels(changed);
}

std::vector<std::size_t> LiveMesh::look_from(const std::array<double, 3>& viewpoint,
                                             double detail) {
  BlockGrid changed = grid_;
  changed.set_levels(viewpoint, detail);
  return change_levels(changed);
}

// A block depends on its own level and on those around it.
std::vector<std::size_t> LiveMesh::change_levels(const BlockGrid& changed) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < grid_.count(); ++i) {
    const std::array<int, 3> at = grid_.block(i);
    bool differs = false;
    for (int k = 0; k < 27 && !differs; ++k) {
      const std::array<int, 3> near{at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1};
      differs = grid_.level(near) != changed.level(near);
    }
    if (differs) chosen.push_back(i);
  }
  grid_ = changed;
  mesh(chosen);
  return chosen;
}

}  // namespace scree::surface
