// Wavefront OBJ: text, so numbers are the shortest that read back as the same float.
#include <charconv>

#include "io/mesh/mesh_codec.h"

namespace scree::io::codec {
namespace {

template <class Number>
void add_number(std::string& line, Number number) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  line.append(digits, end);
}

void add_vector(std::string& line, const Mesh::Vector& v) {
  for (const float value : v) {
    line += ' ';
    add_number(line, value);
  }
}

// No part of the format, but what MeshLab, Blender and others read: colours after the position.
void add_colour(std::string& line, const Mesh::Colour& colour) {
  for (int i = 0; i < 3; ++i) {
    line += ' ';
    add_number(line, static_cast<float>(colour[static_cast<std::size_t>(i)]) / 255.0F);
  }
}

void add_triangle(std::string& line, const Mesh::Triangle& triangle, bool normals) {
  line += 'f';
  for (const std::uint32_t index : triangle) {
    const std::uint64_t number = static_cast<std::uint64_t>(index) + 1;
    line += ' ';
    add_number(line, number);
    if (!normals) continue;
    line += "//";
    add_number(line, number);
  }
  line += '\n';
}

}  // namespace

void write_obj(const std::filesystem::path& path, const Mesh& mesh) {
  PieceWriter out(path);
  std::string line = "# scree: metres, z up\n";
  const auto put = [&] {
    out.text(line);
    line.clear();
  };
  put();
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    line += 'v';
    add_vector(line, mesh.positions[i]);
    if (!mesh.colours.empty()) add_colour(line, mesh.colours[i]);
    line += '\n';
    put();
  }
  for (const Mesh::Vector& normal : mesh.normals) {
    line += "vn";
    add_vector(line, normal);
    line += '\n';
    put();
  }
  for (const Mesh::Triangle& triangle : mesh.triangles) {
    add_triangle(line, triangle, !mesh.normals.empty());
    put();
  }
  out.commit();
}

}  // namespace scree::io::codec
