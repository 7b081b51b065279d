#include "frame.glsl"
#include "land.glsl"

// A block of the grid: its first column and row, its step in cells, and the step of its neighbours
// to the west, east, north and south.
layout(location = 0) in ivec3 block_place;
layout(location = 1) in ivec4 neighbour_step;
uniform int side;  // vertices along a block's side
layout(binding = 6) uniform sampler2D moved_map;
out vec2 moved;  // half cells
out vec3 away;   // from the eye

void main() {
  ivec2 at = ivec2(gl_VertexID % side, gl_VertexID / side) * block_place.z;
  int whole = (side - 1) * block_place.z;
  // A border follows the coarser of its two blocks, so that no gap opens between them.
  int along_y = at.x == 0 ? neighbour_step.x : at.x == whole ? neighbour_step.y : 1;
  int along_x = at.y == 0 ? neighbour_step.z : at.y == whole ? neighbour_step.w : 1;
  at -= ivec2(along_x > block_place.z ? at.x % along_x : 0,
              along_y > block_place.z ? at.y % along_y : 0);
  ivec2 cell = min(block_place.xy + at, ivec2(cells.xy) - 1);
  float z = texelFetch(surface_map, cell, 0).r;
  vec2 xy = (vec2(cell) - 0.5 * (cells.xy - 1.0)) * cells.zw;
  // Of most grounds no vertex is moved: their map is one cell.
  moved = texelFetch(moved_map, min(cell, textureSize(moved_map, 0) - 1), 0).rg;
  vec3 place = vec3(vec2(xy.x, -xy.y) + 0.5 * cells.zw * moved, z);
  away = place - eye.xyz;
  gl_Position = projected(place);
}
