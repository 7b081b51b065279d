#include "io/raster/geodesy.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::io {
namespace {

// WGS 84 lengths of a degree, metres (NIMA TR8350.2 tables, as on Wikipedia's "Latitude").
TEST(Geodesy, KnownDegreeLengths) {
  EXPECT_NEAR(metres_per_degree(0).north, 110574.276, 0.001);
  EXPECT_NEAR(metres_per_degree(0).east, 111319.491, 0.001);
  EXPECT_NEAR(metres_per_degree(15).north, 110649, 0.5);
  EXPECT_NEAR(metres_per_degree(15).east, 107550, 0.5);
  EXPECT_NEAR(metres_per_degree(45).north, 111132, 0.5);
  EXPECT_NEAR(metres_per_degree(45).east, 78847, 0.5);
  EXPECT_NEAR(metres_per_degree(75).north, 111618, 0.5);
  EXPECT_NEAR(metres_per_degree(75).east, 28902, 0.5);
  EXPECT_NEAR(metres_per_degree(90).north, 111694, 0.5);
  EXPECT_NEAR(metres_per_degree(90).east, 0, 1e-6);
}

TEST(Geodesy, SouthIsLikeNorthAndASphereIsRound) {
  EXPECT_EQ(metres_per_degree(-33).east, metres_per_degree(33).east);
  EXPECT_EQ(metres_per_degree(-33).north, metres_per_degree(33).north);
  const double radian = 3.14159265358979323846 / 180;
  for (double latitude = -89; latitude < 90; latitude += 7) {
    const DegreeLength moon = metres_per_degree(latitude, 1737400, 0);
    EXPECT_DOUBLE_EQ(moon.north, 1737400 * radian);
    EXPECT_NEAR(moon.east, 1737400 * radian * std::cos(latitude * radian), 1e-9);
  }
}

}  // namespace
}  // namespace scree::io
