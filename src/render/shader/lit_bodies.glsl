// How lit a place is by the lamps of lights.glsl; for fragments.
#include "lights.glsl"

// Different for neighbouring samples, so that few look like many.
float turn_here() {
  return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
}

float sun_at(vec3 p, vec3 normal) {
  vec3 at = lamp_place(0, p + normal * middle.w * 0.004);
  float seen = 0.0, angle = 6.2832 * turn_here();
  for (int i = 0; i < 8; ++i) {
    float r = sqrt((float(i) + 0.5) / 8.0) * 0.0022;
    float a = angle + 2.3999632 * float(i);
    seen += texture(sun_map, vec3(at.xy + r * vec2(cos(a), sin(a)), at.z - 0.0006));
  }
  return seen / 8.0;
}

// Light of the open part of the sky on a surface.
vec3 sky_on(vec3 p, vec3 normal, vec3 zenith, vec3 horizon) {
  vec3 light = vec3(0.0);
  float turn = 6.2832 * turn_here();
  vec2 jitter = 0.0035 * vec2(cos(turn), sin(turn));
  vec3 from = p + normal * middle.w * 0.012;
  for (int i = 0; i < sky_lamps; ++i) {
    vec3 at = lamp_place(i + 1, from);
    float facing = max(dot(normal, lamps[i].xyz), 0.0);
    float seen = texture(lamp_maps, vec4(at.xy + jitter, float(i), at.z - 0.003));
    light += mix(horizon, zenith, lamps[i].z) * (lamps[i].w * facing * seen);
  }
  return light;
}
