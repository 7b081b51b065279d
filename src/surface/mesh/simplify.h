// Fewer triangles for nearly the same surface, in an order that graphics hardware likes.
#pragma once

#include <cstddef>

#include "data/mesh.h"

namespace scree::surface {

struct Simplified {
  Mesh mesh;
  double error = 0;  // metres that the surface moved at most, as the simplifier estimates it
};

// False in a build without meshoptimizer, in which simplify() throws.
bool can_simplify();

// Collapses edges, those that move the surface least first, until no more than `triangles` are
// left. Vertices on an open edge stay where they are, so that neighbouring tiles still meet; where
// that leaves nothing to collapse, the result has more triangles than asked for. Vertices keep
// their normals and colours. What is closed and a 2-manifold stays so: where collapsed edges bring
// sheets together they are cut apart, each with vertices of its own (manifold.h). Triangles and
// vertices come out in the order of their use.
Simplified simplify(const Mesh& mesh, std::size_t triangles);

}  // namespace scree::surface
