// Water, whatever it stands on: ripples that run with it, the ground below it where a bent ray finds
// it, and sky and sun in it.
const float water_index = 1.333;
const int stream_turns = 12;  // directions in which streams are drawn

struct Water {
  vec3 place;
  vec3 view;        // toward the eye
  float footprint;  // metres a sample is wide
  float depth;      // metres
  vec2 flow;        // m/s, east and north
  vec3 level;       // normal of its surface, without ripples
  float sky;        // share in view
  float sun;        // share in view
};

struct Ripples {
  vec3 normal;
  float rush;    // 0 still, 1 a torrent
  float streak;  // 0 to 1, in lines along the stream
};

// Ripples are some fifteen samples wide from near and far, up to a size at which they would be hills:
// a share of each of the two tiles between which that lies.
vec4 ripple_noise(Water w, vec2 place, float share) {
  float octave = log2(clamp(110.0 * w.footprint / water_look.z, 0.01, 19.0));
  float period = exp2(floor(octave)) * water_look.z * share;
  vec4 small = noise_at(soil_tile, place, period, w.footprint),
       large = noise_at(soil_tile, place, 2.0 * period, w.footprint);
  return mix(small, large, fract(octave));
}

// Slopes of ripples that run one way, and streaks along it: longer than they are wide.
vec3 stream_along(Water w, float direction) {
  float angle = direction * 6.2831853 / float(stream_turns);
  vec2 along = vec2(cos(angle), sin(angle)), across = vec2(-along.y, along.x);
  vec2 place = vec2(0.33 * dot(w.place.xy, along), dot(w.place.xy, across)) + 0.37 * direction * water_look.z;
  vec4 wide = ripple_noise(w, place, 1.0), fine = ripple_noise(w, 1.3 * place, 0.32);
  vec2 rise = wide.xy + 0.7 * fine.xy;
  return vec3(along * (0.33 * rise.x) + across * rise.y, 0.5 * (wide.z + fine.z));
}

// Where it stands, the wind makes small ones; where it runs, they run with it. Streams are drawn in
// a few directions and blended: a pattern that turns from place to place would be torn.
Ripples ripples_of(Water w) {
  float speed = length(w.flow);
  Ripples r;
  r.rush = smoothstep(0.1, 3.0, speed);
  vec2 wind = mat2(0.8, 0.6, -0.6, 0.8) * w.place.xy;
  vec2 rise = 0.011 * (ripple_noise(w, wind, 1.2).xy + ripple_noise(w, 1.3 * wind + 5.0, 0.36).xy);
  r.streak = 0.0;
  if (r.rush > 0.0) {
    float turn = atan(w.flow.y, w.flow.x) / 6.2831853 * float(stream_turns);
    vec3 running = mix(stream_along(w, floor(turn)), stream_along(w, floor(turn) + 1.0), smoothstep(0.2, 0.8, fract(turn)));
    rise = mix(rise, 0.08 * running.xy, smoothstep(0.0, 0.35, r.rush) * mix(0.35, 1.0, r.rush));
    r.streak = running.z;
  }
  r.normal = normalize(w.level + vec3(-rise, 0.0));
  return r;
}

// How far from where it entered a ray has gone when it is `depth` below the surface.
vec2 refracted_shift(Water w, Ripples r, float depth) {
  vec3 ray = refract(-w.view, r.normal, 1.0 / water_index);
  return ray.xy / max(-ray.z, 0.25) * depth;
}

// Where what is seen in it lies.
vec3 mirrored_way(Water w, Ripples r) {
  vec3 way = reflect(-w.view, r.normal);
  way.z = abs(way.z);
  return way;
}

// ground: lit, as it would be seen there without water. land: what stands there in the mirror, and
// how much of the sky it hides.
vec3 water_over(vec3 ground, vec4 land, Water w, Ripples r) {
  // Light comes down through it, and goes up again on the bent way to the eye.
  float cosine_below = sqrt(1.0 - (1.0 - w.view.z * w.view.z) / (water_index * water_index));
  float path = w.depth * (1.0 + 1.0 / max(0.35, cosine_below));
  vec3 clear = exp(-path * vec3(2.3, 1.35, 1.2) / water_look.x);
  vec3 sun_in = sun_light.rgb * (0.25 + 0.75 * w.sun) * max(sun.z, 0.1);
  vec3 body = vec3(0.012, 0.034, 0.050) * (sun_in + sky_light.rgb * w.sky);
  vec3 below = ground * clear * 0.92 + body * (1.0 - clear);

  // Fresnel, after Schlick (1994).
  float cosine = clamp(dot(r.normal, w.view), 0.0, 1.0);
  float mirror = 0.02 + 0.98 * pow(1.0 - cosine, 5.0);
  vec3 above = mix(sky_in(mirrored_way(w, r)) * smoothstep(0.0, 0.6, w.sky), land.rgb, land.a);
  float glint = pow(max(dot(r.normal, normalize(sun.xyz + w.view)), 0.0), 220.0) * 20.0 * w.sun * (1.0 - land.a);
  // White water in streaks, where it is shallow and fast.
  float white = smoothstep(0.5, 1.0, r.rush) * falling(0.3, 1.5, w.depth) * smoothstep(0.45, 0.75, r.streak);
  vec3 foam = vec3(0.15) * (sun_in + sky_light.rgb * 0.5) * white;
  return mix(below, above, mirror) + sun_light.rgb * glint * mirror + foam;
}
