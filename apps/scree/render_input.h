// What `render` finds behind a name.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "commands.h"
#include "io/mesh.h"
#include "mesh_input.h"
#include "render/picture_scene.h"
#include "scene/layer_pictures.h"
#include "scene/rock_pictures.h"

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
  std::optional<io::Mesh> mesh;       // or triangles
  std::optional<RockSubject> rock;    // or a volume
  std::optional<LayersInput> layers;  // or a checkpoint of layers
};

RenderInput find_render_input(const RenderArguments& arguments, const render::ViewChoice& view);

// The heights go with it where nobody needs them any more: they may be a gigabyte.
render::Ground ground_of(MeshInput& input, bool keep_heights);

}  // namespace scree::cli
