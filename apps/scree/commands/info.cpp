#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/error.h"
#include "base/hash.h"
#include "commands/checkpoint.h"
#include "commands/commands.h"
#include "commands/mesh_layers.h"
#include "commands/volume_input.h"
#include "commands/voxel_checkpoint.h"
#include "io/checkpoint/checkpoint.h"
#include "io/file/ending.h"
#include "io/volume/volume.h"
#include "run/run_folder.h"
#include "terrain/heights/hydrology.h"
#include "words/scenes.h"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;
using Rows = std::vector<std::vector<std::string>>;

// ---- rasters

struct Statistics {
  long long nodata = 0;
  double lowest = 0, highest = 0, mean = 0, deviation = 0;
};

Statistics statistics(const Raster& raster) {
  Statistics s;
  double sum = 0, squares = 0;
  for (const float value : raster.values) {
    if (std::isnan(value)) {
      ++s.nodata;
      continue;
    }
    sum += static_cast<double>(value);
  }
  const auto n = static_cast<double>(static_cast<long long>(raster.values.size()) - s.nodata);
  if (n == 0) return s;
  s.mean = sum / n;
  // About the mean, since heights far above the sea would cancel.
  for (const float value : raster.values)
    if (!std::isnan(value)) squares += std::pow(static_cast<double>(value) - s.mean, 2);
  s.deviation = std::sqrt(squares / n);
  const HeightRange range = io::height_range(raster);
  s.lowest = range.low;
  s.highest = range.high;
  return s;
}

// The name in PROJCRS["name",…: enough for people.
std::string crs_name(const std::string& wkt) {
  const std::size_t open = wkt.find('"');
  const std::size_t close = open == std::string::npos ? open : wkt.find('"', open + 1);
  return close == std::string::npos ? "none" : wkt.substr(open + 1, close - open - 1);
}

Json corners(const Raster& raster) {
  const auto& t = raster.geo.transform;
  const auto at = [&](double column, double row) {
    return Json::array({t[0] + t[1] * column + t[2] * row, t[3] + t[4] * column + t[5] * row});
  };
  return {{"north_west", at(0, 0)}, {"south_east", at(raster.width, raster.height)}};
}

std::string corners_text(const Raster& raster) {
  const Json c = corners(raster);
  const auto point = [](const Json& p) {
    return fmt::format("{:.10g}, {:.10g}", p[0].get<double>(), p[1].get<double>());
  };
  return point(c["north_west"]) + " (north-west) to " + point(c["south_east"]) + " (south-east)";
}

void say_hydrology(const Hydrology& h, Rows& rows) {
  rows.push_back({"mean slope", fmt::format("{:.4g} ({:.3g} degrees)", h.mean_slope,
                                            std::atan(h.mean_slope) * 180 / 3.14159265358979)});
  rows.push_back({"hypsometric integral", fmt::format("{:.3f}", h.hypsometric_integral)});
  rows.push_back(
      {"below outlet", fmt::format("{} cells ({:.3g} %), {:.6g} m3",
                                   grouped(static_cast<long long>(h.cells_below_outlet)),
                                   100 * h.fraction_below_outlet, h.volume_below_outlet)});
  rows.push_back({"largest catchment", fmt::format("{:.6g} km2", h.largest_catchment / 1e6)});
  rows.push_back({"drainage density", fmt::format("{:.4g} km/km2", h.drainage_density * 1e3)});
  if (h.slope_area.bins < 3) {
    rows.push_back({"concavity", "too few channel cells to fit"});
    return;
  }
  rows.push_back({"concavity", fmt::format("{:.3f} (r2 {:.2f}, {} channel cells in {} bins; rivers "
                                           "have 0.3 to 0.6, noise about 0.1)",
                                           h.slope_area.concavity, h.slope_area.r_squared,
                                           h.slope_area.cells, h.slope_area.bins)});
  rows.push_back({"steepness", fmt::format("{:.4g}", h.slope_area.steepness)});
}

