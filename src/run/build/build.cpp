#include "run/build/build.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "run/checkpoints.h"
#include "run/memory.h"
#include "scene/read/read.h"

namespace scree {
namespace {

constexpr int standard_cells = 512;
constexpr double standard_cell = 10;  // metres

bool asks_for(const Scene& scene, const std::string& name) {
  return std::any_of(scene.outputs.begin(), scene.outputs.end(), [&](const OutputSettings& o) {
    const bool pictured = o.kind == OutputKind::picture && o.picture.view.field == name;
    return pictured ||
           ((o.kind == OutputKind::mask || o.kind == OutputKind::field) && o.name == name);
  });
}

HeightfieldShape shape_of(const TerrainSettings& terrain) {
  HeightfieldShape shape;
  shape.width = terrain.width > 0 ? terrain.width : standard_cells;
  shape.height = terrain.height > 0 ? terrain.height : standard_cells;
  shape.dx = terrain.extent_x > 0 ? terrain.extent_x / shape.width
             : terrain.dx > 0     ? terrain.dx
                                  : standard_cell;
  shape.dy = terrain.extent_y > 0 ? terrain.extent_y / shape.height
             : terrain.dy > 0     ? terrain.dy
                                  : standard_cell;
  return shape;
}

// Where a file does not say how large its cells are, the scene must.
void settle_cells(Raster& raster, const TerrainSettings& terrain,
                  const std::filesystem::path& path) {
  const bool given = terrain.dx > 0 || terrain.extent_x > 0;
  if (raster.dx > 0 && given)
    throw UsageError(text(path.string(), ": its cells are ", raster.dx, " x ", raster.dy,
                          " m by its own account: leave out terrain.cell and terrain.extent, or "
                          "choose terrain.size to resample"));
  if (raster.dx > 0) return;
  if (!given)
    throw UsageError(
        text(path.string(), ": says nothing of its cells: expected terrain.cell, metres"));
  raster.dx = terrain.dx > 0 ? terrain.dx : terrain.extent_x / raster.width;
  raster.dy = terrain.dy > 0 ? terrain.dy : terrain.extent_y / raster.height;
}

Raster read_source(const Scene& scene) {
  const TerrainSettings& terrain = scene.terrain;
  const std::filesystem::path path = scene.path(terrain.file);
  io::ReadOptions read = terrain.read;
  if (terrain.height_range) read.sidecar = false;
  const bool state = path.extension() == ".scree";
  if (state && !terrain.layers)
    throw UsageError(text(path.string(),
                          ": a checkpoint: layers may begin with one of heights; a run of heights "
                          "goes on from its own with --resume"));
  Raster raster =
      state ? read_heights(io::CheckpointReader(path), "bed") : io::read_raster(path, read);
  if (!raster.heights_known) {
    if (!terrain.height_range)
      throw UsageError(
          text(path.string(),
               ": a plain image: expected terrain.height_range = [lowest, highest], metres"));
    io::scale_to_range(raster, terrain.height_range->low, terrain.height_range->high);
  } else if (terrain.height_range) {
    throw UsageError(
        text(path.string(), ": holds heights already: leave out terrain.height_range"));
  }
  settle_cells(raster, terrain, path);
  const int width = terrain.width > 0 ? terrain.width : raster.width;
  const int height = terrain.height > 0 ? terrain.height : raster.height;
  if (width != raster.width || height != raster.height)
    raster = io::resample(raster, width, height, io::Registration::cells);
  return raster;
}

std::vector<float> mask_relief(const Scene& scene, const HeightfieldShape& shape) {
  const MaskSettings& mask = scene.terrain.mask;
  io::ReadOptions read;
  read.sidecar = false;
  Raster picture = io::read_raster(scene.path(mask.source), read);
  if (!picture.heights_known) io::scale_to_range(picture, 0, 1);
  for (float& value : picture.values) value = std::isnan(value) ? 0 : std::clamp(value, 0.0F, 1.0F);
  return relief_from_mask(picture.values, picture.width, picture.height, shape, mask.base,
                          mask.relief, mask.bevel);
}

// A window that scrolls meets heights that its first view did not have.
Quantum quantum_for(const Scene& scene, const std::vector<float>& heights) {
  const double room = scene.terrain.room.value_or(Quantum::usual_room);
  if (scene.scroll.every == 0) return Quantum::for_heights(heights, room);
  const GenerateParameters& g = scene.terrain.generate;
  return Quantum::for_range(g.base - g.relief, g.base + 2 * g.relief, room);
}

Raster frame_of(const HeightfieldShape& shape) {
  Raster frame;
  frame.width = shape.width;
  frame.height = shape.height;
  frame.dx = shape.dx;
  frame.dy = shape.dy;
  return frame;
}

void add_maps(const Scene& scene, Heightfield& terrain) {
  for (const auto& [field, unused] : scene.terrain.maps) {
    const std::vector<float> values =
        map_values(scene, field, terrain.grid().width, terrain.grid().height);
    if (field == "floor")
      terrain.ensure(field, device::FieldType::int32, false);
    else if (field != "water")
      terrain.ensure(field, device::FieldType::float32, false);
    terrain.set_values(field, values);
  }
}

void add_sea(double level, const std::vector<float>& heights, Heightfield& terrain) {
  std::vector<std::int32_t> sink(heights.size());
  for (std::size_t i = 0; i < sink.size(); ++i)
    sink[i] = static_cast<double>(heights[i]) <= level ? -1 : 0;  // all bits, as kernels mask
  terrain.ensure("sink", device::FieldType::int32, false)
      .upload(terrain.device(), terrain.grid(), sink);
}

}  // namespace

std::vector<float> map_values(const Scene& scene, const std::string& field, int width, int height) {
  const MapSettings& map = scene.terrain.maps.at(field);
  const auto cells = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  if (map.file.empty() && field != "floor" && map.offset < 0)
    throw UsageError(text(map.where, ": ", field, " = ", map.offset, ": expected nothing below 0"));
  if (map.file.empty()) return std::vector<float>(cells, static_cast<float>(map.offset));
  Raster raster = io::read_raster(scene.named(map.file, map.where));
  // A plain image's samples are shares; scale makes of them what the field wants.
  if (!raster.heights_known) io::scale_to_range(raster, 0, 1);
  for (float& value : raster.values)
    value = static_cast<float>(static_cast<double>(value) * map.scale + map.offset);
  for (const float value : raster.values)
    if (field != "floor" && value < 0)
      throw UsageError(text(map.where, ": ", field, ": ", map.file, " holds ", value,
                            ": expected nothing below 0"));
  if (raster.width != width || raster.height != height)
    raster = io::resample(raster, width, height, io::Registration::cells);
  return std::move(raster.values);
}

bool tracks_masks(const Scene& scene) {
  const bool pictured =
      std::any_of(scene.outputs.begin(), scene.outputs.end(),
                  [](const OutputSettings& o) { return o.kind == OutputKind::picture; });
  return pictured || asks_for(scene, "flow") || asks_for(scene, "wear") ||
         asks_for(scene, "deposit");
}

bool tracks_wetness(const Scene& scene) { return asks_for(scene, "wetness"); }

std::size_t scene_bytes(const Scene& scene, int width, int height) {
  std::set<std::string> maps;
  std::map<std::string, int> planes;  // by field, so that those which processes share count once
  for (const auto& [field, unused] : scene.terrain.maps) {
    maps.insert(field);
    if (field != "water") planes[field] = 1;  // water is there anyway
  }
  if (tracks_wetness(scene)) planes[wetness_field.name] = 1;
  if (scene.terrain.sea) planes["sink"] = 1;
  for (const ProcessPtr& process : make_processes(scene))
    for (const FieldSpec& field : process->fields(maps))
      planes[field.name] = field.double_buffered ? 2 : 1;
  int further = 0;
  for (const auto& [unused, count] : planes) further += count;
  return heightfield_bytes(width, height, further);
}

std::vector<float> generated_window(const Scene& scene, device::Device& device,
                                    const HeightfieldShape& shape, int x0, int y0) {
  return generate_heights(device, scene.terrain.generate, shape, scene.seed, x0, y0, shape.width,
                          shape.height);
}

LoadedGround load_ground(const Scene& scene, device::Device& device,
                         const std::function<void(const HeightfieldShape&)>& check) {
  LoadedGround ground;
  ground.shape = shape_of(scene.terrain);
  if (scene.terrain.source == TerrainSettings::Source::file) {
    ground.frame = read_source(scene);
    ground.heights = std::move(ground.frame.values);
    ground.frame.values.clear();
    ground.shape = {ground.frame.width, ground.frame.height, ground.frame.dx, ground.frame.dy};
  }
  if (check) check(ground.shape);
  if (scene.terrain.source == TerrainSettings::Source::generate)
    ground.heights = generated_window(scene, device, ground.shape, 0, 0);
  if (scene.terrain.source == TerrainSettings::Source::mask)
    ground.heights = mask_relief(scene, ground.shape);
  if (scene.terrain.source != TerrainSettings::Source::file) ground.frame = frame_of(ground.shape);
  return ground;
}

LoadedTerrain load_terrain(const Scene& scene, const device::DevicePtr& device) {
  LoadedGround ground = load_ground(scene, *device, [&](const HeightfieldShape& shape) {
    check_memory(scene_bytes(scene, shape.width, shape.height), shape.width, shape.height, *device);
  });
  LoadedTerrain result;
  result.frame = std::move(ground.frame);
  result.heightfield =
      std::make_unique<Heightfield>(device, ground.shape, ground.heights, scene.terrain.borders,
                                    quantum_for(scene, ground.heights));
  if (scene.terrain.sea) add_sea(*scene.terrain.sea, ground.heights, *result.heightfield);
  add_maps(scene, *result.heightfield);
  if (tracks_wetness(scene)) result.heightfield->ensure(wetness_field);
  return result;
}

std::vector<ProcessPtr> make_processes(const Scene& scene) {
  std::vector<ProcessPtr> processes = make_processes(scene.processes);
  for (const ProcessPtr& process : processes) process->track = tracks_masks(scene);
  return processes;
}

SimulationOptions simulation_options(const Scene& scene) {
  SimulationOptions options;
  options.dt = scene.dt;
  options.seed = scene.seed;
  return options;
}

namespace {

// On layers, maps are of what flows; what stands and slides is a matter of materials.
void check_layer_maps(const Scene& scene) {
  const ProcessSet& set = scene.processes;
  for (const auto& [field, map] : scene.terrain.maps) {
    const auto refuse = [&, name = field, where = map.where](const char* expected) {
      throw UsageError(text(where, ": maps: ", name, ": on layers, expected ", expected));
    };
    if (field == "strength")
      refuse("a [[terrain.stamp]] of a material with another talus angle, where it should differ");
    if (field == "floor")
      refuse("a material with strength = 0 and erodibility = 0 below that height, as bedrock");
    if (field == "erodibility" && !set.on("hydraulic"))
      refuse("a table [hydraulic] beside it, whose digging it is a factor on");
    if (!set.on("water") && !set.on("hydraulic")) refuse("a table [water] beside it");
  }
}

// What does on another terrain the work of a process that is not at home there.
struct Equivalent {
  const char *process, *terrain, *instead;
};
constexpr Equivalent equivalents[] = {
    {"thermal", "layers", "[slippage]"},
    {"sheet", "layers", "[water] and [hydraulic]"},
    {"slippage", "heightfield", "[thermal]"},
};

void check_processes(const Scene& scene) {
  const bool layers = scene.terrain.layers.has_value();
  const std::string terrain = layers ? "layers" : "heightfield";
  for (const ProcessKind& kind : process_kinds()) {
    if (!scene.processes.on(kind.name) || kind.works_on(terrain)) continue;
    std::string what = text(scene.file, ": ", kind.name, ": works on ", kind.terrain,
                            ", and this terrain is ", layers ? "of layers" : "a heightfield");
    for (const Equivalent& known : equivalents)
      if (kind.name == known.process && terrain == known.terrain)
        what += text(": use ", known.instead);
    throw UsageError(what);
  }
}

}  // namespace

void check_scene(const Scene& scene) {
  const auto refuse = [&](const std::string& what) {
    throw UsageError(text(scene.file, ": ", what));
  };
  const bool layers = scene.terrain.layers.has_value();
  check_processes(scene);
  if (layers && scene.scroll.every > 0) refuse("scroll: a terrain of layers stands still");
  if (layers && scene.terrain.sea) refuse("sea: a terrain of layers has none");
  if (layers && scene.terrain.room)
    refuse("room: a terrain of layers has all the height that its quantum gives");
  if (layers) check_layer_maps(scene);
  if (scene.scroll.every > 0) {
    if (scene.terrain.source != TerrainSettings::Source::generate)
      refuse("scroll: expected a generated terrain, which goes on beyond its window");
    if (!scene.terrain.maps.empty()) refuse("scroll: maps do not go on beyond the window");
    if (scene.terrain.sea) refuse("scroll: the sea does not go on beyond the window");
    const Borders& b = scene.terrain.borders;
    if ((scene.scroll.cells_east != 0 && b.west == BorderKind::wrap) ||
        (scene.scroll.cells_south != 0 && b.north == BorderKind::wrap))
      refuse("scroll: the window cannot move where the world wraps");
  }
  check_outputs(scene.outputs);
}

}  // namespace scree
