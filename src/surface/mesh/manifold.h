// Closed surfaces that touch themselves, made 2-manifolds.
#pragma once

#include "data/mesh.h"

namespace scree::surface {

// The same closed surface such that each edge has two triangles and each vertex one fan of them:
// vertices in one place become one, triangles without an area or with another on their back go, and
// where what is left still meets at a vertex or along an edge, each side gets vertices of its own
// (cutting: Guéziec et al. 1998), such that the solid is cut apart there. Where the surface is
// open, it stays open.
Mesh as_manifold(const Mesh& mesh);

}  // namespace scree::surface
