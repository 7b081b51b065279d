// Stands in for mesh_glb.cpp in a build without tinygltf; check_mesh_name has refused before this.
#include "base/error.h"
#include "io/mesh/mesh_codec.h"

namespace scree::io::codec {

bool have_glb() { return false; }

void write_glb(const std::filesystem::path& path, std::span<const Mesh>) {
  throw Error(text(path.string(), ": GLB needs tinygltf, and scree was built without tinygltf"));
}

Mesh read_glb(const std::filesystem::path& path, std::string_view) {
  throw Error(text(path.string(), ": GLB needs tinygltf, and scree was built without tinygltf"));
}

}  // namespace scree::io::codec
