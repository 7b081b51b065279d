#include "io/mesh.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/log.h"
#include "base/units.h"
#include "commands.h"
#include "mesh_colour.h"
#include "mesh_input.h"
#include "mesh_volume.h"
#include "scene/memory.h"
#include "surface/grid.h"
#include "surface/grid_blocks.h"
#include "surface/grid_colours.h"
#include "surface/simplify.h"

namespace scree::cli {
namespace {

// Cells a side of a block where detail is mixed; its levels are 0 to 5.
constexpr int block_size = 32;

// ---- what was asked for

struct Wishes {
  int level = 0;           // every 2^level-th cell
  std::size_t target = 0;  // triangles; 0: as many as there are
  std::size_t levels = 0;  // files of falling detail; 0: one file
  std::optional<surface::Viewpoint> viewpoint;
  double detail = 50;

  bool simplifies() const { return target > 0 || levels > 0; }
};

// "120,-300" or "120,-300,1500".
surface::Viewpoint parse_viewpoint(const std::string& words) {
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
  if (metres.size() < 2 || metres.size() > 3 || !std::all_of(metres.begin(), metres.end(), fits))
    throw UsageError(text("--view '", words,
                          "': expected X,Y or X,Y,Z in metres from the middle of the terrain, such "
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

// What volumes do not have.
void refuse_options_of_heights(const MeshArguments& arguments) {
  const ColourWords& colours = arguments.colours;
  for (const auto& [name, given] : {std::pair{"--levels", !arguments.levels.empty()},
                                    {"--view", !arguments.view.empty()},
                                    {"--detail", !arguments.detail.empty()},
                                    {"--colour", !colours.colour.empty()},
                                    {"--palette", !colours.palette.empty()},
                                    {"--water", colours.water}})
    if (given) throw UsageError(text(name, ": expected heights, found a volume: ", arguments.in));
}

Wishes checked(const MeshArguments& arguments) {
  try {
    io::check_mesh_name(arguments.out);
  } catch (const UsageError& error) {
    throw UsageError(text("--out: ", error.what()));
  }
  check_alone(arguments);
  check_colour_words(arguments.colours, arguments.out);
  Wishes wishes;
  if (!arguments.level.empty())
    wishes.level = static_cast<int>(parse_whole("--level", arguments.level, 0, 16));
  if (!arguments.levels.empty()) wishes.levels = parse_whole("--levels", arguments.levels, 1, 8);
  if (!arguments.target_triangles.empty())
    wishes.target = parse_whole("--target-triangles", arguments.target_triangles, 1,
                                std::numeric_limits<std::uint32_t>::max());
  if (!arguments.view.empty()) wishes.viewpoint = parse_viewpoint(arguments.view);
  if (!arguments.detail.empty()) wishes.detail = parse_detail(arguments.detail);
  if (wishes.simplifies() && !surface::can_simplify())
    throw Error(text(wishes.target > 0 ? "--target-triangles" : "--levels",
                     " needs meshoptimizer, and scree was built without meshoptimizer: take "
                     "--level"));
  return wishes;
}

// ---- what comes of it

// One file, or one level of a set.
struct Made {
  std::string file;
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  double error = 0;  // metres, as surface::Simplified has it
  std::uintmax_t bytes = 0;
};

struct Work {
  Wishes wishes;
  MeshInput input;
  MeshColours colours;
  std::optional<surface::GridLevels> blocks;
  std::size_t triangles_before = 0;
  std::vector<Made> files;  // levels, where they were asked for
  std::string whole;        // the file with all levels in it; empty: there is none

  HeightView view() const {
    const io::Raster& raster = input.raster;
    return {raster.values.data(), raster.width, raster.height, raster.dx, raster.dy};
  }
  double extent_x() const { return (input.raster.width - 1) * input.raster.dx; }
  double extent_y() const { return (input.raster.height - 1) * input.raster.dy; }
};

// Mesh, what a codec makes of it, and what a simplifier holds beside it.
void check_memory(const MeshArguments& arguments, const Work& work) {
  const io::Raster& raster = work.input.raster;
  const surface::GridCounts counts =
      work.blocks ? work.blocks->counts()
                  : surface::grid_counts(raster.width, raster.height, work.wishes.level);
  if (counts.triangles == 0)
    throw Error(text(work.input.file, ": expected at least 2 x 2 cells, found ", raster.width,
                     " x ", raster.height));
  const std::size_t mesh = 32 * counts.vertices + 12 * counts.triangles;
  const std::size_t cells = raster.values.size();
  const std::size_t needed = (work.wishes.simplifies() ? 8 : 3) * mesh +
                             (work.blocks ? 4 * cells : 0) +
                             colour_bytes(arguments.colours) * cells;
  const std::size_t available = available_memory();
  if (available > 0 && needed > available)
    throw Error(text(work.input.file, ": a mesh of ", counts.triangles, " triangles needs ",
                     bytes_text(static_cast<double>(needed)), " of memory, and ",
                     bytes_text(static_cast<double>(available)),
                     " is free: take a higher --level"));
}

io::Mesh finest_mesh(Work& work) {
  io::Mesh mesh = work.blocks ? surface::grid_mesh(work.view(), *work.blocks)
                              : surface::grid_mesh(work.view(), work.wishes.level);
  if (mesh.triangles.empty())
    throw Error(text(work.input.file,
                     ": expected cells with data beside each other, found none at ",
                     work.blocks ? "that detail" : text("level ", work.wishes.level)));
  work.triangles_before = mesh.triangles.size();
  return mesh;
}

Made written(const std::string& file, io::Mesh& mesh, double error, const Work& work) {
  if (!work.colours.rgb.empty()) surface::colour_grid(mesh, work.view(), work.colours.rgb);
  io::write_mesh(file, mesh);
  return {file, mesh.positions.size(), mesh.triangles.size(), error,
          std::filesystem::file_size(file)};
}

void warn_of_border(const std::string& what, std::size_t wanted, std::size_t found) {
  if (found > wanted)
    log(LogLevel::warning, text(what, ": the border stays as it is, which leaves ", found));
}

void write_one(const std::string& file, Work& work) {
  io::Mesh mesh = finest_mesh(work);
  if (work.wishes.target == 0) {
    work.files.push_back(written(file, mesh, 0, work));
    return;
  }
  surface::Simplified fewer = surface::simplify(mesh, work.wishes.target);
  warn_of_border(text("--target-triangles ", work.wishes.target), work.wishes.target,
                 fewer.mesh.triangles.size());
  work.files.push_back(written(file, fewer.mesh, fewer.error, work));
}

// land.glb: land_LOD0.glb, land_LOD1.glb, …
std::string level_file(const std::filesystem::path& file, std::size_t level) {
  const std::string name = text(file.stem().string(), "_LOD", level, file.extension().string());
  return (file.parent_path() / name).string();
}

// The border, which stays, needs about a triangle an edge; the rest falls to a quarter a level.
// Edges of the border are 2 vertices - triangles - 2 (pieces - holes), after Euler.
std::size_t level_target(const io::Mesh& finest, std::size_t level) {
  const std::size_t triangles = finest.triangles.size(), twice = 2 * finest.positions.size();
  const std::size_t border = twice > triangles ? std::min(twice - triangles, triangles) : 0;
  return border + ((triangles - border) >> (2 * level));
}

// Each level from the finest one, so that its error is known.
void write_levels(const std::string& file, Work& work) {
  const io::Mesh finest = finest_mesh(work);
  std::vector<io::Mesh> levels;
  for (std::size_t i = 0; i < work.wishes.levels; ++i) {
    const std::size_t wanted = level_target(finest, i);
    surface::Simplified level = surface::simplify(finest, wanted);
    warn_of_border(text("LOD", i, " of ", wanted, " triangles"), wanted,
                   level.mesh.triangles.size());
    work.files.push_back(written(level_file(file, i), level.mesh, level.error, work));
    if (io::holds_levels(file)) levels.push_back(std::move(level.mesh));
  }
  if (!io::holds_levels(file)) return;
  io::write_mesh_levels(file, levels);
  work.whole = file;
}

// ---- what to tell

// Where the mesh's x = 0, y = 0 lies, in the units of the raster's own coordinate system.
Json origin_of(const io::Raster& raster) {
  if (!raster.geo.present) return nullptr;
  const auto& t = raster.geo.transform;
  const double column = raster.width / 2.0, row = raster.height / 2.0;
  return {t[0] + t[1] * column + t[2] * row, t[3] + t[4] * column + t[5] * row};
}

bool is_turned(const io::Raster& raster) {
  return raster.geo.present && (raster.geo.transform[2] != 0 || raster.geo.transform[4] != 0);
}

std::string origin_text(const io::Raster& raster) {
  const Json origin = origin_of(raster);
  if (origin.is_null()) return "the middle of the terrain, which has no coordinates";
  return fmt::format("{:.12g}, {:.12g} in the raster's coordinates: the middle of the terrain",
                     origin[0].get<double>(), origin[1].get<double>());
}

std::string axes_text(const MeshArguments& arguments, const io::Raster& raster) {
  const char* x = is_turned(raster) ? "along the raster's rows" : "east";
  return fmt::format("x {}, {} up; 1 unit is 1 m: import with scale 1", x,
                     io::has_y_up(arguments.out) ? "y" : "z");
}

std::string count_text(std::size_t count) { return grouped(static_cast<long long>(count)); }

std::string size_text(const Made& made) {
  return fmt::format("{} vertices, {} triangles, {}", count_text(made.vertices),
                     count_text(made.triangles), bytes_text(static_cast<double>(made.bytes)));
}

// From how far off an error is less than a pixel, on 1080 rows that show 60 degrees:
// 1080 / (2 tan 30°).
double unseen_from(double error) { return error * 935.3; }

using Rows = std::vector<std::vector<std::string>>;

void add_files(const MeshArguments& arguments, const Work& work, Rows& rows) {
  if (work.wishes.levels == 0) {
    rows.push_back({"mesh", arguments.out});
    rows.push_back({"size", size_text(work.files[0])});
    return;
  }
  if (!work.whole.empty()) rows.push_back({"mesh", work.whole + ", every level in one (MSFT_lod)"});
  for (std::size_t i = 0; i < work.files.size(); ++i) {
    const Made& made = work.files[i];
    rows.push_back({text("LOD", i), made.file + ": " + size_text(made)});
    if (i > 0)
      rows.push_back(
          {"", fmt::format("moved by about {:.3g} m: less than a pixel from {:.3g} km on",
                           made.error, unseen_from(made.error) / 1000)});
  }
}

std::string blocks_text(const Work& work) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(work.blocks->most_level()) + 1);
  for (const std::uint8_t level : work.blocks->levels()) ++counts[level];
  std::string line = fmt::format("from {}, {}", number(work.wishes.viewpoint->x),
                                 number(work.wishes.viewpoint->y));
  if (work.wishes.viewpoint->z) line += fmt::format(", {}", number(*work.wishes.viewpoint->z));
  line += fmt::format(": {} x {} blocks of {} cells, by level", work.blocks->columns(),
                      work.blocks->rows(), block_size);
  for (std::size_t i = 0; i < counts.size(); ++i)
    line += fmt::format("{} {}", i == 0 ? "" : ",", count_text(counts[i]));
  return line;
}

std::string told(const MeshArguments& arguments, const Work& work) {
  const io::Raster& raster = work.input.raster;
  const io::HeightRange range = io::height_range(raster);
  Rows rows;
  add_files(arguments, work, rows);
  rows.push_back(
      {"from", fmt::format("{}, {} x {} cells of {} x {} m", work.input.file, raster.width,
                           raster.height, number(raster.dx), number(raster.dy))});
  if (work.wishes.level > 0)
    rows.push_back({"level", fmt::format("{}, one cell in {} each way", work.wishes.level,
                                         1 << work.wishes.level)});
  if (work.blocks) rows.push_back({"detail", blocks_text(work)});
  if (work.wishes.target > 0)
    rows.push_back({"simplified",
                    fmt::format("from {} triangles; moved by about {} m at most",
                                count_text(work.triangles_before), number(work.files[0].error))});
  rows.push_back({"colour", work.colours.text});
  rows.push_back({"extent", fmt::format("{} x {} m between outer cell centres, heights {} to {} m",
                                        number(work.extent_x()), number(work.extent_y()),
                                        number(range.low), number(range.high))});
  rows.push_back({"axes", axes_text(arguments, raster)});
  rows.push_back({"origin", origin_text(raster)});
  return table_text(rows);
}

Json to_json(const Made& made) {
  return {{"file", made.file},
          {"vertices", made.vertices},
          {"triangles", made.triangles},
          {"bytes", made.bytes},
          {"error", made.error}};
}

// Of a set, the finest level speaks for the file with all of them.
Json answered(const MeshArguments& arguments, const Work& work) {
  const io::HeightRange range = io::height_range(work.input.raster);
  Json json = to_json(work.files[0]);
  if (!work.whole.empty()) {
    json["file"] = work.whole;
    json["bytes"] = std::filesystem::file_size(work.whole);
  }
  if (work.wishes.levels > 0) {
    json["levels"] = Json::array();
    for (const Made& made : work.files) json["levels"].push_back(to_json(made));
  }
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
  MeshArguments volume = arguments;
  volume.in = volume_in(arguments.in).value_or(arguments.in);
  if (is_volume(volume)) {
    refuse_options_of_heights(volume);
    return mesh_volume(console, volume);
  }
  Work work;
  work.wishes = checked(arguments);
  work.input = find_heights(arguments.in, arguments.input);
  if (work.wishes.viewpoint) {
    work.blocks.emplace(work.input.raster.width, work.input.raster.height, block_size);
    work.blocks->set(work.view(), *work.wishes.viewpoint, work.wishes.detail);
  }
  check_memory(arguments, work);
  work.colours = make_colours(arguments.colours, arguments.out, work.input);
  if (work.wishes.levels > 0)
    write_levels(arguments.out, work);
  else
    write_one(arguments.out, work);
  console.say(told(arguments, work));
  console.answer(answered(arguments, work));
  return 0;
}

}  // namespace scree::cli
