#include "scenes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"

namespace scree::cli {

Scene find_preset(const std::string& name) {
  const std::vector<std::string> known = preset_names();
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw UsageError(text("no preset '", name, "'", did_you_mean(name, known), "; there are ",
                          fmt::format("{}", fmt::join(known, ", "))));
  return preset(name);
}

Scene find_scene(const std::string& name) {
  const std::filesystem::path path(name);
  std::error_code error;
  const std::vector<std::string> known = preset_names();
  const bool is_preset = std::find(known.begin(), known.end(), name) != known.end();
  // A folder may well be called like a preset; a file is meant.
  if (is_preset && !std::filesystem::is_regular_file(path, error)) return preset(name);
  if (!std::filesystem::exists(path, error) && !path.has_extension() && !path.has_parent_path())
    throw Error(text(name, ": no such scene file, and no preset of that name",
                     did_you_mean(name, known), "; there are ",
                     fmt::format("{}", fmt::join(known, ", "))));
  return load_scene(path);
}

}  // namespace scree::cli
