// Inside scene: tables of a scene file into the plain settings.
#pragma once

#include "scene/read/node.h"
#include "scene/scene.h"

namespace scree {

// Reads what is in the tree over what the scene says already: a file over the defaults, an override
// over the file.
void read_scene(const SceneNode& root, Scene& scene);

void read_terrain(const SceneNode& table, TerrainSettings& terrain);
void read_outputs(const SceneNode& list, std::vector<OutputSettings>& outputs);
void read_voxel_outputs(const SceneNode& list, std::vector<OutputSettings>& outputs);

// Keys of [terrain] that only layers have; [[material]]; the file that `materials` names.
void add_layer_keys(SceneKeys& keys, LayerRules& rules);
void read_materials(const SceneNode& list, LayerRules& rules);
void read_materials_file(const SceneNode& node, const std::filesystem::path& folder,
                         LayerRules& rules);

// Error where the format of its file cannot be written, or is none of ours.
void check_output_file(const OutputSettings& output);
// The same of each of them, and UsageError where two have one name.
void check_outputs(const std::vector<OutputSettings>& outputs);

// A process is switched on by its first table, unless that says enabled = false.
void read_enabled(const SceneNode& table, ProcessSettings& process);

constexpr int most_cells = 65536;  // a side

}  // namespace scree
