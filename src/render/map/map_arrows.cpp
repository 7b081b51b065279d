#include "render/map/map_arrows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/look/statistics.h"
#include "render/map/plane.h"

namespace scree::render {
namespace {

// Means over the ground that each arrow stands for; where there is a weight, by it.
struct Arrows {
  int across = 1, down = 1;
  Plane x, y, weight;
};
Arrows arrows_of(const Ground& ground, const MapView& view, const MapPlace& place) {
  constexpr double apart = 3.6;  // lines of type: more would hide the map
  Arrows a;
  a.across = std::max(1, static_cast<int>(place.width / (apart * place.type)));
  a.down = std::max(1, static_cast<int>(place.height / (apart * place.type)));
  const auto mean = [&](const std::vector<float>& field) {
    return resample(field, ground.width, ground.height, a.across, a.down, false);
  };
  if (view.arrow_weight.empty()) {
    a.x = mean(view.arrow_x);
    a.y = mean(view.arrow_y);
    return a;
  }
  const auto weighted = [&](std::vector<float> field) {
    for (std::size_t i = 0; i < field.size(); ++i) field[i] *= view.arrow_weight[i];
    Plane plane = mean(field);
    for (std::size_t i = 0; i < plane.values.size(); ++i)
      plane.values[i] = a.weight.values[i] > 0 ? plane.values[i] / a.weight.values[i] : 0;
    return plane;
  };
  a.weight = mean(view.arrow_weight);
  a.x = weighted(view.arrow_x);
  a.y = weighted(view.arrow_y);
  return a;
}

// An open head on a thin shaft.
void add_arrow(Point2 middle, double u, double v, const ArrowScale& scale, double type,
               std::vector<Stroke>& strokes) {
  const double length = std::hypot(u, v);
  const double shown = std::min(length / scale.longest, 1.6);
  if (shown < 0.15) return;
  const double x = u / length, y = -v / length, half = 0.5 * shown * scale.pixels;
  const double head = std::min(0.42 * type, 0.8 * half);
  const Point2 tip{middle.x + x * half, middle.y + y * half},
      tail{middle.x - x * half, middle.y - y * half}, back{tip.x - head * x, tip.y - head * y};
  strokes.push_back({tail, tip});
  strokes.push_back({{back.x - 0.5 * head * y, back.y + 0.5 * head * x},
                     tip,
                     {back.x + 0.5 * head * y, back.y - 0.5 * head * x}});
}

// The map shows through.
void ink_arrows(const std::vector<Stroke>& strokes, double type, Sheet& sheet) {
  const double weight = std::max(0.9, type / 12);
  sheet.lines(strokes, 2.2 * weight, 0xffffff, 0.3);
  sheet.lines(strokes, weight, 0x0d1722, 0.72);
}

}  // namespace

ArrowScale draw_arrows(const Ground& ground, const MapView& view, const MapPlace& place,
                       Sheet& sheet) {
  if (view.arrow_x.empty()) return {};
  const Arrows a = arrows_of(ground, view, place);
  // Films of rain run everywhere; what matters is where there is much.
  const float least = 0.15f * percentile(a.weight.values, 0.95, 0);
  std::vector<float> lengths(a.x.values.size());
  for (std::size_t i = 0; i < lengths.size(); ++i)
    if (a.weight.values.empty() || a.weight.values[i] >= least)
      lengths[i] = std::hypot(a.x.values[i], a.y.values[i]);
  const float most = percentile(lengths, 0.9, 0, [](float v) { return v > 0; });
  if (!(most > 0)) return {};
  const double step_x = static_cast<double>(place.width) / a.across,
               step_y = static_cast<double>(place.height) / a.down;
  const ArrowScale scale{static_cast<double>(most), 0.72 * std::min(step_x, step_y)};
  std::vector<Stroke> strokes;
  for (int j = 0; j < a.down; ++j)
    for (int i = 0; i < a.across; ++i) {
      const double u = static_cast<double>(a.x.at(i, j)), v = static_cast<double>(a.y.at(i, j));
      if (std::isnan(u) || std::isnan(v)) continue;
      if (!(lengths[static_cast<std::size_t>(j * a.across + i)] > 0)) continue;
      add_arrow({place.left + (i + 0.5) * step_x, place.top + (j + 0.5) * step_y}, u, v, scale,
                place.type, strokes);
    }
  ink_arrows(strokes, place.type, sheet);
  return scale;
}

void draw_arrow(Point2 middle, double u, double v, const ArrowScale& scale, double type,
                Sheet& sheet) {
  std::vector<Stroke> strokes;
  add_arrow(middle, u, v, scale, type, strokes);
  ink_arrows(strokes, type, sheet);
}

}  // namespace scree::render
