// Water runs down a cone alike in every direction: the grid must not show.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/angle.h"
#include "process/heights/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr int size = 161, middle = size / 2;
constexpr double cell = 5, tilt = 0.3;

double radius(int x, int y) { return std::hypot(x - middle, y - middle) * cell; }

std::vector<float> cone() {
  return field_of(size, size, [](int x, int y) { return 400 - tilt * radius(x, y); });
}

WaterParameters steady(const std::string& neighbours) {
  WaterParameters p;
  p.neighbours = neighbours;
  p.rain = 1e-4;
  return p;
}

// Discharge of every cell in m2/s, along the radius from the summit.
std::vector<double> outward(const Heightfield& terrain) {
  const Discharges discharges(terrain);
  std::vector<double> q(size * size);
  for (int y = 1; y < size - 1; ++y)
    for (int x = 1; x < size - 1; ++x) {
      const Discharges::Vector here = discharges.at(x, y);
      const double r = std::max(radius(x, y) / cell, 1.0);
      q[static_cast<std::size_t>(y * size + x)] =
          (here.x * (x - middle) + here.y * (y - middle)) / r;
    }
  return q;
}

// Mean over a ring of 20 m and a sector 8 degrees wide about the direction and its mirror images.
double towards(const std::vector<double>& q, double degrees, double ring) {
  double sum = 0, cells = 0;
  for (int y = 1; y < size - 1; ++y)
    for (int x = 1; x < size - 1; ++x) {
      if (std::abs(radius(x, y) - ring) > 10) continue;
      const double angle = std::atan2(std::abs(y - middle), std::abs(x - middle)) * 180 / pi;
      const double folded = angle > 45 ? 90 - angle : angle;
      if (std::abs(folded - degrees) > 4) continue;
      // A ring's discharge grows with its radius: compare at the middle of the ring.
      sum += q[static_cast<std::size_t>(y * size + x)] * ring / radius(x, y);
      cells += 1;
    }
  return sum / cells;
}

struct Rose {
  double axis, between, diagonal;
  double spread() const {
    return (std::max({axis, between, diagonal}) - std::min({axis, between, diagonal})) /
           ((axis + between + diagonal) / 3);
  }
};

Rose rain_on_cone(const device::DevicePtr& device, const std::string& neighbours, int steps) {
  Landscape land =
      land_of(device, {size, size, cell, cell}, cone(), Borders::all(BorderKind::open));
  Simulation simulation(land, process_list(std::make_unique<Water>(steady(neighbours))));
  simulation.run(static_cast<std::uint64_t>(steps));
  const std::vector<double> q = outward(land.single());
  return {towards(q, 0, 280), towards(q, 22.5, 280), towards(q, 45, 280)};
}

// In a steady state all the rain inside a circle crosses it: q = rain * r / 2.
TEST(Cone, DischargeIsTheSameInEveryDirection) {
  const double expected = steady("8").rain * 280 / 2;
  for (const Backend& backend : all_backends()) {
    SCOPED_TRACE(backend.label);
    const Rose rose = rain_on_cone(backend.device, "8", 900);
    EXPECT_LT(rose.spread(), 0.05);
    EXPECT_NEAR(rose.axis / expected, 1, 0.05);
    EXPECT_NEAR(rose.between / expected, 1, 0.05);
    EXPECT_NEAR(rose.diagonal / expected, 1, 0.05);
    RecordProperty("at_0", std::to_string(rose.axis / expected));
    RecordProperty("at_22", std::to_string(rose.between / expected));
    RecordProperty("at_45", std::to_string(rose.diagonal / expected));
  }
}

}  // namespace
}  // namespace scree::testing
