// A scene as plain data: terrain, processes, schedule and outputs, read from TOML.
//
//   Scene scene = load_scene("alpine.toml");
//   scene.apply_override("hydraulic.capacity=3");
//   run_scene(scene, {.out = "out/alpine"});               // run/runner.h
//
// Every key is checked while it is read. A message is one line: file, line, key, what was expected.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/raster/raster.h"
#include "process/core/registry.h"
#include "scene/layer_rules.h"
#include "scene/output.h"
#include "scene/voxel_rules.h"
#include "terrain/heights/generate.h"

namespace scree {

// One of the optional maps by field: a file, or the same number everywhere.
struct MapSettings {
  std::string file;  // empty: `offset` everywhere; relative to the scene's folder
  double scale = 1;  // value = sample * scale + offset
  double offset = 0;
  std::string where;  // file and line, for messages
};

// A picture (0 … 1) as relief: the letters PG.
struct MaskSettings {
  std::string source;
  double relief = 100;  // metres
  double base = 0;
  double bevel = 0;  // width of the slopes at its edges, metres
};

struct TerrainSettings {
  enum class Source { generate, file, mask };

  // How it is stored, and so what happens to it: a name of terrain_kinds().
  std::string kind = "heightfield";

  // Cells; 0: the source's own size, or 512 where it has none.
  int width = 0;
  int height = 0;
  // Metres between columns and rows; 0: from the extent, the source, or 10.
  double dx = 0;
  double dy = 0;
  // Metres from edge to edge; 0: from size and cells.
  double extent_x = 0;
  double extent_y = 0;
  Borders borders = Borders::all(BorderKind::open);
  // Metres. Ground no higher than this is sea: it stays as it is, and what reaches it has left.
  std::optional<double> sea;
  // Metres of headroom above and below the ground for what is piled up, dug and poured, of heights;
  // none: Quantum::usual_room.
  std::optional<double> room;

  Source source = Source::generate;
  bool ground_given = false;  // generate, mask or source was written, whatever it says
  GenerateParameters generate;
  MaskSettings mask;
  std::string file;  // of Source::file
  io::ReadOptions read;
  std::optional<HeightRange> height_range;  // a plain image's lowest and highest sample
  std::map<std::string, MapSettings> maps;  // by field: erodibility, rain, water, floor, strength

  std::optional<LayerRules> layers;  // of that kind: then the heights are the ground's
  std::optional<VoxelRules> voxels;  // of that kind
};

// The window moves over an endless generated landscape.
struct ScrollSettings {
  int every = 0;  // steps; 0: stands still
  int cells_east = 0;
  int cells_south = 0;
};

struct Scene {
  std::string name;
  std::string file;              // as messages call it; "preset alpine" for one of ours
  std::filesystem::path folder;  // what relative paths in it are relative to
  std::uint64_t seed = 1;
  std::uint64_t steps = 1000;
  double time = 0;  // simulated seconds to run instead of `steps`, where above 0
  double dt = 0;    // seconds; 0: follows the deepest water

  TerrainSettings terrain;
  ProcessSet processes;
  ScrollSettings scroll;
  std::vector<OutputSettings> outputs;  // none given: what its kind of terrain writes

  // "hydraulic.capacity=3", "scene.steps=200", "terrain.size=[64, 64]", "water.rain=30 mm/h": any
  // key of a scene file, checked like one. A process that the scene does not mention is
  // switched on by it.
  void apply_override(const std::string& assignment);
  // How many sides a size of its terrain has: 2 of cells, 3 of voxels.
  int sides() const;
  // Another number of cells over the same metres (a DEM is resampled), or of voxels in the same
  // box.
  void set_size(int width, int height);
  void set_size(int nx, int ny, int nz);
  // A path of the scene, relative to its folder.
  std::filesystem::path path(const std::string& relative) const;
  // The same of a file that must be there: Error with the line that names it where it is not.
  std::filesystem::path named(const std::string& relative, const std::string& where) const;
};

// The kinds of terrain that a scene may have, by the name that its `kind` says.
std::vector<std::string> terrain_kinds();

// UsageError for what is wrong in the scene, Error where the file cannot be read.
Scene load_scene(const std::filesystem::path& file);
Scene parse_scene(const std::string& toml, const std::string& name,
                  const std::filesystem::path& folder = {});

// Scenes for people who do not want to tune; each is an example, inside the binary too.
Scene preset(const std::string& name);
std::vector<std::string> preset_names();
// The text of a preset's scene file.
std::string preset_text(const std::string& name);

// The scene's processes on another terrain: a raster at its own size, with its own cells.
void use_source(Scene& scene, const std::filesystem::path& raster);

// What has a list of parameters, by the name of its table: every process, "spring", "generate"; for
// tables and help.
std::vector<std::string> parameter_tables();
std::unique_ptr<Parameters> default_parameters(const std::string& table);

}  // namespace scree
