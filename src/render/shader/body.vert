#include "frame.glsl"

layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 colour;
layout(location = 3) in vec4 water;  // on it: cover, depth, velocity
out vec3 body_normal;
out vec4 body_colour;
out vec4 body_water;
#ifdef SAWN
layout(location = 4) in uint face;
out vec3 body_place;
flat out uint body_face;
#endif

void main() {
  body_normal = normal;
  body_colour = colour;
  body_water = water;
#ifdef SAWN
  body_place = place;
  body_face = face;
#endif
  gl_Position = projected(place);
}
