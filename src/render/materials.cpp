#include "render/materials.h"

namespace scree::render {
namespace {

constexpr MaterialStyle alpine{0x7d7a77, 0x514e4c, 0x978b7b, 0x8f8a84, 0x6a674a, 0x837b64,
                               0xa59b85, 0.5f,     9,        0.7f,     0,        1};
constexpr MaterialStyle desert{0x9c6847, 0x703f2e, 0xc7a07a, 0xae8560, 0xae8a63, 0xa67a57,
                               0xcaae82, 0.95f,    11,       2,        1,        0};
constexpr MaterialStyle volcanic{0x635a56, 0x423b38, 0x8c5440, 0x5f5753, 0x5c4f46, 0x554b48,
                                 0x82756a, 0.7f,     12,       2,        0,        0.2f};
constexpr MaterialStyle meadow{0x968468, 0x685743, 0xb49b78, 0x9a8a6c, 0x636a43, 0x7f7f5a,
                               0x93906a, 0.35f,    10,       2,        0,        1};
constexpr MaterialStyle plain{0x9b978f, 0x8b877f, 0xa39e95, 0xa39f97, 0xaaa69e, 0xaaa69e,
                              0xb8b3a8, 0.15f,    10,       2,        0,        0};

}  // namespace

const MaterialStyle& material_style(Palette palette) {
  return of_palette(palette, alpine, desert, volcanic, meadow, plain);
}

}  // namespace scree::render
