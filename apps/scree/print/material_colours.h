// Colours of materials: those that are known, or of materials that have a number and no more.
#pragma once

#include <array>
#include <cstdint>

#include "io/mesh/mesh.h"
#include "io/volume/volume.h"

namespace scree::cli {

// Muted, as ground is, and each apart from the ones before it; from the start again after the last.
inline Mesh::Colour colour_of_number(std::uint32_t material) {
  static constexpr std::array<std::uint32_t, 12> srgb = {0xb3a18a, 0x8c5a3c, 0x7d8288, 0xd9c48f,
                                                         0x5e6b4a, 0xa8493a, 0xe3ddd0, 0x4a4a52,
                                                         0xc98b4b, 0x6f8fa3, 0x9c8fb0, 0x394b3a};
  const std::uint32_t colour = srgb[material % srgb.size()];
  const auto byte = [&](int shift) { return static_cast<std::uint8_t>(colour >> shift & 0xff); };
  return {byte(16), byte(8), byte(0), 255};
}

inline Mesh::Colour material_colour(const io::VolumeFile& file, std::uint32_t material) {
  if (material == 0 || material > file.colours.size()) return colour_of_number(material);
  const auto& colour = file.colours[material - 1];
  return {colour[0], colour[1], colour[2], 255};
}

}  // namespace scree::cli
