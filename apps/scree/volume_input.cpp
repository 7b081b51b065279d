#include "volume_input.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "io/checkpoint.h"
#include "kernel/voxel.h"

namespace scree::cli {
namespace {

// As the run's own meshes have them: a surface at one half.
io::VolumeFile volume_of(const io::CheckpointReader& file) {
  io::VolumeFile result;
  io::VolumeShape& shape = result.volume.shape;
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

}  // namespace

bool is_voxel_checkpoint(const std::filesystem::path& path) {
  std::error_code error;
  if (path.extension() != ".scree" || !std::filesystem::is_regular_file(path, error)) return false;
  return io::CheckpointReader(path).has("voxels.words");
}

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
  if (!is_voxel_checkpoint(path)) return io::read_volume(path, options);
  if (!options.grid.empty()) throw UsageError(text("--grid: ", path, " has no grids"));
  return volume_of(io::CheckpointReader(path));
}

}  // namespace scree::cli
