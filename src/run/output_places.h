// Inside run: where a run's outputs come to lie, asked before anything is computed.
#pragma once

#include <filesystem>
#include <vector>

#include "scene/output.h"
#include "scene/scene.h"

namespace scree {

// Files and folders that a scene reads, the scene itself among them.
std::vector<std::filesystem::path> sources_of(const Scene& scene);

// UsageError where an output would leave the folder (by its name, or over a link), take the place
// of another one, of a source or of the run's own files.
void check_places(const std::filesystem::path& folder, const std::vector<OutputSettings>& outputs,
                  const std::vector<std::filesystem::path>& sources, bool allow_outside);

// The folders in which an output leaves files.
std::vector<std::filesystem::path> folders_of(const std::filesystem::path& folder,
                                              const OutputSettings& output);

// The folder of a run that is given none: out/NAME. UsageError where the name leads out of it.
std::filesystem::path default_folder(const std::string& scene, const std::string& scene_file,
                                     bool allow_outside);

}  // namespace scree
