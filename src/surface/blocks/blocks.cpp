#include "surface/blocks/blocks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "device/cpu/cpu_device.h"
#include "device/cpu/registry.h"
#include "device/parallel.h"
#include "surface/blocks/block_numbers.h"
#include "surface/blocks/levels.h"
#include "surface/march/packed_cases.h"

namespace scree::surface {
namespace {

using Place = std::array<int, 3>;

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

std::vector<std::size_t> BlockGrid::all() const {
  std::vector<std::size_t> numbers(count());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

Place BlockGrid::block(std::size_t index) const {
  const auto nx = static_cast<std::size_t>(blocks_[0]), ny = static_cast<std::size_t>(blocks_[1]);
  return {static_cast<int>(index % nx), static_cast<int>(index / nx % ny),
          static_cast<int>(index / nx / ny)};
}

bool BlockGrid::in_ring(const Place& block) const {
  for (std::size_t d = 0; d < 3; ++d)
    if (block[d] == 0 || block[d] == blocks_[d] - 1) return true;
  return false;
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
  // The ring is flat: it follows the volume, so that no face in its plane changes detail.
  for (std::size_t i = 0; i < levels.size(); ++i) {
    Place b = block(i);
    for (std::size_t d = 0; d < 3; ++d) b[d] = std::clamp(b[d], 1, std::max(blocks_[d] - 2, 1));
    levels_[i] = levels[index(b)];
  }
}

std::vector<std::uint8_t> BlockGrid::eased(std::vector<std::uint8_t> levels) const {
  return eased_levels(std::move(levels), blocks_);
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
    levels[i] = static_cast<std::uint8_t>(level_at(std::sqrt(square), detail, widest, most_));
  }
  set_levels(eased(std::move(levels)));
}

// ---- one block
// -----------------------------------------------------------------------------------

namespace {

// The kernels of the CPU, for one block and wherever its data lie.
class CpuPass {
 public:
  explicit CpuPass(const char* name)
      : function_(device::find_cpu_kernel(device::chosen_isa(""), name)) {}

  // Pointers and values in the order of the kernel's declaration.
  template <class... Values>
  void operator()(const Range& range, const Values&... values) const {
    const std::array<const void*, sizeof...(Values)> arguments{&values...};
    function_(arguments.data(), range);
  }

