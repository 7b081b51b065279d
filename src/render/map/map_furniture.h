// Inside render: what stands around a map that it may be read by.
#pragma once

#include "render/map/map_arrows.h"
#include "render/map/map_view.h"

namespace scree::render {

// What was drawn on the map.
struct MapContent {
  FieldScale scale;   // of its colours, where there are values
  ArrowScale arrows;  // where there are any
  double metres;      // a pixel
  double contours;    // metres between them; 0: none
};

// Frame, title, scale bar, north, and the keys to its colours, arrows and lines.
void furnish_map(const MapView& view, const MapContent& content, const MapPlace& place,
                 Sheet& sheet);

}  // namespace scree::render
