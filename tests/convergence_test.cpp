// Results belong to the physics: neither the time step nor the grid decides how much is worn.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "process/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr double extent = 1024;  // metres

// A smooth hill with a ridge, so that water gathers in hollows.
double hill(double x, double y) {
  const double u = (x - extent / 2) / extent, v = (y - extent / 2) / extent;
  return 200 * std::exp(-8 * (u * u + v * v)) * (1 + 0.3 * std::cos(9 * u) * std::sin(7 * v + 1));
}

struct Worn {
  double mean = 0;  // metres
  double time = 0;  // seconds
};

// Mean over all cells of what was dug, wherever it was dropped again.
Worn erode(int size, double dt, double seconds, const std::string& neighbours) {
  const double cell = extent / size;
  Landscape land = land_of(
      cpu(), {size, size, cell, cell},
      field_of(size, size, [&](int x, int y) { return hill((x + 0.5) * cell, (y + 0.5) * cell); }),
      Borders::all(BorderKind::open));
  WaterParameters water;
  water.neighbours = neighbours;
  water.rain = 5e-5;
  HydraulicParameters erosion;
  erosion.time_acceleration = 20;
  auto flow = std::make_unique<Water>(water, std::vector<SpringParameters>{}, erosion);
  flow->track = true;
  SimulationOptions options;
  options.dt = dt;
  Simulation simulation(land, process_list(std::move(flow)), options);
  while (simulation.time() < seconds - 1e-6) simulation.step();
  const std::vector<float> wear = land.single().values("wear");
  return {std::accumulate(wear.begin(), wear.end(), 0.0) / static_cast<double>(wear.size()),
          simulation.time()};
}

// On the CPU alone: parity proves that every backend gives these bits.
TEST(Convergence, HalvingTheTimeStep) {
  for (const char* neighbours : {"4", "8"}) {
    const double whole = erode(128, 1, 600, neighbours).mean,
                 half = erode(128, 0.5, 600, neighbours).mean;
    ASSERT_GT(whole, 1e-3) << "hardly anything is worn";
    EXPECT_NEAR(half / whole, 1, 0.05) << neighbours;
    RecordProperty(std::string("ratio_") + neighbours, std::to_string(half / whole));
    RecordProperty(std::string("wear_m_") + neighbours, std::to_string(whole));
  }
}

TEST(Convergence, AFinerGridWearsAsMuch) {
  for (const char* neighbours : {"4", "8"}) {
    const double coarse = erode(128, 0, 400, neighbours).mean,
                 fine = erode(512, 0, 400, neighbours).mean;
    EXPECT_NEAR(fine / coarse, 1, 0.15) << neighbours;
    RecordProperty(std::string("ratio_") + neighbours, std::to_string(fine / coarse));
    RecordProperty(std::string("wear_m_") + neighbours, std::to_string(coarse));
  }
}

}  // namespace
}  // namespace scree::testing
