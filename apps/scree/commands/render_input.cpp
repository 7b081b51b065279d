#include "commands/render_input.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "commands/mesh_layers.h"
#include "commands/volume_input.h"
#include "io/file/ending.h"
#include "io/volume/volume.h"
#include "print/material_colours.h"
#include "render/look/vector.h"
#include "run/layers/layer_state.h"
#include "run/memory.h"
#include "run/run_folder.h"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

bool is_mesh(const std::string& file) {
  const std::vector<std::string>& known = io::mesh_endings();
  return std::find(known.begin(), known.end(), io::ending_of(file)) != known.end();
}

bool has_area(const Mesh& mesh) {
  return std::any_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const auto& triangle) {
    const auto corner = [&](std::size_t i) {
      const auto [x, y, z] = mesh.positions[triangle[i]];
      return render::Vec3{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
    };
    return render::length(render::cross(corner(1) - corner(0), corner(2) - corner(0))) > 0;
  });
}

io::VolumeFile volume_of(const RenderArguments& arguments, const std::string& file) {
  io::VolumeOptions options;
  if (io::ending_of(file) == ".npy") {
    if (arguments.input.cell.empty())
      throw UsageError(text(file, ": does not say how large its cells are; give --cell METRES"));
    options.cell = parse_length("--cell", arguments.input.cell);
  }
  options.memory = available_memory() * 2 / 5;
  io::VolumeFile volume = read_volume_file(file, options);
  as_rock(volume);
  return volume;
}

// How many numbers there are names or rock of.
std::uint32_t numbers_of(const io::VolumeFile& volume) {
  const std::vector<std::uint32_t>& there = volume.volume.materials;
  const auto most = std::max_element(there.begin(), there.end());
  return std::max(static_cast<std::uint32_t>(volume.names.size()),
                  most == there.end() ? 0 : std::min<std::uint32_t>(*most, 255)) +
         1;
}

// Names and colours by number: those that are known, or some. A run's rock has numbers from 1 on.
std::vector<render::SectionMaterial> materials_of(const io::VolumeFile& volume) {
  std::vector<render::SectionMaterial> materials;
  for (std::uint32_t number = 0; number < numbers_of(volume); ++number) {
    const Mesh::Colour colour = material_colour(volume, number);
    render::SectionMaterial material{
        number > 0             ? text("material ", number)
        : volume.names.empty() ? "rock"
                               : "",
        static_cast<unsigned>(colour[0]) << 16 | static_cast<unsigned>(colour[1]) << 8 | colour[2]};
    if (number > 0 && number <= volume.names.size()) material.name = volume.names[number - 1];
    materials.push_back(std::move(material));
  }
  return materials;
}

}  // namespace

LayerSubject LayersInput::subject() const {
  return LayerSubject(
      layers, fields,
      [this](Mesh& mesh, const std::optional<surface::LayerCut>& cut) {
        add_stones(mesh, layers, stones, cut);
      },
      velocity);
}

RenderInput find_render_input(const RenderArguments& arguments, const render::ViewChoice& view) {
  const bool whole = !view.in_perspective();  // triangles will not do
  RenderInput input;
  if (const std::optional<std::string> layers = layers_in(arguments.in)) {
    input.file = *layers;
    const io::CheckpointReader file(*layers);
    if (fs::is_directory(arguments.in))
      RunFolder(arguments.in)
          .note_later_steps(static_cast<std::uint64_t>(file.integer("step")),
                            "the last of which it left a checkpoint, which layers are in");
    LayerSubject::Velocity velocity;
    if (std::optional<WaterVelocity> known = read_velocity(file))
      velocity = [known] { return *known; };
    Layers stacks = read_layers_file(*layers);
    std::vector<Stones::Boulder> stones = stones_of_layers(file, stacks);
    input.layers.emplace(LayersInput{std::move(stacks), fields_of_layers(file), std::move(velocity),
                                     std::move(stones), look_in(file)});
    return input;
  }
  input.file = output_of_voxels(
                   arguments.in,
                   [&](const std::string& file) {
                     return (!whole && is_mesh(file)) || io::ending_of(file) == ".vdb";
                   },
                   whole ? "a .vdb" : "a mesh or a .vdb")
                   .value_or(arguments.in);
  if (is_mesh(input.file)) {
    input.mesh = io::read_mesh(input.file);
    if (!has_area(*input.mesh))
      throw Error(text(input.file, ": expected triangles with an area, all ",
                       input.mesh->triangles.size(), " have none"));
  } else if (is_volume_file(input.file)) {
    io::VolumeFile volume = volume_of(arguments, input.file);
    std::vector<render::SectionMaterial> materials = materials_of(volume);
    const float isovalue = volume.isovalue();
    input.rock = RockSubject{std::move(volume.volume), isovalue, std::move(materials), input.file};
  } else {
    input.heights = find_heights(arguments.in, arguments.input);
    input.file = input.heights->file;
    const std::vector<float>& heights = input.heights->raster.values;
    if (std::all_of(heights.begin(), heights.end(), [](float z) { return std::isnan(z); }))
      throw Error(text(input.file, ": no cell of the ground holds data"));
  }
  return input;
}

render::Ground ground_of(MeshInput& input, bool keep_heights) {
  const auto values = [&](const char* name, bool in_its_unit) {
    const bool there = in_its_unit ? input.has_plain(name) : input.has(name);
    return there ? input.field(name) : std::vector<float>{};
  };
  render::Ground ground;
  ground.name = input.file;
  ground.width = input.raster.width;
  ground.height = input.raster.height;
  ground.dx = input.raster.dx;
  ground.dy = input.raster.dy;
  ground.water = render::with_sea(values("water", true), values("sink", true));
  ground.sediment = values("sediment", true);
  ground.deposit = values("deposit", false);
  ground.wear = values("wear", false);
  if (input.velocity) {
    WaterVelocity velocity = input.velocity();
    ground.velocity_x = std::move(velocity.east);
    ground.velocity_y = std::move(velocity.north);
  }
  ground.flow = values("flow", false);
  if (input.has_plain("flow")) normalise(ground.flow, true);
  ground.bed = keep_heights ? input.raster.values : std::move(input.raster.values);
  return ground;
}

}  // namespace scree::cli
