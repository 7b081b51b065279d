// Where the ground has no data. Four neighbouring cells span a square of it, three half of one.
layout(binding = 14) uniform sampler2D solid_map;  // 1 where there is data; the same, blurred

bool solid_at(ivec2 cell) { return texelFetch(solid_map, cell, 0).r > 0.5; }

bool on_ground(vec2 xy) {
  vec2 at = vec2(xy.x, -xy.y) / cells.zw + 0.5 * (cells.xy - 1.0);
  ivec2 first = clamp(ivec2(floor(at)), ivec2(0), ivec2(cells.xy) - 2);
  vec2 in_square = at - vec2(first);
  bool nw = solid_at(first), ne = solid_at(first + ivec2(1, 0)), sw = solid_at(first + ivec2(0, 1)),
       se = solid_at(first + ivec2(1, 1));
  int count = int(nw) + int(ne) + int(sw) + int(se);
  if (count != 3) return count == 4;
  if (!nw) return in_square.x + in_square.y >= 1.0;
  if (!se) return in_square.x + in_square.y <= 1.0;
  return ne ? in_square.x >= in_square.y : in_square.x <= in_square.y;
}

// Out of the ground at its rim.
vec2 away_from_ground(vec2 xy) {
  vec2 east = vec2(cells.z, 0.0), north = vec2(0.0, cells.w);
  vec2 rise = vec2(textureLod(solid_map, map_place(xy + east), 0.0).g - textureLod(solid_map, map_place(xy - east), 0.0).g,
                   textureLod(solid_map, map_place(xy + north), 0.0).g - textureLod(solid_map, map_place(xy - north), 0.0).g);
  return -rise / max(length(rise), 1e-6);
}
