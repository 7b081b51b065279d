#include "render/map/map_view.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include "base/error.h"
#include "render/ground/water.h"
#include "render/look/parallel.h"
#include "render/look/statistics.h"
#include "render/map/map_arrows.h"
#include "render/map/map_contours.h"
#include "render/map/map_furniture.h"
#include "render/map/plane.h"

namespace scree::render {
namespace {

constexpr unsigned paper = 0xf8f7f3;
constexpr unsigned unknown_kind = 0x9b978f;  // what is beyond the list
constexpr int least_side = 200;              // a smaller sheet has no room for letters

// Height of capitals on a sheet of this size.
double type_size(int width, int height) { return std::max(6.5, std::min(width, height) / 66.0); }

void check(const Ground& ground, const MapView& view) {
  const auto cells =
      static_cast<std::size_t>(ground.width) * static_cast<std::size_t>(ground.height);
  if (ground.width < 1 || ground.height < 1 || ground.bed.size() != cells)
    throw Error(text("map: bed has ", ground.bed.size(), " values, expected ", ground.width, " x ",
                     ground.height));
  if (!view.values.empty() && view.values.size() != cells)
    throw Error(text("map: the field has ", view.values.size(), " values, expected ", ground.width,
                     " x ", ground.height));
  if (view.arrow_x.size() != view.arrow_y.size() ||
      (!view.arrow_x.empty() && view.arrow_x.size() != cells))
    throw Error("map: arrows need two numbers a cell");
  if (!view.arrow_weight.empty() && view.arrow_weight.size() != view.arrow_x.size())
    throw Error("map: arrows need a weight for each cell, or none");
}

std::vector<MapKind> legend_of(const MapView& view) {
  return view.legend.empty() ? kinds_on(view) : view.legend;
}

class Map {
 public:
  Map(const Ground& ground, const Look& look, const MapView& view, int width, int height)
      : ground_(ground),
        look_(look),
        view_(view),
        scale_(scale_of(view)),
        place_(map_place(ground, view, width, height)),
        sheet_(width, height, paper) {}

  Picture draw() {
    bed_ = resample(ground_.bed, ground_.width, ground_.height, place_.width, place_.height, true);
    metres_ = ground_.dx * ground_.width / place_.width;
    draw_ground();
    MapContent content{scale_, {}, metres_, 0};
    if (view_.values.empty())
      content.contours = draw_contours({bed_, wet_, view_.contours}, place_, sheet_);
    content.arrows = draw_arrows(ground_, view_, place_, sheet_);
    if (place_.furnished) furnish_map(view_, content, place_, sheet_);
    return sheet_.take();
  }

 private:
  Plane plane_of(const std::vector<float>& field) const {
    return resample(field, ground_.width, ground_.height, place_.width, place_.height, false);
  }

  ReliefInput relief_input(const Plane& water) const {
    ReliefInput input;
    input.width = place_.width;
    input.height = place_.height;
    input.dx = metres_;
    input.dy = ground_.dy * ground_.height / place_.height;
    input.bed = bed_.values;
    input.water = water.values;
    return input;
  }

  void draw_ground() {
    const bool with_water =
        view_.values.empty() && look_.relief.show_water && !ground_.water.empty();
    const Plane water = with_water ? plane_of(ground_.water) : Plane{};
    const ReliefInput input = relief_input(water);
    ReliefOptions options = look_.relief;
    if (!view_.values.empty()) options.palette = Palette::plain;
    settle_tints(options, ground_.bed);
    options.contour_interval = 0;
    options.nodata_srgb = 0xe4e2dd;
    if (with_water) wet_ = seen_water(input, options).cover;
    std::vector<unsigned char> pixels = shaded_relief(input, options);
    if (!view_.values.empty()) colour(pixels);
    for (int y = 0; y < place_.height; ++y)
      for (int x = 0; x < place_.width; ++x)
        sheet_.set(static_cast<int>(place_.left) + x, static_cast<int>(place_.top) + y,
                   &pixels[3 * index(x, y)]);
  }

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(place_.width) +
           static_cast<std::size_t>(x);
  }

  // That of the cell in each pixel's middle: there is no mean of two materials.
  Plane kinds_in_pixels() const {
    Plane plane{place_.width, place_.height, {}};
    for (int y = 0; y < place_.height; ++y)
      for (int x = 0; x < place_.width; ++x) {
        const auto cell = [](int pixel, int pixels, int cells) {
          return static_cast<std::size_t>((2 * static_cast<std::int64_t>(pixel) + 1) * cells /
                                          (2 * static_cast<std::int64_t>(pixels)));
        };
        plane.values.push_back(view_.values[cell(y, place_.height, ground_.height) *
                                                static_cast<std::size_t>(ground_.width) +
                                            cell(x, place_.width, ground_.width)]);
      }
    return plane;
  }

