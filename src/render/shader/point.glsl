// A sample of a heightfield's surface, and what is known of it.
layout(binding = 5) uniform sampler2D depths;
layout(binding = 7) uniform sampler2D drawn;  // as ground_depth.frag leaves it

struct Point {
  vec3 place;
  vec2 on_map;      // that place, on maps whose cells are where they were
  vec3 view;        // toward the eye
  float depth;
  float footprint;  // metres a sample is wide
  vec3 normal;      // of the cells
  float slope;      // its tangent
  float lie;        // the slope of the ground around, without the bumps of a cell or two
  vec2 fall;        // downhill there
  float sky;        // share in view
  float sun;        // share in view
};

Point point_here() {
  Point p;
  p.depth = texelFetch(depths, ivec2(gl_FragCoord.xy), 0).r;
  vec3 ray = ray_at(gl_FragCoord.xy);
  p.place = eye.xyz + ray * p.depth;
  p.view = -normalize(ray);
  p.footprint = p.depth * forward.w * 1.3;
  // Vertices at the edges of cliffs no wider than a cell lie on the curve that the cells follow in steps.
  vec3 moved_and_slope = texelFetch(drawn, ivec2(gl_FragCoord.xy), 0).xyz;
  p.on_map = p.place.xy - 0.5 * cells.zw * moved_and_slope.xy;
  vec2 place = (map_place(p.on_map) * cells.xy * cells.zw) / (light_map.xy * light_map.zw);
  vec4 light = textureLod(light_maps, place, log2(max(p.footprint / light_map.z, 1e-6)));
  // What lies on a slope knows nothing of how its heights are drawn.
  p.slope = length(light.xy) / heights.y;
  float around = log2(max(p.footprint / light_map.z, 1.0)) + 1.6;
  p.fall = -textureLod(light_maps, place, around).xy / heights.y;
  p.lie = length(p.fall);
  // At the rim and the foot of a cliff the slopes of cells lean over ground that is level.
  float own = moved_and_slope.z / heights.y;
  float leans = max(smoothstep(0.5, 1.2, p.slope - own), smoothstep(1.0, 3.0, p.lie - own) * step(own, p.slope));
  leans *= falling(1.0, 2.0, p.footprint / cells.z) * falling(0.8, 1.8, own);
  light.xy *= mix(1.0, own / max(p.slope, 1e-4), leans);
  p.slope = mix(p.slope, own, leans);
  // And from afar, where a cliff is drawn wider than it is, it stands on cells that are level.
  float stands = smoothstep(1.5, 3.0, own - 3.0 * p.slope);
  light.xy = mix(light.xy, -p.fall * (moved_and_slope.z / max(p.lie, 1e-4)), stands);
  p.slope = mix(p.slope, own, stands);
  // A wall that is no wider than a cell follows the steps of the cells: it turns as those around do.
  light.xy = mix(light.xy, -p.fall * (length(light.xy) / max(p.lie, 1e-4)), smoothstep(8.0, 16.0, min(p.slope, 2.0 * p.lie)));
  p.normal = normalize(vec3(-light.xy, 1.0));
  // Beside a cliff, that of the cliff is none of the ground's.
  if (p.lie > p.slope) {
    float beside = length(textureLod(light_maps, place, floor(around + 1.7)).xy) / heights.y;
    p.lie = mix(p.lie, p.slope, smoothstep(0.6, 1.2, beside - p.slope));
  }
  p.sky = light.z;
  float altitude = asin(sun.z);
  p.sun = smoothstep(-sun.w, sun.w, altitude - atan(light.w));
  return p;
}
