// From a scene of voxels to its rock and what weathers it.
#pragma once

#include <vector>

#include "base/progress.h"
#include "device/device.h"
#include "scene/scene.h"

namespace scree {

// The bubbles as the weathering takes them, in the order of the scene.
std::vector<Bubble> make_bubbles(const Scene& scene);
// The regions with their maps' numbers.
std::vector<WeatherRegion> make_regions(const Scene& scene);
// The rocks with their bubbles' numbers, as materials need them.
RockSpec named_rocks(const Scene& scene);
// The same with the ground's heights (which may be a whole run by itself, and is one that can be
// cancelled) and what was read from files.
RockSpec make_rocks(const Scene& scene, const device::DevicePtr& device,
                    Progress* progress = nullptr, const CancelToken* cancel = nullptr);

}  // namespace scree
