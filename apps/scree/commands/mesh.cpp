#include "io/mesh/mesh.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/log.h"
#include "commands/commands.h"
#include "commands/mesh_colour.h"
#include "commands/mesh_files.h"
#include "commands/mesh_input.h"
#include "commands/mesh_layers.h"
#include "commands/mesh_volume.h"
#include "commands/work_folder.h"
#include "run/memory.h"
#include "surface/grid/grid.h"
#include "surface/grid/grid_blocks.h"
#include "surface/grid/grid_colours.h"
#include "surface/mesh/simplify.h"

namespace scree::cli {
namespace {

// Cells a side of a block where detail is mixed; its levels are 0 to 5.
constexpr int block_size = 32;

// ---- what was asked for

constexpr WishRules rules = {
    .most_level = 16, .most_levels = 8, .simplified_levels = true, .needs_z = false};

// What volumes do not have.
void refuse_options_of_heights(const MeshArguments& arguments) {
  const ColourWords& colours = arguments.colours;
  for (const auto& [name, given] : {std::pair{"--colour", !colours.colour.empty()},
                                    {"--palette", !colours.palette.empty()},
                                    {"--water", colours.water}})
    if (given) throw UsageError(text(name, ": expected heights, found a volume: ", arguments.in));
}

MeshWishes checked(const MeshArguments& arguments) {
  const MeshWishes wishes = parse_wishes(arguments, rules);
  check_colour_words(arguments.colours, arguments.out);
  return wishes;
}

// ---- what comes of it

struct Work {
  MeshWishes wishes;
  MeshInput input;
  MeshColours colours;
  std::optional<surface::GridLevels> blocks;
  std::size_t triangles_before = 0;
  MeshFiles files;

  HeightView view() const {
    const Raster& raster = input.raster;
    return {raster.values.data(), raster.width, raster.height, raster.dx, raster.dy};
  }
  double extent_x() const { return (input.raster.width - 1) * input.raster.dx; }
  double extent_y() const { return (input.raster.height - 1) * input.raster.dy; }
};

// Mesh, what a codec makes of it, and what a simplifier holds beside it.
void check_memory(const MeshArguments& arguments, const Work& work) {
  const Raster& raster = work.input.raster;
  const surface::GridCounts counts =
      work.blocks ? work.blocks->counts()
                  : surface::grid_counts(raster.width, raster.height, work.wishes.level);
  if (counts.triangles == 0)
    throw Error(text(work.input.file, ": expected at least 2 x 2 cells, found ", raster.width,
                     " x ", raster.height));
  const std::size_t mesh = 32 * counts.vertices + 12 * counts.triangles;
  const std::size_t cells = raster.values.size();
  const bool simplifies = work.wishes.target > 0 || work.wishes.levels > 0;
  const std::size_t needed = (simplifies ? 8 : 3) * mesh + (work.blocks ? 4 * cells : 0) +
                             colour_bytes(arguments.colours) * cells;
  const std::size_t available = available_memory();
  if (available > 0 && needed > available)
    throw Error(text(work.input.file, ": a mesh of ", counts.triangles, " triangles needs ",
                     bytes_text(static_cast<double>(needed)), " of memory, and ",
                     bytes_text(static_cast<double>(available)),
                     " is free: take a higher --level"));
}

Mesh finest_mesh(Work& work) {
  Mesh mesh = work.blocks ? surface::grid_mesh(work.view(), *work.blocks)
                          : surface::grid_mesh(work.view(), work.wishes.level);
  if (mesh.triangles.empty())
    throw Error(text(work.input.file,
                     ": expected cells with data beside each other, found none at ",
                     work.blocks ? "that detail" : text("level ", work.wishes.level)));
  work.triangles_before = mesh.triangles.size();
  return mesh;
}

void colour(Mesh& mesh, const Work& work) {
  if (!work.colours.rgb.empty()) surface::colour_grid(mesh, work.view(), work.colours.rgb);
}

void warn_of_border(const std::string& what, std::size_t wanted, std::size_t found) {
  if (found > wanted)
    log(LogLevel::warning, text(what, ": the border stays as it is, which leaves ", found));
}

void make_one(const std::string& file, Work& work) {
  surface::Simplified mesh{finest_mesh(work), 0};
  if (work.wishes.target > 0) {
    mesh = surface::simplify(mesh.mesh, work.wishes.target);
    warn_of_border(text("--target-triangles ", work.wishes.target), work.wishes.target,
                   mesh.mesh.triangles.size());
  }
  colour(mesh.mesh, work);
  work.files = write_file(file, mesh);
}

// The border, which stays, needs about a triangle an edge; the rest falls to a quarter a level.
// Edges of the border are 2 vertices - triangles - 2 (pieces - holes), after Euler.
std::size_t level_target(const Mesh& finest, std::size_t level) {
  const std::size_t triangles = finest.triangles.size(), twice = 2 * finest.positions.size();
  const std::size_t border = twice > triangles ? std::min(twice - triangles, triangles) : 0;
  return border + ((triangles - border) >> (2 * level));
}

// Each level from the finest one, so that its error is known.
void make_levels(const std::string& file, Work& work) {
  const Mesh finest = finest_mesh(work);
  work.files = write_levels(file, work.wishes.levels, [&](std::size_t i) {
    const std::size_t wanted = level_target(finest, i);
    surface::Simplified level = surface::simplify(finest, wanted);
    warn_of_border(text("LOD", i, " of ", wanted, " triangles"), wanted,
                   level.mesh.triangles.size());
    colour(level.mesh, work);
    return level;
  });
}

// ---- what to tell

// Where the mesh's x = 0, y = 0 lies, in the units of the raster's own coordinate system.
Json origin_of(const Raster& raster) {
  if (!raster.geo.present) return nullptr;
  const auto& t = raster.geo.transform;
  const double column = raster.width / 2.0, row = raster.height / 2.0;
  return {t[0] + t[1] * column + t[2] * row, t[3] + t[4] * column + t[5] * row};
}

bool is_turned(const Raster& raster) {
  return raster.geo.present && (raster.geo.transform[2] != 0 || raster.geo.transform[4] != 0);
}

std::string origin_text(const Raster& raster) {
  const Json origin = origin_of(raster);
  if (origin.is_null()) return "the middle of the terrain, which has no coordinates";
  return fmt::format("{:.12g}, {:.12g} in the raster's coordinates: the middle of the terrain",
                     origin[0].get<double>(), origin[1].get<double>());
}

std::string axes_text(const MeshArguments& arguments, const Raster& raster) {
  const char* x = is_turned(raster) ? "along the raster's rows" : "east";
  return fmt::format("x {}, {} up; 1 unit is 1 m: import with scale 1", x,
                     io::has_y_up(arguments.out) ? "y" : "z");
}

std::string blocks_text(const Work& work) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(work.blocks->most_level()) + 1);
  for (const std::uint8_t level : work.blocks->levels()) ++counts[level];
  return view_text(*work.wishes.viewpoint,
                   fmt::format("{} x {} blocks of {} cells", work.blocks->columns(),
                               work.blocks->rows(), block_size),
                   counts);
}

