// Three numbers in space: metres, x east, y north, z up.
#pragma once

#include <cmath>

namespace scree::render {

struct Vec3 {
  double x = 0;
  double y = 0;
  double z = 0;
};

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator*(Vec3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Vec3 a) { return std::sqrt(dot(a, a)); }
inline Vec3 normalised(Vec3 a) { return a * (1 / length(a)); }

// Toward an azimuth (degrees clockwise from north) and an altitude above the horizon (degrees).
inline Vec3 direction(double azimuth, double altitude) {
  constexpr double degree = 0.017453292519943295;
  const double flat = std::cos(altitude * degree);
  return {flat * std::sin(azimuth * degree), flat * std::cos(azimuth * degree),
          std::sin(altitude * degree)};
}

}  // namespace scree::render
