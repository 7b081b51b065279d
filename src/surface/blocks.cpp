#include "surface/blocks.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "base/error.h"
#include "surface/cases.h"

namespace scree::surface {
namespace {

using Place = std::array<int, 3>;

// How much of a coarse cell the transition cells beside it take.
constexpr float transition_width = 0.25F;

int floor_divided(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

template <class F>
void each_neighbour(const BlockGrid& grid, const Place& block, F&& visit) {
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const Place at{block[0] + dx, block[1] + dy, block[2] + dz};
        bool there = at != block;
        for (std::size_t d = 0; d < 3; ++d) there = there && at[d] >= 0 && at[d] < grid.blocks()[d];
        if (there) visit(at);
      }
}

}  // namespace

// ---- levels
// --------------------------------------------------------------------------------------

BlockGrid::BlockGrid(const Lattice& lattice, int size) : lattice_(lattice), size_(size), blocks_{} {
  if (size < 1 || size > 64 || !std::has_single_bit(static_cast<unsigned>(size)))
    throw UsageError(text("blocks of ", size, " cells: expected a power of two up to 64"));
  most_ = std::countr_zero(static_cast<unsigned>(size));
  const Place samples{lattice.nx, lattice.ny, lattice.nz};
  for (std::size_t d = 0; d < 3; ++d) {
    if (samples[d] < 1 || samples[d] > 32768)
      throw UsageError(text("a volume of ", samples[d], " samples: expected 1 to 32768 a side"));
    blocks_[d] = (samples[d] - 1 + size - 1) / size + 2;
  }
  levels_.assign(static_cast<std::size_t>(blocks_[0]) * static_cast<std::size_t>(blocks_[1]) *
                     static_cast<std::size_t>(blocks_[2]),
                 0);
}

std::size_t BlockGrid::index(const Place& b) const {
  return (static_cast<std::size_t>(b[2]) * static_cast<std::size_t>(blocks_[1]) +
          static_cast<std::size_t>(b[1])) *
             static_cast<std::size_t>(blocks_[0]) +
         static_cast<std::size_t>(b[0]);
}

Place BlockGrid::block(std::size_t index) const {
  const auto nx = static_cast<std::size_t>(blocks_[0]), ny = static_cast<std::size_t>(blocks_[1]);
  return {static_cast<int>(index % nx), static_cast<int>(index / nx % ny),
          static_cast<int>(index / nx / ny)};
}

int BlockGrid::level(const Place& block) const {
  Place b{};
  for (std::size_t d = 0; d < 3; ++d) b[d] = std::clamp(block[d], 0, blocks_[d] - 1);
  return levels_[index(b)];
}

void BlockGrid::set_levels(const std::vector<std::uint8_t>& levels) {
  if (levels.size() != count())
    throw UsageError(text("levels of blocks: expected ", count(), ", got ", levels.size()));
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i] > most_)
      throw UsageError(text("a block of level ", int{levels[i]}, ": blocks of ", size_,
                            " cells have levels 0 to ", most_));
    each_neighbour(*this, block(i), [&](const Place& n) {
      if (std::abs(levels[index(n)] - levels[i]) > 1)
        throw UsageError(text("neighbouring blocks of levels ", int{levels[i]}, " and ",
                              int{levels[index(n)]}, ": they may differ by one"));
    });
  }
  levels_ = levels;
}

std::vector<std::uint8_t> BlockGrid::eased(std::vector<std::uint8_t> levels) const {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      int most = levels[i];
      each_neighbour(*this, block(i),
                     [&](const Place& n) { most = std::min(most, levels[index(n)] + 1); });
      changed = changed || most < levels[i];
      levels[i] = static_cast<std::uint8_t>(most);
    }
  }
  return levels;
}

void BlockGrid::set_levels(const std::array<double, 3>& viewpoint, double detail) {
  const std::array<float, 3> cell{lattice_.cell_x, lattice_.cell_y, lattice_.cell_z};
  const std::array<float, 3> origin{lattice_.origin_x, lattice_.origin_y, lattice_.origin_z};
  const double widest = static_cast<double>(std::max({cell[0], cell[1], cell[2]}));
  std::vector<std::uint8_t> levels(count());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Place b = block(i);
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double low =
          static_cast<double>(origin[d]) + first_sample(b[d]) * static_cast<double>(cell[d]);
      const double high = low + size_ * static_cast<double>(cell[d]);
      const double away = std::max({low - viewpoint[d], viewpoint[d] - high, 0.0});
      square += away * away;
    }
    int level = 0;
    while (level < most_ && std::sqrt(square) >= detail * widest * std::ldexp(1.0, level + 1))
      ++level;
    levels[i] = static_cast<std::uint8_t>(level);
  }
  set_levels(eased(std::move(levels)));
}

