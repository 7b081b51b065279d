#include "render/look/materials.h"

#include <algorithm>

namespace scree::render {
namespace {

constexpr MaterialStyle alpine{0x7d7a77, 0x514e4c, 0x978b7b, 0x8f8a84, 0x6a674a, 0x837b64,
                               0xa59b85, 0.5f,     9,        0.7f,     0,        1};
constexpr MaterialStyle desert{0x9c6847, 0x703f2e, 0xc7a07a, 0xae8560, 0xae8a63, 0xa67a57,
                               0xcaae82, 0.95f,    13,       2,        1,        0};
constexpr MaterialStyle volcanic{0x5b534f, 0x37322f, 0x985640, 0x4e4844, 0x625a4a, 0x7b5243,
                                 0x8d8578, 0.75f,    12,       2,        0,        0.45f};
constexpr MaterialStyle meadow{0x8e877a, 0x615a50, 0xa89b85, 0x968b75, 0x636a43, 0x7f7f5a,
                               0x93906a, 0.35f,    10,       2,        0,        1};
constexpr MaterialStyle plain{0x9b978f, 0x8b877f, 0xa39e95, 0xa39f97, 0xaaa69e, 0xaaa69e,
                              0xb8b3a8, 0,        10,       2,        0,        0};

}  // namespace

const MaterialStyle& material_style(Palette palette) {
  return of_palette(palette, alpine, desert, volcanic, meadow, plain);
}

float snow_line(float line, float relief, float mean_slope) {
  // Much relief alone may be a tilted plain.
  const float high = smoothstep(600, 1000, relief) * smoothstep(0.08f, 0.2f, mean_slope),
              steep = smoothstep(0.25f, 0.38f, mean_slope);
  const float mountainous = std::max(high, steep);
  return line + 0.5f * (1 - mountainous);
}

}  // namespace scree::render
