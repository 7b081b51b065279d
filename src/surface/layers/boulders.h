// Boulders as triangles, for pictures and meshes of a terrain that stones lie on.
#pragma once

#include <cstdint>
#include <vector>

#include "data/mesh.h"

namespace scree::surface {

struct BoulderShape {
  Mesh::Vector middle;
  float radius = 1;
  std::uint32_t seed = 0;  // which faces it has
};

// Adds a closed, convex surface for each: a block within the ball of its radius, which it touches,
// with faces and a shade of its own. Fewer triangles each where there are many.
void add_boulders(Mesh& mesh, const std::vector<BoulderShape>& boulders,
                  const Mesh::Colour& colour);

}  // namespace scree::surface
