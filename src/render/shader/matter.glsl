// What a ground is made of at a sample: rock, scree, soil, sand and snow, by its form.
#include "snow.glsl"

struct Matter {
  vec3 albedo;
  vec3 normal;
  float open;  // 1 on grains, less between them
  float deep;  // how far light gets into it beside where it fell, 0 to 1
};

// All noise that a sample is made of.
struct Grain {
  vec4 wide;       // stretches of land
  vec4 rock_wide;  // rock in walls and in blocks
  vec4 rock_near;
  vec3 bump;       // of rock, wide and near
  vec3 bump_close; // of what a cell is made of, close by
  float close;     //   and how high it stands
  float tone;      //   and how light it is, about 1
  vec4 gravel;
  vec4 soft;
  vec4 rill;       // down the slope
  float run;       // how much there is of it
  vec4 joint;      // down a wall: slope of its flutes, and how light they are
};

// How much of each there is, 0 to 1.
struct Shares {
  float rocky;
  float screed;
  float loose;  // of it, what fell or was laid down and has stayed
  float sandy;
  float standing;  // rock in walls, whose beds are seen
  vec2 dune;  // slope along the wind, and height
};

// Rock from three sides, so that cliffs are not smeared; from those of which something is seen.
vec4 rock_noise(Point p, vec3 sides, float period, out vec3 bump) {
  vec4 z = noise_at(rock_tile, p.place.xy + 0.71 * period, period, p.footprint), sum = sides.z * z;
  bump = -sides.z * vec3(z.xy, 0.0);
  if (sides.x > 0.0) {
    vec4 x = noise_at(rock_tile, p.place.yz, period, p.footprint);
    bump -= sides.x * vec3(0.0, x.xy);
    sum += sides.x * x;
  }
  if (sides.y > 0.0) {
    vec4 y = noise_at(rock_tile, p.place.xz + 0.37 * period, period, p.footprint);
    bump -= sides.y * vec3(y.x, 0.0, y.y);
    sum += sides.y * y;
  }
  return sum;
}

// Walls are fluted along the joints of their rock, and water runs down them: the more so the less the
// rock is bedded.
vec4 joints_of(Point p, vec3 sides) {
  float period = 22.0 * soil.w;
  // Where one side gives way to the other there is one more joint.
  bool east_or_west = sides.x > sides.y;
  vec2 along = east_or_west ? p.place.yz : p.place.xz + vec2(0.37 * period, 0.0);
  vec4 joint = noise_at(rock_tile, vec2(along.x, 0.05 * along.y), period, p.footprint);
  return vec4(east_or_west ? vec2(0.0, -joint.x) : vec2(-joint.x, 0.0), 0.0, joint.z);
}

