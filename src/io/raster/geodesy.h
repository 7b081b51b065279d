// How long a degree is, in metres, on an ellipsoid.
#pragma once

namespace scree::io {

struct DegreeLength {
  double east = 0;   // metres a degree of longitude
  double north = 0;  // metres a degree of latitude
};

// Latitude in degrees. The ellipsoid is WGS 84 unless another is given; an inverse flattening of 0
// means a sphere. Only + - * / and sqrt: the same bits on every machine.
DegreeLength metres_per_degree(double latitude, double semi_major = 6378137.0,
                               double inverse_flattening = 298.257223563);

}  // namespace scree::io
