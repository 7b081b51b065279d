// What `render` finds behind a name.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "commands/commands.h"
#include "commands/mesh_input.h"
#include "io/mesh/mesh.h"
#include "picture/layers/layer_pictures.h"
#include "picture/voxels/rock_pictures.h"
#include "render/look/picture_scene.h"

namespace scree::cli {

struct LayersInput {
  Layers layers;
  std::map<std::string, LayerSubject::Values> fields;
  LayerSubject::Velocity velocity;
  std::vector<Stones::Boulder> stones;
  render::ReliefOptions relief;  // the tints of the run's own
  LayerSubject subject() const;
};

struct RenderInput {
  std::string file;                   // that was read
  std::optional<MeshInput> heights;   // a raster, a checkpoint, a run's folder
  std::optional<Mesh> mesh;           // or triangles
  std::optional<RockSubject> rock;    // or a volume
  std::optional<LayersInput> layers;  // or a checkpoint of layers
};

RenderInput find_render_input(const RenderArguments& arguments, const render::ViewChoice& view);

// The heights go with it where nobody needs them any more: they may be a gigabyte.
render::Ground ground_of(MeshInput& input, bool keep_heights);

}  // namespace scree::cli
