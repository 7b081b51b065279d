#include "render/textures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "render/parallel.h"

namespace scree::render {
namespace {

std::uint32_t hash(int x, int y, std::uint32_t seed) {
  std::uint32_t h = static_cast<std::uint32_t>(x) * 0x9e3779b1U ^
                    static_cast<std::uint32_t>(y) * 0x85ebca77U ^ seed * 0xc2b2ae3dU;
  h = (h ^ h >> 15) * 0x2c1b3c6dU;
  h = (h ^ h >> 12) * 0x297a2d39U;
  return h ^ h >> 15;
}

float unit(std::uint32_t h) { return static_cast<float>(h >> 8) / 16777216.0f; }

// Of what is no more than a period off: a division would be most of the time that noise takes.
int wrap(int i, int period) { return i < 0 ? i + period : i >= period ? i - period : i; }

int whole(float x) {
  const int i = static_cast<int>(x);
  return static_cast<float>(i) > x ? i - 1 : i;
}

struct Slope {
  float x;
  float y;
};

// Directions around the circle, so that noise needs no sine.
Slope slope_at(std::uint32_t h) {
  static const auto circle = [] {
    std::array<Slope, 256> slopes{};
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      const float angle = 6.2831853f * static_cast<float>(i) / static_cast<float>(slopes.size());
      slopes[i] = {std::cos(angle), std::sin(angle)};
    }
    return slopes;
  }();
  return circle[h >> 24];
}

// Gradient noise (Perlin 2002) on a lattice that repeats; about -0.7 to 0.7.
float gradient_noise(float x, float y, int period, std::uint32_t seed) {
  const int ix = whole(x), iy = whole(y);
  const float fx = x - static_cast<float>(ix), fy = y - static_cast<float>(iy);
  const auto corner = [&](int cx, int cy) {
    const Slope slope = slope_at(hash(wrap(ix + cx, period), wrap(iy + cy, period), seed));
    return slope.x * (fx - static_cast<float>(cx)) + slope.y * (fy - static_cast<float>(cy));
  };
  const auto fade = [](float t) { return t * t * t * (t * (t * 6 - 15) + 10); };
  const float u = fade(fx), v = fade(fy);
  return std::lerp(std::lerp(corner(0, 0), corner(1, 0), u),
                   std::lerp(corner(0, 1), corner(1, 1), u), v);
}

float fractal(float x, float y, int period, int octaves, float gain, std::uint32_t seed) {
  float sum = 0, weight = 1;
  for (int o = 0; o < octaves; ++o, weight *= gain, period *= 2)
    sum += weight * gradient_noise(x * static_cast<float>(period), y * static_cast<float>(period),
                                   period, seed + static_cast<std::uint32_t>(o));
  return sum;
}

// Sharp where noise crosses 0.
float ridged(float x, float y, int period, int octaves, std::uint32_t seed) {
  float sum = 0, weight = 1;
  for (int o = 0; o < octaves; ++o, weight *= 0.55f, period *= 2)
    sum += weight * (0.35f - std::abs(gradient_noise(x * static_cast<float>(period),
                                                     y * static_cast<float>(period), period,
                                                     seed + static_cast<std::uint32_t>(o))));
  return sum;
}

// Rubble at a place: how high it lies, in tiles, and how light it is.
struct Rubble {
  float height = 0;
  float tone = 0.5f;
};

// Lays stones of one size, `across` of them a tile and a cell no more than one (scattered as by
// Worley 1996), on what lies there. Each is a block with edges, turned and tilted in its own way;
// `share` of the cells have one.
void lay_stones(Rubble& rubble, float x, float y, int across, float share, std::uint32_t seed) {
  const auto cells = static_cast<float>(across);
  const float u = x * cells, v = y * cells;
  const int ix = whole(u), iy = whole(v);
  for (int j = iy - 1; j <= iy + 1; ++j)
    for (int i = ix - 1; i <= ix + 1; ++i) {
      const std::uint32_t h = hash(wrap(i, across), wrap(j, across), seed);
      if (unit(h * 2654435761U) > share) continue;
      const std::uint32_t form = h * 31337U ^ h >> 7;
      const float dx = u - static_cast<float>(i) - unit(h),
                  dy = v - static_cast<float>(j) - unit(h * 7919);
      const Slope along = slope_at(form), tilt = slope_at(form * 69069U);
      const float a = along.x * dx + along.y * dy, b = 1.3f * (along.x * dy - along.y * dx);
      const float radius = 0.3f + 0.42f * unit(form * 40503U);
      // Eight sides, of which those across the corners lie farther out in some than in others.
      const float corner = 0.62f + 0.2f * unit(form * 9176U);
      const float off = std::max({std::abs(a), std::abs(b), corner * (std::abs(a) + std::abs(b))});
      if (off >= radius) continue;
      const float top = 0.75f * radius + 0.35f * (tilt.x * dx + tilt.y * dy);
      const float height = std::min(top, 1.9f * (radius - off)) / cells;
      if (height <= rubble.height) continue;
      rubble = {height, unit(form * 1103515245U)};
    }
}

std::uint8_t to_byte(float value) {
  return static_cast<std::uint8_t>(std::clamp(std::lround(value * 255), 0L, 255L));
}

// height(x, y) and tone(x, y) over the unit square, brought to 0 ... 1; `steepness` is the slope
// that a byte's end stands for, in heights a tile.
template <class Height, class Tone>
NoiseTile make_tile(int size, float steepness, Height&& height, Tone&& tone) {
  const auto cells = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  NoiseTile tile{size, std::vector<std::uint8_t>(4 * cells)};
  std::vector<float> z(cells);
  const auto at = [&](int x, int y) -> float& {
    return z[static_cast<std::size_t>(wrap(y, size)) * static_cast<std::size_t>(size) +
             static_cast<std::size_t>(wrap(x, size))];
  };
  const float scale = 1 / static_cast<float>(size);
  parallel_ranges(size, 0, [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < size; ++x)
        at(x, y) = height(static_cast<float>(x) * scale, static_cast<float>(y) * scale);
  });
  const auto [low, high] = std::minmax_element(z.begin(), z.end());
  const float from = *low, span = std::max(*high - *low, 1e-6f);
  parallel_ranges(size, 0, [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < size; ++x) {
        const float gx = (at(x + 1, y) - at(x - 1, y)) * 0.5f / (scale * span);
        const float gy = (at(x, y + 1) - at(x, y - 1)) * 0.5f / (scale * span);
        std::uint8_t* t =
            &tile.texels[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(size) +
                              static_cast<std::size_t>(x))];
        t[0] = to_byte(0.5f + 0.5f * gx / steepness);
        t[1] = to_byte(0.5f + 0.5f * gy / steepness);
        t[2] = to_byte((at(x, y) - from) / span);
        t[3] = to_byte(tone(static_cast<float>(x) * scale, static_cast<float>(y) * scale));
      }
  });
  return tile;
}

}  // namespace

