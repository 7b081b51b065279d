#include "scene/read/node.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/suggest.h"
#include "base/units.h"

namespace scree {
namespace {

std::string place(const std::string& name, const toml::source_region& source) {
  return text(name, ":", source.begin.line);
}

SceneNode converted(const toml::node& node, const std::string& where, const std::string& name);

// The map behind a table sorts by name; people read, and mend, from the top.
void convert_table(SceneNode& to, const toml::table& table, const std::string& name) {
  std::vector<std::pair<toml::source_position, SceneNode>> found;
  for (const auto& [key, value] : table) {
    found.emplace_back(key.source().begin, converted(value, place(name, key.source()), name));
    found.back().second.key = key.str();
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [position, node] : found) to.items.push_back(std::move(node));
}

SceneNode converted(const toml::node& node, const std::string& where, const std::string& name) {
  SceneNode to;
  to.where = where;
  to.kind = SceneNode::Kind::other;
  if (const auto* flag = node.as_boolean()) {
    to.kind = SceneNode::Kind::flag;
    to.flag = flag->get();
  } else if (const auto* integer = node.as_integer()) {
    to.kind = SceneNode::Kind::integer;
    to.integer = integer->get();
    to.real = static_cast<double>(to.integer);
  } else if (const auto* real = node.as_floating_point()) {
    to.kind = SceneNode::Kind::real;
    to.real = real->get();
  } else if (const auto* words = node.as_string()) {
    to.kind = SceneNode::Kind::text;
    to.text = words->get();
  } else if (const auto* list = node.as_array()) {
    to.kind = SceneNode::Kind::list;
    for (const toml::node& item : *list)
      to.items.push_back(
          converted(item, item.is_table() ? place(name, item.source()) : where, name));
  } else if (const auto* table = node.as_table()) {
    to.kind = SceneNode::Kind::table;
    convert_table(to, *table, name);
  }
  return to;
}

// What stands after '=': TOML where it is, else the words themselves ("30 mm/h", fbm).
SceneNode parse_value(const std::string& value, const std::string& where) {
  try {
    const toml::table table = toml::parse("value = " + value);
    const toml::node* node = table.get("value");
    // A second line would be a second key.
    if (table.size() == 1 && node != nullptr) {
      SceneNode made = converted(*node, where, where);
      made.where = where;
      return made;
    }
  } catch (const toml::parse_error&) {
  }
  SceneNode words;
  words.kind = SceneNode::Kind::text;
  words.text = value;
  words.where = where;
  return words;
}

std::string trimmed(const std::string& words) {
  const auto first = words.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return words.substr(first, words.find_last_not_of(" \t") - first + 1);
}

std::string shown(const SceneNode& node) {
  switch (node.kind) {
    case SceneNode::Kind::flag:
      return node.flag ? "true" : "false";
    case SceneNode::Kind::integer:
      return std::to_string(node.integer);
    case SceneNode::Kind::real:
      return parameter_text(node.real);
    case SceneNode::Kind::text:
      return "'" + node.text + "'";
    case SceneNode::Kind::list:
      return "a list";
    case SceneNode::Kind::table:
      return "a table";
    case SceneNode::Kind::other:
      return "a date or time";
  }
  return {};
}

[[noreturn]] void refuse(const SceneNode& node, const std::string& key,
                         const std::string& expected) {
  throw UsageError(text(node.where, ": ", key, " = ", shown(node), ": expected ", expected));
}

ParameterValue parameter_value(const SceneNode& node, const std::string& key) {
  if (node.kind == SceneNode::Kind::flag) return node.flag;
  if (node.is_number()) return node.real;
  if (node.kind == SceneNode::Kind::text) return node.text;
  refuse(node, key, "one value");
}

}  // namespace

const SceneNode* SceneNode::find(const std::string& name) const {
  for (const SceneNode& item : items)
    if (item.key == name) return &item;
  return nullptr;
}

SceneNode parse_toml(const std::string& toml, const std::string& name) {
  try {
    const toml::table table = toml::parse(toml, name);
    return converted(table, name, name);
  } catch (const toml::parse_error& error) {
    throw UsageError(text(place(name, error.source()), ": not valid TOML: ", error.description()));
  }
}

SceneNode parse_assignment(const std::string& assignment) {
  const auto equals = assignment.find('=');
  const std::string path = trimmed(assignment.substr(0, equals));
  const std::string where = "--set " + assignment;
  if (equals == std::string::npos || path.find('.') == std::string::npos)
    throw UsageError(text(where, ": expected TABLE.KEY=VALUE, such as hydraulic.capacity=3"));
  SceneNode node = parse_value(trimmed(assignment.substr(equals + 1)), where);
  std::size_t end = path.size();
  while (true) {
    const auto dot = path.rfind('.', end - 1);
    const std::size_t begin = dot == std::string::npos ? 0 : dot + 1;
    if (begin >= end)
      throw UsageError(text(where, ": expected TABLE.KEY=VALUE, such as hydraulic.capacity=3"));
    SceneNode table;
    table.where = where;
    node.key = path.substr(begin, end - begin);
    table.items.push_back(std::move(node));
    node = std::move(table);
    if (begin == 0) return node;
    end = dot;
    if (end == 0)
      throw UsageError(text(where, ": expected TABLE.KEY=VALUE, such as hydraulic.capacity=3"));
  }
}

void read_table(const SceneNode& table, const std::string& key, const SceneKeys& keys) {
  if (table.kind != SceneNode::Kind::table) refuse(table, key, "a table");
  for (const SceneNode& node : table.items) {
    const auto found = keys.find(node.key);
    if (found == keys.end()) {
      std::vector<std::string> known;
      for (const auto& [word, unused] : keys) known.push_back(word);
      throw UsageError(
          text(node.where, ": unknown key '", node.key, "'", did_you_mean(node.key, known)));
    }
    found->second(node);
  }
}

void add_parameters(SceneKeys& keys, Parameters& parameters) {
  for (const ParameterInfo& info : parameters.list())
    keys[info.name] = [&parameters, name = info.name](const SceneNode& node) {
      parameters.set(name, parameter_value(node, name), node.where);
    };
}

bool read_flag(const SceneNode& node, const std::string& key) {
  if (node.kind != SceneNode::Kind::flag) refuse(node, key, "true or false");
  return node.flag;
}

std::int64_t read_integer(const SceneNode& node, const std::string& key, std::int64_t least,
                          std::int64_t most) {
  const std::string expected = text("a whole number from ", least, " to ", most);
  // 1e6 is a real in TOML and a whole number to people.
  if (node.kind == SceneNode::Kind::real && std::floor(node.real) == node.real &&
      std::abs(node.real) < 9e15) {
    const auto whole = static_cast<std::int64_t>(node.real);
    if (whole >= least && whole <= most) return whole;
  }
  if (node.kind != SceneNode::Kind::integer || node.integer < least || node.integer > most)
    refuse(node, key, expected);
  return node.integer;
}

double read_real(const SceneNode& node, const std::string& key, const RealRange& range) {
  double number = node.real;
  const std::string unit = std::string(range.unit) == "1" ? "" : text(" ", range.unit);
  if (node.kind == SceneNode::Kind::text) {
    try {
      number = parse_quantity(node.text, range.unit);
    } catch (const UsageError& error) {
      throw UsageError(text(node.where, ": ", key, ": ", error.what()));
    }
  } else if (!node.is_number()) {
    refuse(node, key, "a number" + (unit.empty() ? "" : " in" + unit));
  }
  if (!(number >= range.least && number <= range.most))
    refuse(node, key, text(range.least, " to ", range.most, unit));
  return number;
}

std::string read_text(const SceneNode& node, const std::string& key) {
  if (node.kind != SceneNode::Kind::text || node.text.empty())
    refuse(node, key, "a text in quotes");
  return node.text;
}

std::string read_choice(const SceneNode& node, const std::string& key,
                        const std::vector<std::string>& choices) {
  std::string all;
  for (const std::string& choice : choices) {
    if (node.kind == SceneNode::Kind::text && node.text == choice) return choice;
    all += (all.empty() ? "" : ", ") + choice;
  }
  refuse(node, key, "one of " + all);
}

void check_pair(const SceneNode& node, const std::string& key, const std::string& expected) {
  if (node.kind != SceneNode::Kind::list || node.items.size() != 2) refuse(node, key, expected);
}

const SceneNode& checked_list(const SceneNode& node, const std::string& key, std::size_t count,
                              const std::string& expected) {
  if (node.kind != SceneNode::Kind::list || (count > 0 && node.items.size() != count))
    throw UsageError(text(node.where, ": ", key, ": expected ", expected));
  return node;
}

std::array<double, 3> read_point(const SceneNode& node, const std::string& key,
                                 const RealRange& range) {
  checked_list(node, key, 3, "[x, y, z]");
  return {read_real(node.items[0], key, range), read_real(node.items[1], key, range),
          read_real(node.items[2], key, range)};
}

std::array<std::uint8_t, 3> read_colour(const SceneNode& node) {
  const std::string word = read_text(node, "colour");
  if (word.size() != 7 || word[0] != '#' ||
      word.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string::npos)
    throw UsageError(text(node.where, ": colour = '", word, "': expected \"#rrggbb\""));
  const int value = std::stoi(word.substr(1), nullptr, 16);
  return {static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8 & 255),
          static_cast<std::uint8_t>(value & 255)};
}

void read_each(const SceneNode& list, const std::string& what,
               const std::function<void(const SceneNode&)>& read) {
  checked_list(list, list.key, 0, "[[" + what + "]] tables");
  for (const SceneNode& item : list.items) read(item);
}

void add_real(SceneKeys& keys, const char* key, double& value, const RealRange& range) {
  keys[key] = [&value, key, range](const SceneNode& n) { value = read_real(n, key, range); };
}
void add_text(SceneKeys& keys, const char* key, std::string& value) {
  keys[key] = [&value, key](const SceneNode& n) { value = read_text(n, key); };
}
void add_flag(SceneKeys& keys, const char* key, bool& value) {
  keys[key] = [&value, key](const SceneNode& n) { value = read_flag(n, key); };
}

}  // namespace scree
