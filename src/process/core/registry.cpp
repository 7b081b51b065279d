#include "process/core/registry.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"

namespace scree {

// Generated from the files that have a SCREE_PROCESS.
std::vector<ProcessKind> announced_processes();

namespace {

std::vector<ProcessKind> in_order(std::vector<ProcessKind> kinds) {
  std::sort(kinds.begin(), kinds.end(), [](const ProcessKind& a, const ProcessKind& b) {
    return a.order != b.order ? a.order < b.order : a.name < b.name;
  });
  return kinds;
}

}  // namespace

const std::vector<ProcessKind>& process_kinds() {
  static const std::vector<ProcessKind> kinds = in_order(announced_processes());
  return kinds;
}

const FieldSpec* field_spec(const std::string& name) {
  const auto named = [&](const FieldSpec& field) { return field.name == name; };
  for (const ProcessKind& kind : process_kinds()) {
    const auto found = std::find_if(kind.fields.begin(), kind.fields.end(), named);
    if (found != kind.fields.end()) return &*found;
  }
  for (const FieldSpec* shared : {&flow_field, &wear_field, &deposit_field, &wetness_field})
    if (named(*shared)) return shared;
  return nullptr;
}

device::FieldType field_type(const std::string& name) {
  for (const char* counted : {"bed", "water", "sediment", "floor", "sink"})
    if (name == counted) return device::FieldType::int32;
  const FieldSpec* spec = field_spec(name);
  return spec != nullptr ? spec->type : device::FieldType::float32;
}

ProcessSet::ProcessSet() {
  for (const ProcessKind& kind : process_kinds()) {
    ProcessSettings settings{.parameters = kind.parameters, .lists = {}, .plan = {}};
    for (const auto& [list, unused] : kind.lists) settings.lists[list] = {};
    settings_.emplace(kind.name, std::move(settings));
  }
}

const ProcessSettings& ProcessSet::operator[](const std::string& name) const {
  const auto found = settings_.find(name);
  if (found != settings_.end()) return found->second;
  std::vector<std::string> all;
  std::string listed;
  for (const auto& [known, unused] : settings_) {
    all.push_back(known);
    listed += (listed.empty() ? "" : ", ") + known;
  }
  throw UsageError(text("process '", name, "': expected one of ", listed, did_you_mean(name, all)));
}

ProcessSettings& ProcessSet::operator[](const std::string& name) {
  return const_cast<ProcessSettings&>(std::as_const(*this)[name]);
}

ProcessSet& ProcessSet::use(const std::string& name) {
  (*this)[name].enabled = true;
  return *this;
}

ProcessSet& ProcessSet::use(const std::string& name, const std::string& parameter,
                            const ParameterValue& value) {
  (*this)[name].parameters->set(parameter, value, name);
  return use(name);
}

ProcessSet& ProcessSet::use(const std::string& name, std::any plan) {
  (*this)[name].plan = std::move(plan);
  return use(name);
}

std::vector<std::string> ProcessSet::names() const {
  std::vector<std::string> on_now;
  for (const ProcessKind& kind : process_kinds())
    if (on(kind.name)) on_now.push_back(kind.name);
  return on_now;
}

}  // namespace scree
