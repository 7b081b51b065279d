// Terrains of layers in checkpoints, and out of them without their scene.
#pragma once

#include <optional>

#include "io/checkpoint/checkpoint.h"
#include "process/layers/layer_simulation.h"
#include "terrain/heights/derive.h"

namespace scree {

// Goes on from a checkpoint of layers.
void restore_layers(const BlockReader& file, LayerSimulation& simulation);

// Whether a checkpoint holds layers; and they, on a device of one's own.
bool holds_layers(const BlockReader& file);
Layers read_layers(const io::CheckpointReader& file, const device::DevicePtr& device);
// How the water on them moves, where there is any.
std::optional<WaterVelocity> read_velocity(const io::CheckpointReader& file);

}  // namespace scree