Json to_json(const Hydrology& h) {
  return {{"cells", h.cells},
          {"land_area_m2", h.land_area},
          {"relief", h.relief},
          {"mean_slope", h.mean_slope},
          {"hypsometric_integral", h.hypsometric_integral},
          {"cells_below_outlet", h.cells_below_outlet},
          {"fraction_below_outlet", h.fraction_below_outlet},
          {"volume_below_outlet_m3", h.volume_below_outlet},
          {"largest_catchment_m2", h.largest_catchment},
          {"drainage_density_1_per_m", h.drainage_density},
          {"concavity", h.slope_area.concavity},
          {"steepness", h.slope_area.steepness},
          {"r_squared", h.slope_area.r_squared},
          {"channel_area_m2", h.slope_area.min_area},
          {"channel_cells", h.slope_area.cells},
          {"bins", h.slope_area.bins}};
}

Hydrology hydrology_of(const std::string& file, const Raster& raster) {
  check_measures(file, raster);
  return measure_hydrology(
      {raster.values.data(), raster.width, raster.height, raster.dx, raster.dy});
}

Json raster_json(const Raster& raster, const Statistics& s) {
  Json json = {{"kind", "raster"},
               {"width", raster.width},
               {"height", raster.height},
               {"dx", raster.dx},
               {"dy", raster.dy},
               {"extent_x", raster.dx * raster.width},
               {"extent_y", raster.dy * raster.height},
               {"crs", raster.geo.present ? crs_name(raster.geo.crs_wkt) : "none"},
               {"geographic", raster.geo.geographic},
               {"nodata_cells", s.nodata},
               {"heights_known", raster.heights_known},
               {"lowest", s.lowest},
               {"highest", s.highest},
               {"mean", s.mean},
               {"standard_deviation", s.deviation}};
  if (raster.geo.present) json["corners"] = corners(raster);
  if (raster.has_nodata) json["nodata"] = raster.nodata;
  return json;
}

Rows raster_rows(const std::string& file, const Raster& raster, const Statistics& s) {
  Rows rows = {{"raster", file},
               {"size", fmt::format("{} x {} cells", raster.width, raster.height)}};
  if (raster.dx > 0) {
    rows.push_back({"cell", fmt::format("{:.8g} x {:.8g} m", raster.dx, raster.dy)});
    rows.push_back({"extent", fmt::format("{:.8g} x {:.8g} m", raster.dx * raster.width,
                                          raster.dy * raster.height)});
  } else {
    rows.push_back({"cell", "the file does not say"});
  }
  if (raster.geo.present) {
    rows.push_back({"crs", crs_name(raster.geo.crs_wkt)});
    rows.push_back({"corners", corners_text(raster)});
  }
  const std::string value =
      raster.has_nodata ? fmt::format(" (value {:.10g})", raster.nodata) : std::string();
  rows.push_back({"nodata", fmt::format("{} cells{}", grouped(s.nodata), value)});
  const char* unit = raster.heights_known ? "m" : "(samples of a plain image)";
  rows.push_back(
      {"heights", fmt::format("{} to {} {}", number(s.lowest), number(s.highest), unit)});
  rows.push_back(
      {"mean", fmt::format("{}, standard deviation {}", number(s.mean), number(s.deviation))});
  return rows;
}

void raster_info(Console& console, const InfoArguments& arguments) {
  const Raster raster = read_input(arguments.file, arguments.input);
  const Statistics s = statistics(raster);
  Rows rows = raster_rows(arguments.file, raster, s);
  Json json = raster_json(raster, s);
  if (arguments.hydrology) {
    const Hydrology h = hydrology_of(arguments.file, raster);
    say_hydrology(h, rows);
    json["hydrology"] = to_json(h);
  }
  console.say(table_text(rows));
  console.answer(json);
}

// ---- scenes

