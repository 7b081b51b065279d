#include "frame.glsl"
#ifndef HOLES
#include "land.glsl"
#endif

layout(location = 0) out float depth;

#ifndef HOLES
// How many pixels wide the side of the block is from its rim to its foot; less than 0 from behind.
float pixels_wide(vec3 p) {
  vec2 past = abs(p.xy) - block.xy, out_of = past.x > past.y ? vec2(sign(p.x), 0.0) : vec2(0.0, sign(p.y));
  float facing = dot(eye.xy, out_of) - dot(block.xy, abs(out_of));
  float high = surface_at(clamp(p.xy, -block.xy, block.xy)) - block.z;
  vec3 toward = eye.xyz - p, along = vec3(out_of.y, -out_of.x, 0.0);
  return high * facing / (length(toward) * length(cross(toward, along)) * forward.w * sky_even.w);
}
#endif

void main() {
  depth = eye.w / gl_FragCoord.z;
#ifndef HOLES
  // What is seen so much aslant that it is narrower than two pixels would be a dotted line.
  if (pixels_wide(eye.xyz + ray_at(gl_FragCoord.xy) * depth) < 2.0) discard;
#endif
}
