// What all passes of a picture know. Metres: x east, y north, z up; see shader_blocks.h, which fills these.
layout(std140, binding = 0) uniform Frame {
  vec4 eye;            // w: distance of the near plane
  vec4 across;         // right, as long as half the field is wide; w: samples across this part
  vec4 upward;         // up likewise; w: samples down
  vec4 forward;        // w: width of a sample a metre away
  vec4 project_right;  // right over half the field's width; w: samples of the picture to the left of this part
  vec4 project_up;     // w: samples below it
  vec4 part;           // of the picture that is drawn: middle and half size, -1 to 1
  vec4 sun;            // toward it; w: half the width of a shadow's edge, radians
  vec4 sun_light;      // w: exposure
  vec4 sky_light;      // of an open sky on level ground; w: haze a metre
  vec4 sky_even;       // the same on any surface: this, and; w: samples along a pixel's side
  vec4 sky_east;       //   so much for each part of its normal
  vec4 sky_north;
  vec4 sky_up;
  vec4 sky_level;      //   and for the square of its upward part
  vec4 air;            // x: distance at which haze begins, y: height over which it thins to a third,
                       //   z: 1 where the eye stands over the land, 0 where it looks at a block, w: how many
                       //   samples away a look across this part may go, so that its neighbours see the same
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

// Filmic: a toe, a straight part and a shoulder, each channel by itself (after Hable 2010).
vec3 curve(vec3 x) { return (x * (0.22 * x + 0.03) + 0.002) / (x * (0.22 * x + 0.3) + 0.06) - 0.0333; }
vec3 filmic(vec3 colour) {
  vec3 film = clamp(curve(sun_light.w * colour) / curve(vec3(5.0)), 0.0, 1.0);
  return pow(film, vec3(1.18));
}

// From 1 at `low` to 0 at `high`: smoothstep is undefined where its edges are the other way round.
float falling(float low, float high, float x) { return 1.0 - smoothstep(low, high, x); }
