// What a map or a section is made of: its materials' looks, and the list that names them.
#pragma once

#include <string>
#include <vector>

#include "render/sheet/pattern.h"
#include "render/sheet/sheet.h"

namespace scree::render {

// One of several that a legend names: a material.
struct MapKind {
  std::string name;
  unsigned colour = 0;  // 0xrrggbb in sRGB
  Pattern pattern = Pattern::plain;
};

// The same materials with patterns, and in colours that can be told apart, also by who does not see
// red or green. Those that are unlike all others, and water, keep their own; of the rest each is
// moved, in lightness before hue, no further than it takes to be unlike those before it and the
// air. Those of one name and colour are one; without a name it is none.
std::vector<MapKind> told_apart(std::vector<MapKind> kinds);

// How far apart two colours (sRGB) are to whom they are nearest to each other: to the full sight,
// or without the cones for red or for green. In Oklab, where black is 1 from white.
float seen_apart(unsigned one, unsigned other);

struct LegendPlace {
  double left = 0;  // of the patches
  double top = 0;   // where it begins unless it needs more room
  double type = 0;  // height of capitals
};
// Pixels across, of those that it names; no more than `most`, for which long names are cut.
double legend_width(const std::vector<MapKind>& kinds, double type, double most);

// Patches with names below each other, closer where there are many; of more than the sheet has room
// for, a line says how many. Names end at the sheet's edge.
void draw_legend(const std::vector<MapKind>& kinds, const LegendPlace& place, Sheet& sheet);

}  // namespace scree::render
