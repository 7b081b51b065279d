// Shades the samples of a heightfield's surface.
#include "frame.glsl"
#include "land.glsl"
#include "water.glsl"

layout(binding = 5) uniform sampler2D depths;
layout(location = 0) out vec4 shaded;

struct Point {
  vec3 place;
  vec3 view;        // toward the eye
  float depth;
  float footprint;  // metres a sample is wide
  vec3 normal;      // of the cells
  float slope;      // its tangent
  float lie;        // the slope of the ground around, without the bumps of a cell or two
  vec2 fall;        // downhill there
  float sky;        // share in view
  float sun;        // share in view
};

Point point_here() {
  Point p;
  p.depth = texelFetch(depths, ivec2(gl_FragCoord.xy), 0).r;
  vec3 ray = ray_at(gl_FragCoord.xy);
  p.place = eye.xyz + ray * p.depth;
  p.view = -normalize(ray);
  p.footprint = p.depth * forward.w * 1.3;
  vec2 place = (map_place(p.place.xy) * cells.xy * cells.zw) / (light_map.xy * light_map.zw);
  vec4 light = textureLod(light_maps, place, log2(max(p.footprint / light_map.z, 1e-6)));
  p.normal = normalize(vec3(-light.xy, 1.0));
  // What lies on a slope knows nothing of how its heights are drawn.
  p.slope = length(light.xy) / heights.y;
  p.fall = -textureLod(light_maps, place, log2(max(p.footprint / light_map.z, 1.0)) + 1.6).xy / heights.y;
  p.lie = length(p.fall);
  p.sky = light.z;
  float altitude = asin(sun.z);
  p.sun = smoothstep(-sun.w, sun.w, altitude - atan(light.w));
  return p;
}

struct Matter {
  vec3 albedo;
  vec3 normal;
  float open;  // 1 on grains, less between them
};

// Rock from three sides, so that cliffs are not smeared.
vec4 rock_noise(Point p, float period, out vec3 bump) {
  vec3 w = abs(p.normal);
  w = w * w * w * w;
  w /= w.x + w.y + w.z;
  vec4 x = noise_at(rock_tile, p.place.yz, period, p.footprint);
  vec4 y = noise_at(rock_tile, p.place.xz + 0.37 * period, period, p.footprint);
  vec4 z = noise_at(rock_tile, p.place.xy + 0.71 * period, period, p.footprint);
  bump = -(w.x * vec3(0.0, x.xy) + w.y * vec3(y.x, 0.0, y.y) + w.z * vec3(z.xy, 0.0));
  return w.x * x + w.y * y + w.z * z;
}

// Rills and tongues of debris down a slope; drawn in a few directions and blended, as a pattern that
// turns from place to place would be torn. Slope across them, and how light they are.
const float rill_turns = 14.0;
vec4 rills_along(Point p, float direction) {
  float angle = direction * 6.2831853 / rill_turns;
  vec2 along = vec2(cos(angle), sin(angle)), across = vec2(-along.y, along.x);
  vec2 place = vec2(0.2 * dot(p.place.xy, along), dot(p.place.xy, across)) + 0.61 * direction * cells.z;
  vec4 rill = noise_at(rock_tile, place, 26.0 * cells.z, p.footprint);
  return vec4(across * rill.y, rill.zw);
}
vec4 rills(Point p) {
  float turn = atan(p.fall.y, p.fall.x) / 6.2831853 * rill_turns;
  return mix(rills_along(p, floor(turn)), rills_along(p, floor(turn) + 1.0), smoothstep(0.25, 0.75, fract(turn)));
}

const vec2 wind = vec2(0.83, -0.56);

// Sand in long waves across the wind, steep on their lee: slope along the wind, and height.
vec2 dunes(Point p, float bend) {
  float metres = 6.0 * cells.z;
  float phase = 6.2832 * (dot(p.place.xy, wind) / metres + 3.0 * bend);
  float seen = smoothstep(0.35, 0.15, p.footprint / metres);
  return seen * vec2(cos(phase) + 0.6 * cos(2.0 * phase), sin(phase) + 0.3 * sin(2.0 * phase));
}

