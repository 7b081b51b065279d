// What throws shadows on bodies: the sun, and the sky as lamps all over it, each with a map of how
// far its light gets.
const int sky_lamps = 20;
layout(std140, binding = 2) uniform Lights {
  vec4 middle;  // of all bodies; w: their radius
  vec4 axes[3 * (sky_lamps + 1)];  // two across and one toward each lamp, over the radius; sun first
  vec4 lamps[sky_lamps];           // toward each; w: its share of the sky
  vec4 lamp_light[sky_lamps];      // what it sends
};
layout(binding = 6) uniform sampler2DArrayShadow lamp_maps;
layout(binding = 7) uniform sampler2DShadow sun_map;
layout(binding = 10) uniform sampler2D sun_depths;  // the same, to be read

// Place in the map of a lamp, and distance from it; 0 to 1.
vec3 lamp_place(int lamp, vec3 p) {
  vec3 away = p - middle.xyz;
  vec3 at = vec3(dot(away, axes[3 * lamp].xyz), dot(away, axes[3 * lamp + 1].xyz),
                 -dot(away, axes[3 * lamp + 2].xyz));
  // What lies behind all bodies is as far as the map goes.
  return min(at * 0.5 + 0.5, vec3(2.0, 2.0, 1.0));
}
