// Rock that nothing joins to the ground comes down, the same on every backend.
#include "process/voxels/stability.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "kernel/voxels/weather.h"
#include "process/voxels/weathering.h"
#include "testing.h"
#include "weathered.h"

namespace scree {
namespace {

using Words = std::vector<std::uint32_t>;

// Rock that does not wear, rock that does, debris.
std::vector<VoxelMaterial> materials() {
  return {{"hard", 1, 0, false, {}}, {"soft", 0.2, 0, false, {}}, {"debris", 1, 0, true, {}}};
}

WeatheringParameters stable(bool colluvium, double every = 1) {
  WeatheringParameters parameters;
  parameters.colluvium = colluvium;
  parameters.stability_every = every;
  return parameters;
}

std::size_t index_of(const VoxelShape& s, int x, int y, int z) {
  return static_cast<std::size_t>((z * s.ny + y) * s.nx + x);
}

void fill(Words& words, const VoxelShape& s, const std::array<int, 3>& from,
          const std::array<int, 3>& to, std::uint32_t word) {
  for (int z = from[2]; z < to[2]; ++z)
    for (int y = from[1]; y < to[1]; ++y)
      for (int x = from[0]; x < to[0]; ++x) words[index_of(s, x, y, z)] = word;
}

const std::uint32_t hard = voxel_word(VOXEL_FULL, 1);

// Voxel by voxel from those that touch rock beyond the box: what stands.
Words standing(const VoxelShape& s, const VoxelEdges& e, const Words& words) {
  Words reached(words.size());
  std::vector<std::array<int, 3>> open;
  const auto visit = [&](int x, int y, int z) {
    if (x < 0 || y < 0 || z < 0 || x >= s.nx || y >= s.ny || z >= s.nz) return;
    const std::size_t i = index_of(s, x, y, z);
    if (words[i] == 0 || reached[i] != 0) return;
    reached[i] = words[i];
    open.push_back({x, y, z});
  };
  for (int z = 0; z < s.nz; ++z)
    for (int y = 0; y < s.ny; ++y)
      for (int x = 0; x < s.nx; ++x)
        if ((e.rock_west && x == 0) || (e.rock_east && x == s.nx - 1) || (e.rock_south && y == 0) ||
            (e.rock_north && y == s.ny - 1) || (e.rock_bottom && z == 0) ||
            (e.rock_top && z == s.nz - 1))
          visit(x, y, z);
  while (!open.empty()) {
    const auto [x, y, z] = open.back();
    open.pop_back();
    visit(x - 1, y, z), visit(x + 1, y, z), visit(x, y - 1, z);
    visit(x, y + 1, z), visit(x, y, z - 1), visit(x, y, z + 1);
  }
  return reached;
}

// Close to the share at which a random solid falls apart, so that what holds it is winding.
Words crumbly(const VoxelShape& s, std::uint32_t seed, std::uint32_t solid_percent) {
  Words words;
  for (int z = 0; z < s.nz; ++z)
    for (int y = 0; y < s.ny; ++y)
      for (int x = 0; x < s.nx; ++x) {
        const std::uint32_t h = voxel_hash(seed, x, y, z);
        words.push_back((h >> 8) % 100 < solid_percent ? voxel_word(1 + (h >> 20) % VOXEL_FULL, 1)
                                                       : 0);
      }
  return words;
}

Words bare(Words words) {
  for (std::uint32_t& word : words) word &= 0x7ffffU;
  return words;
}

void stands_as_the_reference_says(const VoxelShape& shape, const VoxelEdges& edges,
                                  std::uint32_t percent) {
  const Words start = crumbly(shape, 19 + percent, percent);
  const Words expected = standing(shape, edges, start);
  for (const testing::Backend& backend : testing::all_backends()) {
    Voxels voxels(backend.device, shape, materials(), edges);
    voxels.set_words(start);
    testing::Weathered weathering(voxels, {sphere_bubble(1, 0.1)}, stable(false), 5);
    weathering.step();
    ASSERT_EQ(bare(voxels.words()), expected) << backend.label << ", " << percent << " %";
    const WeatheringLedger ledger = weathering.ledger();
    EXPECT_EQ(ledger.cut_off,
              std::count_if(start.begin(), start.end(), [](auto w) { return w != 0; }) -
                  std::count_if(expected.begin(), expected.end(), [](auto w) { return w != 0; }));
    EXPECT_EQ(ledger.deleted, ledger.cut_off);
    EXPECT_EQ(ledger.voxel_error(), 0);
    EXPECT_EQ(ledger.amount_error(), 0);
  }
}

TEST(Stability, WhatStandsIsWhatAFloodVoxelByVoxelReaches) {
  for (const std::uint32_t percent : {28U, 33U, 40U, 60U})
    stands_as_the_reference_says({71, 35, 50, 1, {}}, {}, percent);
  VoxelEdges sides;
  sides.rock_bottom = false, sides.rock_east = sides.rock_north = sides.rock_top = true;
  stands_as_the_reference_says({71, 35, 50, 1, {}}, sides, 33);
  for (const VoxelShape& shape : {VoxelShape{1, 1, 1, 1, {}}, VoxelShape{65, 2, 3, 1, {}},
                                  VoxelShape{32, 16, 16, 1, {}}, VoxelShape{3, 33, 17, 1, {}}}) {
    stands_as_the_reference_says(shape, {}, 55);
    stands_as_the_reference_says(shape, sides, 55);
  }
}

// One thread of rock, back and forth through every brick: the longest way that a flood can go.
TEST(Stability, FollowsAWindingThread) {
  const VoxelShape shape{67, 37, 35, 1, {}};
  Words words(shape.count());
  for (int z = 0; z < shape.nz; z += 2) {
    for (int y = 0; y < shape.ny; y += 2) {
      fill(words, shape, {0, y, z}, {shape.nx, y + 1, z + 1}, hard);
      const int turn = y / 2 % 2 == 0 ? shape.nx - 1 : 0;
      if (y + 2 < shape.ny) words[index_of(shape, turn, y + 1, z)] = hard;
    }
    // At alternating ends of the layers, which join to one thread.
    const bool at_end = z / 2 % 2 == 0;
    const int y = at_end ? shape.ny - 1 : 0,
              x = at_end ? ((shape.ny / 2) % 2 == 0 ? shape.nx - 1 : 0) : 0;
    if (z + 2 < shape.nz) words[index_of(shape, x, y, z + 1)] = hard;
  }
  ASSERT_EQ(standing(shape, {}, words), words);
  const std::size_t last = index_of(shape, 0, 0, 1), above = index_of(shape, 5, 10, 20);
  for (const testing::Backend& backend : testing::all_backends()) {
    Voxels voxels(backend.device, shape, materials());
    voxels.set_words(words);
    testing::Weathered weathering(voxels, {sphere_bubble(1, 0.1)}, stable(false), 5);
    weathering.step();
    ASSERT_EQ(bare(voxels.words()), words) << backend.label;
    Words broken = words;
    for (std::size_t i = index_of(shape, 0, 0, 1); i < index_of(shape, 0, 0, 2); ++i) broken[i] = 0;
    ASSERT_EQ(broken[last], 0U);
    voxels.set_words(broken);
    weathering.step();
    EXPECT_EQ(voxels.words()[above], 0U) << backend.label;
    ASSERT_EQ(bare(voxels.words()), standing(shape, {}, broken)) << backend.label;
  }
}

TEST(Stability, ABlockInMidAirFallsWhole) {
  const VoxelShape shape{40, 40, 40, 1, {}};
  Words words(shape.count());
  fill(words, shape, {0, 0, 0}, {40, 40, 2}, hard);
  fill(words, shape, {15, 14, 20}, {23, 20, 27}, voxel_word(1500, 1));
  for (const testing::Backend& backend : testing::all_backends()) {
    Voxels voxels(backend.device, shape, materials());
    voxels.set_words(words);
    testing::Weathered weathering(voxels, {sphere_bubble(2, 0.1)}, stable(true), 5);
    weathering.step();
    const WeatheringLedger ledger = weathering.ledger();
    EXPECT_EQ(ledger.cut_off, 8 * 6 * 7);
    EXPECT_EQ(ledger.loose, 8 * 6 * 7);
    EXPECT_EQ(ledger.rock, 40 * 40 * 2);
    EXPECT_EQ(ledger.amount, ledger.start_amount);
    EXPECT_EQ(ledger.deleted, 0);
    EXPECT_EQ(ledger.voxel_error(), 0);
    EXPECT_EQ(ledger.amount_error(), 0);
    const Words now = voxels.words();
    ASSERT_EQ(bare(standing(shape, {}, now)), bare(now)) << "something still hangs";
    for (std::size_t i = index_of(shape, 0, 0, 16); i < now.size(); ++i) ASSERT_EQ(now[i], 0U);
    // All of it is still there, as much as it was.
    EXPECT_EQ(
        std::count_if(now.begin(), now.end(),
                      [](auto w) { return voxel_material(w) == 3 && voxel_amount(w) == 1500; }),
        8 * 6 * 7);
  }
}

TEST(Stability, AnArchStandsUntilItsLastPillarIsCut) {
  const VoxelShape shape{48, 20, 30, 1, {}};
  Words words(shape.count());
  fill(words, shape, {6, 8, 0}, {12, 12, 20}, hard);
  fill(words, shape, {36, 8, 0}, {42, 12, 20}, hard);
  fill(words, shape, {6, 8, 20}, {42, 12, 24}, hard);
  Voxels voxels(testing::cpu(), shape, materials());
  voxels.set_words(words);
  testing::Weathered weathering(voxels, {sphere_bubble(2, 0.1)}, stable(true), 5);
  const auto saw = [&](int x0, int x1) {
    Words cut = bare(voxels.words());
    fill(cut, shape, {x0, 8, 9}, {x1, 12, 10}, 0);
    voxels.set_words(cut);
  };
  const long long whole = weathering.ledger().rock;
  weathering.step();
  EXPECT_EQ(weathering.ledger().rock, whole);
  saw(6, 12);
  weathering.step();
  EXPECT_EQ(weathering.ledger().rock, whole - 6 * 4) << "it hangs from the other pillar";
  saw(36, 42);
  weathering.step();
  EXPECT_EQ(weathering.ledger().rock, 2 * 6 * 4 * 9) << "both stumps stand";
  EXPECT_EQ(weathering.ledger().cut_off, whole - 2 * 6 * 4 * 10);
  EXPECT_EQ(weathering.ledger().voxel_error(), 2 * 6 * 4) << "what was sawn away, nothing else";
}

TEST(Stability, LooksOnlyWhenItIsTime) {
  const VoxelShape shape{12, 12, 12, 1, {}};
  Words words(shape.count());
  fill(words, shape, {4, 4, 5}, {8, 8, 8}, hard);
  Voxels voxels(testing::cpu(), shape, materials());
  voxels.set_words(words);
  testing::Weathered weathering(voxels, {sphere_bubble(2, 0.1)}, stable(false, 3), 5);
  weathering.step(), weathering.step();
  EXPECT_EQ(voxels.totals().rock, 4 * 4 * 3);
  weathering.step();
  EXPECT_EQ(voxels.totals().rock, 0);
}

// A table whose leg wears through, with what lies on it.
Words table(const VoxelShape& shape) {
  Words start(shape.count());
  fill(start, shape, {0, 0, 0}, {53, 41, 2}, hard);
  fill(start, shape, {24, 18, 2}, {29, 23, 20}, voxel_word(VOXEL_FULL, 2));
  fill(start, shape, {12, 10, 20}, {42, 32, 26}, voxel_word(VOXEL_FULL, 1));
  fill(start, shape, {20, 16, 26}, {30, 26, 28}, voxel_word(900, 3));
  return start;
}

TEST(Stability, FallsAlikeOnEveryBackendAndTheLedgerCloses) {
  const VoxelShape shape{53, 41, 37, 1, {}};
  const Words start = table(shape);
  Words first;
  for (const testing::Backend& backend : testing::all_backends()) {
    Voxels voxels(backend.device, shape, materials());
    voxels.set_words(start);
    testing::Weathered weathering(voxels, {sphere_bubble(3, 0.6)}, stable(true, 2), 9);
    for (int i = 0; i < 12; ++i) {
      weathering.step();
      ASSERT_EQ(weathering.ledger().voxel_error(), 0) << backend.label << ", step " << i;
      ASSERT_EQ(weathering.ledger().amount_error(), 0) << backend.label << ", step " << i;
    }
    const Words now = voxels.words();
    if (first.empty()) {
      first = now;
      EXPECT_GE(weathering.ledger().cut_off, 30 * 22 * 6);
      for (std::size_t i = index_of(shape, 0, 0, 25); i < now.size(); ++i) ASSERT_EQ(now[i], 0U);
    }
    ASSERT_EQ(now, first) << backend.label;
  }
}

// The counts that the next step reads are those of what is left, and of where the rest came to lie.
TEST(Stability, AirIsCountedAgainWhereRockFell) {
  const VoxelShape shape{53, 41, 37, 1, {}};
  for (const bool colluvium : {false, true})
    for (const testing::Backend& backend : testing::all_backends()) {
      Voxels voxels(backend.device, shape, materials());
      voxels.set_words(table(shape));
      testing::Weathered weathering(voxels, {sphere_bubble(3, 0.6)}, stable(colluvium, 2), 9);
      for (int i = 0; i < 12; ++i) weathering.step();
      EXPECT_GT(weathering.ledger().cut_off, 1000);
      const Words kept = voxels.words();
      voxels.set_words(bare(kept));
      weathering.refresh();
      ASSERT_EQ(voxels.words(), kept) << backend.label;
    }
}

TEST(Stability, NeedsGroundAndWholeSteps) {
  VoxelEdges air;
  air.rock_bottom = false;
  Voxels afloat(testing::cpu(), {8, 8, 8, 1, {}}, materials(), air);
  EXPECT_THROW(testing::Weathered(afloat, {sphere_bubble(2, 1)}, stable(false), 1), UsageError);
  Voxels voxels(testing::cpu(), {8, 8, 8, 1, {}}, materials());
  EXPECT_THROW(testing::Weathered(voxels, {sphere_bubble(2, 1)}, stable(false, 1.5), 1),
               UsageError);
}

}  // namespace
}  // namespace scree
