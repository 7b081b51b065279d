#include "frame.glsl"
#ifdef HOLES
#include "land.glsl"
#include "holes.glsl"
#endif

in vec2 moved;
in vec3 away;
layout(location = 0) out float depth;
layout(location = 1) out vec4 drawn;  // how far the place was moved, in half cells, and the slope of its triangle

void main() {
  depth = eye.w / gl_FragCoord.z;
  vec3 normal = cross(dFdx(away), dFdy(away));
  drawn = vec4(moved, min(length(normal.xy) / max(abs(normal.z), 1e-30), 6e4), 0.0);
#ifdef HOLES
  if (!on_ground((eye.xyz + ray_at(gl_FragCoord.xy) * depth).xy)) discard;
#endif
}