// ---- one block
// -----------------------------------------------------------------------------------

// The numbers of the vertices that a block has made so far, by name.
class VertexNumbers {
 public:
  // The number, or `next`, which then belongs to the name.
  std::uint32_t find_or(std::uint64_t name, std::uint32_t next) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = find(name);
    if (slot.name == 0) slot = {name, next}, ++used_;
    return slot.number;
  }

 private:
  struct Slot {
    std::uint64_t name = 0;
    std::uint32_t number = 0;
  };
  Slot& find(std::uint64_t name) {
    std::size_t i = (name * 0x9e3779b97f4a7c15ULL >> 20) & (slots_.size() - 1);
    while (slots_[i].name != 0 && slots_[i].name != name) i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }
  void grow() {
    std::vector<Slot> old(std::max<std::size_t>(2 * slots_.size(), 256));
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.name != 0) find(slot.name) = slot;
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

class BlockWork {
 public:
  BlockWork(const BlockMesher& mesher, const BlockGrid& grid, std::size_t index)
      : p_(mesher.numbers_),
        density_(mesher.density_),
        materials_(mesher.materials_),
        grid_(grid),
        block_(grid.block(index)),
        level_(grid.level(block_)),
        step_(1 << level_),
        cells_(grid.size() >> level_) {
    for (std::size_t d = 0; d < 3; ++d) first_[d] = grid.first_sample(block_[d]);
    for (int k = 0; k < 27; ++k)
      alone_ = alone_ && grid.level({block_[0] + k % 3 - 1, block_[1] + k / 3 % 3 - 1,
                                     block_[2] + k / 9 - 1}) == level_;
  }

  BlockMesh run() {
    march();
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (int side = 0; side < 2; ++side)
        if (meets_finer(block_, axis, side)) stitch(axis, side);
    return std::move(out_);
  }

 private:
  bool inside(const Place& at) const {
    return in_volume(p_, at[0], at[1], at[2]) &&
           density_[volume_index(p_, at[0], at[1], at[2])] >= p_.iso;
  }
  static Place beside(Place block, std::size_t axis, int side) {
    block[axis] += side ? 1 : -1;
    return block;
  }
  bool meets_finer(const Place& block, std::size_t axis, int side) const {
    return grid_.level(beside(block, axis, side)) < grid_.level(block);
  }

  // ---- cells
  void march() {
    const int span = cells_ + 1;
    std::vector<std::uint8_t> in(static_cast<std::size_t>(span * span * span));
    std::size_t i = 0, count = 0;
    for (int z = 0; z < span; ++z)
      for (int y = 0; y < span; ++y, i += static_cast<std::size_t>(span))
        count += fill_row(first_[1] + y * step_, first_[2] + z * step_, in.data() + i);
    if (count == 0 || count == in.size()) return;
    own_.assign(3 * in.size(), -1);
    const std::uint8_t* row = in.data();
    const auto next_y = static_cast<std::size_t>(span), next_z = next_y * next_y;
    for (int z = 0; z < cells_; ++z, row += span)
      for (int y = 0; y < cells_; ++y, row += span)
        for (int x = 0; x < cells_; ++x) {
          const std::uint8_t* at = row + x;
          const int found = at[0] | at[1] << 1 | at[next_y] << 2 | at[next_y + 1] << 3 |
                            at[next_z] << 4 | at[next_z + 1] << 5 | at[next_z + next_y] << 6 |
                            at[next_z + next_y + 1] << 7;
          if (found != 0 && found != 255) add_cell(found, {x, y, z});
        }
  }

  // Which samples of a row are inside, and how many.
  std::size_t fill_row(int y, int z, std::uint8_t* in) const {
    if (y < 0 || y >= p_.ny || z < 0 || z >= p_.nz) return 0;
    const float* line = density_ + volume_index(p_, 0, y, z);
    std::size_t count = 0;
    for (int k = 0; k <= cells_; ++k) {
      const int x = first_[0] + k * step_;
      const bool inside_volume = x >= 0 && x < p_.nx;
      in[k] = inside_volume && line[x] >= p_.iso ? 1 : 0;
      count += in[k];
    }
    return count;
  }

