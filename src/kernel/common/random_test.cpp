// Rounding to quanta has no bias, and draws do not depend on how a world is cut.
#include "kernel/common/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace scree::testing {
namespace {

constexpr uint draws[] = {SCREE_DRAW_A, SCREE_DRAW_B, SCREE_DRAW_C, SCREE_DRAW_D,
                          SCREE_DRAW_E, SCREE_DRAW_F, SCREE_DRAW_G};
constexpr int side = 512;
constexpr double count = static_cast<double>(side) * side;

template <class F>
void each_hash(uint seed, F&& visit) {
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) visit(cell_hash(seed, x - 100, y + 77), x, y);
}

// The mean over all roundings is the amount; its variance is f (1 - f).
TEST(Rounding, IsUnbiased) {
  for (const uint seed : {mix_seed(1, 0, 0), mix_seed(7, 0, 1000)})
    for (const uint which : draws)
      for (const float amount : {0.0F, 0.003F, 0.25F, 0.5F, 0.9375F, 3.7F, 1000.1F}) {
        double up = 0, down = 0;
        each_hash(seed, [&](uint hash, int, int) {
          const float r = rounding(hash, which);
          const int n = to_quanta(amount, r);
          EXPECT_GE(n, 0);
          EXPECT_LE(n, std::ceil(amount));
          up += n;
          down += to_quanta(-amount, -r);
        });
        const double whole = std::floor(static_cast<double>(amount));
        const double fraction = static_cast<double>(amount) - whole;
        // Five standard errors, and the float sum's own rounding.
        const double bound =
            5 * std::sqrt(fraction * (1 - fraction) / count) + static_cast<double>(amount) * 1e-7;
        EXPECT_NEAR(up / count, static_cast<double>(amount), bound) << which;
        EXPECT_EQ(down, -up) << which << ": either way alike";
      }
}

// Draws of one cell, of neighbouring cells and of successive steps are uncorrelated.
TEST(Rounding, DrawsAreIndependent) {
  const auto correlation = [](auto&& first, auto&& second) {
    double sum = 0;
    each_hash(42, [&](uint hash, int x, int y) { sum += first(hash, x, y) * second(hash, x, y); });
    return sum / count * 12;  // the variance of a rounding is 1/12
  };
  const auto drawn = [](uint which) {
    return [which](uint hash, int, int) { return static_cast<double>(rounding(hash, which)); };
  };
  const double bound = 5 / std::sqrt(count);
  for (const uint a : draws)
    for (const uint b : draws)
      if (a != b) {
        EXPECT_LT(std::abs(correlation(drawn(a), drawn(b))), bound) << a << " " << b;
      }
  const auto moved = [](int dx, int dy, uint seed) {
    return [=](uint, int x, int y) {
      return static_cast<double>(
          rounding(cell_hash(seed, x - 100 + dx, y + 77 + dy), SCREE_DRAW_A));
    };
  };
  EXPECT_LT(std::abs(correlation(drawn(SCREE_DRAW_A), moved(1, 0, 42))), bound);
  EXPECT_LT(std::abs(correlation(drawn(SCREE_DRAW_A), moved(0, 1, 42))), bound);
  EXPECT_LT(std::abs(correlation(drawn(SCREE_DRAW_A), moved(1, 1, 42))), bound);
  for (const uint step : {1U, 2U, 1000U})
    EXPECT_LT(std::abs(correlation(moved(0, 0, mix_seed(7, 0, step)),
                                   moved(0, 0, mix_seed(7, 0, step + 1)))),
              bound);
}

TEST(Rounding, SeedsAndStepsAllDiffer) {
  std::set<uint> seen;
  for (uint seed = 0; seed < 100; ++seed)
    for (uint step = 0; step < 100; ++step) seen.insert(mix_seed(seed, 0, step));
  EXPECT_GE(seen.size(), 9995U);
  EXPECT_NE(mix_seed(1, 0, 0), mix_seed(1, 1, 0));
}

// A cell has one name in its world, whatever window or tile it is seen through.
TEST(Hash, DoesNotDependOnTiles) {
  Grid whole{};
  whole.width = 100, whole.height = 80;
  for (const int wrap : {0, 1}) {
    whole.wrap_x = wrap * whole.width, whole.wrap_y = wrap * whole.height;
    for (const int x0 : {0, 31, 99})
      for (const int y0 : {0, 50}) {
        Grid tile = whole;
        tile.x0 = x0, tile.y0 = y0;
        for (int y = -3; y < 20; ++y)
          for (int x = -3; x < 20; ++x)
            ASSERT_EQ(hash_at(tile, 9, x, y), hash_at(whole, 9, x + x0, y + y0));
      }
  }
  EXPECT_EQ(hash_at(whole, 9, -1, 0), hash_at(whole, 9, 99, 0)) << "the wrapped world";
  EXPECT_EQ(hash_at(whole, 9, 3, -2), hash_at(whole, 9, 3, 78));
  whole.wrap_x = whole.wrap_y = 0;
  EXPECT_NE(hash_at(whole, 9, -1, 0), hash_at(whole, 9, 99, 0)) << "the endless world";
}

}  // namespace
}  // namespace scree::testing
