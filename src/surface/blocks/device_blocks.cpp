#include "surface/blocks/device_blocks.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "surface/blocks/block_numbers.h"
#include "surface/march/packed_cases.h"

namespace scree::surface {
namespace {

constexpr const char* program = "kernel/surface/blocks.h";
constexpr std::size_t word = sizeof(std::uint32_t);

}  // namespace

// The numbers of one extraction. Works are in the order of their levels: those of level n end
// before the ends[n]-th.
struct BlockPlan {
  BlockNumbers g;
  int asked = 0;
  std::array<int, 8> ends{};

  std::size_t slots() const { return static_cast<std::size_t>(block_slots(g.size)); }
};

namespace {

// In the order of their levels, and else as they were; `ends` is where each level ends.
std::vector<BlockChoice> by_level(const BlockGrid& grid, const std::vector<std::size_t>& chosen,
                                  std::array<int, 8>& ends) {
  ends.fill(0);
  for (const std::size_t block : chosen) ++ends[grid.levels()[block]];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::array<int, 8> next{};
  std::copy(ends.begin(), ends.end() - 1, next.begin() + 1);
  std::vector<BlockChoice> ordered(chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i)
    ordered[static_cast<std::size_t>(next[grid.levels()[chosen[i]]]++)] = {
        static_cast<int>(chosen[i]), static_cast<int>(i)};
  return ordered;
}

// A pass per block.
Range per_block(int count) {
  return {0, 0, BLOCKS_IN_A_ROW, (count + BLOCKS_IN_A_ROW - 1) / BLOCKS_IN_A_ROW};
}

// A pass over the works of one level after the other; slices(level) is how many slices of a block
// it is over.
template <class Slices, class F>
void run_per_level(device::Device& device, const char* name, const BlockPlan& plan,
                   const std::array<int, 8>& ends, Slices&& slices, F&& add_others) {
  device::Kernel kernel{name, program};
  kernel.group_x = 8, kernel.group_y = 32;  // slices are a little wider than a power of two
  BlockNumbers g = plan.g;
  g.first = 0;
  for (std::size_t level = 0; level < ends.size(); ++level) {
    g.level = static_cast<int>(level);
    const int rows = (ends[level] - g.first) * slices(g.level);
    if (rows > 0) {
      device::Arguments arguments;
      arguments.add(g);
      add_others(arguments);
      device.run(kernel, Range{0, 0, pass_width(g.size, g.level), rows}, arguments);
    }
    g.first = ends[level];
  }
}

// A pass per slot.
template <class F>
void run_per_slot(device::Device& device, const char* name, const BlockPlan& plan,
                  const std::array<int, 8>& ends, F&& add_others) {
  const auto slices = [&](int level) { return pass_slices(plan.g.size, level); };
  run_per_level(device, name, plan, ends, slices, add_others);
}
// A pass over border cells. Nothing is finer than level 0.
template <class F>
void run_per_face(device::Device& device, const char* name, const BlockPlan& plan,
                  const std::array<int, 8>& ends, F&& add_others) {
  const auto slices = [](int level) { return level == 0 ? 0 : BLOCK_FACES; };
  run_per_level(device, name, plan, ends, slices, add_others);
}

}  // namespace

DeviceBlockMesher::DeviceBlockMesher(device::DevicePtr device)
    : device_(std::move(device)), sums_(device_) {
  const std::vector<std::uint32_t>& cases = packed_cases();
  table_ = device_->allocate(cases.size() * word);
  device_->write(*table_, 0, cases.data(), cases.size() * word);
}

// Reads the samples of all blocks that were asked for, and lists those that the surface passes.
void DeviceBlockMesher::find_live(const BlockPlan& plan, const device::BufferPtr& density) {
  const auto asked = static_cast<std::size_t>(plan.asked);
  need(*device_, works_, asked * sizeof(BlockWork));
  need(*device_, live_works_, asked * sizeof(BlockWork));
  need(*device_, bits_, asked * plan.slots() * word);
  need(*device_, live_, (asked + 1) * word);
  device::Arguments works;
  works.add(plan.g).add(plan.asked).add(levels_).add(chosen_).add(works_);
  device_->run({"blocks_works", program}, per_block(plan.asked), works);
  run_per_slot(*device_, "blocks_bits", plan, plan.ends, [&](device::Arguments& arguments) {
    arguments.add(works_).add(density).add(bits_);
  });
  device::Arguments live;
  live.add(plan.g).add(plan.asked).add(works_).add(bits_).add(live_);
  device_->run({"blocks_live", program}, per_block(plan.asked), live);
  mesh_.passed = sums_.run(live_, plan.asked);
  device::Arguments list;
  list.add(plan.asked).add(live_).add(works_).add(live_works_);
  device_->run({"blocks_list", program}, per_block(plan.asked), list);
  for (std::size_t level = 0; level < plan.ends.size(); ++level) {
    live_ends_[level] = plan.ends[level] == 0 ? 0 : static_cast<int>(mesh_.passed);
    if (plan.ends[level] == 0 || plan.ends[level] == plan.asked) continue;
    device_->read(*live_, static_cast<std::size_t>(plan.ends[level]) * word, &live_ends_[level],
                  word);
  }
}

void DeviceBlockMesher::count(const BlockPlan& plan, const device::BufferPtr& density) {
  const int passed = static_cast<int>(mesh_.passed);
  const std::size_t slots = mesh_.passed * plan.slots() * word;
  need(*device_, vertices_before_, slots);
  need(*device_, triangles_before_, slots);
  run_per_slot(*device_, "blocks_count", plan, live_ends_, [&](device::Arguments& arguments) {
    arguments.add(live_works_).add(table_).add(bits_);
    arguments.add(vertices_before_).add(triangles_before_);
  });
  run_per_face(*device_, "borders_count", plan, live_ends_, [&](device::Arguments& arguments) {
    arguments.add(live_works_).add(table_).add(density).add(bits_);
    arguments.add(vertices_before_).add(triangles_before_);
  });
  device::Arguments sums;
  sums.add(plan.g).add(passed).add(live_works_).add(vertices_before_).add(triangles_before_);
  sums.add(mesh_.first_vertex).add(mesh_.first_triangle);
  device_->run({"blocks_sum", program}, per_block(passed), sums);
  mesh_.vertices = sums_.run(mesh_.first_vertex, plan.asked);
  mesh_.triangles = sums_.run(mesh_.first_triangle, plan.asked);
}

void DeviceBlockMesher::emit(const BlockPlan& plan, const device::BufferPtr& density,
                             const device::BufferPtr& materials) {
  const std::size_t vertex_count = mesh_.vertices, triangle_count = mesh_.triangles;
  need(*device_, mesh_.positions, 3 * vertex_count * word);
  need(*device_, mesh_.normals, 3 * vertex_count * word);
  need(*device_, mesh_.names, vertex_count * sizeof(std::uint64_t));
  need(*device_, mesh_.indices, 3 * triangle_count * word);
  if (materials) need(*device_, mesh_.materials, vertex_count * word);
  run_per_slot(*device_, "blocks_vertices", plan, live_ends_, [&](device::Arguments& arguments) {
    arguments.add(live_works_).add(levels_).add(density);
    materials ? arguments.add(materials) : arguments.add_unused(bits_);
    arguments.add(bits_).add(vertices_before_).add(mesh_.first_vertex);
    arguments.add(mesh_.positions).add(mesh_.normals);
    materials ? arguments.add(mesh_.materials) : arguments.add_unused(bits_);
    arguments.add(mesh_.names);
  });
  run_per_slot(*device_, "blocks_triangles", plan, live_ends_, [&](device::Arguments& arguments) {
    arguments.add(live_works_).add(table_).add(bits_);
    arguments.add(vertices_before_).add(triangles_before_).add(mesh_.first_triangle);
    arguments.add(mesh_.indices);
  });
  run_per_face(*device_, "borders_vertices", plan, live_ends_, [&](device::Arguments& arguments) {
    arguments.add(live_works_).add(table_).add(density);
    materials ? arguments.add(materials) : arguments.add_unused(bits_);
    arguments.add(bits_).add(vertices_before_).add(mesh_.first_vertex);
    arguments.add(mesh_.positions).add(mesh_.normals);
    materials ? arguments.add(mesh_.materials) : arguments.add_unused(bits_);
    arguments.add(mesh_.names);
  });
  run_per_face(*device_, "borders_triangles", plan, live_ends_, [&](device::Arguments& arguments) {
    arguments.add(live_works_).add(table_).add(density).add(bits_).add(vertices_before_);
    arguments.add(triangles_before_).add(mesh_.first_triangle).add(mesh_.indices);
  });
}

DeviceBlocks DeviceBlockMesher::extract(const Lattice& lattice, const BlockGrid& grid,
                                        const std::vector<std::size_t>& chosen,
                                        const device::BufferPtr& density, float isovalue,
                                        const device::BufferPtr& materials) {
  // Without a ring: blocks bring their own.
  const March volume = march_numbers(lattice, {isovalue, false}, materials != nullptr);
  const std::size_t needed = lattice.samples() * sizeof(float);
  if (density->bytes() < needed || (materials && materials->bytes() < needed))
    throw UsageError(text("a volume of ", lattice.samples(), " samples: its buffers have fewer"));
  if (BlockGrid(lattice, grid.size()).blocks() != grid.blocks())
    throw UsageError("blocks of another volume: the grid must be made for this one");
  BlockPlan plan{block_numbers(volume, grid), static_cast<int>(chosen.size()), {}};
  if (chosen.size() * plan.slots() > std::size_t{std::numeric_limits<int>::max()})
    throw UsageError(text(chosen.size(), " blocks at once: mesh them in parts"));
  for (const std::size_t index : chosen)
    if (index >= grid.count())
      throw UsageError(text("block ", index, ": the grid has ", grid.count()));

  mesh_.asked = chosen.size();
  mesh_.passed = 0, mesh_.vertices = 0, mesh_.triangles = 0;
  if (chosen.empty()) return mesh_;

  const std::vector<BlockChoice> ordered = by_level(grid, chosen, plan.ends);
  need(*device_, chosen_, ordered.size() * sizeof ordered[0]);
  device_->write(*chosen_, 0, ordered.data(), ordered.size() * sizeof ordered[0]);
  need(*device_, levels_, grid.count());
  device_->write(*levels_, 0, grid.levels().data(), grid.count());
  // Blocks that the surface does not pass have no vertices and no triangles.
  const std::vector<std::uint32_t> none(chosen.size() + 1, 0);
  for (device::BufferPtr* first : {&mesh_.first_vertex, &mesh_.first_triangle}) {
    need(*device_, *first, none.size() * word);
    device_->write(**first, 0, none.data(), none.size() * word);
  }
  find_live(plan, density);
  count(plan, density);
  if (std::max(mesh_.vertices, mesh_.triangles) > std::numeric_limits<std::uint32_t>::max() / 3)
    throw Error("the surface has more triangles than a mesh can number: mesh it in parts");
  emit(plan, density, materials);
  DeviceBlocks result = mesh_;
  if (!materials) result.materials.reset();
  return result;
}

DeviceBlocks DeviceBlockMesher::extract(const Lattice& lattice, const BlockGrid& grid,
                                        const device::BufferPtr& density, float isovalue,
                                        const device::BufferPtr& materials) {
  return extract(lattice, grid, grid.all(), density, isovalue, materials);
}

std::vector<BlockMesh> DeviceBlockMesher::download(const DeviceBlocks& blocks) const {
  const auto fetch = [&](const device::BufferPtr& from, auto&& to, std::size_t count) {
    to.resize(count);
    if (count > 0) device_->read(*from, 0, to.data(), count * sizeof to[0]);
  };
  BlockMesh all;
  std::vector<std::uint32_t> first_vertex, first_triangle;
  fetch(blocks.first_vertex, first_vertex, blocks.asked + 1);
  fetch(blocks.first_triangle, first_triangle, blocks.asked + 1);
  fetch(blocks.names, all.names, blocks.vertices);
  fetch(blocks.positions, all.mesh.positions, blocks.vertices);
  fetch(blocks.normals, all.mesh.normals, blocks.vertices);
  fetch(blocks.indices, all.mesh.triangles, blocks.triangles);
  if (blocks.materials) fetch(blocks.materials, all.materials, blocks.vertices);
  std::vector<BlockMesh> each(blocks.asked);
  for (std::size_t i = 0; i < each.size(); ++i) {
    const auto part = [](const auto& from, const std::vector<std::uint32_t>& first, std::size_t k,
                         auto& to) {
      to.assign(from.begin() + first[k], from.begin() + first[k + 1]);
    };
    part(all.names, first_vertex, i, each[i].names);
    part(all.mesh.positions, first_vertex, i, each[i].mesh.positions);
    part(all.mesh.normals, first_vertex, i, each[i].mesh.normals);
    if (blocks.materials) part(all.materials, first_vertex, i, each[i].materials);
    part(all.mesh.triangles, first_triangle, i, each[i].mesh.triangles);
  }
  return each;
}

}  // namespace scree::surface
