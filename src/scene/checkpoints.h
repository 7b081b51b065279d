// Checkpoints of a run in its folder: checkpoint-STEP.scree, the newest two.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "io/checkpoint.h"
#include "io/raster.h"
#include "process/simulation.h"

namespace scree {

struct CheckpointFile {
  std::uint64_t step = 0;
  std::filesystem::path path;
};

// Newest first, whole or not.
std::vector<CheckpointFile> list_checkpoints(const std::filesystem::path& folder);

// Writes the state atomically and removes all checkpoints but this and, with keep_older, the newest
// one before it. The frame (cells and georeference; no values) is for whoever looks at the
// checkpoint without its scene.
std::filesystem::path write_checkpoint(const std::filesystem::path& folder,
                                       const Simulation& simulation, const Heightfield& terrain,
                                       const io::Raster& frame, std::uint64_t fingerprint,
                                       bool keep_older);

// That frame; cells of 0 m and no georeference where the checkpoint is from before it had one.
io::Raster read_frame(const io::CheckpointReader& file);

// Puts the newest whole checkpoint into a simulation that was made from the same scene; false where
// there is none. Error where it belongs to another scene.
bool restore_newest(const std::filesystem::path& folder, Simulation& simulation,
                    Heightfield& terrain, std::uint64_t fingerprint);

// Removes what another run left there to go on from, and says so.
void remove_checkpoints(const std::filesystem::path& folder);

// Removes temporary files that a killed run of this machine left in the folder.
void remove_leftovers(const std::filesystem::path& folder);

}  // namespace scree
