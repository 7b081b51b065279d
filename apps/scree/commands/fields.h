// The fields that this program knows by name.
#pragma once

#include <string>
#include <vector>

namespace scree::cli {

std::vector<std::string> field_names();
// Of a field or mask; empty where none has that name.
std::string unit_of(const std::string& name);

}  // namespace scree::cli
