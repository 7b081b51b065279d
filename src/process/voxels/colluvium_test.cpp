// What falls piles up at the angle of repose, on every backend alike, and nothing of it is lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/angle.h"
#include "base/error.h"
#include "process/voxels/weathering.h"
#include "testing.h"
#include "weathered.h"

namespace scree {
namespace {

using Words = std::vector<std::uint32_t>;

std::vector<VoxelMaterial> rock_and_debris(double debris_durability) {
  return {{"rock", 0, 0, false, {}}, {"debris", debris_durability, 0, true, {}}};
}

WeatheringParameters falling(double repose) {
  WeatheringParameters parameters;
  parameters.colluvium = true;
  parameters.repose = repose;
  return parameters;
}

std::size_t index_of(const VoxelShape& s, int x, int y, int z) {
  return static_cast<std::size_t>((z * s.ny + y) * s.nx + x);
}

// Debris in mid-air comes down in the next step: a heap, poured onto one spot.
Words poured(const device::DevicePtr& device, const VoxelShape& shape, double repose, int times) {
  Voxels voxels(device, shape, rock_and_debris(1));
  const int cx = shape.nx / 2, cy = shape.ny / 2;
  for (int i = 0; i < times; ++i) {
    Words words = voxels.words();
    for (std::uint32_t& word : words) word &= 0x7ffffU;
    for (int z = shape.nz - 1; z >= shape.nz - 40; --z)
      for (int y = cy - 1; y <= cy + 1; ++y)
        for (int x = cx - 1; x <= cx + 1; ++x)
          words[index_of(shape, x, y, z)] = voxel_word(1000, 2);
    voxels.set_words(words);
    testing::Weathered weathering(voxels, {sphere_bubble(2, 1)}, falling(repose), 5);
    weathering.step();
    const WeatheringLedger ledger = weathering.ledger();
    EXPECT_EQ(ledger.voxel_error(), 0);
    EXPECT_EQ(ledger.amount_error(), 0);
    EXPECT_EQ(ledger.left, 0);
    EXPECT_EQ(ledger.deleted, 0);
  }
  return voxels.words();
}

// Height of the heap in a column, and whether all of it stands on something.
int height_of(const VoxelShape& shape, const Words& words, int x, int y) {
  int height = 0;
  while (height < shape.nz && words[index_of(shape, x, y, height)] != 0) ++height;
  for (int z = height; z < shape.nz; ++z)
    EXPECT_EQ(words[index_of(shape, x, y, z)], 0U) << "floats at " << x << ", " << y << ", " << z;
  return height;
}

// The slope of the flank along a direction, by least squares, without its top and its toe.
double flank_degrees(const VoxelShape& shape, const Words& words, int dx, int dy) {
  const int cx = shape.nx / 2, cy = shape.ny / 2;
  std::vector<std::pair<double, double>> points;
  const double stride = std::sqrt(dx * dx + dy * dy);
  for (int i = 3; i < shape.nx / 2; ++i) {
    const int height = height_of(shape, words, cx + i * dx, cy + i * dy);
    if (height < 3) break;
    points.emplace_back(i * stride, height);
  }
  double mr = 0, mh = 0, rr = 0, rh = 0;
  const auto n = static_cast<double>(points.size());
  for (const auto& [r, h] : points) mr += r / n, mh += h / n;
  for (const auto& [r, h] : points) rr += (r - mr) * (r - mr), rh += (r - mr) * (h - mh);
  EXPECT_GE(points.size(), 6U);
  return std::atan(-rh / rr) * 180 / pi;
}

// Each of eight flanks by itself; the heaps are large enough for a line of voxels to tell: of one
// of 14,000 voxels, one flank in 24 is off by 2.5 degrees.
TEST(Colluvium, AHeapHasTheAngleOfReposeOnAxesAndDiagonals) {
  const VoxelShape shape{121, 121, 90, 1, {}};
  for (const double repose : {25.0, 35.0, 45.0}) {
    const Words words = poured(testing::cpu(), shape, repose, 60);
    for (int d = 0; d < 9; ++d) {
      const int dx = d % 3 - 1, dy = d / 3 - 1;
      if (dx == 0 && dy == 0) continue;
      EXPECT_NEAR(flank_degrees(shape, words, dx, dy), repose, 2) << "along " << dx << ", " << dy;
    }
  }
}

// A wall of columns that meet at their corners alone holds back what is poured beside it.
TEST(Colluvium, NothingSqueezesThroughBetweenTwoCorners) {
  const VoxelShape shape{24, 24, 20, 1, {}};
  Voxels voxels(testing::cpu(), shape, rock_and_debris(1));
  Words words(shape.count());
  for (int z = 0; z < 20; ++z)
    for (int i = 0; i < 24; ++i) words[index_of(shape, i, i, z)] = voxel_word(VOXEL_FULL, 2);
  for (int z = 1; z < 20; ++z)
    for (int i = 8; i < 16; ++i) words[index_of(shape, i + 1, i, z)] = voxel_word(VOXEL_FULL, 2);
  voxels.set_words(words);
  testing::Weathered weathering(voxels, {sphere_bubble(2, 1)}, falling(30), 5);
  weathering.step();
  const Words now = voxels.words();
  int moved = 0;
  for (int z = 0; z < 20; ++z)
    for (int y = 0; y < 24; ++y)
      for (int x = 0; x < 24; ++x) {
        if (x < y) {
          ASSERT_EQ(now[index_of(shape, x, y, z)], 0U) << x << ", " << y << ", " << z;
        }
        moved += x > y + 1 && now[index_of(shape, x, y, z)] != 0 ? 1 : 0;
      }
  EXPECT_GT(moved, 50);
}

// A block of rock on the ground, with a ledge that overhangs.
Words block_with_ledge(const VoxelShape& shape) {
  Words words(shape.count());
  for (int z = 0; z < 26; ++z)
    for (int y = 10; y < 24; ++y)
      for (int x = z < 18 ? 14 : 8; x < 30; ++x)
        words[index_of(shape, x, y, z)] = voxel_word(VOXEL_FULL, 1);
  return words;
}

void expect_nothing_floats(const VoxelShape& shape, const Words& words) {
  for (int z = 1; z < shape.nz; ++z)
    for (int y = 0; y < shape.ny; ++y)
      for (int x = 0; x < shape.nx; ++x)
        if (voxel_material(words[index_of(shape, x, y, z)]) == 2) {
          ASSERT_NE(words[index_of(shape, x, y, z - 1)], 0U) << x << ", " << y << ", " << z;
        }
}

TEST(Colluvium, FallsAlikeOnEveryBackendAndTheLedgerCloses) {
  const VoxelShape shape{45, 37, 29, 1, {}};
  Words first;
  for (const testing::Backend& backend : testing::all_backends()) {
    Voxels voxels(backend.device, shape, rock_and_debris(0.3));
    voxels.set_words(block_with_ledge(shape));
    testing::Weathered weathering(voxels, {sphere_bubble(4, 1)}, falling(35), 9);
    for (int i = 0; i < 10; ++i) {
      weathering.step();
      if (first.empty()) expect_nothing_floats(shape, voxels.words());
      const WeatheringLedger ledger = weathering.ledger();
      ASSERT_EQ(ledger.voxel_error(), 0) << backend.label << ", step " << i;
      ASSERT_EQ(ledger.amount_error(), 0) << backend.label << ", step " << i;
    }
    const Words words = voxels.words();
    if (first.empty()) {
      first = words;
      const WeatheringLedger ledger = weathering.ledger();
      EXPECT_GT(ledger.loose, 500);
      EXPECT_GT(ledger.deleted, 100);
      EXPECT_LT(ledger.rock, ledger.start);
    }
    ASSERT_EQ(words, first) << backend.label;
  }
}

// The counts that the next step reads are those of the terrain as it is, debris included.
TEST(Colluvium, AirIsCountedAgainWhereItCameToRest) {
  const VoxelShape shape{45, 37, 29, 1, {}};
  for (const testing::Backend& backend : testing::all_backends()) {
    Voxels voxels(backend.device, shape, rock_and_debris(0.3));
    voxels.set_words(block_with_ledge(shape));
    testing::Weathered weathering(voxels, {sphere_bubble(4, 1)}, falling(35), 9);
    for (int i = 0; i < 8; ++i) weathering.step();
    const Words kept = voxels.words();
    Words bare = kept;
    for (std::uint32_t& word : bare) word &= 0x7ffffU;
    voxels.set_words(bare);
    weathering.refresh();
    EXPECT_EQ(voxels.words(), kept) << backend.label;
  }
}

// Dug and heaped up between two steps, far from where anything wears: as if it had always been so.
TEST(Colluvium, TakesUpChangesFromOutside) {
  const VoxelShape shape{90, 40, 29, 1, {}};
  Voxels voxels(testing::cpu(), shape, rock_and_debris(1));
  const auto heap = [&](int x0, int from, int to) {
    Words words(shape.count());
    for (int z = from; z < to; ++z)
      for (int y = 10; y < 14; ++y)
        for (int x = x0; x < x0 + 4; ++x)
          words[index_of(shape, x, y, z)] = voxel_word(VOXEL_FULL, 2);
    return words;
  };
  voxels.set_words(heap(8, 0, 20));
  testing::Weathered weathering(voxels, {sphere_bubble(2, 1)}, falling(35), 4);
  weathering.step();
  const Words changed = heap(70, 5, 25);
  voxels.set_words(changed);
  weathering.step();
  Voxels fresh(testing::cpu(), shape, rock_and_debris(1));
  fresh.set_words(changed);
  testing::Weathered again(fresh, {sphere_bubble(2, 1)}, falling(35), 4);
  again.set_step(1);
  again.step();
  EXPECT_EQ(voxels.words(), fresh.words());
  expect_nothing_floats(shape, voxels.words());
}

TEST(Colluvium, LeavesThroughAnOpenBottomAndIsBooked) {
  const VoxelShape shape{20, 20, 20, 1, {}};
  VoxelEdges edges;
  edges.rock_bottom = false;
  Voxels voxels(testing::cpu(), shape, rock_and_debris(0), edges);
  Words words(shape.count());
  for (int z = 5; z < 12; ++z) words[index_of(shape, 9, 9, z)] = voxel_word(700, 2);
  voxels.set_words(words);
  testing::Weathered weathering(voxels, {sphere_bubble(2, 0.1)}, falling(35), 1);
  weathering.step();
  const WeatheringLedger ledger = weathering.ledger();
  EXPECT_EQ(ledger.left, 7);
  EXPECT_EQ(ledger.loose, 0);
  EXPECT_GT(ledger.left_amount, 0);
  EXPECT_EQ(ledger.voxel_error(), 0);
  EXPECT_EQ(ledger.amount_error(), 0);
}

// More than 2^32 of it, at 2047 a voxel.
TEST(Colluvium, AllThatLeavesInAStepIsBooked) {
  const VoxelShape shape{160, 132, 101, 1, {}};
  VoxelEdges edges;
  edges.rock_bottom = false;
  for (const testing::Backend& backend :
       {testing::all_backends().front(), testing::all_backends().back()}) {
    Voxels voxels(backend.device, shape, rock_and_debris(1), edges);
    Words words(shape.count(), voxel_word(VOXEL_FULL, 2));
    voxels.set_words(words);
    testing::Weathered weathering(voxels, {sphere_bubble(1, 0.1)}, falling(35), 1);
    weathering.step();
    const WeatheringLedger ledger = weathering.ledger();
    EXPECT_EQ(ledger.left, 160 * 132 * 101) << backend.label;
    EXPECT_EQ(ledger.left_amount, 160LL * 132 * 101 * VOXEL_FULL) << backend.label;
    EXPECT_EQ(ledger.amount_error(), 0) << backend.label;
  }
}

TEST(Colluvium, NeedsSomethingLooseToBeMadeOf) {
  Voxels voxels(testing::cpu(), {8, 8, 8, 1, {}}, {{"rock", 0, 0, false, {}}});
  EXPECT_THROW(testing::Weathered(voxels, {sphere_bubble(2, 1)}, falling(35), 1), UsageError);
}

}  // namespace
}  // namespace scree
