// Inside render: a ground as the maps that its picture is shaded from. No OpenGL in here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/ground/cliffs.h"
#include "render/ground/holes.h"
#include "render/look/picture_scene.h"
#include "render/look/vector.h"

namespace scree::render {

// Heights are above `low`, exaggerated; cells are those of the ground.
struct GroundMaps {
  int width = 0;
  int height = 0;
  float dx = 1;
  float dy = 1;
  float zero = 0;  // the height that became 0, metres
  float exaggeration = 1;
  float high = 1;      // of the surface
  float base = 0;      // foot of the block that is cut out of the ground; below 0
  float tint_low = 0;  // heights at the ends of a palette
  float tint_high = 1;
  float water_deep = 1;              // metres; here water has its full colour
  bool has_water = false;            // that is shown
  std::vector<float> surface;        // bed, or water where that is seen
  std::vector<float> water;          // four a cell: cover, depth, velocity east and north
  std::vector<std::uint8_t> matter;  // four a cell: deposit, wear, wetness, hollow
  std::vector<CliffCell> cliffs;     // whose vertices are moved

  // Where there is no data, all maps hold what is nearest: no triangle of the ground is there, but
  // those at the rim reach for it where they are looked at from afar.
  Solid solid;
  bool has_holes() const { return !solid.cells.empty(); }

  // What light makes of it, on cells that may be `light_step` times as wide.
  int light_step = 1;
  int light_width = 0;
  int light_height = 0;
  std::vector<float> light;  // four a cell: rise eastward and northward, share of the sky in view,
                             //   tangent of the horizon toward the sun

  // The same horizon as seen from the plain around the block, as far as its shadow reaches.
  int plain_width = 0;
  int plain_height = 0;
  float plain_west = 0;  // of its first cell's middle, metres from the block's
  float plain_north = 0;
  float plain_cell = 1;
  std::vector<float> plain;
  std::vector<float> plain_past;  // metres from there to the ground; only beside holes
};

GroundMaps ground_maps(const Ground& ground, const Look& look);

// Another sun: the horizons toward it, on the ground and on the plain, and nothing else.
void light_by_sun(GroundMaps& maps, const Look& look);

// Other water, as it runs and as it stands, on the bed that the maps were made of, with the same
// look but for its sun. False where the surface has stayed what it was to the bit, and with it
// all that follows from it: cliffs, hollows and light. UsageError for a ground of other cells.
bool change_water(GroundMaps& maps, const Ground& ground, const Look& look);

// Of the surface there, between its cells; of the plain beside it and in its holes.
double height_at(const GroundMaps& maps, double x, double y);

// Points that outline the block: its foot, its rim, and the tops of what stands on it.
std::vector<Vec3> outline(const GroundMaps& maps);

}  // namespace scree::render
