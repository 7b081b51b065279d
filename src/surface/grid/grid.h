// A heightfield as triangles: vertices at cell centres, two triangles between four of them.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "data/mesh.h"
#include "terrain/heights/hydrology.h"

namespace scree::surface {

// The most that a grid of this size has, before any memory is asked for; less where there is
// nodata.
struct GridCounts {
  std::size_t vertices = 0;
  std::size_t triangles = 0;
};
GridCounts grid_counts(int width, int height, int level);

// Every 2^level-th of `count` columns or rows, and always the last, so that the extent stays.
std::vector<int> kept_lines(int count, int level);

// Whether a rectangle is split from its north-west corner; heights of the corners from there on,
// counter-clockwise seen from above.
bool splits_north_west(const std::array<float, 4>& z);

// x is east and y north of the raster's middle, halfway between its outer cell centres: coordinates
// on Earth are too large for floats. z is the height. Rectangles are split along their shorter
// diagonal, of two alike the lower; one with a corner without data is one triangle, with more of
// them a hole. Vertices without a triangle are left out. Normals follow from the heights of the
// neighbours that are kept.
Mesh grid_mesh(const HeightView& view, int level = 0);

}  // namespace scree::surface
