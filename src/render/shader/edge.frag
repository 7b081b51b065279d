// Edges of triangles, over what is there.
#ifdef HOLES
#include "frame.glsl"
#include "land.glsl"
#include "holes.glsl"
#endif

layout(location = 0) out vec4 shaded;

void main() {
#ifdef HOLES
  if (!on_ground((eye.xyz + ray_at(gl_FragCoord.xy) * (eye.w / gl_FragCoord.z)).xy)) discard;
#endif
  shaded = vec4(0.012, 0.014, 0.02, 0.62);
}
