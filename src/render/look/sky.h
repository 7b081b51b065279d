// The light of a clear day: what the sky sends from each direction, what of the sun comes through,
// and what the whole dome gives to a surface. Pictures take sky, haze, reflections and the light in
// shadows from here.
#pragma once

#include <array>
#include <vector>

#include "render/look/vector.h"

namespace scree::render {

// Radiances in units in which a white surface that faces the sun of a vacuum has 5.3.
class Sky {
 public:
  // Degrees; azimuth clockwise from north.
  Sky(double sun_azimuth, double sun_altitude);

  Vec3 toward_sun() const { return sun_; }
  Vec3 sun_light() const;  // red, green, blue, on a surface that faces it
  // From a direction of length 1; what is below the horizon is as at the horizon.
  Vec3 radiance(Vec3 direction) const;

  // Light of the open sky on a surface of normal n: [0] + [1] n.x + [2] n.y + [3] n.z + [4] n.z²,
  // which is right upward, downward and on upright walls.
  std::array<Vec3, 5> on_surfaces() const;

  // The same as a texture: row by row, four floats a texel. Column: sine of half the angle from the
  // sun's azimuth; row: root of the sine of the altitude; both 0 to 1 over the middles of texels.
  static constexpr int table_width = 512;
  static constexpr int table_height = 64;
  std::vector<float> table() const;

 private:
  Vec3 sun_;
};

}  // namespace scree::render
