// What is behind: sky above, and a plain on which the block stands in its own shadow.
#include "frame.glsl"
#include "sky.glsl"
#include "land.glsl"

#ifdef BODIES
#include "lit_bodies.glsl"
#endif

layout(location = 0) out vec4 shaded;

#ifndef BODIES
layout(binding = 12) uniform sampler2D plain_map;

// Metres from a place on the plain to the block, or to what holes leave of it.
#ifdef HOLES
layout(binding = 15) uniform sampler2D plain_past;
float past_block(vec2 p) {
  vec2 size = vec2(textureSize(plain_past, 0)), cell = vec2(p.x - plain.x, plain.y - p.y) / plain.z;
  vec2 within = clamp(cell, vec2(0.0), size - 1.0);
  return textureLod(plain_past, (within + 0.5) / size, 0.0).r + length(cell - within) * plain.z;
}
#else
float past_block(vec2 p) { return length(max(abs(p) - block.xy, 0.0)); }
#endif

// What the horizon toward the sun leaves of its disc there.
float sun_over_horizon(vec2 p) {
  vec2 cell = vec2(p.x - plain.x, plain.y - p.y) / plain.z;
  float rise = textureLod(plain_map, (cell + 0.5) / vec2(textureSize(plain_map, 0)), 0.0).r;
  return smoothstep(-sun.w, sun.w, asin(sun.z) - atan(rise));
}

// Share of the sun that a place on the plain sees past the block. Horizons are those straight toward
// the middle of the disc: its width across is looked at from as far to both sides.
float sun_past_block(vec2 p) {
  // Beside the wall, where cells of the block are near, as a step away from it.
  float step_away = 1.5 * plain.z;
#ifdef HOLES
  vec2 cell = vec2(plain.z, 0.0);
  vec2 away = vec2(past_block(p + cell.xy) - past_block(p - cell.xy), past_block(p + cell.yx) - past_block(p - cell.yx));
  p += away / max(length(away), 1e-6) * max(step_away - past_block(p), 0.0);
#else
  vec2 past = abs(p) - block.xy, side = sign(p);
  if (max(past.x, past.y) < step_away) {
    if (past.x > past.y) p.x = side.x * (block.x + step_away);
    else p.y = side.y * (block.y + step_away);
  }
#endif
  vec2 toward = sun.xy / max(length(sun.xy), 1e-4);
  vec2 slow = max(abs(toward), 1e-4) * (step(0.0, toward) * 2.0 - 1.0);
  vec2 near = min((-block.xy - p) / slow, (block.xy - p) / slow);
  float distance = max(max(near.x, near.y), 0.0) + 0.05 * block.x;
  vec2 aside = vec2(-toward.y, toward.x) * max(distance / max(length(sun.xy), 0.1) * sun.w, 1.6 * plain.z);
  float seen = 0.0;
  for (int i = -2; i <= 2; ++i) seen += (3.0 - abs(float(i))) / 9.0 * sun_over_horizon(p + 0.45 * float(i) * aside);
  return seen;
}
#endif

// What lights the plain there.
vec3 light_on_plain(vec3 p, vec3 normal, float size) {
  vec3 from_sun = sun_light.rgb * max(dot(normal, sun.xyz), 0.0);
#ifdef BODIES
  vec3 up = vec3(0.0, 0.0, 1.0);
  float open = smoothstep(1.0, 1.35, length(p.xy - middle.xy) / middle.w);
  return from_sun * sun_at(p, up, true) + mix(sky_on(p, up).rgb, sky_on_open(normal), open);
#else
  float past = past_block(p.xy);
  float touching = exp(-past / (0.05 * size)) * 0.55 + exp(-past / (0.3 * size)) * 0.25;
  vec3 light = from_sun * sun_past_block(p.xy) + sky_on_open(normal) * (1.0 - touching);
  return light * (1.0 - 0.35 * touching);
#endif
}

