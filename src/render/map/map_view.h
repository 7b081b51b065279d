// Maps that are read: a field in colours over the shaded ground, or the relief with its contours.
// Drawn on the CPU: they need no OpenGL.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/look/field_scale.h"
#include "render/look/picture_scene.h"
#include "render/sheet/legend.h"
#include "render/sheet/sheet.h"

namespace scree::render {

// What is shown of a ground, seen from above.
struct MapView {
  std::string title;
  std::string unit;                // of the values
  std::vector<float> values = {};  // one a cell, NaN is nodata; none: relief and contours
  bool logarithmic = false;        // what is not above 0 is not coloured
  std::optional<double> low = {};  // values at the ends of the colours; chosen unless given
  std::optional<double> high = {};
  std::optional<FieldScale> scale = {};  // all of that, as another map has it
  std::vector<MapKind> kinds = {};   // of values that are numbers of them; none: a scale instead
  std::vector<MapKind> legend = {};  // of maps side by side: of all of them. Else of what is on it
  double contours = 0;               // metres between them, of a relief; 0: chosen
  std::string arrow_unit = {};       // of arrows
  std::vector<float> arrow_x = {};   // eastward, one a cell; none: no arrows
  std::vector<float> arrow_y = {};   // northward
  // How much of it there is in a cell, which an arrow is the mean by: where there is little, there
  // is none. None: all cells count alike.
  std::vector<float> arrow_weight = {};
};

// Colours and ends that a field gets unless others are asked for.
FieldScale scale_of(const MapView& view);

// Those of its kinds that are on it, by number, without patterns: a map has only colours. A rock
// may have many numbers, one for each hardness: it is there once.
std::vector<MapKind> kinds_on(const MapView& view);

// Where a map lies on its sheet, pixels.
struct MapPlace {
  double left = 0;
  double top = 0;
  int width = 0;
  int height = 0;
  double type = 0;        // height of capitals
  bool furnished = true;  // title, scale and the like; a small sheet has only the map
};
MapPlace map_place(const Ground& ground, const MapView& view, int width, int height);

Picture draw_map(const Ground& ground, const Look& look, const MapView& view, int width,
                 int height);

// Heights at the ends of a relief's colours, unless they are given.
void settle_tints(ReliefOptions& options, const std::vector<float>& bed);

}  // namespace scree::render
