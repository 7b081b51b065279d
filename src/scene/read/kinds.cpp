#include "scene/read/kinds.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"

namespace scree {

const std::vector<SceneKind>& scene_kinds() {
  static const std::vector<SceneKind> kinds = {
      {"heightfield", 2, begin_height_scene, read_height_scene},
      {"layers", 2, begin_height_scene, read_height_scene},
      {"voxels", 3, begin_voxel_scene, read_voxel_scene},
  };
  return kinds;
}

std::vector<std::string> terrain_kinds() {
  std::vector<std::string> names;
  for (const SceneKind& kind : scene_kinds()) names.emplace_back(kind.name);
  return names;
}

const SceneKind& scene_kind(const std::string& name) {
  for (const SceneKind& kind : scene_kinds())
    if (name == kind.name) return kind;
  throw UsageError(text("no kind of terrain '", name, "'", did_you_mean(name, terrain_kinds())));
}

const SceneKind& scene_kind(const SceneNode& root) {
  const SceneNode* terrain = root.find("terrain");
  const SceneNode* kind = terrain != nullptr ? terrain->find("kind") : nullptr;
  const std::vector<std::string> known = terrain_kinds();
  const bool named = kind != nullptr && kind->kind == SceneNode::Kind::text &&
                     std::find(known.begin(), known.end(), kind->text) != known.end();
  // A kind that is none of ours is refused by whoever reads the table.
  return named ? scene_kind(kind->text) : scene_kinds().front();
}

}  // namespace scree
