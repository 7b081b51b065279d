#include "render/look/relief.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/error.h"
#include "base/progress.h"
#include "render/ground/horizon.h"
#include "render/ground/water.h"
#include "render/look/materials.h"
#include "render/look/parallel.h"
#include "render/look/statistics.h"

namespace scree::render {
namespace {

constexpr float radians = 0.017453292519943295f;

void check_size(std::span<const float> values, int width, int height, const char* name) {
  const std::size_t cells = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  if (width < 0 || height < 0 || values.size() != cells)
    throw Error(text("picture: ", name, " has ", values.size(), " values, expected ", width, " x ",
                     height));
}

void check(const ReliefInput& in) {
  check_size(in.bed, in.width, in.height, "bed");
  if (!(in.dx > 0) || !(in.dy > 0))
    throw Error(text("picture: the cell size must be above 0 m, got ", in.dx, " x ", in.dy));
  if (!in.water.empty()) check_size(in.water, in.width, in.height, "water");
  if (!in.sediment.empty()) check_size(in.sediment, in.width, in.height, "sediment");
  if (!in.deposit.empty()) check_size(in.deposit, in.width, in.height, "deposit");
  if (!in.wear.empty()) check_size(in.wear, in.width, in.height, "wear");
}

struct Gradient {
  float x = 0;  // rise per metre eastward
  float y = 0;  // rise per metre southward
};

float slope_of(Gradient g) { return std::sqrt(g.x * g.x + g.y * g.y); }

// Light that a surface with this gradient gets from a far lamp, as if level ground got 1.
float lambert(Gradient g, double azimuth, double altitude) {
  const float a = static_cast<float>(azimuth) * radians;
  const float flat = std::tan(static_cast<float>(altitude) * radians);
  const float toward = -g.x * std::sin(a) + g.y * std::cos(a);
  return std::max(0.0f, (toward / flat + 1) / std::sqrt(1 + g.x * g.x + g.y * g.y));
}

// Of water that covers its cell.
constexpr float water_opacity = 0.95f;

// One lamp of the hillshade; turned from the sun, so that ridges along the main light keep form
// (Mark 1992).
struct Lamp {
  double turn;
  double altitude;
  float weight;
};
constexpr Lamp fill_lamps[] = {
    {-70, 50, 0.30f}, {-35, 45, 0.25f}, {35, 45, 0.25f}, {80, 50, 0.20f}};

class Relief {
 public:
  Relief(const ReliefInput& input, const ReliefOptions& options) : in_(input), options_(options) {
    if (options.show_water) find_water();
    make_surface();
    choose_exaggeration();
    choose_tints();
  }

  std::vector<unsigned char> draw() {
    std::vector<float> raised(surface_);
    for (float& z : raised) z *= exaggeration_;
    light_ = look_at_sky(raised, in_.width, in_.height, in_.dx, in_.dy,
                         {options_.sun_azimuth, options_.sun_altitude}, options_.threads);
    prepare_lamps();
    choose_exposure();
    std::vector<unsigned char> pixels(in_.bed.size() * 3);
    parallel_ranges(in_.height, options_.threads, [&](int begin, int end) {
      for (int y = begin; y < end; ++y)
        for (int x = 0; x < in_.width; ++x) store_srgb(pixel(x, y), &pixels[3 * index(x, y)]);
    });
    return pixels;
  }

  LandColours colours() {
    LandColours colours;
    colours.rgb.resize(in_.bed.size() * 3);
    parallel_ranges(in_.height, options_.threads, [&](int begin, int end) {
      for (int y = begin; y < end; ++y)
        for (int x = 0; x < in_.width; ++x) store_srgb(unlit(x, y), &colours.rgb[3 * index(x, y)]);
    });
    colours.surface = std::move(surface_);
    return colours;
  }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(in_.width) +
           static_cast<std::size_t>(x);
  }

  void find_water() {
    SeenWater water = seen_water(in_, options_);
    deep_ = water.deep;
    cover_ = std::move(water.cover);
    depth_ = std::move(water.depth);
  }

  void make_surface() {
    surface_.assign(in_.bed.begin(), in_.bed.end());
    for (std::size_t i = 0; i < cover_.size(); ++i)
      surface_[i] += cover_[i] * std::max(0.0f, in_.water[i]);
  }

