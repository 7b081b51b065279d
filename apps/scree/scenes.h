// Scenes as the command line names them.
#pragma once

#include <string>

#include "scene/scene.h"

namespace scree::cli {

// A scene file, or a preset by its name.
Scene find_scene(const std::string& name);
// One of the presets; UsageError suggests the nearest.
Scene find_preset(const std::string& name);

}  // namespace scree::cli
