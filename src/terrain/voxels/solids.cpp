#include "terrain/voxels/solids.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/error.h"

namespace scree {
namespace {

// Of a voxel, in the grid that corners are put on. Even, so that a voxel's middle lies on it.
constexpr std::int64_t grid = 65536;
constexpr double farthest = 32768;  // voxels

__extension__ using Wide = __int128;
using Corner = std::array<std::int64_t, 3>;

std::size_t words_a_row(const VoxelShape& shape) {
  return static_cast<std::size_t>((shape.nx + 31) / 32);
}
void set_voxel(SolidMask& mask, const VoxelShape& shape, int x, int y, int z) {
  const std::size_t row = static_cast<std::size_t>(z) * static_cast<std::size_t>(shape.ny) +
                          static_cast<std::size_t>(y);
  mask[row * words_a_row(shape) + static_cast<std::size_t>(x / 32)] |= 1U << (x % 32);
}
SolidMask no_voxels(const VoxelShape& shape) {
  return SolidMask(words_a_row(shape) * static_cast<std::size_t>(shape.ny) *
                   static_cast<std::size_t>(shape.nz));
}

std::int64_t floor_divided(Wide a, Wide b) {  // b > 0
  const Wide q = a / b;
  return static_cast<std::int64_t>(q * b > a ? q - 1 : q);
}
// The first voxel whose middle lies at or beyond a place on the grid.
std::int64_t first_from(Wide place, Wide scale) {
  return floor_divided(place - scale * (grid / 2) + scale * grid - 1, scale * grid);
}

std::vector<Corner> on_grid(const VoxelShape& shape, std::span<const std::array<float, 3>> corners,
                            const std::string& what) {
  std::vector<Corner> placed;
  placed.reserve(corners.size());
  for (const auto& corner : corners) {
    Corner c{};
    for (std::size_t d = 0; d < 3; ++d) {
      const double voxels = static_cast<double>(corner[d]) / shape.cell;
      if (!(std::abs(voxels) <= farthest))
        throw UsageError(text(what, ": a corner at ", corner[d], " m: expected at most ",
                              farthest * shape.cell, " m from the box's first corner"));
      c[d] = std::llround(voxels * static_cast<double>(grid));
    }
    placed.push_back(c);
  }
  return placed;
}

// Every edge is walked as often one way as the other, or the surface has a border.
void check_closed(const std::vector<Corner>& corners,
                  std::span<const std::array<std::uint32_t, 3>> triangles,
                  const std::string& what) {
  std::vector<std::tuple<Corner, Corner, int>> edges;
  edges.reserve(triangles.size() * 3);
  for (const auto& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Corner &a = corners[t[k]], &b = corners[t[(k + 1) % 3]];
      if (a < b) edges.emplace_back(a, b, 1);
      if (b < a) edges.emplace_back(b, a, -1);
    }
  std::sort(edges.begin(), edges.end());
  std::size_t open = 0;
  for (std::size_t i = 0; i < edges.size();) {
    const auto [a, b, unused] = edges[i];
    int sum = 0;
    for (; i < edges.size() && std::get<0>(edges[i]) == a && std::get<1>(edges[i]) == b; ++i)
      sum += std::get<2>(edges[i]);
    if (sum != 0) ++open;
  }
  if (open > 0)
    throw UsageError(text(what, ": no closed surface: ", open,
                          " of its edges have triangles on one side alone"));
}

// Where the vertical line through the middle of a column of voxels passes through a triangle.
struct Crossing {
  std::int64_t column;
  int first;  // voxel whose middle lies at or above it
  int turns;  // 1 upwards, -1 downwards
  bool operator<(const Crossing& o) const {
    return std::tie(column, first, turns) < std::tie(o.column, o.first, o.turns);
  }
};

// Twice the area on the left of a line from a to b that a point at p sees.
Wide side_of(const Corner& a, const Corner& b, std::int64_t x, std::int64_t y) {
  return static_cast<Wide>(b[0] - a[0]) * (y - a[1]) - static_cast<Wide>(b[1] - a[1]) * (x - a[0]);
}
// A point on an edge belongs to one of the two triangles that share it: to the one on the left of
// an edge that runs down, or west where it is level.
bool owns_edge(const Corner& a, const Corner& b) {
  return b[1] < a[1] || (b[1] == a[1] && b[0] < a[0]);
}

class ColumnWalk {
 public:
  explicit ColumnWalk(const VoxelShape& shape) : shape_(shape) {}

  void add(const Corner& a, const Corner& b_given, const Corner& c_given) {
    const Wide area = side_of(a, b_given, c_given[0], c_given[1]);
    if (area == 0) return;  // seen from its edge: its neighbours are passed instead
    const int turns = area > 0 ? 1 : -1;
    const Corner &b = area > 0 ? b_given : c_given, &c = area > 0 ? c_given : b_given;
    const auto [west, east] = std::minmax({a[0], b[0], c[0]});
    const auto [south, north] = std::minmax({a[1], b[1], c[1]});
    const auto low = [](std::int64_t v) { return std::max<std::int64_t>(first_from(v, 1), 0); };
    for (std::int64_t y = low(south); y < shape_.ny && y * grid + grid / 2 <= north; ++y)
      for (std::int64_t x = low(west); x < shape_.nx && x * grid + grid / 2 <= east; ++x)
        add_column(a, b, c, x, y, turns);
  }

