#include "render/map/map_furniture.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "render/map/plane.h"
#include "render/sheet/quantity_text.h"

namespace scree::render {
namespace {

constexpr unsigned ink = 0x2b2b2e, faint = 0x6c6b68;

class Furniture {
 public:
  Furniture(const MapView& view, const MapContent& content, const MapPlace& place, Sheet& sheet)
      : view_(view),
        content_(content),
        place_(place),
        type_(place.type),
        hair_(std::max(1.0, place.type / 12)),
        sheet_(sheet) {}

  void furnish() {
    const double right = place_.left + place_.width, bottom = place_.top + place_.height;
    sheet_.frame(place_.left, place_.top, right, bottom, hair_, ink);
    // Beside the title there is room for a word, as of two maps side by side.
    const double room = sheet_.width() - place_.left - 8 * type_;
    sheet_.write(view_.title, {place_.left, place_.top - 1.1 * type_},
                 {.size = std::min(1.25 * type_, room / Sheet::width_of(view_.title, 1)),
                  .colour = ink,
                  .bold = true});
    draw_scale_bar();
    draw_north();
    if (!view_.kinds.empty())
      draw_legend(view_.legend.empty() ? kinds_on(view_) : view_.legend,
                  {right + 1.6 * type_, place_.top + 0.3 * type_, type_}, sheet_);
    else if (!view_.values.empty())
      draw_colour_bar();
    if (content_.arrows.longest > 0) draw_arrow_scale();
    if (view_.kinds.empty() && view_.values.empty() && content_.contours > 0)
      note("contours every " + length_text(content_.contours));
  }

 private:
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
    const double across = content_.metres * place_.width, wanted = nice_step(0.3 * across, 1);
    const double metres = wanted > 0.3 * across ? nice_step(0.12 * across, 1) : wanted;
    const double length = metres / content_.metres, y = place_.top + place_.height + 1.6 * type_,
                 high = 0.42 * type_;
    for (int i = 0; i < 4; ++i)
      sheet_.fill(place_.left + length * i / 4, y, place_.left + length * (i + 1) / 4, y + high,
                  i % 2 == 0 ? ink : 0xffffff);
    sheet_.frame(place_.left, y, place_.left + length, y + high, hair_, ink);
    const double left = place_.left + length + 0.8 * type_;
    sheet_.write(length_text(metres), {left, y + 0.68 * type_},
                 {.size = 0.9 * type_, .colour = ink});
    foot_left_ = left + Sheet::width_of(length_text(metres), 0.9 * type_) + type_;
  }

  void draw_north() {
    // On a narrow map beside the scale, not over it.
    const double x = std::max(place_.left + place_.width - 0.9 * type_, foot_left_ + 2.5 * type_),
                 y = place_.top + place_.height + 1.1 * type_;
    const Stroke west{{x, y}, {x - 0.75 * type_, y + 2.1 * type_}, {x, y + 1.6 * type_}},
        east{{x, y}, {x + 0.75 * type_, y + 2.1 * type_}, {x, y + 1.6 * type_}};
    sheet_.area(west, ink);
    sheet_.area(east, 0xffffff);
    sheet_.lines({{east[0], east[1], east[2], east[0]}, {west[0], west[1], west[2], west[0]}},
                 0.8 * hair_, ink);
    sheet_.write("N", {x - 1.6 * type_, y + 1.75 * type_},
                 {.size = type_, .colour = ink, .align = Align::middle, .bold = true});
    foot_right_ = x - 3 * type_;
  }

  void draw_colour_bar() {
    const double left = place_.left + place_.width + 2.2 * type_, right = left + 1.7 * type_,
                 top = place_.top + 2.2 * type_;
    // Of a map that is all width the bar reaches further down, as long as the sheet does.
    const double bottom =
        std::max(place_.top + place_.height, std::min(top + 9 * type_, sheet_.height() - type_));
    const ColourRamp& ramp = colour_ramp(content_.scale.map);
    for (int y = static_cast<int>(top); y < static_cast<int>(bottom); ++y) {
      unsigned char rgb[3];
      store_srgb(ramp.at(static_cast<float>((bottom - y - 0.5) / (bottom - top))), rgb);
      for (int x = static_cast<int>(left); x < static_cast<int>(right); ++x) sheet_.set(x, y, rgb);
    }
    sheet_.frame(std::floor(left), std::floor(top), std::floor(right), std::floor(bottom), hair_,
                 ink);
    // A sign for degrees that stands alone is a speck.
    const std::string unit = view_.unit == "deg" ? "degrees" : unit_text(view_.unit);
    sheet_.write(unit, {left, place_.top + 0.9 * type_}, {.size = type_, .colour = ink});
    const int most = std::clamp(static_cast<int>((bottom - top) / (1.8 * type_)), 1, 8);
    std::vector<double> ticks = content_.scale.ticks(most);
    // Of a field that hardly varies no round value need be among its own.
    if (ticks.empty()) ticks = {content_.scale.low};
    for (const double tick : ticks) {
      const double y = bottom - (bottom - top) * content_.scale.share(tick);
      sheet_.line({right, y}, {right + 0.5 * type_, y}, hair_, ink);
      sheet_.write(number_text(tick), {right + 0.9 * type_, y + 0.45 * type_},
                   {.size = 0.9 * type_, .colour = ink});
    }
  }

  void draw_arrow_scale() {
    const double longest = content_.arrows.longest, wanted = nice_step(longest, 1);
    const double unit = wanted > longest ? nice_step(longest / 2, 1) : wanted;
    const double length = content_.arrows.pixels * unit / longest;
    const double y = place_.top + place_.height + 2.0 * type_;
    const std::string words = number_text(unit) + " " + unit_text(view_.arrow_unit);
    const double after = 0.5 * length + 0.6 * type_,
                 right_half = after + Sheet::width_of(words, 0.85 * type_);
    const double x = std::min(place_.left + (view_.values.empty() ? 0.7 : 0.5) * place_.width,
                              foot_right_ - right_half);
    if (x - 0.5 * length < foot_left_) return;
    draw_arrow({x, y}, unit, 0, content_.arrows, type_, sheet_);
    sheet_.write(words, {x + after, y + 0.4 * type_}, {.size = 0.85 * type_, .colour = ink});
    foot_right_ = x - 0.5 * length - type_;
  }

  const MapView& view_;
  const MapContent& content_;
  const MapPlace& place_;
  double type_;
  double hair_;  // thickness of its thin lines
  Sheet& sheet_;
  // Between them nothing stands at the foot yet.
  double foot_left_ = 0;
  double foot_right_ = 0;
};

}  // namespace

void furnish_map(const MapView& view, const MapContent& content, const MapPlace& place,
                 Sheet& sheet) {
  Furniture(view, content, place, sheet).furnish();
}

}  // namespace scree::render
