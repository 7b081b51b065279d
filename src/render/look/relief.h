// Pictures of a terrain without a window: a shaded relief after Imhof (1965), the same colours
// without light, and any field in false colour. All are RGB bytes, row 0 north, three a pixel, one
// pixel a cell.
#pragma once

#include <span>
#include <vector>

#include "render/look/colour.h"

namespace scree::render {

// Every field is width x height, row 0 north, in metres; only bed must be there. NaN in bed is
// nodata.
struct ReliefInput {
  int width = 0;
  int height = 0;
  double dx = 1;  // metres between columns
  double dy = 1;  // metres between rows
  std::span<const float> bed;
  std::span<const float> water;     // depth
  std::span<const float> sediment;  // suspended: clouds the water
  std::span<const float> deposit;   // laid down: pale fans and floodplains
  std::span<const float> wear;      // worn away: bare, darker rock
};

// 0 means "choose for me" wherever a value of 0 makes no picture.
struct ReliefOptions {
  Palette palette = Palette::alpine;
  double sun_azimuth = 315;  // degrees clockwise from north
  double sun_altitude = 40;  // degrees
  double exaggeration = 0;   // of heights, for the shading only; 0: from the mean slope
  double exposure = 0;       // 0: mean brightness like a printed map's
  double shadow = 0.75;      // 0 to 1, depth of cast shadows
  double occlusion = 0.9;    // 0 to 1, darkness of what sees little sky
  double tint_low = 0;       // heights at the ends of the palette;
  double tint_high = 0;      //   equal: from the terrain itself
  double water_film = 0;     // metres; shallower water stays unseen. 0: four times the median
                             //   depth of all cells, between 0.02 and 0.5 m
  double water_deep = 0;     // metres; here water has its full colour. 0: from the lakes
  bool show_water = true;
  double contour_interval = 0;  // metres; 0: no contours; every fifth is stronger
  unsigned nodata_srgb = 0xe4e2dd;
  int threads = 0;  // 0: all
};

std::vector<unsigned char> shaded_relief(const ReliefInput& input,
                                         const ReliefOptions& options = {});

// The tints of the relief without light, shadow or contours: for a surface that is lit elsewhere.
struct LandColours {
  std::vector<unsigned char> rgb;
  std::vector<float> surface;  // metres: the bed, raised to the water's level where that is seen
};
LandColours land_colours(const ReliefInput& input, const ReliefOptions& options = {});

// The sea (where sink is above 0) keeps no water of its own: it is shown as deep as a good lake.
std::vector<float> with_sea(std::vector<float> water, std::span<const float> sink);

struct FieldOptions {
  ColourMap map = ColourMap::viridis;
  // Values at the ends of the map; equal: the 1st and 99th percentile, or, for the diverging map,
  // as far below 0 as above.
  double low = 0;
  double high = 0;
  bool logarithmic = false;  // for discharge and the like; what is not above 0 is lowest
  unsigned nodata_srgb = 0xe4e2dd;
};

// Values at the ends of the map.
struct FieldRange {
  float low = 0;
  float high = 0;
};
FieldRange field_range(std::span<const float> values, const FieldOptions& options = {});

std::vector<unsigned char> field_picture(std::span<const float> values, int width, int height,
                                         const FieldOptions& options = {});

// A round contour interval (1, 2 or 5 times a power of ten) that gives about `count` contours.
double nice_contour_interval(double relief, int count = 20);

}  // namespace scree::render
