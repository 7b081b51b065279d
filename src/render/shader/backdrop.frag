// What is behind: sky above, and a plain on which the block stands in its own shadow.
#include "frame.glsl"
#include "land.glsl"

#ifdef BODIES
#include "lit_bodies.glsl"
#endif

layout(location = 0) out vec4 shaded;

#ifndef BODIES
// Share of the sun that a place on the plain sees past the block.
float sun_past_block(vec3 p) {
  vec3 slow = max(abs(sun.xyz), 1e-5) * (step(0.0, sun.xyz) * 2.0 - 1.0);
  vec2 a = (-block.xy - p.xy) / slow.xy, b = (block.xy - p.xy) / slow.xy;
  vec2 near = min(a, b), far = max(a, b);
  float from = max(max(near.x, near.y), 0.0), to = min(far.x, far.y);
  to = min(to, (block.w - p.z) / slow.z);
  if (from >= to) return 1.0;
  float seen = 1.0;
  const int steps = 48;
  // A different start for each sample: what steps miss is grain, not a staircase.
  float start = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  for (int i = 0; i < steps; ++i) {
    float t = mix(from, to, (float(i) + start) / float(steps));
    vec3 q = p + sun.xyz * t;
    seen = min(seen, (q.z - surface_at(q.xy)) / (t * 2.0 * sun.w + 1e-3) * 0.5 + 0.5);
  }
  return smoothstep(0.0, 1.0, clamp(seen, 0.0, 1.0));
}
#endif

// What lights the plain there.
vec3 light_on_plain(vec3 p, float size) {
#ifdef BODIES
  vec3 up = vec3(0.0, 0.0, 1.0);
  float open = smoothstep(1.0, 1.35, length(p.xy - middle.xy) / middle.w);
  vec3 sky = mix(sky_on(p, up, sky_light.rgb, sky_light.rgb), sky_light.rgb, open);
  return sun_light.rgb * sun.z * sun_at(p, up) + sky;
#else
  float past = length(max(abs(p.xy) - block.xy, 0.0));
  float touching = exp(-past / (0.05 * size)) * 0.55 + exp(-past / (0.3 * size)) * 0.25;
  vec3 light = sun_light.rgb * sun.z * sun_past_block(p) + sky_light.rgb * (1.0 - touching);
  return light * (1.0 - 0.35 * touching);
#endif
}

void main() {
  vec3 ray = ray_at(gl_FragCoord.xy);
  vec3 colour = sky_in(normalize(ray));
  if (ray.z < -1e-4) {
    float depth = (block.z - eye.z) / ray.z;
    vec3 p = eye.xyz + ray * depth;
    float size = max(max(block.x, block.y), 0.6 * (block.w - block.z));
    vec3 ground = vec3(0.52, 0.505, 0.48) * light_on_plain(p, size);
    float away = 1.0 - exp(-pow(length(p.xy) / (3.2 * size), 2.0));
    colour = mix(ground, air.rgb, depth > 0.0 ? away : 1.0);
  }
  shaded = vec4(filmic(colour), 1.0);
}
