// Inside surface: the vertices of a heightfield at a level.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "surface/grid/grid.h"

namespace scree::surface {

// The rows and columns that a level keeps. Positions in it are (c, r), row 0 in the north.
class KeptCells {
 public:
  KeptCells(const HeightView& view, int level)
      : view_(view),
        columns_(kept_lines(view.width, level)),
        rows_(kept_lines(view.height, level)) {}

  int width() const { return static_cast<int>(columns_.size()); }
  int height() const { return static_cast<int>(rows_.size()); }
  std::size_t index(int c, int r) const {
    return static_cast<std::size_t>(r) * columns_.size() + static_cast<std::size_t>(c);
  }
  float z(int c, int r) const {
    return view_.heights[static_cast<std::size_t>(row(r)) * static_cast<std::size_t>(view_.width) +
                         static_cast<std::size_t>(column(c))];
  }
  bool has(int c, int r) const {
    return c >= 0 && r >= 0 && c < width() && r < height() && !std::isnan(z(c, r));
  }

  Mesh::Vector position(int c, int r) const {
    return {static_cast<float>((2.0 * column(c) - (view_.width - 1)) * (0.5 * view_.dx)),
            static_cast<float>(((view_.height - 1) - 2.0 * row(r)) * (0.5 * view_.dy)), z(c, r)};
  }

  // (-dz/dx, -dz/dy, 1), made one long. In double, in which no difference of floats overflows.
  Mesh::Vector normal(int c, int r) const {
    const int west = has(c - 1, r) ? c - 1 : c, east = has(c + 1, r) ? c + 1 : c;
    const int north = has(c, r - 1) ? r - 1 : r, south = has(c, r + 1) ? r + 1 : r;
    const double rise_x = static_cast<double>(z(east, r)) - static_cast<double>(z(west, r));
    const double rise_y = static_cast<double>(z(c, north)) - static_cast<double>(z(c, south));
    const double run_x = (column(east) - column(west)) * view_.dx;
    const double run_y = (row(south) - row(north)) * view_.dy;
    const double slope_x = run_x > 0 ? rise_x / run_x : 0;
    const double slope_y = run_y > 0 ? rise_y / run_y : 0;
    const double length = std::sqrt(slope_x * slope_x + slope_y * slope_y + 1);
    return {static_cast<float>(-slope_x / length), static_cast<float>(-slope_y / length),
            static_cast<float>(1 / length)};
  }

 private:
  int column(int c) const { return columns_[static_cast<std::size_t>(c)]; }
  int row(int r) const { return rows_[static_cast<std::size_t>(r)]; }

  const HeightView& view_;
  std::vector<int> columns_, rows_;
};

}  // namespace scree::surface
