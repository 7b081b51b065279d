#include "surface/grid/grid_blocks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/error.h"
#include "surface/blocks/levels.h"
#include "surface/grid/kept_cells.h"

namespace scree::surface {

GridLevels::GridLevels(int width, int height, int size)
    : width_(width), height_(height), size_(size) {
  if (size < 1 || size > 4096 || !std::has_single_bit(static_cast<unsigned>(size)))
    throw UsageError(text("blocks of ", size, " cells: expected a power of two up to 4096"));
  if (width < 1 || height < 1)
    throw UsageError(text("a raster of ", width, " x ", height, " cells: expected at least one"));
  most_ = std::countr_zero(static_cast<unsigned>(size));
  columns_ = std::max((width - 2) / size + 1, 1);
  rows_ = std::max((height - 2) / size + 1, 1);
  levels_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), 0);
}

int GridLevels::level(int column, int row) const {
  const auto c = static_cast<std::size_t>(std::clamp(column, 0, columns_ - 1));
  const auto r = static_cast<std::size_t>(std::clamp(row, 0, rows_ - 1));
  return levels_[r * static_cast<std::size_t>(columns_) + c];
}

void GridLevels::set(const std::vector<std::uint8_t>& levels) {
  if (levels.size() != levels_.size())
    throw UsageError(text("levels of blocks: expected ", levels_.size(), ", got ", levels.size()));
  if (std::any_of(levels.begin(), levels.end(), [&](int level) { return level > most_; }))
    throw UsageError(text("blocks of ", size_, " cells have levels 0 to ", most_));
  if (eased(levels) != levels)
    throw UsageError("levels of neighbouring blocks: they may differ by one");
  levels_ = levels;
}

void GridLevels::check_fits(const HeightView& view) const {
  if (view.width != width_ || view.height != height_)
    throw UsageError(text("levels of blocks of ", width_, " x ", height_,
                          " cells: expected those of the raster, ", view.width, " x ",
                          view.height));
}

std::vector<std::uint8_t> GridLevels::eased(std::vector<std::uint8_t> levels) const {
  return eased_levels(std::move(levels), {columns_, rows_, 1});
}

// From the viewpoint to the nearest part of the box around a block.
double GridLevels::distance(const HeightView& view, const Viewpoint& viewpoint, int column,
                            int row) const {
  const int x0 = column * size_, x1 = std::min(x0 + size_, view.width - 1);
  const int y0 = row * size_, y1 = std::min(y0 + size_, view.height - 1);
  const auto beyond = [](double at, double low, double high) {
    return std::max({low - at, at - high, 0.0});
  };
  const auto east = [&](int x) { return (x - 0.5 * (view.width - 1)) * view.dx; };
  const auto north = [&](int y) { return (0.5 * (view.height - 1) - y) * view.dy; };
  const double dx = beyond(viewpoint.x, east(x0), east(x1));
  const double dy = beyond(viewpoint.y, north(y1), north(y0));
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int y = y0; viewpoint.z && y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const double z = static_cast<double>(
          view.heights[static_cast<std::size_t>(y) * static_cast<std::size_t>(view.width) +
                       static_cast<std::size_t>(x)]);
      if (z < low) low = z;
      if (z > high) high = z;
    }
  const double dz = low <= high ? beyond(*viewpoint.z, low, high) : 0;
  return std::sqrt(dx * dx + dy * dy + dz * dz);
}

void GridLevels::set(const HeightView& view, const Viewpoint& viewpoint, double detail) {
  check_fits(view);
  std::vector<std::uint8_t> levels;
  levels.reserve(levels_.size());
  for (int row = 0; row < rows_; ++row)
    for (int column = 0; column < columns_; ++column)
      levels.push_back(static_cast<std::uint8_t>(level_at(
          distance(view, viewpoint, column, row), detail, std::max(view.dx, view.dy), most_)));
  levels_ = eased(std::move(levels));
}

GridCounts GridLevels::counts() const {
  GridCounts counts;
  for (int row = 0; row < rows_; ++row)
    for (int column = 0; column < columns_; ++column) {
      const int step = 1 << level(column, row);
      const auto lines = [&](int block, int count) {
        const int cells = std::min(size_, count - 1 - block * size_);
        return static_cast<std::size_t>((cells + step - 1) / step);
      };
      const std::size_t x = lines(column, width_), y = lines(row, height_);
      counts.vertices += (x + 1) * (y + 1);
      counts.triangles += 2 * x * y;
    }
  return counts;
}