Matter matter_of(Point p, vec4 made) {
  float cell = cells.z;
  vec4 wide = noise_at(soil_tile, p.place.xy, 310.0 * cell, p.footprint);
  vec3 bump_wide, bump_near;
  vec4 rock_wide = rock_noise(p, 61.0 * cell, bump_wide);
  vec4 rock_near = rock_noise(p, 13.0 * cell, bump_near);
  mat2 turn = mat2(0.8, 0.6, -0.6, 0.8);
  vec4 gravel = noise_at(gravel_tile, turn * p.place.xy, 17.0 * cell, p.footprint);
  vec4 soft = noise_at(soil_tile, turn * p.place.yx, 37.0 * cell, p.footprint);

  float level = (p.place.z / heights.y + heights.x - heights.z) /
                max(heights.w - heights.z, 0.05 * cells.z);  // of level ground, what rounding leaves is no height
  float rough = 0.55 * (rock_wide.z - 0.5) + 0.3 * (rock_near.z - 0.5) + 0.5 * (wide.z - 0.5);
  // Materials lie in stretches: a bump of a cell is none of its own.
  float lie = mix(p.slope, p.lie, 0.65);
  float rocky = smoothstep(0.55, 0.73, mix(p.slope, p.lie, 0.35) + 0.9 * rough + 0.22 * made.y);
  float screed = smoothstep(0.33, 0.47, lie + 0.5 * rough) * (1.0 - 0.6 * made.x);
  // What was laid down thins out in tongues and patches, not along a line.
  float ragged = 0.55 * (wide.z - 0.5) + 0.5 * (soft.z - 0.5) + 0.3 * (gravel.w - 0.5);
  float sandy = smoothstep(0.38, 0.66, made.x + ragged) * smoothstep(0.0, 0.2, made.x) * smoothstep(0.55, 0.2, p.slope);
  // Where it is dry, sand lies on all low and level ground, and the wind has been at it.
  float drift = sand.w * smoothstep(0.24, 0.08, p.lie) * smoothstep(0.62, 0.3, level + 0.5 * ragged);
  sandy = max(sandy, drift);
  vec2 dune = dunes(p, wide.w + 0.5 * soft.w) * drift * smoothstep(0.3, 0.65, wide.z);

  vec3 bed = beds(p.place, wide.w - 0.5, p.footprint);
  vec4 rill = rills(p);
  float run = smoothstep(0.08, 0.3, p.lie) * smoothstep(1.6, 0.9, p.lie);
  vec3 rock_colour = bedded_rock(bed.x) * bed.z * mix(0.72, 1.22, rock_near.z * 0.5 + rock_wide.w * 0.5);
  vec3 soil_colour = mix(soil.rgb, soil_high.rgb, clamp(level * 1.3 + 0.7 * (wide.w - 0.5), 0.0, 1.0));
  // Hollows keep what is dark and fine, crests are bare.
  soil_colour *= mix(0.7, 1.26, 0.45 * soft.w + 0.35 * wide.z + 0.2 * gravel.w) * mix(0.8, 1.06, smoothstep(0.8, 1.0, p.sky));
  vec3 scree_colour = mix(scree.rgb, bedded_rock(bed.x), 0.25) * mix(0.74, 1.16, gravel.w);
  soil_colour *= mix(1.0, mix(0.74, 1.2, rill.z), run);
  scree_colour *= mix(1.0, mix(0.72, 1.22, rill.z), run);
  vec3 sand_colour = sand.rgb * mix(0.86, 1.1, soft.w) * (1.0 + 0.1 * dune.y);

  Matter m;
  m.albedo = mix(soil_colour, scree_colour, screed);
  m.albedo = mix(m.albedo, sand_colour, sandy);
  m.albedo = mix(m.albedo, rock_colour, rocky);
  vec3 bump = mix(-vec3(soft.xy, 0.0) * 0.5, -vec3(gravel.xy, 0.0) * 0.75, screed * (1.0 - sandy));
  bump.xy -= 0.26 * dune.x * wind + 0.5 * run * rill.xy;
  vec3 bump_rock = 1.1 * bump_wide + 0.9 * bump_near;
  bump_rock.z += 0.5 * rock.w * bed.y * p.slope;
  bump = mix(bump, bump_rock, rocky);
  m.open = mix(mix(0.9, 1.0, soft.z), mix(0.72, 1.0, gravel.z), screed);
  m.open = mix(m.open, mix(0.62, 1.0, rock_near.z * 0.6 + rock_wide.z * 0.5), rocky);

  // Snow lies on what is high and not too steep, and fills hollows first.
  float line = rock_warm.w + 0.16 * (wide.w - 0.5) + 0.1 * (rock_wide.z - 0.5);
  float snowy = smoothstep(line, line + 0.09, level - 0.16 * max(0.0, p.slope - 0.55)) *
                smoothstep(1.35, 0.75, p.slope + 0.5 * rough);
  // It ends at stones and blades, not in a mist.
  snowy = smoothstep(0.38, 0.62, snowy + 0.5 * (rock_near.z - 0.5) + 0.3 * (gravel.z - 0.5) * step(0.01, snowy));
  m.albedo = mix(m.albedo, vec3(0.78, 0.80, 0.83), snowy);
  bump = mix(bump, -vec3(soft.xy, 0.0) * 0.22, snowy);
  m.open = mix(m.open, 1.0, snowy);

  // Wet ground is darker (Lekner & Dorf 1988).
  m.albedo *= mix(1.0, 0.62, made.z * (1.0 - snowy) * smoothstep(0.9, 0.3, p.slope));
  m.normal = normalize(p.normal + bump);
  return m;
}

