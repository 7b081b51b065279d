#include "frame.glsl"

layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 colour;  // a: water on it
out vec3 body_normal;
out vec4 body_colour;

void main() {
  body_normal = normal;
  body_colour = colour;
  gl_Position = projected(place);
}
