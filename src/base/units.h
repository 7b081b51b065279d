// Quantities as people write them ("1.5 km", "10 mm/h", "35 deg") into plain numbers.
#pragma once

#include <string_view>

namespace scree {

// Reads `text` and returns its value expressed in `unit`, the unit symbol of a parameter: "m", "s",
// "m/s", "deg", "1/s", "Pa", "kg/m3", "m2/s", "1" for a plain number. Parameters are described in
// SI and degrees, so that is what comes out. A bare number is taken to be in `unit` already.
//
// Symbols combine with '/', '*' or a space, powers are written m2, m^2 or m²; a '/' divides by the
// one symbol after it. Conversion is one multiplication and one division by exact constants, so the
// result does not depend on the machine, its locale or its libm.
//
// Throws UsageError with one line (what was given, what was expected, examples) for anything else.
double parse_quantity(std::string_view text, std::string_view unit);

// A bare number without a unit, whatever the locale says. Throws UsageError.
double parse_number(std::string_view text);
// The same, or nan (NaN, NAN), as a value that means nodata may be.
double parse_number_or_nan(std::string_view text);

}  // namespace scree
