// Scenes as the command line names them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "commands/commands.h"
#include "run/runner.h"
#include "scene/scene.h"

namespace scree::cli {

// A scene file, or a preset by its name.
Scene find_scene(const std::string& name);
// One of the presets; UsageError suggests the nearest.
Scene find_preset(const std::string& name);

// What --set, --steps and --seed ask for; empty words change nothing.
void change_scene(Scene& scene, const std::vector<std::string>& set, const std::string& steps,
                  const std::string& seed);

// The scene that is named, with all that was asked to be changed of it.
Scene changed_scene(const RunArguments& arguments);

// What a person who pressed Ctrl-C wants to read: where the checkpoint is, and how to go on.
std::string stopped_text(const Cancelled& stopped, const std::filesystem::path& folder);

// Where and how a scene of this name runs.
RunOptions run_options(const RunArguments& arguments, const std::string& scene);

}  // namespace scree::cli
