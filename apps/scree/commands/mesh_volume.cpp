#include "commands/mesh_volume.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "base/units.h"
#include "commands/mesh_files.h"
#include "commands/volume_input.h"
#include "commands/work_folder.h"
#include "io/file/ending.h"
#include "io/mesh/mesh.h"
#include "io/volume/volume.h"
#include "print/material_colours.h"
#include "run/memory.h"
#include "surface/blocks/blocks.h"
#include "surface/march/marching_cubes.h"
#include "surface/march/volume_lattice.h"
#include "surface/mesh/simplify.h"

namespace scree::cli {
namespace {

using Triple = std::array<double, 3>;

// Cells a side of a block where detail is mixed; its levels are 0 to 4.
constexpr int block_size = 16;

constexpr WishRules rules = {
    .most_level = 6, .most_levels = 7, .simplified_levels = false, .needs_z = true};

// What was asked for, and what came of it.
struct Work {
  MeshWishes wishes;
  io::VolumeFile file;
  double isovalue = 0;   // as a person says it: of a level set, metres outwards
  bool amounts = false;  // of rock in voxels, which have their surface where the run has it
  Triple origin{};       // where the mesh's 0, 0, 0 lies
  std::size_t materials = 0;
  std::size_t triangles_before = 0;
  std::vector<std::size_t> blocks = {};  // by level, of a view: those with triangles
  MeshFiles files;

