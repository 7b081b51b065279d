#include "run/command.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

Json number_json(double value) {
  // JSON has no word for a cell without data.
  return std::isnan(value) ? Json() : Json(value);
}

Json to_json(const WriteCommand& write) {
  const Box& b = write.box;
  Json values = Json::array();
  for (const double value : write.values) values.push_back(number_json(value));
  return {{"write", write.field},
          {"at", {b.x, b.y, b.z}},
          {"size", {b.width, b.height, b.depth}},
          {"values", std::move(values)}};
}

Json to_json(const SetCommand& set) { return {{"set", set.key}, {"value", set.value}}; }

WriteCommand write_from(const Json& json) {
  WriteCommand write;
  write.field = json.at("write").get<std::string>();
  const auto at = json.at("at").get<std::array<int, 3>>();
  const auto size = json.at("size").get<std::array<int, 3>>();
  write.box = {at[0], at[1], at[2], size[0], size[1], size[2]};
  for (const Json& value : json.at("values"))
    write.values.push_back(value.is_null() ? std::nan("") : value.get<double>());
  return write;
}

}  // namespace

std::string command_text(const Command& command) {
  Json json = {{"step", command.step}};
  std::visit([&](const auto& what) { json.update(to_json(what)); }, command.what);
  return json.dump();
}

Command command_from(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    Command command;
    command.step = json.at("step").get<std::uint64_t>();
    if (json.contains("write"))
      command.what = write_from(json);
    else
      command.what = SetCommand{json.at("set").get<std::string>(), json.at("value")};
    return command;
  } catch (const Json::exception& error) {
    throw UsageError(
        scree::text("a command: expected {\"step\", \"write\" or \"set\", …}: ", error.what()));
  }
}

}  // namespace scree
