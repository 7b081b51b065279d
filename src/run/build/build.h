// From a scene to a terrain and its processes, for those who step a simulation themselves.
//
//   LoadedTerrain land = load_terrain(scene, device);
//   Landscape landscape(std::move(land.heightfield));
//   Simulation simulation(landscape, make_processes(scene), simulation_options(scene));
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "io/raster/raster.h"
#include "process/heights/simulation.h"
#include "scene/scene.h"

namespace scree {

struct LoadedTerrain {
  std::unique_ptr<Heightfield> heightfield;
  Raster frame;  // size, cells, georeference and nodata of every output; no values
};

// Reads or generates heights and maps. Error where the device or this machine has too little
// memory.
LoadedTerrain load_terrain(const Scene& scene, const device::DevicePtr& device);

// The heights alone, as the scene reads or generates them. `check` is told the size before anything
// large is made.
struct LoadedGround {
  HeightfieldShape shape;
  std::vector<float> heights;
  Raster frame;
};
LoadedGround load_ground(const Scene& scene, device::Device& device,
                         const std::function<void(const HeightfieldShape&)>& check);

// The values of one of the scene's maps, by the field that it is of.
std::vector<float> map_values(const Scene& scene, const std::string& field, int width, int height);

// Masks that are asked for are tracked.
std::vector<ProcessPtr> make_processes(const Scene& scene);
SimulationOptions simulation_options(const Scene& scene);
bool tracks_masks(const Scene& scene);    // flow, wear or deposit is asked for
bool tracks_wetness(const Scene& scene);  // wetness is

// Heights of the generated landscape for a window whose first cell is world cell (x0, y0).
std::vector<float> generated_window(const Scene& scene, device::Device& device,
                                    const HeightfieldShape& shape, int x0, int y0);

// UsageError for settings that are fine alone and make no sense together.
void check_scene(const Scene& scene);

// Bytes that a terrain of this size needs on its device for this scene.
std::size_t scene_bytes(const Scene& scene, int width, int height);

// Every effective setting that decides the bits of a run, a line each; resume compares its hash.
std::string scene_text(const Scene& scene);
std::uint64_t scene_fingerprint(const Scene& scene);
// The same of a terrain with these hashes: the same settings on other heights or maps are another
// run.
std::uint64_t scene_fingerprint(const Scene& scene,
                                const std::map<std::string, std::uint64_t>& start);

}  // namespace scree