  const VolumeShape& shape() const { return file.volume.shape; }
  double end(std::size_t d) const {
    return shape().origin[d] + (shape().size[d] - 1) * shape().cell[d];
  }
};

// ---- words

io::VolumeOptions volume_options(const MeshArguments& arguments) {
  io::VolumeOptions options;
  options.grid = arguments.grid;
  const bool has_cells = io::ending_of(arguments.in) != ".npy";
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
  return surface::lattice_of(work.shape(), work.origin);
}

float isovalue_in_file(const Work& work) {
  return static_cast<float>(work.file.level_set ? 0 - work.isovalue : work.isovalue);
}

surface::Surface full_detail(const Work& work) {
  device::DeviceOptions options;
  options.selector = "cpu";
  surface::MarchingCubes mesher(device::open_device(options));
  const Volume& volume = work.file.volume;
  return mesher.extract(lattice_of(work), volume.density, {.isovalue = isovalue_in_file(work)},
                        volume.materials);
}

std::vector<surface::BlockMesh> meshed(const Work& work, const surface::BlockGrid& grid) {
  const Volume& volume = work.file.volume;
  const surface::BlockMesher mesher(lattice_of(work), volume.density.data(), isovalue_in_file(work),
                                    volume.materials.empty() ? nullptr : volume.materials.data());
  return mesher.blocks(grid);
}

surface::Surface at_level(const Work& work, int level) {
  if (level == 0) return full_detail(work);
  surface::BlockGrid grid(lattice_of(work), std::max(16, 1 << level));
  grid.set_levels(std::vector<std::uint8_t>(grid.count(), static_cast<std::uint8_t>(level)));
  return surface::welded(meshed(work, grid));
}

surface::Surface from_viewpoint(Work& work) {
  const surface::Viewpoint& viewpoint = *work.wishes.viewpoint;
  surface::BlockGrid grid(lattice_of(work), block_size);
  grid.set_levels({viewpoint.x, viewpoint.y, viewpoint.z.value()}, work.wishes.detail);
  const std::vector<surface::BlockMesh> blocks = meshed(work, grid);
  work.blocks.assign(static_cast<std::size_t>(grid.most_level()) + 1, 0);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (!blocks[i].mesh.triangles.empty()) ++work.blocks[grid.levels()[i]];
  return surface::welded(blocks);
}

// How far triangles may be from the full detail: they stay within coarse cells, whose edges their
// vertices cut where the full detail does. What is thinner than a cell may be missing altogether.
double coarse_cell(const Work& work, std::size_t level) {
  const Triple& cell = work.shape().cell;
  const double widest = std::max({cell[0], cell[1], cell[2]});
  return level == 0 ? 0 : std::ldexp(widest, static_cast<int>(level));
}

[[noreturn]] void refuse_nothing(const MeshArguments& arguments, const Work& work) {
  const auto [low, high] =
      std::minmax_element(work.file.volume.density.begin(), work.file.volume.density.end());
  const double least = static_cast<double>(work.file.level_set ? 0 - *high : *low),
               most = static_cast<double>(work.file.level_set ? 0 - *low : *high);
  const std::string detail = work.wishes.level > 0   ? text(" and level ", work.wishes.level)
                             : work.wishes.viewpoint ? " and that detail"
                                                     : "";
  if (work.amounts) throw Error(text(arguments.in, ": no rock is left in it", detail));
  throw Error(text(arguments.in, ": no surface at isovalue ", number(work.isovalue), detail,
                   ": values run from ", number(least), " to ", number(most)));
}

Mesh coloured(surface::Surface surface, const Work& work) {
  for (const std::uint32_t material : surface.materials)
    surface.mesh.colours.push_back(material_colour(work.file, material));
  return std::move(surface.mesh);
}

// The finest mesh that is asked for, whose materials are those that are told.
Mesh first_mesh(const MeshArguments& arguments, Work& work) {
  surface::Surface surface =
      work.wishes.viewpoint ? from_viewpoint(work) : at_level(work, work.wishes.level);
  if (surface.mesh.triangles.empty()) refuse_nothing(arguments, work);
  work.materials = std::set(surface.materials.begin(), surface.materials.end()).size();
  work.triangles_before = surface.mesh.triangles.size();
  return coloured(std::move(surface), work);
}

surface::Simplified simplified(const Mesh& mesh, std::size_t target) {
  surface::Simplified fewer = surface::simplify(mesh, target);
  const std::size_t left = fewer.mesh.triangles.size();
  if (left > target)
    log(LogLevel::warning, text("--target-triangles ", target,
                                ": nothing more can be collapsed, which leaves ", left));
  return fewer;
}

void make_one(const MeshArguments& arguments, Work& work) {
  surface::Simplified mesh{first_mesh(arguments, work), 0};
  if (work.wishes.target > 0) mesh = simplified(mesh.mesh, work.wishes.target);
  auto level = static_cast<std::size_t>(work.wishes.level);
  for (std::size_t i = 0; i < work.blocks.size(); ++i)
    if (work.blocks[i] > 0) level = i;
  if (level > 0) mesh.error = coarse_cell(work, level);
  work.files = write_file(arguments.out, mesh);
}

// Of samples, not of collapsed edges, so every level is closed.
void make_levels(const MeshArguments& arguments, Work& work) {
  using Level = std::optional<surface::Simplified>;
  work.files = write_levels(arguments.out, work.wishes.levels, [&](std::size_t i) -> Level {
    if (i == 0) return surface::Simplified{first_mesh(arguments, work), 0};
    surface::Surface surface = at_level(work, static_cast<int>(i));
    const double cell = coarse_cell(work, i);
    if (!surface.mesh.triangles.empty())
      return surface::Simplified{coloured(std::move(surface), work), cell};
    log(LogLevel::warning, text("--levels ", work.wishes.levels, ": cells of ", number(cell),
                                " m leave nothing of the surface: LOD", i - 1, " is the last"));
    return {};
  });
}

// ---- what to tell

std::string triple_text(const Triple& triple, const char* between) {
  return fmt::format("{:.8g}{}{:.8g}{}{:.8g}", triple[0], between, triple[1], between, triple[2]);
}

std::string from_text(const MeshArguments& arguments, const Work& work) {
  const VolumeShape& shape = work.shape();
  const std::string grid = work.file.grid.empty() ? "" : ", grid " + work.file.grid;
  return fmt::format("{}{}, {} x {} x {} samples of {} m", arguments.in, grid, shape.size[0],
                     shape.size[1], shape.size[2], triple_text(shape.cell, " x "));
}

std::string surface_text(const Work& work) {
  if (work.file.level_set)
    return fmt::format("level set, {} m outside its surface", number(work.isovalue));
  if (work.amounts) return "the run's own: all that is left of a voxel is rock";
  return fmt::format("isovalue {}; inside is what is higher", number(work.isovalue));
}

std::string origin_text(const Work& work) {
  if (work.origin == Triple{}) return "that of the volume's coordinates";
  return triple_text(work.origin, ", ") + " in the volume's coordinates, too large for a mesh";
}

std::string told(const MeshArguments& arguments, const Work& work) {
  auto rows = file_rows(work.files, "within a cell of");
  rows.push_back({"from", from_text(arguments, work)});
  rows.push_back({"surface", surface_text(work)});
  if (work.wishes.level > 0)
    rows.push_back({"level", fmt::format("{}, one sample in {} each way", work.wishes.level,
                                         1 << work.wishes.level)});
  if (work.wishes.viewpoint)
    rows.push_back(
        {"detail",
         view_text(*work.wishes.viewpoint,
                   fmt::format("blocks of {} cells with triangles", block_size), work.blocks)});
  if (work.wishes.target > 0)
    rows.push_back({"simplified", fmt::format("from {} triangles; moved by about {} m at most",
                                              count_text(work.triangles_before),
                                              number(work.files.made[0].error))});
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

Json answered(const MeshArguments& arguments, const Work& work) {
  Json json = to_json(work.files);
  json["source"] = arguments.in;
  json["grid"] = work.file.grid;
  json["size"] = work.shape().size;
  json["cell"] = work.shape().cell;
  json["level_set"] = work.file.level_set;
  json["amounts"] = work.amounts;
  json["isovalue"] = work.amounts ? Json() : Json(work.isovalue);
  json["materials"] = work.materials;
  json["level"] = work.wishes.level;
  if (work.wishes.viewpoint) json["blocks_by_level"] = work.blocks;
  json["low"] = work.shape().origin;
  json["high"] = {work.end(0), work.end(1), work.end(2)};
  json["up"] = io::has_y_up(arguments.out) ? "y" : "z";
  json["scale"] = 1;
  json["origin"] = work.origin;
  return json;
}

}  // namespace

bool is_volume(const MeshArguments& arguments) {
  if (is_volume_file(arguments.in)) return true;
  for (const auto& [option, value] :
       {std::pair{"--grid", &arguments.grid}, std::pair{"--isovalue", &arguments.isovalue}})
    if (!value->empty())
      throw UsageError(text(option, ": only a volume (.vdb, .npy of three dimensions) has that"));
  return false;
}

int mesh_volume(Console& console, const MeshArguments& arguments) {
  Work work;
  work.wishes = parse_wishes(arguments, rules);
  prepare_folder(arguments.out);
  work.file = read_volume_file(arguments.in, volume_options(arguments));
  work.amounts = arguments.isovalue.empty() && as_rock(work.file);
  work.isovalue = isovalue_of(arguments, work.file);
  work.origin = mesh_origin(work);
  if (work.wishes.levels > 0)
    make_levels(arguments, work);
  else
    make_one(arguments, work);
  console.say(told(arguments, work));
  console.answer(answered(arguments, work));
  return 0;
}

}  // namespace scree::cli
