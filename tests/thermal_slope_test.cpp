// Angle of repose: a tower becomes a pile that stands at the talus angle in every direction.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "base/angle.h"
#include "pile.h"
#include "process/heights/thermal.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr int size = 81, middle = size / 2;
constexpr double cell = 2;

// A square tower on a plain; its pile stays well inside the field.
std::vector<float> tower(double top) {
  return field_of(size, size, [&](int x, int y) {
    return std::hypot(x - middle, y - middle) <= 6 ? top : 0.0;
  });
}

// In degrees, of the pile in the middle.
double flank(const std::vector<float>& bed, double degrees) {
  return flank_of_pile(bed, size, cell, degrees);
}

struct Pile {
  std::vector<float> bed;
  long long before = 0, after = 0;
};

// At a small rate, until what still moves in a step is next to nothing.
Pile settled(const device::DevicePtr& device, const ThermalParameters& slopes, int steps,
             double wetness, double strength) {
  Landscape land =
      land_of(device, {size, size, cell, cell}, tower(60), Borders::all(BorderKind::closed));
  Heightfield& terrain = land.single();
  if (strength > 0) {
    terrain.ensure("strength", device::FieldType::float32, false);
    terrain.set_values("strength", std::vector<float>(size * size, static_cast<float>(strength)));
  }
  SimulationOptions options;
  options.dt = 1;
  Simulation simulation(land, process_list(std::make_unique<ThermalWeathering>(slopes)), options);
  if (slopes.wetness_influence > 0)
    terrain.set_values("wetness", std::vector<float>(size * size, static_cast<float>(wetness)));
  Pile pile;
  pile.before = land.sum("bed");
  simulation.run(static_cast<std::uint64_t>(steps));
  pile.after = land.sum("bed");
  pile.bed = terrain.values("bed");
  return pile;
}

ThermalParameters slow(double talus) {
  ThermalParameters p;
  p.talus = talus;
  p.rate = 0.2;  // m2/s: a twentieth of what the cell size allows a step
  return p;
}

constexpr int slow_steps = 12000;

void expect_talus(const Pile& pile, double talus) {
  EXPECT_EQ(pile.after, pile.before) << "volume";
  const auto record = [&](const char* where, double degrees) {
    ::testing::Test::RecordProperty("talus" + std::to_string(static_cast<int>(talus)) + where +
                                        std::to_string(static_cast<int>(degrees)),
                                    std::to_string(flank(pile.bed, degrees)));
  };
  for (const double degrees : {0.0, 90.0, 180.0, 270.0, 45.0, 135.0, 225.0, 315.0}) {
    EXPECT_NEAR(flank(pile.bed, degrees), talus, 0.5) << "towards " << degrees;
    record("_at", degrees);
  }
  for (const double degrees : {22.5, 67.5, 112.5, 202.5}) {
    EXPECT_NEAR(flank(pile.bed, degrees), talus, 2.5) << "towards " << degrees;
    record("_between", degrees);
  }
}

TEST(Talus, TowerBecomesAPileAtTheTalusAngle) {
  for (const double talus : {25.0, 35.0, 45.0})
    expect_talus(settled(cpu(), slow(talus), slow_steps, 0, 0), talus);
}

TEST(Talus, OnEveryBackend) {
  for (const Backend& backend : all_backends()) {
    SCOPED_TRACE(backend.label);
    expect_talus(settled(backend.device, slow(35), slow_steps, 0, 0), 35);
  }
}

// Muck 2012, table 3.1: fine sand stands at 35 degrees dry, 45 damp, 15-30 saturated.
TEST(Talus, DampSandStandsSteeperAndSoakedSandFlatter) {
  ThermalParameters slopes = slow(35);
  slopes.rate = 1;
  slopes.wetness_influence = 1;
  const auto angle = [&](double wetness) {
    return flank(settled(cpu(), slopes, 6000, wetness, 0).bed, 0);
  };
  EXPECT_NEAR(angle(0), 35, 0.7);
  EXPECT_NEAR(angle(0.3), 45, 0.7);
  EXPECT_NEAR(angle(1), 22.5, 0.7);
  EXPECT_GT(angle(0.15), 37);
  EXPECT_LT(angle(0.9), 30);
  // Half the influence: half of the change of the slope's tangent.
  slopes.wetness_influence = 0.5;
  const double half = (std::tan(35 * pi / 180) + std::tan(45 * pi / 180)) / 2;
  EXPECT_NEAR(angle(0.3), std::atan(half) * 180 / pi, 0.7);
}

TEST(Talus, StrongGroundStandsSteeper) {
  ThermalParameters slopes = slow(30);
  slopes.rate = 1;
  const auto angle = [&](double strength) {
    return flank(settled(cpu(), slopes, 6000, 0, strength).bed, 45);
  };
  const auto stretched = [](double factor) {
    return std::atan(factor * std::tan(30 * pi / 180)) * 180 / pi;
  };
  EXPECT_NEAR(angle(1), 30, 0.7);
  EXPECT_NEAR(angle(1.5), stretched(1.5), 0.7);
  EXPECT_NEAR(angle(0.5), stretched(0.5), 0.7);
  slopes.strength_influence = 0.5;
  EXPECT_NEAR(angle(1.5), stretched(1.25), 0.7);
}

}  // namespace
}  // namespace scree::testing
