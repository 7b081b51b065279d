#include "scene/scene.h"

#include <set>

#include "base/error.h"
#include "base/suggest.h"
#include "io/file/atomic_file.h"
#include "scene/presets.h"
#include "scene/read/kinds.h"
#include "scene/read/read.h"

namespace scree {
namespace {

constexpr int standard_cells = 512;
constexpr double standard_cell = 10;  // metres

std::string join(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

}  // namespace

void Scene::apply_override(const std::string& assignment) {
  const SceneNode tree = parse_assignment(assignment);
  Scene changed = *this;
  read_scene(tree, changed);
  *this = std::move(changed);
}

void Scene::set_size(int new_width, int new_height) {
  if (new_width < 1 || new_height < 1 || new_width > most_cells || new_height > most_cells)
    throw UsageError(text("size ", new_width, "x", new_height, ": expected 1x1 to ", most_cells,
                          "x", most_cells, " cells"));
  if (terrain.source != TerrainSettings::Source::file && terrain.extent_x == 0) {
    terrain.extent_x = (terrain.width > 0 ? terrain.width : standard_cells) *
                       (terrain.dx > 0 ? terrain.dx : standard_cell);
    terrain.extent_y = (terrain.height > 0 ? terrain.height : standard_cells) *
                       (terrain.dy > 0 ? terrain.dy : standard_cell);
    terrain.dx = terrain.dy = 0;
  }
  terrain.width = new_width;
  terrain.height = new_height;
}

int Scene::sides() const { return scene_kind(terrain.kind).sides; }

std::filesystem::path Scene::path(const std::string& relative) const { return folder / relative; }

std::filesystem::path Scene::named(const std::string& relative, const std::string& where) const {
  std::filesystem::path found = path(relative);
  std::error_code error;
  if (!std::filesystem::exists(found, error))
    throw Error(text(where, ": ", found.string(), ": no such file"));
  return found;
}

Scene parse_scene(const std::string& toml, const std::string& name,
                  const std::filesystem::path& folder) {
  Scene scene;
  scene.name = std::filesystem::path(name).stem().string();
  scene.file = name;
  scene.folder = folder;
  const SceneNode root = parse_toml(toml, name);
  const SceneKind& kind = scene_kind(root);
  scene.terrain.kind = kind.name;
  kind.begin(scene);
  kind.read(root, scene);
  return scene;
}

Scene load_scene(const std::filesystem::path& file) {
  return parse_scene(io::read_file(file), file.string(), file.parent_path());
}

std::string preset_text(const std::string& name) {
  for (const EmbeddedPreset& one : embedded_presets())
    if (one.name == name) return std::string(one.text);
  throw UsageError(text("preset '", name, "': expected one of ", join(preset_names()),
                        did_you_mean(name, preset_names())));
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const EmbeddedPreset& one : embedded_presets()) names.emplace_back(one.name);
  return names;
}

Scene preset(const std::string& name) {
  Scene scene = parse_scene(preset_text(name), "preset " + name);
  scene.name = name;
  return scene;
}

void use_source(Scene& scene, const std::filesystem::path& raster) {
  const Borders borders = scene.terrain.borders;
  scene.terrain = {};
  scene.terrain.borders = borders;
  scene.terrain.source = TerrainSettings::Source::file;
  scene.terrain.ground_given = true;
  // The raster is named from where the caller stands, not from where the scene lies.
  scene.terrain.file = std::filesystem::absolute(raster).string();
  scene.scroll = {};
}

std::vector<std::string> parameter_tables() {
  std::set<std::string> tables = {"generate"};
  for (const ProcessKind& kind : process_kinds()) {
    tables.insert(kind.name);
    for (const auto& [list, unused] : kind.lists) tables.insert(list);
  }
  return {tables.begin(), tables.end()};
}

std::unique_ptr<Parameters> default_parameters(const std::string& table) {
  if (table == "generate") return std::make_unique<GenerateParameters>();
  for (const ProcessKind& kind : process_kinds()) {
    if (kind.name == table) return kind.parameters->clone();
    const auto list = kind.lists.find(table);
    if (list != kind.lists.end()) return list->second->clone();
  }
  throw UsageError(text("process '", table, "': expected one of ", join(parameter_tables()),
                        did_you_mean(table, parameter_tables())));
}

}  // namespace scree
