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
  friend bool operator==(const Box&, const Box&) = default;
};

// What an edit came to. The balance of each conserved thing books the same numbers, so that start =
// end + left - entered - edited still closes to zero.
struct Receipt {
  Box box;                                  // all cells that the edit named
  std::size_t changed = 0;                  // cells whose value is another now
  std::map<std::string, long long> edited;  // quanta that came in (or went out, negative), by name
};

}  // namespace scree
