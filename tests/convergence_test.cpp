// Results belong to the physics: neither the time step nor the grid decides how much is worn.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "process/heights/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr double extent = 1024;  // metres

// A smooth hill with a ridge, so that water gathers in hollows.
double hill(double x, double y) {
  const double u = (x - extent / 2) / extent, v = (y - extent / 2) / extent;
  return 200 * std::exp(-8 * (u * u + v * v)) * (1 + 0.3 * std::cos(9 * u) * std::sin(7 * v + 1));
}

std::vector<float> hills(int size) {
  const double cell = extent / size;
  return field_of(size, size,
                  [&](int x, int y) { return hill((x + 0.5) * cell, (y + 0.5) * cell); });
}

Landscape hilly(const device::DevicePtr& device, int size, const std::vector<float>& heights) {
  return land_of(device, {size, size, extent / size, extent / size}, heights,
                 Borders::all(BorderKind::open));
}

Simulation rainy(Landscape& land, double dt, const std::string& neighbours, double dissolve) {
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
  return Simulation(land, process_list(std::move(flow)), options);
}

// Metres dug, as a mean over all cells, wherever it was dropped again.
double worn(const device::DevicePtr& device, int size, double dt, double seconds,
            const std::string& neighbours, double dissolve) {
  Landscape land = hilly(device, size, hills(size));
  Simulation simulation = rainy(land, dt, neighbours, dissolve);
  while (simulation.time() < seconds - 1e-6) simulation.step();
  const std::vector<float> wear = land.single().values("wear");
  return std::accumulate(wear.begin(), wear.end(), 0.0) / static_cast<double>(wear.size());
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

TEST(Convergence, HalvingTheTimeStep) {
  for (const Backend& backend : one_of_each_kind()) {
    SCOPED_TRACE(backend.label);
    const int size = 64;
    const double seconds = 400;
    for (const std::string neighbours : {"4", "8"})
      for (const double rate : rates)
        expect_alike(worn(backend.device, size, 1, seconds, neighbours, rate),
                     worn(backend.device, size, 0.5, seconds, neighbours, rate), 0.05,
                     neighbours + (rate == rates[0] ? "_default" : "_slow"));
  }
}

// 128 and 512 cells over the same metres.
void compare_grids(const Backend& backend, double seconds) {
  SCOPED_TRACE(backend.label);
  const auto compare = [&](const std::string& neighbours, double rate, const std::string& what) {
    expect_alike(worn(backend.device, 128, 0, seconds, neighbours, rate),
                 worn(backend.device, 512, 0, seconds, neighbours, rate), 0.15, what);
  };
  for (const double rate : rates) compare("8", rate, rate == rates[0] ? "8_default" : "8_slow");
  compare("4", rates[0], "4_default");
}

TEST(Convergence, LongAFinerGridWearsAsMuch) { compare_grids(one_of_each_kind()[0], 300); }

// PoCL takes long for a step of the fine one: a fifth of the time.
TEST(Convergence, LongFinerGridWearsAsMuchOnOpenCl) {
  for (const Backend& backend : all_backends())
    if (!is_cpu(backend)) compare_grids(backend, 60);
}

// Not every backend ran these to the same end: they all begin alike, to the bit.
TEST(Convergence, EveryGridHasTheSameBitsOnEveryBackend) {
  struct Run {
    int size, steps;
    double dt;
  };
  for (const Run& run : {Run{64, 30, 1}, Run{64, 30, 0.5}, Run{512, 8, 0}}) {
    const std::vector<float> heights = hills(run.size);
    for (const char* neighbours : {"4", "8"}) {
      std::map<std::string, std::uint64_t> expected;
      for (const Backend& backend : all_backends()) {
        Landscape land = hilly(backend.device, run.size, heights);
        rainy(land, run.dt, neighbours, rates[0]).run(static_cast<std::uint64_t>(run.steps));
        const auto hashes = land.single().hashes();
        if (expected.empty()) expected = hashes;
        EXPECT_EQ(hashes, expected) << backend.label << " at " << run.size;
      }
    }
  }
}

}  // namespace
}  // namespace scree::testing
