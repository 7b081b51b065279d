#include "render/sheet/pattern.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <utility>

#include "render/sheet/lettering.h"

namespace scree::render {
namespace {

struct Drawing {
  Pattern pattern;
  const char* strokes;  // as letters are written, on a square of 16; a stroke of one point is a dot
};

constexpr double square = 16;
constexpr Drawing drawings[] = {
    {Pattern::bricks, "0 0 16 0 M 0 8 16 8 M 4 0 4 8 M 12 8 12 16"},
    {Pattern::slanted, "0 0 16 0 M 0 8 16 8 M 2 8 6 0 M 10 16 14 8"},
    {Pattern::dots, "2 4 M 10 4 M 6 12 M 14 12"},
    {Pattern::stipple, "1 2 M 6 3 M 11 1 M 14 6 M 3 7 M 9 8 M 5 11 M 13 11 M 1 14 M 9 14"},
    {Pattern::dashes, "1 4 8 4 M 9 12 16 12"},
    {Pattern::dash_dots, "1 4 7 4 M 12 4 M 9 12 15 12 M 4 12"},
    {Pattern::crosses, "4 1 4 7 M 1 4 7 4 M 12 9 12 15 M 9 12 15 12"},
    {Pattern::ticks, "1 6 4 1 7 6 M 9 14 12 9 15 14"},
    {Pattern::angles, "1 2 4 7 7 2 M 9 10 12 15 15 10"},
    {Pattern::circles, "A 4 4 2.6 2.6 0 360 M A 12 12 2.6 2.6 0 360 M A 12 4 1.1 1.1 0 360"},
    {Pattern::triangles, "1 2 7 2 4 7 1 2 M 9 10 15 10 12 15 9 10"},
    {Pattern::waves,
     "0 4 A 4 4 4 2.4 180 0 A 12 4 4 2.4 -180 0 M 0 12 A 4 12 4 2.4 180 0 "
     "A 12 12 4 2.4 -180 0"},
    {Pattern::tufts, "4 1 4 6 M 12 9 12 14"},
    {Pattern::stars,
     "4 1 4 7 M 1.4 2.5 6.6 5.5 M 1.4 5.5 6.6 2.5 M 12 9 12 15 M 9.4 10.5 14.6 13.5 "
     "M 9.4 13.5 14.6 10.5"},
    {Pattern::rising, "0 0 16 16 M 0 8 8 16 M 8 0 16 8"},
    {Pattern::falling, "0 16 16 0 M 0 8 8 0 M 8 16 16 8"},
    {Pattern::lattice, "0 0 16 16 M 0 16 16 0"},
};

// Parts of names, and what they are drawn with: the first that nothing else is.
struct Known {
  const char* part;
  std::array<Pattern, 2> patterns;
};
constexpr Known known[] = {
    {"water", {Pattern::plain, Pattern::plain}},
    {"limestone", {Pattern::bricks, Pattern::slanted}},
    {"chalk", {Pattern::bricks, Pattern::slanted}},
    {"marble", {Pattern::bricks, Pattern::slanted}},
    {"travertine", {Pattern::bricks, Pattern::slanted}},
    {"dolo", {Pattern::slanted, Pattern::bricks}},
    {"marl", {Pattern::slanted, Pattern::bricks}},
    {"sandstone", {Pattern::dots, Pattern::stipple}},
    {"quartzite", {Pattern::dots, Pattern::stipple}},
    {"sand", {Pattern::stipple, Pattern::dots}},
    {"dust", {Pattern::stipple, Pattern::dots}},
    {"silt", {Pattern::dash_dots, Pattern::dashes}},
    {"loam", {Pattern::dash_dots, Pattern::tufts}},
    {"loess", {Pattern::dash_dots, Pattern::tufts}},
    {"shale", {Pattern::dashes, Pattern::dash_dots}},
    {"clay", {Pattern::dashes, Pattern::dash_dots}},
    {"mud", {Pattern::dashes, Pattern::dash_dots}},
    {"granite", {Pattern::crosses, Pattern::lattice}},
    {"basement", {Pattern::crosses, Pattern::lattice}},
    {"bedrock", {Pattern::crosses, Pattern::lattice}},
    {"lava", {Pattern::ticks, Pattern::angles}},
    {"basalt", {Pattern::ticks, Pattern::angles}},
    {"ash", {Pattern::angles, Pattern::ticks}},
    {"tuff", {Pattern::angles, Pattern::ticks}},
    {"debris", {Pattern::circles, Pattern::triangles}},
    {"scree", {Pattern::circles, Pattern::triangles}},
    {"rubble", {Pattern::circles, Pattern::triangles}},
    {"gravel", {Pattern::circles, Pattern::triangles}},
    {"boulder", {Pattern::circles, Pattern::triangles}},
    {"conglomerate", {Pattern::circles, Pattern::triangles}},
    {"breccia", {Pattern::triangles, Pattern::circles}},
    {"gouge", {Pattern::triangles, Pattern::circles}},
    {"slate", {Pattern::waves, Pattern::dashes}},
    {"schist", {Pattern::waves, Pattern::dashes}},
    {"gneiss", {Pattern::waves, Pattern::crosses}},
    {"soil", {Pattern::tufts, Pattern::dash_dots}},
    {"peat", {Pattern::tufts, Pattern::dash_dots}},
    {"ice", {Pattern::stars, Pattern::rising}},
    {"snow", {Pattern::stars, Pattern::rising}},
    {"floor", {Pattern::lattice, Pattern::crosses}},
};

// In which others take what is left: neighbours in a table are to look least alike.
constexpr Pattern others[] = {
    Pattern::rising,  Pattern::dots,      Pattern::falling, Pattern::crosses, Pattern::dashes,
    Pattern::circles, Pattern::bricks,    Pattern::ticks,   Pattern::waves,   Pattern::lattice,
    Pattern::tufts,   Pattern::triangles, Pattern::slanted, Pattern::stipple, Pattern::dash_dots,
    Pattern::angles,  Pattern::stars};

const Known* known_by(const std::string& name) {
  std::string small = name;
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const Known& one : known) {
    // A word that begins so, or a longer part within one: ice is no part of juice.
    const std::string part = one.part;
    for (std::size_t at = small.find(part); at != std::string::npos; at = small.find(part, at + 1))
      if (part.size() > 4 || at == 0 ||
          std::isalpha(static_cast<unsigned char>(small[at - 1])) == 0)
        return &one;
  }
  return nullptr;
}

double distance(Point2 p, Point2 a, Point2 b) {
  const double x = b.x - a.x, y = b.y - a.y, length = x * x + y * y;
  const double t =
      length > 0 ? std::clamp(((p.x - a.x) * x + (p.y - a.y) * y) / length, 0.0, 1.0) : 0;
  return std::hypot(p.x - a.x - t * x, p.y - a.y - t * y);
}

// How far the ink of a stroke reaches over a pixel's middle, also from the tiles around.
double cover_of(const Stroke& stroke, Point2 p, double side, double half) {
  double nearest = 2 * side;
  for (const double dx : {-side, 0.0, side})
    for (const double dy : {-side, 0.0, side})
      for (std::size_t i = 0; i < stroke.size(); ++i)
        nearest = std::min(nearest,
                           distance({p.x + dx, p.y + dy}, stroke[i == 0 ? 0 : i - 1], stroke[i]));
  return std::clamp(half + 0.5 - nearest, 0.0, std::min(1.0, 2 * half));
}

}  // namespace

