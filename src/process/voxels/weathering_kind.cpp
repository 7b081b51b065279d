// What scenes, help and tables know of weathering. It is made from more than its parameters (a
// terrain and its bubbles), by whoever runs voxels.
#include "process/core/registry.h"
#include "process/voxels/weathering.h"

namespace scree {

SCREE_PROCESS(weathering) {
  ProcessKind kind{.name = "weathering",
                   .title = "Weathering of voxels",
                   .help = "rock wears where air surrounds it, falls, and piles up",
                   .parameters = AnyParameters(WeatheringParameters{})};
  kind.terrain = "voxels";
  kind.order = 60;
  kind.takes_every = false;
  return kind;
}

}  // namespace scree
