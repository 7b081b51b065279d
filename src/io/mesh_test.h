// What the tests of meshes share: a mesh whose numbers no format can guess.
#pragma once

#include <cmath>

#include "io/io_test.h"
#include "io/mesh.h"

namespace scree::io::testing {

// A patch of side x side vertices with normals, and colours that differ from vertex to vertex.
inline Mesh patch(std::uint32_t side) {
  const Raster heights = bumpy(static_cast<int>(side), static_cast<int>(side));
  Mesh mesh;
  for (std::uint32_t y = 0; y < side; ++y)
    for (std::uint32_t x = 0; x < side; ++x) {
      const std::uint32_t i = y * side + x;
      mesh.positions.push_back(
          {static_cast<float>(x) * 0.3F, static_cast<float>(y) * 1.7F, heights.values[i]});
      const float a = static_cast<float>(i % 97), b = static_cast<float>(i % 89), c = 50;
      const float length = std::sqrt(a * a + b * b + c * c);
      mesh.normals.push_back({a / length, b / length, c / length});
      const auto byte = [&](std::uint32_t k) { return static_cast<std::uint8_t>(i * k); };
      mesh.colours.push_back({byte(1), byte(3), byte(7), 255});
    }
  for (std::uint32_t y = 0; y + 1 < side; ++y)
    for (std::uint32_t x = 0; x + 1 < side; ++x) {
      const std::uint32_t i = y * side + x;
      mesh.triangles.push_back({i, i + 1, i + side + 1});
      mesh.triangles.push_back({i, i + side + 1, i + side});
    }
  return mesh;
}

// Of those that write_mesh knows, the ones that this build can write.
inline std::vector<std::string> writable_mesh_endings() {
  std::vector<std::string> endings;
  for (const std::string& ending : mesh_endings()) {
    try {
      check_mesh_name("a" + ending);
      endings.push_back(ending);
    } catch (const Error&) {
      continue;
    }
  }
  return endings;
}

}  // namespace scree::io::testing
