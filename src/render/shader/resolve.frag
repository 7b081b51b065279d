// Samples to pixels, and light to bytes.
#include "frame.glsl"

layout(binding = 0) uniform sampler2D samples;
layout(location = 0) out vec4 pixel;
uniform int each_way;  // samples a pixel along a side
uniform ivec2 corner;  // of what is drawn, in the framebuffer

// Bayer's matrix of 8 x 8: even, and a file of it packs well.
float ordered(uvec2 at) {
  uint v = 0u;
  for (uint bit = 0u; bit < 3u; ++bit) {
    uint x = (at.x >> bit) & 1u, y = (at.y >> bit) & 1u;
    v |= ((x ^ y) << (5u - 2u * bit)) | (y << (4u - 2u * bit));
  }
  return (float(v) + 0.5) / 64.0;
}

vec3 encoded(vec3 c) {
  return mix(12.92 * c, 1.055 * pow(max(c, 1e-6), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy) - corner;
  vec3 sum = vec3(0.0);
  for (int y = 0; y < each_way; ++y)
    for (int x = 0; x < each_way; ++x)
      sum += texelFetch(samples, at * each_way + ivec2(x, y), 0).rgb;
  vec3 colour = encoded(sum / float(each_way * each_way));
  // Within a byte's step, so that skies have no bands.
  pixel = vec4(colour + (ordered(uvec2(at) + uvec2(project_right.w, project_up.w) / uint(each_way)) - 0.5) / 255.0, 1.0);
}
