#include "render/map/map_contours.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"
#include "render/sheet/quantity_text.h"

namespace scree::render {
namespace {

constexpr unsigned contour_ink = 0x5f3f22;
constexpr double least_labelled = 8;  // height of capitals below which contours have no numbers

class Contours {
 public:
  Contours(const ContourGround& ground, const MapPlace& place, Sheet& sheet)
      : ground_(ground), place_(place), type_(place.type), sheet_(sheet) {}

  double draw() {
    const auto [low, high] = range_of(ground_.bed);
    if (!(high - low > 0)) return 0;
    const double interval = interval_of(low, high);
    const Plane smooth = softened(ground_.bed);
    std::vector<Stroke> thin, strong;
    for (double n = std::ceil(low / interval); n * interval <= high; ++n) {
      const bool index_line = std::fmod(std::abs(n), 5.0) < 0.5;
      // A hair above its height: a plain that lies at it, but for rounding, is no maze of lines.
      stop_if_cancelled();
      for (const Stroke& line : contour(smooth, (n + 1e-3) * interval))
        for (Stroke& part : on_land(line)) {
          if (length_of(part) < 2 * type_) continue;
          if (index_line && place_.furnished && type_ >= least_labelled)
            add_labelled(part, n * interval, strong);
          else
            (index_line ? strong : thin).push_back(std::move(part));
        }
    }
    const double weight = std::max(0.7, type_ / 13);
    sheet_.lines(thin, 0.85 * weight, contour_ink, 0.7);
    sheet_.lines(strong, 1.6 * weight, contour_ink, 0.9);
    write_labels();
    return interval;
  }

 private:
  void write_labels() {
    for (const Label& label : labels_)
      sheet_.write(number_text(label.height), label.at,
                   {.size = 0.72 * type_,
                    .colour = 0x4a3018,
                    .align = Align::middle,
                    .angle = label.angle,
                    .bold = true,
                    .halo = 0.12 * type_,
                    .paper = 0xf3ede2});
  }

  // The one that was asked for, unless its lines would leave no ground between them.
  double interval_of(double low, double high) const {
    const double chosen = chosen_contours(low, high), asked = ground_.interval;
    if (!(asked > 0)) return chosen;
    const double lines = std::floor(high / asked) - std::ceil(low / asked) + 1;
    if (lines < 1)
      log(LogLevel::warning, text("contours every ", asked, " m: none lies between ", low, " and ",
                                  high, " m, the heights of this terrain"));
    if (lines <= std::max(place_.width, place_.height)) return asked;
    log(LogLevel::warning,
        text("contours every ", asked, " m: ", lines, " of them on ",
             std::max(place_.width, place_.height), " pixels could not be told apart; drawn every ",
             chosen, " m instead"));
    return chosen;
  }

  static std::pair<double, double> range_of(const Plane& plane) {
    double low = 0, high = 0;
    bool any = false;
    for (const float v : plane.values) {
      if (std::isnan(v)) continue;
      const auto z = static_cast<double>(v);
      low = any ? std::min(low, z) : z;
      high = any ? std::max(high, z) : z;
      any = true;
    }
    return {low, high};
  }

  static double length_of(const Stroke& line) {
    double sum = 0;
    for (std::size_t i = 1; i < line.size(); ++i)
      sum += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
    return sum;
  }

  // Onto the sheet, without what lies under water.
  std::vector<Stroke> on_land(const Stroke& line) const {
    std::vector<Stroke> parts(1);
    for (const Point2& p : line) {
      const int x = std::clamp(static_cast<int>(p.x), 0, place_.width - 1),
                y = std::clamp(static_cast<int>(p.y), 0, place_.height - 1);
      if (ground_.wet.empty() || ground_.wet[index(x, y)] < 0.5f)
        parts.back().push_back({place_.left + p.x, place_.top + p.y});
      else if (!parts.back().empty())
        parts.emplace_back();
    }
    return parts;
  }

  struct Label {
    Point2 at;
    double angle = 0;
    double height = 0;
  };

  // Where an index contour runs straight enough, its height stands in a gap.
  void add_labelled(const Stroke& line, double height, std::vector<Stroke>& strokes) {
    const double gap = Sheet::width_of(number_text(height), 0.72 * type_) + 0.8 * type_;
    Stroke before;
    double since = 12 * type_;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (!before.empty())
        since += std::hypot(line[i].x - before.back().x, line[i].y - before.back().y);
      before.push_back(line[i]);
      if (since < 24 * type_) continue;
      const std::size_t end = straight_until(line, i, gap);
      if (end == 0 || !free_at(line[i], line[end])) continue;
      const Point2 a = line[i], b = line[end];
      double angle = std::atan2(a.y - b.y, b.x - a.x) / 0.017453292519943295;
      if (angle > 90) angle -= 180;
      if (angle <= -90) angle += 180;
      const double down = 0.36 * type_;
      const double r = angle * 0.017453292519943295;
      labels_.push_back(
          {{(a.x + b.x) / 2 + down * std::sin(r), (a.y + b.y) / 2 + down * std::cos(r)},
           angle,
           height});
      strokes.push_back(std::move(before));
      before.clear();
      i = end;
      before.push_back(line[i]);
      since = 0;
    }
    strokes.push_back(std::move(before));
  }

  // The point that is `gap` away along the line; 0 where the line ends or bends before.
  static std::size_t straight_until(const Stroke& line, std::size_t from, double gap) {
    double along = 0;
    for (std::size_t i = from + 1; i < line.size(); ++i) {
      along += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
      const double direct = std::hypot(line[i].x - line[from].x, line[i].y - line[from].y);
      if (direct < 0.92 * along - 1) return 0;
      if (direct >= gap) return i;
    }
    return 0;
  }

  bool free_at(Point2 a, Point2 b) const {
    const double margin = type_;
    for (const Point2& p : {a, b})
      if (p.x < place_.left + margin || p.y < place_.top + margin ||
          p.x > place_.left + place_.width - margin || p.y > place_.top + place_.height - margin)
        return false;
    const Point2 middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    return std::none_of(labels_.begin(), labels_.end(), [&](const Label& label) {
      return std::hypot(label.at.x - middle.x, label.at.y - middle.y) < 7 * type_;
    });
  }

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(place_.width) +
           static_cast<std::size_t>(x);
  }

  const ContourGround& ground_;
  const MapPlace& place_;
  double type_;
  Sheet& sheet_;
  std::vector<Label> labels_;
};

}  // namespace

double chosen_contours(double low, double high) { return nice_step(high - low, 28); }

double draw_contours(const ContourGround& ground, const MapPlace& place, Sheet& sheet) {
  return Contours(ground, place, sheet).draw();
}

}  // namespace scree::render
