#include "render_input.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/atomic_file.h"
#include "io/volume.h"
#include "material_colours.h"
#include "mesh_layers.h"
#include "scene/memory.h"
#include "surface/layer_solid.h"
#include "surface/marching_cubes.h"
#include "volume_input.h"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

bool is_mesh(const std::string& file) {
  std::string ending = fs::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::vector<std::string>& known = io::mesh_endings();
  return std::find(known.begin(), known.end(), ending) != known.end();
}

io::VolumeFile volume_of(const RenderArguments& arguments, const std::string& file) {
  io::VolumeOptions options;
  if (fs::path(file).extension() == ".npy") {
    if (arguments.input.cell.empty())
      throw UsageError(text(file, ": does not say how large its cells are; give --cell METRES"));
    options.cell = parse_length("--cell", arguments.input.cell);
  }
  options.memory = available_memory() * 2 / 5;
  return read_volume_file(file, options);
}

// The surface where the density is the volume's own isovalue.
io::Mesh surface_of(const io::VolumeFile& volume, const std::string& file) {
  const io::VolumeShape& shape = volume.volume.shape;
  const auto metres = [](double value) { return static_cast<float>(value); };
  surface::Lattice lattice{shape.size[0],
                           shape.size[1],
                           shape.size[2],
                           metres(shape.cell[0]),
                           metres(shape.cell[1]),
                           metres(shape.cell[2]),
                           0,
                           0,
                           0};
  device::DeviceOptions device;
  device.selector = "cpu";
  surface::MarchingCubes mesher(device::open_device(device));
  surface::Surface surface = mesher.extract(
      lattice, volume.volume.density, {.isovalue = volume.isovalue()}, volume.volume.materials);
  if (surface.mesh.triangles.empty())
    throw Error(text(file, ": no surface at isovalue ", volume.isovalue()));
  for (const std::uint32_t material : surface.materials)
    surface.mesh.colours.push_back(material_colour(volume, material));
  return std::move(surface.mesh);
}

}  // namespace

RenderInput find_render_input(const RenderArguments& arguments, bool whole) {
  RenderInput input;
  if (const std::optional<std::string> layers = layers_in(arguments.in)) {
    input.file = *layers;
    input.mesh = surface::layer_solid(read_layers_file(*layers));
    return input;
  }
  input.file = output_of_voxels(
                   arguments.in,
                   [&](const std::string& file) {
                     return (!whole && is_mesh(file)) || file.ends_with(".vdb");
                   },
                   whole ? "a .vdb" : "a mesh or a .vdb")
                   .value_or(arguments.in);
  if (is_mesh(input.file)) {
    input.mesh = io::read_mesh(input.file);
  } else if (is_volume_file(input.file)) {
    io::VolumeFile volume = volume_of(arguments, input.file);
    if (whole)
      input.volume = std::move(volume);
    else
      input.mesh = surface_of(volume, input.file);
  } else {
    input.heights = find_heights(arguments.in, arguments.input);
    input.file = input.heights->file;
  }
  return input;
}

render::Ground ground_of(const MeshInput& input) {
  const auto values = [&](const char* name, bool in_its_unit) {
    const bool there = in_its_unit ? input.has_plain(name) : input.has(name);
    return there ? input.field(name) : std::vector<float>{};
  };
  render::Ground ground;
  ground.width = input.raster.width;
  ground.height = input.raster.height;
  ground.dx = input.raster.dx;
  ground.dy = input.raster.dy;
  ground.bed = input.raster.values;
  ground.water = render::with_sea(values("water", true), values("sink", true));
  ground.sediment = values("sediment", true);
  ground.deposit = values("deposit", false);
  ground.wear = values("wear", false);
  if (input.velocity) {
    WaterVelocity velocity = input.velocity();
    ground.velocity_x = std::move(velocity.east);
    ground.velocity_y = std::move(velocity.north);
  }
  if (input.has("flow") && !input.has_plain("flow")) ground.flow = values("flow", false);
  return ground;
}

}  // namespace scree::cli
