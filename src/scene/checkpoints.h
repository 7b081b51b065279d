// Checkpoints of a run in its folder: checkpoint-STEP.scree, the newest two.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "process/simulation.h"

namespace scree {

struct CheckpointFile {
  std::uint64_t step = 0;
  std::filesystem::path path;
};

// Newest first, whole or not.
std::vector<CheckpointFile> list_checkpoints(const std::filesystem::path& folder);

// Writes the state atomically and removes all checkpoints but this and, with keep_older, the newest
// one before it.
std::filesystem::path write_checkpoint(const std::filesystem::path& folder,
                                       const Simulation& simulation, const Heightfield& terrain,
                                       std::uint64_t fingerprint, bool keep_older);

// Puts the newest whole checkpoint into a simulation that was made from the same scene; false where
// there is none. Error where it belongs to another scene.
bool restore_newest(const std::filesystem::path& folder, Simulation& simulation,
                    Heightfield& terrain, std::uint64_t fingerprint);

// Removes what another run left there to go on from, and says so.
void remove_checkpoints(const std::filesystem::path& folder);

// Removes temporary files that a killed run of this machine left in the folder.
void remove_leftovers(const std::filesystem::path& folder);

}  // namespace scree
