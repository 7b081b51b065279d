#include "process/layers/cave_water.h"

#include <algorithm>
#include <utility>

#include "process/layers/layer_materials.h"

namespace scree {
namespace {

constexpr device::Kernel tidy_kernel{"cave_tidy", "kernel/layers/caves.h"};
constexpr device::Kernel pair_kernel{"cave_pair", "kernel/layers/caves.h"};
constexpr device::Kernel gaps_kernel{"cave_gaps", "kernel/layers/caves.h"};
constexpr device::Kernel spread_kernel{"cave_spread", "kernel/layers/caves.h"};
constexpr device::Kernel even_kernel{"cave_even", "kernel/layers/caves.h"};

// Passes between two looks whether bodies have grown.
constexpr int passes = 8;

template <class T>
device::BufferPtr uploaded(device::Device& device, const std::vector<T>& values) {
  const std::size_t bytes = values.size() * sizeof(T);
  device::BufferPtr buffer = device.allocate(std::max(bytes, sizeof(T)));
  if (bytes > 0) device.write(*buffer, 0, values.data(), bytes);
  return buffer;
}

Range rows_of(int count) { return {0, 0, CAVE_ROW, (count + CAVE_ROW - 1) / CAVE_ROW}; }

// The set of the pair that begins here and goes east or south.
std::size_t set_of(const LayerGrid& g, int x, int y, bool south) {
  const int at = south ? y : x, size = south ? g.height : g.width;
  const bool seam = at == size - 1 && size % 2 == 1;
  return (south ? 3 : 0) + (seam ? 2 : static_cast<std::size_t>(at % 2));
}

}  // namespace

// What is read is what is in the box: row by row, or a plane at once.
std::vector<int> hollow_cells(const Layers& terrain, int fluid, const Box& box) {
  const LayerGrid& g = terrain.grid();
  const std::size_t plane = terrain.shape().cells();
  const auto width = static_cast<std::size_t>(box.width);
  // Of a column from the bottom up: whether it has a gap, and whether something lies upon one.
  std::vector<char> gap(box.cells()), hollow(box.cells());
  const int rows = box.width == g.width ? box.height : 1;
  std::vector<std::uint32_t> words(width * static_cast<std::size_t>(rows));
  for (int k = 0; k < g.planes; ++k)
    for (int y = 0; y < box.height; y += rows) {
      const std::size_t first =
          static_cast<std::size_t>(k) * plane +
          static_cast<std::size_t>(box.y + y) * static_cast<std::size_t>(g.width) +
          static_cast<std::size_t>(box.x);
      terrain.device().read(*terrain.front(), first * sizeof words[0], words.data(),
                            words.size() * sizeof words[0]);
      for (std::size_t w = 0; w < words.size(); ++w) {
        if (words[w] == 0) continue;
        const std::size_t i = static_cast<std::size_t>(y) * width + w;
        const std::uint32_t material = layer_material(words[w]);
        if (material == LAYER_VOID || material == static_cast<std::uint32_t>(fluid))
          gap[i] = 1;
        else if (gap[i] != 0)
          hollow[i] = 1;
      }
    }
  std::vector<int> cells;
  for (std::size_t i = 0; i < hollow.size(); ++i)
    if (hollow[i] != 0)
      cells.push_back((box.y + static_cast<int>(i / width)) * g.width + box.x +
                      static_cast<int>(i % width));
  return cells;
}

CaveWater::CaveWater(const Layers& terrain, const std::vector<int>& hollow, int fluid)
    : is_hollow_(terrain.shape().cells()), fluid_(fluid) {
  take_in(terrain, hollow);
}

void CaveWater::take_in(const Layers& terrain, const std::vector<int>& hollow) {
  bool more = false;
  for (const int cell : hollow) {
    char& is_hollow = is_hollow_[static_cast<std::size_t>(cell)];
    more |= is_hollow == 0;
    is_hollow = 1;
  }
  if (more) arrange(terrain);
}

void CaveWater::arrange(const Layers& terrain) {
  const LayerGrid& g = terrain.grid();
  const auto neighbour = [&](int cell, int side) {
    const int other = layer_beside(g, cell % g.width, cell / g.width, side);
    return other == cell ? -1 : other;
  };
  std::vector<int> cells;
  for (std::size_t i = 0; i < is_hollow_.size(); ++i) {
    if (is_hollow_[i] == 0) continue;
    const auto cell = static_cast<int>(i);
    cells.push_back(cell);
    for (int side = 0; side < 4; ++side)
      if (const int other = neighbour(cell, side); other >= 0) cells.push_back(other);
  }
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  columns_ = static_cast<int>(cells.size());

  std::vector<int> place(terrain.shape().cells(), CAVE_NONE), beside;
  for (std::size_t i = 0; i < cells.size(); ++i)
    place[static_cast<std::size_t>(cells[i])] = static_cast<int>(i);
  std::array<std::vector<int>, sets> pairs;
  for (const int cell : cells)
    for (int side = 0; side < 4; ++side) {
      const int other = neighbour(cell, side);
      beside.push_back(other < 0 ? CAVE_NONE : place[static_cast<std::size_t>(other)]);
      // East and south; where two cells wrap around, there is but one edge between them.
      const bool south = side == 2;
      if (other < 0 || side % 2 != 0 || (other < cell && (south ? g.height : g.width) == 2))
        continue;
      if (is_hollow_[static_cast<std::size_t>(cell)] == 0 &&
          is_hollow_[static_cast<std::size_t>(other)] == 0)
        continue;
      std::vector<int>& set = pairs[set_of(g, cell % g.width, cell / g.width, south)];
      set.insert(set.end(), {cell, other});
    }
  std::vector<int> all;
  for (std::size_t set = 0; set < sets; ++set) {
    all.insert(all.end(), pairs[set].begin(), pairs[set].end());
    first_of_set_[set + 1] = static_cast<int>(all.size() / 2);
  }

  std::vector<std::uint32_t> loose(LAYER_MATERIALS);
  for (std::size_t m = 0; m < terrain.materials().size(); ++m)
    loose[m + 1] = terrain.materials()[m].loose ? 1 : 0;
  device::Device& device = terrain.device();
  loose_ = uploaded(device, loose);
  cells_ = uploaded(device, cells);
  beside_ = uploaded(device, beside);
  pairs_ = uploaded(device, all);
  gaps_ = device.allocate(cells.size() * CAVE_GAPS * sizeof(CaveGap));
  bodies_ = device.allocate(cells.size() * CAVE_GAPS * sizeof(CaveBody));
  bodies_after_ = device.allocate(cells.size() * CAVE_GAPS * sizeof(CaveBody));
  word_ = device.allocate(sizeof(std::uint32_t));
}

Caves CaveWater::numbers(const Layers& terrain, int first, int count) const {
  return {terrain.grid(), first, count, static_cast<std::uint32_t>(fluid_)};
}

void CaveWater::tidy(Layers& terrain) {
  device::Device& device = terrain.device();
  std::uint32_t needed = 0;
  device.write(*word_, 0, &needed, sizeof needed);
  device::Arguments a;
  a.add(numbers(terrain, 0, columns_)).add(loose_).add(cells_);
  a.add(terrain.front()).add(terrain.tops_front()).add(word_);
  device.run(tidy_kernel, rows_of(columns_), a);
  device.read(*word_, 0, &needed, sizeof needed);
  terrain.grow(static_cast<int>(needed));
}

void CaveWater::level(Layers& terrain, Heightfield& surface, std::uint64_t step) {
  for (std::size_t turn = 0; turn < turns * sets; ++turn) {
    const std::size_t set = turn % sets;
    const int first = first_of_set_[set], count = first_of_set_[set + 1] - first;
    if (count == 0) continue;
    device::Arguments a;
    a.add(surface.grid()).add(numbers(terrain, first, count)).add(pairs_);
    a.add(terrain.front()).add(terrain.tops_front()).add(surface.field("water").front());
    terrain.device().run(pair_kernel, rows_of(count), a);
  }
  if (step % joined_every == 0) join(terrain, surface);
}

void CaveWater::join(Layers& terrain, Heightfield& surface) {
  device::Device& device = terrain.device();
  const Caves p = numbers(terrain, 0, columns_);
  const auto& water = surface.field("water").front();
  device::Arguments list;
  list.add(surface.grid()).add(p).add(cells_).add(terrain.front()).add(water);
  list.add(gaps_).add(bodies_);
  device.run(gaps_kernel, rows_of(columns_), list);
  std::uint32_t changed = 1;
  while (changed != 0) {
    changed = 0;
    device.write(*word_, 0, &changed, sizeof changed);
    for (int pass = 0; pass < passes; ++pass) {
      device::Arguments a;
      a.add(p).add(beside_).add(gaps_).add(bodies_).add(bodies_after_).add(word_);
      device.run(spread_kernel, rows_of(columns_), a);
      std::swap(bodies_, bodies_after_);
    }
    device.read(*word_, 0, &changed, sizeof changed);
  }
  device::Arguments a;
  a.add(surface.grid()).add(p).add(cells_).add(beside_).add(gaps_).add(bodies_);
  a.add(terrain.front()).add(terrain.tops_front()).add(water);
  device.run(even_kernel, rows_of(columns_), a);
}

}  // namespace scree
