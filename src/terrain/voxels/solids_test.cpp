// Voxels are inside where their middles are, exactly, for any closed surface.
#include "terrain/voxels/solids.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "kernel/voxels/weather.h"
#include "terrain/voxels/rocks.h"
#include "testing.h"

namespace scree {
namespace {

using Corners = std::vector<std::array<float, 3>>;
using Triangles = std::vector<std::array<std::uint32_t, 3>>;

struct Body {
  Corners corners;
  Triangles triangles;

  void add_quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    triangles.push_back({a, b, c});
    triangles.push_back({a, c, d});
  }
  void add_box(const std::array<float, 3>& low, const std::array<float, 3>& high) {
    const auto n = static_cast<std::uint32_t>(corners.size());
    for (std::uint32_t k = 0; k < 8; ++k)
      corners.push_back({(k & 1) != 0 ? high[0] : low[0], (k & 2) != 0 ? high[1] : low[1],
                         (k & 4) != 0 ? high[2] : low[2]});
    add_quad(n, n + 2, n + 3, n + 1), add_quad(n + 4, n + 5, n + 7, n + 6);
    add_quad(n, n + 1, n + 5, n + 4), add_quad(n + 2, n + 6, n + 7, n + 3);
    add_quad(n, n + 4, n + 6, n + 2), add_quad(n + 1, n + 3, n + 7, n + 5);
  }
};

bool is_inside(const SolidMask& mask, const VoxelShape& s, int x, int y, int z) {
  const int words = (s.nx + 31) / 32;
  return (mask[static_cast<std::size_t>((z * s.ny + y) * words + x / 32)] >> (x % 32) & 1U) != 0;
}

template <class Inside>
void expect_voxels(const SolidMask& mask, const VoxelShape& s, Inside&& inside) {
  for (int z = 0; z < s.nz; ++z)
    for (int y = 0; y < s.ny; ++y)
      for (int x = 0; x < s.nx; ++x)
        ASSERT_EQ(is_inside(mask, s, x, y, z),
                  inside((x + 0.5) * s.cell, (y + 0.5) * s.cell, (z + 0.5) * s.cell))
            << x << ", " << y << ", " << z;
}

TEST(Solids, BoxesWhoseEdgesRunThroughMiddlesOfVoxels) {
  const VoxelShape shape{41, 23, 19, 0.5, {}};
  Body body;
  // Corners in the middles of voxels, where every line of columns meets edges and corners: a face
  // on the low side counts, one on the high side does not.
  body.add_box({2.25F, 1.25F, 1.25F}, {12.25F, 8.25F, 6.25F});
  const SolidMask mask = solid_from_triangles(shape, body.corners, body.triangles, "box");
  long long count = 0;
  for (const std::uint32_t word : mask) count += __builtin_popcount(word);
  EXPECT_EQ(count, 20 * 14 * 10);
  for (const bool turned : {false, true}) {
    Body two;
    two.add_box({2.1F, 1.1F, 1.1F}, {12.1F, 8.1F, 6.1F});
    two.add_box({8.1F, 4.1F, -3.0F}, {15.1F, 30.0F, 4.1F});  // overlaps, and leaves the box
    if (turned)
      for (auto& t : two.triangles) std::swap(t[0], t[1]);
    const auto within = [](double x, double y, double z) {
      return (x > 2.1 && x < 12.1 && y > 1.1 && y < 8.1 && z > 1.1 && z < 6.1) ||
             (x > 8.1 && x < 15.1 && y > 4.1 && z < 4.1);
    };
    expect_voxels(solid_from_triangles(shape, two.corners, two.triangles, "boxes"), shape, within);
  }
}

// A ball of triangles around a hollow ball that is turned inside out.
Body ball(double radius, double middle, int rings, bool hollow) {
  Body body;
  const int sides = 2 * rings;
  const double pi = 3.14159265358979;
  const auto n = static_cast<std::uint32_t>(rings);
  const auto add = [&](double lat, double lon) {
    body.corners.push_back({static_cast<float>(middle + radius * std::sin(lat) * std::cos(lon)),
                            static_cast<float>(middle + radius * std::sin(lat) * std::sin(lon)),
                            static_cast<float>(middle - radius * std::cos(lat))});
  };
  add(0, 0);
  for (int r = 1; r < rings; ++r)
    for (int s = 0; s < sides; ++s) add(pi * r / rings, 2 * pi * s / sides);
  add(pi, 0);
  const std::uint32_t last = static_cast<std::uint32_t>(body.corners.size()) - 1, m = 2 * n;
  for (std::uint32_t s = 0; s < m; ++s) {
    body.triangles.push_back({0, 1 + (s + 1) % m, 1 + s});
    body.triangles.push_back({last, last - m + s, last - m + (s + 1) % m});
    for (std::uint32_t r = 0; r + 2 < n; ++r)
      body.add_quad(1 + r * m + s, 1 + r * m + (s + 1) % m, 1 + (r + 1) * m + (s + 1) % m,
                    1 + (r + 1) * m + s);
  }
  if (hollow)
    for (auto& t : body.triangles) std::swap(t[0], t[1]);
  return body;
}

TEST(Solids, ABallWithAHollow) {
  const VoxelShape shape{50, 50, 50, 1, {}};
  Body body = ball(20, 25, 40, false);
  const Body inner = ball(9, 25, 40, true);
  const auto first = static_cast<std::uint32_t>(body.corners.size());
  body.corners.insert(body.corners.end(), inner.corners.begin(), inner.corners.end());
  for (const auto& t : inner.triangles)
    body.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  const SolidMask mask = solid_from_triangles(shape, body.corners, body.triangles, "ball");
  for (int z = 0; z < 50; ++z)
    for (int y = 0; y < 50; ++y)
      for (int x = 0; x < 50; ++x) {
        const double r =
            std::sqrt((x - 24.5) * (x - 24.5) + (y - 24.5) * (y - 24.5) + (z - 24.5) * (z - 24.5));
        if (std::abs(r - 20) < 0.2 || std::abs(r - 9) < 0.2) continue;  // triangles are flat
        ASSERT_EQ(is_inside(mask, shape, x, y, z), r < 20 && r > 9) << r;
      }
}

TEST(Solids, WhatIsNotClosedIsRefused) {
  const VoxelShape shape{8, 8, 8, 1, {}};
  Body body;
  body.add_box({1, 1, 1}, {4, 4, 4});
  body.triangles.pop_back();
  const auto message = [&]() -> std::string {
    try {
      solid_from_triangles(shape, body.corners, body.triangles, "rock.obj");
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message().find("rock.obj: no closed surface: 3"), std::string::npos) << message();
  body.triangles.push_back({0, 1, 99});
  EXPECT_NE(message().find("99"), std::string::npos);
  body.triangles.clear();
  body.corners[0][0] = 1e9F;
  EXPECT_NE(message().find("at most"), std::string::npos);
}

TEST(Solids, SamplesBetweenWhichDensityIsLinear) {
  const VoxelShape shape{20, 16, 12, 0.5, {}};
  const SolidLattice lattice{{6, 5, 4}, {2, 2, 2}, {0, 0, 0}};
  std::vector<float> density;
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 6; ++x) density.push_back(static_cast<float>(2 * x + 4 * y + 6 * z));
  // The same in metres: x + 2 y + 3 z.
  expect_voxels(solid_from_samples(shape, lattice, density, 9), shape,
                [](double x, double y, double z) {
                  return x <= 10 && y <= 8 && z <= 6 && x + 2 * y + 3 * z >= 9;
                });
}

// In the order of the forms, on every backend.
TEST(Solids, AreFormsAmongOthers) {
  const VoxelShape shape{37, 20, 18, 1, {}};
  Body body;
  body.add_box({4, 4, 2}, {30, 16, 12});
  RockSpec spec;
  spec.rocks = {{"a", 0, 0, 0, 0, false, {}}, {"b", 0, 0, 0, 0, false, {}}};
  spec.forms.resize(3);
  spec.forms[0].kind = RockFormSpec::Kind::solid, spec.forms[0].rock = spec.rocks[0].name;
  spec.forms[0].solid = solid_from_triangles(shape, body.corners, body.triangles, "body");
  spec.forms[1].rock = spec.rocks[1].name, spec.forms[1].at = {10, 10, 0},
  spec.forms[1].size = {4, 4, 18};
  Body hole;
  hole.add_box({20, 8, 0}, {24, 12, 18});
  spec.forms[2].kind = RockFormSpec::Kind::solid, spec.forms[2].carve = true;
  spec.forms[2].solid = solid_from_triangles(shape, hole.corners, hole.triangles, "hole");
  for (const testing::Backend& backend : testing::all_backends()) {
    Voxels voxels(backend.device, shape, rock_materials(spec));
    build_rocks(voxels, spec);
    EXPECT_EQ(voxels.totals().rock, 26 * 12 * 10 + 4 * 4 * 8 - 4 * 4 * 10) << backend.label;
    EXPECT_EQ(voxels.word(5, 5, 5), voxel_word(VOXEL_FULL, 1));
    EXPECT_EQ(voxels.word(10, 10, 5), voxel_word(VOXEL_FULL, 2));
    EXPECT_EQ(voxels.word(22, 10, 5), 0U);
  }
  spec.forms[0].solid.pop_back();
  Voxels voxels(testing::cpu(), shape, rock_materials(spec));
  EXPECT_THROW(build_rocks(voxels, spec), UsageError);
}

}  // namespace
}  // namespace scree
