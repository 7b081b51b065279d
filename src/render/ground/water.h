// Which water a picture shows: lakes and rivers, not the film of rain on every slope.
#pragma once

#include <vector>

#include "render/look/relief.h"

namespace scree::render {

// How a film is told from its depths, where nobody names one: so many times a percentile of them,
// within bounds. Only water that runs is asked.
struct FilmRule {
  double share;
  float times, least, most;
};
constexpr FilmRule film_on_maps{0.5, 4, 0.02f, 0.5f};
// In the middle of a downpour all ground is under water: what is left of it afterwards is shown.
constexpr FilmRule film_in_pictures{0.94, 1, 0.1f, 1};

// Depth below which water stays unseen, metres: of each cell, and of water that runs. From twice
// that depth on it is seen. What stands level is no film: a lake is seen from about 0.1 m on, wide
// as it may be, unless the options name a film.
struct Films {
  std::vector<float> of_cell;
  float film = 0;
};
Films water_films(const ReliefInput& input, const ReliefOptions& options, const FilmRule& rule);

struct SeenWater {
  std::vector<float> cover;  // 0 to 1, how much of a cell shows as water; empty: there is none
  std::vector<float> depth;  // metres, smoothed
  float film = 0;            // metres; shallower water that runs stays unseen
  float deep = 1;            // metres; here water has its full colour
};

// Waters of fewer cells than that are the grain of the simulation, not something a map shows.
constexpr std::size_t least_water = 12;
SeenWater seen_water(const ReliefInput& input, const ReliefOptions& options,
                     const FilmRule& rule = film_on_maps, std::size_t least_cells = least_water);

}  // namespace scree::render
