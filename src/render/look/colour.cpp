#include "render/look/colour.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace scree::render {
namespace {

constexpr ColourStop alpine_stops[] = {{0, 0x74885a},    {0.15f, 0x8a9a68}, {0.32f, 0xa5a478},
                                       {0.5f, 0xb0a284}, {0.68f, 0xaea394}, {0.85f, 0xb9b4ae},
                                       {1, 0xc9c8c6}};
constexpr ColourStop desert_stops[] = {{0, 0xdcc08a},    {0.2f, 0xd3a970},  {0.45f, 0xc48d5e},
                                       {0.7f, 0xb5754f}, {0.88f, 0xbb8761}, {1, 0xcfa680}};
constexpr ColourStop volcanic_stops[] = {
    {0, 0x7c8a5e}, {0.18f, 0x868667}, {0.4f, 0x80776c}, {0.7f, 0x6d615e}, {1, 0x7a5f58}};
constexpr ColourStop meadow_stops[] = {
    {0, 0x6f9455}, {0.3f, 0x8da863}, {0.6f, 0xadb673}, {0.85f, 0xc2bb85}, {1, 0xcfc59a}};
constexpr ColourStop plain_stops[] = {{0, 0xc9c5bb}, {1, 0xdcd9d2}};

constexpr LandStyle alpine_style{0x8c8782, 0x7f7a77, 0x83745f, 0xcdc6ab, 0.2f, 0.7f};
constexpr LandStyle desert_style{0xa85f3f, 0xd0936a, 0x96583b, 0xe9d4a4, 0.8f, 2};
constexpr LandStyle volcanic_style{0x5a4c4b, 0x6b5751, 0x4c403d, 0x97907c, 0.25f, 2};
constexpr LandStyle meadow_style{0x978c72, 0x8a8068, 0x8d8355, 0xd2ca92, 0.1f, 2};
constexpr LandStyle plain_style{0xb3aea5, 0xa9a49b, 0xb0a596, 0xe3dcc8, 0, 2};

constexpr ColourStop viridis_stops[] = {{0, 0x440154},    {0.1f, 0x482475}, {0.2f, 0x414487},
                                        {0.3f, 0x355f8d}, {0.4f, 0x2a788e}, {0.5f, 0x21918c},
                                        {0.6f, 0x22a884}, {0.7f, 0x44bf70}, {0.8f, 0x7ad151},
                                        {0.9f, 0xbddf26}, {1, 0xfde725}};
constexpr ColourStop grey_stops[] = {{0, 0x000000}, {1, 0xffffff}};
constexpr ColourStop diverging_stops[] = {
    {0, 0x2166ac},        {1 / 6.0f, 0x67a9cf}, {2 / 6.0f, 0xd1e5f0}, {3 / 6.0f, 0xf7f7f7},
    {4 / 6.0f, 0xfddbc7}, {5 / 6.0f, 0xef8a62}, {1, 0xb2182b}};

float channel(unsigned hex, int shift) { return static_cast<float>(hex >> shift & 0xffu) / 255; }

float decode_srgb(float v) {
  return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
}

float encode_srgb(float v) {
  v = std::clamp(v, 0.0f, 1.0f);
  return v <= 0.0031308f ? v * 12.92f : 1.055f * std::pow(v, 1 / 2.4f) - 0.055f;
}

// Lightness, chroma and hue (radians) of Oklab.
unsigned from_oklch(float lightness, float chroma, float hue) {
  return to_srgb(from_oklab({lightness, chroma * std::cos(hue), chroma * std::sin(hue)}));
}

// From pale straw over green and teal to a blue near black, in even steps of lightness.
ColourRamp amount_ramp() {
  constexpr int count = 24;
  std::vector<ColourStop> stops;
  for (int i = 0; i <= count; ++i) {
    const float t = static_cast<float>(i) / count;
    stops.push_back({t, from_oklch(std::lerp(0.95f, 0.24f, t), 0.035f + 0.30f * t * (1 - t),
                                   std::lerp(1.95f, 4.75f, t))});
  }
  return ColourRamp(stops);
}

// Encoding by table: a picture has more pixels than it is worth calling pow for.
struct SrgbEncoder {
  static constexpr int size = 8192;
  unsigned char table[size + 1];

