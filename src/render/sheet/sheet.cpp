#include "render/sheet/sheet.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "render/look/parallel.h"

namespace scree::render {
namespace {

constexpr double degree = 0.017453292519943295;

double distance(Point2 p, Point2 a, Point2 b) {
  const double x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
  const double t =
      square > 0 ? std::clamp(((p.x - a.x) * x + (p.y - a.y) * y) / square, 0.0, 1.0) : 0;
  return std::hypot(p.x - a.x - t * x, p.y - a.y - t * y);
}

// How much of [i, i + 1] lies between the two.
double overlap(int i, double from, double to) {
  return std::clamp(std::min(to, i + 1.0) - std::max(from, static_cast<double>(i)), 0.0, 1.0);
}

}  // namespace

Sheet::Sheet(int width, int height, unsigned colour) {
  picture_.width = width;
  picture_.height = height;
  const auto pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  covered_.assign(pixels, 0);
  picture_.rgb.resize(3 * pixels);
  const auto row = 3 * static_cast<std::size_t>(width);
  parallel_ranges(height, 0, [&](int begin, int end) {
    for (std::size_t i = row * static_cast<std::size_t>(begin);
         i < row * static_cast<std::size_t>(end); i += 3)
      for (unsigned c = 0; c < 3; ++c)
        picture_.rgb[i + c] = static_cast<unsigned char>(colour >> (16 - 8 * c) & 0xffU);
  });
}

void Sheet::blend(std::size_t pixel, unsigned colour, double share) {
  for (unsigned c = 0; c < 3; ++c) {
    unsigned char& byte = picture_.rgb[3 * pixel + c];
    const double ink = colour >> (16 - 8 * c) & 0xffU;
    byte = static_cast<unsigned char>(std::lround(byte + (ink - byte) * share));
  }
}

void Sheet::set(int x, int y, const unsigned char* rgb) {
  if (x < 0 || y < 0 || x >= width() || y >= height()) return;
  std::memcpy(&picture_.rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width()) +
                                 static_cast<std::size_t>(x))],
              rgb, 3);
}

void Sheet::paste(const Picture& picture, int left, int top) {
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x)
      set(left + x, top + y,
          &picture.rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                            static_cast<std::size_t>(x))]);
}

void Sheet::fill(double left, double top, double right, double bottom, unsigned colour) {
  const int x0 = std::max(0, static_cast<int>(std::floor(left))),
            x1 = std::min(width(), static_cast<int>(std::ceil(right)));
  const int y0 = std::max(0, static_cast<int>(std::floor(top))),
            y1 = std::min(height(), static_cast<int>(std::ceil(bottom)));
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x)
      blend(static_cast<std::size_t>(y) * static_cast<std::size_t>(width()) +
                static_cast<std::size_t>(x),
            colour, overlap(x, left, right) * overlap(y, top, bottom));
}

// A pixel is covered as far as the line reaches beyond its middle.
void Sheet::cover_segment(Point2 a, Point2 b, double half) {
  const double reach = half + 0.5;
  const auto low = [&](double u, double v) {
    return static_cast<int>(std::floor(std::max(-1e6, std::min(u, v) - reach)));
  };
  const auto high = [&](double u, double v, int most) {
    return static_cast<int>(std::min<double>(most - 1, std::ceil(std::max(u, v) + reach)));
  };
  for (int y = std::max(0, low(a.y, b.y)); y <= high(a.y, b.y, height()); ++y)
    for (int x = std::max(0, low(a.x, b.x)); x <= high(a.x, b.x, width()); ++x) {
      const double cover = std::min({1.0, 2 * half, reach - distance({x + 0.5, y + 0.5}, a, b)});
      if (!(cover > 0)) continue;
      const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(width()) +
                            static_cast<std::size_t>(x);
      if (covered_[i] == 0) touched_.push_back(i);
      covered_[i] = std::max(covered_[i], static_cast<float>(cover));
    }
}

void Sheet::ink_covered(unsigned colour, double ink) {
  for (const std::size_t i : touched_) {
    blend(i, colour, ink * static_cast<double>(covered_[i]));
    covered_[i] = 0;
  }
  touched_.clear();
}

void Sheet::lines(const std::vector<Stroke>& lines, double thickness, unsigned colour, double ink) {
  for (const Stroke& stroke : lines) {
    if (stroke.size() == 1) cover_segment(stroke[0], stroke[0], thickness / 2);
    for (std::size_t i = 1; i < stroke.size(); ++i)
      cover_segment(stroke[i - 1], stroke[i], thickness / 2);
  }
  ink_covered(colour, ink);
}

void Sheet::frame(double left, double top, double right, double bottom, double thickness,
                  unsigned colour) {
  fill(left - thickness, top - thickness, right + thickness, top, colour);
  fill(left - thickness, bottom, right + thickness, bottom + thickness, colour);
  fill(left - thickness, top, left, bottom, colour);
  fill(right, top, right + thickness, bottom, colour);
}

// Sixteen samples a pixel, by the even-odd rule.
void Sheet::area(const Stroke& outline, unsigned colour) {
  if (outline.size() < 3) return;
  const auto by = [](double Point2::*axis) {
    return [axis](const Point2& a, const Point2& b) { return a.*axis < b.*axis; };
  };
  const auto [left, right] = std::minmax_element(outline.begin(), outline.end(), by(&Point2::x));
  const auto [top, bottom] = std::minmax_element(outline.begin(), outline.end(), by(&Point2::y));
  const auto inside = [&](double x, double y) {
    bool in = false;
    for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
      const Point2 &a = outline[i], &b = outline[j];
      if ((a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x) in = !in;
    }
    return in;
  };
  for (int y = std::max(0, static_cast<int>(top->y));
       y <= std::min<double>(height() - 1, bottom->y); ++y)
    for (int x = std::max(0, static_cast<int>(left->x));
         x <= std::min<double>(width() - 1, right->x); ++x) {
      int hits = 0;
      for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i)
          if (inside(x + (i + 0.5) / 4, y + (j + 0.5) / 4)) ++hits;
      blend(static_cast<std::size_t>(y) * static_cast<std::size_t>(width()) +
                static_cast<std::size_t>(x),
            colour, hits / 16.0);
    }
}

double Sheet::width_of(std::string_view words, double size) {
  return letter(words).width * size / letter_height;
}

void Sheet::write(std::string_view words, Point2 at, const Type& type) {
  Lettering letters = letter(words);
  const double scale = type.size / letter_height;
  const double shift = type.align == Align::left     ? 0
                       : type.align == Align::middle ? letters.width / 2
                                                     : letters.width;
  const double c = std::cos(type.angle * degree), s = std::sin(type.angle * degree);
  for (Stroke& stroke : letters.strokes)
    for (Point2& p : stroke) {
      const double x = (p.x - shift) * scale, y = p.y * scale;
      p = {at.x + c * x - s * y, at.y - s * x - c * y};
    }
  const double thickness = type.size * (type.bold ? 0.16 : 0.115);
  if (type.halo > 0) lines(letters.strokes, thickness + 2 * type.halo, type.paper, 0.85);
  lines(letters.strokes, std::max(thickness, 0.9), type.colour);
}

}  // namespace scree::render
