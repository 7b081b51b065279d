// Shades bodies: triangles with colours, as stone.
#include "frame.glsl"
#include "land.glsl"
#include "lit_bodies.glsl"

layout(binding = 5) uniform sampler2D depths;
layout(binding = 8) uniform sampler2D normals;
layout(binding = 9) uniform sampler2D colours;
layout(location = 0) out vec4 shaded;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float depth = texelFetch(depths, at, 0).r;
  vec3 p = eye.xyz + ray_at(gl_FragCoord.xy) * depth;
  vec3 n = normalize(texelFetch(normals, at, 0).xyz * 2.0 - 1.0);
  vec3 albedo = pow(texelFetch(colours, at, 0).rgb, vec3(2.2));
  float footprint = depth * forward.w * 1.3;

  // The grain of the stone, from three sides.
  vec3 w = abs(n);
  w = w * w * w * w;
  w /= w.x + w.y + w.z;
  float period = cells.z;
  vec4 x = noise_at(rock_tile, p.yz, period, footprint), y = noise_at(rock_tile, p.xz, period, footprint),
       z = noise_at(rock_tile, p.xy, period, footprint);
  vec4 fine_x = noise_at(gravel_tile, p.yz, 0.31 * period, footprint),
       fine_y = noise_at(gravel_tile, p.xz, 0.31 * period, footprint),
       fine_z = noise_at(gravel_tile, p.xy, 0.31 * period, footprint);
  vec3 bump = w.x * vec3(0.0, x.xy + 0.5 * fine_x.xy) + w.y * vec3(y.x + 0.5 * fine_y.x, 0.0, y.y + 0.5 * fine_y.y) +
              w.z * vec3(z.xy + 0.5 * fine_z.xy, 0.0);
  vec4 grain = w.x * x + w.y * y + w.z * z;
  float fine = w.x * fine_x.w + w.y * fine_y.w + w.z * fine_z.w;
  vec3 rough = normalize(n - 0.5 * bump);
  albedo *= mix(0.78, 1.14, 0.6 * grain.z + 0.4 * fine) * mix(1.0, 0.86 + 0.28 * grain.w, 0.8);

  float facing = max(dot(rough, sun.xyz), 0.0) * smoothstep(-0.1, 0.15, dot(n, sun.xyz));
  vec3 light = sun_light.rgb * facing * sun_at(p, n) +
               sky_on(p, normalize(mix(n, rough, 0.5)), sky_light.rgb, air.rgb * 0.7) * 1.15;
  // From the plain below, which is pale, and from the body itself.
  light += sun_light.rgb * (0.075 * (0.5 - 0.5 * n.z) + 0.025);
  shaded = vec4(filmic(through_air(albedo * light, depth, p.z)), 1.0);
}