std::string told(const MeshArguments& arguments, const Work& work) {
  const Raster& raster = work.input.raster;
  const HeightRange range = io::height_range(raster);
  auto rows = file_rows(work.files, "moved by about");
  rows.push_back(
      {"from", fmt::format("{}, {} x {} cells of {} x {} m", work.input.file, raster.width,
                           raster.height, number(raster.dx), number(raster.dy))});
  if (work.wishes.level > 0)
    rows.push_back({"level", fmt::format("{}, one cell in {} each way", work.wishes.level,
                                         1 << work.wishes.level)});
  if (work.blocks) rows.push_back({"detail", blocks_text(work)});
  if (work.wishes.target > 0)
    rows.push_back({"simplified", fmt::format("from {} triangles; moved by about {} m at most",
                                              count_text(work.triangles_before),
                                              number(work.files.made[0].error))});
  rows.push_back({"colour", work.colours.text});
  rows.push_back({"extent", fmt::format("{} x {} m between outer cell centres, heights {} to {} m",
                                        number(work.extent_x()), number(work.extent_y()),
                                        number(range.low), number(range.high))});
  rows.push_back({"axes", axes_text(arguments, raster)});
  rows.push_back({"origin", origin_text(raster)});
  return table_text(rows);
}

Json answered(const MeshArguments& arguments, const Work& work) {
  const HeightRange range = io::height_range(work.input.raster);
  Json json = to_json(work.files);
  json["source"] = work.input.file;
  json["level"] = work.wishes.level;
  if (work.blocks) json["blocks"] = work.blocks->levels();
  json["colour"] = colours_json(work.colours);
  json["extent"] = {work.extent_x(), work.extent_y()};
  json["heights"] = {range.low, range.high};
  json["up"] = io::has_y_up(arguments.out) ? "y" : "z";
  json["scale"] = 1;
  json["origin"] = origin_of(work.input.raster);
  return json;
}

}  // namespace

int mesh(Console& console, const MeshArguments& arguments) {
  if (const std::optional<std::string> layers = layers_in(arguments.in))
    return mesh_layers(console, arguments, *layers);
  refuse_heights_of_layers(arguments.in);
  if (!arguments.cell_z.empty())
    throw UsageError(text("--cell-z: expected a checkpoint of layers, or a run's folder with one: ",
                          arguments.in));
  if (!arguments.cut.empty())
    throw UsageError(
        text("--cut: expected a checkpoint of layers, or a run's folder with one: ", arguments.in));
  MeshArguments volume = arguments;
  volume.in = volume_in(arguments.in).value_or(arguments.in);
  if (is_volume(volume)) {
    refuse_options_of_heights(volume);
    return mesh_volume(console, volume);
  }
  Work work;
  work.wishes = checked(arguments);
  prepare_folder(arguments.out);
  work.input = find_heights(arguments.in, arguments.input);
  if (work.wishes.viewpoint) {
    work.blocks.emplace(work.input.raster.width, work.input.raster.height, block_size);
    work.blocks->set(work.view(), *work.wishes.viewpoint, work.wishes.detail);
  }
  check_memory(arguments, work);
  work.colours = make_colours(arguments.colours, arguments.out, work.input);
  if (work.wishes.levels > 0)
    make_levels(arguments.out, work);
  else
    make_one(arguments.out, work);
  console.say(told(arguments, work));
  console.answer(answered(arguments, work));
  return 0;
}

}  // namespace scree::cli
