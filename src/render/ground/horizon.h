// What a heightfield sees of the sky and of the sun: horizons along sixteen directions.
#pragma once

#include <span>
#include <vector>

namespace scree::render {

struct Sun {
  double azimuth = 315;  // degrees clockwise from north
  double altitude = 40;  // degrees above the horizon
  double softness = 7;   // degrees over which a shadow's edge fades
};

struct SkyLight {
  std::vector<float> sky;  // share of the sky dome in view, 1 on a summit (Dozier & Frew 1990)
  std::vector<float> sun;  // share of the sun that is not hidden by other ground
};

// heights: width x height, row 0 north, NaN is nodata and hides nothing. Horizons are exact along
// each line of cells, whatever the distance, at a few operations a cell: the horizon is the top of
// the upper convex hull of what was passed (Timonen & Westerholm 2010).
SkyLight look_at_sky(std::span<const float> heights, int width, int height, double dx, double dy,
                     const Sun& sun, int threads);

// Its share of the sky alone.
std::vector<float> sky_in_view(std::span<const float> heights, int width, int height, double dx,
                               double dy, int threads);

// Tangent of the horizon that each cell sees along one azimuth (degrees clockwise from north), 0
// where nothing stands higher: exact for any direction, for shadows with a form of their own.
std::vector<float> horizon_along(std::span<const float> heights, int width, int height, double dx,
                                 double dy, double azimuth, int threads);

}  // namespace scree::render
