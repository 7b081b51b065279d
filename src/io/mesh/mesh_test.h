// What the tests of meshes share: a mesh whose numbers no format can guess, and a reader that knows
// PLY from its description alone.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "io/file/io_test.h"
#include "io/mesh/mesh.h"

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

// Takes little-endian numbers from the front of a text.
class Bytes {
 public:
  explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {}

  // The file's end is an exception: a broken header must not be read for ever.
  std::string line() {
    std::string whole = take(bytes_.find('\n', at_) - at_ + 1);
    whole.pop_back();
    return whole;
  }
  std::string take(std::size_t count) {
    if (count == 0 || count > bytes_.size() - at_)
      throw std::out_of_range("the file ends too soon");
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  std::uint32_t number(std::size_t count) {
    std::uint32_t value = 0;
    const std::string part = take(count);
    for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(part[i]);
    return value;
  }
  float real() { return std::bit_cast<float>(number(4)); }
  Mesh::Vector vector() {
    const float x = real(), y = real(), z = real();
    return {x, y, z};
  }
  bool ended() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

struct PlyHeader {
  std::size_t vertices = 0, faces = 0;
  std::vector<std::string> properties;
};

inline PlyHeader read_ply_header(Bytes& bytes) {
  PlyHeader header;
  EXPECT_EQ(bytes.line(), "ply");
  EXPECT_EQ(bytes.line(), "format binary_little_endian 1.0");
  for (std::string line = bytes.line(); line != "end_header"; line = bytes.line()) {
    if (line.starts_with("element vertex ")) header.vertices = std::stoul(line.substr(15));
    if (line.starts_with("element face ")) header.faces = std::stoul(line.substr(13));
    if (line.starts_with("property ")) header.properties.push_back(line.substr(9));
  }
  return header;
}

// A PLY as write_mesh makes it, with whatever it holds.
inline Mesh read_ply(const std::filesystem::path& path) {
  Bytes bytes(get(path));
  const PlyHeader header = read_ply_header(bytes);
  const auto has = [&](const char* property) {
    return std::find(header.properties.begin(), header.properties.end(), property) !=
           header.properties.end();
  };
  EXPECT_EQ(header.properties.back(), "list uchar uint vertex_indices");
  Mesh mesh;
  for (std::size_t i = 0; i < header.vertices; ++i) {
    mesh.positions.push_back(bytes.vector());
    if (has("float nx")) mesh.normals.push_back(bytes.vector());
    if (!has("uchar red")) continue;
    Mesh::Colour colour{};
    for (std::uint8_t& part : colour) part = static_cast<std::uint8_t>(bytes.number(1));
    mesh.colours.push_back(colour);
  }
  for (std::size_t i = 0; i < header.faces; ++i) {
    EXPECT_EQ(bytes.number(1), 3U);
    const std::uint32_t a = bytes.number(4), b = bytes.number(4), c = bytes.number(4);
    mesh.triangles.push_back({a, b, c});
  }
  EXPECT_TRUE(bytes.ended());
  return mesh;
}

}  // namespace scree::io::testing
