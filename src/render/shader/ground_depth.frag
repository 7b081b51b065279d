#include "frame.glsl"
#include "cliffs.glsl"
#ifdef HOLES
#include "land.glsl"
#include "holes.glsl"
#endif

in vec2 moved;
layout(location = 0) out float depth;
layout(location = 1) out vec2 move;

void main() {
  depth = eye.w / gl_FragCoord.z;
  move = packed_move(moved);
#ifdef HOLES
  if (!on_ground((eye.xyz + ray_at(gl_FragCoord.xy) * depth).xy)) discard;
#endif
}
