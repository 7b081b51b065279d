// Dense volumes: densities on a lattice of samples.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree {

// Where samples lie: x fastest, then y, then z, which is up; right-handed, metres.
struct VolumeShape {
  std::array<int, 3> size{};              // samples along x, y, z
  std::array<double, 3> cell{1, 1, 1};    // metres between samples
  std::array<double, 3> origin{0, 0, 0};  // of the first sample

  std::size_t samples() const {
    return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
           static_cast<std::size_t>(size[2]);
  }
};

// Density grows inwards: it is high in rock and low in air.
struct Volume {
  VolumeShape shape;
  std::vector<float> density;
  std::vector<std::uint32_t> materials;  // one a sample, or none
};

}  // namespace scree
