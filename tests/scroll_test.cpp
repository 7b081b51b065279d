// Scrolling: the window moves over an endless landscape. What stays in view keeps its state bit for
// bit, and what leaves and enters is booked.
#include <gtest/gtest.h>

#include <numeric>

#include "process/heights/sheet.h"
#include "process/heights/thermal.h"
#include "process/heights/water.h"
#include "terrain/heights/generate.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr int width = 48, height = 40;
constexpr HeightfieldShape window{width, height, 6, 6};

// The endless landscape, seen through a window whose first cell is (x0, y0).
std::vector<float> view(device::Device& device, int x0, int y0) {
  GenerateParameters land;
  land.relief = 80;
  land.feature_size = 150;
  return generate_heights(device, land, window, 7, x0, y0, width, height);
}

// Not Quantum::for_range of one window: every window must agree.
Landscape first_view(const device::DevicePtr& device) {
  return Landscape(std::make_unique<Heightfield>(device, window, view(*device, 0, 0),
                                                 Borders::all(BorderKind::open),
                                                 Quantum::for_range(-200, 300)));
}

std::vector<ProcessPtr> sheet() {
  SheetParameters film;
  film.rain = 0.3;
  film.evaporation = 0.1;
  return process_list(std::make_unique<SheetErosion>(film));
}

std::vector<ProcessPtr> water_and_slopes() {
  WaterParameters water;
  water.rain = 3e-4;
  HydraulicParameters erosion;
  erosion.loosening = 0.5;
  auto flow = std::make_unique<Water>(water, std::vector<SpringParameters>{}, erosion);
  flow->track = true;
  return process_list(std::move(flow), std::make_unique<ThermalWeathering>(ThermalParameters{}));
}

struct Move {
  int east, south;
};
const Move moves[] = {{0, -3}, {5, 0}, {-2, 4}, {width - 1, 0}, {0, height + 7}};

void expect_kept(const std::vector<std::int32_t>& before, const std::vector<std::int32_t>& after,
                 const Move& move, const std::string& name) {
  int compared = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int ox = x + move.east, oy = y + move.south;
      if (ox < 0 || oy < 0 || ox >= width || oy >= height) continue;
      ++compared;
      ASSERT_EQ(after[static_cast<std::size_t>(y * width + x)],
                before[static_cast<std::size_t>(oy * width + ox)])
          << name << " at " << x << "," << y;
    }
  EXPECT_EQ(compared,
            std::max(0, width - std::abs(move.east)) * std::max(0, height - std::abs(move.south)));
}

// The bits of any field, as integers.
std::map<std::string, std::vector<std::int32_t>> bits_of(const Heightfield& terrain) {
  std::map<std::string, std::vector<std::int32_t>> all;
  for (const std::string& name : terrain.field_names()) {
    if (terrain.field(name).type() == device::FieldType::int32) {
      all[name] = terrain.raw(name);
      continue;
    }
    const std::vector<float> floats = raw_floats(terrain, name);
    all[name].resize(floats.size());
    std::memcpy(all[name].data(), floats.data(), floats.size() * 4);
  }
  return all;
}

struct Scene {
  std::string name;
  std::vector<ProcessPtr> (*processes)();
};
// How a test's name shows its scene.
void PrintTo(const Scene& scene, std::ostream* out) { *out << scene.name; }

class Scroll : public ::testing::TestWithParam<Scene> {};

