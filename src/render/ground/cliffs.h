// Inside render: cliffs no wider than a cell. A grid draws their edges as steps from cell to cell;
// the eye expects the curve that those steps follow.
#pragma once

#include <cstdint>
#include <vector>

namespace scree::render {

// Heights as they are drawn, in metres; no NaN.
struct DrawnHeights {
  const std::vector<float>& surface;
  const std::vector<float>& smooth;  // the same without what is as small as a few cells
  int width = 0;
  int height = 0;
  float dx = 1;
  float dy = 1;
};

// A cell at the upper or the lower edge of a cliff.
struct CliffCell {
  std::uint32_t index = 0;
  bool upper = false;
  bool corner = false;  // of two straight walls
  float share = 0;      // how much of it is a cliff's edge, 0 to 1
  // Where the curve is higher, of length 1, and how far the vertex has to be moved that way to lie
  // on it, in metres.
  float up_east = 0;
  float up_north = 0;
  float moved = 0;
};

// In the order of cells; none at the border of the land.
std::vector<CliffCell> cliff_cells(const DrawnHeights& drawn);

// What light makes of so many cells: of the sky a share, of the sun the tangent of the horizon
// below it.
struct CellLight {
  std::vector<float>& values;
  int width = 0;
  int height = 0;
};

// The steps of a cliff's edge hide neither the sky nor the sun from each other: along an edge each
// cell sees as much sky as those beside it; of the sun the lower one sees what the ground before it
// does, and the upper one what those beside or behind it do.
void light_cliffs_by_sky(const std::vector<CliffCell>& cliffs, const CellLight& sky);
void light_cliffs_by_sun(const std::vector<CliffCell>& cliffs, const CellLight& sun);

// Tangents of horizons, as far above and below the sun as matters: where they leap from cell to
// cell, the edge of the shadow is then midway between what is lit and what is not. Degrees.
class SunReach {
 public:
  SunReach(double altitude, double softness);
  void keep_within(std::vector<float>& sun) const;

  // The edge of what something sharp throws runs in steps too: where horizons leap, they become
  // means of those around; but not at the upper edges of cliffs, below which all may be dark.
  void even(std::vector<float>& sun, int width, int height,
            const std::vector<CliffCell>& cliffs) const;

 private:
  float low_ = 0;
  float high_ = 0;
};

}  // namespace scree::render
