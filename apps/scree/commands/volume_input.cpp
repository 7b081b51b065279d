#include "commands/volume_input.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.h"
#include "io/checkpoint/checkpoint.h"
#include "io/file/ending.h"
#include "kernel/voxels/voxel.h"
#include "print/material_colours.h"
#include "run/run_folder.h"

namespace scree::cli {
namespace {

// As the run's own meshes have them: a surface at one half.
io::VolumeFile volume_of(const io::CheckpointReader& file) {
  io::VolumeFile result;
  VolumeShape& shape = result.volume.shape;
  const double cell = file.real("voxels.cell");
  for (std::size_t d = 0; d < 3; ++d) {
    shape.size[d] = static_cast<int>(file.integer(text("voxels.size.", d)));
    shape.cell[d] = cell;
    shape.origin[d] = file.real(text("voxels.origin.", d)) + cell / 2;
  }
  std::vector<std::uint32_t> words(shape.samples());
  file.read("voxels.words", words.data(), words.size() * sizeof words[0]);
  result.volume.density.resize(words.size());
  result.volume.materials.resize(words.size());
  std::transform(words.begin(), words.end(), result.volume.density.begin(),
                 [](std::uint32_t word) { return density_of(word); });
  std::transform(words.begin(), words.end(), result.volume.materials.begin(),
                 [](std::uint32_t word) { return voxel_material(word); });
  // Checkpoints did not always have them.
  if (file.has("voxels.colours")) {
    result.colours.resize(file.size("voxels.colours") / sizeof result.colours[0]);
    file.read("voxels.colours", result.colours.data(),
              result.colours.size() * sizeof result.colours[0]);
  }
  return result;
}

// What the report of its run, which lies beside it, tells of a volume's materials: their names, and
// their colours where the volume itself has none.
void add_reported_materials(const std::filesystem::path& volume, io::VolumeFile& file) {
  const FolderReport report = RunFolder::around(volume).report();
  const nlohmann::ordered_json materials =
      report.json().value("materials", nlohmann::ordered_json());
  if (!materials.is_array()) return;
  const auto word = [](const nlohmann::ordered_json& material, const char* key) {
    const bool there = material.is_object() && material.contains(key) && material[key].is_string();
    return there ? material[key].get<std::string>() : std::string();
  };
  const bool colours_too = file.colours.empty();
  for (std::size_t i = 0; i < materials.size(); ++i) {
    const std::string name = word(materials[i], "name"), srgb = word(materials[i], "colour");
    file.names.push_back(name.empty() ? text("material ", i + 1) : name);
    if (!colours_too) continue;
    const Mesh::Colour some = colour_of_number(static_cast<std::uint32_t>(i + 1));
    std::array<std::uint8_t, 3> colour = {some[0], some[1], some[2]};
    if (srgb.size() == 7) {
      const unsigned long bytes = std::strtoul(srgb.c_str() + 1, nullptr, 16);
      for (std::size_t c = 0; c < 3; ++c)
        colour[c] = static_cast<std::uint8_t>(bytes >> (16 - 8 * c) & 0xff);
    }
    file.colours.push_back(colour);
  }
}

}  // namespace

bool is_voxel_checkpoint(const std::filesystem::path& path) {
  std::error_code error;
  if (io::ending_of(path) != ".scree" || !std::filesystem::is_regular_file(path, error))
    return false;
  return holds_voxels(io::CheckpointReader(path));
}

bool holds_voxels(const io::CheckpointReader& checkpoint) { return checkpoint.has("voxels.words"); }

bool is_volume_file(const std::string& path) {
  return io::is_volume(path) || is_voxel_checkpoint(path);
}

bool as_rock(io::VolumeFile& file) {
  if (!file.amounts) return false;
  for (float& density : file.volume.density)
    density = density_of(static_cast<std::uint32_t>(
        std::lround(std::clamp(density, 0.0F, 1.0F) * static_cast<float>(VOXEL_FULL))));
  return true;
}

io::VolumeFile read_volume_file(const std::string& path, const io::VolumeOptions& options) {
  const bool checkpoint = is_voxel_checkpoint(path);
  if (checkpoint && !options.grid.empty())
    throw UsageError(text("--grid: ", path, " has no grids"));
  io::VolumeFile file =
      checkpoint ? volume_of(io::CheckpointReader(path)) : io::read_volume(path, options);
  add_reported_materials(path, file);
  return file;
}

}  // namespace scree::cli
