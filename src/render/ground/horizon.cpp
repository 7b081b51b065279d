#include "render/ground/horizon.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "render/look/colour.h"
#include "render/look/parallel.h"

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

// The horizon that is seen from a place: as high above it as `rise`, 0 where nothing stands higher.
struct Sight {
  float rise;
  float run;
  float tangent() const { return rise / run; }
};

// What was passed along a line and may still be the horizon of what comes: what lies before it is
// seen less steeply from everywhere ahead.
class Passed {
 public:
  explicit Passed(int most) : points_(static_cast<std::size_t>(most)) {}

  void forget() { count_ = 0; }

  // Seen looking back from `here`, which is then passed too. Slopes are compared without dividing.
  Sight look_back(Point here) {
    Sight highest{0, 1};
    if (count_ > 0) highest = sight(here, points_[count_ - 1]);
    while (count_ > 1) {
      const Sight before = sight(here, points_[count_ - 2]);
      if (!(before.rise * highest.run >= highest.rise * before.run)) break;
      highest = before;
      --count_;
    }
    points_[count_++] = here;
    highest.rise = std::max(0.0f, highest.rise);
    return highest;
  }

 private:
  static Sight sight(Point here, Point there) {
    return {there.height - here.height, here.distance - there.distance};
  }

  std::vector<Point> points_;
  std::size_t count_ = 0;
};

class Horizons {
 public:
  Horizons(std::span<const float> heights, int width, int height, double dx, double dy,
           const std::optional<Sun>& sun, SkyLight& light)
      : heights_(heights),
        width_(width),
        height_(height),
        dx_(dx),
        dy_(dy),
        sun_(sun),
        light_(light) {
    if (!sun_) return;
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
      Passed passed(steps);
      for (int line = begin; line < end; ++line)
        for (const int sense : {1, -1})
          walk_line(family, line / phases - drift, line % phases, sense, passed);
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
    const double apart = std::remainder(azimuth - sun_->azimuth, 360.0) / 16;
    return static_cast<float>(std::exp(-apart * apart));
  }

  // A slanting line meets a cell's centre only every other step; between, it passes midway between
  // two cells and sees their mean. Were it to take the nearer cell instead, a slope across the line
  // would look like bumps along it, and show as hatching. Lines of the other phase meet the cells
  // that these pass by.
  void walk_line(const Family& family, int line, int phase, int sense, Passed& passed) {
    const bool along_x = std::abs(family.x) >= std::abs(family.y);
    const double lean = slant(family);
    const int lean2 = half_cells_across(family);
    const int steps = along_x ? width_ : height_;
    const float stride =
        static_cast<float>(along_x ? std::hypot(dx_, lean * dy_) : std::hypot(dy_, lean * dx_));
    const float weight = sun_ ? sun_weight(family, sense) / total_sun_weight_ : 0.0f;
    passed.forget();
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
      const Sight horizon = passed.look_back(here);
      if (!between) light_cell(cell, horizon, weight);
    }
  }

  std::size_t index(bool along_x, int major, int minor) const {
    const int x = along_x ? major : minor, y = along_x ? minor : major;
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  void light_cell(std::size_t cell, const Sight& horizon, float weight) {
    const float run2 = horizon.run * horizon.run, rise2 = horizon.rise * horizon.rise;
    light_.sky[cell] += run2 / ((run2 + rise2) * directions);  // cos² of the horizon
    if (weight < 0.01f) return;
    const float up = std::atan(horizon.tangent()) / degree - static_cast<float>(sun_->altitude);
    const float soft = static_cast<float>(sun_->softness);
    light_.sun[cell] += weight * smoothstep(soft, -soft, up);
  }

  std::span<const float> heights_;
  int width_;
  int height_;
  double dx_;
  double dy_;
  std::optional<Sun> sun_;
  SkyLight& light_;
  float total_sun_weight_ = 0;
};

