// Inside render: the contours of a relief, with their heights on them.
#pragma once

#include "render/map/map_view.h"
#include "render/map/plane.h"

namespace scree::render {

struct ContourGround {
  const Plane& bed;               // at the resolution of the map
  const std::vector<float>& wet;  // of its pixels, 0 to 1; there are no lines above a half; or none
  double interval;                // metres that are asked for; 0: chosen
};

// Metres between the lines that were drawn; 0 where the ground is flat.
double draw_contours(const ContourGround& ground, const MapPlace& place, Sheet& sheet);

// Metres between contours of heights from low to high, unless others are asked for.
double chosen_contours(double low, double high);

}  // namespace scree::render
