// Nothing is lost: start = end + left - entered, to the quantum, after any number of steps.
#include <gtest/gtest.h>

#include <algorithm>

#include "process/heights/sheet.h"
#include "process/heights/thermal.h"
#include "process/heights/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr int width = 41, height = 33;

// Mountains around a basin that holds a lake, 200 m deep.
Landscape lake_and_hills(const device::DevicePtr& device, const Borders& borders) {
  std::vector<float> bed = rough_heights(width, height, 120, 5);
  for (int y = 8; y < 24; ++y)
    for (int x = 10; x < 30; ++x) bed[static_cast<std::size_t>(y * width + x)] -= 230;
  Landscape land = land_of(device, {width, height, 50, 40}, bed, borders);
  land.single().set_values("water", field_of(width, height, [](int x, int y) {
                             return x >= 10 && x < 30 && y >= 8 && y < 24 ? 200 : 0;
                           }));
  return land;
}

WaterParameters rainy(const std::string& neighbours) {
  WaterParameters p;
  p.neighbours = neighbours;
  p.rain = 2e-4;
  p.evaporation = 1e-5;
  p.evaporation_depth = 1e-6;
  return p;
}

std::vector<ProcessPtr> erosion_and_slopes(const std::string& neighbours,
                                           const std::string& transport) {
  HydraulicParameters erosion;
  erosion.transport = transport;
  return process_list(
      std::make_unique<Water>(rainy(neighbours), std::vector<SpringParameters>{}, erosion),
      std::make_unique<ThermalWeathering>(ThermalParameters{}));
}

void expect_closed(const Ledger& ledger) {
  EXPECT_EQ(ledger.water_error(), 0);
  EXPECT_EQ(ledger.solids_error(), 0);
}

void run_open(const Backend& backend, const std::string& neighbours) {
  SCOPED_TRACE(backend.label);
  Landscape land = lake_and_hills(backend.device, Borders::all(BorderKind::open));
  Simulation simulation(land, erosion_and_slopes(neighbours, "flux"));
  simulation.run(500);
  EXPECT_GT(land.deepest_water(), 150);  // later, slopes and rivers fill the lake
  simulation.run(9500);
  const Ledger ledger = simulation.ledger();
  expect_closed(ledger);
  // All of it happened: the zero is no zero of nothing.
  EXPECT_GT(ledger.rained, 0);
  EXPECT_GT(ledger.evaporated, 0);
  EXPECT_GT(ledger.water_left, 0);
  EXPECT_GT(ledger.solids_left, 0);
  EXPECT_EQ(ledger.advected, 0);
}

class LedgerWith : public ::testing::TestWithParam<const char*> {};

TEST_P(LedgerWith, WaterErosionAndThermalOverOpenBorders) {
  for (const Backend& backend : all_backends()) run_open(backend, GetParam());
}

// Rain and evaporation, counted by hand: a closed lake 200 m deep holds what fell on it.
TEST(LedgerOf, RainOnADeepLake) {
  for (const Backend& backend : all_backends()) {
    Landscape land = land_of(backend.device, {16, 16, 10, 10}, std::vector<float>(256, -200.0F),
                             Borders::all(BorderKind::closed));
    Heightfield& terrain = land.single();
    terrain.set_values("water", std::vector<float>(256, 200.0F));
    WaterParameters water;
    water.rain = 1e-6;  // a fraction of a quantum a step: rounding must not swallow it
    Simulation simulation(land, process_list(std::make_unique<Water>(water)));
    simulation.run(10000);
    const Ledger ledger = simulation.ledger();
    expect_closed(ledger);
    const double fallen = 1e-6 * simulation.time() / terrain.quantum().metres() * 256;
    // A sum of 2.56 million roundings has a standard deviation below 800 quanta.
    EXPECT_NEAR(static_cast<double>(ledger.rained), fallen, 4 * 800);
    EXPECT_EQ(ledger.water_now - ledger.water_start, ledger.rained);
  }
}

TEST(LedgerOf, SheetErosionOverEveryBorder) {
  SheetParameters sheet;
  sheet.rain = 0.2;
  sheet.evaporation = 0.1;
  const Borders lake{BorderKind::level, BorderKind::open, BorderKind::wrap, BorderKind::wrap, 10};
  for (const Borders& borders : {Borders::all(BorderKind::open), lake})
    for (const Backend& backend : all_backends()) {
      SCOPED_TRACE(backend.label);
      Landscape land = lake_and_hills(backend.device, borders);
      Simulation simulation(land, process_list(std::make_unique<SheetErosion>(sheet)));
      simulation.run(10000);
      expect_closed(simulation.ledger());
      EXPECT_NE(simulation.ledger().solids_left, 0);
    }
}

// Semi-Lagrangian transport makes and loses sediment; it says how much.
TEST_P(LedgerWith, SemiLagrangianTransportBooksItsError) {
  for (const char* transport : {"euler", "maccormack"})
    for (const Backend& backend : all_backends()) {
      SCOPED_TRACE(backend.label + ", " + transport);
      Landscape land = lake_and_hills(backend.device, Borders::all(BorderKind::open));
      Simulation simulation(land, erosion_and_slopes(GetParam(), transport));
      simulation.run(3000);
      const Ledger ledger = simulation.ledger();
      expect_closed(ledger);
      EXPECT_NE(ledger.advected, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Neighbours, LedgerWith, ::testing::Values("4", "8"));

// Dissolved soil that adds to the water's volume is booked in both ledgers.
TEST(LedgerOf, SoilAddedToWater) {
  HydraulicParameters erosion;
  erosion.soil_to_water = true;
  erosion.loosening = 1;
  for (const Backend& backend : all_backends()) {
    Landscape land = lake_and_hills(backend.device, Borders::all(BorderKind::open));
    Simulation simulation(land, process_list(std::make_unique<Water>(
                                    rainy("8"), std::vector<SpringParameters>(2), erosion)));
    simulation.run(1000);
    expect_closed(simulation.ledger());
    EXPECT_NE(simulation.ledger().dissolved, 0);
  }
}

}  // namespace
}  // namespace scree::testing
