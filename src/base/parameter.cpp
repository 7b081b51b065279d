#include "base/parameter.h"

#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/suggest.h"
#include "base/units.h"

namespace scree {
namespace {

std::string prefix(const std::string& where) { return where.empty() ? "" : where + ": "; }

const ParameterInfo& find(const std::vector<ParameterInfo>& list, const std::string& name,
                          const std::string& where) {
  std::vector<std::string> names;
  for (const ParameterInfo& info : list) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  const std::string near = nearest(name, names);
  throw UsageError(text(prefix(where), "unknown key '", name, "'",
                        near.empty() ? "" : text(", did you mean '", near, "'?")));
}

double checked_real(const ParameterInfo& info, const ParameterValue& value,
                    const std::string& where) {
  double number = 0;
  if (const auto* d = std::get_if<double>(&value)) {
    number = *d;
  } else if (const auto* s = std::get_if<std::string>(&value)) {
    try {
      number = parse_quantity(*s, info.unit);
    } catch (const UsageError& error) {
      throw UsageError(text(prefix(where), info.name, ": ", error.what()));
    }
  } else {
    throw UsageError(text(prefix(where), info.name, ": expected a number in ", info.unit));
  }
  if (!(number >= info.least && number <= info.most))
    throw UsageError(text(prefix(where), info.name, " = ", number, ": expected ", info.least,
                          " to ", info.most, info.unit == "1" ? "" : " " + info.unit));
  return number;
}

bool checked_flag(const ParameterInfo& info, const ParameterValue& value,
                  const std::string& where) {
  if (const auto* b = std::get_if<bool>(&value)) return *b;
  if (const auto* s = std::get_if<std::string>(&value)) {
    if (*s == "true") return true;
    if (*s == "false") return false;
  }
  throw UsageError(text(prefix(where), info.name, ": expected true or false"));
}

std::string checked_choice(const ParameterInfo& info, const ParameterValue& value,
                           const std::string& where) {
  const std::string word = parameter_text(value);
  std::string all;
  for (const std::string& choice : info.choices) {
    if (choice == word) return word;
    all += (all.empty() ? "" : ", ") + choice;
  }
  throw UsageError(text(prefix(where), info.name, " = '", word, "': expected one of ", all));
}

}  // namespace

void Parameters::set(const std::string& name, const ParameterValue& value,
                     const std::string& where) {
  const ParameterInfo& info = find(list(), name, where);
  switch (info.kind) {
    case ParameterInfo::Kind::real:
      store(name, checked_real(info, value, where));
      break;
    case ParameterInfo::Kind::flag:
      store(name, checked_flag(info, value, where));
      break;
    case ParameterInfo::Kind::choice:
      store(name, checked_choice(info, value, where));
      break;
  }
}

std::string parameter_text(const ParameterValue& value) {
  if (const auto* s = std::get_if<std::string>(&value)) return *s;
  if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
  char digits[64];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, std::get<double>(value));
  return error == std::errc{} ? std::string(digits, end) : "?";
}

namespace detail {

std::vector<std::string> split_choices(const char* choices) {
  std::vector<std::string> words(1);
  for (const char* c = choices; *c != '\0'; ++c) {
    if (*c == '|')
      words.emplace_back();
    else
      words.back() += *c;
  }
  return words;
}

}  // namespace detail
}  // namespace scree
