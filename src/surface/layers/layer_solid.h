// A terrain of layers as one closed surface: top, caves, walls and bottom, in the colours of what
// it is made of. Cut along a line, it shows its strata.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/mesh.h"
#include "terrain/layers/layers.h"

namespace scree::surface {

// What lies to the left of the line, looking along it, is kept. x is metres east of the west edge,
// y north of the south edge.
struct LayerCut {
  double from_x = 0, from_y = 0, to_x = 0, to_y = 0;
  // How far a place is on the side that is kept, times the length of the line.
  double inside(double x, double y) const {
    return (y - from_y) * (to_x - from_x) - (x - from_x) * (to_y - from_y);
  }
  bool keeps(double x, double y) const { return inside(x, y) >= 0; }
};

// Refuses one that keeps no column of the terrain; `before` stands before the message.
void check_cut(const std::string& before, const LayerCut& cut, const LayerShape& shape);

struct LayerSolidOptions {
  int level = 0;      // one column in 2^level each way
  double cell_z = 0;  // metres between samples up a column; 0: a hundredth of the height
  std::optional<LayerCut> cut = {};
  std::vector<Stack> stacks = {};  // in place of the terrain's own, where given: lakes on them
};

// A flat, upright face of the solid, a side of its block or where it was cut, and the columns
// behind it.
struct SawnFace {
  struct Column {
    double along = 0;  // metres from where the face begins
    Stack stack = {};
    // Of a face that is aslant: the one beyond it, and how far on the way to that the face is.
    Stack beyond = {};
    double share = 0;
  };
  // In the mesh's metres; looking along it, the solid lies to the left.
  double from_x = 0, from_y = 0, to_x = 0, to_y = 0;
  double spacing = 1;                // metres between columns of the solid, along it
  double depth = 1;                  // the same across it
  bool aslant = false;               // to the rows of columns
  double inset = 0;                  // of all its columns, metres, unless it is aslant
  std::vector<Column> columns = {};  // one at least, in order

  double length() const;
  // Metres by which a vertex on it may be off it.
  double slack() const { return 0.03 * depth; }
  double along(double x, double y) const;
  double off(double x, double y) const;  // to the right of it, metres
};

// Positions as grid_mesh has them: x east and y north of the terrain's middle, z the height. Error
// where nothing is left to make a mesh of. faces: what becomes of it where they are wanted.
Mesh layer_solid(const Layers& layers, const LayerSolidOptions& options = {},
                 std::vector<SawnFace>* faces = nullptr);

// Metres between samples up a column, as it takes them.
double layer_solid_cell_z(double height, const LayerSolidOptions& options);

// Roofs, floors and voids between them that lie between two samples of a solid: it may lack them.
struct ThinParts {
  std::size_t columns = 0;
  double cubic_metres = 0;
  double thinnest = 0;  // metres
};
ThinParts thin_parts(const Layers& layers, double cell_z);
// That in a sentence; empty where there are none. `key`: what chooses another cell_z.
std::string thin_parts_note(const Layers& layers, double cell_z, const std::string& key);

// Samples that it takes, each of four bytes and some more while it works.
std::size_t layer_solid_samples(const LayerShape& shape, double height,
                                const LayerSolidOptions& options);

}  // namespace scree::surface
