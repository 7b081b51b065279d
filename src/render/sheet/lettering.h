// Letters as strokes, for titles and scales in pictures: no font file is needed anywhere.
#pragma once

#include <string_view>
#include <vector>

namespace scree::render {

struct Point2 {
  double x = 0;
  double y = 0;
};
using Stroke = std::vector<Point2>;  // a line through these points

// Of capitals and figures; x grows along the line, y upward from its foot.
constexpr double letter_height = 14;

struct Lettering {
  std::vector<Stroke> strokes;
  double width = 0;
};

// "x y" is a point; M begins another stroke; "A cx cy rx ry from to" goes along an ellipse, degrees
// counter-clockwise from the right.
std::vector<Stroke> parse_strokes(const char* at);

// UTF-8 in units of which capitals are letter_height high. What has no letter here is a box.
Lettering letter(std::string_view words);

}  // namespace scree::render