NoiseTile rock_tile(int size) {
  return make_tile(
      size, 48,
      [](float x, float y) {
        // Cracks bend: the place itself is moved before it is looked up.
        const float wx = 0.05f * gradient_noise(x * 4, y * 4, 4, 11),
                    wy = 0.05f * gradient_noise(x * 4, y * 4, 4, 12);
        return ridged(x + wx, y + wy, 5, 6, 21) + 0.5f * fractal(x, y, 8, 6, 0.6f, 31);
      },
      [](float x, float y) { return 0.5f + 0.6f * fractal(x, y, 4, 6, 0.55f, 41); });
}

NoiseTile gravel_tile(int size) {
  // Few blocks, stones between them, and grit on which they lie.
  const auto rubble = [](float x, float y) {
    const float grit = fractal(x, y, 40, 3, 0.6f, 53);
    Rubble r{0.004f + 0.006f * grit, 0.5f + 0.35f * grit};
    lay_stones(r, x, y, 64, 0.85f, 52);
    lay_stones(r, x, y, 27, 0.55f, 51);
    lay_stones(r, x, y, 13, 0.18f, 54);
    r.height += 0.012f * fractal(x, y, 6, 3, 0.5f, 55);
    return r;
  };
  return make_tile(
      size, 56, [&](float x, float y) { return rubble(x, y).height; },
      [&](float x, float y) { return rubble(x, y).tone; });
}

NoiseTile soil_tile(int size) {
  return make_tile(
      size, 32, [](float x, float y) { return fractal(x, y, 4, 7, 0.52f, 61); },
      [](float x, float y) { return 0.5f + 0.6f * fractal(x, y, 3, 7, 0.5f, 71); });
}

}  // namespace scree::render
