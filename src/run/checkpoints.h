// Checkpoints of a run in its folder: checkpoint-STEP.scree, the newest two.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "io/checkpoint/checkpoint.h"
#include "io/raster/raster.h"
#include "process/heights/simulation.h"

namespace scree {

struct CheckpointFile {
  std::uint64_t step = 0;
  std::filesystem::path path;
};

// Newest first, whole or not.
std::vector<CheckpointFile> list_checkpoints(const std::filesystem::path& folder);

// Writes what `add` puts there atomically, with step and fingerprint, and removes all checkpoints
// but this and, with keep_older, the newest one before it.
std::filesystem::path write_checkpoint(const std::filesystem::path& folder, std::uint64_t step,
                                       std::uint64_t fingerprint, bool keep_older,
                                       const std::function<void(io::CheckpointWriter&)>& add);

// The state of a heightfield. The frame (cells and georeference; no values) is for whoever looks at
// the checkpoint without its scene.
void add_heights(BlockWriter& file, const Simulation& simulation, const Raster& frame);

void add_frame(BlockWriter& file, const Raster& frame);
// That frame; cells of 0 m and no georeference where the checkpoint is from before it had one.
Raster read_frame(const io::CheckpointReader& file);

// A field of a checkpoint of heights (bed, sediment, water) in metres, on that frame; cells without
// data are NaN. UsageError where it is of another terrain.
Raster read_heights(const io::CheckpointReader& file, const std::string& field);

// Hands the newest whole checkpoint of the same run to `restore`; false where there is none.
// UsageError where it belongs to another scene.
bool restore_newest(const std::filesystem::path& folder, std::uint64_t fingerprint,
                    const std::function<void(const io::CheckpointReader&)>& restore);

// Removes what another run left there to go on from, and says so.
void remove_checkpoints(const std::filesystem::path& folder);

// Removes temporary files that a killed run of this machine left in the folder.
void remove_leftovers(const std::filesystem::path& folder);

}  // namespace scree
