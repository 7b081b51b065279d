#include "run/build/build.h"

#include <gtest/gtest.h>

#include "device/field.h"
#include "run/scene_test.h"
#include "terrain/heights/heightfield.h"

namespace scree {
namespace {

using testing::cpu;

std::size_t bytes_held(const Heightfield& terrain) {
  std::size_t bytes = 0;
  for (const std::string& name : terrain.field_names())
    bytes +=
        device::cells_allocated(terrain.grid()) * (terrain.field(name).double_buffered() ? 8 : 4);
  return bytes;
}

// The estimate is looked at before anything is allocated, so it must know every field.
TEST(SceneBytes, AreThoseOfTheFieldsThatAreMade) {
  const std::string start =
      "[scene]\nsteps = 0\n[terrain]\nsize = [19, 7]\ncell = 5\n[terrain.generate]\nkind = "
      "\"cone\"\n";
  for (const std::string rest :
       {"", "[water]\n", "[water]\nneighbours = \"4\"\n", "[water]\nrain_shape = \"strip\"\n",
        "[water]\n[[water.spring]]\nrate = 1\n", "[water]\n[terrain.maps]\nrain = 1e-5\n",
        "[hydraulic]\n[terrain.maps]\nrain = 1e-5\nwater = 2\n", "[hydraulic]\nloosening = 0.5\n",
        "[hydraulic]\ntransport = \"none\"\n", "[hydraulic]\ntransport = \"euler\"\n",
        "[hydraulic]\ntransport = \"maccormack\"\n", "[sheet]\n",
        "[sheet]\nrain_shape = \"disc\"\n", "[sheet]\n[water]\n[terrain.maps]\nrain = 1e-5\n",
        "[thermal]\n", "[thermal]\nwetness_influence = 0.5\n",
        "[water]\n[thermal]\n[[output]]\nkind = \"mask\"\nmask = \"flow\"\nfile = \"f.npy\"\n"}) {
    const Scene scene = parse_scene(start + rest, "s.toml");
    LoadedTerrain loaded = load_terrain(scene, cpu());
    Landscape land(std::move(loaded.heightfield));
    const Simulation simulation(land, make_processes(scene), simulation_options(scene));
    EXPECT_EQ(scene_bytes(scene, 19, 7), bytes_held(land.single())) << rest;
  }
}

}  // namespace
}  // namespace scree
