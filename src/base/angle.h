// Sines, tangents and lengths of our own: libm differs between versions, and these numbers reach
// kernels. Square roots are correctly rounded everywhere.
#pragma once

#include <cmath>

namespace scree {

constexpr double pi = 3.14159265358979323846;

// Taylor series about 0, for angles up to 90 degrees; the error is below 1e-15.
constexpr double sine_of_degrees(double degrees) {
  const double x = degrees * (pi / 180);
  double term = x, sum = x;
  for (int n = 1; n < 14; ++n) {
    term = -term * x * x / ((2.0 * n) * (2.0 * n + 1));
    sum += term;
  }
  return sum;
}

constexpr double tangent_of_degrees(double degrees) {
  return sine_of_degrees(degrees) / sine_of_degrees(90 - degrees);
}

inline double length_of(double x, double y) { return std::sqrt(x * x + y * y); }

}  // namespace scree
