// Inside render: where a ground has no data, and what is left of it around there. No OpenGL in
// here.
#pragma once

#include <cstdint>
#include <vector>

#include "render/look/vector.h"

namespace scree::render {

// Which cells of a grid hold data; none: all of them.
struct Solid {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> cells = {};  // 1 or 0

  bool at(int x, int y) const {
    return cells.empty() || cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                  static_cast<std::size_t>(x)] != 0;
  }
};

// For each cell one with data that is about as near as any, itself where it has some; and how far
// that is. Empty where nothing is solid.
struct Nearest {
  std::vector<std::uint32_t> cell;
  std::vector<float> metres;
};
Nearest nearest_solid(const Solid& solid, double dx, double dy);

// One of the `each` values that a cell has: cells without data take that of their nearest with
// some.
template <class T>
void fill_holes(std::vector<T>& values, const Nearest& nearest, std::size_t each,
                std::size_t which) {
  for (std::size_t i = 0; i < nearest.cell.size(); ++i)
    values[each * i + which] = values[each * nearest.cell[i] + which];
}

// All of the values that a cell has.
template <class T>
void fill_holes(std::vector<T>& values, const Nearest& nearest, std::size_t each) {
  for (std::size_t c = 0; c < each; ++c) fill_holes(values, nearest, each, c);
}

// Two bytes a cell: 255 where it is solid, and that blurred over some cells around, whose fall is
// the way out of the ground.
std::vector<std::uint8_t> solid_shares(const Solid& solid);

// Four neighbouring cells span a square of ground; three span half of one, and fewer span none. A
// piece of the rim of all that, in columns and rows.
struct RimPiece {
  float from_column, from_row, to_column, to_row;
};
std::vector<RimPiece> rim_of(const Solid& solid);

}  // namespace scree::render
