// What a ground is made of at a sample: rock, scree, soil, sand and snow, by its form.
#include "snow.glsl"

struct Matter {
  vec3 albedo;
  vec3 normal;
  float open;  // 1 on grains, less between them
  float deep;  // how far light gets into it beside where it fell, 0 to 1
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
  // Close by, where a cell is many samples wide, each stone has stones.
  vec3 bump_close = vec3(0.0), bump_closest = vec3(0.0);
  vec4 close = vec4(0.0, 0.0, 0.5, 0.5), closest = close;
  float near = smoothstep(0.08, 0.03, p.footprint / cell);
  if (near > 0.0) close = mix(close, rock_noise(p, 3.3 * cell, bump_close), near);
  float nearest = smoothstep(0.02, 0.007, p.footprint / cell);
  if (nearest > 0.0) closest = mix(closest, rock_noise(p, 0.83 * cell, bump_closest), nearest);
  bump_close = near * bump_close + 0.8 * nearest * bump_closest;
  float close_tone = mix(0.78, 1.22, 0.55 * close.z + 0.45 * closest.z);
  mat2 turn = mat2(0.8, 0.6, -0.6, 0.8);
  vec4 gravel = noise_at(gravel_tile, turn * p.place.xy, 17.0 * cell, p.footprint);
  vec4 soft = noise_at(soil_tile, turn * p.place.yx, 37.0 * cell, p.footprint);

  float level = height_share(p.place.z);
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
  vec4 rill = rills(p.place.xy, p.fall, 26.0 * cell, p.footprint);
  float run = smoothstep(0.08, 0.3, p.lie) * smoothstep(2.2, 1.1, p.lie);
  vec3 rock_colour = bedded_rock(bed.x) * bed.z * mix(0.72, 1.22, rock_near.z * 0.5 + rock_wide.w * 0.5) * close_tone;
  vec3 soil_colour = mix(soil.rgb, soil_high.rgb, clamp(level * 1.3 + 0.7 * (wide.w - 0.5), 0.0, 1.0));
  // Hollows keep what is dark and fine, crests are bare.
  soil_colour *= mix(0.7, 1.26, 0.45 * soft.w + 0.35 * wide.z + 0.2 * gravel.w) * mix(0.8, 1.06, smoothstep(0.8, 1.0, p.sky));
  // Grass where it is damp: in hollows, and beside streams.
  float lush = smoothstep(0.35, 0.75, 0.55 * wide.w + 0.25 * soft.w + 0.9 * (made.w - 0.5) + 0.35 * made.z);
  soil_colour *= mix(vec3(1.0), mix(vec3(1.06, 1.02, 0.94), vec3(0.72, 0.84, 0.58), lush), scree.w) * close_tone;
  vec3 scree_colour = mix(scree.rgb, bedded_rock(bed.x), 0.25) * mix(0.74, 1.16, gravel.w);
  soil_colour *= mix(1.0, mix(0.74, 1.2, rill.z), run);
  scree_colour *= mix(1.0, mix(0.72, 1.22, rill.z), run);
  vec3 sand_colour = sand.rgb * mix(0.86, 1.1, soft.w) * (1.0 + 0.1 * dune.y);

  // Crests are bare and pale, hollows keep what is dark.
  float crest = 1.0 - 2.0 * made.w;
  rock_colour *= (1.0 + 0.3 * crest) * mix(1.0, mix(0.82, 1.14, rill.z), run);
  soil_colour *= 1.0 + 0.42 * crest;
  scree_colour *= 1.0 + 0.2 * crest;

  Matter m;
  m.albedo = mix(soil_colour, scree_colour, screed);
  m.albedo = mix(m.albedo, sand_colour, sandy);
  m.albedo = mix(m.albedo, rock_colour, rocky);
  vec3 bump = mix(-vec3(soft.xy, 0.0) * 0.5, -vec3(gravel.xy, 0.0) * 0.75, screed * (1.0 - sandy));
  bump += mix(0.5, 0.25, sandy) * bump_close;
  bump.xy -= 0.26 * dune.x * wind + 0.5 * run * rill.xy;
  vec3 bump_rock = 1.1 * bump_wide + 1.1 * bump_near + 1.2 * bump_close;
  bump_rock.z += 0.5 * rock.w * bed.y * p.slope;
  bump = mix(bump, bump_rock, rocky);
  m.open = mix(mix(0.9, 1.0, soft.z), mix(0.72, 1.0, gravel.z), screed);
  m.open = mix(m.open, mix(0.62, 1.0, rock_near.z * 0.6 + rock_wide.z * 0.5), rocky);

  float grain = 0.6 * rock_near.z + 0.25 * gravel.z + 0.15 * rock_wide.z + 0.3 * (close.z - 0.5);
  // None stays where water stands or runs.
  float amount = snow_amount(level, made.w, 0.6 * wide.w + 0.4 * rock_wide.w, p.slope, p.normal) - 1.5 * smoothstep(0.4, 0.8, made.z);
  Snow snow = snow_on(amount, p.lie, grain, p.footprint);
  // A dusting is grey with what shines through; what is deep is white, and smooth but for the wind.
  vec3 white = mix(vec3(0.56, 0.57, 0.60), vec3(0.78, 0.80, 0.82), snow.deep) * mix(0.9, 1.05, soft.w);
  m.albedo = mix(m.albedo, white, snow.cover);
  vec3 drifts = -vec3(0.2 * soft.xy + 0.12 * gravel.xy * (1.0 - snow.deep), 0.0) - 0.12 * vec3(wind * rill.z, 0.0);
  bump = mix(bump, mix(0.45 * bump, vec3(0.0), snow.deep) + drifts, snow.cover);
  m.open = mix(m.open, 1.0, snow.cover * mix(0.6, 1.0, snow.deep));
  m.deep = 0.16 * snow.cover * snow.deep;

  // Wet ground is darker (Lekner & Dorf 1988).
  m.albedo *= mix(1.0, 0.62, made.z * (1.0 - snow.cover) * smoothstep(0.9, 0.3, p.slope));
  m.normal = normalize(p.normal + bump);
  return m;
}
