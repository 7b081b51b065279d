#include "commands/voxel_checkpoint.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"
#include "io/checkpoint/checkpoint.h"

namespace scree::cli {

long long VoxelCheckpoint::solid() const {
  return std::count_if(words.begin(), words.end(), [](std::uint32_t word) { return word != 0; });
}

std::string VoxelCheckpoint::hash() const {
  Hash64 hash;
  hash.update(words.data(), words.size() * sizeof words[0]);
  return hash_text(hash.digest());
}

VoxelCheckpoint read_voxel_checkpoint(const std::string& file) {
  const io::CheckpointReader reader(file);
  VoxelCheckpoint found;
  found.step = reader.integer("step");
  found.cell = reader.real("voxels.cell");
  std::size_t count = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    found.size[d] = static_cast<int>(reader.integer(text("voxels.size.", d)));
    count *= static_cast<std::size_t>(found.size[d]);
  }
  found.words.resize(count);
  reader.read("voxels.words", found.words.data(), count * sizeof found.words[0]);
  return found;
}

}  // namespace scree::cli
