// Colours of a heightfield's cells on the vertices of its mesh, whatever its detail.
#pragma once

#include <span>

#include "data/mesh.h"
#include "terrain/heights/hydrology.h"

namespace scree::surface {

// Of any mesh whose vertices are those of grid_mesh(view): some, or all. `rgb` is three bytes a
// cell, as render's pictures are. A vertex has the mean colour of the cells up to half its shortest
// edge away: its own at full detail, and, from afar, no brook that it happens to lie in. So tiles
// whose borders have every vertex have equal colours there.
void colour_grid(Mesh& mesh, const HeightView& view, std::span<const unsigned char> rgb);

}  // namespace scree::surface
