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
Worn erode(int size, double dt, double seconds, const std::string& neighbours, double dissolve) {
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
  erosion.dissolve = dissolve;
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

// The default rate, at which the flow soon carries all it can, and one so slow that the rate itself
// decides.
constexpr double rates[] = {0.05, 0.0005};

void expect_alike(double one, double other, double share, const std::string& what) {
  ASSERT_GT(one, 1e-4) << "hardly anything is worn";
  EXPECT_NEAR(other / one, 1, share) << what;
  ::testing::Test::RecordProperty("ratio_" + what, std::to_string(other / one));
  ::testing::Test::RecordProperty("wear_m_" + what, std::to_string(one));
}

// On the CPU alone: parity proves that every backend gives these bits.
TEST(Convergence, HalvingTheTimeStep) {
  for (const std::string neighbours : {"4", "8"})
    for (const double rate : rates)
      expect_alike(erode(128, 1, 400, neighbours, rate).mean,
                   erode(128, 0.5, 400, neighbours, rate).mean, 0.05,
                   neighbours + (rate == rates[0] ? "_default" : "_slow"));
}

TEST(Convergence, AFinerGridWearsAsMuch) {
  for (const double rate : rates)
    expect_alike(erode(128, 0, 300, "8", rate).mean, erode(512, 0, 300, "8", rate).mean, 0.15,
                 rate == rates[0] ? "8_default" : "8_slow");
  expect_alike(erode(128, 0, 300, "4", rates[0]).mean, erode(512, 0, 300, "4", rates[0]).mean, 0.15,
               "4_default");
}

}  // namespace
}  // namespace scree::testing