  Gradient gradient(int x, int y) const {
    const auto along = [&](bool has_a, bool has_b, std::size_t a, std::size_t b, double step) {
      const float here = surface_[index(x, y)];
      const float za = has_a ? surface_[a] : here, zb = has_b ? surface_[b] : here;
      const bool use_a = has_a && !std::isnan(za), use_b = has_b && !std::isnan(zb);
      const int steps = (use_a ? 1 : 0) + (use_b ? 1 : 0);
      if (steps == 0) return 0.0f;
      return ((use_b ? zb : here) - (use_a ? za : here)) / static_cast<float>(step * steps);
    };
    const std::size_t i = index(x, y), row = static_cast<std::size_t>(in_.width);
    return {along(x > 0, x + 1 < in_.width, i - 1, i + 1, in_.dx),
            along(y > 0, y + 1 < in_.height, i - row, i + row, in_.dy)};
  }

  // Mountains are shown as they are; gentle country is raised until its slopes read.
  void choose_exaggeration() {
    double sum = 0, count = 0;
    for (int y = 0; y < in_.height; ++y) {
      stop_if_cancelled();
      for (int x = 0; x < in_.width; ++x) {
        if (std::isnan(surface_[index(x, y)])) continue;
        if (!cover_.empty() && cover_[index(x, y)] > 0.5f) continue;
        sum += slope_of(gradient(x, y));
        count += 1;
      }
    }
    mean_slope_ = count > 0 ? static_cast<float>(sum / count) : 0;
    exaggeration_ = options_.exaggeration > 0 ? static_cast<float>(options_.exaggeration)
                    : mean_slope_ > 0         ? std::clamp(0.5f / mean_slope_, 0.6f, 6.0f)
                                              : 1.0f;
  }

  void choose_tints() {
    low_ = static_cast<float>(options_.tint_low);
    high_ = static_cast<float>(options_.tint_high);
    if (low_ == high_) {
      low_ = percentile(in_.bed, 0.01, 0);
      high_ = percentile(in_.bed, 0.995, 0);
    }
    const auto scale = [](std::span<const float> field) {
      return percentile(field, 0.97, 0, [](float v) { return v > 0; });
    };
    snow_line_ = snow_line(style_.snow, high_ - low_, mean_slope_);
    deposit_scale_ = scale(in_.deposit);
    wear_scale_ = scale(in_.wear);
  }

  void prepare_lamps() {
    shade_.assign(in_.bed.size(), 0.0f);
    parallel_ranges(in_.height, options_.threads, [&](int begin, int end) {
      for (int y = begin; y < end; ++y)
        for (int x = 0; x < in_.width; ++x) shade_cell(x, y);
    });
  }

  // Brightness of the sunlit part, level ground 1: main light with its cast shadow, and the
  // lamps around it that no shadow takes away.
  void shade_cell(int x, int y) {
    const std::size_t i = index(x, y);
    if (std::isnan(surface_[i])) return;
    Gradient g = gradient(x, y);
    g.x *= exaggeration_;
    g.y *= exaggeration_;
    const float hidden = static_cast<float>(options_.shadow) * (1 - light_.sun[i]);
    float fill = 0;
    for (const Lamp& lamp : fill_lamps)
      fill += lamp.weight * lambert(g, options_.sun_azimuth + lamp.turn, lamp.altitude);
    const float main = lambert(g, options_.sun_azimuth, options_.sun_altitude) * (1 - hidden);
    shade_[i] = 0.82f * main + 0.18f * fill;
  }

  // Warm sun, cool sky: the lit side comes forward and the shaded one stays readable.
  Rgb illumination(std::size_t i) const {
    constexpr Rgb sun{1.06f, 1.0f, 0.90f}, sky{0.80f, 0.96f, 1.28f};
    const float open = light_.sky[i] * light_.sky[i];
    const float occlusion = 1 - static_cast<float>(options_.occlusion) * (1 - open);
    return (sun * (0.78f * shade_[i]) + sky * (0.26f * occlusion)) * (0.4f + 0.6f * occlusion);
  }