// Lines of cells toward the sun at any slant: a line passes between two cells at every step, and
// sees their mean by distance. A cell lies between two lines and takes theirs likewise.
class SunLines {
 public:
  SunLines(std::span<const float> heights, int width, int height, double dx, double dy,
           double azimuth)
      : heights_(heights), width_(width), height_(height) {
    const double angle = azimuth * static_cast<double>(degree);
    // Columns and rows a metre toward the sun.
    const double east = std::sin(angle) / dx, south = -std::cos(angle) / dy;
    along_x_ = std::abs(east) >= std::abs(south);
    const double major = along_x_ ? east : south, minor = along_x_ ? south : east;
    toward_ = major >= 0 ? 1 : -1;
    slant_ = minor / major;
    stride_ = static_cast<float>(1 / std::abs(major));
    steps_ = along_x_ ? width : height;
    across_ = along_x_ ? height : width;
    const double drift = slant_ * (steps_ - 1);
    first_ = static_cast<int>(std::floor(std::min(0.0, -drift))) - 1;
    lines_ = across_ + static_cast<int>(std::ceil(std::abs(drift))) + 3;
  }

  std::vector<float> tangents(int threads) {
    seen_.assign(static_cast<std::size_t>(lines_) * static_cast<std::size_t>(steps_), 0.0f);
    parallel_ranges(lines_, threads, [&](int begin, int end) {
      Passed passed(steps_);
      for (int line = begin; line < end; ++line) walk(line, passed);
    });
    std::vector<float> result(heights_.size());
    parallel_ranges(height_, threads, [&](int begin, int end) {
      for (int y = begin; y < end; ++y)
        for (int x = 0; x < width_; ++x)
          result[cell(x, y)] = between_lines(along_x_ ? x : y, along_x_ ? y : x);
    });
    return result;
  }

 private:
  std::size_t cell(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  float& seen(int line, int step) {
    return seen_[static_cast<std::size_t>(line) * static_cast<std::size_t>(steps_) +
                 static_cast<std::size_t>(step)];
  }

  // From the sun's side on, so that what was passed is what can hide the sun.
  void walk(int line, Passed& passed) {
    passed.forget();
    for (int n = 0; n < steps_; ++n) {
      const int step = toward_ > 0 ? steps_ - 1 - n : n;
      const double minor = first_ + line + slant_ * step;
      if (minor < 0 || minor > across_ - 1) continue;
      const int low = std::min(static_cast<int>(minor), across_ - 1);
      const int high = std::min(low + 1, across_ - 1);
      const float z =
          std::lerp(height_at(step, low), height_at(step, high), static_cast<float>(minor - low));
      if (std::isnan(z)) continue;
      seen(line, step) = passed.look_back({static_cast<float>(n) * stride_, z}).tangent();
    }
  }

  float height_at(int major, int minor) const {
    return heights_[along_x_ ? cell(major, minor) : cell(minor, major)];
  }

  // Beyond the border there is no line to ask; the one within answers for both.
  float between_lines(int major, int minor) {
    const double line = minor - slant_ * major - first_;
    const int low = std::clamp(static_cast<int>(line), 0, lines_ - 2);
    const auto within = [&](int n) {
      const double place = first_ + n + slant_ * major;
      return place >= 0 && place <= across_ - 1;
    };
    if (!within(low)) return seen(low + 1, major);
    if (!within(low + 1)) return seen(low, major);
    return std::lerp(seen(low, major), seen(low + 1, major), static_cast<float>(line - low));
  }

  std::span<const float> heights_;
  int width_;
  int height_;
  bool along_x_ = true;
  int toward_ = 1;
  double slant_ = 0;  // cells across per step along the longer axis
  float stride_ = 1;  // metres a step
  int steps_ = 0;
  int across_ = 0;
  int first_ = 0;  // where line 0 crosses step 0
  int lines_ = 0;
  std::vector<float> seen_;
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

std::vector<float> sky_in_view(std::span<const float> heights, int width, int height, double dx,
                               double dy, int threads) {
  SkyLight light;
  light.sky.assign(heights.size(), 0.0f);
  Horizons horizons(heights, width, height, dx, dy, std::nullopt, light);
  for (const Family& family : families) horizons.walk_family(family, threads);
  return std::move(light.sky);
}

std::vector<float> horizon_along(std::span<const float> heights, int width, int height, double dx,
                                 double dy, double azimuth, int threads) {
  if (width < 1 || height < 1) return {};
  return SunLines(heights, width, height, dx, dy, azimuth).tangents(threads);
}

}  // namespace scree::render
