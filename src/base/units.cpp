#include "base/units.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace scree {
namespace {

// Exponents of metre, kilogram, second, kelvin and degree. An angle is a dimension of its own here,
// so that a bare ratio is never mistaken for one.
using Dimension = std::array<int, 5>;

// One unit is numerator / denominator of the base units. Both are whole numbers wherever the
// definition allows it, so that "10 mm/h" is rounded once, not three times.
struct Unit {
  Dimension dimension{};
  double numerator = 1;
  double denominator = 1;
};

struct Symbol {
  std::string_view name;
  Unit unit;
};

constexpr Dimension number{};
constexpr Dimension length{1, 0, 0, 0, 0};
constexpr Dimension mass{0, 1, 0, 0, 0};
constexpr Dimension duration{0, 0, 1, 0, 0};
constexpr Dimension temperature{0, 0, 0, 1, 0};
constexpr Dimension angle{0, 0, 0, 0, 1};
constexpr Dimension frequency{0, 0, -1, 0, 0};
constexpr Dimension force{1, 1, -2, 0, 0};
constexpr Dimension pressure{-1, 1, -2, 0, 0};
constexpr Dimension energy{2, 1, -2, 0, 0};
constexpr Dimension area{2, 0, 0, 0, 0};
constexpr Dimension volume{3, 0, 0, 0, 0};

constexpr double pi = 3.14159265358979323846;

constexpr Symbol symbols[] = {
    {"1", {number, 1, 1}},
    {"%", {number, 1, 100}},
    {"m", {length, 1, 1}},
    {"km", {length, 1000, 1}},
    {"dm", {length, 1, 10}},
    {"cm", {length, 1, 100}},
    {"mm", {length, 1, 1000}},
    {"um", {length, 1, 1000000}},
    {"ft", {length, 3048, 10000}},
    {"kg", {mass, 1, 1}},
    {"g", {mass, 1, 1000}},
    {"t", {mass, 1000, 1}},
    {"s", {duration, 1, 1}},
    {"ms", {duration, 1, 1000}},
    {"us", {duration, 1, 1000000}},
    {"min", {duration, 60, 1}},
    {"h", {duration, 3600, 1}},
    {"d", {duration, 86400, 1}},
    {"day", {duration, 86400, 1}},
    {"days", {duration, 86400, 1}},
    // The Julian year, as in astronomy and geology.
    {"a", {duration, 31557600, 1}},
    {"yr", {duration, 31557600, 1}},
    {"year", {duration, 31557600, 1}},
    {"years", {duration, 31557600, 1}},
    {"K", {temperature, 1, 1}},
    {"deg", {angle, 1, 1}},
    {"rad", {angle, 180, pi}},
    {"Hz", {frequency, 1, 1}},
    {"N", {force, 1, 1}},
    {"kN", {force, 1000, 1}},
    {"Pa", {pressure, 1, 1}},
    {"hPa", {pressure, 100, 1}},
    {"kPa", {pressure, 1000, 1}},
    {"MPa", {pressure, 1000000, 1}},
    {"GPa", {pressure, 1000000000, 1}},
    {"J", {energy, 1, 1}},
    {"kJ", {energy, 1000, 1}},
    {"ha", {area, 10000, 1}},
    {"L", {volume, 1, 1000}},
    {"l", {volume, 1, 1000}},
};

// What an error message says about a dimension.
struct Kind {
  Dimension dimension;
  std::string_view name;
  std::string_view examples;
};

constexpr Kind kinds[] = {
    {number, "a plain number", "'0.12' or '12 %'"},
    {length, "a length", "'30 m', '1.5 km' or '2 mm'"},
    {duration, "a time", "'90 s', '5 min' or '2 h'"},
    {mass, "a mass", "'2 kg' or '1.5 t'"},
    {temperature, "a temperature", "'273.15 K'"},
    {angle, "an angle", "'35 deg' or '0.6 rad'"},
    {frequency, "a rate", "'0.1 1/s' or '3 1/h'"},
    {{1, 0, -1, 0, 0}, "a speed", "'3e-5 m/s' or '10 mm/h'"},
    {{1, 0, -2, 0, 0}, "an acceleration", "'9.81 m/s2'"},
    {area, "an area", "'400 m2' or '2 km2'"},
    {volume, "a volume", "'3 m3' or '50 L'"},
    {{2, 0, -1, 0, 0}, "a diffusivity", "'0.01 m2/s' or '0.5 m2/yr'"},
    {{3, 0, -1, 0, 0}, "a discharge", "'2 m3/s' or '15 L/s'"},
    {{-3, 1, 0, 0, 0}, "a density", "'2600 kg/m3' or '1.8 t/m3'"},
    {pressure, "a pressure", "'500 Pa' or '20 kPa'"},
    {force, "a force", "'50 N' or '2 kN'"},
};

const Kind* find_kind(const Dimension& dimension) {
  for (const Kind& kind : kinds)
    if (kind.dimension == dimension) return &kind;
  return nullptr;
}

const Unit* find_symbol(std::string_view name) {
  for (const Symbol& symbol : symbols)
    if (symbol.name == name) return &symbol.unit;
  return nullptr;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// The typographic forms people paste, in the ASCII that the grammar below knows.
std::string plain(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> forms[] = {
      {"\u00b9", "1"}, {"\u00b2", "2"},   {"\u00b3", "3"}, {"\u207b", "-"}, {"\u00b5", "u"},
      {"\u03bc", "u"}, {"\u00b0", "deg"}, {"\u00b7", "*"}, {"\u00a0", " "}, {"\u2212", "-"},
  };
  std::string result(text);
  for (const auto& [from, to] : forms)
    for (auto at = result.find(from); at != std::string::npos; at = result.find(from, at))
      result.replace(at, from.size(), to);
  return result;
}

void multiply(Unit& product, const Unit& factor, int power) {
  for (std::size_t i = 0; i < product.dimension.size(); ++i)
    product.dimension[i] += power * factor.dimension[i];
  for (int i = 0; i < (power < 0 ? -power : power); ++i) {
    product.numerator *= power < 0 ? factor.denominator : factor.numerator;
    product.denominator *= power < 0 ? factor.numerator : factor.denominator;
  }
}

// Reads "2", "-1", "^2" at the front of `rest`; 1 where there is none, nothing where it is no
// power.
std::optional<int> take_power(std::string_view& rest) {
  const bool caret = !rest.empty() && rest.front() == '^';
  if (caret) rest.remove_prefix(1);
  const bool negative = rest.size() > 1 && rest.front() == '-' && is_digit(rest[1]);
  if (negative) rest.remove_prefix(1);
  if (rest.empty() || !is_digit(rest.front())) return caret ? std::nullopt : std::optional(1);
  const int power = rest.front() - '0';
  rest.remove_prefix(1);
  if (power == 0 || (!rest.empty() && is_digit(rest.front()))) return std::nullopt;
  return negative ? -power : power;
}

// Reads one symbol with its power at the front of `rest` into `product`.
bool take_factor(std::string_view& rest, bool divide, Unit& product) {
  std::size_t size = 0;
  while (size < rest.size() && is_letter(rest[size])) ++size;
  const bool bare = size == 0 && !rest.empty() && (rest.front() == '1' || rest.front() == '%');
  const Unit* symbol = find_symbol(rest.substr(0, bare ? 1 : size));
  if (symbol == nullptr) return false;
  rest.remove_prefix(bare ? 1 : size);
  const auto power = bare ? std::optional(1) : take_power(rest);
  if (!power) return false;
  multiply(product, *symbol, divide ? -*power : *power);
  return true;
}

std::optional<Unit> parse_unit(std::string_view text) {
  Unit product;
  std::string_view rest = trimmed(text);
  bool divide = false;
  if (!rest.empty() && rest.front() == '/') {  // "0.1/s" leaves "/s"
    divide = true;
    rest = trimmed(rest.substr(1));
  }
  while (take_factor(rest, divide, product)) {
    const bool spaced = !rest.empty() && is_space(rest.front());
    rest = trimmed(rest);
    if (rest.empty()) return product;
    divide = rest.front() == '/';
    if (divide || rest.front() == '*')
      rest = trimmed(rest.substr(1));
    else if (!spaced)
      return std::nullopt;
  }
  return std::nullopt;
}

// The number at the front of `rest`, which it removes. A sign '+' is welcome, "inf" and "nan" are
// not.
std::optional<double> take_number(std::string_view& rest) {
  std::string_view digits = rest;
  if (digits.size() > 1 && digits.front() == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  rest = digits.substr(static_cast<std::size_t>(end - digits.data()));
  return value;
}

// One line, whatever was pasted in.
std::string quoted(std::string_view text) {
  std::string line(trimmed(text).substr(0, 60));
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return "'" + line + "'";
}

[[noreturn]] void refuse(std::string_view given, const std::string& why, const Unit& expected,
                         std::string_view unit) {
  const Kind* kind = find_kind(expected.dimension);
  std::string what = kind != nullptr ? std::string(kind->name) : "a quantity";
  if (expected.dimension != number || unit != "1") what += text(" in ", unit);
  const std::string examples =
      kind != nullptr ? std::string(kind->examples) : text("'1.5 ", unit, "'");
  throw UsageError(text(quoted(given), " ", why, "; expected ", what, ", for example ", examples));
}

std::string kind_of(const Unit& unit) {
  const Kind* kind = find_kind(unit.dimension);
  return kind != nullptr ? text("is ", kind->name) : "has the wrong unit";
}

double convert(double value, const Unit& from, const Unit& to) {
  // The same unit must give the same bits back.
  if (from.numerator == to.numerator && from.denominator == to.denominator) return value;
  return value * (from.numerator * to.denominator) / (from.denominator * to.numerator);
}

}  // namespace

double parse_number(std::string_view text) {
  const std::string ascii = plain(text);
  std::string_view rest = trimmed(ascii);
  const auto value = take_number(rest);
  if (!value || !rest.empty())
    throw UsageError(
        scree::text(quoted(text), " is not a number; expected one like '0.12' or '3e-5'"));
  return *value;
}

double parse_number_or_nan(std::string_view text) {
  std::string word(trimmed(text));
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == "nan" ? std::numeric_limits<double>::quiet_NaN() : parse_number(text);
}

double parse_quantity(std::string_view text, std::string_view unit) {
  const auto expected = parse_unit(unit.empty() ? "1" : plain(unit));
  if (!expected)
    throw Error(scree::text("unknown unit ", quoted(unit), " in a parameter's description"));

  const std::string ascii = plain(text);
  std::string_view rest = trimmed(ascii);
  const auto value = take_number(rest);
  if (!value) refuse(text, "does not begin with a finite number", *expected, unit);
  rest = trimmed(rest);
  if (rest.empty()) return *value;

  const auto given = parse_unit(rest);
  if (!given) refuse(text, scree::text("has an unknown unit ", quoted(rest)), *expected, unit);
  if (given->dimension != expected->dimension) refuse(text, kind_of(*given), *expected, unit);
  const double converted = convert(*value, *given, *expected);
  if (!std::isfinite(converted)) refuse(text, "is too large", *expected, unit);
  return converted;
}

}  // namespace scree