  void choose_exposure() {
    if (options_.exposure > 0) {
      exposure_ = static_cast<float>(options_.exposure);
      return;
    }
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < surface_.size(); ++i)
      if (!std::isnan(surface_[i])) {
        sum += luminance(illumination(i));
        count += 1;
      }
    exposure_ = sum > 0 ? static_cast<float>(std::clamp(0.88 * count / sum, 0.7, 1.8)) : 1;
  }

  // Beds of rock are level: a face shows them as bands of uneven thickness and tone.
  float bedding(float z) const {
    const float thickness = (high_ - low_) / 22;
    if (!(thickness > 0)) return 0;
    const float place = (z - low_) / thickness;
    const float bed = std::floor(place);
    const auto tone = [](float n) {
      unsigned hash = static_cast<unsigned>(static_cast<int>(n)) * 0x9e3779b1u;
      hash = (hash ^ hash >> 15) * 0x85ebca77u;
      return static_cast<float>(hash >> 16) / 65536;
    };
    return std::lerp(tone(bed), tone(bed + 1), smoothstep(0.7f, 1, place - bed));
  }

  Rgb land(std::size_t i, Gradient g) const {
    const float level = high_ > low_ ? (in_.bed[i] - low_) / (high_ - low_) : 0.4f;
    const float slope = slope_of(g);
    Rgb colour = land_ramp(options_.palette).at(level);
    if (wear_scale_ > 0 && in_.wear[i] > 0)
      colour = mix(colour, bare_, 0.5f * smoothstep(0, 1, in_.wear[i] / wear_scale_));
    if (deposit_scale_ > 0 && in_.deposit[i] > 0)
      colour = mix(colour, sand_,
                   0.55f * smoothstep(0, 1, in_.deposit[i] / deposit_scale_) *
                       smoothstep(0.7f, 0.3f, slope));
    const Rgb rock = mix(rock_, rock2_, style_.strata * bedding(in_.bed[i]));
    colour = mix(colour, rock, 0.85f * smoothstep(0.6f, 1.2f, slope));
    const float snow = smoothstep(snow_line_, snow_line_ + 0.25f, level - 0.12f * (slope - 0.6f));
    return mix(colour, {0.90f, 0.93f, 0.97f}, snow * smoothstep(1.25f, 0.7f, slope));
  }

  // Depth colours saturate as light does in water; a load of sediment turns them milky.
  Rgb water(std::size_t i) const {
    static const Rgb shallow = from_srgb(0x5f9fb4), middle = from_srgb(0x2f739c),
                     deep = from_srgb(0x173f6c), milk = from_srgb(0xa8a58c);
    const float t = 1 - std::exp(-2.5f * depth_[i] / deep_);
    Rgb colour = t < 0.5f ? mix(shallow, middle, 2 * t) : mix(middle, deep, 2 * t - 1);
    if (!in_.sediment.empty() && in_.sediment[i] > 0 && depth_[i] > 0)
      colour = mix(colour, milk, 0.2f * smoothstep(0, 0.2f, in_.sediment[i] / depth_[i]));
    return colour;
  }

  // Share of a pixel that a contour's ink takes.
  float contour_ink(std::size_t i, Gradient g) const {
    if (!(options_.contour_interval > 0)) return 0;
    const double lines = in_.bed[i] / options_.contour_interval;
    const double nearest = std::round(lines);
    const double rise = slope_of(g) * std::sqrt(in_.dx * in_.dy) / options_.contour_interval;
    if (!(rise > 1e-4) || rise > 0.5) return 0;
    const bool strong = std::fmod(std::abs(nearest), 5.0) < 0.5;
    const float away = static_cast<float>(std::abs(lines - nearest) / rise);
    return (strong ? 0.6f : 0.35f) * smoothstep(strong ? 1.1f : 0.9f, 0.2f, away);
  }

  Rgb unlit(int x, int y) const {
    const std::size_t i = index(x, y);
    if (std::isnan(surface_[i])) return from_srgb(options_.nodata_srgb);
    const Rgb colour = land(i, gradient(x, y));
    return shows_water(i) ? mix(colour, water(i), water_opacity * cover_[i]) : colour;
  }

  bool shows_water(std::size_t i) const { return !cover_.empty() && cover_[i] > 0; }

