// Interior nodata is a wall: nothing passes it, not even diagonally between two cells that touch at
// a corner, and it comes out as nodata.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <limits>

#include "process/heights/sheet.h"
#include "process/heights/thermal.h"
#include "process/heights/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr int size = 24;

// A wall of nodata one cell thick on the diagonal: its cells touch only at their corners, the
// thinnest wall there is. South-west of it all is low, north-east of it high.
bool on_wall(int x, int y) { return x == y; }
bool above(int x, int y) { return x > y; }

Landscape divided(const device::DevicePtr& device) {
  Landscape land =
      land_of(device, {size, size, 5, 5},
              field_of(size, size,
                       [](int x, int y) {
                         if (on_wall(x, y))
                           return static_cast<double>(std::numeric_limits<float>::quiet_NaN());
                         return above(x, y) ? 90.0 + (x * 7 + y * 3) % 5 * 4 : 0.0;
                       }),
              Borders::all(BorderKind::closed));
  land.single().set_values("water",
                           field_of(size, size, [](int x, int y) { return above(x, y) ? 3 : 0; }));
  return land;
}

// Quanta of a field on the low side of the wall.
long long low_side(const Heightfield& terrain, const std::string& name) {
  const auto counts = terrain.raw(name);
  long long sum = 0;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < y; ++x) sum += counts[static_cast<std::size_t>(y * size + x)];
  return sum;
}

void expect_wall_holds(const Backend& backend, std::vector<ProcessPtr> processes) {
  SCOPED_TRACE(backend.label);
  Landscape land = divided(backend.device);
  Heightfield& terrain = land.single();
  const long long solids = low_side(terrain, "bed");
  const auto start = terrain.raw("bed");
  Simulation simulation(land, std::move(processes));
  simulation.run(300);
  EXPECT_NE(terrain.raw("bed"), start) << "nothing happened on the high side";
  EXPECT_EQ(low_side(terrain, "bed") + low_side(terrain, "sediment"), solids);
  EXPECT_EQ(low_side(terrain, "water"), 0);
  EXPECT_EQ(simulation.ledger().water_error(), 0);
  EXPECT_EQ(simulation.ledger().solids_error(), 0);
  for (const std::string& name : terrain.field_names()) {
    const std::vector<float> values = terrain.values(name);
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x)
        ASSERT_EQ(std::isnan(values[static_cast<std::size_t>(y * size + x)]), on_wall(x, y))
            << name << " at " << x << "," << y;
  }
}

class Nodata : public ::testing::TestWithParam<std::string> {
 protected:
  static std::vector<ProcessPtr> processes(const std::string& name) {
    if (name == "thermal") {
      ThermalParameters slopes;
      slopes.talus = 10;
      return process_list(std::make_unique<ThermalWeathering>(slopes));
    }
    if (name == "sheet") {
      SheetParameters sheet;
      sheet.rain = 0;
      return process_list(std::make_unique<SheetErosion>(sheet));
    }
    if (std::isdigit(static_cast<unsigned char>(name[0])) == 0) return standard_process(name);
    WaterParameters water;
    water.neighbours = name.substr(0, 1);
    water.rain = 0;
    HydraulicParameters erosion;
    erosion.transport = name.substr(1);
    return process_list(std::make_unique<Water>(water, std::vector<SpringParameters>{}, erosion));
  }
};

TEST_P(Nodata, IsAWall) {
  for (const Backend& backend : all_backends()) expect_wall_holds(backend, processes(GetParam()));
}

std::vector<std::string> cases() {
  std::vector<std::string> all = {"4flux", "8flux", "4euler", "8maccormack", "thermal", "sheet"};
  for (const std::string& name : further_processes()) all.push_back(name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Processes, Nodata, ::testing::ValuesIn(cases()));

// Land where a map has no value is as if there were no map.
TEST(Nodata, InAMapChangesNothing) {
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  Landscape land = land_of(cpu(), {4, 1, 5, 5}, {10, 20, 30, 40}, Borders::all(BorderKind::open));
  Heightfield& terrain = land.single();
  terrain.ensure("erodibility", device::FieldType::float32, false);
  terrain.set_values("erodibility", {0.5F, none, 2, none});
  EXPECT_EQ(raw_floats(terrain, "erodibility"), (std::vector<float>{0.5F, 1, 2, 1}));
  terrain.ensure("floor", device::FieldType::int32, false);
  terrain.set_values("floor", {5, none, -1e6F, 35});
  const std::vector<std::int32_t> floor = terrain.raw("floor");
  EXPECT_EQ(floor[0], terrain.quantum().to_quanta(5));
  EXPECT_EQ(floor[1], -SCREE_LEVEL_LIMIT);
  EXPECT_EQ(floor[2], -SCREE_LEVEL_LIMIT) << "so deep that nothing digs there";
  EXPECT_EQ(floor[3], terrain.quantum().to_quanta(35));
}

}  // namespace
}  // namespace scree::testing
