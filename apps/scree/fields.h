// The fields that this program knows by name.
#pragma once

#include <string>
#include <vector>

namespace scree::cli {

std::vector<std::string> field_names();

}  // namespace scree::cli
