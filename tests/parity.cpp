#include "parity.h"

#include <gtest/gtest.h>

#include <limits>

#include "process/heights/sheet.h"
#include "process/heights/thermal.h"
#include "process/heights/water.h"

namespace scree::testing {
namespace {

WaterParameters wet(const std::string& neighbours) {
  WaterParameters p;
  p.neighbours = neighbours;
  p.rain = 2e-4;
  p.evaporation = 1e-3;
  return p;
}

HydraulicParameters erosive() {
  HydraulicParameters p;
  p.time_acceleration = 500;
  return p;
}

template <class P, class... Args>
std::vector<ProcessPtr> one(Args&&... args) {
  std::vector<ProcessPtr> list;
  list.push_back(std::make_unique<P>(std::forward<Args>(args)...));
  return list;
}

std::vector<ProcessPtr> everything() {
  WaterParameters water = wet("8");
  water.drop_rain = 1e-3;
  water.evaporation_depth = 1e-6;
  water.rain_shape = "disc";
  water.rain_radius = 300;
  SpringParameters spring;
  HydraulicParameters erosion = erosive();
  erosion.loosening = 0.5;
  erosion.soil_to_water = true;
  erosion.constants = "material";
  auto flow = std::make_unique<Water>(water, std::vector{spring}, erosion);
  flow->track = true;
  ThermalParameters slopes;
  slopes.wetness_influence = 1;
  auto thermal = std::make_unique<ThermalWeathering>(slopes);
  thermal->track = true;
  thermal->every = 2;
  SheetParameters film;
  film.rain_shape = "strip";
  film.rain = 0.01;
  film.evaporation = 0.01;
  std::vector<ProcessPtr> list;
  list.push_back(std::move(flow));
  list.push_back(std::move(thermal));
  list.push_back(std::make_unique<SheetErosion>(film));
  return list;
}

std::map<std::string, std::uint64_t> run_on(const device::DevicePtr& device, const ParitySize& size,
                                            const ParityCase& c, int steps) {
  std::vector<float> heights = rough_heights(size.width, size.height, 60, 7);
  if (heights.size() > 500)
    for (std::size_t i = 70; i < 90; ++i) heights[i] = std::numeric_limits<float>::quiet_NaN();
  Landscape land(std::make_unique<Heightfield>(
      device, HeightfieldShape{size.width, size.height, size.dx, size.dy}, heights, size.borders));
  if (c.has_maps) add_maps(land.single());
  Simulation simulation(land, c.processes());
  simulation.run(static_cast<std::uint64_t>(steps));
  const Ledger ledger = simulation.ledger();
  EXPECT_EQ(ledger.water_error(), 0);
  EXPECT_EQ(ledger.solids_error(), 0);
  auto hashes = land.single().hashes();
  hashes["rained"] = static_cast<std::uint64_t>(ledger.rained);
  hashes["water_left"] = static_cast<std::uint64_t>(ledger.water_left);
  hashes["solids_left"] = static_cast<std::uint64_t>(ledger.solids_left);
  return hashes;
}

}  // namespace

void PrintTo(const ParityCase& c, std::ostream* out) { *out << c.name; }

std::vector<ParityCase> parity_cases() {
  std::vector<ParityCase> all;
  for (const char* n : {"4", "8"}) {
    const std::string neighbours = n;
    all.push_back({"water" + neighbours, [=] { return one<Water>(wet(neighbours)); }});
    for (const char* transport : {"flux", "euler", "maccormack"}) {
      HydraulicParameters erosion = erosive();
      erosion.transport = transport;
      all.push_back({"hydraulic" + neighbours + transport, [=] {
                       return one<Water>(wet(neighbours), std::vector<SpringParameters>{}, erosion);
                     }});
    }
  }
  HydraulicParameters text_form = erosive();
  text_form.capacity_form = "speed";
  text_form.time_acceleration = 1;
  text_form.capacity = 0.01;
  all.push_back({"hydraulic_speed",
                 [=] { return one<Water>(wet("4"), std::vector<SpringParameters>{}, text_form); }});
  all.push_back({"thermal", [] { return one<ThermalWeathering>(ThermalParameters{}); }});
  all.push_back({"sheet", [] { return one<SheetErosion>(SheetParameters{}); }});
  for (const std::string& name : further_processes())
    all.push_back({name, [=] { return standard_process(name); }});
  all.push_back({"everything", everything});
  all.back().has_maps = true;
  return all;
}

std::vector<ParitySize> parity_sizes() {
  const Borders open = Borders::all(BorderKind::open), wrap = Borders::all(BorderKind::wrap);
  const Borders mixed{BorderKind::closed, BorderKind::open, BorderKind::level, BorderKind::closed,
                      20};
  // With 16 cells a row ends where a piece of the CPU's flow step does (kernel/heights/flow_cpu.h).
  return {{1, 1, 5, 5, open},    {1, 7, 5, 8, wrap},     {16, 40, 5, 5, open},
          {17, 33, 4, 7, mixed}, {128, 128, 5, 5, open}, {257, 511, 10, 6.5, wrap}};
}

void expect_parity(const ParityCase& c, const ParitySize& size, int steps) {
  std::map<std::string, std::uint64_t> expected;
  for (const Backend& backend : all_backends()) {
    const auto hashes = run_on(backend.device, size, c, steps);
    if (expected.empty()) expected = hashes;
    EXPECT_EQ(hashes, expected) << backend.label << " at " << size.width << "x" << size.height;
  }
}

}  // namespace scree::testing
