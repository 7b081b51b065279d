#include "commands/fields.h"

#include <nlohmann/json.hpp>

#include "commands/commands.h"
#include "process/core/registry.h"
#include "scene/output.h"
#include "terrain/heights/derive.h"

namespace scree::cli {
namespace {

struct FieldInfo {
  const char* name;
  const char* unit;
  const char* role;  // state, input (a map that a scene may give), or what tracks it
  const char* help;
};

// Units as Heightfield::units() gives them.
constexpr FieldInfo state_and_inputs[] = {
    {"bed", "m", "state", "Height of the ground"},
    {"water", "m", "state", "Depth of the water on it; a map sets it at the start"},
    {"sediment", "m", "state", "Ground carried by the water, as depth"},
    {"flux.x", "m3/s", "state", "Water through the eastern edge, eastwards"},
    {"flux.y", "m3/s", "state", "Water through the southern edge, southwards"},
    {"erodibility", "1", "input", "Factor on the rate at which the ground dissolves"},
    {"rain", "m/s", "input", "Rain by place"},
    {"floor", "m", "input", "Height below which nothing erodes"},
    {"strength", "1", "input", "Factor on the talus slope"},
    {"sink", "1", "input", "Set in the sea: what reaches it leaves, and it stays as it is"},
};

std::vector<FieldInfo> field_table() {
  std::vector<FieldInfo> table(std::begin(state_and_inputs), std::end(state_and_inputs));
  const auto add = [&](const FieldSpec& field, const char* from) {
    table.push_back({field.name, field.unit, from, field.help});
  };
  for (const ProcessKind& kind : process_kinds())
    for (const FieldSpec& field : kind.fields) add(field, kind.name.c_str());
  add(wetness_field, "thermal, masks");
  for (const FieldSpec& field : {flow_field, wear_field, deposit_field}) add(field, "masks");
  return table;
}

}  // namespace

std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const FieldInfo& field : field_table()) names.emplace_back(field.name);
  return names;
}

std::string unit_of(const std::string& name) {
  for (const FieldInfo& field : field_table())
    if (field.name == name) return field.unit;
  for (const MaskInfo& mask : mask_list())
    if (mask.name == name) return mask.unit;
  return {};
}

int fields(Console& console) {
  std::vector<std::vector<std::string>> rows = {{"field", "unit", "from", "meaning"}};
  Json fields = Json::array(), masks = Json::array();
  for (const FieldInfo& field : field_table()) {
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
