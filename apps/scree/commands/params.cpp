#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/suggest.h"
#include "commands/commands.h"
#include "scene/scene.h"

namespace scree::cli {
namespace {

using Kind = ParameterInfo::Kind;

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

// A million as people write it.
std::string limit_text(double value) {
  const bool round = std::abs(value) >= 1e5 && std::abs(value) < 1e10;
  return round ? fmt::format("{:.0f}", value) : number(value);
}

std::string range_text(const ParameterInfo& parameter) {
  if (parameter.kind == Kind::flag) return "true, false";
  if (parameter.kind == Kind::choice) return joined(parameter.choices, ", ");
  return limit_text(parameter.least) + " to " + limit_text(parameter.most);
}

std::string unit_text(const ParameterInfo& parameter) {
  return parameter.unit == "1" ? "" : parameter.unit;
}

std::vector<std::string> row_of(const ParameterInfo& parameter) {
  return {parameter.name, parameter_text(parameter.standard), unit_text(parameter),
          range_text(parameter), parameter.help};
}

std::string markdown(const std::vector<ParameterInfo>& list) {
  std::string table =
      "| parameter | default | unit | range | meaning |\n| --- | --- | --- | --- | --- |";
  for (const ParameterInfo& parameter : list) {
    const std::vector<std::string> cells = row_of(parameter);
    table += fmt::format("\n| `{}` | {} | {} | {} | {} |", cells[0], cells[1], cells[2], cells[3],
                         cells[4]);
  }
  return table;
}

Json to_json(const ParameterInfo& parameter) {
  Json entry = {{"name", parameter.name}};
  std::visit([&](const auto& value) { entry["default"] = value; }, parameter.standard);
  if (parameter.kind == Kind::real) {
    entry["unit"] = parameter.unit;
    entry["least"] = parameter.least;
    entry["most"] = parameter.most;
  }
  if (parameter.kind == Kind::choice) entry["choices"] = parameter.choices;
  entry["help"] = parameter.help;
  return entry;
}

// A process's name alone is unlikely to be narrow: help goes below 120 columns as it is.
std::string plain(const std::vector<ParameterInfo>& list) {
  std::vector<std::vector<std::string>> rows = {
      {"parameter", "default", "unit", "range", "meaning"}};
  for (const ParameterInfo& parameter : list) {
    rows.push_back(row_of(parameter));
    // Sixteen kinds of terrain would push the meaning off the screen.
    std::string& range = rows.back()[3];
    if (range.size() > 40) {
      rows.back()[4] += ": " + range;
      range = "";
    }
  }
  return table_text(rows);
}

}  // namespace

int params(Console& console, const ParamsArguments& arguments) {
  std::vector<std::string> tables = parameter_tables();
  if (!arguments.process.empty()) {
    if (std::find(tables.begin(), tables.end(), arguments.process) == tables.end())
      throw UsageError(text("no process '", arguments.process, "'",
                            did_you_mean(arguments.process, tables), "; there are ",
                            joined(tables, ", ")));
    tables = {arguments.process};
  }
  Json answer = Json::object();
  std::string said;
  for (const std::string& table : tables) {
    const std::unique_ptr<Parameters> parameters = default_parameters(table);
    const std::vector<ParameterInfo>& list = parameters->list();
    for (const ParameterInfo& parameter : list) answer[table].push_back(to_json(parameter));
    if (tables.size() > 1)
      said += (said.empty() ? "" : "\n\n") +
              (arguments.markdown ? "## " + table + "\n\n" : "[" + table + "]\n");
    said += arguments.markdown ? markdown(list) : plain(list);
  }
  console.say(said);
  console.answer(answer);
  return 0;
}

}  // namespace scree::cli
