// The kinds of terrain as scene files know them: the one list of those that can be read. A kind has
// its own tables and keys; what is common to all (outputs, parameters) is in read.h.
#pragma once

#include <string>
#include <vector>

#include "scene/read/node.h"
#include "scene/scene.h"

namespace scree {

struct SceneKind {
  const char* name;  // what [terrain] kind says
  int sides;         // of a size: 2 of cells, 3 of voxels
  // What a scene of this kind is before its file says anything.
  void (*begin)(Scene& scene);
  // Reads what is in the tree over what the scene says already.
  void (*read)(const SceneNode& root, Scene& scene);
};

const std::vector<SceneKind>& scene_kinds();
// UsageError with the nearest name where there is none of that name.
const SceneKind& scene_kind(const std::string& name);
// The kind that a scene file asks for: a heightfield where it names none.
const SceneKind& scene_kind(const SceneNode& root);

void begin_height_scene(Scene& scene);
void read_height_scene(const SceneNode& root, Scene& scene);  // layers, too: they stand on heights
void begin_voxel_scene(Scene& scene);
void read_voxel_scene(const SceneNode& root, Scene& scene);

}  // namespace scree
