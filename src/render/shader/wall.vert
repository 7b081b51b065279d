#include "frame.glsl"
#include "land.glsl"

float rim_at(ivec2 cell) { return texelFetch(surface_map, cell, 0).r; }

#ifdef HOLES
layout(location = 0) in vec4 piece;  // of the rim: columns and rows of both its ends

// From there to the foot.
void main() {
  vec2 at = gl_VertexID / 2 == 0 ? piece.xy : piece.zw;
  ivec2 cell = ivec2(at);
  float z = rim_at(cell);
  // In the middle of a square the ground is that between two corners.
  if (at != vec2(cell)) z = 0.5 * (rim_at(cell + ivec2(1, 0)) + rim_at(cell + ivec2(0, 1)));
#else
uniform ivec3 piece;  // side of the block (north, east, south, west), first column or row, step in cells

// A strip from the rim to the foot, in the steps in which the ground is drawn beside it.
void main() {
  int n = piece.y + gl_VertexID / 2 * piece.z;
  ivec2 last = ivec2(cells.xy) - 1;
  ivec2 cell = min(piece.x == 0   ? ivec2(n, 0)
                   : piece.x == 1 ? ivec2(last.x, n)
                   : piece.x == 2 ? ivec2(n, last.y)
                                  : ivec2(0, n),
                   last);
  vec2 at = vec2(cell);
  float z = rim_at(cell);
#endif
  if (gl_VertexID % 2 == 1) z = block.z;
  vec2 xy = (at - 0.5 * (cells.xy - 1.0)) * cells.zw;
  gl_Position = projected(vec3(xy.x, -xy.y, z));
}
