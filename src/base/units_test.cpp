#include "base/units.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <charconv>
#include <clocale>
#include <cmath>
#include <string>

#include "base/error.h"

namespace scree {
namespace {

std::string refusal(std::string_view text, std::string_view unit) {
  try {
    const double value = parse_quantity(text, unit);
    ADD_FAILURE() << text << " was read as " << value << " " << unit;
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

std::string shortest(double value) {
  std::array<char, 40> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

TEST(Units, BareNumbersAreInTheExpectedUnit) {
  EXPECT_EQ(parse_quantity("30", "m"), 30.0);
  EXPECT_EQ(parse_quantity(" -1.5e3 ", "m/s"), -1500.0);
  EXPECT_EQ(parse_quantity("+2", "deg"), 2.0);
  EXPECT_EQ(parse_quantity(".5", "1"), 0.5);
  EXPECT_EQ(parse_quantity("7", ""), 7.0);
}

// Every value here is the double nearest to the true one: conversions round once.
TEST(Units, ConvertsToTheExpectedUnit) {
  EXPECT_EQ(parse_quantity("30 m", "m"), 30.0);
  EXPECT_EQ(parse_quantity("1.5 km", "m"), 1500.0);
  EXPECT_EQ(parse_quantity("20cm", "m"), 0.2);
  EXPECT_EQ(parse_quantity("3 mm", "m"), 0.003);
  EXPECT_EQ(parse_quantity("5 \u00b5m", "m"), 5e-6);
  EXPECT_EQ(parse_quantity("35 deg", "deg"), 35.0);
  EXPECT_EQ(parse_quantity("35\u00b0", "deg"), 35.0);
  EXPECT_EQ(parse_quantity("10 mm/h", "m/s"), 10.0 / 3600000.0);
  EXPECT_EQ(parse_quantity("3e-5 m/s", "m/s"), 3e-5);
  EXPECT_EQ(parse_quantity("2 h", "s"), 7200.0);
  EXPECT_EQ(parse_quantity("5 min", "s"), 300.0);
  EXPECT_EQ(parse_quantity("1 yr", "s"), 31557600.0);
  EXPECT_EQ(parse_quantity("12 %", "1"), 0.12);
  EXPECT_EQ(parse_quantity("20 kPa", "Pa"), 20000.0);
  EXPECT_EQ(parse_quantity("1.8 t/m3", "kg/m3"), 1800.0);
  EXPECT_EQ(parse_quantity("36 m2/h", "m2/s"), 0.01);
  EXPECT_EQ(parse_quantity("15 L/s", "m3/s"), 0.015);
  EXPECT_NEAR(parse_quantity("0.6 rad", "deg"), 34.37746770784939, 1e-13);
  EXPECT_NEAR(parse_quantity("3.6 km/h", "m/s"), 1.0, 1e-15);
}

TEST(Units, AParameterNeedNotBeInSi) {
  EXPECT_EQ(parse_quantity("10", "mm/h"), 10.0);
  EXPECT_EQ(parse_quantity("10 mm/h", "mm/h"), 10.0);
  EXPECT_EQ(parse_quantity("1 m/h", "mm/h"), 1000.0);
  EXPECT_EQ(parse_quantity("0.5", "%"), 0.5);
}

TEST(Units, ReadsEveryWayToWriteACompoundUnit) {
  for (const char* text : {"2 1/s", "2/s", "2 /s", "2 s-1", "2 s^-1", "2 Hz", "2 s\u207b\u00b9"})
    EXPECT_EQ(parse_quantity(text, "1/s"), 2.0) << text;
  for (const char* text :
       {"2 m2/s", "2 m^2/s", "2 m\u00b2/s", "2 m2 s-1", "2 m*m/s", "2 m\u00b7m/s"})
    EXPECT_EQ(parse_quantity(text, "m2/s"), 2.0) << text;
  EXPECT_EQ(parse_quantity("2 kg/m/s2", "Pa"), 2.0);
  EXPECT_EQ(parse_quantity("2 N/m2", "Pa"), 2.0);
}

TEST(Units, AWrongUnitIsRefusedInOneUsefulLine) {
  EXPECT_EQ(refusal("30 s", "m"),
            "'30 s' is a time; expected a length in m, for example '30 m', '1.5 km' or '2 mm'");
}

TEST(Units, ErrorsNameWhatWasGivenAndWhatWasExpected) {
  EXPECT_EQ(refusal("3 bananas", "m/s"),
            "'3 bananas' has an unknown unit 'bananas'; expected a speed in m/s, for example "
            "'3e-5 m/s' or '10 mm/h'");
  EXPECT_EQ(refusal("steep", "deg"),
            "'steep' does not begin with a finite number; expected an angle in deg, for example "
            "'35 deg' or '0.6 rad'");
  EXPECT_EQ(refusal("3 m", "1"),
            "'3 m' is a length; expected a plain number, for example '0.12' or '12 %'");
  EXPECT_EQ(refusal("3 m", "kg2/m3").find('\n'), std::string::npos);
  EXPECT_EQ(refusal("3\nm\n\n  4", "s").find('\n'), std::string::npos);
}

TEST(Units, RefusesWhatIsNotAFiniteQuantity) {
  for (const char* text :
       {"",      " ",    "m",     "nan",     "inf",     "-inf",   "1e999", "1e308 km",
        "--3",   "+-3",  "1,5 m", "1.5.2 m", "3 m/",    "3 m//s", "3 m^",  "3 m0",
        "3 m12", "3 *m", "0x10",  "3 m s",   "12 % m2", "3 mkm"})
    EXPECT_NE(refusal(text, "m"), "") << text;
}

// A bare ratio is not an angle, and a slope in per cent is not one in degrees.
TEST(Units, AnglesAreNoPlainNumbers) {
  EXPECT_NE(refusal("12 %", "deg"), "");
  EXPECT_NE(refusal("0.6 rad", "1"), "");
}

TEST(Units, AnUnknownExpectedUnitIsTheProgrammersMistake) {
  EXPECT_THROW(parse_quantity("1", "furlong"), Error);
  try {
    parse_quantity("1", "furlong");
  } catch (const UsageError&) {
    ADD_FAILURE() << "blamed on the user";
  } catch (const Error&) {
  }
}

TEST(Units, NumbersDoNotFollowTheLocale) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8"}) std::setlocale(LC_NUMERIC, name);
  EXPECT_EQ(parse_quantity("1.5 km", "m"), 1500.0);
  std::setlocale(LC_NUMERIC, before.c_str());
}

TEST(Units, PlainNumbers) {
  EXPECT_EQ(parse_number(" 3e-5 "), 3e-5);
  EXPECT_THROW(parse_number("3 m"), UsageError);
  EXPECT_THROW(parse_number(""), UsageError);
  EXPECT_THROW(parse_number("nan"), UsageError);
}

RC_GTEST_PROP(Units, WhatIsWrittenInTheUnitComesBackBitForBit, (double value)) {
  RC_PRE(std::isfinite(value));
  const std::string unit = *rc::gen::elementOf(std::vector<std::string>{
      "m", "s", "m/s", "deg", "1/s", "Pa", "kg/m3", "m2/s", "1", "mm/h", "rad", "kg/m/s2"});
  RC_ASSERT(parse_quantity(shortest(value), unit) == value);
  RC_ASSERT(parse_quantity(shortest(value) + " " + unit, unit) == value);
}

RC_GTEST_PROP(Units, ThereAndBackIsWithinRounding, ()) {
  using Pair = std::pair<std::string, std::string>;
  const auto [from, to] = *rc::gen::elementOf(std::vector<Pair>{{"km", "mm"},
                                                                {"mm/h", "m/s"},
                                                                {"rad", "deg"},
                                                                {"t/m3", "g/L"},
                                                                {"yr", "us"},
                                                                {"ha", "m2"},
                                                                {"%", "1"},
                                                                {"ft", "m"}});
  const double value = *rc::gen::inRange(-1000000, 1000000) / 1024.0;
  const double there = parse_quantity(shortest(value) + " " + from, to);
  const double back = parse_quantity(shortest(there) + " " + to, from);
  RC_ASSERT(std::abs(back - value) <= 1e-15 * std::abs(value));
}

RC_GTEST_PROP(Units, AnyTextIsReadOrRefusedInOneLine, (const std::string& text)) {
  try {
    RC_ASSERT(std::isfinite(parse_quantity(text, "m/s")));
  } catch (const UsageError& error) {
    RC_ASSERT(std::string(error.what()).find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace scree
