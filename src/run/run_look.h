// How a run's own reliefs and pictures tint its land, for pictures that others make of it later.
#pragma once

#include <optional>
#include <vector>

#include "io/checkpoint/checkpoint.h"
#include "render/look/relief.h"
#include "scene/output.h"

namespace scree {

// What decides an output's tints; nothing where it has none.
const render::ReliefOptions* tints_of(const OutputSettings& output);

// The tints of a run: of its last relief, else of its last picture.
render::ReliefOptions look_of(const std::vector<OutputSettings>& outputs);

// The same in a checkpoint; nothing in one from before it was kept. The light is no matter of the
// land's.
void add_look(BlockWriter& file, const render::ReliefOptions& look);
std::optional<render::ReliefOptions> read_look(const io::CheckpointReader& file);

}  // namespace scree
