// Shades the samples of a heightfield's surface.
#include "frame.glsl"
#include "sky.glsl"
#include "land.glsl"
#include "point.glsl"
#include "matter.glsl"
#ifdef WATER
#include "water.glsl"
#include "mirror_land.glsl"
#endif

layout(location = 0) out vec4 shaded;

vec3 lit(Point p, Matter m) {
  // Light goes into snow and comes out beside: it fades slowly from light to shade.
  float facing = max((dot(m.normal, sun.xyz) + m.deep) / (1.0 + m.deep), 0.0) * smoothstep(-0.05, 0.12, dot(p.normal, sun.xyz));
  float open = p.sky * p.sky;
  vec3 sky = sky_on_open(m.normal) * open * m.open;
  // Light that other slopes send back: where less sky is seen, more of them are.
  vec3 around = sun_light.rgb * 0.16 * (1.0 - open) * vec3(1.0, 0.9, 0.78) + sun_light.rgb * 0.04;
  return m.albedo * (sun_light.rgb * facing * p.sun * mix(1.0, m.open, 0.4) + sky + around * m.open);
}

#ifdef WATER
Water water_here(Point p, vec4 known) {
  // Of a lake, what the last wave left is no slope of its own.
  // Nor has one that is deeper than a cell is wide.
  float runs = smoothstep(0.03, 0.2, p.slope) * falling(0.5, 2.0, known.y / cells.z);
  vec3 level = normalize(mix(vec3(0.0, 0.0, 1.0), p.normal, 0.7 * runs));
  return Water(p.place, p.view, p.footprint, known.y, known.zw, level, p.sky, p.sun);
}

// The ground that is seen through water lies elsewhere, by as much as the ray is bent: its place,
// and how deep it is there.
Point ground_below(Point p, inout Water water, Ripples ripples) {
  vec2 shift = refracted_shift(water, ripples, water.depth * heights.y);
  // Toward the shore it rises.
  float there = textureLod(water_map, map_place(p.on_map + shift), 0.0).y;
  shift *= clamp(there / max(water.depth, 1e-3), 0.0, 1.0);
  p.place.xy = clamp(p.place.xy + shift, -block.xy, block.xy);
  p.on_map = clamp(p.on_map + shift, -block.xy, block.xy);
  water.depth = textureLod(water_map, map_place(p.on_map), 0.0).y;
  p.place.z -= water.depth * heights.y;
  return p;
}

const float shore_cover = 0.45;
#endif

void main() {
  Point p = point_here(), ground = p;
  float level = log2(max(p.footprint / cells.z, 1e-6));
#ifdef WATER
  vec4 known = textureLod(water_map, map_place(p.on_map), level) * water_look.y;
  // Crisp where a cell is many samples wide.
  float soft = clamp(0.22 * p.footprint / cells.z, 0.03, 0.2);
  // What runs down a wall is spray: no sheet of it stands there.
  float cover = smoothstep(shore_cover - soft, shore_cover + soft, known.x) * (1.0 - 0.85 * smoothstep(1.3, 2.6, p.slope));
  Water water = water_here(p, known);
  Ripples ripples;
  if (cover > 0.0) {
    ripples = ripples_of(water);
    ground = ground_below(p, water, ripples);
  }
#endif
  vec4 made = textureLod(matter_map, map_place(ground.on_map), level);
  vec3 colour = lit(ground, matter_of(ground, made));
#ifdef WATER
  if (cover > 0.0) {
    vec4 mirrored = land_toward(p.place, mirrored_way(water, ripples), p.footprint);
    colour = mix(colour, water_over(colour, mirrored, water, ripples), cover);
  }
#endif
  shaded = vec4(filmic(through_air(colour, p.place)), 1.0);
}
