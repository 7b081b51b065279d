// Voxels under weathering alone, stepped by hand.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "process/voxels/voxel_simulation.h"
#include "process/voxels/weathering.h"

namespace scree::testing {

inline std::vector<VoxelProcessPtr> weathering_of(WeatheringPlan plan,
                                                  WeatheringParameters parameters = {}) {
  std::vector<VoxelProcessPtr> processes;
  processes.push_back(std::make_unique<Weathering>(std::move(plan), std::move(parameters)));
  return processes;
}

class Weathered : public VoxelSimulation {
 public:
  Weathered(Voxels& terrain, std::vector<Bubble> bubbles, WeatheringParameters parameters,
            std::uint64_t seed)
      : VoxelSimulation(terrain, weathering_of({std::move(bubbles), {}}, std::move(parameters)),
                        {.seed = seed}) {}

  Weathering& process() { return dynamic_cast<Weathering&>(*processes().front()); }
  void refresh() { process().refresh(); }
  void set_regions(std::vector<WeatherRegion> regions) {
    process().set_regions(std::move(regions));
  }
  Weathering::Activity activity() { return process().activity(); }
  int rounds() { return process().rounds(); }
  // As if it had come so far.
  void set_step(std::uint64_t step) {
    Blocks kept = save_state(*this);
    kept.add_integer("step", static_cast<std::int64_t>(step));
    restore_state(*this, kept);
  }
};

}  // namespace scree::testing
