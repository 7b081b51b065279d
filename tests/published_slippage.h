// Thermal erosion of layers straight from its publication (Beneš & Forsbach 2001, §3 to §5), with
// what is wrong in it put right: shares go by differences of height, slopes are (h - h_i) / d, and
// d is longer on diagonals. It knows nothing of the engine: a column is a list of solids at their
// heights, and what is between them is air. All decisions of a step are made on what was there
// before it, so that it does not depend on the order of the columns.
//
// What the publication leaves open is chosen as the engine has it: to which floor of a column
// beside something goes, in which order neighbours are served, how full they may make a gap, which
// layer of their own kind arrivals join, and what is rounded.
#pragma once

#include <functional>
#include <vector>

#include "terrain/layers/layers.h"

namespace scree::testing {

struct PublishedMaterial {
  double tangent = 0;   // of its talus angle
  double strength = 0;  // share of what is published that moves in a step
  int dust = 0;         // what it is when it has moved
  int crumbles = 0;     // quanta that fall from it in a step where it is a ceiling
  bool loose = false;   // arrivals may sink into it
};

// What chance does to an amount that goes from a cell (x, y) to the one at (dx, dy) beside it: how
// much of it moves, and what is added before it is rounded to whole quanta.
struct PublishedChance {
  float moves = 1, added = 0;
};
using ChanceOf = std::function<PublishedChance(int x, int y, int dx, int dy)>;

struct PublishedRules {
  std::vector<PublishedMaterial> materials;  // by number; 0 is not used
  ChanceOf chance;
  long long mixing = 0;  // depth in quanta to which arrivals find a layer of their own kind
};

std::vector<Stack> slipped_as_published(const LayerShape& shape, const std::vector<Stack>& before,
                                        const PublishedRules& rules);

}  // namespace scree::testing
