#include "frame.glsl"
#ifdef HOLES
#include "land.glsl"
#include "holes.glsl"
#endif

layout(location = 0) out float depth;

void main() {
  depth = eye.w / gl_FragCoord.z;
#ifdef HOLES
  if (!on_ground((eye.xyz + ray_at(gl_FragCoord.xy) * depth).xy)) discard;
#endif
}
