// Bubbles hold the voxels, and their tables the rates, that their definitions say.
#include "process/voxels/bubble.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace scree {
namespace {

bool holds(const std::vector<Bubble::Offset>& offsets, int x, int y, int z) {
  return std::find(offsets.begin(), offsets.end(), Bubble::Offset{x, y, z}) != offsets.end();
}

TEST(Bubbles, HoldTheVoxelsOfTheirShapes) {
  EXPECT_EQ(sphere_offsets(10).size(), 4169U);
  EXPECT_EQ(sphere_offsets(1).size(), 7U);
  const auto heavy = top_heavy_offsets(6, 2);
  EXPECT_TRUE(holds(heavy, 0, 0, 6) && holds(heavy, 6, 0, 0) && holds(heavy, 0, 0, -2));
  EXPECT_FALSE(holds(heavy, 0, 0, -3) || holds(heavy, 0, 0, 7));
  EXPECT_TRUE(holds(heavy, 5, 0, -1)) << "flat below";
  EXPECT_FALSE(holds(heavy, 5, 0, -2));
  const auto disc = disc_offsets(5, 1);
  EXPECT_EQ(disc.size(), 3U * 81);  // lattice points of a circle of radius 5
  EXPECT_TRUE(holds(disc, 5, 0, 1));
  EXPECT_FALSE(holds(disc, 0, 0, 2));
}

// Farley 2011, eq. 3.5.
TEST(Bubbles, SpheroidalRatesAreInProportionToTheAir) {
  const std::vector<double> rates = spheroidal_rates(200, 0.5);
  ASSERT_EQ(rates.size(), 201U);
  EXPECT_EQ(rates[0], 0);
  EXPECT_DOUBLE_EQ(rates[50], 0.125);
  EXPECT_DOUBLE_EQ(rates[200], 0.5);
}

// Jones et al. 2010: hollows wear, from the air of a flat face on nothing does.
TEST(Bubbles, CavernousRatesFallToNothingAtAFlatFace) {
  const auto offsets = sphere_offsets(6);
  const int flat = flat_face_air(offsets);
  // Half of a ball, without the layer through its middle.
  EXPECT_EQ(2 * flat, static_cast<int>(offsets.size()) - 113);
  const std::vector<double> rates = cavernous_rates(offsets, 0.8);
  EXPECT_EQ(rates[0], 0) << "rock without air wears nowhere";
  EXPECT_NEAR(rates[1], 0.8, 0.01);
  for (int a = 1; a < flat; ++a)
    EXPECT_GT(rates[static_cast<std::size_t>(a)], rates[static_cast<std::size_t>(a) + 1]);
  for (std::size_t a = static_cast<std::size_t>(flat); a < rates.size(); ++a)
    EXPECT_EQ(rates[a], 0);
  EXPECT_THROW(cavernous_rates(disc_offsets(5, 0), 1), UsageError) << "all of them would be 0";
}

TEST(Bubbles, CurvesGoStraightFromPointToPoint) {
  const std::vector<double> rates = curve_rates(100, {{0.2, 0.1}, {0.6, 0.5}, {0.8, 0}});
  EXPECT_EQ(rates[0], 0);
  EXPECT_DOUBLE_EQ(rates[10], 0.1) << "before the first";
  EXPECT_DOUBLE_EQ(rates[20], 0.1);
  EXPECT_NEAR(rates[40], 0.3, 1e-12);
  EXPECT_NEAR(rates[60], 0.5, 1e-12);
  EXPECT_NEAR(rates[70], 0.25, 1e-12);
  EXPECT_EQ(rates[95], 0) << "after the last";
  EXPECT_THROW(curve_rates(100, {}), UsageError);
  EXPECT_THROW(curve_rates(100, {{0.2, 0.1}, {0.2, 0.3}}), UsageError);
}

}  // namespace
}  // namespace scree
