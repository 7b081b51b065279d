// A sample of a heightfield's surface, and what is known of it.
layout(binding = 5) uniform sampler2D depths;

struct Point {
  vec3 place;
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
  vec2 place = (map_place(p.place.xy) * cells.xy * cells.zw) / (light_map.xy * light_map.zw);
  vec4 light = textureLod(light_maps, place, log2(max(p.footprint / light_map.z, 1e-6)));
  p.normal = normalize(vec3(-light.xy, 1.0));
  // What lies on a slope knows nothing of how its heights are drawn.
  p.slope = length(light.xy) / heights.y;
  p.fall = -textureLod(light_maps, place, log2(max(p.footprint / light_map.z, 1.0)) + 1.6).xy / heights.y;
  p.lie = length(p.fall);
  p.sky = light.z;
  float altitude = asin(sun.z);
  p.sun = smoothstep(-sun.w, sun.w, altitude - atan(light.w));
  return p;
}
