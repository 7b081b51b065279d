// Never blows up: parameters anywhere inside their documented ranges, processes in any combination.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>

#include "base/angle.h"
#include "process/core/registry.h"
#include "process/heights/sheet.h"
#include "process/heights/thermal.h"
#include "process/heights/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  int whole(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<unsigned>(high - low + 1));
  }
  bool coin() { return engine_() % 2 == 0; }
  double logarithmic(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }

 private:
  std::mt19937 engine_;
};

// Anywhere from the least to the most: sometimes an end, sometimes even, mostly by magnitude.
double drawn_real(Draw& draw, const ParameterInfo& info) {
  const int way = draw.whole(0, 9);
  if (way == 0) return info.least;
  if (way == 1) return info.most;
  if (way <= 4) return draw.uniform(info.least, info.most);
  const double size = draw.logarithmic(std::max(info.least, info.most * 1e-7), info.most);
  return info.least < 0 && draw.coin() ? std::max(-size, info.least) : size;
}

// Draws every parameter of a process and notes what it drew.
void draw_all(Draw& draw, Parameters& parameters, std::ostream& notes) {
  notes << "\n ";
  for (const ParameterInfo& info : parameters.list()) {
    ParameterValue value = drawn_real(draw, info);
    if (info.kind == ParameterInfo::Kind::flag) value = draw.coin();
    if (info.kind == ParameterInfo::Kind::choice)
      value = info.choices[static_cast<std::size_t>(
          draw.whole(0, static_cast<int>(info.choices.size()) - 1))];
    parameters.set(info.name, value);
    notes << ' ' << info.name << '=' << parameter_text(value);
  }
}

template <class P>
P drawn(Draw& draw, std::ostream& notes) {
  P parameters;
  draw_all(draw, parameters, notes);
  return parameters;
}

struct Scene {
  HeightfieldShape shape;
  Borders borders;
  std::vector<float> heights;
  std::vector<ProcessPtr> processes;
  double slack = 0;  // metres by which the limiters let a cell pass its neighbours
  std::string notes;
};

Borders drawn_borders(Draw& draw, double relief) {
  const auto side = [&] {
    const BorderKind kinds[] = {BorderKind::open, BorderKind::closed, BorderKind::level};
    return kinds[draw.whole(0, 2)];
  };
  Borders borders{side(), side(), side(), side(), draw.uniform(0, relief / 2)};
  if (draw.whole(0, 3) == 0) borders.west = borders.east = BorderKind::wrap;
  if (draw.whole(0, 3) == 0) borders.north = borders.south = BorderKind::wrap;
  return borders;
}

void draw_processes(Draw& draw, Scene& scene, std::ostream& notes) {
  const double cell = std::min(scene.shape.dx, scene.shape.dy);
  if (draw.whole(0, 4) > 0) {
    const auto water = drawn<WaterParameters>(draw, notes);
    std::vector<SpringParameters> springs;
    if (draw.coin()) springs.push_back(drawn<SpringParameters>(draw, notes));
    std::optional<HydraulicParameters> erosion;
    if (draw.whole(0, 4) > 0) {
      erosion = drawn<HydraulicParameters>(draw, notes);
      scene.slack = std::max(scene.slack, erosion->limiter_slack * cell);
    }
    auto flow = std::make_unique<Water>(water, springs, erosion);
    flow->track = draw.coin();
    scene.processes.push_back(std::move(flow));
  }
  if (draw.coin())
    scene.processes.push_back(
        std::make_unique<ThermalWeathering>(drawn<ThermalParameters>(draw, notes)));
  if (draw.whole(0, 2) == 0 || scene.processes.empty()) {
    const auto sheet = drawn<SheetParameters>(draw, notes);
    scene.slack = std::max(scene.slack, sheet.limiter_slack * cell);
    scene.processes.push_back(std::make_unique<SheetErosion>(sheet));
  }
  for (const std::string& name : further_processes()) {
    if (draw.whole(0, 2) > 0) continue;
    ProcessSet set;
    draw_all(draw, *set.use(name)[name].parameters, notes);
    for (ProcessPtr& process : make_processes(set)) scene.processes.push_back(std::move(process));
  }
  for (ProcessPtr& process : scene.processes) process->every = draw.whole(0, 3) == 0 ? 3 : 1;
}

