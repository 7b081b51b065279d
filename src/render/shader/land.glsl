// The ground: its maps, and what it is made of.
layout(std140, binding = 1) uniform Land {
  vec4 cells;      // columns, rows, metres between them
  vec4 light_map;  // columns, rows, metres between them
  vec4 heights;    // zero, exaggeration, tint from, tint to
  vec4 water_look; // metres that are deep, 1 where there is any, metres of a ripple's grain
  vec4 rock;       // w: strata, 0 to 1
  vec4 rock_dark;  // w: metres a bed
  vec4 rock_warm;  // w: snow line, as a share of the tints
  vec4 scree;      // w: 1 where grass grows on damp soil
  vec4 soil;       // w: metres by which dunes, joints and tongues are measured, on cells of any size
  vec4 soil_high;
  vec4 sand;       // w: 1 where it drifts
  vec4 plain;      // middle of the north-western cell of its map, metres of a cell
};

layout(binding = 0) uniform sampler2D surface_map;
layout(binding = 1) uniform sampler2D light_maps;
layout(binding = 2) uniform sampler2D water_map;
layout(binding = 3) uniform sampler2D matter_map;
layout(binding = 4) uniform sampler2DArray noise;

const float tile_size = 512.0;
const int rock_tile = 0;
const int gravel_tile = 1;
const int soil_tile = 2;

// Cells are at their middles: the first is at half a texel.
vec2 map_place(vec2 xy) {
  return (vec2(xy.x, -xy.y) / cells.zw + 0.5 * cells.xy) / cells.xy;
}

// Of a height in the picture: 0 to 1 over the palette's. Of level ground, what rounding leaves is none.
float height_share(float z) {
  return (z / heights.y + heights.x - heights.z) / max(heights.w - heights.z, 0.05 * cells.z);
}

float surface_at(vec2 xy) { return textureLod(surface_map, map_place(xy), 0.0).r; }

// A tile that repeats every `period` metres; footprint is the width of a sample there. Slopes come
// as rise over the height of the tile.
vec4 noise_at(int layer, vec2 place, float period, float footprint) {
  float level = log2(max(footprint * tile_size / period, 1e-6));
  vec4 t = textureLod(noise, vec3(place / period, float(layer)), level);
  return vec4(t.xy * 2.0 - 1.0, t.zw);
}

const mat2 askew = mat2(0.8, 0.6, -0.6, 0.8);

// The mean of two tiles about a half, with as much contrast as either.
vec4 blended(vec4 a, vec4 b, float share) {
  const vec4 middle = vec4(0.0, 0.0, 0.5, 0.5);
  return middle + (mix(a, b, share) - middle) * inversesqrt(1.0 - 2.0 * share * (1.0 - share));
}

// Stretches of land: two tiles askew, so that neither is seen to repeat.
vec4 stretches(vec2 xy, float footprint) {
  return blended(noise_at(soil_tile, xy, 310.0 * cells.z, footprint), noise_at(soil_tile, askew * xy, 463.0 * cells.z, footprint), 0.5);
}

// Stones are a few samples wide from near and far, but no smaller than a fist and no larger than where
// the tile repeats every `widest` metres: a share of each of the two sizes between which that lies.
vec4 gravel_at(vec2 place, float widest, float footprint) {
  float octave = min(log2(max(120.0 * footprint, min(8.0, 0.25 * widest)) / widest), 0.0), share = fract(octave);
  float period = widest * exp2(floor(octave));
  vec4 small = noise_at(gravel_tile, place, period, footprint);
  if (share > 0.0) small = blended(small, noise_at(gravel_tile, place, 2.0 * period, footprint), share);
  return small;
}

// How much of a tile is seen on a surface from each of three sides, so that walls are not smeared.
vec3 sides_of(vec3 normal) {
  vec3 w = normal * normal;
  w *= w;
  return w / (w.x + w.y + w.z);
}

// Rills and tongues of debris down a slope; drawn in a few directions and blended, as a pattern that
// turns from place to place would be torn. Slope across them, and how light they are.
const float rill_turns = 14.0;
vec4 rills_along(vec2 xy, float direction, float period, float footprint) {
  float angle = direction * 6.2831853 / rill_turns;
  vec2 along = vec2(cos(angle), sin(angle)), across = vec2(-along.y, along.x);
  vec2 place = vec2(0.2 * dot(xy, along), dot(xy, across)) + 0.0234615 * direction * period;
  vec4 rill = noise_at(rock_tile, place, period, footprint);
  return vec4(across * rill.y, rill.zw);
}
vec4 rills(vec2 xy, vec2 fall, float period, float footprint) {
  float turn = (fall == vec2(0.0) ? 0.0 : atan(fall.y, fall.x)) / 6.2831853 * rill_turns;
  return mix(rills_along(xy, floor(turn), period, footprint), rills_along(xy, floor(turn) + 1.0, period, footprint),
             smoothstep(0.25, 0.75, fract(turn)));
}

// Beds of rock, level but for a slow bend: tone 0 to 1, how it changes upwards, and how light its
// thin layers are, about 1.
vec3 beds(vec3 p, float bend, float footprint) {
  float metres = rock_dark.w;
  float z = p.z + bend * metres * 0.5;
  float period = metres * 14.0;
  vec4 coarse = noise_at(soil_tile, vec2(0.31 * period, z), period, footprint);
  vec4 fine = noise_at(rock_tile, vec2(0.77 * period, z * 1.7), period * 0.45, footprint);
  vec4 thin = noise_at(soil_tile, vec2(0.53 * period, z), period * 0.22, footprint);
  float tone = 0.72 * coarse.z + 0.42 * (fine.z - 0.35);
  return vec3(smoothstep(0.36, 0.64, tone), coarse.y + 0.5 * thin.y,
              mix(1.0, mix(0.74, 1.2, smoothstep(0.3, 0.7, thin.z)), rock.w));
}

vec3 bedded_rock(float tone) {
  vec3 colour = mix(rock_dark.rgb, rock.rgb, smoothstep(0.0, 0.55, tone));
  colour = mix(colour, rock_warm.rgb, smoothstep(0.55, 1.0, tone) * 0.85);
  return mix(rock.rgb, colour, rock.w);
}
