#include "render/sheet/lettering.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>

namespace scree::render {
namespace {

struct Drawing {
  char32_t code;
  double advance;
  const char* strokes;
};

constexpr Drawing drawings[] = {
    {U' ', 5, ""},
    {U'0', 10.4, "A 5.2 7 4.2 7 0 360"},
    {U'1', 10.4, "2.2 11.2 6 14 6 0"},
    {U'2', 10.4, "A 5.1 9.9 4 4.1 165 -35 1 0 9.4 0"},
    {U'3', 10.4, "A 4.9 10.7 3.5 3.3 150 -90 A 4.9 3.7 4.1 3.7 90 -150"},
    {U'4', 10.4, "7 0 7 14 0.8 4 9.6 4"},
    {U'5', 10.4, "8.6 14 2.3 14 1.7 7.9 A 5 4.6 4.2 4.6 125 -145"},
    {U'6', 10.4, "A 5.2 4.5 4.2 4.5 0 360 M 1 4.5 A 8.4 4.5 7.4 9.4 180 100"},
    {U'7', 10.4, "1 14 9.4 14 4 0"},
    {U'8', 10.4, "A 5.2 10.7 3.5 3.3 0 360 M A 5.2 3.7 4.2 3.7 0 360"},
    {U'9', 10.4, "A 5.2 9.5 4.2 4.5 0 360 M 9.4 9.5 A 2 9.5 7.4 9.4 0 -80"},
    {U'A', 11.4, "0.5 0 5.7 14 10.9 0 M 2.4 5 9 5"},
    {U'B', 11.6,
     "1.5 0 1.5 14 5.5 14 A 5.5 10.7 3.4 3.3 90 -90 1.5 7.4 M 5.5 7.4 A 5.7 3.7 4 3.7 90 -90 1.5 "
     "0"},
    {U'C', 12.4, "A 7 7 6 7 48 312"},
    {U'D', 12.8, "1.5 0 1.5 14 5.2 14 A 5.2 7 6.2 7 90 -90 1.5 0"},
    {U'E', 10.6, "9 14 1.5 14 1.5 0 9.2 0 M 1.5 7.4 8 7.4"},
    {U'F', 10, "9 14 1.5 14 1.5 0 M 1.5 7.2 7.8 7.2"},
    {U'G', 13.8, "A 7 7 6 7 48 352 12.9 6.6 8 6.6"},
    {U'H', 12.6, "1.5 0 1.5 14 M 11 0 11 14 M 1.5 7.3 11 7.3"},
    {U'I', 4.4, "2.2 0 2.2 14"},
    {U'J', 8.2, "6.2 14 6.2 3.8 A 3.4 3.8 2.8 3.8 0 -150"},
    {U'K', 11, "1.5 0 1.5 14 M 9.6 14 1.5 5.6 M 4.1 8.4 10 0"},
    {U'L', 9.4, "1.5 14 1.5 0 8.8 0"},
    {U'M', 14.4, "1.5 0 1.5 14 7.2 4 12.9 14 12.9 0"},
    {U'N', 12.6, "1.5 0 1.5 14 11 0 11 14"},
    {U'O', 14, "A 7 7 6 7 0 360"},
    {U'P', 10.8, "1.5 0 1.5 14 5.5 14 A 5.5 10.4 3.9 3.6 90 -90 1.5 6.8"},
    {U'Q', 14, "A 7 7 6 7 0 360 M 8.4 3.4 12.8 -1"},
    {U'R', 11.4, "1.5 0 1.5 14 5.5 14 A 5.5 10.4 3.9 3.6 90 -90 1.5 6.8 M 5.7 6.8 10 0"},
    {U'S', 10.6, "A 5.2 10.6 3.7 3.4 40 265 A 5.2 3.65 4.2 3.65 85 -150"},
    {U'T', 10.6, "0.5 14 10.1 14 M 5.3 14 5.3 0"},
    {U'U', 12, "1.5 14 1.5 4.6 A 6 4.6 4.5 4.6 180 360 10.5 14"},
    {U'V', 11, "0.5 14 5.5 0 10.5 14"},
    {U'W', 15.6, "0.5 14 4.1 0 7.8 13 11.5 0 15.1 14"},
    {U'X', 10.6, "0.9 14 9.7 0 M 9.7 14 0.9 0"},
    {U'Y', 10.6, "0.5 14 5.3 6.8 10.1 14 M 5.3 6.8 5.3 0"},
    {U'Z', 10.4, "1 14 9.3 14 0.8 0 9.6 0"},
    {U'a', 10.4, "A 4.9 4.9 4 4.9 0 360 M 8.9 9.8 8.9 0"},
    {U'b', 10.4, "1.5 14.4 1.5 0 M A 5.5 4.9 4 4.9 0 360"},
    {U'c', 9, "A 5.2 4.9 4.2 4.9 50 310"},
    {U'd', 10.4, "A 4.9 4.9 4 4.9 0 360 M 8.9 14.4 8.9 0"},
    {U'e', 9.9, "1 5.2 9 5.2 A 5 4.9 4 4.9 3 318"},
    {U'f', 6, "2.5 0 2.5 11 A 5.1 11 2.6 3.4 180 72 M 0.4 9.4 5.3 9.4"},
    {U'g', 10.4, "A 4.9 4.9 4 4.9 0 360 M 8.9 9.8 8.9 -0.6 A 5 -0.6 3.9 3.7 0 -140"},
    {U'h', 10.1, "1.5 14.4 1.5 0 M 1.5 5.6 A 5.1 5.8 3.6 4 180 0 8.7 0"},
    {U'i', 4, "2 9.8 2 0 M 2 13.3 2 13.7"},
    {U'j', 4.2, "2.4 9.8 2.4 -1 A 0.2 -1 2.2 3.2 0 -100 M 2.4 13.3 2.4 13.7"},
    {U'k', 9, "1.5 14.4 1.5 0 M 8 9.8 1.5 3.8 M 3.8 5.9 8.6 0"},
    {U'l', 4, "2 14.4 2 0"},
    {U'm', 14.6,
     "1.5 9.8 1.5 0 M 1.5 5.8 A 4.4 6 2.9 3.8 180 0 7.3 0 M 7.3 5.8 A 10.2 6 2.9 3.8 180 0 13.1 0"},
    {U'n', 10.1, "1.5 9.8 1.5 0 M 1.5 5.6 A 5.1 5.8 3.6 4 180 0 8.7 0"},
    {U'o', 10.2, "A 5.1 4.9 4.2 4.9 0 360"},
    {U'p', 10.4, "1.5 9.8 1.5 -4 M A 5.5 4.9 4 4.9 0 360"},
    {U'q', 10.4, "A 4.9 4.9 4 4.9 0 360 M 8.9 9.8 8.9 -4"},
    {U'r', 6.4, "1.5 9.8 1.5 0 M 1.5 5.4 A 5.2 5.6 3.7 4.2 180 85"},
    {U's', 8.4, "A 4.3 7.35 2.9 2.45 35 260 A 4.3 2.5 3.3 2.5 80 -150"},
    {U't', 6.4, "2.7 13 2.7 3 A 5.1 3 2.4 3 180 285 M 0.5 9.6 5.7 9.6"},
    {U'u', 10.1, "1.4 9.8 1.4 4 A 5 4 3.6 4 180 360 8.6 9.8 M 8.6 4 8.6 0"},
    {U'v', 8.8, "0.5 9.8 4.4 0 8.3 9.8"},
    {U'w', 12.6, "0.5 9.8 3.3 0 6.3 9 9.3 0 12.1 9.8"},
    {U'x', 8.6, "0.8 9.8 7.9 0 M 7.9 9.8 0.8 0"},
    {U'y', 8.8, "0.5 9.8 4.5 0.2 M 8.4 9.8 2.9 -4"},
    {U'z', 8.4, "0.9 9.8 7.5 9.8 0.7 0 7.8 0"},
    {U'.', 4, "2 0.2 2 0.6"},
    {U',', 4, "2.1 0.6 1.2 -2.4"},
    {U':', 4, "2 0.2 2 0.6 M 2 8.6 2 9"},
    {U';', 4, "2.1 0.6 1.2 -2.4 M 2 8.6 2 9"},
    {U'!', 4.4, "2.2 14 2.2 4.4 M 2.2 0.2 2.2 0.6"},
    {U'?', 9, "A 4.4 10.6 3.4 3.4 160 -60 4.4 4.6 M 4.4 0.2 4.4 0.6"},
    {U'-', 6.4, "1 5.4 5.4 5.4"},
    {U'\u2212', 10.4, "1.2 7 9.2 7"},
    {U'\u2013', 9.4, "0.9 5.4 8.5 5.4"},
    {U'+', 10.4, "1.2 7 9.2 7 M 5.2 3 5.2 11"},
    {U'=', 10.4, "1.2 5 9.2 5 M 1.2 9 9.2 9"},
    {U'<', 10, "8.6 11.4 1.4 7 8.6 2.6"},
    {U'>', 10, "1.4 11.4 8.6 7 1.4 2.6"},
    {U'/', 6.4, "0.5 -2 5.9 15.4"},
    {U'(', 5, "A 6.6 6 5 9.6 135 225"},
    {U')', 5, "A -1.6 6 5 9.6 45 -45"},
    {U'[', 5, "4.2 15.4 1.6 15.4 1.6 -3 4.2 -3"},
    {U']', 5, "0.8 15.4 3.4 15.4 3.4 -3 0.8 -3"},
    {U'_', 9, "0.4 -2.4 8.6 -2.4"},
    {U'|', 4, "2 16 2 -4"},
    {U'\'', 3.6, "1.8 14.4 1.8 10.6"},
    {U'"', 6, "1.6 14.4 1.6 10.6 M 4.4 14.4 4.4 10.6"},
    {U'%', 14, "A 3.6 10.6 2.6 3.4 0 360 M A 10.4 3.4 2.6 3.4 0 360 M 11 14 3 0"},
    {U'&', 12.4,
     "11.4 7.6 A 5 3.9 4 3.9 10 -180 1 3.9 3.2 7.4 6.6 9.4 A 4.9 11.4 2.4 2.6 -40 220 11.6 0"},
    {U'#', 11, "3 0 4.4 14 M 6.8 0 8.2 14 M 1 4.6 10 4.6 M 1.4 9.4 10.4 9.4"},
    {U'*', 7, "3.5 14 3.5 7.6 M 0.8 12.4 6.2 9.2 M 6.2 12.4 0.8 9.2"},
    {U'~', 10.4, "1 6 2.6 8 4.4 8 6 6 7.8 6 9.4 8"},
    {U'^', 9, "1.4 9.4 4.5 14 7.6 9.4"},
    {U'`', 5, "1.4 14.6 3.4 11.6"},
    {U'\\', 6.4, "0.5 15.4 5.9 -2"},
    {U'{', 6, "4.8 15.4 A 4.8 12.8 2 2.6 90 180 2.8 8.4 1.2 6.2 2.8 4 A 4.8 -0.4 2 2.6 180 270"},
    {U'}', 6, "1.2 15.4 A 1.2 12.8 2 2.6 90 0 3.2 8.4 4.8 6.2 3.2 4 A 1.2 -0.4 2 2.6 0 -90"},
    {U'$', 10.6, "A 5.2 10.6 3.7 3.4 40 265 A 5.2 3.65 4.2 3.65 85 -150 M 5.2 16 5.2 -2"},
    {U'@', 16,
     "A 8 5.6 2.9 3.1 0 360 M 10.9 8.7 10.9 4.6 A 12.5 4.6 1.6 2 180 360 A 7.9 6 6.2 7.6 0 "
     "300"},
    {U'\u0131', 4, "2 9.8 2 0"},
    {U'\u00df', 10.4, "1.5 0 1.5 10.6 A 4.6 10.6 3.1 3.6 180 -60 4.6 7.6 A 5 3.8 3.8 3.8 90 -110"},
    {U'\u00e6', 16,
     "A 4.9 4.9 4 4.9 0 360 M 8.9 9.8 8.9 0 M 8.9 5.2 15.4 5.2 A 12 4.9 3.4 4.9 3 318"},
    {U'\u0153', 16, "A 4.9 4.9 4 4.9 0 360 M 8.9 5.2 15.4 5.2 A 12 4.9 3.4 4.9 3 318"},
    {U'\u00b0', 5.4, "A 2.7 11.8 1.9 2.1 0 360"},
    {U'\u00b7', 4.4, "2.2 6.8 2.2 7.2"},
    {U'\u00d7', 10.4, "2 3.6 8.4 10 M 2 10 8.4 3.6"},
    {U'\u00b2', 6.4, "A 3 12.6 2.2 2.4 165 -35 0.9 6.9 5.5 6.9"},
    {U'\u00b3', 6.4, "A 2.9 13.1 2 1.9 150 -90 A 2.9 9.1 2.3 2.1 90 -150"},
    {U'\u207b', 6, "1 10.6 5 10.6"},
    {U'\u00b9', 5, "1 13.4 3 15 3 7"},
    {U'\u00b5', 10.1, "1.4 9.8 1.4 -4 M 1.4 4 A 5 4 3.6 4 180 360 8.6 9.8 M 8.6 4 8.6 0"},
    {U'\u2026', 12, "2 0.2 2 0.6 M 6 0.2 6 0.6 M 10 0.2 10 0.6"},
    {U'\u2192', 14, "1 7 13 7 M 9 11 13 7 9 3"},
};

// A letter with a mark over, through or below its middle, which is drawn as over a small one.
struct Marked {
  char32_t code;
  char32_t base;
  char mark;
};
constexpr Marked marked[] = {
    {U'\u00c0', U'A', '`'},      {U'\u00c1', U'A', '\''},      {U'\u00c2', U'A', '^'},
    {U'\u00c3', U'A', '~'},      {U'\u00c4', U'A', ':'},       {U'\u00c5', U'A', 'o'},
    {U'\u00c7', U'C', ','},      {U'\u00c8', U'E', '`'},       {U'\u00c9', U'E', '\''},
    {U'\u00ca', U'E', '^'},      {U'\u00cb', U'E', ':'},       {U'\u00cd', U'I', '\''},
    {U'\u00ce', U'I', '^'},      {U'\u00d1', U'N', '~'},       {U'\u00d3', U'O', '\''},
    {U'\u00d4', U'O', '^'},      {U'\u00d6', U'O', ':'},       {U'\u00d8', U'O', '/'},
    {U'\u00da', U'U', '\''},     {U'\u00dc', U'U', ':'},       {U'\u00e0', U'a', '`'},
    {U'\u00e1', U'a', '\''},     {U'\u00e2', U'a', '^'},       {U'\u00e3', U'a', '~'},
    {U'\u00e4', U'a', ':'},      {U'\u00e5', U'a', 'o'},       {U'\u00e7', U'c', ','},
    {U'\u00e8', U'e', '`'},      {U'\u00e9', U'e', '\''},      {U'\u00ea', U'e', '^'},
    {U'\u00eb', U'e', ':'},      {U'\u00ed', U'\u0131', '\''}, {U'\u00ee', U'\u0131', '^'},
    {U'\u00ef', U'\u0131', ':'}, {U'\u00f1', U'n', '~'},       {U'\u00f3', U'o', '\''},
    {U'\u00f4', U'o', '^'},      {U'\u00f5', U'o', '~'},       {U'\u00f6', U'o', ':'},
    {U'\u00f8', U'o', '/'},      {U'\u00f9', U'u', '`'},       {U'\u00fa', U'u', '\''},
    {U'\u00fb', U'u', '^'},      {U'\u00fc', U'u', ':'},       {U'\u00fd', U'y', '\''},
    {U'\u010d', U'c', 'v'},      {U'\u0161', U's', 'v'},       {U'\u017e', U'z', 'v'}};

// About the middle of a letter, 0.
const char* mark_strokes(char mark) {
  switch (mark) {
    case '`':
      return "-1.6 14.6 0.8 11.6";
    case '\'':
      return "1.6 14.6 -0.8 11.6";
    case '^':
      return "-2.2 11.8 0 14.2 2.2 11.8";
    case 'v':
      return "-2.2 14.2 0 11.8 2.2 14.2";
    case '~':
      return "-2.8 12 -1.4 13.4 1.4 12.2 2.8 13.6";
    case ':':
      return "-2.1 13 -2.1 13.4 M 2.1 13 2.1 13.4";
    case 'o':
      return "A 0 13.2 1.5 1.5 0 360";
    case ',':
      return "0.2 0 -0.6 -2.8";
    default:
      return "-4 -1 4 10.8";
  }
}

// Between letters.
constexpr double tracking = 0.9;

struct Letter {
  std::vector<Stroke> strokes;
  double advance = 0;
};

void add_arc(Stroke& stroke, const double (&n)[6]) {
  constexpr double degree = 0.017453292519943295;
  const int steps = std::max(4, static_cast<int>(std::abs(n[5] - n[4]) / 12));
  for (int i = 0; i <= steps; ++i) {
    const double angle = (n[4] + (n[5] - n[4]) * i / steps) * degree;
    stroke.push_back({n[0] + n[2] * std::cos(angle), n[1] + n[3] * std::sin(angle)});
  }
}

Letter parse(const Drawing& drawing) { return {parse_strokes(drawing.strokes), drawing.advance}; }

Letter with_mark(Letter letter, const Marked& marked) {
  const bool capital = marked.base < U'a';
  for (Stroke stroke : parse_strokes(mark_strokes(marked.mark))) {
    for (Point2& p : stroke) {
      p.x += letter.advance / 2;
      // A slash is as long as what it runs through; others stand over it.
      if (capital && marked.mark == '/')
        p.y *= letter_height / 9.8;
      else if (capital && p.y > 11)
        p.y += 4.4;
    }
    letter.strokes.push_back(std::move(stroke));
  }
  return letter;
}

const Letter& letter_of(char32_t code) {
  static const std::map<char32_t, Letter> all = [] {
    std::map<char32_t, Letter> letters;
    for (const Drawing& drawing : drawings) letters[drawing.code] = parse(drawing);
    for (const Marked& one : marked) letters[one.code] = with_mark(letters.at(one.base), one);
    return letters;
  }();
  static const Letter box = parse({0, 9, "1 0 8 0 8 12 1 12 1 0"});
  const auto found = all.find(code);
  return found != all.end() ? found->second : box;
}

// One character; a byte that begins none stands for itself.
char32_t next_code(std::string_view words, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(words[i]); };
  const std::uint8_t first = byte(at++);
  const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  char32_t code = more == 0 ? first : first & (0x3fU >> more);
  for (int i = 0; i < more && at < words.size() && (byte(at) & 0xc0) == 0x80; ++i)
    code = code << 6 | (byte(at++) & 0x3fU);
  return code;
}

}  // namespace

std::vector<Stroke> parse_strokes(const char* at) {
  const auto number = [&] {
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    at = end;
    return value;
  };
  std::vector<Stroke> strokes(1);
  while (*at != 0) {
    if (*at == ' ') {
      ++at;
    } else if (*at == 'M') {
      strokes.emplace_back();
      ++at;
    } else if (*at == 'A') {
      ++at;
      double n[6];
      for (double& value : n) value = number();
      add_arc(strokes.back(), n);
    } else {
      const double x = number();
      strokes.back().push_back({x, number()});
    }
  }
  return strokes;
}

Lettering letter(std::string_view words) {
  Lettering result;
  for (std::size_t at = 0; at < words.size();) {
    const Letter& next = letter_of(next_code(words, at));
    for (Stroke stroke : next.strokes) {
      for (Point2& point : stroke) point.x += result.width;
      if (!stroke.empty()) result.strokes.push_back(std::move(stroke));
    }
    result.width += next.advance + tracking;
  }
  return result;
}

}  // namespace scree::render
