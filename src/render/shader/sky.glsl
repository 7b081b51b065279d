// The sky, and the air between the eye and what it sees. Its colours are those of sky.cpp.
layout(binding = 13) uniform sampler2D sky_table;

// Below the horizon as at it.
vec3 sky_in(vec3 direction) {
  vec2 ahead = sun.xy / max(length(sun.xy), 1e-5), flat_way = direction.xy / max(length(direction.xy), 1e-5);
  vec2 at = sqrt(clamp(vec2(0.5 - 0.5 * dot(ahead, flat_way), direction.z), 0.0, 1.0));
  vec2 size = vec2(textureSize(sky_table, 0));
  return textureLod(sky_table, (at * (size - 1.0) + 0.5) / size, 0.0).rgb;
}

// Light of an open sky on a surface.
vec3 sky_on_open(vec3 normal) {
  vec3 upright = sky_even.rgb + sky_east.rgb * normal.x + sky_north.rgb * normal.y;
  return max(upright + (sky_up.rgb + sky_level.rgb * normal.z) * normal.z, 0.0);
}

// Air thins with height: its mean along the way, over that at the foot of the land.
float mean_air(float from, float to) {
  float a = max(from, 0.0) / air.y, b = max(to, 0.0) / air.y, apart = b - a;
  return abs(apart) < 1e-3 ? exp(-a) : (exp(-a) - exp(-b)) / apart;
}

// What is far away fades, blue first, into the light that the air sends from there: that of the sky
// low in the same direction.
vec3 through_air(vec3 colour, vec3 place) {
  vec3 way = place - eye.xyz;
  float far = length(way);
  float thick = sky_light.w * mean_air(eye.z, place.z) * max(0.0, far - air.x);
  vec3 clear = exp(-thick * vec3(0.72, 1.0, 1.45));
  vec3 low = normalize(vec3(way.xy, max(way.z, 0.0) + 0.05 * far));
  return colour * clear + sky_in(low) * (1.0 - clear);
}