bool has_beds(const std::string& name) {
  const Known* found = known_by(name);
  return found == nullptr ||
         (found->patterns[0] != Pattern::crosses && found->patterns[0] != Pattern::ticks);
}

std::vector<Pattern> patterns_of(const std::vector<std::string>& names) {
  std::map<std::string, Pattern> found;
  std::map<Pattern, int> taken;
  const auto give = [&](const std::string& name, Pattern pattern) {
    found[name] = pattern;
    ++taken[pattern];
  };
  for (const std::string& name : names)
    if (const Known* one = known_by(name); one != nullptr && !found.contains(name))
      for (const Pattern pattern : one->patterns)
        if (!found.contains(name) && (pattern == Pattern::plain || taken[pattern] == 0))
          give(name, pattern);
  // Of those that are used least the first: where there are too few, each is used twice before one
  // is a third time.
  for (const std::string& name : names)
    if (!name.empty() && !found.contains(name))
      give(name, *std::min_element(std::begin(others), std::end(others),
                                   [&](Pattern a, Pattern b) { return taken[a] < taken[b]; }));
  std::vector<Pattern> patterns;
  for (const std::string& name : names)
    patterns.push_back(name.empty() ? Pattern::plain : found.at(name));
  return patterns;
}

unsigned pattern_ink(unsigned colour) {
  Oklab ink = to_oklab(from_srgb(colour));
  ink.l += ink.l > 0.52F ? -0.15F : 0.17F;
  return to_srgb(from_oklab(ink));
}

PatternTile::PatternTile(Pattern pattern, double type)
    // A multiple of 4: level strokes then lie on rows of pixels, not between them.
    : side_(4 * std::max(3, static_cast<int>(std::lround(0.55 * type)))) {
  const auto* const drawing = std::find_if(std::begin(drawings), std::end(drawings),
                                           [&](const Drawing& d) { return d.pattern == pattern; });
  if (drawing == std::end(drawings)) return;
  std::vector<Stroke> strokes = parse_strokes(drawing->strokes);
  for (Stroke& stroke : strokes)
    for (Point2& p : stroke) p = {p.x / square * side_, side_ - p.y / square * side_};
  const double line = std::max(0.8, type / 11), dot = std::max(1.7, type / 5);
  for (int y = 0; y < side_; ++y)
    for (int x = 0; x < side_; ++x) {
      double most = 0;
      for (const Stroke& stroke : strokes)
        most = std::max(most, cover_of(stroke, {static_cast<double>(x), static_cast<double>(y)},
                                       side_, (stroke.size() == 1 ? dot : line) / 2));
      inked_.push_back(static_cast<float>(most));
    }
}

float PatternTile::ink(int x, int y) const {
  if (inked_.empty()) return 0;
  const auto within = [&](int i) { return static_cast<std::size_t>((i % side_ + side_) % side_); };
  return inked_[within(y) * static_cast<std::size_t>(side_) + within(x)];
}

}  // namespace scree::render
