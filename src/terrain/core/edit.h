// A change of a terrain from outside: where it is, and what it moved. Every kind of terrain takes
// its changes and answers them in this form.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace scree {

// A rectangle of cells, or a box of voxels: x from the west, y as the rows of the terrain's arrays
// run, z from below. Terrains of cells have a depth of 1.
struct Box {
  int x = 0, y = 0, z = 0;
  int width = 0, height = 0, depth = 1;

  bool empty() const { return width <= 0 || height <= 0 || depth <= 0; }
  std::size_t cells() const {
    return empty() ? 0
                   : static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                         static_cast<std::size_t>(depth);
  }
  // Where a cell's value is in an array of the box, x fastest.
  std::size_t index(int at_x, int at_y, int at_z = 0) const {
    return (static_cast<std::size_t>(at_z - z) * static_cast<std::size_t>(height) +
            static_cast<std::size_t>(at_y - y)) *
               static_cast<std::size_t>(width) +
           static_cast<std::size_t>(at_x - x);
  }
  bool contains(const Box& other) const;
  // What two boxes share; empty where that is nothing.
  Box common(const Box& other) const;
  friend bool operator==(const Box&, const Box&) = default;
};

// UsageError unless the box lies within the terrain's, and there is one value of `count` for each
// of its cells.
void check_edit(const Box& terrain, const Box& box, std::size_t count);
void check_box(const Box& terrain, const Box& box);

// What an edit came to. The balance of each conserved thing books the same numbers, so that start =
// end + left - entered - edited still closes to zero.
struct Receipt {
  Box box;                                  // all cells that the edit named
  std::size_t changed = 0;                  // cells whose value is another now
  std::map<std::string, long long> edited;  // quanta that came in (or went out, negative), by name
};

}  // namespace scree
