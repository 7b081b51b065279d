// The views of `render` that are read: maps and sections of files.
#pragma once

#include <string>
#include <vector>

#include "commands.h"
#include "render/view_choice.h"
#include "render_input.h"
#include "scene/voxel_scene.h"

namespace scree::cli {

// Everything about the view that was typed.
render::ViewChoice parse_view(const RenderArguments& arguments);

// Names and colours by number, for a legend.
std::vector<render::SectionMaterial> section_materials(const VoxelScene& scene);
// Those that the report beside a volume tells of; else the file's colours, or some.
std::vector<render::SectionMaterial> section_materials(const std::string& file,
                                                       const io::VolumeFile& volume);

// As render::settle_range.
void settle_range(const MeshInput& input, render::ViewChoice& view);

render::Picture draw_view(const render::ViewChoice& view, const RenderInput& input,
                          const render::Look& look,
                          const std::vector<render::SectionMaterial>& materials, Size pixels);

}  // namespace scree::cli
