// Standing waves in a closed basin without friction: shallow water gives mode (m, n) of a square of
// side L and depth H the period 2 L / (sqrt(g H) sqrt(m^2 + n^2)).
#include <gtest/gtest.h>

#include <cmath>

#include "base/angle.h"
#include "process/heights/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr int size = 64;
constexpr double cell = 10, depth = 10, amplitude = 0.01, gravity = 9.81;

struct Mode {
  int m, n;
  double at(int x, int y) const {
    return std::cos(pi * m * (x + 0.5) / size) * std::cos(pi * n * (y + 0.5) / size);
  }
  double period() const {
    return 2 * size * cell / (std::sqrt(gravity * depth) * std::sqrt(m * m + n * n));
  }
};

// Amplitude of the mode in a field of depths, by projection.
template <class Depths>
double projected(const Mode& mode, const Depths& depths) {
  double sum = 0, norm = 0;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const double shape = mode.at(x, y);
      sum += (static_cast<double>(depths[static_cast<std::size_t>(y * size + x)]) - depth) * shape;
      norm += shape * shape;
    }
  return sum / norm;
}

struct Observed {
  double period = 0;  // seconds, mean over three
  double kept = 0;    // largest swing in the fourth period over the first
};

// Period from the upward zero crossings of the amplitude, interpolated in time.
template <class Step>
Observed observe(const Mode& mode, double dt, Step&& amplitude_after_step) {
  Observed seen;
  double before = amplitude, time = 0, first_crossing = -1;
  double swing = 0;
  int crossings = 0;
  while (crossings < 4 && time < 8 * mode.period()) {
    const double now = amplitude_after_step();
    if (before < 0 && now >= 0) {
      const double at = time + dt * before / (before - now);
      if (crossings == 0) first_crossing = at;
      seen.period = crossings > 0 ? (at - first_crossing) / crossings : 0;
      ++crossings;
      swing = 0;
    }
    swing = std::max(swing, std::abs(now));
    if (crossings == 3) seen.kept = swing / amplitude;
    before = now;
    time += dt;
  }
  return seen;
}

constexpr double time_step = 0.4;

Landscape basin(const device::DevicePtr& device, const Mode& mode) {
  Landscape land = land_of(device, {size, size, cell, cell}, std::vector<float>(size * size, 0.0F),
                           Borders::all(BorderKind::closed));
  land.single().set_values("water", field_of(size, size, [&](int x, int y) {
                             return depth + amplitude * mode.at(x, y);
                           }));
  return land;
}

Simulation swinging(Landscape& land, const std::string& neighbours) {
  WaterParameters water;
  water.neighbours = neighbours;
  water.friction = 0;
  water.rain = 0;
  SimulationOptions options;
  options.dt = time_step;
  return Simulation(land, process_list(std::make_unique<Water>(water)), options);
}

Observed signed_pipes(const device::DevicePtr& device, const Mode& mode,
                      const std::string& neighbours) {
  Landscape land = basin(device, mode);
  Simulation simulation = swinging(land, neighbours);
  return observe(mode, time_step, [&] {
    simulation.step();
    return projected(mode, land.single().values("water"));
  });
}

// Mei et al. 2007 and Muck 2012 (eqs 3.20-3.27): an outflow max(0, ...) on each side of every edge.
class OneWayPipes {
 public:
  explicit OneWayPipes(const Mode& mode) : depths_(size * size) {
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) depths_[at(x, y)] = depth + amplitude * mode.at(x, y);
    for (auto& outflow : outflows_) outflow.assign(size * size, 0.0);
  }

  void step(double dt) {
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x)
        for (int side = 0; side < 4; ++side) accelerate(x, y, side, dt);
    std::vector<double> next = depths_;
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x)
        for (int side = 0; side < 4; ++side) {
          if (!inside(x + dx[side], y + dy[side])) continue;
          const double moved = outflows_[side][at(x, y)] * dt / (cell * cell);
          next[at(x, y)] -= moved;
          next[at(x + dx[side], y + dy[side])] += moved;
        }
    depths_ = next;
  }
  const std::vector<double>& depths() const { return depths_; }

 private:
  static constexpr int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
  static bool inside(int x, int y) { return x >= 0 && y >= 0 && x < size && y < size; }
  static std::size_t at(int x, int y) { return static_cast<std::size_t>(y * size + x); }

  void accelerate(int x, int y, int side, double dt) {
    if (!inside(x + dx[side], y + dy[side])) return;
    const double fall = depths_[at(x, y)] - depths_[at(x + dx[side], y + dy[side])];
    double& flux = outflows_[side][at(x, y)];
    // A g dh / l, with a pipe as high as the water is deep and as wide as the cell.
    flux = std::max(0.0, flux + dt * (depths_[at(x, y)] * cell) * gravity * fall / cell);
  }

  std::vector<double> depths_;
  std::vector<double> outflows_[4];
};

constexpr Mode modes[] = {{1, 0}, {0, 1}, {1, 1}};

TEST(Seiche, PeriodAndAmplitudeAreThoseOfShallowWater) {
  for (const Backend& backend : all_backends())
    for (const char* neighbours : {"4", "8"})
      for (const Mode& mode : modes) {
        // The others run one mode; the next test shows that the bits of all are equal.
        const bool best = backend.device == cpu();
        if (!best && (mode.m != 1 || mode.n != 1)) continue;
        const Observed seen = signed_pipes(backend.device, mode, neighbours);
        SCOPED_TRACE(backend.label + ", " + neighbours + " neighbours");
        EXPECT_NEAR(seen.period / mode.period(), 1, 0.01) << "mode " << mode.m << mode.n;
        EXPECT_NEAR(seen.kept, 1, 0.02) << "mode " << mode.m << mode.n;
        if (best) {
          const std::string tag =
              std::string(neighbours) + "_" + std::to_string(mode.m) + std::to_string(mode.n);
          RecordProperty("period_" + tag, std::to_string(seen.period / mode.period()));
          RecordProperty("kept_" + tag, std::to_string(seen.kept));
        }
      }
}

TEST(Seiche, EveryModeHasTheSameBitsOnEveryBackend) {
  for (const char* neighbours : {"4", "8"})
    for (const Mode& mode : modes) {
      std::map<std::string, std::uint64_t> expected;
      for (const Backend& backend : all_backends()) {
        Landscape land = basin(backend.device, mode);
        swinging(land, neighbours).run(50);
        const auto hashes = land.single().hashes();
        if (expected.empty()) expected = hashes;
        EXPECT_EQ(hashes, expected) << backend.label << ", mode " << mode.m << mode.n;
      }
    }
}

TEST(Seiche, PublishedOneWayPipesRunTooFast) {
  for (const Mode& mode : modes) {
    OneWayPipes pipes(mode);
    const Observed seen = observe(mode, time_step, [&] {
      pipes.step(time_step);
      return projected(mode, pipes.depths());
    });
    EXPECT_NEAR(seen.period / mode.period(), 0.707, 0.02) << "mode " << mode.m << mode.n;
    RecordProperty("period_" + std::to_string(mode.m) + std::to_string(mode.n),
                   std::to_string(seen.period / mode.period()));
  }
}

}  // namespace
}  // namespace scree::testing