  SolidMask inside() {
    SolidMask mask = no_voxels(shape_);
    std::sort(crossings_.begin(), crossings_.end());
    for (std::size_t i = 0; i < crossings_.size();) {
      const std::int64_t column = crossings_[i].column;
      int turns = 0;
      for (; i < crossings_.size() && crossings_[i].column == column; ++i) {
        turns += crossings_[i].turns;
        const bool more = i + 1 < crossings_.size() && crossings_[i + 1].column == column;
        if (turns == 0 || !more) continue;
        for (int z = crossings_[i].first; z < crossings_[i + 1].first; ++z)
          set_voxel(mask, shape_, static_cast<int>(column % shape_.nx),
                    static_cast<int>(column / shape_.nx), z);
      }
    }
    return mask;
  }

 private:
  // Corners run counter-clockwise seen from above.
  void add_column(const Corner& a, const Corner& b, const Corner& c, std::int64_t x, std::int64_t y,
                  int turns) {
    const std::int64_t px = x * grid + grid / 2, py = y * grid + grid / 2;
    const Wide wa = side_of(b, c, px, py), wb = side_of(c, a, px, py), wc = side_of(a, b, px, py);
    const auto within = [](Wide w, const Corner& from, const Corner& to) {
      return w > 0 || (w == 0 && owns_edge(from, to));
    };
    if (!within(wa, b, c) || !within(wb, c, a) || !within(wc, a, b)) return;
    const Wide area = wa + wb + wc, height = wa * a[2] + wb * b[2] + wc * c[2];
    const std::int64_t first = std::clamp<std::int64_t>(first_from(height, area), 0, shape_.nz);
    crossings_.push_back({y * shape_.nx + x, static_cast<int>(first), turns});
  }

  VoxelShape shape_;
  std::vector<Crossing> crossings_;
};

// A sample's place along an axis and the share of the next one; false beyond the lattice.
bool between_samples(double metres, double origin, double cell, int size, int& at, float& share) {
  const double place = (metres - origin) / cell;
  if (!(place >= 0 && place <= size - 1)) return false;
  at = std::min(static_cast<int>(place), std::max(size - 2, 0));
  share = static_cast<float>(place - at);
  return true;
}

}  // namespace

SolidMask solid_from_triangles(const VoxelShape& shape,
                               std::span<const std::array<float, 3>> corners,
                               std::span<const std::array<std::uint32_t, 3>> triangles,
                               const std::string& what) {
  for (const auto& t : triangles)
    for (const std::uint32_t corner : t)
      if (corner >= corners.size())
        throw UsageError(
            text(what, ": corner ", corner, " of a triangle: there are ", corners.size()));
  const std::vector<Corner> placed = on_grid(shape, corners, what);
  check_closed(placed, triangles, what);
  ColumnWalk walk(shape);
  for (const auto& t : triangles) walk.add(placed[t[0]], placed[t[1]], placed[t[2]]);
  return walk.inside();
}

SolidMask solid_from_samples(const VoxelShape& shape, const SolidLattice& lattice,
                             std::span<const float> density, float level) {
  SolidMask mask = no_voxels(shape);
  const int sx = lattice.size[0], sy = lattice.size[1], sz = lattice.size[2];
  const auto sample = [&](int x, int y, int z) {
    return density[(static_cast<std::size_t>(std::min(z, sz - 1)) * static_cast<std::size_t>(sy) +
                    static_cast<std::size_t>(std::min(y, sy - 1))) *
                       static_cast<std::size_t>(sx) +
                   static_cast<std::size_t>(std::min(x, sx - 1))];
  };
  const auto mixed = [](float a, float b, float t) { return a + (b - a) * t; };
  const auto axis = [&](std::size_t d, int i, int& at, float& share) {
    return between_samples((i + 0.5) * shape.cell, lattice.origin[d], lattice.cell[d],
                           lattice.size[d], at, share);
  };
  int ix = 0, iy = 0, iz = 0;
  float u = 0, v = 0, w = 0;
  for (int z = 0; z < shape.nz; ++z) {
    if (!axis(2, z, iz, w)) continue;
    for (int y = 0; y < shape.ny; ++y) {
      if (!axis(1, y, iy, v)) continue;
      for (int x = 0; x < shape.nx; ++x) {
        if (!axis(0, x, ix, u)) continue;
        float corner[4];
        for (int k = 0; k < 4; ++k)
          corner[k] =
              mixed(sample(ix, iy + k % 2, iz + k / 2), sample(ix + 1, iy + k % 2, iz + k / 2), u);
        if (mixed(mixed(corner[0], corner[1], v), mixed(corner[2], corner[3], v), w) >= level)
          set_voxel(mask, shape, x, y, z);
      }
    }
  }
  return mask;
}

}  // namespace scree
