// Shades bodies: triangles with colours, as stone, and what water stands on them.
#include "frame.glsl"
#include "sky.glsl"
#include "land.glsl"
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

struct Stone {
  float tone;  // of its colour
  vec3 bump;
};

// Bare rock from three sides: grain, beds that follow its height, and streaks down its walls.
Stone wall_of(vec3 p, vec3 n, float period, float footprint) {
  vec3 w = abs(n);
  w = w * w * w * w;
  w /= w.x + w.y + w.z;
  vec4 x = noise_at(rock_tile, p.yz, period, footprint), y = noise_at(rock_tile, p.xz, period, footprint),
       z = noise_at(rock_tile, p.xy, period, footprint);
  vec4 fine_x = noise_at(gravel_tile, p.yz, 0.31 * period, footprint),
       fine_y = noise_at(gravel_tile, p.xz, 0.31 * period, footprint);
  vec4 grain = w.x * x + w.y * y + w.z * z;
  float fine = w.x * fine_x.w + w.y * fine_y.w + w.z * z.w;
  Stone stone;
  stone.bump = w.x * vec3(0.0, x.xy + 0.4 * fine_x.xy) + w.y * vec3(y.x + 0.4 * fine_y.x, 0.0, y.y + 0.4 * fine_y.y) +
               w.z * vec3(z.xy, 0.0);
  stone.tone = mix(0.74, 1.16, 0.6 * grain.z + 0.4 * fine) * mix(0.88, 1.12, grain.w);

  float metres = block.w / 14.0;
  // A slow bend: beds that swirl are the rings of a tree.
  float bend = noise_at(soil_tile, p.xy, 4.0 * period, max(footprint, 0.12 * period)).z - 0.5;
  float level = p.z + bend * metres * 1.2;
  vec4 bed = noise_at(soil_tile, vec2(0.31 * metres, level), metres * 6.0, max(footprint, 0.03 * metres));
  vec4 seam = noise_at(rock_tile, vec2(0.77 * metres, level * 1.5), metres * 3.0, max(footprint, 0.03 * metres));
  float streak = (w.x * noise_at(soil_tile, vec2(p.y, p.z * 0.1), 0.8 * period, footprint).w +
                  w.y * noise_at(soil_tile, vec2(p.x, p.z * 0.1), 0.8 * period, footprint).w) / max(w.x + w.y, 1e-3);
  stone.tone *= mix(0.6, 1.18, smoothstep(0.36, 0.62, 0.6 * bed.z + 0.4 * seam.z)) * mix(0.8, 1.12, smoothstep(0.3, 0.7, streak));
  stone.bump.z += 1.3 * bed.y + 0.8 * seam.y;
  return stone;
}

// What lies on level ground: dust and small stones.
Stone floor_of(vec3 p, float period, float footprint) {
  mat2 turn = mat2(0.8, 0.6, -0.6, 0.8);
  vec4 wide = noise_at(soil_tile, turn * p.xy, 1.7 * period, footprint);
  vec4 stones = noise_at(gravel_tile, turn * p.yx, 0.35 * period, footprint);
  Stone stone;
  stone.tone = mix(0.84, 1.12, 0.6 * wide.w + 0.4 * stones.w);
  stone.bump = vec3(0.45 * wide.xy + 0.5 * stones.xy, 0.0);
  return stone;
}

// Land that is made of cells: rock where it is steep, broken rock below that, dust where it lies
// level. What is coarser than a cell is the land's own; texture begins there.
Stone land_of(vec3 p, vec3 n, float cell, float footprint, out vec3 tint) {
  vec3 w = abs(n);
  w = w * w * w * w;
  w /= w.x + w.y + w.z;
  vec4 wide = noise_at(soil_tile, p.xy, 290.0 * cell, footprint);
  vec3 bump = vec3(0.0);
  vec2 tone = vec2(0.0);
  for (int i = 0; i < 2; ++i) {
    float period = (i == 0 ? 58.0 : 15.0) * cell;
    vec4 x = noise_at(rock_tile, p.yz, period, footprint), y = noise_at(rock_tile, p.xz + 0.37 * period, period, footprint),
         z = noise_at(rock_tile, p.xy + 0.71 * period, period, footprint);
    bump += w.x * vec3(0.0, x.xy) + w.y * vec3(y.x, 0.0, y.y) + w.z * vec3(z.xy, 0.0);
    tone += (w.x * x + w.y * y + w.z * z).zw;
  }
  mat2 turn = mat2(0.8, 0.6, -0.6, 0.8);
  vec4 gravel = noise_at(gravel_tile, turn * p.xy, 19.0 * cell, footprint);
  vec4 soft = noise_at(soil_tile, turn * p.yx, 43.0 * cell, footprint);

  // Beds in beds: thin ones stand out and throw a shadow of their own.
  float metres = block.w / 14.0;
  float level = p.z + (noise_at(soil_tile, p.xy, 120.0 * cell, max(footprint, 5.0 * cell)).z - 0.5) * metres;
  float blur = max(footprint * max(1.0 - n.z, 0.2), 0.02 * metres);
  vec4 bed = noise_at(soil_tile, vec2(0.31 * metres, level), metres * 5.0, blur);
  vec4 seam = noise_at(rock_tile, vec2(0.77 * metres, level), metres * 2.2, blur);
  float streak = (w.x * noise_at(soil_tile, vec2(p.y, p.z * 0.12), 34.0 * cell, footprint).w +
                  w.y * noise_at(soil_tile, vec2(p.x, p.z * 0.12), 34.0 * cell, footprint).w) / max(w.x + w.y, 1e-3);

  float rough = 0.5 * (tone.x - 1.0) + 0.3 * (wide.z - 0.5);
  float rocky = 1.0 - smoothstep(0.62, 0.82, n.z + 0.25 * rough);
  float broken = 1.0 - smoothstep(0.84, 0.95, n.z + 0.12 * rough);
  Stone rock, ground, stone;
  rock.tone = mix(0.62, 1.22, 0.5 * tone.x) * mix(0.86, 1.12, 0.5 * tone.y) *
              mix(0.7, 1.14, smoothstep(0.36, 0.62, 0.55 * bed.z + 0.45 * seam.z)) * mix(0.86, 1.08, smoothstep(0.3, 0.7, streak));
  rock.bump = 0.75 * bump + vec3(0.0, 0.0, 0.9 * bed.y + 0.9 * seam.y);
  ground.tone = mix(0.8, 1.16, 0.4 * soft.w + 0.35 * wide.z + 0.25 * gravel.w) * mix(1.0, mix(0.76, 1.1, gravel.w), 0.6 * broken);
  ground.bump = vec3(0.4 * soft.xy + mix(0.25, 0.45, broken) * gravel.xy, 0.0) + 0.2 * bump * broken;
  stone.tone = mix(ground.tone, rock.tone, rocky);
  stone.bump = mix(ground.bump, rock.bump, rocky);
  // Stretches of it are paler, warmer and darker than others.
  vec4 region = noise_at(soil_tile, turn * p.xy, 900.0 * cell, footprint);
  float pale = smoothstep(0.25, 0.75, 0.45 * region.w + 0.35 * wide.w + 0.2 * soft.z);
  tint = mix(vec3(0.80, 0.80, 0.84), vec3(1.10, 1.07, 1.02), pale);
  return stone;
}

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
void look_below(inout Water water, Ripples ripples, inout vec3 p, inout vec3 colour) {
  vec2 shift = refracted_shift(water, ripples, water.depth);
  vec4 there = projected(p + vec3(shift, 0.0));
  vec2 size = vec2(across.w, upward.w);
  ivec2 at = ivec2(clamp((there.xy / there.w * 0.5 + 0.5) * size, vec2(0.0), size - 1.0));
  vec4 known = texelFetch(waters, at, 0);
  if (known.x < 0.5) return;
  water.depth = known.y;
  colour = texelFetch(colours, at, 0).rgb;
  p += vec3(shift, -known.y);
}

