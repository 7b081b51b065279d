// What `render` finds behind a name.
#pragma once

#include <optional>
#include <string>

#include "commands.h"
#include "io/mesh.h"
#include "io/volume.h"
#include "mesh_input.h"
#include "render/picture_scene.h"

namespace scree::cli {

struct RenderInput {
  std::string file;                      // that was read
  std::optional<MeshInput> heights;      // a raster, a checkpoint, a run's folder
  std::optional<io::Mesh> mesh;          // or triangles: a mesh, the surface of a volume
  std::optional<io::VolumeFile> volume;  // or the volume itself, where it is to be cut
};

// whole: a volume is kept as it is.
RenderInput find_render_input(const RenderArguments& arguments, bool whole);

render::Ground ground_of(const MeshInput& input);

}  // namespace scree::cli
