// Where water comes from and where it goes: rain of every shape, drops, springs, maps, evaporation.
// The first step on dry flat land moves nothing, so what lies there after it is what arrived.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "process/heights/sheet.h"
#include "process/heights/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr int width = 40, height = 28;
constexpr double dx = 10, dy = 8, dt = 2;  // metres, seconds

WaterParameters dry() {
  WaterParameters p;
  p.rain = 0;
  return p;
}

Landscape flat(const device::DevicePtr& device) {
  return land_of(device, {width, height, dx, dy},
                 std::vector<float>(std::size_t{width} * height, 50.0F),
                 Borders::all(BorderKind::closed));
}

// Metres of water on every cell after one step of dt; rates are large, so that quanta are many.
std::vector<float> after_a_step(const Backend& backend, ProcessPtr process,
                                const std::vector<float>& map = {}) {
  Landscape land = flat(backend.device);
  Heightfield& terrain = land.single();
  if (!map.empty()) {
    terrain.ensure("rain", device::FieldType::float32, false);
    terrain.set_values("rain", map);
  }
  SimulationOptions options;
  options.dt = dt;
  std::vector<ProcessPtr> processes;
  processes.push_back(std::move(process));
  Simulation simulation(land, std::move(processes), options);
  simulation.step();
  EXPECT_EQ(simulation.ledger().water_error(), 0);
  EXPECT_EQ(simulation.ledger().rained, land.sum("water"));
  return terrain.values("water");
}

std::vector<float> after_a_step(const Backend& backend, const WaterParameters& water,
                                const std::vector<SpringParameters>& springs = {},
                                const std::vector<float>& map = {}) {
  return after_a_step(backend, std::make_unique<Water>(water, springs), map);
}

// Metres east and south of a place that is given as a share of the world.
double east_of(int x, double share) { return (x + 0.5) * dx - share * width * dx; }
double south_of(int y, double share) { return (y + 0.5) * dy - share * height * dy; }

void expect_field(const std::vector<float>& water, const std::function<double(int, int)>& depth) {
  constexpr double quantum = 1.0 / (1 << 20);
  std::size_t i = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x, ++i) {
      const double expected = depth(x, y);
      const double found = static_cast<double>(water[i]);
      ASSERT_NEAR(found, expected, expected > 0 ? 1.01 * quantum + 1e-6 * expected : 0)
          << x << "," << y;
    }
}

TEST(Rain, FallsEverywhereInADiscOrInAStrip) {
  WaterParameters water = dry();
  water.rain = 0.01;
  water.rain_x = 0.3, water.rain_y = 0.6, water.rain_radius = 65;
  for (const Backend& backend : all_backends()) {
    SCOPED_TRACE(backend.label);
    expect_field(after_a_step(backend, water), [](int, int) { return 0.01 * dt; });
    water.rain_shape = "disc";
    expect_field(after_a_step(backend, water), [](int x, int y) {
      return std::hypot(east_of(x, 0.3), south_of(y, 0.6)) <= 65 ? 0.01 * dt : 0;
    });
    water.rain_shape = "strip";
    expect_field(after_a_step(backend, water),
                 [](int, int y) { return std::abs(south_of(y, 0.6)) <= 65 ? 0.01 * dt : 0; });
    water.rain_shape = "everywhere";
  }
}

// The same three on sheets, whose step stands for a time of its own.
TEST(Rain, OfSheetsHasTheSameShapes) {
  SheetParameters sheet;
  sheet.rain = 0.5, sheet.step = 0.04, sheet.evaporation = 0;
  sheet.rain_x = 0.3, sheet.rain_y = 0.6, sheet.rain_radius = 65;
  for (const Backend& backend : all_backends()) {
    SCOPED_TRACE(backend.label);
    const auto rained = [&](const std::string& shape) {
      sheet.rain_shape = shape;
      return after_a_step(backend, std::make_unique<SheetErosion>(sheet));
    };
    expect_field(rained("everywhere"), [](int, int) { return 0.02; });
    expect_field(rained("disc"), [](int x, int y) {
      return std::hypot(east_of(x, 0.3), south_of(y, 0.6)) <= 65 ? 0.02 : 0;
    });
    expect_field(rained("strip"),
                 [](int, int y) { return std::abs(south_of(y, 0.6)) <= 65 ? 0.02 : 0; });
  }
}

TEST(Rain, OfAMapIsAddedToTheRest) {
  WaterParameters water = dry();
  water.rain = 0.002;
  const auto rate = [](int x, int y) { return (x * 7 + y * 3) % 10 * 1e-3; };
  for (const Backend& backend : all_backends()) {
    SCOPED_TRACE(backend.label);
    expect_field(after_a_step(backend, water, {}, field_of(width, height, rate)),
                 [&](int x, int y) { return (0.002 + rate(x, y)) * dt; });
  }
}

