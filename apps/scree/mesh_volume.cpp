#include "mesh_volume.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "base/units.h"
#include "io/mesh.h"
#include "io/volume.h"
#include "material_colours.h"
#include "scene/memory.h"
#include "surface/blocks.h"
#include "surface/marching_cubes.h"
#include "surface/simplify.h"

namespace scree::cli {
namespace {

using Triple = std::array<double, 3>;

// What was asked for, and what came of it.
struct Work {
  int level = 0;
  std::size_t target = 0;  // triangles; 0: as many as there are
  io::VolumeFile file;
  double isovalue = 0;  // as a person says it: of a level set, metres outwards
  Triple origin{};      // where the mesh's 0, 0, 0 lies
  std::size_t materials = 0;
  surface::Simplified result;
  std::size_t triangles_before = 0;

  const io::VolumeShape& shape() const { return file.volume.shape; }
  double end(std::size_t d) const {
    return shape().origin[d] + (shape().size[d] - 1) * shape().cell[d];
  }
};

// ---- words

void check_words(const MeshArguments& arguments, Work& work) {
  try {
    io::check_mesh_name(arguments.out);
  } catch (const UsageError& error) {
    throw UsageError(text("--out: ", error.what()));
  }
  if (!arguments.level.empty() && !arguments.target_triangles.empty())
    throw UsageError("--level and --target-triangles: expected one of them, found both");
  if (!arguments.level.empty())
    work.level = static_cast<int>(parse_whole("--level", arguments.level, 0, 6));
  if (arguments.target_triangles.empty()) return;
  work.target = parse_whole("--target-triangles", arguments.target_triangles, 1,
                            std::numeric_limits<std::uint32_t>::max());
  if (!surface::can_simplify())
    throw Error(
        "--target-triangles needs meshoptimizer, and scree was built without "
        "meshoptimizer: take --level");
}

io::VolumeOptions volume_options(const MeshArguments& arguments) {
  io::VolumeOptions options;
  options.grid = arguments.grid;
  const bool has_cells = std::filesystem::path(arguments.in).extension() != ".npy";
  if (has_cells && !arguments.input.cell.empty())
    throw UsageError(text("--cell: ", arguments.in, " says itself how large its cells are"));
  if (!has_cells && arguments.input.cell.empty())
    throw UsageError(
        text(arguments.in, ": does not say how large its cells are; give --cell METRES"));
  if (!has_cells) options.cell = parse_length("--cell", arguments.input.cell);
  // The mesher has the samples a second time, and a few bits for each.
  options.memory = available_memory() * 2 / 5;
  return options;
}

double isovalue_of(const MeshArguments& arguments, const io::VolumeFile& file) {
  if (arguments.isovalue.empty()) return static_cast<double>(file.isovalue());
  try {
    const double value = parse_number(arguments.isovalue);
    if (std::isfinite(static_cast<float>(value))) return value;
  } catch (const UsageError&) {
    // Said below.
  }
  throw UsageError(text("--isovalue '", arguments.isovalue, "': expected a number"));
}

// ---- triangles

// Floats hold seven figures: where a cell would be less than 256 of their steps, the middle of the
// volume, in whole metres, becomes 0.
Triple mesh_origin(const Work& work) {
  Triple origin{};
  for (std::size_t d = 0; d < 3; ++d) {
    const double low = work.shape().origin[d], high = work.end(d);
    const double step = std::max(std::abs(low), std::abs(high)) * std::ldexp(1.0, -23);
    if (256 * step > work.shape().cell[d]) origin[d] = std::round((low + high) / 2);
  }
  return origin;
}

surface::Lattice lattice_of(const Work& work) {
  const io::VolumeShape& shape = work.shape();
  const auto metres = [](double value) { return static_cast<float>(value); };
  return {shape.size[0],
          shape.size[1],
          shape.size[2],
          metres(shape.cell[0]),
          metres(shape.cell[1]),
          metres(shape.cell[2]),
          metres(shape.origin[0] - work.origin[0]),
          metres(shape.origin[1] - work.origin[1]),
          metres(shape.origin[2] - work.origin[2])};
}

surface::Surface extracted(const Work& work) {
  const surface::Lattice lattice = lattice_of(work);
  const io::Volume& volume = work.file.volume;
  const auto isovalue = static_cast<float>(work.file.level_set ? 0 - work.isovalue : work.isovalue);
  if (work.level == 0) {
    device::DeviceOptions options;
    options.selector = "cpu";
    surface::MarchingCubes mesher(device::open_device(options));
    return mesher.extract(lattice, volume.density, {.isovalue = isovalue}, volume.materials);
  }
  surface::BlockGrid grid(lattice, std::max(16, 1 << work.level));
  grid.set_levels(std::vector<std::uint8_t>(grid.count(), static_cast<std::uint8_t>(work.level)));
  const surface::BlockMesher mesher(lattice, volume.density.data(), isovalue,
                                    volume.materials.empty() ? nullptr : volume.materials.data());
  return surface::welded(mesher.blocks(grid));
}

[[noreturn]] void refuse_nothing(const MeshArguments& arguments, const Work& work) {
  const auto [low, high] =
      std::minmax_element(work.file.volume.density.begin(), work.file.volume.density.end());
  const double least = static_cast<double>(work.file.level_set ? 0 - *high : *low),
               most = static_cast<double>(work.file.level_set ? 0 - *low : *high);
  throw Error(text(arguments.in, ": no surface at isovalue ", number(work.isovalue),
                   work.level > 0 ? text(" and level ", work.level) : "", ": values run from ",
                   number(least), " to ", number(most)));
}

void make_mesh(const MeshArguments& arguments, Work& work) {
  surface::Surface surface = extracted(work);
  if (surface.mesh.triangles.empty()) refuse_nothing(arguments, work);
  work.materials = std::set(surface.materials.begin(), surface.materials.end()).size();
  for (const std::uint32_t material : surface.materials)
    surface.mesh.colours.push_back(material_colour(material));
  work.triangles_before = surface.mesh.triangles.size();
  if (work.target == 0) {
    work.result.mesh = std::move(surface.mesh);
    return;
  }
  work.result = surface::simplify(surface.mesh, work.target);
  const std::size_t left = work.result.mesh.triangles.size();
  if (left > work.target)
    log(LogLevel::warning, text("--target-triangles ", work.target,
                                ": nothing more can be collapsed, which leaves ", left));
}

// ---- what to tell

std::string triple_text(const Triple& triple, const char* between) {
  return fmt::format("{:.8g}{}{:.8g}{}{:.8g}", triple[0], between, triple[1], between, triple[2]);
}

std::string from_text(const MeshArguments& arguments, const Work& work) {
  const io::VolumeShape& shape = work.shape();
  const std::string grid = work.file.grid.empty() ? "" : ", grid " + work.file.grid;
  return fmt::format("{}{}, {} x {} x {} samples of {} m", arguments.in, grid, shape.size[0],
                     shape.size[1], shape.size[2], triple_text(shape.cell, " x "));
}

std::string surface_text(const Work& work) {
  if (work.file.level_set)
    return fmt::format("level set, {} m outside its surface", number(work.isovalue));
  return fmt::format("isovalue {}; inside is what is higher", number(work.isovalue));
}

std::string origin_text(const Work& work) {
  if (work.origin == Triple{}) return "that of the volume's coordinates";
  return triple_text(work.origin, ", ") + " in the volume's coordinates, too large for a mesh";
}

std::string told(const MeshArguments& arguments, const Work& work, std::uintmax_t bytes) {
  const auto count = [](std::size_t n) { return grouped(static_cast<long long>(n)); };
  const io::Mesh& mesh = work.result.mesh;
  std::vector<std::vector<std::string>> rows = {
      {"mesh", arguments.out},
      {"size", fmt::format("{} vertices, {} triangles, {}", count(mesh.positions.size()),
                           count(mesh.triangles.size()), bytes_text(static_cast<double>(bytes)))},
      {"from", from_text(arguments, work)},
      {"surface", surface_text(work)}};
  if (work.level > 0)
    rows.push_back(
        {"level", fmt::format("{}, one sample in {} each way", work.level, 1 << work.level)});
  if (work.target > 0)
    rows.push_back(
        {"simplified", fmt::format("from {} triangles; moved by about {} m at most",
                                   count(work.triangles_before), number(work.result.error))});
  if (work.materials > 0)
    rows.push_back({"materials", fmt::format("{}, as colours", work.materials)});
  rows.push_back(
      {"extent", fmt::format("{} m to {} m", triple_text(work.shape().origin, ", "),
                             triple_text({work.end(0), work.end(1), work.end(2)}, ", "))});
  rows.push_back({"axes", fmt::format("{} up; 1 unit is 1 m: import with scale 1",
                                      io::has_y_up(arguments.out) ? "y" : "z")});
  rows.push_back({"origin", origin_text(work)});
  return table_text(rows);
}

Json answered(const MeshArguments& arguments, const Work& work, std::uintmax_t bytes) {
  const io::Mesh& mesh = work.result.mesh;
  return {{"file", arguments.out},
          {"vertices", mesh.positions.size()},
          {"triangles", mesh.triangles.size()},
          {"bytes", bytes},
          {"source", arguments.in},
          {"grid", work.file.grid},
          {"size", work.shape().size},
          {"cell", work.shape().cell},
          {"level_set", work.file.level_set},
          {"isovalue", work.isovalue},
          {"materials", work.materials},
          {"level", work.level},
          {"error", work.result.error},
          {"low", work.shape().origin},
          {"high", {work.end(0), work.end(1), work.end(2)}},
          {"up", io::has_y_up(arguments.out) ? "y" : "z"},
          {"scale", 1},
          {"origin", work.origin}};
}

}  // namespace

bool is_volume(const MeshArguments& arguments) {
  if (io::is_volume(arguments.in)) return true;
  for (const auto& [option, value] :
       {std::pair{"--grid", &arguments.grid}, std::pair{"--isovalue", &arguments.isovalue}})
    if (!value->empty())
      throw UsageError(text(option, ": only a volume (.vdb, .npy of three dimensions) has that"));
  return false;
}

int mesh_volume(Console& console, const MeshArguments& arguments) {
  Work work;
  check_words(arguments, work);
  work.file = io::read_volume(arguments.in, volume_options(arguments));
  work.isovalue = isovalue_of(arguments, work.file);
  work.origin = mesh_origin(work);
  make_mesh(arguments, work);
  io::write_mesh(arguments.out, work.result.mesh);
  const std::uintmax_t bytes = std::filesystem::file_size(arguments.out);
  console.say(told(arguments, work, bytes));
  console.answer(answered(arguments, work, bytes));
  return 0;
}

}  // namespace scree::cli
