#include "render/sheet/quantity_text.h"

#include <cctype>
#include <cmath>
#include <cstdio>

namespace scree::render {

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

std::string length_text(double metres) {
  if (metres >= 1000) return number_text(metres / 1000) + " km";
  if (metres >= 1) return number_text(metres) + " m";
  return number_text(metres * 100) + " cm";
}

}  // namespace scree::render
