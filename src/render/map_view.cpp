#include "render/map_view.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"
#include "render/parallel.h"
#include "render/plane.h"
#include "render/statistics.h"
#include "render/water.h"

namespace scree::render {
namespace {

constexpr unsigned paper = 0xf8f7f3, ink = 0x2b2b2e, faint = 0x6c6b68, contour_ink = 0x5f3f22;
constexpr int least_side = 200;       // a smaller sheet has no room for letters
constexpr double least_labelled = 8;  // height of capitals below which contours have no numbers

// Height of capitals on a sheet of this size.
double type_size(int width, int height) { return std::max(6.5, std::min(width, height) / 66.0); }

// "2 km", "500 m", "20 cm".
std::string length_text(double metres) {
  if (metres >= 1000) return number_text(metres / 1000) + " km";
  if (metres >= 1) return number_text(metres) + " m";
  return number_text(metres * 100) + " cm";
}

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

double widest_name(const std::vector<MapKind>& kinds, double type) {
  double widest = 5 * type;
  for (const MapKind& kind : kinds)
    widest = std::max(widest, Sheet::width_of(kind.name, 0.9 * type));
  return widest;
}

class Map {
 public:
  Map(const Ground& ground, const Look& look, const MapView& view, int width, int height)
      : ground_(ground),
        look_(look),
        view_(view),
        scale_(scale_of(view)),
        type_(type_size(width, height)),
        place_(map_place(ground, view, width, height)),
        sheet_(width, height, paper) {}

  Picture draw() {
    bed_ = resample(ground_.bed, ground_.width, ground_.height, place_.width, place_.height, true);
    metres_ = ground_.dx * ground_.width / place_.width;
    draw_ground();
    if (view_.values.empty()) draw_contours();
    draw_arrows();
    if (place_.furnished) furnish();
    return sheet_.take();
  }

 private:
  Plane plane_of(const std::vector<float>& field) const {
    return resample(field, ground_.width, ground_.height, place_.width, place_.height, false);
  }

  // ---- the ground and what is shown on it

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

