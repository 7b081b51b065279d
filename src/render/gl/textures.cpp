#include "render/gl/textures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

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

// std::lerp is exact at its ends, which costs more here than the noise itself.
float between(float a, float b, float share) { return a + share * (b - a); }

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

// Gradient noise (Perlin 2002) on a lattice that repeats; about -0.7 to 0.7. The slopes at its
// places are made once: they are most of the time that noise takes.
class GradientNoise {
 public:
  GradientNoise(int period, std::uint32_t seed) : period_(period) {
    slopes_.reserve(static_cast<std::size_t>(period) * static_cast<std::size_t>(period));
    for (int y = 0; y < period; ++y)
      for (int x = 0; x < period; ++x) slopes_.push_back(slope_at(hash(x, y, seed)));
  }

  // Over the unit square, and a little beyond it.
  float at(float x, float y) const {
    x *= static_cast<float>(period_);
    y *= static_cast<float>(period_);
    const int ix = whole(x), iy = whole(y);
    const float fx = x - static_cast<float>(ix), fy = y - static_cast<float>(iy);
    const int x0 = wrap(ix, period_), x1 = wrap(ix + 1, period_);
    const Slope *low = row(iy), *high = row(iy + 1);
    const auto along = [](Slope slope, float dx, float dy) { return slope.x * dx + slope.y * dy; };
    const auto fade = [](float t) { return t * t * t * (t * (t * 6 - 15) + 10); };
    const float u = fade(fx);
    return between(between(along(low[x0], fx, fy), along(low[x1], fx - 1, fy), u),
                   between(along(high[x0], fx, fy - 1), along(high[x1], fx - 1, fy - 1), u),
                   fade(fy));
  }

 private:
  const Slope* row(int y) const {
    return &slopes_[static_cast<std::size_t>(wrap(y, period_)) * static_cast<std::size_t>(period_)];
  }

  int period_;
  std::vector<Slope> slopes_;
};

// Octaves, each of twice as many waves and of `gain` times the height of the one before.
class Octaves {
 public:
  Octaves(int period, int count, float gain, std::uint32_t seed) : gain_(gain) {
    for (int o = 0; o < count; ++o)
      noise_.emplace_back(period << o, seed + static_cast<std::uint32_t>(o));
  }

  float fractal(float x, float y) const {
    return sum([&](const GradientNoise& noise) { return noise.at(x, y); });
  }
  // Sharp where noise crosses 0.
  float ridged(float x, float y) const {
    return sum([&](const GradientNoise& noise) { return 0.35f - std::abs(noise.at(x, y)); });
  }

 private:
  template <class F>
  float sum(F&& octave) const {
    float sum = 0, weight = 1;
    for (const GradientNoise& noise : noise_) {
      sum += weight * octave(noise);
      weight *= gain_;
    }
    return sum;
  }

  float gain_;
  std::vector<GradientNoise> noise_;
};

// A place of a tile.
struct Texel {
  float height = 0;   // in tiles, of rubble
  float tone = 0.5f;  // how light it is, 0 to 1
};

// Lays stones of one size, `across` of them a tile and a cell no more than one (scattered as by
// Worley 1996), on what lies there. Each is a block with edges, turned and tilted in its own way;
// `share` of the cells have one.
void lay_stones(Texel& rubble, float x, float y, int across, float share, std::uint32_t seed) {
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

// texel(x, y) over the unit square, heights brought to 0 ... 1; `steepness` is the slope that a
// byte's end stands for, in heights a tile.
template <class F>
NoiseTile make_tile(int size, float steepness, F&& texel) {
  const auto cells = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  NoiseTile tile{size, std::vector<std::uint8_t>(4 * cells)};
  std::vector<float> z(cells);
  const auto index = [&](int x, int y) {
    return static_cast<std::size_t>(wrap(y, size)) * static_cast<std::size_t>(size) +
           static_cast<std::size_t>(wrap(x, size));
  };
  const float scale = 1 / static_cast<float>(size);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const Texel here = texel(static_cast<float>(x) * scale, static_cast<float>(y) * scale);
      z[index(x, y)] = here.height;
      tile.texels[4 * index(x, y) + 3] = to_byte(here.tone);
    }
  const auto [low, high] = std::minmax_element(z.begin(), z.end());
  const float from = *low, span = std::max(*high - *low, 1e-6f);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const float gx = (z[index(x + 1, y)] - z[index(x - 1, y)]) * 0.5f / (scale * span);
      const float gy = (z[index(x, y + 1)] - z[index(x, y - 1)]) * 0.5f / (scale * span);
      std::uint8_t* t = &tile.texels[4 * index(x, y)];
      t[0] = to_byte(0.5f + 0.5f * gx / steepness);
      t[1] = to_byte(0.5f + 0.5f * gy / steepness);
      t[2] = to_byte((z[index(x, y)] - from) / span);
    }
  return tile;
}

}  // namespace

NoiseTile rock_tile(int size) {
  const GradientNoise bend_x(4, 11), bend_y(4, 12);
  const Octaves cracks(5, 6, 0.55f, 21), grain(8, 6, 0.6f, 31), tones(4, 6, 0.55f, 41);
  return make_tile(size, 48, [&](float x, float y) {
    // Cracks bend: the place itself is moved before it is looked up.
    const float wx = 0.05f * bend_x.at(x, y), wy = 0.05f * bend_y.at(x, y);
    return Texel{cracks.ridged(x + wx, y + wy) + 0.5f * grain.fractal(x, y),
                 0.5f + 0.6f * tones.fractal(x, y)};
  });
}

NoiseTile gravel_tile(int size) {
  const Octaves grits(40, 3, 0.6f, 53), heaps(6, 3, 0.5f, 55);
  // Few blocks, stones between them, and grit on which they lie.
  return make_tile(size, 56, [&](float x, float y) {
    const float grit = grits.fractal(x, y);
    Texel rubble{0.004f + 0.006f * grit, 0.5f + 0.35f * grit};
    lay_stones(rubble, x, y, 64, 0.85f, 52);
    lay_stones(rubble, x, y, 27, 0.55f, 51);
    lay_stones(rubble, x, y, 13, 0.18f, 54);
    rubble.height += 0.012f * heaps.fractal(x, y);
    return rubble;
  });
}

NoiseTile soil_tile(int size) {
  const Octaves heights(4, 7, 0.52f, 61), tones(3, 7, 0.5f, 71);
  return make_tile(size, 32, [&](float x, float y) {
    return Texel{heights.fractal(x, y), 0.5f + 0.6f * tones.fractal(x, y)};
  });
}

}  // namespace scree::render
