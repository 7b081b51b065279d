// Inside render: arrows on a map, for what has a direction.
#pragma once

#include "render/map/map_view.h"

namespace scree::render {

// How long an arrow is drawn.
struct ArrowScale {
  double longest = 0;  // 0: there are none
  double pixels = 0;   // of one that is as long
};

// Means over the ground that each arrow stands for.
ArrowScale draw_arrows(const Ground& ground, const MapView& view, const MapPlace& place,
                       Sheet& sheet);

// One alone, as those of the map are drawn.
void draw_arrow(Point2 middle, double u, double v, const ArrowScale& scale, double type,
                Sheet& sheet);

}  // namespace scree::render