 private:
  device::CpuFunction function_;
};

struct CpuPasses {
  CpuPass bits{"blocks_bits"}, live{"blocks_live"}, count{"blocks_count"}, sum{"blocks_sum"},
      vertices{"blocks_vertices"}, triangles{"blocks_triangles"}, count_borders{"borders_count"},
      border_vertices{"borders_vertices"}, borders{"borders_triangles"};
};

// What is known of a block before its vertices, kept from one block to the next.
struct Scratch {
  std::vector<std::uint32_t> bits, vertices, triangles;
};

}  // namespace

BlockMesher::BlockMesher(const Lattice& lattice, const float* density, float isovalue,
                         const std::uint32_t* materials)
    // Without a ring: blocks bring their own.
    : volume_(march_numbers(lattice, {isovalue, false}, materials != nullptr)),
      density_(density),
      materials_(materials) {}

BlockMesh BlockMesher::block(const BlockGrid& grid, std::size_t index) const {
  static const CpuPasses passes;
  static thread_local Scratch scratch;
  BlockNumbers g = block_numbers(volume_, grid);
  g.level = grid.levels()[index];
  const std::uint8_t* levels = grid.levels().data();
  const BlockWork work = work_on(g, levels, {static_cast<int>(index), 0});
  const auto slots = static_cast<std::size_t>(block_slots(g.size));
  scratch.bits.resize(slots);
  scratch.vertices.resize(slots), scratch.triangles.resize(slots);
  const BlockWork* works = &work;
  const std::uint32_t* table = packed_cases().data();
  std::uint32_t *bits = scratch.bits.data(), *vertices = scratch.vertices.data(),
                *triangles = scratch.triangles.data();
  const Range one{0, 0, 1, 1}, all{0, 0, pass_width(g.size, g.level), pass_slices(g.size, g.level)};
  const Range faces{0, 0, pass_width(g.size, g.level), BLOCK_FACES};
  const int count = 1;
  const std::uint32_t first = 0, *start = &first;
  std::uint32_t live = 0, vertex_count = 0, triangle_count = 0;
  std::uint32_t *is_live = &live, *to_vertices = &vertex_count, *to_triangles = &triangle_count;

  BlockMesh out;
  passes.bits(all, g, works, density_, bits);
  passes.live(one, g, count, works, bits, is_live);
  if (live == 0) return out;
  passes.count(all, g, works, table, bits, vertices, triangles);
  if (work.finer != 0)
    passes.count_borders(faces, g, works, table, density_, bits, vertices, triangles);
  passes.sum(one, g, count, works, vertices, triangles, to_vertices, to_triangles);
  out.names.resize(vertex_count);
  out.mesh.positions.resize(vertex_count), out.mesh.normals.resize(vertex_count);
  out.mesh.triangles.resize(triangle_count);
  if (materials_ != nullptr) out.materials.resize(vertex_count);
  float *positions = out.mesh.positions.data()->data(), *normals = out.mesh.normals.data()->data();
  std::uint32_t *corners = out.mesh.triangles.data()->data(), *materials = out.materials.data();
  std::uint64_t* names = out.names.data();
  passes.vertices(all, g, works, levels, density_, materials_, bits, vertices, start, positions,
                  normals, materials, names);
  passes.triangles(all, g, works, table, bits, vertices, triangles, start, corners);
  if (work.finer != 0) {
    passes.border_vertices(faces, g, works, table, density_, materials_, bits, vertices, start,
                           positions, normals, materials, names);
    passes.borders(faces, g, works, table, density_, bits, vertices, triangles, start, corners);
  }
  return out;
}

std::vector<BlockMesh> BlockMesher::blocks(const BlockGrid& grid,
                                           const std::vector<std::size_t>& chosen) const {
  std::vector<BlockMesh> all(chosen.size());
  device::parallel_for(all.size(), [&](std::size_t i) { all[i] = block(grid, chosen[i]); });
  return all;
}

std::vector<BlockMesh> BlockMesher::blocks(const BlockGrid& grid) const {
  return blocks(grid, grid.all());
}

namespace {

// Numbers of vertices by name, for as many names as it is made for.
class VertexNumbers {
 public:
  explicit VertexNumbers(std::size_t names) : slots_(std::bit_ceil(2 * names + 1)) {}

  // The name's number, or `next`, which is the name's from now on.
  std::uint32_t find_or(std::uint64_t name, std::uint32_t next) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = static_cast<std::size_t>(name * 0x9e3779b97f4a7c15ULL >> 20) & mask;
    while (slots_[i].name != 0 && slots_[i].name != name) i = (i + 1) & mask;
    if (slots_[i].name == 0) slots_[i] = {name, next};
    return slots_[i].number;
  }

 private:
  struct Slot {
    std::uint64_t name = 0;  // none has this
    std::uint32_t number = 0;
  };
  std::vector<Slot> slots_;
};

}  // namespace

Surface welded(const std::vector<BlockMesh>& blocks) {
  std::size_t names = 0;
  for (const BlockMesh& block : blocks) names += block.names.size();
  VertexNumbers known(names);
  Surface all;
  std::vector<std::uint32_t> number;
  for (const BlockMesh& block : blocks) {
    number.resize(block.names.size());
    for (std::size_t i = 0; i < number.size(); ++i) {
      const auto next = static_cast<std::uint32_t>(all.mesh.positions.size());
      number[i] = known.find_or(block.names[i], next);
      if (number[i] != next) continue;
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