  void add_cell(int found, const Place& cell) {
    add_triangles(cube_cases[static_cast<std::size_t>(found)], [&](int edge) {
      const int low = cube.edge[static_cast<std::size_t>(edge)].a, axis = edge >> 2;
      Place at = cell;
      for (std::size_t d = 0; d < 3; ++d) at[d] += low >> d & 1;
      const int span = cells_ + 1;
      std::int32_t& known =
          own_[static_cast<std::size_t>(((axis * span + at[2]) * span + at[1]) * span + at[0])];
      if (known < 0) {
        for (std::size_t d = 0; d < 3; ++d) at[d] = first_[d] + at[d] * step_;
        known =
            static_cast<std::int32_t>(vertex(level_, static_cast<std::size_t>(axis), at, block_));
      }
      return static_cast<std::uint32_t>(known);
    });
  }

  template <class Case, class F>
  void add_triangles(const Case& cell, F&& number) {
    for (int t = 0; t < cell.triangles; ++t) {
      io::Mesh::Triangle corners{};
      for (std::size_t k = 0; k < 3; ++k)
        corners[k] = number(cell.corners[static_cast<std::size_t>(3 * t) + k]);
      out_.mesh.triangles.push_back(corners);
    }
  }

  // ---- transition cells along a face towards a finer block
  void stitch(std::size_t axis, int side) {
    // i and j such that the coarser block, this one, lies in front.
    const std::size_t i = side == 0 ? (axis + 1) % 3 : (axis + 2) % 3;
    const std::size_t j = side == 0 ? (axis + 2) % 3 : (axis + 1) % 3;
    const Place finer = beside(block_, axis, side);
    const int half = step_ / 2;
    Place corner = first_;
    corner[axis] += side * grid_.size();
    for (int v = 0; v < cells_; ++v)
      for (int u = 0; u < cells_; ++u) {
        Place at = corner;
        at[i] += u * step_, at[j] += v * step_;
        int found = 0;
        for (int k = 0; k < 9; ++k) {
          Place sample = at;
          sample[i] += k % 3 * half, sample[j] += k / 3 * half;
          found |= (inside(sample) ? 1 : 0) << k;
        }
        const auto& cell = transition_cases[static_cast<std::size_t>(found)];
        add_triangles(cell, [&](int edge) {
          const int from_sample = transition.sample[static_cast<std::size_t>(
              transition.edge[static_cast<std::size_t>(edge)].a)];
          Place from = at;
          from[i] += from_sample % 3 * half, from[j] += from_sample / 3 * half;
          const bool along_i = edge < 6 || edge == 12 || edge == 13;
          return edge < 12 ? vertex(level_ - 1, along_i ? i : j, from, finer)
                           : vertex(level_, along_i ? i : j, from, block_);
        });
      }
  }

  // ---- vertices
  // The blocks around an edge, as the first along each axis and whether there are two.
  struct Around {
    Place low;
    std::array<bool, 3> two;
  };
  Around around(std::size_t axis, const Place& from) const {
    Around a{};
    for (std::size_t d = 0; d < 3; ++d) {
      const int at = floor_divided(from[d], grid_.size());
      a.two[d] = d != axis && at * grid_.size() == from[d];
      a.low[d] = at + 1 - (a.two[d] ? 1 : 0);
    }
    return a;
  }

  // Where two blocks meet along a line with two of the other level between them, those across from
  // each other have no face in common. The two coarse ones end there each on its own. The fine ones
  // share the vertex that the coarse ones have too; one that only they have belongs to each alone.
  int part(int level, std::size_t axis, const Place& from, const Place& owner,
           const Around& blocks) const {
    const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
    if (!blocks.two[i] || !blocks.two[j]) return 0;
    const auto level_at = [&](int u, int v) {
      Place b = blocks.low;
      b[i] += u, b[j] += v;
      return grid_.level(b);
    };
    const int one = level_at(0, 0), other = level_at(1, 0);
    if (one != level_at(1, 1) || other != level_at(0, 1) || one == other) return 0;
    const int coarse = std::max(one, other);
    const int of_owner = owner[i] == blocks.low[i] ? 1 : 2;
    if (level == coarse) return of_owner;
    Place a = from;
    const int span = 1 << coarse;
    a[axis] = floor_divided(from[axis], span) * span;
    Place b = a;
    b[axis] += span;
    return inside(a) != inside(b) ? 0 : of_owner;
  }

  static std::uint64_t name_of(int level, std::size_t axis, const Place& from, int part) {
    std::uint64_t name = 1;  // none is 0
    for (const int c : from) name = name << 17 | static_cast<std::uint64_t>(c + 65536);
    return name << 8 | static_cast<std::uint64_t>(level) << 4 |
           static_cast<std::uint64_t>(axis) << 2 | static_cast<std::uint64_t>(part);
  }

