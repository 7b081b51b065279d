// What decides how fast ground wears: the map of erodibility, fresh deposits and how they recover,
// and a floor below which nothing digs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "process/heights/sheet.h"
#include "process/heights/thermal.h"
#include "process/heights/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr int width = 32, height = 24;
constexpr double cell = 10;

WaterParameters dry() {
  WaterParameters p;
  p.rain = 0;
  return p;
}

// A plane under half a metre of water: every inner cell wears alike.
Landscape wet_plane(const device::DevicePtr& device) {
  Landscape land = land_of(device, {width, height, cell, cell},
                           field_of(width, height, [](int x, int) { return 80 - 0.1 * cell * x; }),
                           Borders::all(BorderKind::open));
  land.single().set_values("water", std::vector<float>(std::size_t{width} * height, 0.5F));
  return land;
}

Simulation eroding(Landscape& land, const HydraulicParameters& erosion, double dt = 0.5) {
  auto flow = std::make_unique<Water>(dry(), std::vector<SpringParameters>{}, erosion);
  flow->track = true;
  SimulationOptions options;
  options.dt = dt;
  return Simulation(land, process_list(std::move(flow)), options);
}

// So slow that no limiter cuts what a factor asks for.
HydraulicParameters slow() {
  HydraulicParameters p;
  p.time_acceleration = 10;
  return p;
}

// Wear of the inner cells of the northern and the southern half in a step.
struct Halves {
  double north = 0, south = 0;
};

Halves worn(const Heightfield& terrain) {
  const std::vector<float> wear = terrain.values("wear");
  Halves found;
  for (int y = 2; y < height - 2; ++y)
    for (int x = 2; x < width - 2; ++x) {
      double& half = y < height / 2 ? found.north : found.south;
      half += static_cast<double>(wear[static_cast<std::size_t>(y * width + x)]);
    }
  return found;
}

std::vector<float> by_halves(double north, double south) {
  return field_of(width, height, [&](int, int y) { return y < height / 2 ? north : south; });
}

TEST(Erodibility, OfAMapIsAFactorOnWear) {
  for (const Backend& backend : all_backends()) {
    SCOPED_TRACE(backend.label);
    for (const double factor : {0.0, 0.5, 3.0}) {
      Landscape land = wet_plane(backend.device);
      land.single().ensure("erodibility", device::FieldType::float32, false);
      land.single().set_values("erodibility", by_halves(factor, 1));
      Simulation simulation = eroding(land, slow());
      simulation.step();
      const Halves found = worn(land.single());
      ASSERT_GT(found.south, 1e-3) << "hardly anything is worn";
      EXPECT_NEAR(found.north / found.south, factor, 0.002 * factor);
    }
  }
}

TEST(Looseness, IsAFactorOnWearToo) {
  HydraulicParameters erosion = slow();
  erosion.loosening = 0.5;
  for (const Backend& backend : all_backends()) {
    SCOPED_TRACE(backend.label);
    Landscape land = wet_plane(backend.device);
    Simulation simulation = eroding(land, erosion);
    land.single().set_values("looseness", by_halves(3, 1));
    simulation.step();
    const Halves found = worn(land.single());
    ASSERT_GT(found.south, 1e-3) << "hardly anything is worn";
    EXPECT_NEAR(found.north / found.south, 3, 0.01);
  }
}

