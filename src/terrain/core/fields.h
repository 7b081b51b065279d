// What a terrain has to show, and what of it may be written: one list for every kind of terrain,
// from which everything that names a field reads.
#pragma once

#include <string>
#include <vector>

#include "device/field.h"
#include "terrain/core/edit.h"

namespace scree {

struct FieldInfo {
  std::string id;    // as scenes, files and requests name it
  std::string name;  // in words
  device::FieldType type = device::FieldType::float32;
  std::string unit;
  // A number as it is kept is value * scale + offset in that unit. Where whole counts are kept, one
  // of them is a quantum of so much; elsewhere that is 0.
  double quantum = 0, scale = 1, offset = 0;
  Box shape;
  bool writable = false;
  std::string help;
};
using Fields = std::vector<FieldInfo>;

// UsageError, with the nearest name, where there is no such field.
const FieldInfo& field_of(const Fields& fields, const std::string& id);

}  // namespace scree
