// What all passes of a picture know. Metres: x east, y north, z up; see blocks.h, which fills these.
layout(std140, binding = 0) uniform Frame {
  vec4 eye;            // w: distance of the near plane
  vec4 across;         // right, as long as half the field is wide; w: samples across this part
  vec4 upward;         // up likewise; w: samples down
  vec4 forward;        // w: width of a sample a metre away
  vec4 project_right;  // right over half the field's width
  vec4 project_up;
  vec4 part;           // of the picture that is drawn: middle and half size, -1 to 1
  vec4 sun;            // toward it; w: half the width of a shadow's edge, radians
  vec4 sun_light;      // w: exposure
  vec4 sky_light;      // from above; w: haze a metre
  vec4 air;            // colour of the horizon and of haze; w: distance at which haze begins
  vec4 block;          // half the width, half the depth, foot, height of what is shown
};

// Of a sample, from the middle of the pixel.
vec3 ray_at(vec2 pixel) {
  vec2 place = (2.0 * pixel / vec2(across.w, upward.w) - 1.0) * part.zw + part.xy;
  return forward.xyz + across.xyz * place.x + upward.xyz * place.y;
}

vec4 projected(vec3 point) {
  vec3 away = point - eye.xyz;
  float depth = dot(away, forward.xyz);
  vec2 place = vec2(dot(away, project_right.xyz), dot(away, project_up.xyz));
  // Reversed and without end: precise near and far.
  return vec4((place - part.xy * depth) / part.zw, eye.w, depth);
}

vec3 sky_in(vec3 direction) {
  float up = max(direction.z, 0.0);
  float toward = max(dot(direction, sun.xyz), 0.0);
  // Pale over the horizon, where one looks through most air, and soon blue above it.
  vec3 colour = mix(air.rgb * vec3(1.06, 1.01, 0.95), sky_light.rgb * vec3(0.36, 0.62, 0.95), 1.0 - exp(-6.5 * up));
  return colour + sun_light.rgb * (0.035 * pow(toward, 6.0) + 0.05 * pow(toward, 60.0));
}

vec3 through_air(vec3 colour, float depth, float z) {
  // Air thins with height, so that valleys drown in it first.
  float thick = sky_light.w * exp(-1.1 * max(z, 0.0) / max(block.w, 1.0));
  float clear = exp(-thick * max(0.0, depth - air.w));
  return mix(air.rgb, colour, clear);
}

// Filmic: a toe, a straight part and a shoulder, each channel by itself (after Hable 2010).
vec3 curve(vec3 x) { return (x * (0.22 * x + 0.03) + 0.002) / (x * (0.22 * x + 0.3) + 0.06) - 0.0333; }
vec3 filmic(vec3 colour) {
  vec3 film = clamp(curve(sun_light.w * colour) / curve(vec3(5.0)), 0.0, 1.0);
  return pow(film, vec3(1.18));
}
