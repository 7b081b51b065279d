// What a flat face that a saw has left is made of, at every place of it: from the columns behind it, so
// that borders are as sharp as the picture. See Sawn in picture_scene.h, and bodies.cpp, which fills
// this: faces have two texels each, first of all; columns, parts and materials one, and know each
// other by the texels' numbers.
layout(binding = 14) uniform sampler2D sawn;

vec4 sawn_texel(float number) {
  int n = int(number), wide = textureSize(sawn, 0).x;
  return texelFetch(sawn, ivec2(n % wide, n / wide), 0);
}

// The nearest column, and how far from it to midway to the next; less than 0 toward the one before.
float nearest_column(float first, float count, float along, out vec4 column) {
  float low = first, high = first + count - 1.0;
  while (high - low > 1.5) {
    float middle = floor(0.5 * (low + high));
    if (sawn_texel(middle).x <= along) low = middle;
    else high = middle;
  }
  vec4 a = sawn_texel(low), b = sawn_texel(high);
  float share = b.x > a.x ? clamp((along - a.x) / (b.x - a.x), 0.0, 1.0) : 0.0;
  column = share < 0.5 ? a : b;
  return 2.0 * share - (share < 0.5 ? 0.0 : 2.0);
}

float top_of(vec4 part, float share) { return mix(part.x, share < 0.0 ? part.y : part.z, abs(share)); }

// Mixes in a share of another part, unless that is nothing. Water is not a colour.
void mix_in(float material, float share, inout vec4 colour, inout float wet) {
  if (share <= 0.0 || material == 0.0) return;
  vec4 other = sawn_texel(material);
  float other_wet = step(1.5, other.a);
  if (other_wet == 0.0) colour = mix(colour, other, wet > 0.5 ? 1.0 : share);
  wet = mix(wet, other_wet, share);
}

// Noise from -1 to 1, on a lattice.
float hash_at(ivec2 at) {
  uint h = uint(at.x) * 0x9e3779b9u ^ (uint(at.y) * 0x85ebca6bu + 0x27d4eb2fu);
  h = (h ^ (h >> 15)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12)) * 0x297a2d39u;
  return float((h ^ (h >> 15)) & 0xffffu) / 32767.5 - 1.0;
}

float ragged_at(vec2 p) {
  vec2 low = floor(p), t = p - low;
  ivec2 at = ivec2(low);
  t = t * t * (3.0 - 2.0 * t);
  return mix(mix(hash_at(at), hash_at(at + ivec2(1, 0)), t.x), mix(hash_at(at + ivec2(0, 1)), hash_at(at + ivec2(1, 1)), t.x), t.y);
}

// A part of a column, and those below and above it.
struct Parts {
  vec4 part, below, above;
  float top, bottom;
};

Parts parts_at(vec4 face, float along, float z) {
  Parts p = Parts(vec4(0.0), vec4(0.0), vec4(0.0), 0.0, 0.0);
  vec4 column;
  float share = nearest_column(face.x, face.y, along, column), first = column.y, last = column.z;
  if (last < first) return p;
  // From the lowest up.
  float low = first, high = last;
  while (high - low > 0.5) {
    float middle = floor(0.5 * (low + high));
    if (top_of(sawn_texel(middle), share) > z) high = middle;
    else low = middle + 1.0;
  }
  p.part = sawn_texel(low);
  p.below = low > first ? sawn_texel(low - 1.0) : vec4(face.zzz, 0.0);
  p.above = low < last ? sawn_texel(low + 1.0) : vec4(0.0);
  p.top = top_of(p.part, share);
  p.bottom = top_of(p.below, share);
  // The mesh is a little off the columns: in a void, what is nearer.
  if (p.part.w == 0.0) {
    bool lower = p.below.w != 0.0 && (p.above.w == 0.0 || z - p.bottom < p.top - z);
    p.part = lower ? p.below : p.above;
    p.top = lower ? p.bottom : z;
    p.below.w = p.above.w = 0.0;
  }
  return p;
}

bool is_loose(vec4 part) { return part.w != 0.0 && abs(sawn_texel(part.w).a - 1.0) < 0.01; }

void sawn_at(uint number, vec3 place, float sample_width, inout vec4 colour, inout vec4 water) {
  vec4 line = sawn_texel(2.0 * float(number)), face = sawn_texel(2.0 * float(number) + 1.0);
  float along = dot(place.xy - line.xy, line.zw), z = place.z / face.w, wide = sample_width / face.w;
  Parts p = parts_at(face, along, z);
  // What fell beside what else is loose has a ragged border: it lies between their columns, and no one
  // knows where.
  if (is_loose(p.part) && face.y > 1.0) {
    float apart = (sawn_texel(face.x + face.y - 1.0).x - sawn_texel(face.x).x) / (face.y - 1.0);
    vec2 at = vec2(along, z) / max(apart, 1e-6);
    Parts beside = parts_at(face, along + apart * (0.55 * ragged_at(0.9 * at) + 0.3 * ragged_at(2.7 * at + 17.0)), z);
    if (is_loose(beside.part)) p = beside;
  }
  if (p.part.w == 0.0) return;
  colour = sawn_texel(p.part.w);
  float wet = step(1.5, colour.a);
  // What of a sample lies beyond a border.
  mix_in(p.below.w, clamp(0.5 - (z - p.bottom) / wide, 0.0, 0.5), colour, wet);
  mix_in(p.above.w, clamp(0.5 - (p.top - z) / wide, 0.0, 0.5), colour, wet);
  water = vec4(wet, max(p.top - z, 0.0), 0.0, 0.0);
}
