#include "frame.glsl"

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
}
