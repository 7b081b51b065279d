// Binary STL: loose triangles, each with its own normal; no colours.
#include <cmath>
#include <limits>

#include "base/error.h"
#include "io/mesh/mesh_codec.h"

namespace scree::io::codec {
namespace {

// In double, in which no float triangle's cross product overflows. 0, 0, 0 where it has no area,
// which the format takes for "work it out yourself".
Mesh::Vector face_normal(const Mesh::Vector& a, const Mesh::Vector& b, const Mesh::Vector& c) {
  const auto side = [&](const Mesh::Vector& to, std::size_t i) {
    return static_cast<double>(to[i]) - static_cast<double>(a[i]);
  };
  const double n[3] = {side(b, 1) * side(c, 2) - side(b, 2) * side(c, 1),
                       side(b, 2) * side(c, 0) - side(b, 0) * side(c, 2),
                       side(b, 0) * side(c, 1) - side(b, 1) * side(c, 0)};
  const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (!(length > 0)) return {0, 0, 0};
  return {static_cast<float>(n[0] / length), static_cast<float>(n[1] / length),
          static_cast<float>(n[2] / length)};
}

}  // namespace

void write_stl(const std::filesystem::path& path, const Mesh& mesh) {
  if (mesh.triangles.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error(text(path.string(), ": STL holds at most 4294967295 triangles, found ",
                     mesh.triangles.size()));
  PieceWriter out(path);
  // Readers take a file that begins with "solid" for the text form.
  std::string header = "scree: metres, z up";
  header.resize(80, ' ');
  out.text(header);
  out.u32(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Mesh::Triangle& triangle : mesh.triangles) {
    const Mesh::Vector &a = mesh.positions[triangle[0]], &b = mesh.positions[triangle[1]],
                       &c = mesh.positions[triangle[2]];
    for (const Mesh::Vector& v : {face_normal(a, b, c), a, b, c}) out.vector(v);
    out.u16(0);
  }
  out.commit();
}

}  // namespace scree::io::codec
