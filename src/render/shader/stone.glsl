// What bodies are made of: bare rock, dust on its floors, and land in cells.
struct Stone {
  float tone;  // of its colour
  vec3 bump;
};

// Bare rock from three sides: grain, beds that follow its height, and streaks down its walls.
Stone wall_of(vec3 p, vec3 n, float period, float footprint) {
  vec3 w = sides_of(n);
  vec4 x = noise_at(rock_tile, p.yz, period, footprint), y = noise_at(rock_tile, p.xz, period, footprint),
       z = noise_at(rock_tile, p.xy, period, footprint);
  vec4 fine_x = noise_at(rock_tile, p.zy, 0.23 * period, footprint).yxzw,
       fine_y = noise_at(rock_tile, p.zx, 0.23 * period, footprint).yxzw;
  vec4 grain = w.x * x + w.y * y + w.z * z;
  float fine = w.x * fine_x.w + w.y * fine_y.w + w.z * z.w;
  Stone stone;
  stone.bump = w.x * vec3(0.0, x.xy + 0.4 * fine_x.xy) + w.y * vec3(y.x + 0.4 * fine_y.x, 0.0, y.y + 0.4 * fine_y.y) +
               w.z * vec3(z.xy, 0.0);
  stone.tone = mix(0.74, 1.16, 0.6 * grain.z + 0.4 * fine) * mix(0.88, 1.12, grain.w);

  float metres = block.w / 14.0;
  // A slow bend: beds that swirl are the rings of a tree.
  float bend = noise_at(soil_tile, p.xy, 4.0 * period, max(footprint, 0.12 * period)).z - 0.5;
  float level = p.z + bend * metres * 1.2;
  vec4 bed = noise_at(soil_tile, vec2(0.31 * metres, level), metres * 6.0, max(footprint, 0.03 * metres));
  vec4 seam = noise_at(rock_tile, vec2(0.77 * metres, level * 1.5), metres * 3.0, max(footprint, 0.03 * metres));
  float streak = (w.x * noise_at(soil_tile, vec2(p.y, p.z * 0.1), 0.8 * period, footprint).w +
                  w.y * noise_at(soil_tile, vec2(p.x, p.z * 0.1), 0.8 * period, footprint).w) / max(w.x + w.y, 1e-3);
  stone.tone *= mix(0.6, 1.18, smoothstep(0.36, 0.62, 0.6 * bed.z + 0.4 * seam.z)) * mix(0.8, 1.12, smoothstep(0.3, 0.7, streak));
  stone.bump.z += 1.3 * bed.y + 0.8 * seam.y;
  return stone;
}

// What lies on level ground: dust and small stones.
Stone floor_of(vec3 p, float period, float footprint) {
  vec4 wide = noise_at(soil_tile, askew * p.xy, 1.7 * period, footprint);
  vec4 stones = gravel_at(askew * p.yx, 0.35 * period, footprint);
  Stone stone;
  stone.tone = mix(0.84, 1.12, 0.6 * wide.w + 0.4 * stones.w);
  stone.bump = vec3(0.45 * wide.xy + 0.3 * stones.xy, 0.0);
  return stone;
}

// All noise that land in cells is made of.
struct LandGrain {
  vec4 wide;
  vec4 gravel;
  vec4 soft;
  vec4 rill;  // down the slope
  float run;  // how much there is of it
  vec3 bump;  // of rock
  vec2 tone;
  vec4 bed;
  vec4 seam;
  float streak;
};

// What is coarser than a cell is the land's own; texture begins there. at: what is loose lies so.
LandGrain land_grain(vec3 p, vec2 at, vec3 n, float cell, float footprint) {
  vec3 w = sides_of(n);
  LandGrain g;
  g.wide = noise_at(soil_tile, at, 290.0 * cell, footprint);
  g.gravel = gravel_at(askew * at, 19.0 * cell, footprint);
  g.soft = noise_at(soil_tile, askew * at.yx, 43.0 * cell, footprint);
  g.bump = vec3(0.0);
  g.tone = vec2(0.0);
  for (int i = 0; i < 2; ++i) {
    float period = (i == 0 ? 58.0 : 15.0) * cell;
    vec4 x = noise_at(rock_tile, p.yz, period, footprint), y = noise_at(rock_tile, p.xz + 0.37 * period, period, footprint),
         z = noise_at(rock_tile, p.xy + 0.71 * period, period, footprint);
    g.bump += w.x * vec3(0.0, x.xy) + w.y * vec3(y.x, 0.0, y.y) + w.z * vec3(z.xy, 0.0);
    g.tone += (w.x * x + w.y * y + w.z * z).zw;
  }
  // Beds in beds: thin ones stand out and throw a shadow of their own.
  float metres = block.w / 14.0;
  float level = p.z + (noise_at(soil_tile, p.xy, 120.0 * cell, max(footprint, 5.0 * cell)).z - 0.5) * metres;
  float blur = max(footprint * max(1.0 - n.z, 0.2), 0.02 * metres);
  g.bed = noise_at(soil_tile, vec2(0.31 * metres, level), metres * 5.0, blur);
  g.seam = noise_at(rock_tile, vec2(0.77 * metres, level), metres * 2.2, blur);
  g.streak = (w.x * noise_at(soil_tile, vec2(p.y, p.z * 0.12), 34.0 * cell, footprint).w +
              w.y * noise_at(soil_tile, vec2(p.x, p.z * 0.12), 34.0 * cell, footprint).w) / max(w.x + w.y, 1e-3);
  vec2 fall = n.xy / max(n.z, 0.2);
  g.rill = rills(p.xy, fall, 26.0 * cell, footprint);
  // From close by they would be fur.
  g.run = smoothstep(0.08, 0.3, length(fall)) * falling(1.1, 2.2, length(fall)) * smoothstep(0.02, 0.13, footprint / cell);
  return g;
}

