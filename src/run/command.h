// What happens to a world from outside, as data: a change of a field or of a setting, with the step
// before which it comes. A log of them is a session.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "terrain/core/edit.h"

namespace scree {

// Numbers for a rectangle or a box of a field, in its unit, x fastest.
struct WriteCommand {
  std::string field;
  Box box;
  std::vector<double> values;
  friend bool operator==(const WriteCommand&, const WriteCommand&) = default;
};

// A setting by the key of a scene: "hydraulic.capacity", and what a scene would say of it.
struct SetCommand {
  std::string key, value;
  friend bool operator==(const SetCommand&, const SetCommand&) = default;
};

struct Command {
  std::uint64_t step = 0;  // steps that were done before it
  std::variant<WriteCommand, SetCommand> what;
  friend bool operator==(const Command&, const Command&) = default;
};

// One line of JSON, whose numbers read back as the same; UsageError for what is no command.
std::string command_text(const Command& command);
Command command_from(const std::string& text);

}  // namespace scree
