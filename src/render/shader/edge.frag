// Edges of triangles, over what is there.
#include "frame.glsl"
#ifdef HOLES
#include "land.glsl"
#include "holes.glsl"
#endif

layout(binding = 5) uniform sampler2D depths;
layout(location = 0) out vec4 shaded;

// How much farther what is seen becomes within a sample of here, on the side where that is less: over
// the other side an edge of something may stand.
float steepness(ivec2 at, ivec2 way, float here) {
  ivec2 last = textureSize(depths, 0) - 1;
  float a = texelFetch(depths, clamp(at + way, ivec2(0), last), 0).r, b = texelFetch(depths, clamp(at - way, ivec2(0), last), 0).r;
  return min(abs(a - here), abs(b - here));
}

// A line's samples are beside it by up to one: it is in front of a steep face, or in it, if it is so by
// what that face falls away over a sample. How steep the line's own face is does not matter: one that
// is seen edge-on would shine through everything.
bool hidden(float depth) {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float seen = texelFetch(depths, at, 0).r;
  return depth > seen * 1.00002 + steepness(at, ivec2(1, 0), seen) + steepness(at, ivec2(0, 1), seen);
}

void main() {
  float depth = eye.w / gl_FragCoord.z;
#ifdef HOLES
  if (!on_ground((eye.xyz + ray_at(gl_FragCoord.xy) * depth).xy)) discard;
#endif
  if (hidden(depth)) discard;
  shaded = vec4(0.012, 0.014, 0.02, 0.62);
}
