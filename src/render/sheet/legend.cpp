#include "render/sheet/legend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/error.h"
#include "render/look/colour.h"

namespace scree::render {
namespace {

constexpr unsigned ink = 0x2b2b2e, air = 0xe6eef3;
constexpr float least_apart = 0.07F;    // some three steps that an eye just sees
constexpr std::size_t most_moved = 64;  // more cannot be told apart by colour

// ---- colours

// As it is, and to whom the cones for red or for green are missing (Machado et al. 2009).
std::array<Oklab, 3> seen_as(const Rgb& c) {
  const Rgb no_red{0.152286F * c.r + 1.052583F * c.g - 0.204868F * c.b,
                   0.114503F * c.r + 0.786281F * c.g + 0.099216F * c.b,
                   -0.003882F * c.r - 0.048116F * c.g + 1.051998F * c.b};
  const Rgb no_green{0.367322F * c.r + 0.860646F * c.g - 0.227968F * c.b,
                     0.280085F * c.r + 0.672501F * c.g + 0.047413F * c.b,
                     -0.011820F * c.r + 0.042940F * c.g + 0.968881F * c.b};
  return {to_oklab(c), to_oklab(no_red), to_oklab(no_green)};
}

float apart(const std::array<Oklab, 3>& one, const std::array<Oklab, 3>& other) {
  float least = 9;
  for (std::size_t i = 0; i < one.size(); ++i)
    least = std::min(
        least, std::hypot(one[i].l - other[i].l, one[i].a - other[i].a, one[i].b - other[i].b));
  return least;
}

// Where else a colour may be, the nearest first: lightness may change three times as much as hue.
const std::vector<Oklab>& moves() {
  static const std::vector<Oklab> all = [] {
    constexpr float step = 0.01F;
    std::vector<Oklab> found;
    for (int l = -60; l <= 60; ++l)
      for (int a = -5; a <= 5; ++a)
        for (int b = -5; b <= 5; ++b)
          found.push_back({step * static_cast<float>(l), step * static_cast<float>(a),
                           step * static_cast<float>(b)});
    const auto far = [](const Oklab& m) { return m.l * m.l + 9 * (m.a * m.a + m.b * m.b); };
    std::stable_sort(found.begin(), found.end(),
                     [&](const Oklab& a, const Oklab& b) { return far(a) < far(b); });
    return found;
  }();
  return all;
}

// Colours that are given away already, as they are seen.
class Taken {
 public:
  void add(unsigned colour) { seen_.push_back(seen_as(from_srgb(colour))); }

  float nearest(const Rgb& colour) const {
    const auto seen = seen_as(colour);
    float least = 9;
    for (const auto& other : seen_) least = std::min(least, apart(seen, other));
    return least;
  }

  // The nearest that is free; where none is, the freest.
  unsigned free_near(unsigned colour) const {
    const Oklab own = to_oklab(from_srgb(colour));
    unsigned best = colour;
    float freest = nearest(from_srgb(colour));
    for (const Oklab& move : moves()) {
      if (freest >= least_apart) break;
      const Oklab moved{own.l + move.l, own.a + move.a, own.b + move.b};
      const Rgb shown = from_oklab(moved);
      // On what is darker or lighter no pattern is seen.
      if (moved.l < 0.3F || moved.l > 0.93F || !in_gamut(shown)) continue;
      if (const float free = nearest(shown); free > freest) {
        freest = free;
        best = to_srgb(shown);
      }
    }
    return best;
  }