// Thin clouds far up, drawn out by the wind there: little that is fine, and none that has an edge.
vec3 clouds_before(vec3 sky, vec3 way) {
  float up = max(way.z, 0.0);
  vec2 at = way.xy / (up + 0.12);
  mat2 wind = mat2(0.82, 0.57, -0.57, 0.82);
  vec2 place = wind * at * vec2(0.45, 1.0);
  vec4 bend = noise_at(soil_tile, at, 9.0, 0.02);
  vec4 wide = noise_at(soil_tile, place + 0.5 * bend.xy, 7.0, 0.02);
  vec4 fine = noise_at(soil_tile, place * vec2(0.6, 1.0) + 0.25 * bend.zw, 2.1, 0.01);
  float veil = smoothstep(0.42, 0.95, 0.62 * wide.w + 0.38 * fine.w + 0.16 * (bend.w - 0.5));
  // Low over the horizon one looks along them, and through much air.
  float much = veil * smoothstep(0.02, 0.16, up);
  float toward = max(dot(way, sun.xyz), 0.0);
  vec3 white = 0.26 * sun_light.rgb * (1.0 + 0.8 * pow(toward, 5.0)) + 0.45 * sky_light.rgb;
  return mix(sky, white, 0.6 * much);
}

#ifdef COUNTRY
// Country beyond the land, of its colours: stretches of it are paler or darker, and it lies in swells
// that are lighter toward the sun. Finer ones are seen closer by.
vec3 country(vec3 p, float size, float footprint) {
  vec4 region = noise_at(soil_tile, askew * p.xy, 7.0 * size, footprint),
       swell = noise_at(rock_tile, p.xy + 0.3 * size, 2.6 * size, footprint),
       fine = noise_at(rock_tile, askew * p.yx, 0.7 * size, footprint);
  vec3 colour = soil.rgb;
#ifndef BODIES
  colour = mix(colour, soil_high.rgb, smoothstep(0.3, 0.7, swell.z)) * mix(vec3(1.0), vec3(0.94, 0.98, 0.84), scree.w);
  colour = mix(colour, mix(scree.rgb, rock.rgb, 0.5), 0.45 * smoothstep(0.4, 0.75, 0.6 * region.w + 0.4 * swell.z));
  // Where sand drifts, it lies on what is low: at the foot of the land, and between swells.
  float low = max(exp(-past_block(p.xy) / (0.7 * size)), 0.55 * falling(0.25, 0.7, swell.z));
  colour = mix(colour, sand.rgb * mix(0.9, 1.05, fine.z), sand.w * smoothstep(0.1, 0.8, low + 0.5 * (region.z - 0.5)));
#endif
  vec3 normal = normalize(vec3(-0.2 * region.xy - 0.2 * swell.xy - 0.12 * fine.xy, 1.0));
  return colour * mix(0.7, 1.15, 0.5 * region.z + 0.5 * fine.w) * light_on_plain(p, normal, size);
}
#endif

void main() {
  vec3 ray = ray_at(gl_FragCoord.xy), way = normalize(ray);
  vec3 colour = sky_in(way);
  if (ray.z > 0.0) colour = clouds_before(colour, way);
  float depth = ray.z < -1e-4 ? (block.z - eye.z) / ray.z : -1.0;
  if (depth > 0.0) {
    vec3 p = eye.xyz + ray * depth;
    float size = max(max(block.x, block.y), 0.6 * (block.w - block.z));
    // Who looks at a block sees the table that it stands on; who stands on the land sees more of it
    // beyond, through all the air that lies before it.
    float away = 1.0 - exp(-pow(length(p.xy) / (3.2 * size), 2.0));
    vec3 table = mix(vec3(0.52, 0.505, 0.48) * light_on_plain(p, vec3(0.0, 0.0, 1.0), size), colour, away);
#ifdef COUNTRY
    vec3 beyond = through_air(country(p, size, depth * forward.w * 1.3), p);
    // At the horizon there is no end of it: all that is seen there is the air.
    colour = mix(table, mix(beyond, colour, exp(22.0 * way.z)), air.z);
#else
    colour = table;
#endif
  }
  shaded = vec4(filmic(colour), 1.0);
}
