// A raster as bytes see it: heights in a rectangle, where it lies, and nothing about terrain.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace scree {

// Where a raster lies on Earth, kept word for word from input to output.
struct GeoReference {
  bool present = false;
  std::string crs_wkt;                                // empty: no coordinate system
  std::array<double, 6> transform{0, 1, 0, 0, 0, 1};  // GDAL order: x0, dx, rx, y0, ry, dy
  bool geographic = false;                            // degrees, not metres
  bool pixel_is_point = false;                        // GeoTIFF's AREA_OR_POINT=Point
};

// Row 0 is the northern (top) row. A nodata cell holds a quiet NaN; no other NaN or infinity
// gets past a reader.
struct Raster {
  int width = 0;
  int height = 0;
  std::vector<float> values;
  bool has_nodata = false;
  double nodata = 0;  // the value that stands for nodata in the file
  GeoReference geo;
  bool heights_known = true;  // false: a plain image whose samples need a height range
  double sample_min = 0;      // where !heights_known, the range of the sample type: 0 and 255,
  double sample_max = 0;      //   or 0 and 65535
  double dx = 0;              // metres between columns; 0 where the file does not say
  double dy = 0;              // metres between rows
};

struct HeightRange {
  double low = 0;
  double high = 0;
};

}  // namespace scree
