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

void sawn_at(uint number, vec3 place, float sample_width, inout vec4 colour, inout vec4 water) {
  vec4 line = sawn_texel(2.0 * float(number)), face = sawn_texel(2.0 * float(number) + 1.0), column;
  float share = nearest_column(face.x, face.y, dot(place.xy - line.xy, line.zw), column);
  // Its parts, from the lowest up.
  float first = column.y, last = column.z, z = place.z / face.w, wide = sample_width / face.w;
  if (last < first) return;
  float low = first, high = last;
  while (high - low > 0.5) {
    float middle = floor(0.5 * (low + high));
    if (top_of(sawn_texel(middle), share) > z) high = middle;
    else low = middle + 1.0;
  }
  vec4 part = sawn_texel(low), below = low > first ? sawn_texel(low - 1.0) : vec4(face.zzz, 0.0),
       above = low < last ? sawn_texel(low + 1.0) : vec4(0.0);
  float top = top_of(part, share), bottom = top_of(below, share);
  // The mesh is a little off the columns: in a void, what is nearer.
  if (part.w == 0.0) {
    bool lower = below.w != 0.0 && (above.w == 0.0 || z - bottom < top - z);
    part = lower ? below : above;
    top = lower ? bottom : z;
    below.w = above.w = 0.0;
  }
  if (part.w == 0.0) return;
  colour = sawn_texel(part.w);
  float wet = step(1.5, colour.a);
  // What of a sample lies beyond a border.
  mix_in(below.w, clamp(0.5 - (z - bottom) / wide, 0.0, 0.5), colour, wet);
  mix_in(above.w, clamp(0.5 - (top - z) / wide, 0.0, 0.5), colour, wet);
  water = vec4(wet, max(top - z, 0.0), 0.0, 0.0);
}
