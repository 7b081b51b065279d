// Masks that follow from the state: slope, curvature, velocity. Host code of + - * / and sqrt, so
// that they agree everywhere; only degrees come from libm.
#pragma once

#include <string>
#include <vector>

#include "terrain/heights/heightfield.h"
#include "terrain/heights/hydrology.h"

namespace scree {

// Steepness of the bed in degrees; central differences, one-sided beside borders and nodata.
std::vector<float> slope_degrees(const HeightView& view);
std::vector<float> slope_degrees(const Heightfield& terrain);
// Laplacian of the bed, 1/m: above 0 in hollows, below on ridges.
std::vector<float> curvature(const HeightView& view);
std::vector<float> curvature(const Heightfield& terrain);
// Speed of the water, m/s; 0 where it is dry.
std::vector<float> water_speed(const Heightfield& terrain);

// The water's velocity, m/s; 0 where it is dry or nodata.
struct WaterVelocity {
  std::vector<float> east, north;

  // The part that a mask shows: "velocity.east" or "velocity.north".
  const std::vector<float>& along(const std::string& mask) const;
};
WaterVelocity water_velocity(const Heightfield& terrain);
// The same from whole buffers, halo and padding included; those that are empty count as 0.
struct FluxBuffers {
  std::vector<float> east, south, se, sw;
};
WaterVelocity water_velocity(const Grid& grid, FluxBuffers fluxes,
                             const std::vector<std::int32_t>& water);

// The masks by name, with one line of help each.
struct MaskInfo {
  std::string name;
  std::string unit;
  std::string help;
};
const std::vector<MaskInfo>& mask_list();

// Any mask of mask_list() in its own unit; nodata is NaN.
std::vector<float> mask_values(const Heightfield& terrain, const std::string& mask);
// To 0 … 1 over the finite values; logarithmic for what spans decades.
void normalise(std::vector<float>& values, bool logarithmic);

}  // namespace scree
