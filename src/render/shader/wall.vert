#include "frame.glsl"
#include "land.glsl"

uniform int side_of_block;  // north, east, south, west

// A strip from the rim to the foot.
void main() {
  int n = gl_VertexID / 2;
  ivec2 last = ivec2(cells.xy) - 1;
  ivec2 cell = side_of_block == 0   ? ivec2(n, 0)
               : side_of_block == 1 ? ivec2(last.x, n)
               : side_of_block == 2 ? ivec2(n, last.y)
                                    : ivec2(0, n);
  float z = gl_VertexID % 2 == 0 ? texelFetch(surface_map, cell, 0).r : block.z;
  vec2 xy = (vec2(cell) - 0.5 * (cells.xy - 1.0)) * cells.zw;
  gl_Position = projected(vec3(xy.x, -xy.y, z));
}