// What of the picture is seen in the water: along a ray from it, what it passes behind. w is 1 if
// there is something.
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
    float seen_depth = texelFetch(depths, at, 0).r, behind = there.w - seen_depth;
    if (behind > 0.0 && behind < 0.5 * far + 0.01 * middle.w && texelFetch(waters, at, 0).x < 0.5) {
      vec3 n = normalize(texelFetch(normals, at, 0).xyz * 2.0 - 1.0);
      vec3 lamp = lamp_place(0, eye.xyz + ray_at(vec2(at) + 0.5) * seen_depth + n * middle.w * 0.01);
      float sunlit = texture(sun_map, vec3(lamp.xy, lamp.z - 0.002)) * max(dot(n, sun.xyz), 0.0);
      vec3 light = sun_light.rgb * (sunlit + 0.05) + 0.8 * sky_on_open(n);
      return vec4(pow(texelFetch(colours, at, 0).rgb, vec3(2.2)) * light, 1.0);
    }
    far *= 1.22;
  }
  return vec4(0.0);
}

// A lake that was cut: its water from the side.
vec3 cut_water(vec3 light) { return vec3(0.026, 0.066, 0.082) * (light + 0.4); }
#endif

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float depth = texelFetch(depths, at, 0).r;
  vec3 ray = ray_at(gl_FragCoord.xy);
  vec3 p = eye.xyz + ray * depth;
  vec3 n = normalize(texelFetch(normals, at, 0).xyz * 2.0 - 1.0);
  vec3 given = texelFetch(colours, at, 0).rgb;
  float footprint = depth * forward.w * 1.3, seen = sun_at(p, n, false);
  vec3 stone_at = p;
#ifdef WATER
  vec4 known = texelFetch(waters, at, 0);
  float cover = smoothstep(0.3, 0.6, known.x), top = smoothstep(0.2, 0.5, n.z);
  Water water;
  Ripples ripples;
  if (cover * top > 0.0) {
    vec3 level = normalize(mix(vec3(0.0, 0.0, 1.0), n, 0.6));
    float sky = sky_on(p, vec3(0.0, 0.0, 1.0)).w;
    water = Water(p, -normalize(ray), footprint, known.y, known.zw, level, min(sky, 1.0), seen);
    ripples = ripples_of(water);
    look_below(water, ripples, stone_at, given);
  }
#endif

  vec3 rough, albedo = pow(given, vec3(2.2));
  float open = 1.0;
  if (cells.w > 0.0) {
    vec3 tint;
    Stone land = land_of(stone_at, n, cells.w, footprint, tint);
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

  float facing = max(dot(rough, sun.xyz), 0.0) * smoothstep(-0.1, 0.15, dot(n, sun.xyz));
  vec3 light = sun_light.rgb * facing * seen * mix(1.0, open, 0.3) +
               sky_on(p, normalize(mix(n, rough, 0.5))).rgb * 1.15 * open;
  // From the plain below, which is pale, and from the body itself.
  light += sun_light.rgb * (0.075 * (0.5 - 0.5 * n.z) + 0.025) * open;
  vec3 colour = albedo * light;
#ifdef WATER
  if (cover > 0.0) {
    vec3 wet = cut_water(light);
    if (top > 0.0) wet = mix(wet, water_over(colour, body_toward(p, mirrored_way(water, ripples)), water, ripples), top);
    colour = mix(colour, wet, cover);
  }
#endif
  shaded = vec4(filmic(through_air(colour, p)), 1.0);
}
