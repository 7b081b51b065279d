#include "terrain/heights/hydrology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "base/error.h"

namespace scree {
namespace {

constexpr float nodata = std::numeric_limits<float>::quiet_NaN();

struct Surface {
  int width;
  int height;
  std::vector<float> z;
  double dx = 1;
  double dy = 1;

  HeightView view() const { return {z.data(), width, height, dx, dy}; }
  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
};

template <class F>
Surface make_surface(int width, int height, double dx, double dy, F&& f) {
  Surface s{width, height, {}, dx, dy};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) s.z.push_back(static_cast<float>(f(x, y)));
  return s;
}

// Gradient noise of its own: what is measured must not depend on the generators.
double lattice_angle(int x, int y, std::uint32_t seed) {
  std::uint32_t h = static_cast<std::uint32_t>(x) * 0x9e3779b1u ^
                    static_cast<std::uint32_t>(y) * 0x85ebca77u ^ seed * 0xc2b2ae3du;
  h = (h ^ h >> 15) * 0x2c1b3c6du;
  h = (h ^ h >> 12) * 0x297a2d39u;
  return 6.283185307179586 * ((h ^ h >> 15) / 4294967296.0);
}

double gradient_noise(double x, double y, std::uint32_t seed) {
  const int x0 = static_cast<int>(std::floor(x)), y0 = static_cast<int>(std::floor(y));
  const double fx = x - x0, fy = y - y0;
  const auto corner = [&](int i, int j) {
    const double angle = lattice_angle(x0 + i, y0 + j, seed);
    return std::cos(angle) * (fx - i) + std::sin(angle) * (fy - j);
  };
  const auto fade = [](double t) { return t * t * t * (t * (t * 6 - 15) + 10); };
  const double top = std::lerp(corner(0, 0), corner(1, 0), fade(fx));
  const double bottom = std::lerp(corner(0, 1), corner(1, 1), fade(fx));
  return std::lerp(top, bottom, fade(fy));
}

// 5 km across, 900 m of relief.
Surface noise_land(int size, std::uint32_t seed) {
  Surface s = make_surface(size, size, 5000.0 / size, 5000.0 / size, [&](int x, int y) {
    double sum = 0, amplitude = 1, waves = 4;
    for (std::uint32_t octave = 0; octave < 8; ++octave, amplitude *= 0.5, waves *= 2)
      sum += amplitude * gradient_noise(waves * x / size, waves * y / size, seed + octave);
    return sum;
  });
  const auto [low, high] = std::minmax_element(s.z.begin(), s.z.end());
  const float base = *low, span = *high - *low;
  for (float& z : s.z) z = (z - base) / span * 900;
  return s;
}

// Slow reference: lower a flooded world until nothing changes (Planchon & Darboux 2002).
std::vector<float> fill_slowly(const Surface& s) {
  const auto valid = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < s.width && y < s.height && !std::isnan(s.z[s.at(x, y)]);
  };
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> level = s.z;
  for (float& z : level)
    if (!std::isnan(z)) z = infinity;
  for (bool changed = true; changed;) {
    changed = false;
    for (int y = 0; y < s.height; ++y)
      for (int x = 0; x < s.width; ++x) {
        if (!valid(x, y)) continue;
        float lowest = infinity;
        for (int j = -1; j <= 1; ++j)
          for (int i = -1; i <= 1; ++i)
            lowest = std::min(lowest, valid(x + i, y + j) ? level[s.at(x + i, y + j)] : -infinity);
        const float wanted = std::max(s.z[s.at(x, y)], lowest);
        changed |= wanted < level[s.at(x, y)];
        level[s.at(x, y)] = wanted;
      }
  }
  return level;
}

void expect_drains(const Surface& s, const Drainage& d) {
  std::vector<char> done(s.z.size(), 0);
  std::uint64_t leaving = 0;
  for (const std::uint32_t cell : d.order) {
    if (d.receiver[cell] == Drainage::none) {
      leaving += d.upstream_cells[cell];
    } else {
      ASSERT_TRUE(done[d.receiver[cell]]) << "cell " << cell << " comes before its receiver";
      ASSERT_LE(d.filled[d.receiver[cell]], d.filled[cell]);
    }
    done[cell] = 1;
  }
  EXPECT_EQ(leaving, d.order.size()) << "what rains must leave";
}

TEST(Hydrology, TiltedPlaneDrainsStraightDown) {
  const Surface s = make_surface(20, 30, 10, 5, [](int, int y) { return 100 - 2.0 * y; });
  const Drainage d = drain(s.view());
  expect_drains(s, d);
  for (int x = 0; x < s.width; ++x)
    for (int y = 0; y < s.height; ++y) {
      EXPECT_DOUBLE_EQ(d.area(s.at(x, y)), 50.0 * (y + 1));
      if (y + 1 < s.height) {
        EXPECT_EQ(d.receiver[s.at(x, y)], s.at(x, y + 1));
        EXPECT_NEAR(d.slope(s.at(x, y)), 0.4, 1e-6);
      }
    }
  const Hydrology h = measure_hydrology(s.view());
  EXPECT_EQ(h.cells_below_outlet, 0u);
  EXPECT_NEAR(h.mean_slope, 0.4, 1e-6);
  EXPECT_NEAR(h.hypsometric_integral, 0.5, 1e-6);
  EXPECT_NEAR(h.relief, 58, 1e-4);
  EXPECT_DOUBLE_EQ(h.land_area, 20 * 30 * 50.0);
}

