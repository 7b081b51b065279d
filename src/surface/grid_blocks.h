// A heightfield in blocks of different detail, without cracks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "io/mesh.h"
#include "terrain/hydrology.h"

namespace scree::surface {

// A level a block of size x size cells; level n uses every 2^n-th vertex, and the raster's last row
// and column always.
class GridLevels {
 public:
  GridLevels(int width, int height, int size = 16);

  int size() const { return size_; }
  int columns() const { return columns_; }
  int rows() const { return rows_; }
  int most_level() const { return most_; }
  // Of a block; beyond the grid, of the nearest one.
  int level(int column, int row) const;
  const std::vector<std::uint8_t>& levels() const { return levels_; }

  // Row by row. Neighbours across edges and corners may differ by one: others are refused.
  void set(const std::vector<std::uint8_t>& levels);
  // The nearest levels that are allowed and nowhere coarser.
  std::vector<std::uint8_t> eased(std::vector<std::uint8_t> levels) const;

 private:
  int size_, most_, columns_, rows_;
  std::vector<std::uint8_t> levels_;
};

// Positions, normals and nodata as in grid_mesh(); normals follow from the neighbours at full
// detail. Where a block meets a coarser one, its border has that one's vertices only.
io::Mesh grid_mesh(const HeightView& view, const GridLevels& levels);

}  // namespace scree::surface
