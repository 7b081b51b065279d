// The same bits everywhere: every process and all together, on every backend.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernel/arithmetic.h"
#include "process/sheet.h"
#include "process/simulation.h"
#include "process/thermal.h"
#include "process/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

struct Size {
  int width, height;
  double dx, dy;
};

const std::vector<Size> sizes{
    {1, 1, 5, 5}, {1, 7, 5, 8}, {17, 33, 4, 7}, {128, 128, 5, 5}, {257, 511, 10, 6.5}};

struct Case {
  std::string name;
  std::function<std::vector<ProcessPtr>()> processes;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

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

std::vector<Case> cases() {
  std::vector<Case> all;
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
  all.push_back({"everything", everything});
  return all;
}

Borders borders_for(std::size_t i) {
  if (i % 3 == 0) return Borders::all(BorderKind::open);
  if (i % 3 == 1) return Borders::all(BorderKind::wrap);
  return {BorderKind::closed, BorderKind::open, BorderKind::level, BorderKind::closed, 20};
}

std::map<std::string, std::uint64_t> run_on(const device::DevicePtr& device, const Size& size,
                                            const Borders& borders,
                                            std::vector<ProcessPtr> processes, int steps) {
  std::vector<float> heights = rough_heights(size.width, size.height, 60, 7);
  if (heights.size() > 500)
    for (std::size_t i = 70; i < 90; ++i) heights[i] = std::numeric_limits<float>::quiet_NaN();
  Landscape land(std::make_unique<Heightfield>(
      device, HeightfieldShape{size.width, size.height, size.dx, size.dy}, heights, borders));
  Simulation simulation(land, std::move(processes));
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

class Parity : public ::testing::TestWithParam<Case> {};

TEST_P(Parity, EqualHashesOnEveryBackend) {
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const int steps = 300;
    std::map<std::string, std::uint64_t> expected;
    for (const Backend& backend : all_backends()) {
      const auto hashes =
          run_on(backend.device, sizes[s], borders_for(s), GetParam().processes(), steps);
      if (expected.empty()) expected = hashes;
      EXPECT_EQ(hashes, expected) << backend.label << " at " << sizes[s].width << "x"
                                  << sizes[s].height;
    }
  }
}

// What the kernels stand on: correctly rounded quotients and roots, for every mantissa.
TEST(Arithmetic, InverseAndRootRoundCorrectly) {
  constexpr device::Kernel kernel{"arithmetic", "kernel/arithmetic.h"};
  const Range all{0, 0, ARITHMETIC_WIDTH, ARITHMETIC_HEIGHT};
  std::vector<std::int32_t> wrong(std::size_t{ARITHMETIC_WIDTH} * ARITHMETIC_HEIGHT);
  for (const Backend& backend : all_backends()) {
    const device::BufferPtr counts = backend.device->allocate(wrong.size() * sizeof wrong[0]);
    for (const float scale : {0x1p-80F, 0x1p-20F, 1.0F, 0x1p+20F, 0x1p+80F}) {
      backend.device->run(kernel, all, device::Arguments().add(scale).add(counts));
      backend.device->read(*counts, 0, wrong.data(), wrong.size() * sizeof wrong[0]);
      EXPECT_EQ(std::count(wrong.begin(), wrong.end(), 0), static_cast<long>(wrong.size()))
          << backend.label << " around " << scale;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Processes, Parity, ::testing::ValuesIn(cases()),
                         [](const auto& param_info) { return param_info.param.name; });

}  // namespace
}  // namespace scree::testing