TEST_P(Scroll, KeepsWhatStaysInViewAndBooksTheRest) {
  std::map<std::string, std::uint64_t> expected;
  for (const Backend& backend : all_backends()) {
    SCOPED_TRACE(backend.label);
    Landscape land = first_view(backend.device);
    Heightfield& terrain = land.single();
    Simulation simulation(land, GetParam().processes());
    int x0 = 0, y0 = 0;
    for (const Move& move : moves) {
      simulation.run(40);
      const auto before = bits_of(terrain);
      x0 += move.east, y0 += move.south;
      const std::vector<float> heights = view(*backend.device, x0, y0);
      simulation.scroll(move.east, move.south, heights);
      const auto after = bits_of(terrain);
      for (const auto& [name, old] : before) expect_kept(old, after.at(name), move, name);
      EXPECT_EQ(terrain.grid().x0, x0);
      EXPECT_EQ(terrain.grid().y0, y0);
      EXPECT_EQ(simulation.ledger().water_error(), 0);
      EXPECT_EQ(simulation.ledger().solids_error(), 0);
    }
    simulation.run(40);
    const Ledger ledger = simulation.ledger();
    EXPECT_EQ(ledger.water_error(), 0);
    EXPECT_EQ(ledger.solids_error(), 0);
    EXPECT_GT(ledger.scrolled_water, 0);
    EXPECT_NE(ledger.scrolled_solids, 0);
    const auto hashes = terrain.hashes();
    if (expected.empty()) expected = hashes;
    EXPECT_EQ(hashes, expected);
  }
}

// Fresh ground is the landscape's own: cells that come into view are what a window there would
// show.
TEST(ScrollInto, NewRowsAreTheLandscapes) {
  Landscape land = first_view(cpu());
  Simulation simulation(land, sheet());
  simulation.run(5);
  const std::vector<float> heights = view(*cpu(), 0, -4);
  simulation.scroll(0, -4, heights);
  const std::vector<float> bed = land.single().values("bed");
  const double q = land.single().quantum().metres();
  for (int i = 0; i < 4 * width; ++i)
    ASSERT_NEAR(static_cast<double>(bed[static_cast<std::size_t>(i)]),
                static_cast<double>(heights[static_cast<std::size_t>(i)]), q);
}

// The quanta of a field in the window's northernmost rows.
long long quanta_in_north(const Heightfield& terrain, const std::string& field, int rows) {
  const std::vector<std::int32_t> counts = terrain.raw(field);
  return std::accumulate(counts.begin(), counts.begin() + rows * width, 0LL);
}

// A window that leaves and comes back finds the old strip gone, not remembered: what was on it is
// booked as left, and the ground that stands there again as entered.
TEST(ScrollInto, ThereAndBackBooksBothWays) {
  constexpr int rows = 5;
  Landscape land = first_view(cpu());
  Heightfield& terrain = land.single();
  const long long fresh_bed = quanta_in_north(terrain, "bed", rows);
  Simulation simulation(land, water_and_slopes());
  simulation.run(50);
  const long long bed = quanta_in_north(terrain, "bed", rows);
  const long long water = quanta_in_north(terrain, "water", rows);
  const long long sediment = quanta_in_north(terrain, "sediment", rows);
  ASSERT_GT(water, 0);
  ASSERT_NE(bed + sediment, fresh_bed) << "nothing that solids_error could miss";
  simulation.scroll(0, rows, view(*cpu(), 0, rows));
  simulation.scroll(0, -rows, view(*cpu(), 0, 0));
  EXPECT_EQ(quanta_in_north(terrain, "bed", rows), fresh_bed);
  EXPECT_EQ(quanta_in_north(terrain, "water", rows), 0);
  EXPECT_EQ(quanta_in_north(terrain, "sediment", rows), 0);
  EXPECT_EQ(simulation.ledger().scrolled_water, water);
  EXPECT_EQ(simulation.ledger().scrolled_solids, bed + sediment - fresh_bed);
  simulation.run(50);
  EXPECT_EQ(simulation.ledger().water_error(), 0);
  EXPECT_EQ(simulation.ledger().solids_error(), 0);
}

INSTANTIATE_TEST_SUITE_P(Processes, Scroll,
                         ::testing::Values(Scene{"sheet", sheet},
                                           Scene{"water", water_and_slopes}));

}  // namespace
}  // namespace scree::testing
