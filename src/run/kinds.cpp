#include "run/kinds.h"

#include "base/error.h"

namespace scree {
namespace {

const std::vector<RunKind>& run_kinds() {
  static const std::vector<RunKind> kinds = {
      {"heightfield", height_outputs, check_height_run, make_height_model, height_report},
      {"layers", height_outputs, check_height_run, make_layer_model, layer_report},
      {"voxels", voxel_outputs, check_voxel_run, make_voxel_model, voxel_report},
  };
  return kinds;
}

}  // namespace

const RunKind& run_kind(const Scene& scene) {
  for (const RunKind& kind : run_kinds())
    if (scene.terrain.kind == kind.name) return kind;
  throw UsageError(text(scene.file, ": nothing runs a terrain of kind '", scene.terrain.kind, "'"));
}

}  // namespace scree