TEST(Hydrology, ConeDrainsEverywhereAndHoldsOneThird) {
  const Surface s = make_surface(201, 201, 3, 3, [](int x, int y) {
    return std::max(0.0, 100 - std::hypot(x - 100, y - 100));
  });
  const Hydrology h = measure_hydrology(s.view());
  expect_drains(s, drain(s.view()));
  EXPECT_EQ(h.cells_below_outlet, 0u);
  const double covered = 3.14159265 * 100 * 100 / (201 * 201);
  EXPECT_NEAR(h.hypsometric_integral, covered / 3, 1e-4);
  EXPECT_NEAR(h.mean_slope, covered / 3, 0.003);
}

TEST(Hydrology, ObliqueStepCountsItsTrueLength) {
  const Surface s = make_surface(3, 3, 3, 4, [](int x, int y) { return 10.0 - x - y; });
  const Drainage d = drain(s.view());
  EXPECT_EQ(d.receiver[s.at(1, 1)], s.at(2, 2));
  EXPECT_DOUBLE_EQ(d.length_to_receiver(s.at(1, 1)), 5);
  EXPECT_DOUBLE_EQ(d.slope(s.at(1, 1)), 0.4);
}

TEST(Hydrology, BowlFillsToItsOneOutlet) {
  Surface s = make_surface(41, 41, 2, 2, [](int x, int y) { return std::hypot(x - 20, y - 20); });
  for (int x = 0; x < 41; ++x) s.z[s.at(x, 0)] = s.z[s.at(x, 40)] = 50;
  for (int y = 0; y < 41; ++y) s.z[s.at(0, y)] = s.z[s.at(40, y)] = 50;
  s.z[s.at(0, 17)] = 25;
  const Drainage d = drain(s.view());
  expect_drains(s, d);
  std::size_t below = 0;
  double volume = 0;
  for (std::size_t i = 0; i < s.z.size(); ++i) {
    EXPECT_EQ(d.filled[i], std::max(s.z[i], 25.0f));
    if (s.z[i] < 24.99f) ++below;
    volume += 4 * std::max(0.0, 25.0 - s.z[i]);
  }
  const Hydrology h = measure_hydrology(s.view());
  EXPECT_EQ(h.cells_below_outlet, below);
  EXPECT_NEAR(h.volume_below_outlet, volume, 1e-3);
  EXPECT_EQ(d.area(s.at(0, 17)), h.largest_catchment);
  EXPECT_GE(d.upstream_cells[s.at(0, 17)], 39u * 39u);
}

TEST(Hydrology, NestedPitsFillEachToItsOwnSill) {
  //  sill 3 to the border, an inner pit behind a sill of 5, and a pit in a pit that 3 drowns
  const Surface s{
      9, 3, {9, 9, 9, 9, 9, 9, 9, 9, 9, 3, 1, 2, 0, 2, 5, 4, 4.5f, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}};
  const std::vector<float> filled = fill_depressions(s.view());
  const float wanted[9] = {3, 3, 3, 3, 3, 5, 5, 5, 9};
  for (int x = 0; x < 9; ++x) EXPECT_EQ(filled[s.at(x, 1)], wanted[x]) << "column " << x;
  EXPECT_EQ(cells_below_outlet(s.view(), filled), 6u);
  EXPECT_EQ(cells_below_outlet(s.view(), filled, 0.75f), 5u);
}

TEST(Hydrology, EpsilonLeavesNoFlat) {
  for (const float epsilon : {1e-9f, 0.25f}) {
    Surface s = make_surface(15, 15, 1, 1, [](int x, int y) {
      return x == 0 || y == 0 || x == 14 || y == 14 ? 1000 : 990;
    });
    s.z[s.at(14, 7)] = 995;
    s.z = fill_depressions(s.view(), epsilon);
    const Drainage d = drain(s.view());
    for (int y = 1; y < 14; ++y)
      for (int x = 1; x < 14; ++x) EXPECT_GT(d.slope(s.at(x, y)), 0) << x << ' ' << y;
    EXPECT_EQ(s.z[s.at(14, 7)], 995);
    if (epsilon == 0.25f) {
      EXPECT_EQ(s.z[s.at(1, 7)], 995 + 13 * 0.25f);
    }
    EXPECT_EQ(fill_depressions(s.view()), s.z);
  }
}

