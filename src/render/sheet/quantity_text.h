// Numbers and units on a sheet, as a person writes them.
#pragma once

#include <string>

namespace scree::render {

// 0.25, 1200, 3e-7.
std::string number_text(double value);
// m3/s as m³/s, deg as °.
std::string unit_text(const std::string& unit);
// "2 km", "500 m", "20 cm".
std::string length_text(double metres);

}  // namespace scree::render
