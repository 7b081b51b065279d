// Rocks are where their forms say, of what their layers say, on every backend alike.
#include "terrain/voxels/rocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/error.h"
#include "testing.h"

namespace scree {
namespace {

RockSpec of_everything() {
  RockSpec spec;
  spec.rocks = {{"hard", 0.8, 0, 0, 0, false, {}},
                {"soft", 0.3, 0.2, 6, 0, false, {}},
                {"grainy", 0.3, 0.2, 0, 0, false, {}},
                {"gouge", 0.05, 0, 0, 0, false, {}}};
  spec.rocks[0].jointed = false;
  spec.layers = {{"hard", 6, 1, 9}, {"soft", 8, 2, 12}, {"grainy", 0, 0, 10}};
  using Kind = RockFormSpec::Kind;
  spec.forms = {{Kind::block, false, "", {20, 20, 0}, {40, 40, 3}, 1, 1, 0, 10, 0, 1},
                {Kind::column, false, "", {10, 12, 3}, {14, 14, 20}, 0.6, 1, 2, 8, 2, 1.3},
                {Kind::arch, false, "", {27, 25, 3}, {22, 6, 18}, 1, 4, 0.5, 8, 0, 1},
                {Kind::ball, true, "", {10, 12, 15}, {8, 8, 8}, 1, 1, 0, 10, 0, 1},
                {Kind::ball, false, "soft", {33, 8, 3}, {9, 7, 8}, 1, 1, 1, 4, 0, 1}};
  spec.joints = {{{1, 0.4, 0.2}, 3, 11, 1.5, 0.7, 9, "gouge"}};
  spec.seed = 12;
  return spec;
}

TEST(Rocks, AreTheSameOnEveryBackend) {
  const RockSpec spec = of_everything();
  std::uint64_t first = 0;
  for (const testing::Backend& backend : testing::all_backends()) {
    Voxels voxels(backend.device, {43, 41, 27, 1, {}}, rock_materials(spec));
    build_rocks(voxels, spec);
    if (first == 0) {
      first = voxels.hash();
      std::set<std::uint32_t> used;
      for (const std::uint32_t word : voxels.words()) used.insert(voxel_material(word));
      EXPECT_GT(used.size(), 20U);  // air, hard, gouge, and many grades of the others
    }
    EXPECT_EQ(voxels.hash(), first) << backend.label;
  }
}

RockFormSpec block(const std::array<double, 3>& at, const std::array<double, 3>& size) {
  RockFormSpec form;
  form.at = at, form.size = size;
  return form;
}

TEST(Rocks, FormsAreWhereTheySay) {
  RockSpec spec;
  spec.rocks = {{"a", 0, 0, 0, 0, false, {}}, {"b", 0, 0, 0, 0, false, {}}};
  spec.layers = {{"a", 10, 0, 10}, {"b", 0, 0, 10}};
  spec.forms = {block({16, 16, 0}, {12, 8, 20})};
  RockFormSpec hole = block({16, 16, 8}, {4, 40, 4});
  hole.carve = true;
  spec.forms.push_back(hole);
  Voxels voxels(testing::cpu(), {32, 32, 24, 1, {}}, rock_materials(spec));
  build_rocks(voxels, spec);
  EXPECT_EQ(voxels.totals().rock, 12 * 8 * 20 - 4 * 8 * 4);
  EXPECT_EQ(voxels.word(10, 12, 0), voxel_word(VOXEL_FULL, 1));
  EXPECT_EQ(voxels.word(21, 19, 19), voxel_word(VOXEL_FULL, 2));
  EXPECT_EQ(voxels.word(9, 12, 0), 0U);
  EXPECT_EQ(voxels.word(16, 16, 9), 0U);
  EXPECT_EQ(voxels.word(16, 16, 12), voxel_word(VOXEL_FULL, 2));
}

TEST(Rocks, JointsLeaveAloneWhatIsNotJointed) {
  RockSpec spec;
  spec.rocks = {{"floor", 1, 0, 0, 0, false, {}, false},
                {"wall", 0, 0, 0, 0, false, {}},
                {"gouge", 0, 0, 0, 0, false, {}},
                {"pillar", 0, 0, 0, 0, false, {}, false}};
  spec.layers = {{"floor", 4, 0, 10}, {"wall", 0, 0, 10}};
  spec.forms = {block({16, 16, 0}, {32, 32, 12}), block({16, 16, 12}, {32, 32, 4})};
  spec.forms[1].rock = "pillar";
  spec.joints = {{{1, 0, 0}, 16, 100, 2, 0, 10, "gouge"}};
  for (const testing::Backend& backend : testing::all_backends()) {
    Voxels voxels(backend.device, {32, 32, 16, 1, {}}, rock_materials(spec));
    build_rocks(voxels, spec);
    EXPECT_EQ(voxels.word(16, 5, 3), voxel_word(VOXEL_FULL, 1)) << backend.label;
    EXPECT_EQ(voxels.word(16, 5, 4), voxel_word(VOXEL_FULL, 3));
    EXPECT_EQ(voxels.word(18, 5, 4), voxel_word(VOXEL_FULL, 2));
    EXPECT_EQ(voxels.word(16, 5, 13), voxel_word(VOXEL_FULL, 4));
  }
}

// Planes from west to east, 8 apart: how many voxels of a row each is from its place.
std::vector<int> displaced(const device::DevicePtr& device, double jitter, double tilt, int y,
                           int z) {
  RockSpec spec;
  spec.rocks = {{"wall", 0, 0, 0, 0, false, {}}, {"gouge", 0, 0, 0, 0, false, {}}};
  spec.forms = {block({64, 16, 0}, {128, 32, 32})};
  spec.forms[0].rock = "wall";
  spec.joints = {{{1, 0, 0}, 0.5, 8, 1, 0, 10, "gouge", jitter, tilt}};
  spec.seed = 3;
  Voxels voxels(device, {128, 32, 32, 1, {}}, rock_materials(spec));
  build_rocks(voxels, spec);
  std::vector<int> off;
  for (int x = 8; x < 120; ++x)
    if (voxel_material(voxels.word(x, y, z)) == 2 && voxel_material(voxels.word(x - 1, y, z)) == 1)
      off.push_back((x + 4) % 8 - 4);
  return off;
}

TEST(Rocks, JointsAreDisplacedAndTiltedByTheirSeed) {
  const auto spread = [](const std::vector<int>& off) {
    const auto [low, high] = std::minmax_element(off.begin(), off.end());
    return *high - *low;
  };
  const std::vector<int> straight = displaced(testing::cpu(), 0, 0, 16, 16);
  EXPECT_EQ(straight, std::vector<int>(14, 0));
  const std::vector<int> middle = displaced(testing::cpu(), 0.25, 0, 16, 16);
  EXPECT_NEAR(static_cast<double>(middle.size()), 14, 1);
  EXPECT_GE(spread(middle), 2);
  for (const int off : middle) EXPECT_LE(std::abs(off), 3);  // a quarter of 8, rounded outwards
  // Planes that are not tilted are where they are at every height.
  EXPECT_EQ(displaced(testing::cpu(), 0.25, 0, 2, 30), middle);
  EXPECT_EQ(spread(displaced(testing::cpu(), 0, 10, 16, 16)), 0);  // about the middle of the box
  EXPECT_GE(spread(displaced(testing::cpu(), 0, 10, 2, 30)), 2);
  for (const testing::Backend& backend : testing::all_backends())
    EXPECT_EQ(displaced(backend.device, 0.25, 10, 2, 30),
              displaced(testing::cpu(), 0.25, 10, 2, 30))
        << backend.label;
}

// Twice the resolution: eight times the voxels, the same rocks.
TEST(Rocks, KeepTheirSizeInMetres) {
  RockSpec spec = of_everything();
  const auto share = [&](int n) {
    Voxels voxels(testing::cpu(), {40 * n, 40 * n, 26 * n, 1.0 / n, {}}, rock_materials(spec));
    build_rocks(voxels, spec);
    return static_cast<double>(voxels.totals().rock) / static_cast<double>(voxels.shape().count());
  };
  EXPECT_NEAR(share(1), share(2), 0.01);
}

TEST(Rocks, GroundFollowsItsHeights) {
  RockSpec spec;
  spec.rocks = {{"a", 0, 0, 0, 0, false, {}}};
  spec.layers = {{"a", 0, 0, 10}};
  for (int i = 0; i < 20 * 10; ++i) spec.heights.push_back(static_cast<float>(i % 20));
  Voxels voxels(testing::cpu(), {20, 10, 12, 2, {}}, rock_materials(spec));
  build_rocks(voxels, spec);
  EXPECT_NE(voxels.word(9, 5, 3), 0U);  // 9 m: four voxels of 2 m and a half
  EXPECT_EQ(voxels.word(8, 5, 4), 0U);
}

TEST(Rocks, WhatCannotBeIsRefused) {
  RockSpec spec = of_everything();
  spec.forms[0].rock = "cheese";
  Voxels voxels(testing::cpu(), {8, 8, 8, 1, {}}, rock_materials(spec));
  EXPECT_THROW(build_rocks(voxels, spec), UsageError);
  spec = of_everything();
  spec.forms[1].size[2] = 0;
  EXPECT_THROW(build_rocks(voxels, spec), UsageError);
  spec = of_everything();
  spec.layers.clear();
  EXPECT_THROW(build_rocks(voxels, spec), UsageError);
  spec = of_everything();
  spec.heights = {1, 2, 3};
  EXPECT_THROW(build_rocks(voxels, spec), UsageError);
}

TEST(Rocks, AFormMayBeLargerThanWholeNumbersAre) {
  RockSpec spec;
  spec.rocks = {{"a", 0, 0, 0, 0, false, {}}};
  spec.forms = {block({0, 0, -1e12}, {1e13, 1e13, 1e13})};
  spec.forms[0].rock = "a";
  Voxels voxels(testing::cpu(), {8, 7, 6, 1, {}}, rock_materials(spec));
  build_rocks(voxels, spec);
  EXPECT_EQ(voxels.totals().rock, 8 * 7 * 6);
  spec.forms[0].at[0] = 1e13;
  build_rocks(voxels, spec);
  EXPECT_EQ(voxels.totals().rock, 0) << "far to the east";
}

// Waves far below a voxel are taken as a 64th of one, which is noise enough.
TEST(Rocks, NoiseOfAnyLengthStaysOnItsLattice) {
  RockSpec spec = of_everything();
  const auto hash = [&](double noise_size) {
    spec.forms[0].noise = 2, spec.forms[0].noise_size = noise_size;
    Voxels voxels(testing::cpu(), {43, 41, 27, 1, {}}, rock_materials(spec));
    build_rocks(voxels, spec);
    return voxels.hash();
  };
  EXPECT_EQ(hash(1e-12), hash(1.0 / 64));
  EXPECT_NE(hash(1e-12), hash(4));
}

TEST(Rocks, JointsTooCloseToCountAreRefused) {
  RockSpec spec;
  spec.rocks = {{"a", 0, 0, 0, 0, false, {}}};
  spec.forms = {block({4, 4, 0}, {8, 8, 8})};
  spec.forms[0].rock = "a";
  Voxels voxels(testing::cpu(), {8, 8, 8, 1, {}}, rock_materials(spec));
  const auto refused = [&](double spacing, double tilt) {
    spec.joints = {{{1, 0, 0}, 0, spacing, 1e-9, 0, 10, "a", 0, tilt}};
    EXPECT_THROW(build_rocks(voxels, spec), UsageError) << spacing << ", " << tilt;
  };
  refused(1e-6, 0);
  refused(1e-3, 20);
  spec.joints[0].tilt = 0;
  build_rocks(voxels, spec);
}

}  // namespace
}  // namespace scree
