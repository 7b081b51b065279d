// The presets make land: what water has shaped can be measured, and each has a character of its
// own.
#include <gtest/gtest.h>

#include <cmath>

#include "io/file/io_test.h"
#include "io/raster/raster.h"
#include "run/runner.h"
#include "terrain/heights/hydrology.h"
#include "testing.h"

namespace scree {
namespace {

struct Land {
  Raster raster;
  Hydrology hydrology;
  Ledger ledger;

  // Share of the cells whose slope (a tangent) is at least this.
  double share_steeper(double least) const {
    std::size_t steep = 0, all = 0;
    for (int y = 1; y + 1 < raster.height; ++y)
      for (int x = 1; x + 1 < raster.width; ++x) {
        const double gx = (at(x + 1, y) - at(x - 1, y)) / (2 * raster.dx);
        const double gy = (at(x, y + 1) - at(x, y - 1)) / (2 * raster.dy);
        all += 1;
        if (std::hypot(gx, gy) >= least) steep += 1;
      }
    return static_cast<double>(steep) / static_cast<double>(all);
  }
  double at(int x, int y) const {
    return static_cast<double>(
        raster.values[static_cast<std::size_t>(y) * static_cast<std::size_t>(raster.width) +
                      static_cast<std::size_t>(x)]);
  }
};

Land land_of(Scene scene, const device::DevicePtr& device) {
  const io::testing::TemporaryFolder folder;
  OutputSettings height;
  height.kind = OutputKind::height;
  height.file = "height.npy";
  scene.outputs = {height};
  RunOptions options;
  options.out = folder.path() / "out";
  options.opened = device;
  const RunResult result = run_scene(scene, options);
  Land land{io::read_raster(result.outputs.at(0)), {}, result.ledger};
  land.raster.dx = result.dx;
  land.raster.dy = result.dy;
  land.hydrology = measure_hydrology(
      {land.raster.values.data(), result.width, result.height, result.dx, result.dy});
  return land;
}

struct Change {
  Land before, after;

  // Share of the cells whose ground has sunk by at least this, in metres; below 0: has not risen
  // by more.
  double share_sunk(float least) const {
    std::size_t sunk = 0;
    const std::vector<float>&was = before.raster.values, &is = after.raster.values;
    for (std::size_t i = 0; i < was.size(); ++i) sunk += was[i] - is[i] >= least ? 1 : 0;
    return static_cast<double>(sunk) / static_cast<double>(was.size());
  }
};

// A preset as it is, its whole time, on so many cells; 0: on its own.
Change run_preset(const std::string& name, int cells,
                  const device::DevicePtr& device = testing::cpu()) {
  Scene scene = preset(name);
  if (cells > 0) scene.set_size(cells, cells);
  Scene untouched = scene;
  untouched.time = 0;
  untouched.steps = 0;
  Change change{land_of(untouched, device), land_of(scene, device)};
  EXPECT_EQ(change.after.ledger.water_error(), 0);
  EXPECT_EQ(change.after.ledger.solids_error(), 0);
  return change;
}

// Noise has a slope-area concavity of about 0.1, rivers 0.3 to 0.6 (Flint 1974; Tucker & Whipple
// 2002); noise is full of hollows, land has few.
void expect_alpine_land(const Change& change, double most = 0.6) {
  const Hydrology &before = change.before.hydrology, &after = change.after.hydrology;
  EXPECT_LT(before.slope_area.concavity, 0.2);
  EXPECT_GE(after.slope_area.concavity, 0.3);
  EXPECT_LE(after.slope_area.concavity, most);
  EXPECT_LE(static_cast<double>(after.cells_below_outlet),
            0.4 * static_cast<double>(before.cells_below_outlet));
  EXPECT_GT(after.relief, 0.7 * before.relief) << "mountains should be left";
}

TEST(Land, AlpineHasRiversAndFewHollows) { expect_alpine_land(run_preset("alpine", 256)); }

TEST(Land, AlpineHasThemOnEveryBackend) {
  for (const testing::Backend& backend : testing::all_backends()) {
    SCOPED_TRACE(backend.label);
    // So few cells have few channels, whose slopes scatter.
    expect_alpine_land(run_preset("alpine", 128, backend.device), 0.7);
  }
}

TEST(Land, LongAlpineHasThemAtItsOwnSizeToo) { expect_alpine_land(run_preset("alpine", 0)); }

// At a quarter of their sizes, so that a run takes a second.
constexpr int few_cells = 128;
constexpr double gentle = 0.176, steep = 0.466, cliff = 0.839;  // 10, 25 and 40 degrees

TEST(Land, CanyonCutsItsRimsAndKeepsItsTops) {
  // Beds of 160 m need cells that show their walls.
  const Change change = run_preset("canyon", 2 * few_cells);
  EXPECT_LT(change.after.share_steeper(gentle), 0.7) << "plateaus and floors";
  EXPECT_GT(change.after.share_steeper(cliff), 0.12) << "walls";
  EXPECT_GT(change.share_sunk(30), 0.1) << "canyons";
  EXPECT_GT(change.share_sunk(-3) - change.share_sunk(3), 0.3) << "what is as it was";
}

TEST(Land, DesertGetsWadis) {
  const auto [before, after] = run_preset("desert", few_cells);
  EXPECT_GT(after.hydrology.slope_area.concavity, before.hydrology.slope_area.concavity + 0.15);
  EXPECT_LT(after.share_steeper(gentle), before.share_steeper(gentle)) << "aprons of debris";
}

TEST(Land, VolcanoKeepsItsCraterAndGetsGullies) {
  const Change change = run_preset("volcanic", few_cells);
  const auto& [before, after] = change;
  const double middle = after.at(few_cells / 2, few_cells / 2);
  EXPECT_LT(middle, after.hydrology.highest - 150) << "the crater lies below its rim";
  EXPECT_GT(middle, after.hydrology.lowest + 500);
  EXPECT_GT(after.hydrology.relief, 0.8 * before.hydrology.relief);
  EXPECT_GT(after.share_steeper(steep), before.share_steeper(steep)) << "walls of gullies";
  EXPECT_GT(change.share_sunk(20), 0.15) << "gullies";
}

TEST(Land, SoftHillsAreRound) {
  const auto [before, after] = run_preset("soft-hills", few_cells);
  EXPECT_LT(after.share_steeper(gentle), 0.7 * before.share_steeper(gentle));
  EXPECT_LT(after.share_steeper(steep), 0.001);
  EXPECT_LT(after.hydrology.cells_below_outlet, before.hydrology.cells_below_outlet);
  EXPECT_GT(after.hydrology.slope_area.concavity, before.hydrology.slope_area.concavity + 0.2);
}

}  // namespace
}  // namespace scree
