// Pictures of solids of layers show the flat faces of their block, and where it was cut, as a saw
// leaves them: with edges, and each bed to its very border.
#pragma once

#include <cstdint>
#include <vector>

#include "io/mesh/mesh.h"
#include "render/look/picture_scene.h"
#include "surface/layers/layer_solid.h"
#include "terrain/layers/layers.h"

namespace scree {

// The flat faces of a solid, whose vertices are the first of its mesh: after them comes what lies
// on it.
struct SolidFaces {
  std::vector<surface::SawnFace> all = {};
  std::size_t vertices = 0;
};

// Which faces each vertex lies on: a bit each.
std::vector<std::uint8_t> faces_at(const Mesh& mesh, const std::vector<surface::SawnFace>& faces);

// Edges of a solid are bevelled from its outermost columns to its faces: those columns' vertices
// are moved onto the faces. Of faces that are aslant to the columns the ends are moved to their
// corners, and their rims to the height of the ground there. cell_z: metres between samples up a
// column, as the mesh was made.
void sharpen_edges(Mesh& mesh, const std::vector<surface::SawnFace>& faces, const LayerShape& shape,
                   double cell_z);

// What a picture knows of the faces; their triangles get vertices of their own.
render::Sawn saw(Mesh& mesh, const SolidFaces& solid, const LayerShape& shape);

}  // namespace scree
