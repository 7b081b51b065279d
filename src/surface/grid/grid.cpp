#include "surface/grid/grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "surface/grid/kept_cells.h"

namespace scree::surface {
namespace {

constexpr std::uint32_t no_vertex = std::numeric_limits<std::uint32_t>::max();

// A rectangle's corners, counter-clockwise seen from above: north-west, south-west, south-east,
// north-east.
struct Corner {
  int c = 0, r = 0;
};
using Rectangle = std::array<Corner, 4>;

Rectangle rectangle_at(int c, int r) { return {{{c, r}, {c, r + 1}, {c + 1, r + 1}, {c + 1, r}}}; }

// visit(three or four corners) for every rectangle that has them, from north-west to south-east.
template <class Visit>
void each_rectangle(const KeptCells& cells, Visit&& visit) {
  for (int r = 0; r + 1 < cells.height(); ++r)
    for (int c = 0; c + 1 < cells.width(); ++c) {
      Rectangle found;
      std::size_t count = 0;
      for (const Corner& corner : rectangle_at(c, r))
        if (cells.has(corner.c, corner.r)) found[count++] = corner;
      if (count >= 3) visit(found, count);
    }
}

// Numbers the vertices that a triangle needs, row by row, and puts them into the mesh.
std::vector<std::uint32_t> add_vertices(const KeptCells& cells, Mesh& mesh) {
  std::vector<std::uint32_t> numbers(
      static_cast<std::size_t>(cells.width()) * static_cast<std::size_t>(cells.height()),
      no_vertex);
  std::size_t used = 0;
  each_rectangle(cells, [&](const Rectangle& corners, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t& number = numbers[cells.index(corners[i].c, corners[i].r)];
      used += number == no_vertex;
      number = 0;
    }
  });
  mesh.positions.reserve(used);
  mesh.normals.reserve(used);
  for (int r = 0; r < cells.height(); ++r)
    for (int c = 0; c < cells.width(); ++c) {
      std::uint32_t& number = numbers[cells.index(c, r)];
      if (number == no_vertex) continue;
      number = static_cast<std::uint32_t>(mesh.positions.size());
      mesh.positions.push_back(cells.position(c, r));
      mesh.normals.push_back(cells.normal(c, r));
    }
  return numbers;
}

void add_triangles(const KeptCells& cells, const std::vector<std::uint32_t>& numbers, Mesh& mesh) {
  each_rectangle(cells, [&](const Rectangle& corners, std::size_t count) {
    std::array<std::uint32_t, 4> v{};
    for (std::size_t i = 0; i < count; ++i) v[i] = numbers[cells.index(corners[i].c, corners[i].r)];
    if (count == 3) {
      mesh.triangles.push_back({v[0], v[1], v[2]});
    } else if (const auto z = [&](std::size_t i) { return cells.z(corners[i].c, corners[i].r); };
               splits_north_west({z(0), z(1), z(2), z(3)})) {
      mesh.triangles.push_back({v[0], v[1], v[2]});
      mesh.triangles.push_back({v[0], v[2], v[3]});
    } else {
      mesh.triangles.push_back({v[0], v[1], v[3]});
      mesh.triangles.push_back({v[1], v[2], v[3]});
    }
  });
}

}  // namespace

// Along the shorter diagonal, which bends the surface less; of two alike along the lower one, so
// that no valley floor is dammed.
bool splits_north_west(const std::array<float, 4>& z) {
  const float north_west = std::abs(z[0] - z[2]), north_east = std::abs(z[1] - z[3]);
  if (north_west != north_east) return north_west < north_east;
  return std::max(z[0], z[2]) <= std::max(z[1], z[3]);
}

std::vector<int> kept_lines(int count, int level) {
  std::vector<int> lines;
  // Beyond 2^30 a step leaves the first and the last, as it does long before.
  const long long step = 1LL << std::clamp(level, 0, 30);
  for (long long line = 0; line < count; line += step) lines.push_back(static_cast<int>(line));
  if (!lines.empty() && lines.back() != count - 1) lines.push_back(count - 1);
  return lines;
}

GridCounts grid_counts(int width, int height, int level) {
  const std::size_t columns = kept_lines(width, level).size(),
                    rows = kept_lines(height, level).size();
  if (columns < 2 || rows < 2) return {};
  return {columns * rows, 2 * (columns - 1) * (rows - 1)};
}

Mesh grid_mesh(const HeightView& view, int level) {
  if (grid_counts(view.width, view.height, level).vertices >= no_vertex)
    throw Error(text("a mesh of ", view.width, " x ", view.height,
                     " cells has more vertices than 32 bits count: take a higher level"));
  const KeptCells cells(view, level);
  Mesh mesh;
  const std::vector<std::uint32_t> numbers = add_vertices(cells, mesh);
  mesh.triangles.reserve(2 * mesh.positions.size());
  add_triangles(cells, numbers, mesh);
  return mesh;
}

}  // namespace scree::surface