Scene drawn_scene(unsigned number) {
  Draw draw(number);
  std::ostringstream notes;
  Scene scene;
  scene.shape = {draw.whole(16, 32), draw.whole(16, 32), draw.logarithmic(0.5, 100), 0};
  scene.shape.dy = draw.coin() ? scene.shape.dx : scene.shape.dx * draw.uniform(0.6, 1.6);
  const double relief = scene.shape.dx * draw.logarithmic(0.1, 30);
  scene.borders = drawn_borders(draw, relief);
  scene.heights =
      rough_heights(scene.shape.width, scene.shape.height, static_cast<float>(relief), number);
  if (draw.coin())
    for (int i = 0; i < 5; ++i)
      scene.heights[static_cast<std::size_t>(
          draw.whole(0, static_cast<int>(scene.heights.size()) - 1))] =
          std::numeric_limits<float>::quiet_NaN();
  notes << "set " << number << ": " << scene.shape.width << "x" << scene.shape.height
        << " cells of " << scene.shape.dx << "x" << scene.shape.dy << " m, relief " << relief
        << " m";
  draw_processes(draw, scene, notes);
  scene.notes = notes.str();
  return scene;
}

// The lowest and highest of the cells within reach, the middle left out.
struct Extent {
  double low = 1e30, high = -1e30;
};

Extent around(const std::vector<float>& bed, const HeightfieldShape& shape, int x, int y,
              int reach) {
  Extent found;
  for (int cy = std::max(y - reach, 0); cy <= std::min(y + reach, shape.height - 1); ++cy)
    for (int cx = std::max(x - reach, 0); cx <= std::min(x + reach, shape.width - 1); ++cx) {
      const auto h = static_cast<double>(bed[static_cast<std::size_t>(cy * shape.width + cx)]);
      if ((cx == x && cy == y) || std::isnan(h)) continue;
      found.low = std::min(found.low, h);
      found.high = std::max(found.high, h);
    }
  return found;
}

// A new pit is a cell that went down until it lies below all eight neighbours, deeper than before
// by more than the limiters' slack and a tenth of the relief around it; a new spike is one that
// was built up likewise. A cell that stands still while its surroundings wear away is neither, nor
// is a bump so flat that its sides rise by less than one in twenty-five.
void expect_no_pits(const Scene& scene, const std::vector<float>& before,
                    const std::vector<float>& after) {
  for (int y = 1; y < scene.shape.height - 1; ++y)
    for (int x = 1; x < scene.shape.width - 1; ++x) {
      const auto i = static_cast<std::size_t>(y * scene.shape.width + x);
      const double was = static_cast<double>(before[i]), is = static_cast<double>(after[i]);
      const Extent old = around(before, scene.shape, x, y, 1),
                   now = around(after, scene.shape, x, y, 1);
      if (std::isnan(was) || old.low > old.high) continue;
      const Extent wide = around(before, scene.shape, x, y, 2);
      const Extent later = around(after, scene.shape, x, y, 2);
      const double relief =
          std::max(std::max(wide.high, was) - std::min(wide.low, was), later.high - later.low);
      // Slack ratchets: a cell may pass its neighbours by it, and those theirs.
      const double allowed = std::max(6 * scene.slack + 0.1 * relief + 0.001,
                                      0.04 * std::min(scene.shape.dx, scene.shape.dy));
      const double deeper = std::min(was - is, now.low - is - std::max(old.low - was, 0.0));
      const double higher = std::min(is - was, is - now.high - std::max(was - old.high, 0.0));
      EXPECT_LE(deeper, allowed) << "pit at " << x << "," << y << ", relief " << relief << "\n"
                                 << scene.notes;
      EXPECT_LE(higher, allowed) << "spike at " << x << "," << y << ", relief " << relief << "\n"
                                 << scene.notes;
    }
}

void expect_sane(const Scene& scene, const Heightfield& terrain, const Ledger& ledger) {
  for (const char* name : {"water", "sediment"}) {
    const auto counts = terrain.raw(name);
    EXPECT_GE(*std::min_element(counts.begin(), counts.end()), 0) << name << "\n" << scene.notes;
  }
  for (const std::string& name : terrain.field_names())
    if (terrain.field(name).type() == device::FieldType::float32) {
      const auto values = raw_floats(terrain, name);
      EXPECT_TRUE(
          std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); }))
          << name << "\n"
          << scene.notes;
    }
  EXPECT_EQ(ledger.water_error(), 0) << scene.notes;
  EXPECT_EQ(ledger.solids_error(), 0) << scene.notes;
}

// Runs a set on a backend; tells the bits it ends with.
std::map<std::string, std::uint64_t> run_set(const Backend& backend, unsigned number) {
  Scene scene = drawn_scene(number);
  scene.notes += "\n  on " + backend.label;
  Landscape land = land_of(backend.device, scene.shape, scene.heights, scene.borders);
  Heightfield& terrain = land.single();
  const auto before = terrain.values("bed");
  Simulation simulation(land, std::move(scene.processes));
  simulation.run(300);
  expect_sane(scene, terrain, simulation.ledger());
  expect_no_pits(scene, before, terrain.values("bed"));
  return terrain.hashes();
}

