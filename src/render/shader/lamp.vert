// Bodies as a lamp sees them.
#include "lights.glsl"

layout(location = 0) in vec3 place;
uniform int lamp;

void main() {
  vec3 at = lamp_place(lamp, place);
  gl_Position = vec4(at.xy * 2.0 - 1.0, at.z, 1.0);
}
