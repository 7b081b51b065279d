// The only file that knows meshoptimizer.
#include "surface/mesh/simplify.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "surface/mesh/manifold.h"
#include "surface/mesh/validity.h"

namespace scree::surface {
namespace {

static_assert(sizeof(Mesh::Triangle) == 3 * sizeof(unsigned) &&
              sizeof(Mesh::Vector) == 3 * sizeof(float));

unsigned* indices_of(Mesh& mesh) { return mesh.triangles.data()->data(); }

// Beyond any error that a surface can have: the number of triangles alone decides.
constexpr float any_error = 1e6F;

double collapse_edges(Mesh& mesh, std::size_t triangles) {
  const float* positions = mesh.positions.data()->data();
  const std::size_t stride = sizeof(Mesh::Vector);
  std::vector<Mesh::Triangle> fewer(mesh.triangles.size());
  float error = 0;
  const std::size_t left = meshopt_simplify(
      fewer.data()->data(), indices_of(mesh), 3 * mesh.triangles.size(), positions,
      mesh.positions.size(), stride, 3 * triangles, any_error, meshopt_SimplifyLockBorder, &error);
  // A closed mesh can be collapsed to nothing, which is nobody's wish.
  if (left == 0) return 0;
  fewer.resize(left / 3);
  mesh.triangles = std::move(fewer);
  return static_cast<double>(error) *
         static_cast<double>(meshopt_simplifyScale(positions, mesh.positions.size(), stride));
}

Simplified collapsed(const Mesh& mesh, std::size_t triangles) {
  Simplified result{mesh, 0};
  result.error = collapse_edges(result.mesh, triangles);
  return result;
}

// Collapsed edges can bring sheets of a closed surface together, at a point or along a line. To cut
// them apart may take triangles, of which the simplifier then has to leave fewer.
Simplified collapsed_manifold(const Mesh& mesh, std::size_t triangles) {
  constexpr int attempts = 4;
  std::size_t wanted = triangles;
  Simplified best{mesh, 0};
  for (int i = 0; i < attempts; ++i) {
    Simplified found = collapsed(mesh, wanted);
    found.mesh = as_manifold(found.mesh);
    const std::size_t left = found.mesh.triangles.size();
    if (left > 0 && left < best.mesh.triangles.size()) best = std::move(found);
    if (left <= triangles || left - triangles >= wanted) break;
    wanted -= left - triangles;
  }
  return best;
}

template <class Value>
void reorder(std::vector<Value>& values, const std::vector<unsigned>& remap, std::size_t used) {
  if (values.empty()) return;
  std::vector<Value> ordered(used);
  meshopt_remapVertexBuffer(ordered.data(), values.data(), values.size(), sizeof(Value),
                            remap.data());
  values = std::move(ordered);
}

// Vertices that are near in time are near in memory; those without a triangle are gone.
void order_by_use(Mesh& mesh) {
  const std::size_t count = 3 * mesh.triangles.size(), vertices = mesh.positions.size();
  meshopt_optimizeVertexCache(indices_of(mesh), indices_of(mesh), count, vertices);
  std::vector<unsigned> remap(vertices);
  const std::size_t used =
      meshopt_optimizeVertexFetchRemap(remap.data(), indices_of(mesh), count, vertices);
  meshopt_remapIndexBuffer(indices_of(mesh), indices_of(mesh), count, remap.data());
  reorder(mesh.positions, remap, used);
  reorder(mesh.normals, remap, used);
  reorder(mesh.colours, remap, used);
}

}  // namespace

bool can_simplify() { return true; }

Simplified simplify(const Mesh& mesh, std::size_t triangles) {
  Simplified result{mesh, 0};
  if (mesh.triangles.empty()) return result;
  if (mesh.triangles.size() > std::numeric_limits<unsigned>::max() / 3)
    throw Error(text("a mesh of ", mesh.triangles.size(),
                     " triangles is too large to simplify: take a level first"));
  if (triangles < mesh.triangles.size())
    result =
        find_faults(mesh).none() ? collapsed_manifold(mesh, triangles) : collapsed(mesh, triangles);
  order_by_use(result.mesh);
  return result;
}

}  // namespace scree::surface
