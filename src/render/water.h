// Which water a picture shows: lakes and rivers, not the film of rain on every slope.
#pragma once

#include <vector>

#include "render/relief.h"

namespace scree::render {

struct SeenWater {
  std::vector<float> cover;  // 0 to 1, how much of a cell shows as water; empty: there is none
  std::vector<float> depth;  // metres, smoothed
  float film = 0;            // metres; shallower water stays unseen
  float deep = 1;            // metres; here water has its full colour
};

// Waters of fewer cells than that are the grain of the simulation, not something a map shows.
constexpr std::size_t least_water = 12;
SeenWater seen_water(const ReliefInput& input, const ReliefOptions& options,
                     std::size_t least_cells = least_water);

}  // namespace scree::render