 private:
  static bool in_gamut(const Rgb& c) {
    return std::min({c.r, c.g, c.b}) >= 0 && std::max({c.r, c.g, c.b}) <= 1;
  }
  std::vector<std::array<Oklab, 3>> seen_;
};

using Own = std::pair<std::string, unsigned>;  // a material's name and colour
Own own_of(const MapKind& kind) { return {kind.name, kind.colour}; }

// Water keeps its colour, and so does what is unlike all others; the rest give way, in their order.
std::map<Own, unsigned> moved_apart(const std::vector<Own>& materials) {
  const auto rank = [&](const Own& own) {
    if (patterns_of({own.first}).front() == Pattern::plain) return 0;
    return seen_apart(own.second, air) >= least_apart &&
                   std::all_of(materials.begin(), materials.end(),
                               [&](const Own& other) {
                                 return other == own ||
                                        seen_apart(own.second, other.second) >= least_apart;
                               })
               ? 1
               : 2;
  };
  std::map<Own, unsigned> shown;
  Taken taken;
  taken.add(air);
  for (int turn = 0; turn < 3; ++turn)
    for (const Own& own : materials) {
      if (rank(own) != turn) continue;
      shown[own] = turn == 2 ? taken.free_near(own.second) : own.second;
      taken.add(shown[own]);
    }
  return shown;
}

// ---- the list

std::string cut_to(const std::string& name, double size, double most) {
  if (Sheet::width_of(name, size) <= most) return name;
  std::string shorter = name;
  // Whole characters: those that follow a first byte begin with the bits 10.
  while (!shorter.empty() && Sheet::width_of(shorter + "\u2026", size) > most) {
    while (shorter.size() > 1 && (static_cast<unsigned char>(shorter.back()) & 0xc0U) == 0x80)
      shorter.pop_back();
    shorter.pop_back();
  }
  return shorter + "\u2026";
}

void draw_patch(const MapKind& kind, double left, double top, double right, double bottom,
                double type, Sheet& sheet) {
  const PatternTile tile(kind.pattern, type);
  const Rgb own = from_srgb(kind.colour), drawn = from_srgb(pattern_ink(kind.colour));
  const int x0 = static_cast<int>(left), y0 = static_cast<int>(top);
  for (int y = y0; y < static_cast<int>(bottom); ++y)
    for (int x = x0; x < static_cast<int>(right); ++x) {
      unsigned char rgb[3];
      // From its middle on, where the upper of its rows begins.
      store_srgb(mix(own, drawn, tile.ink(x - x0 + tile.side() / 2, y - y0)), rgb);
      sheet.set(x, y, rgb);
    }
  sheet.frame(x0, y0, std::floor(right), std::floor(bottom), std::max(1.0, type / 14), ink);
}

constexpr double patch_width = 3.2, patch_gap = 0.7, letters = 0.9;  // in heights of capitals

}  // namespace

float seen_apart(unsigned one, unsigned other) {
  return apart(seen_as(from_srgb(one)), seen_as(from_srgb(other)));
}

std::vector<MapKind> told_apart(std::vector<MapKind> kinds) {
  std::vector<std::string> names;
  for (const MapKind& kind : kinds) names.push_back(kind.name);
  const std::vector<Pattern> patterns = patterns_of(names);
  std::vector<Own> own;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (!kinds[i].name.empty() && own.size() < most_moved &&
        std::find(own.begin(), own.end(), own_of(kinds[i])) == own.end())
      own.push_back(own_of(kinds[i]));
  const std::map<Own, unsigned> shown = moved_apart(own);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    kinds[i].pattern = patterns[i];
    if (const auto found = shown.find(own_of(kinds[i])); found != shown.end())
      kinds[i].colour = found->second;
  }
  return kinds;
}

double legend_width(const std::vector<MapKind>& kinds, double type, double most) {
  double widest = 0;
  for (const MapKind& kind : kinds)
    widest = std::max(widest, Sheet::width_of(kind.name, letters * type));
  return std::min(most, (patch_width + patch_gap) * type + widest);
}

void draw_legend(const std::vector<MapKind>& kinds, const LegendPlace& place, Sheet& sheet) {
  if (kinds.empty()) return;
  const double type = place.type, room = sheet.height() - 4.4 * type, closest = 1.6 * type;
  const auto fitting = static_cast<std::size_t>(std::max(1.0, room / closest));
  const std::size_t lines = std::min(kinds.size(), fitting);
  const double pitch = std::min(2.6 * type, room / static_cast<double>(lines)),
               high = std::min(1.9 * type, pitch - 0.35 * type);
  // Beside the top of what it explains, or as far up as it takes.
  double y = std::min(place.top, std::max(3.2 * type, sheet.height() - 1.2 * type -
                                                          pitch * static_cast<double>(lines)));
  const double names = place.left + (patch_width + patch_gap) * type;
  const Type letter{.size = letters * type, .colour = ink};
  for (std::size_t i = 0; i < lines; ++i, y += pitch) {
    const double foot = y + high / 2 + 0.45 * type;
    if (i + 1 == lines && lines < kinds.size()) {
      sheet.write(text("and ", kinds.size() - i, " more"), {place.left, foot}, letter);
      return;
    }
    draw_patch(kinds[i], place.left, y, place.left + patch_width * type, y + high, type, sheet);
    sheet.write(cut_to(kinds[i].name, letter.size, sheet.width() - 0.4 * type - names),
                {names, foot}, letter);
  }
}

}  // namespace scree::render
