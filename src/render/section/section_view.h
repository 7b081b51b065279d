// Vertical cuts through whatever a terrain is: what lies where along a line, with a legend and axes
// in metres. Drawn on the CPU: they need no OpenGL.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/volume.h"
#include "render/look/picture_scene.h"
#include "render/map/map_view.h"
#include "render/sheet/sheet.h"

namespace scree::render {

// From one place to another, in metres east and north of the terrain's middle.
struct SectionLine {
  Point2 from;
  Point2 to;
};

using SectionMaterial = MapKind;

struct SectionSpan {
  int material = 0;  // which of the section's
  double low = 0;    // metres
  double high = 0;
};

// Columns side by side, all equally wide; where no span is, there is air.
struct Section {
  std::string title = {};
  double length = 0;  // metres
  std::vector<SectionMaterial> materials = {};
  std::vector<std::vector<SectionSpan>> columns = {};
  std::string from = {};  // what stands at the ends: W and E
  std::string to = {};
  std::optional<double> base = {};  // height of the foot of the picture; chosen unless given
  // Of sections side by side: of all of them. Else those of what is in it.
  std::vector<SectionMaterial> legend = {};
  std::optional<double> lowest_top = {}, highest_top = {};  // of its columns
};

// Two that stand side by side are as high, and name the same materials.
void share_scale(Section& one, Section& other);

// UsageError that begins with `what` and names the extent where no part of the line runs through a
// terrain that reaches so far from its middle.
void check_line(const std::string& what, const SectionLine& line, double half_x, double half_y);

// Its length and the names of its ends, and nothing in it yet.
Section section_along(const SectionLine& line);

// Water, what was laid down since the start (deposit less wear, where both are given in metres) and
// ground. No line: from west to east through the middle.
Section section_of(const Ground& ground, const std::optional<SectionLine>& line,
                   bool deposit_in_metres);

// Rock is where the density is at least the isovalue. `materials` are those of the volume's
// numbers; one that is missing, or a volume without materials, is called by its number.
Section section_of(const Volume& volume, float isovalue, const std::optional<SectionLine>& line,
                   const std::vector<SectionMaterial>& materials);

// Where the section lies on its sheet: pixels, and the heights at its foot and top.
struct SectionPlace {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
  double low = 0;
  double high = 1;
  double exaggeration = 1;
  bool furnished = true;
};
// exaggeration 0: a round one that fills the sheet.
SectionPlace section_place(const Section& section, double exaggeration, int width, int height);

Picture draw_section(const Section& section, double exaggeration, int width, int height);

}  // namespace scree::render
