// Inside render: patterns over the colours of a section's materials, as geologists draw them. Two
// materials of nearly one colour are told apart by them, and by who sees no colours at all.
#pragma once

#include <string>
#include <vector>

#include "render/look/colour.h"

namespace scree::render {

// After the lithologic patterns of the Federal Geographic Data Committee (2006), section 37, as far
// as they can be told apart when small.
enum class Pattern {
  plain,
  bricks,     // limestone, chalk
  slanted,    // bricks of dolomite, marl
  dots,       // sandstone
  stipple,    // sand, dust: finer and closer
  dashes,     // shale, clay, mud
  dash_dots,  // silt, loam
  crosses,    // granite, what lies below all
  ticks,      // lava, basalt: v
  angles,     // ash, tuff: the same upside down
  circles,    // debris, gravel
  triangles,  // breccia, gouge of a fault
  waves,      // slate, gneiss
  tufts,      // soil
  stars,      // ice, snow
  rising,     // /
  falling,    // lines that mean nothing of their own
  lattice,
};

// One for each name, those of well-known rocks their own; as long as there are enough of them none
// twice. A name that stands there again has the same.
std::vector<Pattern> patterns_of(const std::vector<std::string>& names);

// Whether a rock of that name lies in beds: what has frozen as a whole does not, nor what is below
// all.
bool has_beds(const std::string& name);

// What the pattern is drawn in on this colour: a darker shade of it, of a dark one a lighter.
unsigned pattern_ink(unsigned colour);

// A pattern in pixels, on a sheet with letters of this size.
class PatternTile {
 public:
  PatternTile(Pattern pattern, double type);
  int side() const { return side_; }
  // 0 to 1, how much of the pixel is inked; the same again after every side.
  float ink(int x, int y) const;

 private:
  int side_;
  std::vector<float> inked_;  // none of a plain one
};

}  // namespace scree::render
