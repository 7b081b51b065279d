// Boulders as triangles, for pictures and meshes of a terrain that stones lie on.
#pragma once

#include <cstdint>
#include <vector>

#include "io/mesh.h"

namespace scree::surface {

struct BoulderShape {
  io::Mesh::Vector middle;
  float radius = 1;
  std::uint32_t seed = 0;  // which faces it has
};

// Adds a closed, convex surface for each: a ball of its radius from which a few faces are cut, so
// that it touches the ball and never leaves it. Fewer triangles each where there are many.
void add_boulders(io::Mesh& mesh, const std::vector<BoulderShape>& boulders,
                  const io::Mesh::Colour& colour);

}  // namespace scree::surface
