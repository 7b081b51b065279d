// Water in the caves of a terrain of layers (kernel/layers/caves.h). Water on layers has one where
// there are voids that it can fill.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernel/layers/caves.h"
#include "terrain/core/edit.h"
#include "terrain/heights/heightfield.h"
#include "terrain/layers/layers.h"

namespace scree {

// Cells of a box with a void, or with a fluid that something lies upon.
std::vector<int> hollow_cells(const Layers& terrain, int fluid, const Box& box);

class CaveWater {
 public:
  // Only columns that have a void, or water that something lies upon, and those beside them are
  // looked at: no process hollows others. `hollow` are these columns' cells.
  CaveWater(const Layers& terrain, const std::vector<int>& hollow, int fluid);
  // Columns that were hollowed from outside, beside those it knows.
  void take_in(const Layers& terrain, const std::vector<int>& hollow);

  // Puts columns in order; water may come to lie on top of a stack.
  void tidy(Layers& terrain);
  // Lets water run between caves, and between them and the surface; every fourth step, too, through
  // galleries that are full. No stack may end in water.
  void level(Layers& terrain, Heightfield& surface, std::uint64_t step);
  static constexpr std::uint64_t joined_every = 4;

  // Pairs of neighbours that are levelled at once, set after set: of columns from west to east that
  // begin at an even one, then at an odd one, then the last with the first where the world wraps
  // and its width is odd; the same from north to south.
  static constexpr std::size_t sets = 6;
  // How often all sets are done in a step: about as far as a wave runs in it.
  static constexpr std::size_t turns = 4;

 private:
  void arrange(const Layers& terrain);
  Caves numbers(const Layers& terrain, int first, int count) const;
  void join(Layers& terrain, Heightfield& surface);

  std::vector<char> is_hollow_;  // by cell
  int fluid_, columns_ = 0;
  std::array<int, sets + 1> first_of_set_{};
  device::BufferPtr loose_, cells_, beside_, pairs_, gaps_, bodies_, bodies_after_, word_;
};

}  // namespace scree
