// Fluxes as checkpoints of water on layers keep them: without the halo, but for those edges of it
// that lead into the terrain, with which a field has a column or a row more, or both.
#pragma once

#include <cstddef>

#include "kernel/common/compat.h"

namespace scree {

struct FluxEdges {
  const char* field;
  int west, east, north;  // columns and rows of the halo
};
constexpr FluxEdges flux_edges[] = {
    {"flux.x", 1, 0, 0}, {"flux.y", 0, 0, 1}, {"flux.se", 1, 0, 1}, {"flux.sw", 0, 1, 1}};

// Calls visit(element of the whole buffer) for each edge, row by row.
template <class Visit>
void each_edge(const Grid& g, const FluxEdges& e, Visit&& visit) {
  for (int y = -e.north; y < g.height; ++y)
    for (int x = -e.west; x < g.width + e.east; ++x)
      visit(static_cast<std::size_t>(cell_index(g, x, y)));
}

}  // namespace scree