constexpr unsigned sets = 1000, sets_a_test = 50;

class RandomSets : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomSets, NeverBlowUp) {
  const unsigned end = GetParam() + sets_a_test;
  for (unsigned number = GetParam(); number < end && !HasFailure(); ++number) {
    std::map<std::string, std::uint64_t> expected;
    for (const Backend& backend : all_backends()) {
      const auto hashes = run_set(backend, number);
      if (expected.empty()) expected = hashes;
      // Whatever the parameters, bits are the same.
      EXPECT_EQ(hashes, expected) << "set " << number << " on " << backend.label;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Thousand, RandomSets, ::testing::Range(0U, sets, sets_a_test));

// Share of the variance about the local mean that alternates in sign along x, along y or both.
double checkerboard(const std::vector<float>& bed, int size, int kx, int ky) {
  double wave = 0, energy = 0;
  for (int y = 1; y < size - 1; ++y)
    for (int x = 1; x < size - 1; ++x) {
      const auto at = [&](int dx, int dy) {
        return static_cast<double>(bed[static_cast<std::size_t>((y + dy) * size + x + dx)]);
      };
      // High-pass by the five-point Laplacian, whose response is largest at the Nyquist modes.
      const double high = at(0, 0) - (at(1, 0) + at(-1, 0) + at(0, 1) + at(0, -1)) / 4;
      wave += high * ((kx * x + ky * y) % 2 == 0 ? 1 : -1);
      energy += high * high;
    }
  return energy > 0 ? wave * wave / ((size - 2) * (size - 2)) / energy : 0;
}

void long_run(const Backend& backend, const std::string& neighbours) {
  SCOPED_TRACE(backend.label);
  // PoCL takes its time.
  const int size = is_cpu(backend) ? 40 : 24, steps = is_cpu(backend) ? 100000 : 25000;
  Landscape land = land_of(backend.device, {size, size, 10, 10}, rough_heights(size, size, 150, 21),
                           Borders::all(BorderKind::open));
  WaterParameters water;
  water.neighbours = neighbours;
  water.rain = 1e-4;
  HydraulicParameters erosion;
  Simulation simulation(
      land, process_list(std::make_unique<Water>(water, std::vector<SpringParameters>{}, erosion),
                         std::make_unique<ThermalWeathering>(ThermalParameters{})));
  simulation.run(static_cast<std::uint64_t>(steps));
  EXPECT_EQ(simulation.ledger().water_error(), 0);
  EXPECT_EQ(simulation.ledger().solids_error(), 0);
  const auto bed = land.single().values("bed"), water_depth = land.single().values("water");
  // White noise puts 1 / cells of its energy into any one mode, rough ground some times that.
  const double most = 30.0 / ((size - 2) * (size - 2));
  for (const auto& [kx, ky] : {std::pair(1, 0), std::pair(0, 1), std::pair(1, 1)}) {
    EXPECT_LT(checkerboard(bed, size, kx, ky), most) << "bed, mode " << kx << ky;
    EXPECT_LT(checkerboard(water_depth, size, kx, ky), most) << "water, mode " << kx << ky;
    ::testing::Test::RecordProperty("bed_" + std::to_string(kx) + std::to_string(ky),
                                    std::to_string(checkerboard(bed, size, kx, ky)));
    ::testing::Test::RecordProperty("water_" + std::to_string(kx) + std::to_string(ky),
                                    std::to_string(checkerboard(water_depth, size, kx, ky)));
  }
}

// Those of OpenCL, which take longest, run beside the others.
void long_runs(bool on_cpu, const std::string& neighbours) {
  for (const Backend& backend : one_of_each_kind())
    if (is_cpu(backend) == on_cpu) long_run(backend, neighbours);
}

TEST(Stability, LongRunHasNoCheckerboard4) { long_runs(true, "4"); }
TEST(Stability, LongRunHasNoCheckerboard8) { long_runs(true, "8"); }
TEST(Stability, LongRunHasNoCheckerboard4OnOpenCl) { long_runs(false, "4"); }
TEST(Stability, LongRunHasNoCheckerboard8OnOpenCl) { long_runs(false, "8"); }

TEST(Stability, CheckerboardIsSeen) {
  const int size = 40;
  const auto board = field_of(size, size, [](int x, int y) { return 0.3 * x + ((x + y) % 2); });
  EXPECT_GT(checkerboard(board, size, 1, 1), 0.9);
  EXPECT_LT(checkerboard(rough_heights(size, size, 150, 21), size, 1, 1), 0.02);
}

}  // namespace
}  // namespace scree::testing