// bedded: 0 of rock that has no beds, but crystals.
Stone bare_land(LandGrain g, float sawn, float bedded) {
  Stone rock;
  rock.tone = mix(0.62, 1.22, 0.5 * g.tone.x) * mix(0.86, 1.12, 0.5 * g.tone.y) *
              mix(mix(0.8, 1.16, smoothstep(0.3, 0.7, g.gravel.w)) * mix(0.92, 1.06, smoothstep(0.35, 0.65, g.soft.w)),
                  mix(0.7, 1.14, smoothstep(0.36, 0.62, 0.55 * g.bed.z + 0.45 * g.seam.z)), bedded) *
              mix(1.0, mix(0.86, 1.08, smoothstep(0.3, 0.7, g.streak)), 1.0 - sawn);
  rock.bump = mix(0.75, 0.3, sawn) * g.bump + mix(0.9, 0.45, sawn) * bedded * vec3(0.0, 0.0, g.bed.y + g.seam.y);
  return rock;
}

// broken: 1 where it is debris. side, up: along what it lies on, as the noise has it.
Stone loose_land(LandGrain g, float broken, vec3 side, vec3 up) {
  Stone ground;
  ground.tone = mix(0.76, 1.22, 0.35 * g.soft.w + 0.3 * g.wide.z + 0.35 * g.gravel.w) *
                mix(1.0, mix(0.54, 1.28, g.gravel.w), 0.9 * broken) * mix(1.0, mix(0.78, 1.18, g.rill.z), g.run);
  vec2 rise = 0.4 * g.soft.xy + mix(0.22, 0.5, broken) * g.gravel.xy + 0.5 * g.run * g.rill.xy;
  ground.bump = side * rise.x + up * rise.y + 0.2 * g.bump * broken;
  return ground;
}

// Land that is made of cells: rock, with some dust on it where it lies level; and what is loose, which
// is debris where it is steep. kind: 0 of rock without beds, 0.5 with them, 1 of what is loose.
Stone land_of(vec3 p, vec3 n, float kind, float cell, float footprint, out vec3 tint) {
  // A face that was cut is as smooth as a saw leaves it, and grains are seen in it as if it lay flat.
  float sawn = 1.0 - smoothstep(0.004, 0.03, abs(n.z)), bedded = clamp(2.0 * kind, 0.0, 1.0), loose = clamp(2.0 * kind - 1.0, 0.0, 1.0);
  bool cut = sawn > 0.5;
  vec3 side = cut ? vec3(-n.y, n.x, 0.0) : vec3(1.0, 0.0, 0.0), up = cut ? vec3(0.0, 0.0, 1.0) : vec3(0.0, 1.0, 0.0);
  LandGrain g = land_grain(p, vec2(dot(p, side), dot(p, up)), n, cell, footprint);
  float rough = 0.5 * (g.tone.x - 1.0) + 0.3 * (g.wide.z - 0.5);
  float rocky = mix(1.0 - 0.7 * smoothstep(0.84, 0.98, n.z + 0.25 * rough), 1.0 - smoothstep(0.35, 0.6, n.z + 0.25 * rough), loose);
  float broken = 1.0 - smoothstep(0.84, 0.95, n.z + 0.12 * rough);
  // What is loose has no beds.
  rocky = mix(rocky, 1.0 - loose, sawn);
  Stone rock = bare_land(g, sawn, bedded), ground = loose_land(g, broken, side, up), stone;
  stone.tone = mix(ground.tone, rock.tone, rocky);
  stone.bump = mix(ground.bump, rock.bump, rocky);
  // Stretches of it are paler, warmer and darker than others; what is loose is pale where it is dry,
  // in patches with ragged edges.
  vec4 region = noise_at(soil_tile, askew * p.xy, 2.4 * max(block.x, block.y), footprint);
  float pale = smoothstep(0.25, 0.75, 0.45 * region.w + 0.35 * g.wide.w + 0.2 * g.soft.z);
  float dry = smoothstep(0.34, 0.66, 0.4 * region.z + 0.3 * g.wide.w + 0.15 * g.soft.w + 0.15 * g.gravel.w);
  tint = mix(vec3(0.80, 0.80, 0.84), vec3(1.10, 1.07, 1.02), pale);
  tint *= mix(mix(vec3(0.78, 0.80, 0.78), vec3(1.18, 1.12, 1.02), dry), vec3(1.0), rocky);
  return stone;
}
