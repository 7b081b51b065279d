// Even slopes mesh evenly.
#include "surface/march/columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "surface/mesh/validity.h"

namespace scree::surface {
namespace {

constexpr double degree = 0.017453292519943295;

MarchingCubes mesher() {
  device::DeviceOptions cpu;
  cpu.selector = "cpu";
  return MarchingCubes(device::open_device(cpu));
}

// The largest angle in degrees between the mesh's vertex normals or faces and a direction, away
// from the volume's border.
double worst_angle(const Surface& s, const Lattice& l, const std::array<double, 3>& n) {
  const auto angle = [&](double x, double y, double z) {
    const double length = std::sqrt(x * x + y * y + z * z);
    return std::acos(std::clamp((x * n[0] + y * n[1] + z * n[2]) / length, -1.0, 1.0)) / degree;
  };
  double worst = 0;
  for (const auto& t : s.mesh.triangles) {
    std::array<std::array<double, 3>, 3> p{};
    bool inner = true;
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t d = 0; d < 3; ++d) p[k][d] = static_cast<double>(s.mesh.positions[t[k]][d]);
      inner = inner && p[k][0] > 3 && p[k][0] < l.nx - 4 && p[k][1] > 3 && p[k][1] < l.ny - 4 &&
              p[k][2] > 3;
    }
    if (!inner) continue;
    for (const auto v : t)
      worst =
          std::max(worst, angle(s.mesh.normals[v][0], s.mesh.normals[v][1], s.mesh.normals[v][2]));
    std::array<double, 3> a{}, b{};
    for (std::size_t d = 0; d < 3; ++d) a[d] = p[1][d] - p[0][d], b[d] = p[2][d] - p[0][d];
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2],
                 z = a[0] * b[1] - a[1] * b[0];
    if (x * x + y * y + z * z > 1e-8) worst = std::max(worst, angle(x, y, z));
  }
  return worst;
}

// Geiger 2015, figures 58 and 59: soil at its angle of repose.
TEST(RidgeFree, SlopesAreStraightWherePlainMarchingCubesSteps) {
  const Lattice l{48, 32, 56, 1, 1, 1, 0, 0, 0};
  for (const double slope : {20.0, 35.0, 45.0, 60.0}) {
    const double along = std::tan(slope * degree) * 0.8, across = std::tan(slope * degree) * 0.6;
    std::vector<float> heights;
    for (int y = 0; y < l.ny; ++y)
      for (int x = 0; x < l.nx; ++x)
        heights.push_back(static_cast<float>(50.3 - along * x * 0.6 - across * y * 0.6));
    const double length = std::sqrt(along * along * 0.36 + across * across * 0.36 + 1);
    const std::array<double, 3> n{along * 0.6 / length, across * 0.6 / length, 1 / length};
    auto march = mesher();
    const Surface even = march.extract(l, ridge_free_density(l, columns_of(heights)));
    EXPECT_LE(worst_angle(even, l, n), 1.0) << slope;
    EXPECT_TRUE(find_faults(even.mesh).none());
    // How full each voxel is, as a soil simulation keeps it.
    std::vector<float> full;
    for (int z = 0; z < l.nz; ++z)
      for (const float height : heights)
        full.push_back(std::clamp(height - (static_cast<float>(z) - 0.5F), 0.0F, 1.0F));
    EXPECT_GE(worst_angle(march.extract(l, full), l, n), 10.0) << slope;
  }
}

// A cave's floor and ceiling are where the parts end.
TEST(RidgeFree, VoidsHaveTwoSurfaces) {
  const Lattice l{20, 20, 30, 1, 1, 0.5F, 0, 0, 0};
  Columns columns;
  for (int c = 0; c < 400; ++c) {
    columns.first.push_back(static_cast<std::uint32_t>(columns.parts.size()));
    columns.parts.push_back({-std::numeric_limits<float>::infinity(), 4.2F});
    columns.parts.push_back({7.6F, 11.1F});
  }
  columns.first.push_back(static_cast<std::uint32_t>(columns.parts.size()));
  MarchOptions open;
  open.closed = false;
  const Surface s = mesher().extract(l, ridge_free_density(l, columns), open);
  ASSERT_FALSE(s.mesh.positions.empty());
  for (std::size_t i = 0; i < s.mesh.positions.size(); ++i) {
    const float z = s.mesh.positions[i][2], up = s.mesh.normals[i][2];
    const bool floor = std::abs(z - 4.2F) < 1e-4F && up > 0.99F;
    const bool ceiling = std::abs(z - 7.6F) < 1e-4F && up < -0.99F;
    const bool top = std::abs(z - 11.1F) < 1e-4F && up > 0.99F;
    EXPECT_TRUE(floor || ceiling || top) << z << " " << up;
  }
}

TEST(RidgeFree, RefusesPartsOutOfOrder) {
  const Lattice l{1, 1, 4, 1, 1, 1, 0, 0, 0};
  EXPECT_THROW(ridge_free_density(l, Columns{{0, 1}, {{3, 2}}}), UsageError);
  EXPECT_THROW(ridge_free_density(l, Columns{{0, 2}, {{2, 3}, {0, 1}}}), UsageError);
  EXPECT_THROW(ridge_free_density(l, Columns{{0}, {}}), UsageError);
  // No ground at all is a column too.
  EXPECT_LT(ridge_free_density(l, columns_of({NAN}))[0], 0);
}

}  // namespace
}  // namespace scree::surface
