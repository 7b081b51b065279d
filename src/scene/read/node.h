// A scene file as a tree that remembers where each value stands. The one place that knows TOML is
// node.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/parameter.h"

namespace scree {

struct SceneNode {
  enum class Kind { flag, integer, real, text, list, table, other };

  Kind kind = Kind::table;
  bool flag = false;
  std::int64_t integer = 0;
  double real = 0;  // of an integer, too
  std::string text;
  std::vector<SceneNode> items;  // of a list or a table, in the order of the file
  std::string key;               // its own name in the table that holds it
  std::string where;             // "FILE:LINE", for messages

  bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
  const SceneNode* find(const std::string& name) const;
};

// UsageError with file and line for what is not TOML.
SceneNode parse_toml(const std::string& toml, const std::string& name);
// "hydraulic.capacity=3" as the tables it stands for.
SceneNode parse_assignment(const std::string& assignment);

// ---- checked reading. `key` is what the message calls the value.

// What each key of a table means. A key that is not listed is an error with the nearest one.
using SceneKeys = std::map<std::string, std::function<void(const SceneNode&)>>;
void read_table(const SceneNode& table, const std::string& key, const SceneKeys& keys);
// Every parameter of a .def file as keys.
void add_parameters(SceneKeys& keys, Parameters& parameters);

struct RealRange {
  const char* unit;
  double least;
  double most;
};

bool read_flag(const SceneNode& node, const std::string& key);
std::int64_t read_integer(const SceneNode& node, const std::string& key, std::int64_t least,
                          std::int64_t most);
double read_real(const SceneNode& node, const std::string& key, const RealRange& range);
std::string read_text(const SceneNode& node, const std::string& key);
std::string read_choice(const SceneNode& node, const std::string& key,
                        const std::vector<std::string>& choices);
// UsageError unless the node is a list, of so many items where count is above 0.
const SceneNode& checked_list(const SceneNode& node, const std::string& key, std::size_t count,
                              const std::string& expected);
std::array<double, 3> read_point(const SceneNode& node, const std::string& key,
                                 const RealRange& range);
// "#b08a68".
std::array<std::uint8_t, 3> read_colour(const SceneNode& node);
// Each of a list of tables: what is said replaces what was there.
void read_each(const SceneNode& list, const std::string& what,
               const std::function<void(const SceneNode&)>& read);

// Keys whose values are put where they belong.
void add_real(SceneKeys& keys, const char* key, double& value, const RealRange& range);
void add_text(SceneKeys& keys, const char* key, std::string& value);
void add_flag(SceneKeys& keys, const char* key, bool& value);
// Error unless the node is a list of exactly two.
void check_pair(const SceneNode& node, const std::string& key, const std::string& expected);

}  // namespace scree
