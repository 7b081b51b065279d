#include "commands/fields.h"

#include <nlohmann/json.hpp>

#include "commands/commands.h"
#include "process/core/registry.h"
#include "scene/output.h"
#include "terrain/heights/derive.h"

namespace scree::cli {
namespace {

struct Row {
  const char* name;
  const char* unit;
  const char* role;  // state, input (a map that a scene may give), or what tracks it
  const char* help;
};

std::vector<Row> field_table() {
  std::vector<Row> table;
  const auto add = [&](const FieldSpec& field, const char* from) {
    table.push_back({field.name, field.unit, from, field.help});
  };
  for (const FieldSpec& field : height_state) add(field, "state");
  for (const FieldSpec& field : height_maps) add(field, "input");
  for (const ProcessKind& kind : process_kinds())
    for (const FieldSpec& field : kind.fields) add(field, kind.name.c_str());
  add(wetness_field, "thermal, masks");
  for (const FieldSpec& field : {flow_field, wear_field, deposit_field}) add(field, "masks");
  return table;
}

}  // namespace

std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const Row& field : field_table()) names.emplace_back(field.name);
  return names;
}

std::string unit_of(const std::string& name) {
  for (const Row& field : field_table())
    if (field.name == name) return field.unit;
  for (const MaskInfo& mask : mask_list())
    if (mask.name == name) return mask.unit;
  return {};
}

int fields(Console& console) {
  std::vector<std::vector<std::string>> rows = {{"field", "unit", "from", "meaning"}};
  Json fields = Json::array(), masks = Json::array();
  for (const Row& field : field_table()) {
    rows.push_back({field.name, field.unit, field.role, field.help});
    fields.push_back({{"name", field.name},
                      {"unit", field.unit},
                      {"from", field.role},
                      {"meaning", field.help}});
  }
  console.say(table_text(rows));
  rows = {{"mask", "unit", "meaning"}};
  for (const MaskInfo& mask : mask_list()) {
    rows.push_back({mask.name, mask.unit, mask.help});
    masks.push_back({{"name", mask.name}, {"unit", mask.unit}, {"meaning", mask.help}});
  }
  console.say("");
  console.say(table_text(rows));
  console.say(
      "\nA scene writes any of them that its run has: [[output]] with kind = \"field\" or "
      "\"mask\".");
  console.answer({{"fields", fields}, {"masks", masks}});
  return 0;
}

}  // namespace scree::cli
