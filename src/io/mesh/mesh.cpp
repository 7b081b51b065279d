#include "io/mesh/mesh.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/error.h"
#include "io/file/ending.h"
#include "io/mesh/mesh_codec.h"

namespace scree::io {
namespace {

// Vertices and triangles are counted from 1, as lines are.
void check_vectors(const std::string& path, const char* what,
                   const std::vector<Mesh::Vector>& vectors,
                   float most = std::numeric_limits<float>::max()) {
  const auto bad = std::find_if_not(vectors.begin(), vectors.end(), [&](const Mesh::Vector& v) {
    return std::all_of(v.begin(), v.end(), [&](float value) { return std::abs(value) <= most; });
  });
  if (bad == vectors.end()) return;
  throw Error(text(path, ": ", what, " of vertex ", bad - vectors.begin() + 1, ": expected ",
                   most < 1e30F ? text("numbers up to ", most) : "finite numbers", ", found ",
                   (*bad)[0], ", ", (*bad)[1], ", ", (*bad)[2]));
}

void check_count(const std::string& path, const char* what, std::size_t count,
                 std::size_t vertices) {
  if (count != 0 && count != vertices)
    throw Error(
        text(path, ": expected none or ", vertices, " ", what, ", one a vertex, found ", count));
}

void check_mesh(const std::string& path, const Mesh& mesh) {
  const std::size_t vertices = mesh.positions.size();
  if (mesh.triangles.empty())
    throw Error(text(path, ": expected at least one triangle, found none"));
  check_count(path, "normals", mesh.normals.size(), vertices);
  check_count(path, "colours", mesh.colours.size(), vertices);
  check_vectors(path, "position", mesh.positions);
  check_vectors(path, "normal", mesh.normals);
  if (vertices == 0) throw Error(text(path, ": expected vertices, found none"));
  // As the file counts them.
  const std::size_t first = ending_of(path) == ".obj" ? 1 : 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (const std::uint32_t index : mesh.triangles[i])
      if (index >= vertices)
        throw Error(text(path, ": triangle ", i + 1, ": expected vertices ", first, " to ",
                         vertices - 1 + first, ", found ", index + first));
}

}  // namespace

const std::vector<std::string>& mesh_endings() {
  static const std::vector<std::string> endings = {".obj", ".ply", ".stl", ".glb"};
  return endings;
}

void check_mesh_name(const std::string& path) {
  const std::string ending = ending_of(path);
  const std::vector<std::string>& known = mesh_endings();
  if (std::find(known.begin(), known.end(), ending) == known.end())
    throw UsageError(text(path, ": expected a name that ends in .obj, .ply, .stl or .glb"));
  if (ending == ".glb" && !codec::have_glb())
    throw Error(text(path, ": GLB needs tinygltf, and scree was built without tinygltf"));
}

void write_mesh(const std::string& path, const Mesh& mesh) {
  check_mesh_name(path);
  check_mesh(path, mesh);
  const std::string ending = ending_of(path);
  if (ending == ".obj") codec::write_obj(path, mesh);
  if (ending == ".ply") codec::write_ply(path, mesh);
  if (ending == ".stl") codec::write_stl(path, mesh);
  if (ending == ".glb") codec::write_glb(path, {&mesh, 1});
}

Mesh read_mesh(const std::string& path) {
  check_mesh_name(path);
  const std::string bytes = read_file(path), ending = ending_of(path);
  Mesh mesh = ending == ".obj"   ? codec::read_obj(path, bytes)
              : ending == ".ply" ? codec::read_ply(path, bytes)
              : ending == ".stl" ? codec::read_stl(path, bytes)
                                 : codec::read_glb(path, bytes);
  check_mesh(path, mesh);
  // Squares of lengths, and what is made of them, are to stay within floats.
  check_vectors(path, "position", mesh.positions, 1e12F);
  return mesh;
}

void write_mesh_levels(const std::string& path, std::span<const Mesh> levels) {
  check_mesh_name(path);
  if (!holds_levels(path))
    throw UsageError(text(path, ": expected a name that ends in .glb, which holds several levels"));
  if (levels.empty()) throw Error(text(path, ": expected at least one level, found none"));
  for (const Mesh& mesh : levels) check_mesh(path, mesh);
  codec::write_glb(path, levels);
}

bool holds_levels(const std::string& path) { return ending_of(path) == ".glb"; }
bool holds_colours(const std::string& path) { return ending_of(path) != ".stl"; }
bool has_y_up(const std::string& path) { return ending_of(path) == ".glb"; }

}  // namespace scree::io
