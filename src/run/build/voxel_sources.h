// Inside scene: what a scene of voxels takes from elsewhere. Ground from a heightfield (a raster,
// the folder of a run, or a scene that is run first) or from a scene of layers, solids from meshes
// and volumes.
#pragma once

#include "base/progress.h"
#include "scene/scene.h"

namespace scree {

// Ground into the rocks: heights, or voxels where it is of layers. It may be a whole run.
void add_ground(const Scene& scene, const device::DevicePtr& device, RockSpec& rocks,
                Progress* progress, const CancelToken* cancel);

// A height in metres for each column of the box, south row first. Columns without data have none of
// the ground: a height below the box.
std::vector<float> ground_heights(const Scene& scene, const device::DevicePtr& device,
                                  Progress* progress, const CancelToken* cancel);

// A number for each column, south row first; where there is no data, the one that changes nothing.
std::vector<float> load_region_map(const Scene& scene, const RegionSettings& settings);

SolidMask load_solid(const Scene& scene, const SolidSettings& solid);

}  // namespace scree
