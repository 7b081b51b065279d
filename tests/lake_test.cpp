// A lake at rest stays at rest: level differences are integers, so every flux is exactly zero.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "process/heights/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr double shore = 4000;  // metres: the level of the lake

WaterParameters still(const std::string& neighbours) {
  WaterParameters p;
  p.neighbours = neighbours;
  p.rain = 0;
  p.friction = 0;
  return p;
}

// Rough ground with steps, from 60 m under the shore to 40 m above it.
Landscape lake(const device::DevicePtr& device, int width, int height) {
  std::vector<float> bed = rough_heights(width, height, 100, 3);
  for (float& h : bed) h += static_cast<float>(shore) - 60;
  Landscape land = land_of(device, {width, height, 5, 7}, bed, Borders::all(BorderKind::closed));
  Heightfield& terrain = land.single();
  // In quanta, so that the level is one number.
  const std::vector<std::int32_t> counts = terrain.raw("bed");
  const std::int32_t level = terrain.quantum().to_quanta(shore);
  std::vector<std::int32_t> water(counts.size());
  std::transform(counts.begin(), counts.end(), water.begin(),
                 [&](std::int32_t b) { return std::max(level - b, 0); });
  terrain.field("water").upload(terrain.device(), terrain.grid(), water);
  terrain.touch();
  return land;
}

void expect_rest(const Backend& backend, const std::string& neighbours) {
  SCOPED_TRACE(backend.label + ", " + neighbours + " neighbours");
  const int width = 37, height = 29;
  Landscape land = lake(backend.device, width, height);
  Heightfield& terrain = land.single();
  const auto bed = terrain.raw("bed"), water = terrain.raw("water");
  const auto dry = std::count(water.begin(), water.end(), 0);
  ASSERT_GT(dry, width * height / 20) << "no dry islands";
  ASSERT_LT(dry, width * height / 2) << "no lake";
  // Soil does not dissolve in water that stands still, whatever the rates.
  HydraulicParameters erosion;
  erosion.time_acceleration = 1000;
  Simulation simulation(land, process_list(std::make_unique<Water>(
                                  still(neighbours), std::vector<SpringParameters>{}, erosion)));
  simulation.run(10000);
  EXPECT_EQ(terrain.raw("bed"), bed);
  EXPECT_EQ(terrain.raw("water"), water);
  for (const char* name : {"flux.x", "flux.y", "flux.se", "flux.sw"}) {
    if (!terrain.has(name)) continue;
    const std::vector<float> flux = raw_floats(terrain, name);
    EXPECT_TRUE(std::all_of(flux.begin(), flux.end(), [](float f) { return f == 0.0F; })) << name;
  }
}

TEST(Lake, RestsOverRoughBedWithDryIslandsAtAltitude) {
  for (const char* neighbours : {"4", "8"})
    for (const Backend& backend : all_backends()) expect_rest(backend, neighbours);
}

// The smallest disturbance, one quantum, must be seen: the test above is not blind.
TEST(Lake, OneQuantumMoreIsNotRest) {
  Landscape land = lake(cpu(), 37, 29);
  Heightfield& terrain = land.single();
  auto water = terrain.raw("water");
  const auto deepest = std::max_element(water.begin(), water.end()) - water.begin();
  water[static_cast<std::size_t>(deepest)] += 1;
  terrain.field("water").upload(terrain.device(), terrain.grid(), water);
  Simulation simulation(land, process_list(std::make_unique<Water>(still("8"))));
  simulation.run(1);
  const std::vector<float> flux = raw_floats(terrain, "flux.x");
  EXPECT_TRUE(std::any_of(flux.begin(), flux.end(), [](float f) { return f != 0.0F; }));
}

}  // namespace
}  // namespace scree::testing
