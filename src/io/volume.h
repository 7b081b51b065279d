// Dense volumes: densities on a lattice of samples, and the files that hold them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace scree::io {

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

// ---- writing

// Only .vdb (OpenVDB): grids "density" (float, fog volume) and, with materials, "material" (int32,
// the same 32 bits). Samples of exactly 0 are background and take no room. The file appears whole
// or not at all, equal volumes give equal bytes, and read_volume gives back the very bits. Throws
// where the volume is not whole or a density is not finite.
void write_volume(const std::string& path, const Volume& volume);

// For volumes that do not lie in memory as floats: `fill` is called for a few slices at a time,
// from the lowest on, and writes `count` of them from slice `z` on; `materials` is null without
// them.
using VolumeSlices =
    std::function<void(int z, int count, float* density, std::uint32_t* materials)>;
void write_volume(const std::string& path, const VolumeShape& shape, bool materials,
                  const VolumeSlices& fill);

// Before a volume is made for it: UsageError where the ending is not .vdb, Error where this build
// cannot write it.
void check_volume_name(const std::string& path);

}  // namespace scree::io
