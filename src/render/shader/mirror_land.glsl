// What of the land is seen in its waters.
#include "turn.glsl"

// Plainly: what a ripple leaves of it is no more than tone and outline.
vec3 land_from_afar(vec3 place, float footprint) {
  vec2 at = map_place(place.xy) * cells.xy * cells.zw / (light_map.xy * light_map.zw);
  vec4 light = textureLod(light_maps, at, log2(max(footprint / light_map.z, 1.0)));
  vec3 normal = normalize(vec3(-light.xy, 1.0));
  float slope = length(light.xy) / heights.y;
  float level = height_share(place.z);
  vec3 albedo = mix(mix(soil.rgb, soil_high.rgb, clamp(1.3 * level, 0.0, 1.0)), scree.rgb, smoothstep(0.33, 0.5, slope));
  albedo = mix(albedo, bedded_rock(0.5), smoothstep(0.5, 0.75, slope));
  float hollow = textureLod(matter_map, map_place(place.xy), log2(max(footprint / cells.z, 1.0))).w;
  albedo = mix(albedo, vec3(0.75), snow_on(snow_amount(level, hollow, 0.5, slope, normal), slope, 0.5, footprint).cover);
  float seen = smoothstep(-sun.w, sun.w, asin(sun.z) - atan(light.w));
  return albedo * (sun_light.rgb * max(dot(normal, sun.xyz), 0.0) * seen + sky_on_open(normal) * light.z * light.z +
                   0.06 * sun_light.rgb);
}

// The land toward which a ray from the water goes; w: how much of the sky it hides there, which on
// ripples is no yes or no. Samples look at other places along their rays than their neighbours do, or
// a crest would be seen as often as a step has met it; where land is met between two of them, the place
// is found, or what neighbours see would be as far apart as the steps.
vec4 land_toward(vec3 from, vec3 way, float footprint) {
  const int steps = 50;
  const float soft = 0.05;
  // As far as the land goes.
  vec2 rim = (block.xy - from.xy * sign(way.xy)) / max(abs(way.xy), 1e-5);
  float end = min(rim.x, rim.y), far = min(cells.z * (0.6 + 0.8 * turn_here()), end), highest = -1.0, there = 0.0, before = 0.0, front = 0.0;
  for (int i = 0; i < steps; ++i) {
    vec3 p = from + way * far;
    if (p.z > block.w) break;
    float rise = (surface_at(p.xy) - p.z) / far;
    // Water that runs is never quite level: it does not hide what is behind it.
    if (rise > highest && textureLod(water_map, map_place(p.xy), 0.0).x < 0.3) {
      highest = rise;
      there = far;
      front = before;
    }
    if (highest > soft || far >= end) break;
    if (rise < 0.0) before = far;
    far = min(far * 1.07 + 0.6 * cells.z, end);
  }
  float hides = smoothstep(-soft, soft, highest);
  if (hides == 0.0) return vec4(0.0);
  if (highest > 0.0)
    for (int i = 0; i < 5; ++i) {
      float middle = 0.5 * (front + there);
      vec3 p = from + way * middle;
      if (surface_at(p.xy) > p.z) there = middle;
      else front = middle;
    }
  vec3 p = from + way * there;
  // Aslant, a sample of the water sees a wide stretch.
  return vec4(land_from_afar(vec3(p.xy, surface_at(p.xy)), footprint + 0.05 * there), hides);
}
