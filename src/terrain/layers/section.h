// A vertical cut through layers: what a wall along a line would show.
#pragma once

#include <vector>

#include "terrain/layers/layers.h"

namespace scree {

// A part of a column between two heights, in metres; material 0 is a void.
struct SectionPart {
  int material = 0;
  double bottom = 0, top = 0;
};

struct SectionColumn {
  double along = 0;     // metres from the beginning of the line, to the middle of this column
  double x = 0, y = 0;  // of the middle: metres east of the west edge, north of the south edge
  std::vector<SectionPart> parts;  // from the bottom up
};

struct LayerSection {
  double length = 0;  // metres
  double bottom = 0;  // of all stacks
  double top = 0;     // of the highest column
  std::vector<SectionColumn> columns;
  // The number of the material at a place of the wall; 0: void, or outside the terrain.
  int material_at(double along, double height) const;
};

// From one place to another, in `count` columns of equal width (0: one for about each cell that the
// line crosses). Places outside the terrain have no parts.
LayerSection sample_section(const Layers& layers, double from_x, double from_y, double to_x,
                            double to_y, int count = 0);
// The same of stacks that have been read already.
LayerSection sample_section(const LayerShape& shape, const std::vector<Stack>& stacks,
                            double from_x, double from_y, double to_x, double to_y, int count = 0);

}  // namespace scree
