// A sheet of paper for pictures that are read: smooth lines, areas and letters, drawn on the CPU.
#pragma once

#include <string_view>
#include <vector>

#include "render/sheet/lettering.h"

namespace scree::render {

struct Picture {
  int width = 0;
  int height = 0;
  std::vector<unsigned char> rgb;  // sRGB, top row first
};

enum class Align { left, middle, right };

struct Type {
  double size = 12;  // of capitals, in pixels
  unsigned colour = 0x2b2b2e;
  Align align = Align::left;
  double angle = 0;  // degrees counter-clockwise
  bool bold = false;
  double halo = 0;  // pixels of paper around it
  unsigned paper = 0xffffff;
};

// Places are in pixels from the upper left corner, y downward; the middle of the first pixel is at
// 0.5, 0.5. Colours are 0xrrggbb in sRGB. What lies beside the sheet is cut off.
class Sheet {
 public:
  Sheet(int width, int height, unsigned colour);

  int width() const { return picture_.width; }
  int height() const { return picture_.height; }

  void fill(double left, double top, double right, double bottom, unsigned colour);
  // Lines that overlap count once.
  void lines(const std::vector<Stroke>& lines, double thickness, unsigned colour, double ink = 1);
  void line(Point2 from, Point2 to, double thickness, unsigned colour) {
    lines({{from, to}}, thickness, colour);
  }
  void frame(double left, double top, double right, double bottom, double thickness,
             unsigned colour);
  void area(const Stroke& outline, unsigned colour);
  // `at` is on the foot of the line of letters.
  void write(std::string_view words, Point2 at, const Type& type);
  static double width_of(std::string_view words, double size);

  void set(int x, int y, const unsigned char* rgb);
  void paste(const Picture& picture, int left, int top);

  Picture take() { return std::move(picture_); }

 private:
  void blend(std::size_t pixel, unsigned colour, double share);
  void cover_segment(Point2 a, Point2 b, double half);
  void ink_covered(unsigned colour, double ink);

  Picture picture_;
  std::vector<float> covered_;        // share of each pixel that ink is about to take
  std::vector<std::size_t> touched_;  // pixels in which that is not 0
};

}  // namespace scree::render