Grain grain_of(Point p) {
  float cell = cells.z, width = p.footprint / cell;
  vec3 sides = max(sides_of(p.normal) - 0.02, vec3(0.0)), bump_wide, bump_near;
  sides /= sides.x + sides.y + sides.z;
  Grain g;
  g.wide = stretches(p.place.xy, p.footprint);
  g.rock_wide = rock_noise(p, sides, 61.0 * cell, bump_wide);
  g.rock_near = rock_noise(p, sides, 13.0 * cell, bump_near);
  g.bump = bump_wide + bump_near;
  // Close by, where a cell is many samples wide, each stone has stones. Who is far away has none of
  // this in the shader (renderer.cpp): to software, what is not taken costs as much as what is.
  vec4 close = vec4(0.0, 0.0, 0.5, 0.5), closest = close;
#ifdef CLOSE
  vec3 bump_close = vec3(0.0), bump_closest = vec3(0.0);
  float near = falling(0.03, 0.08, width), nearest = falling(0.007, 0.02, width);
  if (near > 0.0) close = mix(close, rock_noise(p, sides, 3.3 * cell, bump_close), near);
  if (nearest > 0.0) closest = mix(closest, rock_noise(p, sides, 0.83 * cell, bump_closest), nearest);
  g.bump_close = near * bump_close + 0.8 * nearest * bump_closest;
#else
  g.bump_close = vec3(0.0);
#endif
  g.close = close.z;
  g.tone = mix(0.78, 1.22, 0.55 * close.z + 0.45 * closest.z);
  g.gravel = gravel_at(askew * p.place.xy, 17.0 * cell, p.footprint);
  g.soft = noise_at(soil_tile, askew * p.place.yx, 37.0 * cell, p.footprint);
  // From afar nothing on level ground hides that they repeat.
  float even = 0.8 * smoothstep(0.25, 0.8, width) * falling(0.04, 0.12, p.lie);
  g.gravel = mix(g.gravel, vec4(0.0, 0.0, 0.5, 0.5), even);
  g.soft = mix(g.soft, vec4(0.0, 0.0, 0.5, 0.5), even);
  g.rill = rills(p.place.xy, p.fall, 26.0 * cell, p.footprint);
  g.joint = vec4(0.0, 0.0, 0.0, 0.5);
  if (p.slope > 0.65) g.joint = joints_of(p, sides);
  // From close by rills would be fur.
  g.run = smoothstep(0.08, 0.3, p.lie) * falling(1.1, 2.2, p.lie) * smoothstep(0.02, 0.13, width);
  return g;
}

const vec2 wind = vec2(0.83, -0.56);

// Sand in long waves across the wind, steep on their lee, which die out and begin anew as others, of
// another length and way: slope along the wind, and height.
vec2 dunes(Point p) {
  float metres = 6.0 * soil.w, along = dot(p.place.xy, wind), aside = dot(p.place.xy, vec2(-wind.y, wind.x));
  vec4 wide = noise_at(soil_tile, p.place.xy, 52.0 * metres, p.footprint), near = noise_at(soil_tile, askew * p.place.yx, 6.2 * metres, p.footprint);
  vec2 phase = 6.2832 * (vec2(along, 0.62 * along + 0.17 * aside) / metres + 2.0 * wide.w + vec2(0.6, 0.4) * near.w);
  float lain = wide.z + 0.5 * near.z - 0.25;
  vec2 seen = falling(0.15, 0.35, p.footprint / metres) * vec2(smoothstep(0.42, 0.66, lain), falling(0.38, 0.62, lain));
  vec2 rise = cos(phase) + 0.6 * cos(2.0 * phase), high = sin(phase) + 0.3 * sin(2.0 * phase);
  return vec2(dot(seen, rise), dot(seen, high)) * smoothstep(0.3, 0.6, near.w);
}

// What fell or was laid down: it lies in tongues that reach up between the rock.
float fallen(Point p, vec4 made, Grain g) {
  float steep = smoothstep(0.3, 0.5, p.lie) * g.run;
  if (steep == 0.0 || made.y == 0.0) return made.x;
  vec2 away = p.fall / length(p.fall) * (24.0 * soil.w * steep * (g.rill.z - 0.5));
  return max(made.x, textureLod(matter_map, map_place(p.on_map + away), log2(max(p.footprint / cells.z, 1e-6))).x);
}