TEST(Hydrology, FlatSeaIsSharedAmongItsOutlets) {
  const Surface s = make_surface(31, 31, 1, 1, [](int, int) { return 7; });
  const Drainage d = drain(s.view());
  expect_drains(s, d);
  EXPECT_LE(*std::max_element(d.upstream_cells.begin(), d.upstream_cells.end()), 31u * 31u / 8);
  const Hydrology h = measure_hydrology(s.view());
  EXPECT_EQ(h.relief, 0);
  EXPECT_EQ(h.hypsometric_integral, 0);
  EXPECT_EQ(h.slope_area.bins, 0);
}

TEST(Hydrology, NodataIsAnOutletAndStaysNodata) {
  Surface s = make_surface(9, 9, 1, 1, [](int x, int y) {
    return static_cast<double>(std::max(std::abs(x - 4), std::abs(y - 4)));
  });
  EXPECT_GT(measure_hydrology(s.view()).cells_below_outlet, 0u);
  s.z[s.at(4, 4)] = nodata;
  const Drainage d = drain(s.view());
  EXPECT_TRUE(std::isnan(d.filled[s.at(4, 4)]));
  EXPECT_EQ(d.upstream_cells[s.at(4, 4)], 0u);
  EXPECT_EQ(d.order.size(), 80u);
  const Hydrology h = measure_hydrology(s.view());
  EXPECT_EQ(h.cells_below_outlet, 0u);
  EXPECT_EQ(h.cells, 80u);
  std::fill(s.z.begin(), s.z.end(), nodata);
  EXPECT_EQ(measure_hydrology(s.view()).cells, 0u);
}

TEST(Hydrology, AnySize) {
  EXPECT_EQ(measure_hydrology(HeightView{}).cells, 0u);
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 7}, {7, 1}, {2, 2}}) {
    const Surface s = make_surface(width, height, 2, 3, [](int x, int y) { return x + y % 3; });
    const Hydrology h = measure_hydrology(s.view());
    EXPECT_EQ(h.cells, s.z.size());
    EXPECT_EQ(h.cells_below_outlet, 0u) << "every cell is on the border";
    EXPECT_GE(h.largest_catchment, 6);
    expect_drains(s, drain(s.view()));
  }
  const float z = 1;
  EXPECT_THROW(measure_hydrology({&z, 1, 1, 0, 1}), Error);
  EXPECT_THROW(measure_hydrology({nullptr, 1, 1, 1, 1}), Error);
  EXPECT_THROW(measure_hydrology({&z, -1, 1, 1, 1}), Error);
}

TEST(Hydrology, FillsAsTheSlowReferenceDoes) {
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round) {
    const int width = 1 + static_cast<int>(random() % 40),
              height = 1 + static_cast<int>(random() % 40);
    const auto steps = 3 + random() % 50;
    const Surface s = make_surface(width, height, 1, 1, [&](int, int) {
      return random() % 40 == 0 ? nodata : -10 + static_cast<float>(random() % steps);
    });
    const Drainage d = drain(s.view());
    const std::vector<float> slow = fill_slowly(s);
    for (std::size_t i = 0; i < slow.size(); ++i)
      ASSERT_TRUE(d.filled[i] == slow[i] || (std::isnan(d.filled[i]) && std::isnan(slow[i])));
    EXPECT_NO_FATAL_FAILURE(expect_drains(s, d));
  }
}

TEST(Hydrology, NoiseIsNotLand) {
  for (const std::uint32_t seed : {1u, 20u, 300u}) {
    const Hydrology h = measure_hydrology(noise_land(512, seed).view());
    EXPECT_NEAR(h.slope_area.concavity, 0.1, 0.07) << "seed " << seed;
    EXPECT_GT(h.fraction_below_outlet, 0.15);
    EXPECT_GE(h.slope_area.bins, 15);
  }
}

// Heights grown up the drainage tree so that S = 20 A^-theta; the tree then settles to them.
Surface land_of_concavity(double theta) {
  Surface s = noise_land(384, 1);
  for (int round = 0; round < 25; ++round) {
    const Drainage d = drain(s.view());
    for (const std::uint32_t cell : d.order) {
      const bool leaves = d.receiver[cell] == Drainage::none;
      const double rise = d.length_to_receiver(cell) * 20 * std::pow(d.area(cell), -theta);
      s.z[cell] = leaves ? 0.0f : static_cast<float>(s.z[d.receiver[cell]] + rise);
    }
  }
  return s;
}

TEST(Hydrology, KnownConcavityComesBack) {
  for (const double theta : {0.3, 0.45, 0.6}) {
    const SlopeArea found = measure_hydrology(land_of_concavity(theta).view()).slope_area;
    EXPECT_NEAR(found.concavity, theta, 0.03);
    EXPECT_NEAR(std::log(found.steepness), std::log(20), 0.3);
    EXPECT_GT(found.r_squared, 0.99);
  }
}

}  // namespace
}  // namespace scree