  Rgb pixel(int x, int y) const {
    const std::size_t i = index(x, y);
    if (std::isnan(surface_[i])) return from_srgb(options_.nodata_srgb);
    static const Rgb ink = from_srgb(0x5a4632);
    const Gradient g = gradient(x, y);
    const Rgb light = illumination(i) * exposure_;
    Rgb colour = mix(land(i, g), ink, contour_ink(i, g)) * light;
    if (!shows_water(i)) return soften(colour);
    const Rgb lit_water = water(i) * mix({1, 1, 1}, light, 0.35f);
    return soften(mix(colour, lit_water, water_opacity * cover_[i]));
  }

  // Rolls highlights off instead of clipping them.
  static Rgb soften(Rgb c) {
    const auto roll = [](float v) {
      return v <= 0.7f ? v : 0.7f + 0.3f * (1 - std::exp(-(v - 0.7f) / 0.3f));
    };
    return {roll(c.r), roll(c.g), roll(c.b)};
  }

  const ReliefInput& in_;
  const ReliefOptions& options_;
  std::vector<float> surface_;  // bed, or water where it shows
  std::vector<float> cover_;    // how much of a cell shows as water
  std::vector<float> depth_;    // smoothed
  std::vector<float> shade_;
  SkyLight light_;
  float deep_ = 1;
  float mean_slope_ = 0;
  float snow_line_ = 2;
  float exaggeration_ = 1;
  float exposure_ = 1;
  float low_ = 0;
  float high_ = 0;
  float deposit_scale_ = 0;
  float wear_scale_ = 0;
  LandStyle style_ = land_style(options_.palette);
  Rgb rock_ = from_srgb(style_.rock);
  Rgb rock2_ = from_srgb(style_.rock2);
  Rgb bare_ = from_srgb(style_.bare);
  Rgb sand_ = from_srgb(style_.sand);
};

}  // namespace

std::vector<unsigned char> shaded_relief(const ReliefInput& input, const ReliefOptions& options) {
  check(input);
  return Relief(input, options).draw();
}

LandColours land_colours(const ReliefInput& input, const ReliefOptions& options) {
  check(input);
  return Relief(input, options).colours();
}

std::vector<float> with_sea(std::vector<float> water, std::span<const float> sink) {
  constexpr float depth = 30;
  water.resize(std::max(water.size(), sink.size()), 0.0f);
  for (std::size_t i = 0; i < sink.size(); ++i)
    if (sink[i] > 0) water[i] = depth;
  return water;
}

FieldRange field_range(std::span<const float> values, const FieldOptions& options) {
  if (options.low != options.high)
    return {static_cast<float>(options.low), static_cast<float>(options.high)};
  const auto counts = [&](float v) { return !options.logarithmic || v > 0; };
  FieldRange range{percentile(values, 0.01, 0, counts), percentile(values, 0.99, 0, counts)};
  if (options.map == ColourMap::diverging) {
    const float far = std::max(std::abs(range.low), std::abs(range.high));
    range = {-far, far};
  }
  return range;
}

std::vector<unsigned char> field_picture(std::span<const float> values, int width, int height,
                                         const FieldOptions& options) {
  check_size(values, width, height, "field");
  const ColourRamp& ramp = colour_ramp(options.map);
  const Rgb nodata = from_srgb(options.nodata_srgb);
  const FieldRange range = field_range(values, options);
  const auto scale = [&](float v) {
    return options.logarithmic ? std::log(std::max(v, std::numeric_limits<float>::min())) : v;
  };
  const float low = scale(range.low), span = scale(range.high) - low;
  const float uniform = options.map == ColourMap::diverging ? 0.5f : 0.0f;
  std::vector<unsigned char> pixels(values.size() * 3);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float t = span != 0 ? (scale(values[i]) - low) / span : uniform;
    store_srgb(std::isnan(values[i]) ? nodata : ramp.at(t), &pixels[3 * i]);
  }
  return pixels;
}

double nice_contour_interval(double relief, int count) {
  if (!(relief > 0) || count < 1) return 0;
  const double wanted = relief / count;
  const double power = std::pow(10.0, std::floor(std::log10(wanted)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= wanted * 0.999) return step * power;
  return 10 * power;
}

}  // namespace scree::render
