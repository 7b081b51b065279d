#include "commands/mesh_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/log.h"
#include "commands/mesh_files.h"
#include "commands/mesh_input.h"
#include "commands/work_folder.h"
#include "io/file/ending.h"
#include "picture/layers/layer_pictures.h"
#include "run/layers/layer_state.h"
#include "run/memory.h"
#include "run/run_folder.h"
#include "surface/layers/layer_solid.h"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

constexpr WishRules rules = {
    .most_level = 12, .most_levels = 1, .simplified_levels = false, .needs_z = true};

bool is_layers(const fs::path& path) {
  std::error_code error;
  if (io::ending_of(path) != ".scree" || !fs::is_regular_file(path, error)) return false;
  return holds_layers(io::CheckpointReader(path));
}

void refuse_others(const MeshArguments& arguments) {
  for (const auto& [option, given] :
       {std::pair{"--levels", !arguments.levels.empty()},
        std::pair{"--view", !arguments.view.empty()},
        std::pair{"--colour", !arguments.colours.colour.empty()},
        std::pair{"--palette", !arguments.colours.palette.empty()},
        std::pair{"--water", arguments.colours.water}, std::pair{"--grid", !arguments.grid.empty()},
        std::pair{"--isovalue", !arguments.isovalue.empty()}})
    if (given) throw UsageError(text(option, ": a solid of layers has none: ", arguments.in));
}

double height_of(const Layers& layers) {
  const std::vector<float> heights = layers.heights();
  return static_cast<double>(*std::max_element(heights.begin(), heights.end())) -
         layers.shape().datum;
}

void check_samples(const Layers& layers, double height, const surface::LayerSolidOptions& options) {
  constexpr std::size_t bytes_a_sample = 8;  // about: a density, and triangles of some
  const std::size_t samples = surface::layer_solid_samples(layers.shape(), height, options);
  const std::size_t available = available_memory();
  if (available > 0 && samples > available / bytes_a_sample)
    throw Error(text("a solid of ", samples, " samples needs about ",
                     samples * bytes_a_sample >> 20, " MiB, and ", available >> 20,
                     " MiB are free: choose a higher --level or --cell-z"));
}

}  // namespace

surface::LayerCut parse_cut(const std::string& words) {
  surface::LayerCut cut;
  int end = 0;
  const int found = std::sscanf(words.c_str(), "%lf,%lf,%lf,%lf%n", &cut.from_x, &cut.from_y,
                                &cut.to_x, &cut.to_y, &end);
  const std::array<double, 4> places = {cut.from_x, cut.from_y, cut.to_x, cut.to_y};
  if (found != 4 || static_cast<std::size_t>(end) != words.size() ||
      (cut.from_x == cut.to_x && cut.from_y == cut.to_y) ||
      !std::all_of(places.begin(), places.end(), [](double m) { return std::abs(m) <= 1e7; }))
    throw UsageError(text("--cut '", words,
                          "': expected X,Y,X,Y in metres from the south-west corner, such as "
                          "0,500,1000,500; what lies to the left of that line is kept"));
  return cut;
}

std::optional<std::string> layers_in(const std::string& name) {
  const RunFolder folder(name);
  if (!folder.exists()) return is_layers(name) ? std::optional(name) : std::nullopt;
  const auto newest = folder.newest_checkpoint(holds_layers);
  return newest ? std::optional(newest->path().string()) : std::nullopt;
}

void refuse_heights_of_layers(const std::string& folder) {
  const FolderReport report = RunFolder(folder).report();
  if (!report.is_of_layers()) return;
  std::string solid, heights;
  for (const ReportedFile& file : report.files()) {
    if (file.kind == "mesh") solid = file.path.string();
    if (file.kind == "height") heights = file.path.string();
  }
  throw Error(text(
      folder, ": its terrain is of layers, and there is no checkpoint to make their solid from; ",
      solid.empty()
          ? std::string("write [[output]] kind = \"mesh\" into its scene and run it again")
          : text(solid, " is the solid that the run has written"),
      heights.empty() ? "" : text(", or name ", heights, " for the top surface alone")));
}

Layers read_layers_file(const std::string& checkpoint) {
  device::DeviceOptions cpu;
  cpu.selector = "cpu";
  return read_layers(io::CheckpointReader(checkpoint), device::open_device(cpu));
}

int mesh_layers(Console& console, const MeshArguments& arguments, const std::string& checkpoint) {
  refuse_others(arguments);
  const MeshWishes wishes = parse_wishes(arguments, rules);
  surface::LayerSolidOptions options;
  options.level = wishes.level;
  if (!arguments.cut.empty()) options.cut = parse_cut(arguments.cut);
  if (!arguments.cell_z.empty()) options.cell_z = parse_length("--cell-z", arguments.cell_z);
  prepare_folder(arguments.out);
  const Layers layers = read_layers_file(checkpoint);
  const io::CheckpointReader file(checkpoint);
  if (fs::is_directory(arguments.in))
    RunFolder(arguments.in)
        .note_later_steps(static_cast<std::uint64_t>(file.integer("step")),
                          "the last of which it left a checkpoint, which layers are in");
  if (options.cut) surface::check_cut("--", *options.cut, layers.shape());
  const double height = height_of(layers);
  check_samples(layers, height, options);
  const double cell_z = surface::layer_solid_cell_z(height, options);
  if (const std::string note = surface::thin_parts_note(layers, cell_z, "--cell-z"); !note.empty())
    log(LogLevel::info, text(checkpoint, ": ", note));
  surface::Simplified mesh{surface::layer_solid(layers, options), 0};
  const std::vector<Stones::Boulder> stones = stones_of_layers(file, layers);
  add_stones(mesh.mesh, layers, stones, options.cut);
  if (wishes.target > 0) mesh = surface::simplify(mesh.mesh, wishes.target);
  const MeshFiles files = write_file(arguments.out, mesh);
  const LayerShape& s = layers.shape();
  auto rows = file_rows(files, "moved by about");
  rows.push_back({"from", fmt::format("{}, layers on {} x {} cells of {} x {} m", checkpoint,
                                      s.width, s.height, number(s.dx), number(s.dy))});
  rows.push_back({"samples", fmt::format("every {} m up a column", number(cell_z))});
  rows.push_back({"colour", fmt::format("{} materials", layers.materials().size())});
  if (!stones.empty()) rows.push_back({"stones", text(stones.size())});
  rows.push_back({"axes", fmt::format("x east, {} up; 1 unit is 1 m: import with scale 1",
                                      io::has_y_up(arguments.out) ? "y" : "z")});
  console.say(table_text(rows));
  Json json = to_json(files);
  json["source"] = checkpoint;
  json["level"] = wishes.level;
  json["cell_z"] = cell_z;
  json["materials"] = layers.materials().size();
  json["stones"] = stones.size();
  console.answer(json);
  return 0;
}

}  // namespace scree::cli
