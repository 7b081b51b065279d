// Stanford PLY, binary little-endian.
#include "base/error.h"
#include "io/mesh/mesh_codec.h"

namespace scree::io::codec {
namespace {

std::string header_of(const Mesh& mesh) {
  std::string header =
      text("ply\nformat binary_little_endian 1.0\ncomment scree: metres, z up\nelement vertex ",
           mesh.positions.size(), "\nproperty float x\nproperty float y\nproperty float z\n");
  if (!mesh.normals.empty()) header += "property float nx\nproperty float ny\nproperty float nz\n";
  if (!mesh.colours.empty())
    header +=
        "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n";
  return header + text("element face ", mesh.triangles.size(),
                       "\nproperty list uchar uint vertex_indices\nend_header\n");
}

}  // namespace

void write_ply(const std::filesystem::path& path, const Mesh& mesh) {
  PieceWriter out(path);
  out.text(header_of(mesh));
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    out.vector(mesh.positions[i]);
    if (!mesh.normals.empty()) out.vector(mesh.normals[i]);
    if (!mesh.colours.empty())
      for (const std::uint8_t part : mesh.colours[i]) out.u8(part);
  }
  for (const Mesh::Triangle& triangle : mesh.triangles) {
    out.u8(3);
    for (const std::uint32_t index : triangle) out.u32(index);
  }
  out.commit();
}

}  // namespace scree::io::codec