namespace {

constexpr std::uint32_t no_vertex = std::numeric_limits<std::uint32_t>::max();

struct Cell {
  int x = 0, y = 0;
  bool operator==(const Cell&) const = default;
};

class GridWork {
 public:
  GridWork(const HeightView& view, const GridLevels& levels)
      : view_(view), levels_(levels), cells_(view, 0), numbers_(view.cells(), no_vertex) {}

  Mesh run() {
    for (int row = 0; row < levels_.rows(); ++row)
      for (int column = 0; column < levels_.columns(); ++column) add_block(column, row);
    return std::move(mesh_);
  }

 private:
  bool has(const Cell& c) const { return cells_.has(c.x, c.y); }
  float z(const Cell& c) const { return cells_.z(c.x, c.y); }

  // The last line of a block that begins at `first`.
  int clipped(int first, int steps, int step, int count) const {
    return std::min(first + steps * step, count - 1);
  }

  void add_block(int column, int row) {
    const int level = levels_.level(column, row), step = 1 << level, n = levels_.size() >> level;
    const int x0 = column * levels_.size(), y0 = row * levels_.size();
    const bool west = levels_.level(column - 1, row) > level,
               east = levels_.level(column + 1, row) > level,
               north = levels_.level(column, row - 1) > level,
               south = levels_.level(column, row + 1) > level;
    const int last_a = (clipped(x0, n, step, view_.width) - x0 + step - 1) / step;
    const int last_b = (clipped(y0, n, step, view_.height) - y0 + step - 1) / step;
    // On a border with a coarser block every second vertex becomes the one before it. The last is
    // never one of these: the coarser block has it too.
    const auto at = [&](int a, int b) {
      const bool on_row = (b == 0 && north) || (b == last_b && south);
      const bool on_column = (a == 0 && west) || (a == last_a && east);
      const int u = on_row && a % 2 == 1 && a != last_a ? a - 1 : a;
      const int v = on_column && b % 2 == 1 && b != last_b ? b - 1 : b;
      return Cell{clipped(x0, u, step, view_.width), clipped(y0, v, step, view_.height)};
    };
    for (int b = 0; b < last_b; ++b)
      for (int a = 0; a < last_a; ++a)
        add_rectangle({at(a, b), at(a, b + 1), at(a + 1, b + 1), at(a + 1, b)});
  }

  // North-west, south-west, south-east, north-east; some may be the same.
  void add_rectangle(const std::array<Cell, 4>& c) {
    const bool complete = has(c[0]) && has(c[1]) && has(c[2]) && has(c[3]);
    bool north_west =
        complete ? splits_north_west({z(c[0]), z(c[1]), z(c[2]), z(c[3])}) : has(c[0]) && has(c[2]);
    // Where a corner has come to lie between its neighbours, only the cut through it will do.
    if (in_line(c[3], c[0], c[1]) || in_line(c[1], c[2], c[3])) north_west = true;
    if (in_line(c[0], c[1], c[2]) || in_line(c[2], c[3], c[0])) north_west = false;
    if (north_west) {
      add_triangle(c[0], c[1], c[2]);
      add_triangle(c[0], c[2], c[3]);
    } else {
      add_triangle(c[0], c[1], c[3]);
      add_triangle(c[1], c[2], c[3]);
    }
  }
  static bool in_line(const Cell& a, const Cell& b, const Cell& c) {
    if (a == b || b == c || c == a) return false;
    return (b.x - a.x) * (c.y - a.y) == (b.y - a.y) * (c.x - a.x);
  }

  void add_triangle(const Cell& a, const Cell& b, const Cell& c) {
    if (a == b || b == c || c == a || !has(a) || !has(b) || !has(c)) return;
    mesh_.triangles.push_back({number(a), number(b), number(c)});
  }

  std::uint32_t number(const Cell& c) {
    std::uint32_t& known = numbers_[cells_.index(c.x, c.y)];
    if (known == no_vertex) {
      known = static_cast<std::uint32_t>(mesh_.positions.size());
      mesh_.positions.push_back(cells_.position(c.x, c.y));
      mesh_.normals.push_back(cells_.normal(c.x, c.y));
    }
    return known;
  }

  const HeightView& view_;
  const GridLevels& levels_;
  KeptCells cells_;
  Mesh mesh_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace

Mesh grid_mesh(const HeightView& view, const GridLevels& levels) {
  levels.check_fits(view);
  if (levels.counts().vertices >= no_vertex)
    throw Error(text("a mesh of ", view.width, " x ", view.height,
                     " cells has more vertices than 32 bits count: take coarser levels"));
  return GridWork(view, levels).run();
}

}  // namespace scree::surface
