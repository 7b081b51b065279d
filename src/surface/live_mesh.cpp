#include "surface/live_mesh.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <numeric>

namespace scree::surface {

LiveMesh::LiveMesh(const Lattice& lattice, const float* density, float isovalue, int block_size,
                   const std::uint32_t* materials)
    : grid_(lattice, block_size),
      mesher_(lattice, density, isovalue, materials),
      blocks_(grid_.count()) {
  std::vector<std::size_t> all(grid_.count());
  std::iota(all.begin(), all.end(), std::size_t{0});
  mesh(all);
}

void LiveMesh::mesh(const std::vector<std::size_t>& chosen) {
  oneapi::tbb::parallel_for(std::size_t{0}, chosen.size(), [&](std::size_t i) {
    blocks_[chosen[i]] = mesher_.block(grid_, chosen[i]);
  });
}

std::vector<std::size_t> LiveMesh::touch(const std::array<int, 3>& first,
                                         const std::array<int, 3>& last) {
  return touch({Box{first, last}});
}

std::vector<std::size_t> LiveMesh::touch(const std::vector<Box>& boxes) {
  std::vector<std::size_t> chosen;
  for (const Box& box : boxes) {
    // A block asks for samples up to its coarse cell beyond its border: normals are differences.
    std::array<int, 3> low{}, high{};
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::max((box.first[d] - grid_.size()) / grid_.size(), 0);
      high[d] = std::min((box.last[d] + grid_.size()) / grid_.size() + 1, grid_.blocks()[d] - 1);
    }
    for (int z = low[2]; z <= high[2]; ++z)
      for (int y = low[1]; y <= high[1]; ++y)
        for (int x = low[0]; x <= high[0]; ++x) {
          const std::array<int, 3> block{x, y, z};
          const int reach = 1 << grid_.level(block);
          bool meets = true;
          for (std::size_t d = 0; d < 3; ++d) {
            const int start = grid_.first_sample(block[d]);
            meets = meets && box.last[d] >= start - reach &&
                    box.first[d] <= start + grid_.size() + reach;
          }
          if (meets) chosen.push_back(grid_.index(block));
        }
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