  std::uint32_t vertex(int level, std::size_t axis, const Place& from, const Place& owner) {
    const Around blocks = alone_ ? Around{} : around(axis, from);
    const int own_part = alone_ ? 0 : part(level, axis, from, owner, blocks);
    const std::uint64_t name = name_of(level, axis, from, own_part);
    const auto number = static_cast<std::uint32_t>(out_.names.size());
    if (!alone_) {
      const std::uint32_t known = numbers_.find_or(name, number);
      if (known != number) return known;
    }
    const MarchVertex v = vertex_on(p_, density_, materials_, from[0], from[1], from[2],
                                    static_cast<int>(axis), 1 << level);
    std::array<float, 3> sample{v.sample.x, v.sample.y, v.sample.z};
    if (!alone_) make_way(level, own_part != 0 ? Around{owner, {}} : blocks, sample);
    const March3 at = metres_at(p_, {sample[0], sample[1], sample[2]});
    out_.names.push_back(name);
    out_.mesh.positions.push_back({at.x, at.y, at.z});
    out_.mesh.normals.push_back({v.normal.x, v.normal.y, v.normal.z});
    if (materials_ != nullptr) out_.materials.push_back(static_cast<std::uint32_t>(v.material));
    return number;
  }

  // Moves a vertex of a border cell away from the border where transition cells lie there, for all
  // the blocks that it belongs to.
  void make_way(int level, const Around& blocks, std::array<float, 3>& sample) const {
    const auto step = static_cast<float>(1 << level);
    const std::array<float, 3> before = sample;
    for (std::size_t d = 0; d < 3; ++d)
      for (int side = 0; side < 2; ++side) {
        if (blocks.two[d] || !all_meet_finer(level, blocks, d, side)) continue;
        const auto border = static_cast<float>(grid_.first_sample(blocks.low[d] + side));
        const float away = std::abs(before[d] - border) / step;
        const float shift = transition_width * (1.0F - std::min(away, 1.0F)) * step;
        sample[d] += side == 0 ? shift : -shift;
      }
    // Blocks of the ring have their vertices on the volume's border, whatever lies there.
    const Place samples{p_.nx, p_.ny, p_.nz};
    for (std::size_t d = 0; d < 3; ++d)
      sample[d] = std::clamp(sample[d], 0.0F, static_cast<float>(samples[d] - 1));
  }
  bool all_meet_finer(int level, const Around& blocks, std::size_t axis, int side) const {
    for (int k = 0; k < 8; ++k) {
      Place b = blocks.low;
      bool there = true;
      for (std::size_t d = 0; d < 3; ++d) {
        if ((k >> d & 1) == 0) continue;
        there = there && blocks.two[d];
        ++b[d];
      }
      if (there && grid_.level(b) == level && !meets_finer(b, axis, side)) return false;
    }
    return true;
  }

  const March& p_;
  const float* density_;
  const std::uint32_t* materials_;
  const BlockGrid& grid_;
  Place block_;
  int level_, step_, cells_;
  Place first_{};
  bool alone_ = true;              // all blocks around have its level: no borders of any kind
  std::vector<std::int32_t> own_;  // vertices of the block's own level, by axis and place; or -1
  VertexNumbers numbers_;
  BlockMesh out_;
};

BlockMesher::BlockMesher(const Lattice& lattice, const float* density, float isovalue,
                         const std::uint32_t* materials)
    // Without a ring: blocks bring their own.
    : numbers_(march_numbers(lattice, {isovalue, false}, materials != nullptr)),
      density_(density),
      materials_(materials) {}

BlockMesh BlockMesher::block(const BlockGrid& grid, std::size_t index) const {
  return BlockWork(*this, grid, index).run();
}

std::vector<BlockMesh> BlockMesher::blocks(const BlockGrid& grid) const {
  std::vector<BlockMesh> all(grid.count());
  oneapi::tbb::parallel_for(std::size_t{0}, all.size(),
                            [&](std::size_t i) { all[i] = block(grid, i); });
  return all;
}

Surface welded(const std::vector<BlockMesh>& blocks) {
  Surface all;
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  for (const BlockMesh& block : blocks) {
    std::vector<std::uint32_t> number(block.names.size());
    for (std::size_t i = 0; i < number.size(); ++i) {
      const auto next = static_cast<std::uint32_t>(all.mesh.positions.size());
      const auto [found, made] = known.try_emplace(block.names[i], next);
      number[i] = found->second;
      if (!made) continue;
      all.mesh.positions.push_back(block.mesh.positions[i]);
      all.mesh.normals.push_back(block.mesh.normals[i]);
      if (!block.materials.empty()) all.materials.push_back(block.materials[i]);
    }
    for (const auto& t : block.mesh.triangles)
      all.mesh.triangles.push_back({number[t[0]], number[t[1]], number[t[2]]});
  }
  return all;
}

}  // namespace scree::surface
