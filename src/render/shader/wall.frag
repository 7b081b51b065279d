// Shades the sides of the block that is cut out of the ground: beds of rock, and water in section.
#include "frame.glsl"
#include "sky.glsl"
#include "land.glsl"
#ifdef HOLES
#include "holes.glsl"
#endif

layout(binding = 5) uniform sampler2D depths;
layout(location = 0) out vec4 shaded;

void main() {
  float depth = texelFetch(depths, ivec2(gl_FragCoord.xy), 0).r;
  vec3 p = eye.xyz + ray_at(gl_FragCoord.xy) * depth;
  vec2 past = abs(p.xy) - block.xy;
  bool east_or_west = past.x > past.y;
  vec3 normal = east_or_west ? vec3(sign(p.x), 0.0, 0.0) : vec3(0.0, sign(p.y), 0.0);
#ifdef HOLES
  if (max(past.x, past.y) < -0.2 * cells.z) {
    normal = vec3(away_from_ground(p.xy), 0.0);
    east_or_west = abs(normal.x) > abs(normal.y);
  }
#endif
  vec2 inside = clamp(p.xy, -block.xy, block.xy);
  float footprint = depth * forward.w * 1.3;
  float along = east_or_west ? p.y : p.x;

  float rim = surface_at(inside);
#ifdef WATER
  vec4 water = texture(water_map, map_place(inside)) * water_look.y;
  float ground = rim - water.x * water.y * heights.y;
#else
  float ground = rim;
#endif
  vec4 rough = noise_at(rock_tile, vec2(along, p.z), 47.0 * cells.z, footprint);
  vec4 grain = noise_at(rock_tile, vec2(along, p.z) + 3.0 * cells.z, 13.0 * cells.z, footprint);
  // The beds are those that the ground shows on its cliffs.
  vec4 wide = stretches(inside, footprint);
  float below = ground - p.z;
  vec3 bed = beds(vec3(inside, p.z), wide.w - 0.5, footprint);
  vec3 albedo = bedded_rock(bed.x) * bed.z * mix(0.68, 1.12, 0.55 * rough.z + 0.45 * grain.z);
  float loose = soil.w * (1.2 + 2.0 * wide.z);
  albedo = mix(soil.rgb * 0.55, albedo, smoothstep(0.4 * loose, loose, below));
  vec2 rise = rough.xy + 0.8 * grain.xy + vec2(0.0, 0.5 * rock.w * bed.y);
  vec3 bump = east_or_west ? vec3(0.0, rise) : vec3(rise.x, 0.0, rise.y);
  normal = normalize(normal - 0.4 * bump);

  float foot = smoothstep(0.0, 0.5, (p.z - block.z) / max(rim - block.z, 1.0));
  vec3 light = sun_light.rgb * max(dot(normal, sun.xyz), 0.0) +
               sky_on_open(normal) * mix(0.6, 1.0, foot) + sun_light.rgb * (0.07 + 0.16 * sun.z) * vec3(1.0, 0.92, 0.8);
  vec3 colour = albedo * light;
#ifdef WATER
  vec3 in_water = mix(vec3(0.042, 0.105, 0.125), vec3(0.010, 0.032, 0.045),
                      smoothstep(0.0, 1.0, (rim - p.z) / (water_look.x * heights.y)));
  colour = mix(colour, in_water * (light + 0.4), smoothstep(0.0, 0.15 * cells.z, p.z - ground) * step(0.5, water.x));
#endif
  shaded = vec4(filmic(through_air(colour, p)), 1.0);
}
