#include "render/materials.h"

namespace scree::render {
namespace {

constexpr MaterialStyle alpine{0x837d76, 0x5d5854, 0x948a7e, 0x98918a, 0x6f6a50,
                               0x857d68, 0xb4aa96, 0.5f,     9,        0.7f};
constexpr MaterialStyle desert{0x9c6847, 0x703f2e, 0xc7a07a, 0xae8560, 0xae8a63,
                               0xa67a57, 0xd2bb95, 0.95f,    11,       2};
constexpr MaterialStyle volcanic{0x504845, 0x35302f, 0x6f554b, 0x5b534e, 0x585442,
                                 0x564c46, 0x6a625a, 0.6f,     12,       2};
constexpr MaterialStyle meadow{0x8f8673, 0x6f6757, 0xa0947c, 0x968d76, 0x636a43,
                               0x7f7f5a, 0xb8ae8c, 0.35f,    10,       2};
constexpr MaterialStyle plain{0x9b978f, 0x8b877f, 0xa39e95, 0xa39f97, 0xaaa69e,
                              0xaaa69e, 0xb8b3a8, 0.15f,    10,       2};

}  // namespace

const MaterialStyle& material_style(Palette palette) {
  return of_palette(palette, alpine, desert, volcanic, meadow, plain);
}

}  // namespace scree::render
