// From a scene to a terrain of layers, for those who step a simulation themselves.
//
//   LoadedLayers land = load_layers(scene, device);
//   LayerSimulation simulation(*land.layers, make_processes<LayerProcess>(scene.processes),
//                              simulation_options(scene));
#pragma once

#include <memory>
#include <vector>

#include "io/raster/raster.h"
#include "scene/scene.h"
#include "terrain/layers/boreholes.h"
#include "terrain/layers/layers.h"

namespace scree {

struct LoadedLayers {
  std::unique_ptr<Layers> layers;
  Raster frame;  // size, cells and georeference of every output; no values
};

// UsageError where a rule names an unknown material or makes no sense on this ground.
LoadedLayers load_layers(const Scene& scene, const device::DevicePtr& device);

// Materials that a scene's rules name, numbered: those it describes itself come first.
class MaterialTable {
 public:
  explicit MaterialTable(const LayerRules& rules);
  // 0 for "void". UsageError with the nearest name where there is no such material.
  int number(const std::string& name, const std::string& where);
  bool is_fluid(int number) const;
  // What it becomes when it moves: its dust, or itself.
  int dust_of(int number);
  // With the dust of each, which may be more than were asked for.
  std::vector<Material> materials() const;

 private:
  int add(const MaterialSettings& settings);
  const LayerRules& rules_;
  std::vector<MaterialSettings> table_;
};

// Core samples from a .csv (a line an interval: name, x, y, from, to, material, and z) or a .json
// (a list of holes: name, x, y, z, intervals of from, to, material).
std::vector<Borehole> read_boreholes(const std::filesystem::path& file, MaterialTable& materials);

}  // namespace scree
