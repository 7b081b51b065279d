// What Muck 2012, section 6.2 shows in pictures, as numbers: four neighbours carve along the grid,
// and MacCormack keeps the suspended sediment sharper than Euler.
#include <gtest/gtest.h>

#include <cmath>

#include "base/angle.h"
#include "process/heights/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr int size = 129, middle = size / 2;
constexpr double cell = 5;

// A cone with a little noise, on which rills form (the Pyramid of table 6.1, without its edges).
std::vector<float> noisy_cone() {
  const std::vector<float> noise = rough_heights(size, size, 4, 17);
  std::size_t i = 0;
  return field_of(size, size, [&](int x, int y) {
    return 150 - 0.35 * cell * std::hypot(x - middle, y - middle) + static_cast<double>(noise[i++]);
  });
}

Simulation carve(Landscape& land, const std::string& neighbours, const std::string& transport) {
  WaterParameters water;
  water.neighbours = neighbours;
  water.rain = 2e-4;
  HydraulicParameters erosion;
  erosion.transport = transport;
  return Simulation(
      land, process_list(std::make_unique<Water>(water, std::vector<SpringParameters>{}, erosion)));
}

// Shares of the flowing water's energy q^2 that run within 11.25 degrees of an axis and of a
// diagonal of the grid. On a cone that knows no grid they are equal.
struct Directions {
  double axes = 0, diagonals = 0;
};

Directions directions(const Heightfield& terrain) {
  const Discharges discharges(terrain);
  Directions found;
  double all = 0;
  for (int y = 1; y < size - 1; ++y)
    for (int x = 1; x < size - 1; ++x) {
      if (std::hypot(x - middle, y - middle) > middle - 4) continue;  // a disc favours nobody
      const Discharges::Vector q = discharges.at(x, y);
      const double angle = std::atan2(std::abs(q.y), std::abs(q.x)) * 180 / pi;
      const double weight = q.x * q.x + q.y * q.y;
      all += weight;
      if (angle < 11.25 || angle > 78.75) found.axes += weight;
      if (angle > 33.75 && angle < 56.25) found.diagonals += weight;
    }
  return {found.axes / all, found.diagonals / all};
}

TEST(Neighbourhood, FourNeighboursCarveAlongTheGrid) {
  for (const Backend& backend : all_backends()) {
    double ratio[2];
    for (const int eight : {0, 1}) {
      Landscape land = land_of(backend.device, {size, size, cell, cell}, noisy_cone(),
                               Borders::all(BorderKind::open));
      carve(land, eight ? "8" : "4", "flux").run(600);
      const Directions found = directions(land.single());
      ratio[eight] = found.axes / found.diagonals;
      RecordProperty(eight ? "axes_8" : "axes_4", std::to_string(found.axes));
      RecordProperty(eight ? "diagonals_8" : "diagonals_4", std::to_string(found.diagonals));
    }
    EXPECT_GT(ratio[0], 1.5 * ratio[1]) << backend.label;
  }
}

// Gradient energy of the suspended sediment over its variance: large where the field is sharp.
double sharpness(const Heightfield& terrain) {
  const std::vector<float> s = terrain.values("sediment");
  double energy = 0, sum = 0, squares = 0;
  for (int y = 0; y < size - 1; ++y)
    for (int x = 0; x < size - 1; ++x) {
      const auto at = [&](int cx, int cy) {
        return static_cast<double>(s[static_cast<std::size_t>(cy * size + cx)]);
      };
      energy += std::pow(at(x + 1, y) - at(x, y), 2) + std::pow(at(x, y + 1) - at(x, y), 2);
      sum += at(x, y), squares += at(x, y) * at(x, y);
    }
  const double n = (size - 1.0) * (size - 1.0);
  return energy / (squares - sum * sum / n);
}

// A blob of sediment drifts with a uniform stream, nothing eroded and nothing dropped: transport
// alone. Euler's interpolation smears it; MacCormack corrects that to second order.
double variance_after_drift(const device::DevicePtr& device, const std::string& transport) {
  Landscape land = land_of(device, {size, size, cell, cell},
                           field_of(size, size, [](int x, int) { return 50 - 0.005 * cell * x; }),
                           Borders::all(BorderKind::open));
  Heightfield& terrain = land.single();
  terrain.set_values("water", std::vector<float>(size * size, 1.0F));
  terrain.set_values("sediment", field_of(size, size, [](int x, int y) {
                       return 0.01 * std::exp(-(std::pow(x - 45, 2) + std::pow(y - 64, 2)) / 18);
                     }));
  WaterParameters water;
  water.rain = 0;
  HydraulicParameters erosion;
  erosion.dissolve = 0;
  erosion.deposit = 0;
  erosion.transport = transport;
  Simulation simulation(
      land, process_list(std::make_unique<Water>(water, std::vector<SpringParameters>{}, erosion)));
  simulation.run(120);
  const std::vector<float> s = terrain.values("sediment");
  double squares = 0;
  for (const float v : s) squares += static_cast<double>(v) * static_cast<double>(v);
  return squares;
}

TEST(Transport, MacCormackKeepsSedimentSharperThanEuler) {
  for (const Backend& backend : all_backends()) {
    const double euler = variance_after_drift(backend.device, "euler");
    const double corrected = variance_after_drift(backend.device, "maccormack");
    EXPECT_GT(corrected, 1.2 * euler) << backend.label;
    RecordProperty("drift_maccormack_over_euler", std::to_string(corrected / euler));
  }
}

TEST(Transport, MacCormackKeepsTheSedimentOfRillsSharper) {
  for (const Backend& backend : all_backends()) {
    double sharp[2];
    for (const int corrected : {0, 1}) {
      Landscape land = land_of(backend.device, {size, size, cell, cell}, noisy_cone(),
                               Borders::all(BorderKind::open));
      carve(land, "8", corrected ? "maccormack" : "euler").run(300);
      sharp[corrected] = sharpness(land.single());
    }
    EXPECT_GT(sharp[1], 1.05 * sharp[0]) << backend.label;
    RecordProperty("sharpness_maccormack_over_euler", std::to_string(sharp[1] / sharp[0]));
  }
}

}  // namespace
}  // namespace scree::testing