// Muddy water stands still, its load settles and loosens the ground (or, below zero, firms it) by
// as much as has settled, up to a limit; once the water is gone the ground recovers at its rate.
void expect_change_and_recovery(const Backend& backend, double loosening, double limit) {
  SCOPED_TRACE(backend.label);
  HydraulicParameters erosion;
  erosion.loosening = loosening;
  erosion.recovery = 0.01;
  erosion.loosest = std::max(limit, 1.0);
  erosion.firmest = std::min(limit, 1.0);
  erosion.limiter_slack = 0.05;
  erosion.min_tilt = 0;
  Landscape land = land_of(backend.device, {width, height, cell, cell},
                           std::vector<float>(std::size_t{width} * height, 20.0F),
                           Borders::all(BorderKind::closed));
  Heightfield& terrain = land.single();
  terrain.set_values("water", std::vector<float>(std::size_t{width} * height, 1.0F));
  terrain.set_values("sediment", field_of(width, height, [](int x, int) { return 0.002 * x; }));
  Simulation simulation = eroding(land, erosion);
  simulation.run(30);
  const std::vector<float> laid = terrain.values("deposit"), loose = terrain.values("looseness");
  EXPECT_GT(*std::max_element(laid.begin(), laid.end()), 0.03F);
  const auto bounded = [&](double value) {
    return std::clamp(value, std::min(limit, 1.0), std::max(limit, 1.0));
  };
  int limited = 0;
  for (std::size_t i = 0; i < laid.size(); ++i) {
    const double expected = bounded(1 + loosening * static_cast<double>(laid[i]));
    ASSERT_NEAR(static_cast<double>(loose[i]), expected, 1e-4) << i;
    limited += expected == limit ? 1 : 0;
  }
  EXPECT_GT(limited, 0);
  EXPECT_LT(limited, width * height / 2);
  // Dry, and without mud that could settle further.
  terrain.set_values("water", std::vector<float>(std::size_t{width} * height, 0.0F));
  terrain.set_values("sediment", std::vector<float>(std::size_t{width} * height, 0.0F));
  simulation.run(40);  // 20 s
  const std::vector<float> later = terrain.values("looseness");
  for (std::size_t i = 0; i < later.size(); ++i) {
    const double was = static_cast<double>(loose[i]);
    const double expected = was > 1 ? std::max(was - 0.2, 1.0) : std::min(was + 0.2, 1.0);
    ASSERT_NEAR(static_cast<double>(later[i]), expected, 1e-4) << i;
  }
}

TEST(Looseness, FollowsDepositsAndRecoversWhileDry) {
  for (const Backend& backend : all_backends()) {
    expect_change_and_recovery(backend, 12, 1.4);
    expect_change_and_recovery(backend, -12, 0.6);
  }
}

// Nothing digs below the floor, not by a quantum, and all of it is dug down to it somewhere.
void expect_floor_holds(const Backend& backend, const std::string& what) {
  SCOPED_TRACE(backend.label + ", " + what);
  Landscape land = wet_plane(backend.device);
  Heightfield& terrain = land.single();
  const std::vector<float> bed = terrain.values("bed");
  std::vector<float> floor;
  std::transform(bed.begin(), bed.end(), std::back_inserter(floor),
                 [](float b) { return b - 0.02F; });
  terrain.ensure("floor", device::FieldType::int32, false);
  terrain.set_values("floor", floor);
  std::vector<ProcessPtr> processes;
  if (what == "hydraulic") {
    processes = process_list(
        std::make_unique<Water>(dry(), std::vector<SpringParameters>{}, HydraulicParameters{}));
  } else if (what == "sheet") {
    SheetParameters sheet;
    sheet.rain = 1;
    processes = process_list(std::make_unique<SheetErosion>(sheet));
  } else {
    ThermalParameters slopes;
    slopes.talus = 1;
    processes = process_list(std::make_unique<ThermalWeathering>(slopes));
  }
  Simulation simulation(land, std::move(processes));
  simulation.run(60);
  const std::vector<std::int32_t> low = terrain.raw("floor"), now = terrain.raw("bed");
  int bare = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    ASSERT_GE(now[i], low[i]) << i;
    // Slopes give an eighth of what lies above their floor over an edge, at most.
    bare += now[i] - low[i] < 8 ? 1 : 0;
  }
  EXPECT_GT(bare, 0);
  EXPECT_EQ(simulation.ledger().solids_error(), 0);
}

TEST(Floor, IsNotDugInto) {
  for (const Backend& backend : all_backends())
    for (const char* what : {"hydraulic", "sheet", "thermal"}) expect_floor_holds(backend, what);
}

}  // namespace
}  // namespace scree::testing