vec3 lit(Point p, Matter m) {
  float facing = max(dot(m.normal, sun.xyz), 0.0) * smoothstep(-0.05, 0.12, dot(p.normal, sun.xyz));
  float open = p.sky * p.sky;
  vec3 sky = sky_light.rgb * open * (0.55 + 0.45 * m.normal.z) * m.open;
  // Light that other slopes send back: where less sky is seen, more of them are.
  vec3 around = sun_light.rgb * 0.11 * (1.0 - open) * vec3(1.0, 0.9, 0.78) + sun_light.rgb * 0.035;
  return m.albedo * (sun_light.rgb * facing * p.sun * mix(1.0, m.open, 0.4) + sky + around * m.open);
}

Water water_here(Point p, vec4 known) {
  vec3 level = normalize(mix(vec3(0.0, 0.0, 1.0), p.normal, 0.7));
  return Water(p.place, p.view, p.footprint, known.y, known.zw, level, p.sky, p.sun);
}

// The ground that is seen through water lies elsewhere, by as much as the ray is bent: its place,
// and how deep it is there.
Point ground_below(Point p, inout Water water, Ripples ripples) {
  vec2 shift = refracted_shift(water, ripples, water.depth * heights.y);
  // Toward the shore it rises.
  float there = textureLod(water_map, map_place(p.place.xy + shift), 0.0).y;
  shift *= clamp(there / max(water.depth, 1e-3), 0.0, 1.0);
  p.place.xy = clamp(p.place.xy + shift, -block.xy, block.xy);
  water.depth = textureLod(water_map, map_place(p.place.xy), 0.0).y;
  p.place.z -= water.depth * heights.y;
  return p;
}

const float shore_cover = 0.45;

void main() {
  Point p = point_here();
  float level = log2(max(p.footprint / cells.z, 1e-6));
  vec4 known = textureLod(water_map, map_place(p.place.xy), level) * water_look.y;
  // Crisp where a cell is many samples wide.
  float soft = clamp(0.22 * p.footprint / cells.z, 0.03, 0.2);
  float cover = smoothstep(shore_cover - soft, shore_cover + soft, known.x);
  Water water = water_here(p, known);
  Ripples ripples;
  Point ground = p;
  if (cover > 0.0) {
    ripples = ripples_of(water);
    ground = ground_below(p, water, ripples);
  }
  vec4 made = textureLod(matter_map, map_place(ground.place.xy), level);
  vec3 colour = lit(ground, matter_of(ground, made));
  if (cover > 0.0) colour = mix(colour, water_over(colour, water, ripples), cover);
  shaded = vec4(filmic(through_air(colour, p.depth, p.place.z)), 1.0);
}