// A spring's whole rate rises, shared by the cells of its disc; one narrower than a cell has one.
TEST(Spring, GivesItsWholeRate) {
  SpringParameters wide, narrow;
  wide.x = 0.25, wide.y = 0.5, wide.radius = 45, wide.rate = 30;
  narrow.x = 0.8, narrow.y = 0.3, narrow.radius = 0.5, narrow.rate = 2;
  const int narrow_x = static_cast<int>(0.8 * width), narrow_y = static_cast<int>(0.3 * height);
  const auto in_disc = [](int x, int y) {
    return std::hypot(east_of(x, 0.25), south_of(y, 0.5)) <= 45;
  };
  int cells = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) cells += in_disc(x, y) ? 1 : 0;
  ASSERT_GT(cells, 50);
  for (const Backend& backend : all_backends()) {
    SCOPED_TRACE(backend.label);
    expect_field(after_a_step(backend, dry(), {wide, narrow}), [&](int x, int y) {
      if (x == narrow_x && y == narrow_y) return 2 * dt / (dx * dy);
      return in_disc(x, y) ? 30 * dt / (cells * dx * dy) : 0;
    });
  }
}

// Drops are squares of their size, all of it or nothing; as many as their rate says, and never the
// same ones twice.
TEST(Drops, HaveSizeFrequencyAndIntensity) {
  WaterParameters water = dry();
  water.drop_rain = 0.02, water.drop_rate = 0.1, water.drop_size = 40;  // 4 x 5 cells
  const int columns = width / 4, rows = (height + 4) / 5;
  for (const Backend& backend : all_backends()) {
    SCOPED_TRACE(backend.label);
    std::set<std::vector<float>> seen;
    int wet = 0;
    constexpr int runs = 20;
    for (int run = 0; run < runs; ++run) {
      Landscape land = flat(backend.device);
      SimulationOptions options;
      options.dt = dt;
      options.seed = static_cast<std::uint64_t>(run + 1);
      Simulation simulation(land, process_list(std::make_unique<Water>(water)), options);
      simulation.step();
      const std::vector<float> depths = land.single().values("water");
      seen.insert(depths);
      const auto at = [&](int x, int y) {
        return static_cast<double>(depths[static_cast<std::size_t>(y * width + x)]);
      };
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) wet += at(4 * column, 5 * row) > 0 ? 1 : 0;
      expect_field(depths, [&](int x, int y) { return at(x / 4 * 4, y / 5 * 5) > 0 ? 0.02 : 0; });
    }
    EXPECT_EQ(seen.size(), std::size_t{runs});
    // 1200 squares, each wet with a chance of 0.2: a standard deviation of 14.
    EXPECT_NEAR(wet, 0.2 * runs * columns * rows, 4 * 14);
  }
}

// Muck 2012, eq 3.53, implicit, and a depth of its own; no more than is there.
TEST(Evaporation, TakesAShareAndADepth) {
  WaterParameters water = dry();
  water.evaporation = 0.03, water.evaporation_depth = 0.004;
  const auto before = [](int x, int) { return x < 3 ? 0.005 : 1.5; };
  for (const Backend& backend : all_backends()) {
    SCOPED_TRACE(backend.label);
    // In two ponds that each stand still.
    std::vector<float> bed(std::size_t{width} * height, 50.0F);
    for (int y = 0; y < height; ++y) bed[static_cast<std::size_t>(y * width + 3)] = 90;
    Landscape land =
        land_of(backend.device, {width, height, dx, dy}, bed, Borders::all(BorderKind::closed));
    Heightfield& terrain = land.single();
    terrain.set_values(
        "water", field_of(width, height, [&](int x, int y) { return x == 3 ? 0 : before(x, y); }));
    SimulationOptions options;
    options.dt = 1;
    Simulation simulation(land, process_list(std::make_unique<Water>(water)), options);
    simulation.step();
    EXPECT_GT(simulation.ledger().evaporated, 0);
    expect_field(terrain.values("water"), [&](int x, int y) {
      if (x == 3) return 0.0;
      return std::max(before(x, y) * (1 - 0.03 / 1.03) - 0.004, 0.0);
    });
  }
}

// Of a flux that is not cut short, the share that is left.
TEST(Dampening, KeepsAShareOfEveryFlux) {
  for (const char* neighbours : {"4", "8"})
    for (const Backend& backend : all_backends()) {
      SCOPED_TRACE(backend.label);
      const auto fluxes = [&](double dampening) {
        WaterParameters water = dry();
        water.neighbours = neighbours;
        water.dampening = dampening;
        Landscape land = flat(backend.device);
        land.single().set_values("water", field_of(width, height, [](int x, int y) {
                                   return 2 + 0.1 * ((x * x + y) % 7);
                                 }));
        SimulationOptions options;
        options.dt = 0.5;
        Simulation simulation(land, process_list(std::make_unique<Water>(water)), options);
        simulation.step();
        return raw_floats(land.single(), "flux.x");
      };
      const std::vector<float> whole = fluxes(0), damped = fluxes(0.25);
      double largest = 0;
      for (std::size_t i = 0; i < whole.size(); ++i) {
        const auto expected = 0.75 * static_cast<double>(whole[i]);
        EXPECT_NEAR(static_cast<double>(damped[i]), expected, 1e-6 * std::abs(expected)) << i;
        largest = std::max(largest, std::abs(expected));
      }
      EXPECT_GT(largest, 0);
    }
}

}  // namespace
}  // namespace scree::testing
