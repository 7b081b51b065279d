// `mesh` of layers: the solid in a checkpoint of theirs, whole or cut.
#pragma once

#include <optional>
#include <string>

#include "commands/commands.h"
#include "surface/layers/layer_solid.h"
#include "terrain/layers/layers.h"

namespace scree::cli {

// The checkpoint of layers that a name stands for: itself, or the newest whole one in the folder of
// a run.
std::optional<std::string> layers_in(const std::string& name);
// Error where a folder has the outputs of a run of layers and no checkpoint of it: heights have no
// caves, and nobody is to lose them unawares.
void refuse_heights_of_layers(const std::string& folder);
// X,Y,X,Y of --cut.
surface::LayerCut parse_cut(const std::string& words);
Layers read_layers_file(const std::string& checkpoint);

int mesh_layers(Console& console, const MeshArguments& arguments, const std::string& checkpoint);

}  // namespace scree::cli
