#include "run/output_places.h"

#include <algorithm>

#include "base/error.h"
#include "run/run_folder.h"

namespace scree {
namespace {

namespace fs = std::filesystem;

// Links followed as far as there is something; the rest as it is written.
fs::path real(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  fs::path found = fs::weakly_canonical(absolute, error);
  return error ? absolute.lexically_normal() : found;
}

bool is_inside(const fs::path& place, const fs::path& folder) {
  const fs::path way = place.lexically_relative(folder);
  return !way.empty() && *way.begin() != "..";
}

// ---- the names of an output's files

struct Name {
  fs::path folder;  // with its links followed
  std::string stem, ending;
  bool numbered = false;  // STEM-000010ENDING; else STEMENDING

  bool operator==(const Name&) const = default;
  bool fits(const std::string& file) const {
    if (!numbered) return file == stem + ending;
    const std::string start = stem + "-";
    return file.size() > start.size() + ending.size() && file.starts_with(start) &&
           file.ends_with(ending) &&
           file.find_first_not_of("0123456789-", start.size()) == file.size() - ending.size();
  }
};

// A format by its own ending, and what stands beside such a file.
std::vector<std::string> endings_of(const OutputSettings& output, const fs::path& file) {
  std::vector<std::string> endings = {file.extension().string()};
  if (output.kind == OutputKind::engine) endings = {".png", ".r16", ".exr"};
  const std::size_t formats = endings.size();
  for (std::size_t i = 0; i < formats; ++i) endings.push_back(endings[i] + ".json");
  return endings;
}

std::vector<Name> names_of(const fs::path& folder, const OutputSettings& output) {
  const fs::path file = folder / output.file, parent = real(file.parent_path());
  const std::string stem =
      output.kind == OutputKind::engine ? file.filename().string() : file.stem().string();
  std::vector<Name> names;
  const auto add = [&](const std::string& ending, bool numbered) {
    names.push_back({parent, stem, ending, numbered});
  };
  const bool turns = output.kind == OutputKind::picture && output.picture.turntable > 0;
  if (output.is_film()) add(file.extension().string(), false);
  const bool numbered = output.every > 0 || turns;
  for (const std::string& ending : endings_of(output, file))
    add(output.is_film() ? ".png" : ending, numbered);
  if (output.kind == OutputKind::tiles) add("", numbered);  // their folder
  // Two outputs of one name are one too many, whatever their steps.
  if (numbered) add(file.extension().string(), false);
  return names;
}

bool fits_any(const std::vector<Name>& names, const fs::path& place) {
  const std::string file = place.filename().string();
  const fs::path parent = place.parent_path();
  return std::any_of(names.begin(), names.end(),
                     [&](const Name& name) { return name.folder == parent && name.fits(file); });
}

// The links among what the output would write, as they are called.
std::vector<fs::path> links_in_place(const fs::path& folder, const OutputSettings& output) {
  const std::vector<Name> names = names_of(folder, output);
  const fs::path file = folder / output.file, tiles = file.parent_path() / file.stem();
  std::vector<fs::path> links;
  for (const fs::path& place : folders_of(folder, output)) {
    std::error_code error;
    const bool of_tiles = output.kind == OutputKind::tiles && place == tiles;
    for (const auto& entry : fs::directory_iterator(place, error)) {
      const fs::path there = real(place) / entry.path().filename();
      if (entry.is_symlink(error) && (of_tiles || fits_any(names, there)))
        links.push_back(entry.path());
    }
  }
  return links;
}

// ---- what is refused

std::string said(const OutputSettings& output) {
  return text(output.where.empty() ? "" : output.where + ": ", "file = '", output.file, "': ");
}

void check_inside(const fs::path& folder, const OutputSettings& output) {
  const char* const expected = "expected a name inside it, or --allow-outside";
  const fs::path root = real(folder);
  for (const fs::path& place : folders_of(folder, output))
    if (!is_inside(real(place), root))
      throw UsageError(
          text(said(output), "leads out of the run's folder ", folder.string(), ": ", expected));
  for (const fs::path& link : links_in_place(folder, output))
    if (!is_inside(real(link), root))
      throw UsageError(text(said(output), link.string(), " is a link that leads out of the run's ",
                            "folder: ", expected));
}

void check_sources(const fs::path& folder, const OutputSettings& output,
                   const std::vector<fs::path>& sources) {
  const std::vector<Name> names = names_of(folder, output);
  std::vector<fs::path> linked;
  for (const fs::path& link : links_in_place(folder, output)) linked.push_back(real(link));
  const fs::path file = folder / output.file;
  const auto is_tile = [&](const fs::path& place) {
    return output.kind == OutputKind::tiles &&
           place.parent_path() == real(file.parent_path() / file.stem()) &&
           place.extension() == file.extension();
  };
  for (const fs::path& source : sources) {
    const fs::path there = real(source);
    if (is_tile(there) || fits_any(names, there) ||
        std::find(linked.begin(), linked.end(), there) != linked.end())
      throw UsageError(text(said(output), "is what this run reads, ", source.string(),
                            ": expected another name"));
  }
}

// What the run writes for itself goes where a link leads, too.
void check_own_links(const fs::path& folder) {
  const fs::path root = real(folder);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (RunFolder::is_own_file(entry.path().filename().string()) && entry.is_symlink(error) &&
        !is_inside(real(entry.path()), root))
      throw UsageError(text(entry.path().string(), ": is a link that leads out of the run's ",
                            "folder: expected a plain file, or --allow-outside"));
}

void check_own_files(const fs::path& folder, const OutputSettings& output) {
  const std::vector<Name> names = names_of(folder, output);
  if (fits_any(names, real(folder) / RunFolder::report_name))
    throw UsageError(text(said(output), "is the run's report: expected another name"));
}

void check_others(const fs::path& folder, const std::vector<OutputSettings>& outputs) {
  std::vector<std::vector<Name>> taken;
  for (const OutputSettings& output : outputs) {
    taken.push_back(names_of(folder, output));
    for (std::size_t i = 0; i + 1 < taken.size(); ++i)
      for (const Name& name : taken[i])
        if (std::find(taken.back().begin(), taken.back().end(), name) != taken.back().end())
          throw UsageError(text(said(output), "another output has this name"));
  }
}

void add_file(const Scene& scene, const std::string& file, std::vector<fs::path>& sources) {
  if (!file.empty()) sources.push_back(scene.path(file));
}

void add_layer_sources(const Scene& scene, std::vector<fs::path>& sources) {
  const LayerRules& rules = *scene.terrain.layers;
  const auto add = [&](const std::string& file) { add_file(scene, file, sources); };
  add(rules.materials_file);
  add(rules.strata.fold.map);
  for (const LayerRule& bed : rules.strata.beds) add(bed.thickness.map);
  for (const LayerRule& layer : rules.layers) add(layer.thickness.map);
  for (const StampRule& stamp : rules.stamps) add(stamp.map);
  for (const CaveRule& cave : rules.caves) add(cave.wider.map);
  if (rules.boreholes) add(rules.boreholes->file);
}

void add_voxel_sources(const Scene& scene, std::vector<fs::path>& sources) {
  const VoxelRules& rules = *scene.terrain.voxels;
  if (rules.ground)
    for (const std::string& file : {rules.ground->file, rules.ground->scene})
      add_file(scene, file, sources);
  for (const SolidSettings& solid : rules.solids) add_file(scene, solid.file, sources);
  for (const RegionSettings& region : rules.regions) add_file(scene, region.file, sources);
}

}  // namespace

std::vector<fs::path> sources_of(const Scene& scene) {
  std::vector<fs::path> sources = {scene.file};
  if (scene.terrain.source == TerrainSettings::Source::file)
    add_file(scene, scene.terrain.file, sources);
  if (scene.terrain.source == TerrainSettings::Source::mask)
    add_file(scene, scene.terrain.mask.source, sources);
  for (const auto& [field, map] : scene.terrain.maps) add_file(scene, map.file, sources);
  if (scene.terrain.layers) add_layer_sources(scene, sources);
  if (scene.terrain.voxels) add_voxel_sources(scene, sources);
  return sources;
}

std::vector<fs::path> folders_of(const fs::path& folder, const OutputSettings& output) {
  const fs::path file = folder / output.file;
  std::vector<fs::path> folders = {file.parent_path()};
  if (output.kind == OutputKind::tiles) folders.push_back(file.parent_path() / file.stem());
  return folders;
}

void check_places(const fs::path& folder, const std::vector<OutputSettings>& outputs,
                  const std::vector<fs::path>& sources, bool allow_outside) {
  for (const fs::path& source : sources) {
    std::error_code error;
    if (fs::is_directory(source, error) && real(source) == real(folder))
      throw UsageError(text(folder.string(), ": is the folder that this run reads: expected ",
                            "another one for its outputs"));
  }
  if (!allow_outside) check_own_links(folder);
  for (const OutputSettings& output : outputs) {
    if (!allow_outside) check_inside(folder, output);
    check_own_files(folder, output);
    check_sources(folder, output, sources);
  }
  check_others(folder, outputs);
}

fs::path default_folder(const std::string& scene, const std::string& scene_file,
                        bool allow_outside) {
  const fs::path all = "out";
  fs::path folder = all / scene;
  if (!allow_outside && !is_inside(folder.lexically_normal(), all))
    throw UsageError(text(scene_file, ": [scene] name = '", scene, "': the outputs go to ",
                          folder.string(), ": expected a name that stays inside ", all.string(),
                          ", or --out DIR"));
  return folder;
}

}  // namespace scree
