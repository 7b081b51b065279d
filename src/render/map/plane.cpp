#include "render/map/plane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>

#include "base/progress.h"
#include "render/look/parallel.h"

namespace scree::render {
namespace {

constexpr float nodata = std::numeric_limits<float>::quiet_NaN();

class Resampler {
 public:
  Resampler(std::span<const float> values, int width, int height, int to_width, int to_height)
      : values_(values),
        width_(width),
        height_(height),
        step_x_(static_cast<double>(width) / to_width),
        step_y_(static_cast<double>(height) / to_height) {}

  bool coarser() const { return step_x_ > 1 || step_y_ > 1; }

  // Nodata where most of what the pixel covers is.
  float mean(int x, int y) const {
    const double left = x * step_x_, right = left + step_x_, top = y * step_y_,
                 bottom = top + step_y_;
    double sum = 0, weight = 0;
    for (int j = static_cast<int>(top); j < std::min<double>(height_, bottom); ++j)
      for (int i = static_cast<int>(left); i < std::min<double>(width_, right); ++i) {
        const float v = value(i, j);
        if (std::isnan(v)) continue;
        const double w = (std::min(right, i + 1.0) - std::max(left, static_cast<double>(i))) *
                         (std::min(bottom, j + 1.0) - std::max(top, static_cast<double>(j)));
        sum += w * static_cast<double>(v);
        weight += w;
      }
    return weight * 2 > step_x_ * step_y_ ? static_cast<float>(sum / weight) : nodata;
  }

  float between(int x, int y, bool smooth) const {
    const double u = (x + 0.5) * step_x_ - 0.5, v = (y + 0.5) * step_y_ - 0.5;
    const int i = static_cast<int>(std::floor(u)), j = static_cast<int>(std::floor(v));
    const auto across = weights(u - i, smooth), down = weights(v - j, smooth);
    double sum = 0;
    for (int b = 0; b < 4; ++b)
      for (int a = 0; a < 4; ++a) {
        const double w = across[static_cast<std::size_t>(a)] * down[static_cast<std::size_t>(b)];
        if (w == 0) continue;
        const float value = clamped(i + a - 1, j + b - 1);
        if (std::isnan(value))
          return clamped(static_cast<int>(std::lround(u)), static_cast<int>(std::lround(v)));
        sum += w * static_cast<double>(value);
      }
    return static_cast<float>(sum);
  }

 private:
  static std::array<double, 4> weights(double t, bool smooth) {
    if (!smooth) return {0, 1 - t, t, 0};
    return {((2 - t) * t - 1) * t / 2, ((3 * t - 5) * t * t + 2) / 2, ((4 - 3 * t) * t + 1) * t / 2,
            (t - 1) * t * t / 2};
  }
  float value(int x, int y) const {
    return values_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                   static_cast<std::size_t>(x)];
  }
  float clamped(int x, int y) const {
    return value(std::clamp(x, 0, width_ - 1), std::clamp(y, 0, height_ - 1));
  }

  std::span<const float> values_;
  int width_, height_;
  double step_x_, step_y_;
};

// ---- contours

// A crossing of a level on an edge between pixels: x * 2 along rows, x * 2 + 1 along columns.
using Crossing = std::uint64_t;

struct Piece {
  Crossing ends[2];
};

class Tracer {
 public:
  Tracer(const Plane& plane, double level) : plane_(plane), level_(static_cast<float>(level)) {
    for (int y = 0; y + 1 < plane.height; ++y) {
      stop_if_cancelled();
      for (int x = 0; x + 1 < plane.width; ++x) add_cell(x, y);
    }
  }

  std::vector<Stroke> trace() {
    std::vector<Stroke> strokes;
    taken_.assign(pieces_.size(), false);
    // Lines that end at the border first; what is left then goes round.
    for (const bool open : {true, false})
      for (std::size_t i = 0; i < pieces_.size(); ++i)
        for (const int end : {0, 1}) {
          if (taken_[i] || (open && at_[pieces_[i].ends[end]].size() != 1)) continue;
          strokes.push_back(follow(i, end));
        }
    return strokes;
  }

 private:
  Crossing key(int x, int y, bool down) const {
    return (static_cast<Crossing>(y) * static_cast<Crossing>(plane_.width) +
            static_cast<Crossing>(x)) *
               2 +
           (down ? 1 : 0);
  }

