#include "io/mesh.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/log.h"
#include "commands.h"
#include "mesh_input.h"
#include "mesh_volume.h"
#include "scene/memory.h"
#include "surface/grid.h"
#include "surface/simplify.h"

namespace scree::cli {
namespace {

// What was asked for, and what came of it.
struct Work {
  int level = 0;
  std::size_t target = 0;  // triangles; 0: as many as there are
  MeshInput input;
  surface::Simplified result;
  std::size_t triangles_before = 0;

  double extent_x() const { return (input.raster.width - 1) * input.raster.dx; }
  double extent_y() const { return (input.raster.height - 1) * input.raster.dy; }
  std::size_t vertices() const { return result.mesh.positions.size(); }
  std::size_t triangles() const { return result.mesh.triangles.size(); }
};

Work checked(const MeshArguments& arguments) {
  Work work;
  try {
    io::check_mesh_name(arguments.out);
  } catch (const UsageError& error) {
    throw UsageError(text("--out: ", error.what()));
  }
  if (!arguments.level.empty() && !arguments.target_triangles.empty())
    throw UsageError("--level and --target-triangles: expected one of them, found both");
  if (!arguments.level.empty())
    work.level = static_cast<int>(parse_whole("--level", arguments.level, 0, 16));
  if (!arguments.target_triangles.empty()) {
    work.target = parse_whole("--target-triangles", arguments.target_triangles, 1,
                              std::numeric_limits<std::uint32_t>::max());
    if (!surface::can_simplify())
      throw Error(
          "--target-triangles needs meshoptimizer, and scree was built without "
          "meshoptimizer: take --level");
  }
  return work;
}

// Mesh, what a codec makes of it, and what a simplifier holds beside it.
void check_memory(const Work& work) {
  const io::Raster& raster = work.input.raster;
  const surface::GridCounts counts = surface::grid_counts(raster.width, raster.height, work.level);
  if (counts.triangles == 0)
    throw Error(text(work.input.file, ": expected at least 2 x 2 cells, found ", raster.width,
                     " x ", raster.height));
  const std::size_t mesh = 28 * counts.vertices + 12 * counts.triangles;
  const std::size_t needed = work.target > 0 ? 7 * mesh : 3 * mesh;
  const std::size_t available = available_memory();
  if (available > 0 && needed > available)
    throw Error(text(work.input.file, ": a mesh of ", counts.triangles, " triangles needs ",
                     bytes_text(static_cast<double>(needed)), " of memory, and ",
                     bytes_text(static_cast<double>(available)),
                     " is free: take a higher --level"));
}

void make_mesh(Work& work) {
  const io::Raster& raster = work.input.raster;
  io::Mesh mesh = surface::grid_mesh(
      {raster.values.data(), raster.width, raster.height, raster.dx, raster.dy}, work.level);
  if (mesh.triangles.empty())
    throw Error(text(work.input.file,
                     ": expected cells with data beside each other, found none at level ",
                     work.level));
  work.triangles_before = mesh.triangles.size();
  if (work.target == 0) {
    work.result.mesh = std::move(mesh);
    return;
  }
  work.result = surface::simplify(mesh, work.target);
  if (work.triangles() > work.target)
    log(LogLevel::warning,
        text("--target-triangles ", work.target, ": the border stays as it is, which leaves ",
             work.result.mesh.triangles.size()));
}

// ---- what to tell

bool has_y_up(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  return ending.size() == 4 && (ending[1] == 'g' || ending[1] == 'G');
}

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
                     has_y_up(arguments.out) ? "y" : "z");
}

std::string count_text(std::size_t count) { return grouped(static_cast<long long>(count)); }

std::string told(const MeshArguments& arguments, const Work& work, std::uintmax_t bytes) {
  const io::Raster& raster = work.input.raster;
  const io::HeightRange range = io::height_range(raster);
  std::vector<std::vector<std::string>> rows = {
      {"mesh", arguments.out},
      {"size", fmt::format("{} vertices, {} triangles, {}", count_text(work.vertices()),
                           count_text(work.triangles()), bytes_text(static_cast<double>(bytes)))},
      {"from", fmt::format("{}, {} x {} cells of {} x {} m", work.input.file, raster.width,
                           raster.height, number(raster.dx), number(raster.dy))}};
  if (work.level > 0)
    rows.push_back(
        {"level", fmt::format("{}, one cell in {} each way", work.level, 1 << work.level)});
  if (work.target > 0)
    rows.push_back(
        {"simplified", fmt::format("from {} triangles; moved by about {} m at most",
                                   count_text(work.triangles_before), number(work.result.error))});
  rows.push_back({"extent", fmt::format("{} x {} m between outer cell centres, heights {} to {} m",
                                        number(work.extent_x()), number(work.extent_y()),
                                        number(range.low), number(range.high))});
  rows.push_back({"axes", axes_text(arguments, raster)});
  rows.push_back({"origin", origin_text(raster)});
  return table_text(rows);
}

Json answered(const MeshArguments& arguments, const Work& work, std::uintmax_t bytes) {
  const io::HeightRange range = io::height_range(work.input.raster);
  return {{"file", arguments.out},
          {"vertices", work.vertices()},
          {"triangles", work.triangles()},
          {"bytes", bytes},
          {"source", work.input.file},
          {"level", work.level},
          {"error", work.result.error},
          {"extent", {work.extent_x(), work.extent_y()}},
          {"heights", {range.low, range.high}},
          {"up", has_y_up(arguments.out) ? "y" : "z"},
          {"scale", 1},
          {"origin", origin_of(work.input.raster)}};
}

}  // namespace

int mesh(Console& console, const MeshArguments& arguments) {
  if (is_volume(arguments)) return mesh_volume(console, arguments);
  Work work = checked(arguments);
  work.input = find_heights(arguments.in, arguments.input);
  check_memory(work);
  make_mesh(work);
  io::write_mesh(arguments.out, work.result.mesh);
  const std::uintmax_t bytes = std::filesystem::file_size(arguments.out);
  console.say(told(arguments, work, bytes));
  console.answer(answered(arguments, work, bytes));
  return 0;
}

}  // namespace scree::cli
