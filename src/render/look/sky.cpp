#include "render/look/sky.h"

#include <algorithm>
#include <cmath>

namespace scree::render {
namespace {

constexpr double pi = 3.141592653589793;
constexpr double full_sun = 5.3;

// Optical depths of the whole air, straight up: of the air itself, which scatters blue most
// (Rayleigh), and of what floats in it, which scatters all alike and forward (Mie).
constexpr std::array<double, 3> air_depth{0.036, 0.082, 0.190}, dust_depth{0.024, 0.025, 0.026};
// Ozone, high up, takes green and red from what comes through it (Chappuis 1880).
constexpr std::array<double, 3> ozone_depth{0.012, 0.028, 0.001};
constexpr double dust_forward = 0.62;  // g of Henyey & Greenstein (1941)

double component(Vec3 v, std::size_t channel) {
  return channel == 0 ? v.x : channel == 1 ? v.y : v.z;
}

template <class F>
Vec3 each_channel(F&& f) {
  return {f(std::size_t{0}), f(std::size_t{1}), f(std::size_t{2})};
}

double depth_of(std::size_t channel) { return air_depth[channel] + dust_depth[channel]; }

// How much more air than straight up one looks through; after Rozenberg (1966).
double air_mass(double up) {
  up = std::max(up, 0.0);
  return 1 / (up + 0.025 * std::exp(-11 * up));
}

// Shares of scattered light that go on at an angle, over their mean.
double air_phase(double cosine) { return 0.75 * (1 + cosine * cosine); }
double dust_phase(double cosine) {
  constexpr double g = dust_forward;
  return (1 - g * g) / std::pow(1 + g * g - 2 * g * cosine, 1.5);
}

}  // namespace

Sky::Sky(double sun_azimuth, double sun_altitude) : sun_(direction(sun_azimuth, sun_altitude)) {}

Vec3 Sky::sun_light() const {
  return each_channel([&](std::size_t c) {
    return full_sun * std::exp(-depth_of(c) * std::min(air_mass(sun_.z), 12.5));
  });
}

// Light that was scattered once in a plane layer of even air is known in closed form; what was
// scattered more often comes from all sides, and is brightest where there is most air.
Vec3 Sky::radiance(Vec3 direction) const {
  const double cosine = std::clamp(dot(direction, sun_), -1.0, 1.0);
  const double seen = air_mass(direction.z), lit = std::min(air_mass(sun_.z), 12.5);
  const double high = std::clamp(sun_.z, 0.05, 1.0);
  return each_channel([&](std::size_t c) {
    const double depth = depth_of(c);
    const double phase =
        (air_depth[c] * air_phase(cosine) + dust_depth[c] * dust_phase(cosine)) / depth;
    const double apart = seen - lit;
    const double once = std::abs(apart) < 1e-3
                            ? depth * lit * std::exp(-depth * lit)
                            : seen / apart * (std::exp(-depth * lit) - std::exp(-depth * seen));
    const double scattered = 1 - std::exp(-depth * lit), left = 1 - scattered;
    const double often =
        high * (1.9 * scattered + 1.25 * left) * (1 - std::exp(-1.1 * depth * seen));
    const double through = std::exp(-ozone_depth[c] * (lit + 0.045 * seen));
    return full_sun / 4 * through * (phase * once + often);
  });
}

std::array<Vec3, 5> Sky::on_surfaces() const {
  constexpr int around = 48, up = 24;
  constexpr std::array<Vec3, 5> normals{{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}}};
  std::array<Vec3, 5> on{};
  for (int j = 0; j < up; ++j)
    for (int i = 0; i < around; ++i) {
      const double z = (j + 0.5) / up, r = std::sqrt(1 - z * z),
                   angle = 2 * pi * (i + 0.5) / around;
      const Vec3 d{r * std::cos(angle), r * std::sin(angle), z};
      const Vec3 share = radiance(d) * (2.0 / (around * up));  // of 2 pi, over pi
      for (std::size_t n = 0; n < normals.size(); ++n)
        on[n] = on[n] + share * std::max(0.0, dot(normals[n], d));
    }
  const Vec3 walls = (on[0] + on[1] + on[2] + on[3]) * 0.25, half = on[4] * 0.5;
  return {walls, (on[0] - on[1]) * 0.5, (on[2] - on[3]) * 0.5, half, half - walls};
}

std::vector<float> Sky::table() const {
  const double flat = std::hypot(sun_.x, sun_.y);
  const Vec3 ahead = flat > 1e-6 ? Vec3{sun_.x / flat, sun_.y / flat, 0} : Vec3{1, 0, 0};
  const Vec3 aside{-ahead.y, ahead.x, 0};
  std::vector<float> texels;
  texels.reserve(4 * table_width * table_height);
  for (int j = 0; j < table_height; ++j)
    for (int i = 0; i < table_width; ++i) {
      const double u = static_cast<double>(i) / (table_width - 1),
                   v = static_cast<double>(j) / (table_height - 1);
      const double z = v * v, r = std::sqrt(std::max(0.0, 1 - z * z));
      const double cosine = 1 - 2 * u * u, sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
      const Vec3 light = radiance(ahead * (r * cosine) + aside * (r * sine) + Vec3{0, 0, z});
      for (std::size_t c = 0; c < 3; ++c) texels.push_back(static_cast<float>(component(light, c)));
      texels.push_back(1);
    }
  return texels;
}

}  // namespace scree::render