  SrgbEncoder() {
    for (int i = 0; i <= size; ++i) {
      const float v = static_cast<float>(i) / size;
      table[i] = static_cast<unsigned char>(std::lround(encode_srgb(v) * 255));
    }
  }
  unsigned char operator()(float v) const {
    if (!(v > 0)) return 0;
    return table[std::lround(std::min(v, 1.0f) * size)];
  }
};

}  // namespace

float smoothstep(float from, float to, float value) {
  const float t = std::clamp((value - from) / (to - from), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

Rgb from_srgb(unsigned hex) {
  return {decode_srgb(channel(hex, 16)), decode_srgb(channel(hex, 8)),
          decode_srgb(channel(hex, 0))};
}

void store_srgb(Rgb colour, unsigned char* pixel) {
  static const SrgbEncoder encode;
  pixel[0] = encode(colour.r);
  pixel[1] = encode(colour.g);
  pixel[2] = encode(colour.b);
}

unsigned to_srgb(Rgb colour) {
  unsigned char pixel[3];
  store_srgb(colour, pixel);
  return static_cast<unsigned>(pixel[0]) << 16 | static_cast<unsigned>(pixel[1]) << 8 | pixel[2];
}

Oklab to_oklab(Rgb c) {
  const float l = std::cbrt(0.4122214708f * c.r + 0.5363325363f * c.g + 0.0514459929f * c.b),
              m = std::cbrt(0.2119034982f * c.r + 0.6806995451f * c.g + 0.1073969566f * c.b),
              s = std::cbrt(0.0883024619f * c.r + 0.2817188376f * c.g + 0.6299787005f * c.b);
  return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
          1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
          0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

Rgb from_oklab(Oklab c) {
  const auto cube = [](float v) { return v * v * v; };
  const float l = cube(c.l + 0.3963377774f * c.a + 0.2158037573f * c.b),
              m = cube(c.l - 0.1055613458f * c.a - 0.0638541728f * c.b),
              s = cube(c.l - 0.0894841775f * c.a - 1.2914855480f * c.b);
  return {4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
          -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
          -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

// Interpolated in sRGB, where the control points were chosen and steps look even.
ColourRamp::ColourRamp(std::span<const ColourStop> stops) {
  std::size_t next = 1;
  for (int i = 0; i <= size_; ++i) {
    const float t = static_cast<float>(i) / size_;
    while (next + 1 < stops.size() && stops[next].at < t) ++next;
    const ColourStop low = stops[next - 1], high = stops[next];
    const float f = std::clamp((t - low.at) / (high.at - low.at), 0.0f, 1.0f);
    const auto blend = [&](int shift) {
      return decode_srgb(std::lerp(channel(low.srgb, shift), channel(high.srgb, shift), f));
    };
    table_[i] = {blend(16), blend(8), blend(0)};
  }
}

Rgb ColourRamp::at(float t) const {
  if (!(t > 0)) return table_[0];
  const float place = std::min(t, 1.0f) * size_;
  const int index = std::min(static_cast<int>(place), size_ - 1);
  return mix(table_[index], table_[index + 1], place - static_cast<float>(index));
}

const ColourRamp& land_ramp(Palette palette) {
  static const ColourRamp alpine(alpine_stops), desert(desert_stops), volcanic(volcanic_stops),
      meadow(meadow_stops), plain(plain_stops);
  return of_palette(palette, alpine, desert, volcanic, meadow, plain);
}

const std::map<std::string, Palette>& palettes() {
  static const std::map<std::string, Palette> all = {{"alpine", Palette::alpine},
                                                     {"desert", Palette::desert},
                                                     {"volcanic", Palette::volcanic},
                                                     {"meadow", Palette::meadow},
                                                     {"plain", Palette::plain}};
  return all;
}

const LandStyle& land_style(Palette palette) {
  return of_palette(palette, alpine_style, desert_style, volcanic_style, meadow_style, plain_style);
}

const ColourRamp& colour_ramp(ColourMap map) {
  static const ColourRamp viridis(viridis_stops), grey(grey_stops), diverging(diverging_stops),
      amount = amount_ramp();
  switch (map) {
    case ColourMap::grey:
      return grey;
    case ColourMap::diverging:
      return diverging;
    case ColourMap::amount:
      return amount;
    case ColourMap::viridis:
      break;
  }
  return viridis;
}

}  // namespace scree::render
