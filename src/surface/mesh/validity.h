// Is a mesh the surface of a solid?
#pragma once

#include <cstddef>
#include <string>

#include "data/mesh.h"

namespace scree::surface {

// What keeps a mesh from being closed, oriented and a 2-manifold; all zero where it is one.
struct MeshFaults {
  std::size_t degenerate = 0;  // triangles with a corner twice
  std::size_t open = 0;        // edges with a triangle on one side only
  std::size_t crowded = 0;     // edges that two triangles have in the same direction
  std::size_t pinched = 0;     // vertices whose triangles are more than one fan
  std::size_t unused = 0;      // vertices without a triangle

  bool none() const { return degenerate + open + crowded + pinched + unused == 0; }
  std::string summary() const;
};

// By the corners' numbers alone: where vertices lie does not matter.
MeshFaults find_faults(const Mesh& mesh);

double area(const Mesh& mesh);
// Enclosed, positive where triangles face outwards; of closed meshes only.
double volume(const Mesh& mesh);

}  // namespace scree::surface
