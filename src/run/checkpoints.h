// The state of a heightfield in a checkpoint. Where checkpoints lie is RunFolder's business.
#pragma once

#include <string>

#include "io/checkpoint/checkpoint.h"
#include "io/raster/raster.h"
#include "process/heights/simulation.h"

namespace scree {

// The state of a heightfield. The frame (cells and georeference; no values) is for whoever looks at
// the checkpoint without its scene.
void add_heights(BlockWriter& file, const Simulation& simulation, const Raster& frame);

void add_frame(BlockWriter& file, const Raster& frame);
// That frame; cells of 0 m and no georeference where the checkpoint is from before it had one.
Raster read_frame(const io::CheckpointReader& file);

// A field of a checkpoint of heights (bed, sediment, water) in metres, on that frame; cells without
// data are NaN. UsageError where it is of another terrain.
Raster read_heights(const io::CheckpointReader& file, const std::string& field);

}  // namespace scree
