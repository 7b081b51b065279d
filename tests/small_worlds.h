// Small worlds in which every process of a kind of terrain runs at once, for what must hold for all
// of them: states, changes from outside, balances.
#pragma once

#include <memory>
#include <vector>

#include "process/core/registry.h"
#include "process/layers/layer_simulation.h"
#include "process/voxels/voxel_simulation.h"
#include "process/voxels/weathering.h"
#include "testing.h"

namespace scree::testing {

// Rock, sand, ice and water, in which there are caves.
enum : int { cave_rock = 1, cave_sand = 2, cave_ice = 3, cave_water = 4 };
inline std::vector<Material> cave_materials() {
  std::vector<Material> m(4);
  m[0].name = "rock", m[0].talus = 60, m[0].strength = 0.3, m[0].dust = cave_sand;
  m[0].cohesion = 3000;  // some roofs fall
  m[1].name = "sand", m[1].talus = 33, m[1].strength = 0.9, m[1].loose = true, m[1].cohesion = 0;
  m[2].name = "ice", m[2].talus = 70, m[2].melting = 1, m[2].density = 900;
  m[3].name = "water", m[3].talus = 0, m[3].strength = 1, m[3].loose = m[3].fluid = true;
  m[3].erodibility = 0, m[3].cohesion = 0, m[3].density = 1000;
  return m;
}

class CaveWorld {
 public:
  static constexpr int width = 19, height = 13;

  explicit CaveWorld(const device::DevicePtr& device) : layers(device, shape(), cave_materials()) {
    layers.set_stacks(stacks());
  }
  static LayerShape shape() {
    LayerShape shape;
    shape.width = width, shape.height = height, shape.open = true;
    return shape;
  }
  // Hills of ice and sand on rock, through which a gallery leads.
  static std::vector<Stack> stacks() {
    std::vector<Stack> all;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const int rough = (x * 7919 + y * 104729) % 1500;
        Stack stack{{cave_rock, 1500 + rough}};
        if (y == 6 && x < 12) stack = {{cave_rock, 900}, {0, 700}, {cave_rock, 300 + rough}};
        stack.push_back({cave_sand, 200 + rough / 3});
        if ((x + y) % 3 == 0) stack.push_back({cave_ice, 400});
        all.push_back(stack);
      }
    return all;
  }
  static ProcessSet processes() {
    ProcessSet set;
    set.use("water", "rain", 5e-3).use("water", "neighbours", std::string("8"));
    set.use("hydraulic", "loosening", 0.5).use("slippage").use("slumping").use("melt");
    set.use("melt", "rate", 1e-2).use("melt", "altitude", -100.0);
    set.use("stones", "count", 7.0);
    set["slumping"].every = 3;
    return set;
  }
  static std::vector<LayerProcessPtr> made() { return make_processes<LayerProcess>(processes()); }

  Layers layers;
};

// A block of soft rock with a ledge and a brush, whose colluvium falls and which breaks off.
class RockWorld {
 public:
  static constexpr int side = 40;

  explicit RockWorld(const device::DevicePtr& device)
      : voxels(device, {side, side, side, 1, {}},
               {{"rock", 0.2, 0, false, {}}, {"debris", 0.5, 0, true, {}}}) {
    std::vector<std::uint32_t> words(voxels.shape().count());
    for (int z = 0; z < 30; ++z)
      for (int y = 8; y < 32; ++y)
        for (int x = 8; x < 32; ++x)
          if (z > 22 || (x > 12 && x < 19))
            words[static_cast<std::size_t>((z * side + y) * side + x)] = voxel_word(VOXEL_FULL, 1);
    voxels.set_words(words);
  }
  static ProcessSet processes() {
    WeatheringParameters parameters;
    parameters.colluvium = true;
    parameters.stability_every = 3;
    WeatherRegion brush;
    brush.at = {20, 20, 25}, brush.radius = 6, brush.rate = 3, brush.from_step = 4;
    ProcessSet set;
    set.use("weathering", WeatheringPlan{{sphere_bubble(3, 0.7)}, {brush}});
    set["weathering"].parameters = AnyParameters(parameters);
    return set;
  }
  static std::vector<VoxelProcessPtr> made() { return make_processes<VoxelProcess>(processes()); }

  Voxels voxels;
};

template <class Simulated>
bool balanced(const Simulated& simulation) {
  bool all = true;
  for (const Balance& balance : simulation.balances()) all &= balance.error() == 0;
  return all;
}

}  // namespace scree::testing
