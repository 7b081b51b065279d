#include "frame.glsl"
#ifdef SAWN
#include "sawn.glsl"
in vec3 body_place;
flat in uint body_face;
#endif

in vec3 body_normal;
in vec4 body_colour;
in vec4 body_water;
layout(location = 0) out float depth;
layout(location = 1) out vec4 normal;
layout(location = 2) out vec4 colour;
layout(location = 3) out vec4 water;

void main() {
  depth = eye.w / gl_FragCoord.z;
  normal = vec4(normalize(body_normal) * 0.5 + 0.5, 1.0);
  colour = body_colour;
  water = body_water;
#ifdef SAWN
  if (body_face > 0u) sawn_at(body_face - 1u, body_place, depth * forward.w, colour, water);
#endif
}
