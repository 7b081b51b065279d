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

// Headroom costs digits of the quantum, and nothing where it is not asked for.
TEST(TerrainRoom, IsHeadroomAboveAndBelow) {
  const std::string start =
      "[terrain]\nsize = [16, 16]\ncell = 5\n[terrain.generate]\nkind = \"cone\"\n";
  const auto terrain_of = [&](const std::string& change) {
    Scene scene = parse_scene(start, "s.toml");
    if (!change.empty()) scene.apply_override(change);
    return load_terrain(scene, cpu());
  };
  const Quantum usual = terrain_of("").heightfield->quantum();
  const Quantum same = terrain_of("terrain.room=257").heightfield->quantum();
  EXPECT_EQ(same.k, usual.k);
  EXPECT_EQ(same.datum, usual.datum);
  const LoadedTerrain roomy = terrain_of("terrain.room=2 km");
  const Box box{3, 3, 0, 2, 1, 1};
  EXPECT_EQ(roomy.heightfield->write("bed", box, {2600, -2000}).changed, 2U);
  EXPECT_THROW(terrain_of("").heightfield->write("bed", box, {2600, -2000}), UsageError);
  const std::string scrolls = "scroll.every=5";
  Scene scene = parse_scene(start, "s.toml");
  scene.apply_override(scrolls);
  const int still = load_terrain(scene, cpu()).heightfield->quantum().k;
  scene.apply_override("terrain.room=20 km");
  EXPECT_LT(load_terrain(scene, cpu()).heightfield->quantum().k, still);
}

TEST(TerrainRoom, TellsARunOnlyWhereItIsGiven) {
  Scene scene = parse_scene("[terrain.generate]\nkind = \"cone\"\n", "s.toml");
  EXPECT_EQ(scene_text(scene).find("room"), std::string::npos);
  const std::uint64_t before = scene_fingerprint(scene);
  scene.apply_override("terrain.room=2 km");
  EXPECT_NE(scene_fingerprint(scene), before);
  EXPECT_NE(scene_text(scene).find("terrain.room = 2000\n"), std::string::npos);
  EXPECT_THROW(scene.apply_override("terrain.room=0"), UsageError);
  EXPECT_THROW(scene.apply_override("terrain.room=2 s"), UsageError);
  Scene layers = parse_scene("[terrain]\nkind = \"layers\"\nroom = 300\n[slippage]\n", "s.toml");
  try {
    check_scene(layers);
    ADD_FAILURE() << "layers with room";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "s.toml: room: a terrain of layers has all the height that its quantum gives");
  }
}

}  // namespace
}  // namespace scree
