// Triangles with shared vertices.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace scree {

// Metres, z up. A triangle's corners run counter-clockwise seen from outside (from the air).
// normals and colours are empty or one a vertex.
struct Mesh {
  using Vector = std::array<float, 3>;
  using Colour = std::array<std::uint8_t, 4>;  // red, green, blue, opacity; sRGB
  using Triangle = std::array<std::uint32_t, 3>;

  std::vector<Vector> positions;
  std::vector<Vector> normals;
  std::vector<Colour> colours;
  std::vector<Triangle> triangles;
};

}  // namespace scree
