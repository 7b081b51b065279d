// Water on a slope and a dam break: speeds and symmetry that have exact answers.
#include <gtest/gtest.h>

#include <cmath>

#include "process/heights/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr double gravity = 9.81;

WaterParameters flowing(const std::string& neighbours, double friction) {
  WaterParameters p;
  p.neighbours = neighbours;
  p.rain = 0;
  p.friction = friction;
  return p;
}

struct Fall {
  const char* name;
  double east, south;  // direction, unit length
};
const Fall falls[] = {{"x", 1, 0},
                      {"y", 0, 1},
                      {"diagonal", 0.70710678, 0.70710678},
                      {"22.5", 0.92387953, 0.38268343}};

// A film far from all borders, until it is steady: waves from the borders are still on their way.
double speed_in_the_middle(const device::DevicePtr& device, const Fall& fall,
                           const std::string& neighbours, double tilt, double depth,
                           double friction, double peak = 500) {
  const int size = 121;
  const double cell = 10;
  Landscape land = land_of(device, {size, size, cell, cell},
                           field_of(size, size,
                                    [&](int x, int y) {
                                      // One deep corner, far away, gives the quantum of a terrain
                                      // of that relief.
                                      if (x == size - 1 && y == 0 && peak > 1000) return 0.0;
                                      return peak - tilt * cell * (x * fall.east + y * fall.south);
                                    }),
                           Borders::all(BorderKind::closed));
  Heightfield& terrain = land.single();
  terrain.set_values("water", std::vector<float>(size * size, static_cast<float>(depth)));
  Simulation simulation(land, process_list(std::make_unique<Water>(flowing(neighbours, friction))));
  const double speed = std::sqrt(gravity * tilt * depth / friction);
  const double relaxation = depth / (friction * speed);
  while (simulation.time() < 5 * relaxation || simulation.steps_done() < 150) simulation.step();
  const int middle = size / 2;
  const double now = static_cast<double>(
      terrain.values("water")[static_cast<std::size_t>(middle * size + middle)]);
  // Give or take the rounding of a cell to whole quanta.
  EXPECT_NEAR(now, depth, depth * 0.005 + 3 * terrain.quantum().metres())
      << "the film in the middle must still be whole";
  const Discharges::Vector q = Discharges(terrain).at(middle, middle);
  EXPECT_NEAR(q.x / q.length(), fall.east, 0.01);
  EXPECT_NEAR(q.y / q.length(), fall.south, 0.01);
  return q.length() / now;
}

// The balance of gravity and quadratic friction: u = sqrt(g S d / c_f) (Darcy-Weisbach).
TEST(Film, TerminalSpeedBalancesSlopeAndFriction) {
  for (const Backend& backend : all_backends())
    for (const char* neighbours : {"4", "8"})
      for (const Fall& fall : falls) {
        SCOPED_TRACE(backend.label + ", " + neighbours + " neighbours, along " + fall.name);
        const double tilt = 0.02, depth = 0.5, friction = 0.05;
        const double expected = std::sqrt(gravity * tilt * depth / friction);
        const double speed =
            speed_in_the_middle(backend.device, fall, neighbours, tilt, depth, friction);
        EXPECT_NEAR(speed / expected, 1, 0.01);
        if (backend.device == cpu())
          RecordProperty(std::string("speed_") + neighbours + "_" + fall.name,
                         std::to_string(speed / expected));
      }
}

// A millimetre on a mountain of 4000 m: the film is a few hundred quanta, and still runs at its own
// speed.
TEST(Film, MillimetreOnASteepPeak) {
  for (const Backend& backend : all_backends())
    for (const Fall& fall : falls) {
      const double tilt = 0.5, depth = 0.001, friction = 0.05;
      const double expected = std::sqrt(gravity * tilt * depth / friction);
      const double speed =
          speed_in_the_middle(backend.device, fall, "8", tilt, depth, friction, 4000);
      EXPECT_NEAR(speed / expected, 1, 0.01) << fall.name << " on " << backend.label;
    }
}

// Films reach their terminal speed in far less than a step: they must settle, not swing about it.
TEST(Film, SettlesWithoutSwinging) {
  const int size = 41;
  const double tilt = 0.5, depth = 0.001, friction = 0.05;
  Landscape land = land_of(cpu(), {size, size, 10, 10},
                           field_of(size, size, [&](int x, int) { return 500 - tilt * 10 * x; }),
                           Borders::all(BorderKind::open));
  Heightfield& terrain = land.single();
  terrain.set_values("water", std::vector<float>(size * size, static_cast<float>(depth)));
  Simulation simulation(land, process_list(std::make_unique<Water>(flowing("8", friction))));
  simulation.run(12);
  const double expected = std::sqrt(gravity * tilt * depth / friction);
  for (int i = 0; i < 4; ++i) {
    simulation.step();
    const double q = Discharges(terrain).at(30, 20).length();
    EXPECT_NEAR(q / depth / expected, 1, 0.02) << "step " << simulation.steps_done();
  }
}

// A column of water collapses: the flood is the same in all eight directions but for the unbiased
// rounding, a few quanta a step.
class DamBreak : public ::testing::TestWithParam<const char*> {};

TEST_P(DamBreak, IsSymmetric) {
  const int size = 65, steps = 120;
  for (const Backend& backend : all_backends()) {
    SCOPED_TRACE(backend.label);
    Landscape land =
        land_of(backend.device, {size, size, 5, 5}, std::vector<float>(size * size, 100.0F),
                Borders::all(BorderKind::closed));
    Heightfield& terrain = land.single();
    terrain.set_values("water", field_of(size, size, [&](int x, int y) {
                         return std::abs(x - size / 2) <= 6 && std::abs(y - size / 2) <= 6 ? 5
                                                                                           : 0.05;
                       }));
    Simulation simulation(land, process_list(std::make_unique<Water>(flowing(GetParam(), 0.01))));
    simulation.run(steps);
    const auto water = terrain.raw("water");
    const auto at = [&](int x, int y) { return water[static_cast<std::size_t>(y * size + x)]; };
    const std::int32_t spread = *std::max_element(water.begin(), water.end()) -
                                *std::min_element(water.begin(), water.end());
    ASSERT_GT(spread, 1000) << "nothing moved";
    // Rounding is a random walk of some quanta; a bias of the scheme would be a share of the depth.
    double largest = 0, mean = 0;
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) {
        const int mx = size - 1 - x, my = size - 1 - y;
        for (const std::int32_t other : {at(mx, y), at(x, my), at(mx, my), at(y, x), at(my, mx)}) {
          const double off = std::abs(static_cast<double>(at(x, y) - other));
          largest = std::max(largest, off);
          mean += off / (5.0 * size * size);
        }
      }
    const double q = terrain.quantum().metres();
    EXPECT_LT(mean * q, 1e-4);
    EXPECT_LT(largest * q, 2e-3);
    if (backend.device == cpu()) {
      RecordProperty("mean_difference_m", std::to_string(mean * q));
      RecordProperty("largest_difference_m", std::to_string(largest * q));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Neighbours, DamBreak, ::testing::Values("4", "8"));

}  // namespace
}  // namespace scree::testing