  Rgb colour_of_kind(float number) const {
    const auto kind = static_cast<std::size_t>(std::max(0.0F, number));
    return from_srgb(kind < view_.kinds.size() ? view_.kinds[kind].colour : unknown_kind);
  }

  // The field's colour, darker and lighter with the light on the ground, but never so much that it
  // could be taken for another.
  void colour(std::vector<unsigned char>& pixels) const {
    const bool kinds = !view_.kinds.empty();
    const Plane values = kinds ? kinds_in_pixels() : plane_of(view_.values);
    const ColourRamp& ramp = colour_ramp(scale_.map);
    parallel_ranges(place_.height, 0, [&](int begin, int end) {
      for (int y = begin; y < end; ++y)
        for (int x = 0; x < place_.width; ++x) {
          const std::size_t i = index(x, y);
          const float value = values.values[i];
          if (std::isnan(value) || std::isnan(bed_.values[i])) continue;
          if (!kinds && scale_.empty_at_zero && !(value > 0)) continue;
          const float light = static_cast<float>(pixels[3 * i + 1]) / 205;
          const Rgb shown =
              kinds ? colour_of_kind(value)
                    : ramp.at(static_cast<float>(scale_.share(static_cast<double>(value))));
          const Rgb lit = shown * (0.42f + 0.58f * light * light);
          const float cover = kinds ? 1 : covering(value);
          store_srgb(mix(from_bytes(&pixels[3 * i]), lit, cover), &pixels[3 * i]);
        }
    });
  }

  static Rgb from_bytes(const unsigned char* rgb) {
    return from_srgb(static_cast<unsigned>(rgb[0]) << 16 | static_cast<unsigned>(rgb[1]) << 8 |
                     rgb[2]);
  }

  // Of what is mostly little, next to nothing leaves the ground as it is.
  float covering(float value) const {
    if (scale_.map != ColourMap::amount || (!scale_.logarithmic && scale_.low != 0)) return 1;
    return smoothstep(0.01f, 0.12f, static_cast<float>(scale_.share(static_cast<double>(value))));
  }

  const Ground& ground_;
  const Look& look_;
  const MapView& view_;
  FieldScale scale_;
  MapPlace place_;
  Sheet sheet_;
  Plane bed_;
  std::vector<float> wet_;
  double metres_ = 1;  // a pixel
};

}  // namespace

void settle_tints(ReliefOptions& options, const std::vector<float>& bed) {
  if (options.tint_low != options.tint_high || bed.empty()) return;
  options.tint_low = static_cast<double>(percentile(bed, 0.01, 0));
  options.tint_high = static_cast<double>(percentile(bed, 0.995, 0));
}

FieldScale scale_of(const MapView& view) {
  if (view.scale) return *view.scale;
  return chosen_scale(view.values, {view.logarithmic, view.low, view.high});
}

std::vector<MapKind> kinds_on(const MapView& view) {
  std::set<int> seen;
  for (const float number : view.values)
    if (!std::isnan(number)) seen.insert(std::max(0, static_cast<int>(number)));
  std::vector<MapKind> found;
  std::set<std::pair<std::string, unsigned>> named;
  for (const int number : seen) {
    const auto at = static_cast<std::size_t>(number);
    MapKind kind =
        at < view.kinds.size() ? view.kinds[at] : MapKind{text("material ", number), unknown_kind};
    kind.pattern = Pattern::plain;
    if (named.emplace(kind.name, kind.colour).second) found.push_back(std::move(kind));
  }
  return found;
}

MapPlace map_place(const Ground& ground, const MapView& view, int width, int height) {
  MapPlace place;
  place.type = type_size(width, height);
  place.furnished = std::min(width, height) >= least_side;
  const double type = place.type;
  const bool bar = place.furnished && !view.values.empty();
  const double left = place.furnished ? 2 * type : 0, top = place.furnished ? 3.6 * type : 0,
               right = !view.kinds.empty() && bar
                           ? 3 * type + legend_width(legend_of(view), type, 0.4 * width)
                       : bar ? 10 * type
                             : left,
               bottom = place.furnished ? 4 * type : 0;
  const double metres_x = ground.dx * ground.width, metres_y = ground.dy * ground.height;
  const double room_x = width - left - right, room_y = height - top - bottom;
  const double scale = std::min(room_x / metres_x, room_y / metres_y);
  place.width = std::max(1, static_cast<int>(std::floor(scale * metres_x)));
  place.height = std::max(1, static_cast<int>(std::floor(scale * metres_y)));
  place.left = std::floor(left + (room_x - place.width) / 2);
  place.top = std::floor(top + (room_y - place.height) / 2);
  return place;
}

Picture draw_map(const Ground& ground, const Look& look, const MapView& view, int width,
                 int height) {
  check(ground, view);
  return Map(ground, look, view, width, height).draw();
}

}  // namespace scree::render
