// Maps that are read: a field in colours over the shaded ground, or the relief with its contours.
// Drawn on the CPU: they need no OpenGL.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/picture_scene.h"
#include "render/sheet.h"

namespace scree::render {

// One of several that a legend names: a material.
struct MapKind {
  std::string name;
  unsigned colour = 0;  // 0xrrggbb in sRGB
};

// Colours and ends that a field gets unless others are asked for.
struct FieldScale {
  ColourMap map = ColourMap::viridis;  // diverging where values lie on both sides of 0
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  bool empty_at_zero = false;  // 0 means that there is none of it: there the ground shows

  double share(double value) const;  // 0 at low, 1 at high
};

// What is shown of a ground, seen from above.
struct MapView {
  std::string title;
  std::string unit;                // of the values
  std::vector<float> values = {};  // one a cell, NaN is nodata; none: relief and contours
  bool logarithmic = false;        // what is not above 0 is not coloured
  std::optional<double> low = {};  // values at the ends of the colours; chosen unless given
  std::optional<double> high = {};
  std::optional<FieldScale> scale = {};  // all of that, as another map has it
  std::vector<MapKind> kinds = {};  // of values that are numbers of them; none: a scale instead
  double contours = 0;              // metres between them, of a relief; 0: chosen
  std::string arrow_unit = {};      // of arrows
  std::vector<float> arrow_x = {};  // eastward, one a cell; none: no arrows
  std::vector<float> arrow_y = {};  // northward
  // How much of it there is in a cell, which an arrow is the mean by: where there is little, there
  // is none. None: all cells count alike.
  std::vector<float> arrow_weight = {};
};

FieldScale scale_of(const MapView& view);

// Where a map lies on its sheet, pixels.
struct MapPlace {
  double left = 0;
  double top = 0;
  int width = 0;
  int height = 0;
  bool furnished = true;  // title, scale and the like; a small sheet has only the map
};
MapPlace map_place(const Ground& ground, const MapView& view, int width, int height);

Picture draw_map(const Ground& ground, const Look& look, const MapView& view, int width,
                 int height);

// Heights at the ends of a relief's colours, unless they are given.
void settle_tints(ReliefOptions& options, const std::vector<float>& bed);
// Metres between contours of heights from low to high.
double chosen_contours(double low, double high);

// How a person writes it: 0.25, 1200, 3e-7.
std::string number_text(double value);
// Units as a person writes them: m3/s as m³/s, deg as °.
std::string unit_text(const std::string& unit);

}  // namespace scree::render