  // What is beyond the list is grey.
  Rgb colour_of_kind(float number) const {
    const auto kind = static_cast<std::size_t>(std::max(0.0F, number));
    return from_srgb(kind < view_.kinds.size() ? view_.kinds[kind].colour : 0x9b978f);
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

  // ---- contours

  void draw_contours() {
    const auto [low, high] = range_of(bed_);
    if (!(high - low > 0)) return;
    const double interval = contour_interval(low, high);
    interval_ = interval;
    const Plane smooth = softened(bed_);
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
  double contour_interval(double low, double high) const {
    const double chosen = chosen_contours(low, high), asked = view_.contours;
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
      if (wet_.empty() || wet_[index(x, y)] < 0.5f)
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

  // ---- arrows

  // Means over the ground that each arrow stands for; where there is a weight, by it.
  struct Arrows {
    int across = 1, down = 1;
    Plane x, y, weight;
  };
  Arrows arrows_of() const {
    constexpr double apart = 3.6;  // lines of type: more would hide the map
    Arrows a;
    a.across = std::max(1, static_cast<int>(place_.width / (apart * type_)));
    a.down = std::max(1, static_cast<int>(place_.height / (apart * type_)));
    const auto mean = [&](const std::vector<float>& field) {
      return resample(field, ground_.width, ground_.height, a.across, a.down, false);
    };
    if (view_.arrow_weight.empty()) {
      a.x = mean(view_.arrow_x);
      a.y = mean(view_.arrow_y);
      return a;
    }
    const auto weighted = [&](std::vector<float> field) {
      for (std::size_t i = 0; i < field.size(); ++i) field[i] *= view_.arrow_weight[i];
      Plane plane = mean(field);
      for (std::size_t i = 0; i < plane.values.size(); ++i)
        plane.values[i] = a.weight.values[i] > 0 ? plane.values[i] / a.weight.values[i] : 0;
      return plane;
    };
    a.weight = mean(view_.arrow_weight);
    a.x = weighted(view_.arrow_x);
    a.y = weighted(view_.arrow_y);
    return a;
  }

  void draw_arrows() {
    if (view_.arrow_x.empty()) return;
    const Arrows a = arrows_of();
    // Films of rain run everywhere; what matters is where there is much.
    const float least = 0.15f * percentile(a.weight.values, 0.95, 0);
    std::vector<float> lengths(a.x.values.size());
    for (std::size_t i = 0; i < lengths.size(); ++i)
      if (a.weight.values.empty() || a.weight.values[i] >= least)
        lengths[i] = std::hypot(a.x.values[i], a.y.values[i]);
    const float most = percentile(lengths, 0.9, 0, [](float v) { return v > 0; });
    if (!(most > 0)) return;
    longest_ = static_cast<double>(most);
    const double step_x = static_cast<double>(place_.width) / a.across,
                 step_y = static_cast<double>(place_.height) / a.down;
    arrow_pixels_ = 0.72 * std::min(step_x, step_y);
    std::vector<Stroke> strokes;
    for (int j = 0; j < a.down; ++j)
      for (int i = 0; i < a.across; ++i) {
        const double u = static_cast<double>(a.x.at(i, j)), v = static_cast<double>(a.y.at(i, j));
        if (std::isnan(u) || std::isnan(v)) continue;
        if (!(lengths[static_cast<std::size_t>(j * a.across + i)] > 0)) continue;
        add_arrow({place_.left + (i + 0.5) * step_x, place_.top + (j + 0.5) * step_y}, u, v,
                  strokes);
      }
    ink_arrows(strokes);
  }

  // An open head on a thin shaft.
  void add_arrow(Point2 middle, double u, double v, std::vector<Stroke>& strokes) const {
    const double length = std::hypot(u, v);
    const double shown = std::min(length / longest_, 1.6);
    if (shown < 0.15) return;
    const double x = u / length, y = -v / length, half = 0.5 * shown * arrow_pixels_;
    const double head = std::min(0.42 * type_, 0.8 * half);
    const Point2 tip{middle.x + x * half, middle.y + y * half},
        tail{middle.x - x * half, middle.y - y * half}, back{tip.x - head * x, tip.y - head * y};
    strokes.push_back({tail, tip});
    strokes.push_back({{back.x - 0.5 * head * y, back.y + 0.5 * head * x},
                       tip,
                       {back.x + 0.5 * head * y, back.y - 0.5 * head * x}});
  }

  // The map shows through.
  void ink_arrows(const std::vector<Stroke>& strokes) {
    const double weight = std::max(0.9, type_ / 12);
    sheet_.lines(strokes, 2.2 * weight, 0xffffff, 0.3);
    sheet_.lines(strokes, weight, 0x0d1722, 0.72);
  }

  // ---- what stands around the map

  void furnish() {
    const double right = place_.left + place_.width, bottom = place_.top + place_.height;
    sheet_.frame(place_.left, place_.top, right, bottom, std::max(1.0, type_ / 12), ink);
    // Beside the title there is room for a word, as of two maps side by side.
    const double room = sheet_.width() - place_.left - 8 * type_;
    sheet_.write(view_.title, {place_.left, place_.top - 1.1 * type_},
                 {.size = std::min(1.25 * type_, room / Sheet::width_of(view_.title, 1)),
                  .colour = ink,
                  .bold = true});
    draw_scale_bar();
    draw_north();
    if (!view_.kinds.empty())
      draw_legend();
    else if (!view_.values.empty())
      draw_colour_bar();
    if (longest_ > 0) draw_arrow_scale();
    if (view_.kinds.empty() && view_.values.empty() && interval_ > 0)
      note("contours every " + length_text(interval_));
  }

  // At the foot, in the middle or beside what stands there; on a narrow sheet nowhere.
  void note(const std::string& words) {
    const double half = 0.5 * Sheet::width_of(words, 0.85 * type_);
    if (foot_left_ + half > foot_right_ - half) return;
    const double x =
        std::clamp(place_.left + 0.48 * place_.width, foot_left_ + half, foot_right_ - half);
    sheet_.write(words, {x, place_.top + place_.height + 2.4 * type_},
                 {.size = 0.85 * type_, .colour = faint, .align = Align::middle});
  }

  void draw_scale_bar() {
    const double metres = nice_step(0.3 * metres_ * place_.width, 1) > 0.3 * metres_ * place_.width
                              ? nice_step(0.12 * metres_ * place_.width, 1)
                              : nice_step(0.3 * metres_ * place_.width, 1);
    const double length = metres / metres_, y = place_.top + place_.height + 1.6 * type_,
                 high = 0.42 * type_;
    for (int i = 0; i < 4; ++i)
      sheet_.fill(place_.left + length * i / 4, y, place_.left + length * (i + 1) / 4, y + high,
                  i % 2 == 0 ? ink : 0xffffff);
    sheet_.frame(place_.left, y, place_.left + length, y + high, 1, ink);
    const double left = place_.left + length + 0.8 * type_;
    sheet_.write(length_text(metres), {left, y + 0.68 * type_},
                 {.size = 0.9 * type_, .colour = ink});
    foot_left_ = left + Sheet::width_of(length_text(metres), 0.9 * type_) + type_;
  }

  void draw_north() {
    const double x = place_.left + place_.width - 0.9 * type_,
                 y = place_.top + place_.height + 1.1 * type_;
    const Stroke west{{x, y}, {x - 0.75 * type_, y + 2.1 * type_}, {x, y + 1.6 * type_}},
        east{{x, y}, {x + 0.75 * type_, y + 2.1 * type_}, {x, y + 1.6 * type_}};
    sheet_.area(west, ink);
    sheet_.area(east, 0xffffff);
    sheet_.lines({{east[0], east[1], east[2], east[0]}, {west[0], west[1], west[2], west[0]}}, 0.8,
                 ink);
    sheet_.write("N", {x - 1.6 * type_, y + 1.75 * type_},
                 {.size = type_, .colour = ink, .align = Align::middle, .bold = true});
    foot_right_ = x - 3 * type_;
  }

  // Of those that are there, by number. A rock may have many, one for each hardness: it is named
  // once.
  void draw_legend() {
    std::set<int> seen;
    for (const float number : view_.values)
      if (!std::isnan(number)) seen.insert(static_cast<int>(number));
    const double left = place_.left + place_.width + 1.6 * type_;
    double y = place_.top + 0.3 * type_;
    std::set<std::pair<std::string, unsigned>> named;
    for (const int number : seen) {
      if (y + 1.2 * type_ > place_.top + place_.height) return;
      const auto at = static_cast<std::size_t>(std::max(0, number));
      const MapKind kind =
          at < view_.kinds.size() ? view_.kinds[at] : MapKind{text("material ", number), 0x9b978f};
      if (!named.emplace(kind.name, kind.colour).second) continue;
      sheet_.fill(left, y, left + 1.5 * type_, y + 1.2 * type_, kind.colour);
      sheet_.frame(left, y, left + 1.5 * type_, y + 1.2 * type_, 1, ink);
      sheet_.write(kind.name, {left + 2.1 * type_, y + 1.05 * type_},
                   {.size = 0.9 * type_, .colour = ink});
      y += 2 * type_;
    }
  }

  void draw_colour_bar() {
    const double left = place_.left + place_.width + 2.2 * type_, right = left + 1.7 * type_,
                 top = place_.top + 2.2 * type_, bottom = place_.top + place_.height;
    const ColourRamp& ramp = colour_ramp(scale_.map);
    for (int y = static_cast<int>(top); y < static_cast<int>(bottom); ++y) {
      unsigned char rgb[3];
      store_srgb(ramp.at(static_cast<float>((bottom - y - 0.5) / (bottom - top))), rgb);
      for (int x = static_cast<int>(left); x < static_cast<int>(right); ++x) sheet_.set(x, y, rgb);
    }
    sheet_.frame(std::floor(left), std::floor(top), std::floor(right), std::floor(bottom), 1, ink);
    const std::string unit = unit_text(view_.unit);
    sheet_.write(unit, {left, place_.top + 0.9 * type_}, {.size = type_, .colour = ink});
    for (const double tick : ticks()) {
      const double y = bottom - (bottom - top) * scale_.share(tick);
      sheet_.line({right, y}, {right + 0.5 * type_, y}, 1, ink);
      sheet_.write(number_text(tick), {right + 0.9 * type_, y + 0.45 * type_},
                   {.size = 0.9 * type_, .colour = ink});
    }
  }

  std::vector<double> ticks() const {
    std::vector<double> found;
    if (scale_.logarithmic) {
      const double first = std::floor(std::log10(scale_.low)),
                   last = std::ceil(std::log10(scale_.high));
      const double every = std::max(1.0, std::ceil((last - first) / 9));
      for (double power = first; power <= last; power += every)
        for (const double of : {1.0, 2.0, 5.0})
          if ((of == 1 || last - first < 3) && of * std::pow(10, power) >= scale_.low * 0.999 &&
              of * std::pow(10, power) <= scale_.high * 1.001)
            found.push_back(of * std::pow(10, power));
      return found;
    }
    const double step = nice_step(scale_.high - scale_.low, 8);
    for (double n = std::ceil(scale_.low / step - 1e-6); n * step <= scale_.high + 1e-6 * step; ++n)
      found.push_back(n == 0 ? 0 : n * step);
    return found;
  }

  void draw_arrow_scale() {
    const double unit =
        nice_step(longest_, 1) > longest_ ? nice_step(longest_ / 2, 1) : nice_step(longest_, 1);
    const double length = arrow_pixels_ * unit / longest_;
    const double y = place_.top + place_.height + 2.0 * type_;
    const std::string words = number_text(unit) + " " + unit_text(view_.arrow_unit);
    const double after = 0.5 * length + 0.6 * type_,
                 right_half = after + Sheet::width_of(words, 0.85 * type_);
    const double x = std::min(place_.left + (view_.values.empty() ? 0.7 : 0.5) * place_.width,
                              foot_right_ - right_half);
    if (x - 0.5 * length < foot_left_) return;
    std::vector<Stroke> strokes;
    add_arrow({x, y}, unit, 0, strokes);
    ink_arrows(strokes);
    sheet_.write(words, {x + after, y + 0.4 * type_}, {.size = 0.85 * type_, .colour = ink});
    foot_right_ = x - 0.5 * length - type_;
  }

  const Ground& ground_;
  const Look& look_;
  const MapView& view_;
  FieldScale scale_;
  double type_;
  MapPlace place_;
  Sheet sheet_;
  Plane bed_;
  std::vector<float> wet_;
  double metres_ = 1;  // a pixel
  double interval_ = 0;
  double longest_ = 0;  // of the arrows
  double arrow_pixels_ = 0;
  // Between them nothing stands at the foot yet.
  double foot_left_ = 0;
  double foot_right_ = 0;
  std::vector<Label> labels_;
};

}  // namespace

void settle_tints(ReliefOptions& options, const std::vector<float>& bed) {
  if (options.tint_low != options.tint_high || bed.empty()) return;
  options.tint_low = static_cast<double>(percentile(bed, 0.01, 0));
  options.tint_high = static_cast<double>(percentile(bed, 0.995, 0));
}

double chosen_contours(double low, double high) { return nice_step(high - low, 28); }

double FieldScale::share(double value) const {
  if (low == high) return map == ColourMap::diverging ? 0.5 : 0;
  if (!logarithmic) return (value - low) / (high - low);
  return value > 0 ? std::log(value / low) / std::log(high / low) : 0;
}

FieldScale scale_of(const MapView& view) {
  if (view.scale) return *view.scale;
  FieldScale scale;
  const auto counts = [&](float v) { return !view.logarithmic || v > 0; };
  const float first = percentile(view.values, 0.01, 0, counts),
              last = percentile(view.values, 0.99, 0, counts);
  scale.logarithmic = view.logarithmic;
  std::size_t zeros = 0, below = 0;
  for (const float v : view.values) {
    if (v == 0) ++zeros;
    if (v < 0) ++below;
  }
  scale.empty_at_zero = view.logarithmic || (below == 0 && 10 * zeros > view.values.size());
  scale.low = static_cast<double>(first);
  scale.high = static_cast<double>(last);
  if (scale.empty_at_zero && !view.logarithmic) {
    scale.low = 0;
    scale.high =
        static_cast<double>(percentile(view.values, 0.99, 0, [](float v) { return v > 0; }));
  } else if (!view.logarithmic && first < 0 && last > 0 && -8 * first > last && 8 * last > -first) {
    scale.map = ColourMap::diverging;
    scale.high = static_cast<double>(std::max(-first, last));
    scale.low = -scale.high;
  }
  if (view.low) scale.low = *view.low;
  if (view.high) scale.high = *view.high;
  if (view.logarithmic && !(scale.low > 0)) scale.low = scale.high > 0 ? scale.high / 1e4 : 1e-4;
  if (view.logarithmic && !(scale.high > scale.low)) scale.high = 10 * scale.low;
  // Of what is mostly little, the little must not hide the ground.
  const float middle = percentile(view.values, 0.5, 0, counts);
  if (below == 0 && scale.share(static_cast<double>(middle)) < 0.2) scale.map = ColourMap::amount;
  return scale;
}

MapPlace map_place(const Ground& ground, const MapView& view, int width, int height) {
  const double type = type_size(width, height);
  MapPlace place;
  place.furnished = std::min(width, height) >= least_side;
  const bool bar = place.furnished && !view.values.empty();
  const double left = place.furnished ? 2 * type : 0, top = place.furnished ? 3.6 * type : 0,
               right = !view.kinds.empty() && bar ? 5 * type + widest_name(view.kinds, type)
                       : bar                      ? 10 * type
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

std::string number_text(double value) {
  char words[32];
  const double size = std::abs(value);
  std::snprintf(words, sizeof words, size != 0 && (size < 1e-4 || size >= 1e6) ? "%.3g" : "%.6g",
                value);
  std::string result = words;
  if (result.find('e') == std::string::npos && result.front() == '-')
    result = "\u2212" + result.substr(1);
  const std::size_t e = result.find("e-0");
  if (e != std::string::npos) result.erase(e + 2, 1);
  return result;
}

std::string unit_text(const std::string& unit) {
  if (unit == "1") return "";
  if (unit == "deg") return "\u00b0";
  std::string result;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const bool power = i > 0 && std::isalpha(static_cast<unsigned char>(unit[i - 1])) != 0;
    result += power && unit[i] == '2'   ? "\u00b2"
              : power && unit[i] == '3' ? "\u00b3"
                                        : std::string(1, unit[i]);
  }
  return result;
}

}  // namespace scree::render
