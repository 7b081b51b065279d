// Colours: linear-light arithmetic, ramps of control points, and the maps that fields are shown in.
#pragma once

#include <map>
#include <span>
#include <string>

namespace scree::render {

// Linear light, 0 to 1, unless a comment says otherwise.
struct Rgb {
  float r = 0;
  float g = 0;
  float b = 0;
};

constexpr Rgb operator*(Rgb a, float s) { return {a.r * s, a.g * s, a.b * s}; }
constexpr Rgb operator*(Rgb a, Rgb b) { return {a.r * b.r, a.g * b.g, a.b * b.b}; }
constexpr Rgb operator+(Rgb a, Rgb b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
constexpr Rgb mix(Rgb a, Rgb b, float t) { return a * (1 - t) + b * t; }
constexpr float luminance(Rgb c) { return 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b; }

// 0 below `from`, 1 above `to`, smooth between; from > to runs the other way.
float smoothstep(float from, float to, float value);

// 0xrrggbb in sRGB, as a painter writes it, to linear light and back to bytes.
Rgb from_srgb(unsigned hex);
void store_srgb(Rgb colour, unsigned char* pixel);
unsigned to_srgb(Rgb colour);

// Lightness, 0 black to 1 white, and two opponent colours (Ottosson 2020): equal steps look equal.
struct Oklab {
  float l = 0;
  float a = 0;  // green to red
  float b = 0;  // blue to yellow
};
Oklab to_oklab(Rgb colour);
Rgb from_oklab(Oklab colour);  // beyond 0 to 1 where no screen can show it

struct ColourStop {
  float at;       // 0 to 1, ascending
  unsigned srgb;  // 0xrrggbb
};

// A ramp read through a table, so that a lookup costs nothing a pixel would notice.
class ColourRamp {
 public:
  explicit ColourRamp(std::span<const ColourStop> stops);
  Rgb at(float t) const;  // clamped to 0..1; NaN reads as 0

 private:
  static constexpr int size_ = 256;
  Rgb table_[size_ + 1];
};

// Land colours from low to high; muted, so that the shading carries the form.
enum class Palette { alpine, desert, volcanic, meadow, plain };
// That of five which belongs to the palette, in its order.
template <class T>
const T& of_palette(Palette palette, const T& alpine, const T& desert, const T& volcanic,
                    const T& meadow, const T& plain) {
  const T* const all[] = {&alpine, &desert, &volcanic, &meadow, &plain};
  return *all[static_cast<int>(palette)];
}
const ColourRamp& land_ramp(Palette palette);
const std::map<std::string, Palette>& palettes();  // by name

// What lies on the land besides its colour by height, in sRGB.
struct LandStyle {
  unsigned rock;   // steep faces
  unsigned rock2;  // every other bed of a layered rock
  unsigned bare;   // where water has worn the ground
  unsigned sand;   // where it has laid it down
  float strata;    // 0 to 1, how strongly the beds of the rock show
  float snow;      // height, as a share of the palette's, above which snow lies; above 1: none
};
const LandStyle& land_style(Palette palette);

enum class ColourMap {
  viridis,    // perceptually even, dark to light (Smith & van der Walt 2015)
  grey,       // black to white, for masks
  amount,     // perceptually even, light to dark: what there is little of hides nothing
  diverging,  // blue, white, red about the middle (Brewer RdBu)
};
const ColourRamp& colour_ramp(ColourMap map);

}  // namespace scree::render
