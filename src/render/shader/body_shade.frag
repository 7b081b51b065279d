// Shades bodies: triangles with colours, as stone, and what water stands on them.
#include "frame.glsl"
#include "sky.glsl"
#include "land.glsl"
#include "stone.glsl"
#include "lit_bodies.glsl"
#ifdef WATER
#include "water.glsl"
#endif

layout(binding = 5) uniform sampler2D depths;
layout(binding = 8) uniform sampler2D normals;
layout(binding = 9) uniform sampler2D colours;
#ifdef WATER
layout(binding = 11) uniform sampler2D waters;
#endif
layout(location = 0) out vec4 shaded;

// Share of the sky that what is near leaves open: as far as `reach` metres, among what is seen.
float open_near(vec3 p, vec3 n, float depth, float reach) {
  const int tries = 14;
  float pixels = clamp(reach / (depth * forward.w), 4.0, 90.0), hidden = 0.0, angle = 6.2832 * turn_here();
  ivec2 last = textureSize(depths, 0) - 1;
  for (int i = 0; i < tries; ++i) {
    float share = (float(i) + 0.5) / float(tries), a = angle + 2.3999632 * float(i);
    ivec2 q = clamp(ivec2(gl_FragCoord.xy + pixels * share * vec2(cos(a), sin(a))), ivec2(0), last);
    vec3 away = eye.xyz + ray_at(vec2(q) + 0.5) * texelFetch(depths, q, 0).r - p;
    float far = length(away);
    hidden += max(dot(n, away) / max(far, 1e-6) - 0.1, 0.0) * (1.0 - smoothstep(0.6 * reach, 1.8 * reach, far));
  }
  return clamp(1.0 - 2.0 * hidden / float(tries), 0.2, 1.0);
}

#ifdef WATER
// The ground that is seen through water is where a bent ray meets it, in this picture, if that shows
// water there too.
void look_below(inout Water water, Ripples ripples, inout vec3 p, inout vec4 colour) {
  vec2 shift = refracted_shift(water, ripples, water.depth);
  vec4 there = projected(p + vec3(shift, 0.0));
  vec2 size = vec2(across.w, upward.w);
  ivec2 at = ivec2(clamp((there.xy / there.w * 0.5 + 0.5) * size, vec2(0.0), size - 1.0));
  vec4 known = texelFetch(waters, at, 0);
  if (known.x < 0.5) return;
  water.depth = known.y;
  colour = texelFetch(colours, at, 0);
  p += vec3(shift, -known.y);
}

// What of the picture is seen in the water: along a ray from it, what it passes behind. w is 1 if
// there is something, and less as far away as such a look may go.
vec4 body_toward(vec3 from, vec3 way) {
  const int steps = 24;
  vec2 size = vec2(across.w, upward.w);
  float far = 0.01 * middle.w, jitter = 0.5 + 0.5 * turn_here();
  for (int i = 0; i < steps; ++i) {
    vec3 p = from + way * (far * jitter);
    vec4 there = projected(p);
    vec2 place = there.xy / there.w;
    if (there.w <= 0.0 || any(greaterThan(abs(place), vec2(1.0)))) break;
    ivec2 at = ivec2((place * 0.5 + 0.5) * size);
    float across_picture = length(vec2(at) - gl_FragCoord.xy) / air.w;
    if (across_picture > 1.0) break;
    float seen_depth = texelFetch(depths, at, 0).r, behind = there.w - seen_depth;
    if (behind > 0.0 && behind < 0.5 * far + 0.01 * middle.w && texelFetch(waters, at, 0).x < 0.5) {
      vec3 n = normalize(texelFetch(normals, at, 0).xyz * 2.0 - 1.0);
      vec3 lamp = lamp_place(0, eye.xyz + ray_at(vec2(at) + 0.5) * seen_depth + n * middle.w * 0.01);
      float sunlit = textureLod(sun_map, vec3(lamp.xy, lamp.z - 0.002), 0.0) * max(dot(n, sun.xyz), 0.0);
      vec3 light = sun_light.rgb * (sunlit + 0.05) + 0.8 * sky_on_open(n);
      return vec4(pow(texelFetch(colours, at, 0).rgb, vec3(2.2)) * light, 1.0 - smoothstep(0.7, 1.0, across_picture));
    }
    far *= 1.22;
  }
  return vec4(0.0);
}

// A lake that was cut: its water from the side.
vec3 cut_water(float depth, vec3 light) {
  return mix(vec3(0.042, 0.105, 0.125), vec3(0.012, 0.036, 0.052), smoothstep(0.0, 1.0, depth / water_look.x)) * (light + 0.4);
}
#endif

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float depth = texelFetch(depths, at, 0).r;
  vec3 ray = ray_at(gl_FragCoord.xy);
  vec3 p = eye.xyz + ray * depth;
  vec3 n = normalize(texelFetch(normals, at, 0).xyz * 2.0 - 1.0);
  vec4 given = texelFetch(colours, at, 0);
  float footprint = depth * forward.w * 1.3, seen = sun_at(p, n, false);
  vec3 stone_at = p;
#ifdef WATER
  vec4 known = texelFetch(waters, at, 0);
  float cover = smoothstep(0.3, 0.6, known.x), top = smoothstep(0.2, 0.5, n.z);
  bool open_water = cover > 0.0 && top > 0.0;
  Water water;
  Ripples ripples;
  if (open_water) {
    vec3 level = normalize(mix(vec3(0.0, 0.0, 1.0), n, 0.6));
    float sky = sky_on(p, vec3(0.0, 0.0, 1.0)).w;
    water = Water(p, -normalize(ray), footprint, known.y, known.zw, level, min(sky, 1.0), seen);
    ripples = ripples_of(water);
    look_below(water, ripples, stone_at, given);
  }
#endif

  vec3 rough, albedo = pow(given.rgb, vec3(2.2));
  float open = 1.0;
  if (cells.w > 0.0) {
    vec3 tint;
    Stone land = land_of(stone_at, n, given.a, cells.w, footprint, tint);
    rough = normalize(n - land.bump);
    albedo *= land.tone * tint;
    open = open_near(p, n, depth, 7.0 * cells.w);
  } else {
    Stone wall = wall_of(stone_at, n, cells.z, footprint), floor_stone = floor_of(stone_at, cells.z, footprint);
    // Sand lies at up to some 35 degrees.
    float flat_ground = smoothstep(0.62, 0.78, n.z);
    rough = normalize(n - mix(0.62 * wall.bump, floor_stone.bump, flat_ground));
    albedo *= mix(wall.tone, floor_stone.tone, flat_ground);
  }

#ifdef WATER
  // Water from the side has no grain.
  rough = normalize(mix(rough, n, cover * (1.0 - top)));
#endif
  float facing = max(dot(rough, sun.xyz), 0.0) * smoothstep(-0.1, 0.15, dot(n, sun.xyz));
  vec3 light = sun_light.rgb * facing * seen * mix(1.0, open, 0.3) +
               sky_on(p, normalize(mix(n, rough, 0.5))).rgb * 1.15 * open;
  // From the plain below, which is pale, and from the body itself.
  light += sun_light.rgb * (0.075 * (0.5 - 0.5 * n.z) + 0.025) * open;
  vec3 colour = albedo * light;
#ifdef WATER
  if (cover > 0.0) {
    vec3 wet = cut_water(known.y, light);
    if (open_water) wet = mix(wet, water_over(colour, body_toward(p, mirrored_way(water, ripples)), water, ripples), top);
    colour = mix(colour, wet, cover);
  }
#endif
  shaded = vec4(filmic(through_air(colour, p)), 1.0);
}