std::string processes_of(const Scene& scene) {
  const std::vector<std::string> names = scene.processes.names();
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string terrain_of(const TerrainSettings& terrain) {
  std::string line = terrain.layers ? "layers on " : "";
  line += terrain.source == TerrainSettings::Source::file   ? terrain.file
          : terrain.source == TerrainSettings::Source::mask ? terrain.mask.source
                                                            : terrain.generate.kind;
  if (terrain.width > 0) line += fmt::format(", {} x {} cells", terrain.width, terrain.height);
  if (terrain.dx > 0) line += fmt::format(" of {} x {} m", number(terrain.dx), number(terrain.dy));
  if (terrain.extent_x > 0)
    line += fmt::format(" over {} x {} m", number(terrain.extent_x), number(terrain.extent_y));
  return line;
}

void scene_info(Console& console, const Scene& scene, bool is_preset) {
  const std::string length =
      scene.time > 0 ? number(scene.time) + " s" : fmt::format("{} steps", scene.steps);
  std::vector<std::string> outputs;
  for (const OutputSettings& output : scene.outputs) outputs.push_back(output.file);
  if (outputs.empty()) outputs = {"height.tif", "relief.png"};
  console.say(table_text({{"scene", scene.name},
                          {"file", scene.file},
                          {"terrain", terrain_of(scene.terrain)},
                          {"processes", processes_of(scene)},
                          {"length", length},
                          {"seed", std::to_string(scene.seed)},
                          {"outputs", fmt::format("{}", fmt::join(outputs, ", "))}}));
  // A preset has no other place where it can be read.
  if (is_preset) console.say(fmt::format("\n{}", preset_text(scene.name)));
  console.answer({{"kind", "scene"},
                  {"name", scene.name},
                  {"file", scene.file},
                  {"terrain", terrain_of(scene.terrain)},
                  {"processes", processes_of(scene)},
                  {"steps", scene.steps},
                  {"time", scene.time},
                  {"seed", scene.seed},
                  {"outputs", outputs}});
}

void voxel_scene_info(Console& console, const Scene& scene) {
  const VoxelRules& rules = *scene.terrain.voxels;
  const VoxelShape& s = rules.shape;
  std::vector<std::string> rocks, outputs;
  for (const Rock& rock : rules.rocks.rocks) rocks.push_back(rock.name);
  for (const OutputSettings& output : scene.outputs) outputs.push_back(output.file);
  if (outputs.empty()) outputs = {"rock.glb"};
  const std::string terrain =
      fmt::format("{} x {} x {} voxels of {} m", s.nx, s.ny, s.nz, number(s.cell));
  console.say(table_text({{"scene", scene.name},
                          {"file", scene.file},
                          {"terrain", terrain},
                          {"rocks", fmt::format("{}", fmt::join(rocks, ", "))},
                          {"processes", "weathering"},
                          {"length", fmt::format("{} steps", scene.steps)},
                          {"seed", std::to_string(scene.seed)},
                          {"outputs", fmt::format("{}", fmt::join(outputs, ", "))}}));
  console.answer({{"kind", "scene"},
                  {"name", scene.name},
                  {"file", scene.file},
                  {"terrain", terrain},
                  {"rocks", rocks},
                  {"processes", "weathering"},
                  {"steps", scene.steps},
                  {"seed", scene.seed},
                  {"outputs", outputs}});
}

// ---- checkpoints

void voxels_info(Console& console, const std::string& file) {
  const VoxelCheckpoint checkpoint = read_voxel_checkpoint(file);
  const auto [nx, ny, nz] = checkpoint.size;
  const std::string hash = checkpoint.hash();
  console.say(table_text(
      {{"checkpoint", file},
       {"size", fmt::format("{} x {} x {} voxels of {} m", nx, ny, nz, number(checkpoint.cell))},
       {"step", std::to_string(checkpoint.step)},
       {"rock", grouped(checkpoint.solid()) + " voxels"},
       {"hash of voxels", hash}}));
  console.answer({{"kind", "checkpoint"},
                  {"terrain", "voxels"},
                  {"size", checkpoint.size},
                  {"cell", checkpoint.cell},
                  {"step", checkpoint.step},
                  {"rock", checkpoint.solid()},
                  {"hashes", {{"voxels", hash}}}});
}

// What its water process holds beside the stacks, in quanta; 0 where it has none.
long long held_beside(const io::CheckpointReader& file, const char* name) {
  const std::string block = text("state.water.", name);
  if (!file.has(block)) return 0;
  std::vector<std::int32_t> quanta(file.size(block) / sizeof(std::int32_t));
  file.read(block, quanta.data(), quanta.size() * sizeof quanta[0]);
  return std::accumulate(quanta.begin(), quanta.end(), 0LL);
}

void layers_info(Console& console, const std::string& file) {
  const io::CheckpointReader reader(file);
  const Layers layers = read_layers_file(file);
  const LayerShape& s = layers.shape();
  const std::vector<long long> totals = layers.totals();
  const std::string hash = hash_text(layers.hash());
  Rows rows = {{"checkpoint", file},
               {"size", fmt::format("layers on {} x {} cells of {} x {} m", s.width, s.height,
                                    number(s.dx), number(s.dy))},
               {"step", std::to_string(reader.integer("step"))},
               {"time", fmt::format("{} s, dt {} s", number(reader.real("time")),
                                    number(reader.real("dt")))},
               {"quantum", number(s.quantum) + " m"}};
  std::vector<std::pair<std::string, long long>> there{{"void", totals[0]}};
  for (std::size_t m = 1; m < totals.size(); ++m)
    there.emplace_back(layers.materials()[m - 1].name, totals[m]);
  // What runs on the stacks is no layer of theirs.
  if (const long long water = held_beside(reader, "water"); water > 0) {
    const auto found =
        std::find_if(there.begin(), there.end(), [](const auto& m) { return m.first == "water"; });
    if (found == there.end())
      there.emplace_back("water", water);
    else
      found->second += water;
  }
  if (const long long carried = held_beside(reader, "sediment"); carried > 0)
    there.emplace_back("carried by water", carried);
  Json volumes = Json::object();
  const double volume = s.quantum * s.dx * s.dy;
  for (const auto& [name, quanta] : there) {
    volumes[name] = static_cast<double>(quanta) * volume;
    rows.push_back({name, fmt::format("{:.6g} m3", static_cast<double>(quanta) * volume)});
  }
  rows.push_back({"hash of layers", hash});
  console.say(table_text(rows));
  console.answer({{"kind", "checkpoint"},
                  {"terrain", "layers"},
                  {"width", s.width},
                  {"height", s.height},
                  {"cell", {s.dx, s.dy}},
                  {"step", reader.integer("step")},
                  {"time", reader.real("time")},
                  {"quantum", s.quantum},
                  {"cubic_metres", volumes},
                  {"hashes", {{"layers", hash}}}});
}

void checkpoint_info(Console& console, const std::string& file) {
  if (layers_in(file)) return layers_info(console, file);
  if (is_voxel_checkpoint(file)) return voxels_info(console, file);
  const Checkpoint checkpoint(file);
  const Raster frame = checkpoint.frame();
  const std::string cells =
      frame.dx > 0 ? fmt::format(" of {} x {} m", number(frame.dx), number(frame.dy)) : "";
  Rows rows = {
      {"checkpoint", file},
      {"size", fmt::format("{} x {} cells{}", checkpoint.width(), checkpoint.height(), cells)},
      {"step", std::to_string(checkpoint.step())},
      {"time", fmt::format("{} s, dt {} s", number(checkpoint.time()), number(checkpoint.dt()))},
      {"quantum", number(checkpoint.quantum()) + " m"}};
  Json hashes = Json::object();
  for (const std::string& field : checkpoint.fields()) {
    hashes[field] = checkpoint.hash(field);
    rows.push_back({"hash of " + field, checkpoint.hash(field)});
  }
  console.say(table_text(rows));
  console.answer({{"kind", "checkpoint"},
                  {"width", checkpoint.width()},
                  {"height", checkpoint.height()},
                  {"cell", {frame.dx, frame.dy}},
                  {"step", checkpoint.step()},
                  {"time", checkpoint.time()},
                  {"dt", checkpoint.dt()},
                  {"quantum", checkpoint.quantum()},
                  {"hashes", hashes}});
}

// ---- volumes

std::string place_text(const std::array<double, 3>& at) {
  return fmt::format("{:.8g}, {:.8g}, {:.8g}", at[0], at[1], at[2]);
}

void say_grid(const io::VolumeGrid& grid, Rows& rows) {
  rows.push_back({"grid", fmt::format("{}, {}{}", grid.name.empty() ? "(no name)" : grid.name,
                                      grid.type, grid.kind.empty() ? "" : ", " + grid.kind)});
  if (grid.active == 0) {
    rows.push_back({"size", "no voxel is active"});
    return;
  }
  rows.push_back(
      {"size", fmt::format("{} x {} x {} around {} active voxels", grid.size[0], grid.size[1],
                           grid.size[2], grouped(static_cast<long long>(grid.active)))});
  rows.push_back({"cell", fmt::format("{:.8g} x {:.8g} x {:.8g} m", grid.cell[0], grid.cell[1],
                                      grid.cell[2])});
  rows.push_back({"extent", place_text(grid.low) + " m to " + place_text(grid.high) + " m"});
  if (grid.numbers)
    rows.push_back({"values", fmt::format("{} to {}, background {}", number(grid.least),
                                          number(grid.most), number(grid.background))});
}

Json to_json(const io::VolumeGrid& grid) {
  Json json = {{"name", grid.name}, {"type", grid.type},    {"class", grid.kind},
               {"size", grid.size}, {"cell", grid.cell},    {"low", grid.low},
               {"high", grid.high}, {"active", grid.active}};
  if (grid.numbers) {
    json["lowest"] = grid.least;
    json["highest"] = grid.most;
    json["background"] = grid.background;
  }
  return json;
}

void volume_info(Console& console, const std::string& file) {
  Rows rows = {{"volume", file}};
  Json grids = Json::array();
  for (const io::VolumeGrid& grid : io::list_volume(file)) {
    say_grid(grid, rows);
    grids.push_back(to_json(grid));
  }
  console.say(table_text(rows));
  console.answer({{"kind", "volume"}, {"grids", grids}});
}

// ---- output folders

// A value as it stands in the report; text without its quotes.
std::string plain_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// What a run that was stopped, or that could not write all, says of itself.
void say_unfinished(const Unfinished& unfinished, Rows& rows) {
  if (unfinished.cancelled) rows.push_back({"cancelled", "yes: the run was stopped"});
  if (!unfinished.checkpoint.empty()) rows.push_back({"checkpoint", unfinished.checkpoint});
  if (unfinished.stepped)
    rows.push_back({"missing", fmt::format("{}", fmt::join(unfinished.missing, ", "))});
}

void report_info(Console& console, const FolderReport& found) {
  const Json &hashes = found.hashes(), &report = found.json();
  Rows rows = {{"report", found.file().string()}};
  for (const char* key : {"scene", "seed", "size", "cell", "steps", "time"})
    if (report.contains(key)) rows.push_back({key, plain_text(report[key])});
  const auto at = [&](const char* pointer) {
    return plain_text(report.value(Json::json_pointer(pointer), Json("?")));
  };
  rows.push_back({"device", at("/device/selector") + ": " + at("/device/name")});
  rows.push_back({"seconds", at("/seconds/total")});
  if (report.value("terrain", "") == "layers")
    rows.push_back({"ledger", at("/ledger/error") + " quanta astray"});
  else if (report.value("terrain", "") == "voxels")
    rows.push_back({"ledger", at("/ledger/voxels/error") + " voxels and " +
                                  at("/ledger/amount/error") + " of their amounts astray"});
  else
    rows.push_back({"ledger", "water " + at("/ledger/quanta/water_error") + " and solids " +
                                  at("/ledger/quanta/solids_error") + " quanta astray"});
  if (const auto unfinished = found.unfinished()) say_unfinished(*unfinished, rows);
  for (const auto& [field, hash] : hashes.items())
    rows.push_back({"hash of " + field, plain_text(hash)});
  console.say(table_text(rows));
  console.answer({{"kind", "report"}, {"report", report}});
}

}  // namespace

