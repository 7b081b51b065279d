#include "render/materials.h"

namespace scree::render {
namespace {

constexpr MaterialStyle alpine{0x837d76, 0x5d5854, 0x948a7e, 0x98918a, 0x6f6a50, 0x857d68,
                               0xa59b85, 0.5f,     9,        0.7f,     0};
constexpr MaterialStyle desert{0x9c6847, 0x703f2e, 0xc7a07a, 0xae8560, 0xae8a63, 0xa67a57,
                               0xcaae82, 0.95f,    11,       2,        1};
constexpr MaterialStyle volcanic{0x635a56, 0x423b38, 0x8c5440, 0x5f5753, 0x5c4f46, 0x554b48,
                                 0x82756a, 0.7f,     12,       2,        0};
constexpr MaterialStyle meadow{0x8f8673, 0x6f6757, 0xa0947c, 0x968d76, 0x636a43, 0x7f7f5a,
                               0x93906a, 0.35f,    10,       2,        0};
constexpr MaterialStyle plain{0x9b978f, 0x8b877f, 0xa39e95, 0xa39f97, 0xaaa69e, 0xaaa69e,
                              0xb8b3a8, 0.15f,    10,       2,        0};

}  // namespace

const MaterialStyle& material_style(Palette palette) {
  return of_palette(palette, alpine, desert, volcanic, meadow, plain);
}

}  // namespace scree::render