Shares shares_of(Point p, vec4 made, Grain g) {
  float rough = 0.55 * (g.rock_wide.z - 0.5) + 0.3 * (g.rock_near.z - 0.5) + 0.5 * (g.wide.z - 0.5);
  // Stones look out of soil, and rock out of stones, where they stand high: no border is a line.
  float stones = 0.16 * (g.gravel.z - 0.4), ledges = 0.3 * (g.close - 0.5) - 0.5 * stones;
  Shares s;
  // Materials lie in stretches: a bump of a cell is none of its own.
  float lie = mix(p.slope, p.lie, 0.65);
  float steep = mix(p.slope, p.lie, 0.35);
  s.standing = smoothstep(0.72, 1.05, mix(p.slope, p.lie, 0.5) + 0.4 * rough);
  // Nothing that is loose stays on what is steeper than some 42 degrees; below that, tongues of it lie
  // on rock too.
  float lies = falling(0.8, 1.05, steep + 0.3 * rough), tongues = 0.9 * g.run * (g.rill.z - 0.5) * lies;
  s.loose = smoothstep(0.0, 0.25, 4.0 * fallen(p, made, g) - made.y + 0.5 * rough * made.y) * lies;
  // Ribs are bare, gullies between them hold what has fallen.
  float rib = 1.1 * (0.5 - made.w) * smoothstep(0.3, 0.6, steep);
  s.rocky = smoothstep(0.55, 0.73, steep + 0.9 * rough + rib + 0.22 * made.y + ledges - tongues) * (1.0 - s.loose);
  s.screed = smoothstep(0.33, 0.47, lie + 0.5 * rough + stones);
  // What was laid down thins out in tongues and patches, not along a line.
  float ragged = 0.55 * (g.wide.z - 0.5) + 0.5 * (g.soft.z - 0.5) + 0.3 * (g.gravel.w - 0.5);
  float laid = smoothstep(0.38, 0.66, made.x + ragged) * smoothstep(0.0, 0.2, made.x) * falling(0.2, 0.55, p.slope);
  // Where it is dry, sand lies on all low and level ground, and the wind has been at it.
  float drift = sand.w * falling(0.08, 0.24, p.lie) * falling(0.3, 0.62, height_share(p.place.z) + 0.5 * ragged);
  s.sandy = max(laid, drift);
#ifdef DUNES
  s.dune = dunes(p) * drift;
#else
  s.dune = vec2(0.0);
#endif
  return s;
}

vec3 soil_of(Point p, vec4 made, Grain g) {
  float level = height_share(p.place.z);
  vec3 colour = mix(soil.rgb, soil_high.rgb, clamp(level * 1.3 + 0.7 * (g.wide.w - 0.5), 0.0, 1.0));
  // Hollows keep what is dark and fine, crests are bare.
  colour *= mix(0.7, 1.26, 0.45 * g.soft.w + 0.35 * g.wide.z + 0.2 * g.gravel.w) * mix(0.8, 1.06, smoothstep(0.8, 1.0, p.sky));
  // Grass where it is damp: in hollows, and beside streams.
  float lush = smoothstep(0.35, 0.75, 0.55 * g.wide.w + 0.25 * g.soft.w + 0.9 * (made.w - 0.5) + 0.35 * made.z);
  colour *= mix(vec3(1.0), mix(vec3(1.06, 1.02, 0.94), vec3(0.62, 0.80, 0.55), lush), scree.w) * g.tone;
  return colour * mix(1.0, mix(0.74, 1.2, g.rill.z), g.run);
}

vec3 bare_albedo(Point p, vec4 made, Grain g, Shares s, vec3 bed) {
  // Crests are bare and pale, hollows keep what is dark.
  float crest = 1.0 - 2.0 * made.w;
  vec3 rock_colour = bedded_rock(bed.x) * bed.z * mix(0.72, 1.22, g.rock_near.z * 0.5 + g.rock_wide.w * 0.5) * g.tone;
  rock_colour *= mix(1.0, mix(0.7, 1.24, smoothstep(0.25, 0.75, g.joint.w)), s.standing * (1.0 - 0.85 * rock.w));
  rock_colour *= (1.0 + 0.3 * crest) * mix(1.0, mix(0.82, 1.14, g.rill.z), g.run);
  vec3 scree_colour = mix(scree.rgb, bedded_rock(bed.x), 0.25 * (1.0 - s.loose)) * mix(0.66, 1.2, g.gravel.w) * mix(0.84, 1.14, g.wide.w);
  scree_colour *= (1.0 + 0.2 * crest) * mix(1.0, mix(0.72, 1.22, g.rill.z), g.run);
  vec3 sand_colour = sand.rgb * mix(0.86, 1.1, g.soft.w) * (1.0 + 0.1 * s.dune.y);
  vec3 albedo = mix(soil_of(p, made, g) * (1.0 + 0.42 * crest), scree_colour, s.screed);
  return mix(mix(albedo, sand_colour, s.sandy), rock_colour, s.rocky);
}

