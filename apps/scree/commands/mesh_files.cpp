#include "commands/mesh_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/units.h"

namespace scree::cli {
namespace {

// ---- words

// "120,-300" or "120,-300,1500".
surface::Viewpoint parse_viewpoint(const std::string& words, bool needs_z) {
  std::vector<double> metres;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    try {
      metres.push_back(parse_quantity(words.substr(begin, end - begin), "m"));
    } catch (const UsageError& error) {
      throw UsageError(text("--view: ", error.what()));
    }
    begin = end + 1;
  }
  const auto fits = [](double value) { return value >= -1e9 && value <= 1e9; };
  const std::size_t least = needs_z ? 3 : 2;
  if (metres.size() < least || metres.size() > 3 ||
      !std::all_of(metres.begin(), metres.end(), fits))
    throw UsageError(text("--view '", words, "': expected ",
                          needs_z ? "X,Y,Z in the mesh's own metres, such as 120,-300,80"
                                  : "X,Y or X,Y,Z in metres from the middle of the terrain, such "
                                    "as 1200,-300"));
  surface::Viewpoint viewpoint{metres[0], metres[1], {}};
  if (metres.size() == 3) viewpoint.z = metres[2];
  return viewpoint;
}

double parse_detail(const std::string& words) {
  double detail = 0;
  try {
    detail = parse_number(words);
  } catch (const UsageError&) {
    detail = 0;
  }
  if (!(detail >= 1 && detail <= 1e6))
    throw UsageError(text("--detail '", words, "': expected a number from 1 to 1000000"));
  return detail;
}

void check_alone(const MeshArguments& arguments) {
  std::string given;
  int count = 0;
  for (const auto& [name, value] : {std::pair{"--level", arguments.level},
                                    {"--levels", arguments.levels},
                                    {"--target-triangles", arguments.target_triangles},
                                    {"--view", arguments.view}}) {
    if (value.empty()) continue;
    given += text(count++ == 0 ? "" : " and ", name);
  }
  if (count > 1)
    throw UsageError(text(given, ": expected one of them, found ", count == 2 ? "both" : "all"));
  if (!arguments.detail.empty() && arguments.view.empty())
    throw UsageError(text("--detail '", arguments.detail, "': expected --view beside it"));
}

void check_can_simplify(const MeshWishes& wishes, const WishRules& rules) {
  const bool simplifies = wishes.target > 0 || (wishes.levels > 0 && rules.simplified_levels);
  if (simplifies && !surface::can_simplify())
    throw Error(text(wishes.target > 0 ? "--target-triangles" : "--levels",
                     " needs meshoptimizer, and scree was built without meshoptimizer: take "
                     "--level"));
}

// ---- files

Made written(const std::string& file, const surface::Simplified& mesh) {
  io::write_mesh(file, mesh.mesh);
  return {file, mesh.mesh.positions.size(), mesh.mesh.triangles.size(), mesh.error,
          std::filesystem::file_size(file)};
}

// land.glb: land_LOD0.glb, land_LOD1.glb, …
std::string level_file(const std::filesystem::path& file, std::size_t level) {
  const std::string name = text(file.stem().string(), "_LOD", level, file.extension().string());
  return (file.parent_path() / name).string();
}

std::string size_text(const Made& made) {
  return fmt::format("{} vertices, {} triangles, {}", count_text(made.vertices),
                     count_text(made.triangles), bytes_text(static_cast<double>(made.bytes)));
}

// From how far off an error is less than a pixel, on 1080 rows that show 60 degrees:
// 1080 / (2 tan 30°).
double unseen_from(double error) { return error * 935.3; }

Json to_json(const Made& made) {
  return {{"file", made.file},
          {"vertices", made.vertices},
          {"triangles", made.triangles},
          {"bytes", made.bytes},
          {"error", made.error}};
}

}  // namespace

MeshWishes parse_wishes(const MeshArguments& arguments, const WishRules& rules) {
  try {
    io::check_mesh_name(arguments.out);
  } catch (const UsageError& error) {
    throw UsageError(text("--out: ", error.what()));
  }
  check_alone(arguments);
  MeshWishes wishes;
  if (!arguments.level.empty())
    wishes.level = static_cast<int>(parse_whole("--level", arguments.level, 0, rules.most_level));
  if (!arguments.levels.empty())
    wishes.levels = parse_whole("--levels", arguments.levels, 1, rules.most_levels);
  if (!arguments.target_triangles.empty())
    wishes.target = parse_whole("--target-triangles", arguments.target_triangles, 1,
                                std::numeric_limits<std::uint32_t>::max());
  if (!arguments.view.empty()) wishes.viewpoint = parse_viewpoint(arguments.view, rules.needs_z);
  if (!arguments.detail.empty()) wishes.detail = parse_detail(arguments.detail);
  check_can_simplify(wishes, rules);
  return wishes;
}

MeshFiles write_file(const std::string& file, const surface::Simplified& mesh) {
  MeshFiles files;
  files.made.push_back(written(file, mesh));
  return files;
}

MeshFiles write_levels(const std::string& file, std::size_t count, const MakeLevel& make) {
  MeshFiles files;
  files.is_set = true;
  std::vector<Mesh> levels;
  for (std::size_t i = 0; i < count; ++i) {
    std::optional<surface::Simplified> level = make(i);
    if (!level) break;
    files.made.push_back(written(level_file(file, i), *level));
    if (io::holds_levels(file)) levels.push_back(std::move(level->mesh));
  }
  if (levels.empty()) return files;
  io::write_mesh_levels(file, levels);
  files.whole = file;
  return files;
}

std::string count_text(std::size_t count) { return grouped(static_cast<long long>(count)); }

std::vector<std::vector<std::string>> file_rows(const MeshFiles& files, const std::string& moved) {
  if (!files.is_set) return {{"mesh", files.made[0].file}, {"size", size_text(files.made[0])}};
  std::vector<std::vector<std::string>> rows;
  if (!files.whole.empty())
    rows.push_back({"mesh", files.whole + ", every level in one (MSFT_lod)"});
  for (std::size_t i = 0; i < files.made.size(); ++i) {
    const Made& made = files.made[i];
    rows.push_back({text("LOD", i), made.file + ": " + size_text(made)});
    if (i > 0)
      rows.push_back({"", fmt::format("{} {:.3g} m: less than a pixel from {:.3g} km on", moved,
                                      made.error, unseen_from(made.error) / 1000)});
  }
  return rows;
}

Json to_json(const MeshFiles& files) {
  Json json = to_json(files.made[0]);
  if (!files.whole.empty()) {
    json["file"] = files.whole;
    json["bytes"] = std::filesystem::file_size(files.whole);
  }
  if (!files.is_set) return json;
  json["levels"] = Json::array();
  for (const Made& made : files.made) json["levels"].push_back(to_json(made));
  return json;
}

std::string view_text(const surface::Viewpoint& viewpoint, const std::string& what,
                      const std::vector<std::size_t>& blocks_by_level) {
  std::string line = fmt::format("from {}, {}", number(viewpoint.x), number(viewpoint.y));
  if (viewpoint.z) line += fmt::format(", {}", number(*viewpoint.z));
  line += fmt::format(": {}, by level", what);
  for (std::size_t i = 0; i < blocks_by_level.size(); ++i)
    line += fmt::format("{} {}", i == 0 ? "" : ",", count_text(blocks_by_level[i]));
  return line;
}

}  // namespace scree::cli
