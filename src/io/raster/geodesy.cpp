#include "io/raster/geodesy.h"

#include <cmath>

namespace scree::io {
namespace {

constexpr double pi = 3.14159265358979323846;

// The Taylor series to x^25 / 25!: below one ulp of 1 for |x| <= pi / 2. Not libm's, whose last
// bit changes between versions.
double sine(double x) {
  double term = x;
  double sum = x;
  for (int k = 1; k <= 12; ++k) {
    term *= -x * x / static_cast<double>(2 * k * (2 * k + 1));
    sum += term;
  }
  return sum;
}

}  // namespace

// Radii of curvature in the meridian M = a (1 - e^2) / (1 - e^2 sin^2)^(3/2) and in the prime
// vertical N = a / (1 - e^2 sin^2)^(1/2) (Snyder 1987, eqs. 4-18 and 4-20).
DegreeLength metres_per_degree(double latitude, double semi_major, double inverse_flattening) {
  const double radian = pi / 180;
  const double flattening = inverse_flattening > 0 ? 1 / inverse_flattening : 0;
  const double e2 = flattening * (2 - flattening);
  const double sin_latitude = sine(latitude * radian);
  const double cos_latitude = sine((90 - std::fabs(latitude)) * radian);
  const double w = 1 - e2 * sin_latitude * sin_latitude;
  return {semi_major / std::sqrt(w) * cos_latitude * radian,
          semi_major * (1 - e2) / (w * std::sqrt(w)) * radian};
}

}  // namespace scree::io