vec3 bare_bump(Point p, Grain g, Shares s, float bed_rise) {
  vec2 soil_rise = 0.5 * g.soft.xy + 0.1 * g.gravel.xy, scree_rise = 0.4 * g.gravel.xy + 0.15 * g.soft.xy;
  vec3 bump = -vec3(mix(soil_rise, scree_rise, s.screed * (1.0 - s.sandy)), 0.0);
  bump += mix(0.5, 0.25, s.sandy) * g.bump_close;
  bump.xy -= 0.26 * s.dune.x * wind + 0.5 * g.run * g.rill.xy;
  // Walls whose beds are seen are the smoother between them.
  float bedded = s.standing * smoothstep(0.4, 0.75, rock.w);
  vec3 bump_rock = mix(1.9, 1.1, bedded) * g.bump + 1.2 * g.bump_close;
  bump_rock += 2.6 * s.standing * (1.0 - 0.9 * rock.w) * g.joint.xyz;
  bump_rock.z += 0.5 * rock.w * bed_rise * min(p.slope, 1.5);
  return mix(bump, bump_rock, s.rocky);
}

Snow snow_here(Point p, vec4 made, Grain g) {
  float grain = 0.6 * g.rock_near.z + 0.25 * g.gravel.z + 0.15 * g.rock_wide.z + 0.3 * (g.close - 0.5);
  // None stays where water stands or runs.
  float amount = snow_amount(height_share(p.place.z), made.w, 0.6 * g.wide.w + 0.4 * g.rock_wide.w, p.slope, p.normal) -
                 1.5 * smoothstep(0.4, 0.8, made.z);
  return snow_on(amount, p.lie, grain, p.footprint);
}

Matter matter_of(Point p, vec4 made) {
  Grain g = grain_of(p);
  Shares s = shares_of(p, made, g);
  vec3 bed = vec3(0.5, 0.0, 1.0);
  // The less rock is bedded, the less its beds run straight.
  float bend = g.wide.w - 0.5 + 10.0 * (1.0 - rock.w) * (g.rock_wide.w - 0.5);
  if (s.standing > 0.0) bed = mix(bed, beds(p.place, bend, p.footprint), s.standing);
  Matter m;
  m.albedo = bare_albedo(p, made, g, s, bed);
  vec3 bump = bare_bump(p, g, s, bed.y);
  m.open = mix(mix(0.9, 1.0, g.soft.z), mix(0.72, 1.0, smoothstep(0.1, 0.6, g.gravel.z)), s.screed);
  m.open = mix(m.open, mix(0.62, 1.0, g.rock_near.z * 0.6 + g.rock_wide.z * 0.5), s.rocky);

  Snow snow = snow_here(p, made, g);
  // A dusting is grey with what shines through; what is deep is white, and smooth but for the wind.
  vec3 white = mix(vec3(0.56, 0.57, 0.60), vec3(0.78, 0.80, 0.82), snow.deep) * mix(0.9, 1.05, g.soft.w);
  m.albedo = mix(m.albedo, white, snow.cover);
  vec3 drifts = -vec3(0.32 * g.soft.xy + 0.12 * g.gravel.xy * (1.0 - snow.deep), 0.0) - 0.12 * vec3(wind * g.rill.z, 0.0);
  bump = mix(bump, mix(0.5, 0.18, snow.deep) * bump + drifts, snow.cover);
  m.open = mix(m.open, 1.0, snow.cover * mix(0.6, 1.0, snow.deep));
  m.deep = 0.16 * snow.cover * snow.deep;

  // Wet ground is darker (Lekner & Dorf 1988).
  m.albedo *= mix(1.0, 0.62, made.z * (1.0 - snow.cover) * falling(0.3, 0.9, p.slope));
  m.normal = normalize(p.normal + bump);
  return m;
}