  void add_cell(int x, int y) {
    const float z[4] = {plane_.at(x, y), plane_.at(x + 1, y), plane_.at(x + 1, y + 1),
                        plane_.at(x, y + 1)};
    unsigned above = 0;
    for (unsigned i = 0; i < 4; ++i) {
      if (std::isnan(z[i])) return;
      if (z[i] >= level_) above |= 1U << i;
    }
    if (above == 0 || above == 15) return;
    const Crossing edges[4] = {key(x, y, false), key(x + 1, y, true), key(x, y + 1, false),
                               key(x, y, true)};
    Crossing crossed[4];
    int count = 0;
    for (unsigned i = 0; i < 4; ++i)
      if ((above >> i & 1) != (above >> (i + 1) % 4 & 1)) crossed[count++] = edges[i];
    if (count == 2) {
      add({{crossed[0], crossed[1]}});
      return;
    }
    // A saddle: its middle decides which corners belong together.
    const bool middle = (z[0] + z[1] + z[2] + z[3]) / 4 >= level_;
    const bool first = (above & 1) != 0;
    if (middle == first) {
      add({{edges[0], edges[1]}});
      add({{edges[2], edges[3]}});
    } else {
      add({{edges[3], edges[0]}});
      add({{edges[1], edges[2]}});
    }
  }

  void add(const Piece& piece) {
    for (const Crossing end : piece.ends) at_[end].push_back(pieces_.size());
    pieces_.push_back(piece);
  }

  Point2 place(Crossing crossing) const {
    const bool down = crossing % 2 == 1;
    const auto cell = crossing / 2;
    const int x = static_cast<int>(cell % static_cast<Crossing>(plane_.width)),
              y = static_cast<int>(cell / static_cast<Crossing>(plane_.width));
    const float a = plane_.at(x, y), b = down ? plane_.at(x, y + 1) : plane_.at(x + 1, y);
    const double t = a == b ? 0.5 : static_cast<double>((level_ - a) / (b - a));
    return {x + 0.5 + (down ? 0 : t), y + 0.5 + (down ? t : 0)};
  }

  Stroke follow(std::size_t piece, int from) {
    Crossing here = pieces_[piece].ends[from];
    Stroke stroke{place(here)};
    while (true) {
      taken_[piece] = true;
      here = pieces_[piece].ends[pieces_[piece].ends[0] == here ? 1 : 0];
      stroke.push_back(place(here));
      std::size_t next = pieces_.size();
      for (const std::size_t candidate : at_[here])
        if (!taken_[candidate]) next = candidate;
      if (next == pieces_.size()) return stroke;
      piece = next;
    }
  }

  const Plane& plane_;
  float level_;
  std::vector<Piece> pieces_;
  std::vector<bool> taken_;
  std::unordered_map<Crossing, std::vector<std::size_t>> at_;
};

}  // namespace

Plane resample(std::span<const float> values, int width, int height, int to_width, int to_height,
               bool smooth) {
  Plane plane{to_width, to_height, {}};
  plane.values.resize(static_cast<std::size_t>(to_width) * static_cast<std::size_t>(to_height));
  const Resampler from(values, width, height, to_width, to_height);
  parallel_ranges(to_height, 0, [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < to_width; ++x)
        plane.values[static_cast<std::size_t>(y) * static_cast<std::size_t>(to_width) +
                     static_cast<std::size_t>(x)] =
            from.coarser() ? from.mean(x, y) : from.between(x, y, smooth);
  });
  return plane;
}

Plane softened(const Plane& plane) {
  Plane from = plane, to = plane;
  for (const bool along_x : {true, false, true, false}) {
    parallel_ranges(plane.height, 0, [&](int begin, int end) {
      for (int y = begin; y < end; ++y)
        for (int x = 0; x < plane.width; ++x) {
          const auto near = [&](int n) {
            return along_x ? from.at(std::clamp(x + n, 0, plane.width - 1), y)
                           : from.at(x, std::clamp(y + n, 0, plane.height - 1));
          };
          const float mean = (near(-1) + 2 * near(0) + near(1)) / 4;
          to.values[static_cast<std::size_t>(y) * static_cast<std::size_t>(plane.width) +
                    static_cast<std::size_t>(x)] = std::isnan(mean) ? near(0) : mean;
        }
    });
    std::swap(from, to);
  }
  return from;
}

std::vector<Stroke> contour(const Plane& plane, double level) {
  return Tracer(plane, level).trace();
}

double nice_step(double range, int count) {
  if (!(range > 0) || !std::isfinite(range) || count < 1) return 1;
  const double least = range / count, power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= least * 0.9999) return step * power;
  return 10 * power;
}

std::vector<double> round_values(double low, double high, int count) {
  std::vector<double> found;
  const double step = nice_step(high - low, count);
  const double first = std::ceil(low / step - 1e-6);
  // Counted: beyond 2^53 one more may be no more.
  for (int i = 0; i <= count; ++i) {
    const double n = first + i;
    if (n * step > high + 1e-6 * step) break;
    found.push_back(n == 0 ? 0 : n * step);
  }
  return found;
}

}  // namespace scree::render
