#include "render/horizon.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "render/colour.h"
#include "render/parallel.h"

namespace scree::render {
namespace {

constexpr float degree = 0.017453292519943295f;

// A family of parallel lines of cells: x and y of one step along the family.
struct Family {
  int x;
  int y;
};
constexpr Family families[] = {{1, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 1}, {-1, 2}, {-1, 1}, {-2, 1}};
constexpr int directions = 16;  // each family is walked both ways

struct Point {
  float distance;
  float height;
};

// Tangent of the horizon seen from `here`, looking back over what was passed.
float horizon_tangent(std::vector<Point>& hull, Point here) {
  const auto tangent = [&](const Point& p) {
    return (p.height - here.height) / (here.distance - p.distance);
  };
  while (hull.size() > 1 && tangent(hull[hull.size() - 2]) >= tangent(hull.back())) hull.pop_back();
  const float result = hull.empty() ? 0.0f : std::max(0.0f, tangent(hull.back()));
  hull.push_back(here);
  return result;
}

class Horizons {
 public:
  Horizons(std::span<const float> heights, int width, int height, double dx, double dy,
           const Sun& sun, SkyLight& light)
      : heights_(heights),
        width_(width),
        height_(height),
        dx_(dx),
        dy_(dy),
        sun_(sun),
        light_(light) {
    for (const Family& family : families)
      for (const int sense : {1, -1}) total_sun_weight_ += sun_weight(family, sense);
  }

  void walk_family(const Family& family, int threads) {
    const bool along_x = std::abs(family.x) >= std::abs(family.y);
    const int steps = along_x ? width_ : height_;
    const int across = along_x ? height_ : width_;
    const int drift = static_cast<int>(steps * std::abs(slant(family))) + 1;
    const int phases = half_cells_across(family) % 2 == 0 ? 1 : 2;
    parallel_ranges((across + 2 * drift) * phases, threads, [&](int begin, int end) {
      std::vector<Point> hull;
      for (int line = begin; line < end; ++line)
        for (const int sense : {1, -1})
          walk_line(family, line / phases - drift, line % phases, sense, hull);
    });
  }

 private:
  // Cells across per step along the longer axis.
  static double slant(const Family& f) {
    return std::abs(f.x) >= std::abs(f.y) ? static_cast<double>(f.y) / f.x
                                          : static_cast<double>(f.x) / f.y;
  }

  static int half_cells_across(const Family& f) {
    return static_cast<int>(std::lround(2 * slant(f)));
  }

  // The way we look, which is the way we came from: against the walk.
  float sun_weight(const Family& f, int sense) const {
    const bool along_x = std::abs(f.x) >= std::abs(f.y);
    const double x = along_x ? -sense : -sense * slant(f);
    const double y = along_x ? -sense * slant(f) : -sense;
    const double azimuth = std::atan2(x * dx_, -y * dy_) / degree;
    const double apart = std::remainder(azimuth - sun_.azimuth, 360.0) / 16;
    return static_cast<float>(std::exp(-apart * apart));
  }

  // A slanting line meets a cell's centre only every other step; between, it passes midway between
  // two cells and sees their mean. Were it to take the nearer cell instead, a slope across the line
  // would look like bumps along it, and show as hatching. Lines of the other phase meet the cells
  // that these pass by.
  void walk_line(const Family& family, int line, int phase, int sense, std::vector<Point>& hull) {
    const bool along_x = std::abs(family.x) >= std::abs(family.y);
    const double lean = slant(family);
    const int lean2 = half_cells_across(family);
    const int steps = along_x ? width_ : height_;
    const float stride =
        static_cast<float>(along_x ? std::hypot(dx_, lean * dy_) : std::hypot(dy_, lean * dx_));
    const float weight = sun_weight(family, sense) / total_sun_weight_;
    hull.clear();
    for (int step = 0; step < steps; ++step) {
      const int major = sense > 0 ? step : steps - 1 - step;
      const int minor2 = 2 * line + (major - phase) * lean2;
      const bool between = minor2 % 2 != 0;
      const int minor = (minor2 - (between ? 1 : 0)) / 2;
      const int beyond = minor + (between ? 1 : 0);
      if (minor < 0 || beyond >= (along_x ? height_ : width_)) continue;
      const std::size_t cell = index(along_x, major, minor);
      const float z = 0.5f * (heights_[cell] + heights_[index(along_x, major, beyond)]);
      if (std::isnan(z)) continue;
      const Point here{static_cast<float>(step) * stride, z};
      const float tangent = horizon_tangent(hull, here);
      if (!between) light_cell(cell, tangent, weight);
    }
  }

  std::size_t index(bool along_x, int major, int minor) const {
    const int x = along_x ? major : minor, y = along_x ? minor : major;
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  void light_cell(std::size_t cell, float tangent, float weight) {
    light_.sky[cell] += 1 / ((1 + tangent * tangent) * directions);  // cos² of the horizon
    if (weight < 0.01f) return;
    const float up = std::atan(tangent) / degree - static_cast<float>(sun_.altitude);
    const float soft = static_cast<float>(sun_.softness);
    light_.sun[cell] += weight * smoothstep(soft, -soft, up);
  }

  std::span<const float> heights_;
  int width_;
  int height_;
  double dx_;
  double dy_;
  Sun sun_;
  SkyLight& light_;
  float total_sun_weight_ = 0;
};

}  // namespace

SkyLight look_at_sky(std::span<const float> heights, int width, int height, double dx, double dy,
                     const Sun& sun, int threads) {
  SkyLight light;
  light.sky.assign(heights.size(), 0.0f);
  light.sun.assign(heights.size(), 0.0f);
  Horizons horizons(heights, width, height, dx, dy, sun, light);
  for (const Family& family : families) horizons.walk_family(family, threads);
  return light;
}

}  // namespace scree::render
