// A heightfield in blocks of different detail, without cracks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/mesh.h"
#include "surface/grid/grid.h"
#include "terrain/heights/hydrology.h"

namespace scree::surface {

// Where somebody stands, in the metres of grid_mesh(). Without z they are as high as whatever they
// look at.
struct Viewpoint {
  double x = 0;
  double y = 0;
  std::optional<double> z = {};
};

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
  // By distance: a block that is at least `detail` times its coarse cell away may be that coarse.
  void set(const HeightView& view, const Viewpoint& viewpoint, double detail);
  // The nearest levels that are allowed and nowhere coarser.
  std::vector<std::uint8_t> eased(std::vector<std::uint8_t> levels) const;
  // UsageError where a raster has another size.
  void check_fits(const HeightView& view) const;
  // The most that a mesh of these levels has.
  GridCounts counts() const;

 private:
  double distance(const HeightView& view, const Viewpoint& viewpoint, int column, int row) const;
  int width_, height_, size_, most_ = 0, columns_ = 0, rows_ = 0;
  std::vector<std::uint8_t> levels_;
};

// Positions, normals and nodata as in grid_mesh(); normals follow from the neighbours at full
// detail. Where a block meets a coarser one, its border has that one's vertices only.
Mesh grid_mesh(const HeightView& view, const GridLevels& levels);

}  // namespace scree::surface
