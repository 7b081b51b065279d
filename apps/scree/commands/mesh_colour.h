// What colours the vertices of `mesh` have.
#pragma once

#include <string>
#include <vector>

#include "commands/mesh_input.h"
#include "print/console.h"
#include "render/look/colour.h"

namespace scree::cli {

// As typed; empty: not given.
struct ColourWords {
  std::string colour;   // none, relief, or what to show in false colour
  std::string palette;  // of the relief
  bool water = false;   // the water's surface instead of the ground under it
};

// Words that are wrong whatever the input: before it is read. `file` is the mesh's name.
void check_colour_words(const ColourWords& words, const std::string& file);

struct MeshColours {
  std::vector<unsigned char> rgb;  // three bytes a cell; empty: none
  std::string text;                // for people
  std::string by = "none";         // none, relief, or the field
  std::string palette;             // of the relief
  std::vector<std::string> from;   // what the relief shows: heights and fields
  double low = 0, high = 0;        // of a field's ramp
};

// At most, while colours are made; in bytes a cell.
std::size_t colour_bytes(const ColourWords& words);

// With water, the raster's heights become those of its surface.
MeshColours make_colours(const ColourWords& words, const std::string& file, MeshInput& input);

Json colours_json(const MeshColours& colours);

}  // namespace scree::cli