int info(Console& console, const InfoArguments& arguments) {
  const fs::path path(arguments.file);
  std::error_code error;
  const std::vector<std::string> presets = preset_names();
  const bool is_preset = std::find(presets.begin(), presets.end(), arguments.file) != presets.end();
  const auto refuse_hydrology = [&](const char* found) {
    if (arguments.hydrology)
      throw UsageError(text(arguments.file, ": --hydrology takes a raster, found ", found));
  };
  if (fs::is_directory(path, error) && !is_preset) {
    refuse_hydrology("a folder");
    report_info(console, RunFolder(path).report());
  } else if (path.extension() == ".toml" || (is_preset && !fs::is_regular_file(path, error))) {
    refuse_hydrology("a scene");
    const Scene scene = find_scene(arguments.file);
    if (scene.terrain.voxels)
      voxel_scene_info(console, scene);
    else
      scene_info(console, scene, path.extension() != ".toml");
  } else if (path.extension() == ".scree") {
    refuse_hydrology("a checkpoint");
    checkpoint_info(console, arguments.file);
  } else if (io::ending_of(path) == ".vdb") {
    refuse_hydrology("a volume");
    volume_info(console, arguments.file);
  } else if (path.extension() == ".json") {
    refuse_hydrology("a report");
    report_info(console, FolderReport(path));
  } else {
    raster_info(console, arguments);
  }
  return 0;
}

}  // namespace scree::cli
