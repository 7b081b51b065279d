// How lit a place is by the lamps of lights.glsl; for fragments.
#include "lights.glsl"
#include "turn.glsl"

// Share of the sun that a place sees past what stands in its light. The sun is a disc: first the mean
// distance of what hides some of it, then how much of the disc is hidden, as wide as it is seen past
// that (Fernando 2005). So an edge widens with the distance of what throws it.
// farthest: take the farthest of what hides some of it instead of the mean. On a plain that is far
// from all bodies, what is near to it and what is far then fade alike, without a corner between.
float sun_at(vec3 p, vec3 normal, bool farthest) {
  const int looks = 12, most = 14;
  const float texel = 1.0 / 2048.0;
  vec3 at = lamp_place(0, p + normal * middle.w * 0.003);
  // How the receiving face itself falls away from the lamp, across its map.
  vec3 turned = vec3(dot(normal, axes[0].xyz), dot(normal, axes[1].xyz), dot(normal, axes[2].xyz)) * middle.w;
  vec2 fall = clamp(turned.xy / max(turned.z, 0.2), -3.0, 3.0);
  float angle = 6.2832 * turn_here(), reach = min(at.z * sun.w, 0.03), gap = 0.0, hiding = 0.0, most_gap = 0.0;
  for (int i = 0; i < looks; ++i) {
    // Most of them close by, where also what is near itself stands before the disc.
    float r = pow((float(i) + 0.5) / float(looks), 1.7) * reach, a = angle + 2.3999632 * float(i);
    vec2 off = r * vec2(cos(a), sin(a));
    float above = min(at.z + dot(off, fall), 1.0) - textureLod(sun_depths, at.xy + off, 0.0).r;
    // What is nearer than this stands beside the disc, not before it.
    float before = step(0.0008, above) * step(r / sun.w, above + texel / sun.w);
    gap += before * above;
    hiding += before;
    most_gap = max(most_gap, before * above);
  }
  if (hiding == 0.0) return texture(sun_map, vec3(at.xy, at.z - 0.0006));
  float wide = clamp((farthest ? most_gap : gap / hiding) * sun.w, (farthest ? 3.0 : 1.2) * texel, reach), seen = 0.0;
  for (int i = 0; i < most; ++i) {
    float r = sqrt((float(i) + 0.5) / float(most)) * wide, a = angle + 2.3999632 * float(i);
    vec2 off = r * vec2(cos(a), sin(a));
    seen += texture(sun_map, vec3(at.xy + off, min(at.z + dot(off, fall), 1.0) - 0.0006));
  }
  return seen / float(most);
}

// Light of the open part of the sky on a surface; w: what share of it is open.
vec4 sky_on(vec3 p, vec3 normal) {
  vec4 light = vec4(0.0);
  float turn = 6.2832 * turn_here();
  vec2 jitter = 0.0035 * vec2(cos(turn), sin(turn));
  vec3 from = p + normal * middle.w * 0.012;
  for (int i = 0; i < sky_lamps; ++i) {
    vec3 at = lamp_place(i + 1, from);
    float facing = max(dot(normal, lamps[i].xyz), 0.0);
    float seen = texture(lamp_maps, vec4(at.xy + jitter, float(i), at.z - 0.003));
    light += vec4(lamp_light[i].rgb, lamps[i].w) * (facing * seen);
  }
  return light;
}
