// Weathering by stages is weathering voxel by voxel, and the same bits on every backend.
#include "process/voxels/weathering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "kernel/common/random.h"
#include "testing.h"
#include "weathered.h"
#include "weathering_reference.h"

namespace scree {
namespace {

using Words = std::vector<std::uint32_t>;

// Lumps of several materials with hollows, from hashes alone.
Words lumps(const VoxelShape& shape, int materials, std::uint32_t seed) {
  Words words;
  for (int z = 0; z < shape.nz; ++z)
    for (int y = 0; y < shape.ny; ++y)
      for (int x = 0; x < shape.nx; ++x) {
        const std::uint32_t lump = voxel_hash(seed, x / 5, y / 5, z / 5);
        const std::uint32_t grain = voxel_hash(seed + 1, x, y, z);
        const bool rock = z < 2 || (lump >> 8) % 10 < 6;
        const auto material = 1 + (lump >> 16) % static_cast<std::uint32_t>(materials);
        words.push_back(rock ? voxel_word(1 + grain % VOXEL_FULL, material) : 0);
      }
  return words;
}

std::vector<VoxelMaterial> materials_for(int bubbles) {
  std::vector<VoxelMaterial> materials;
  for (int m = 0; m < 5; ++m)
    materials.push_back({std::to_string(m), 0.2 * m, m % bubbles, false, {}});
  return materials;
}

Bubble lopsided(double rate) {
  Bubble bubble;
  bubble.name = "lopsided";
  for (int i = 0; i < 700; ++i) {
    const std::uint32_t h = voxel_hash(77, i, 0, 0);
    const Bubble::Offset o{static_cast<int>(h % 31) - 15, static_cast<int>(h >> 8 & 15) - 4,
                           static_cast<int>((h >> 16) % 20) - 15};
    if (std::find(bubble.offsets.begin(), bubble.offsets.end(), o) == bubble.offsets.end())
      bubble.offsets.push_back(o);
  }
  bubble.rates = spheroidal_rates(bubble.volume(), rate);
  return bubble;
}

Bubble bubble_of_kind(int kind) {
  Bubble bubble = sphere_bubble(3.5, 0.3);
  if (kind == 1) bubble.offsets = top_heavy_offsets(5, 2);
  if (kind == 2) bubble.offsets = disc_offsets(6, 1);
  if (kind == 3) return lopsided(0.4);
  bubble.rates = spheroidal_rates(bubble.volume(), 0.3);
  if (kind == 4) {
    bubble.rates = cavernous_rates(bubble.offsets, 0.5);
    bubble.open_faces = true;
  }
  bubble.name = "kind " + std::to_string(kind);
  return bubble;
}

Words after(const device::DevicePtr& device, const VoxelShape& shape, const VoxelEdges& edges,
            const std::vector<VoxelMaterial>& materials, const std::vector<Bubble>& bubbles,
            const Words& words, int steps) {
  Voxels voxels(device, shape, materials, edges);
  voxels.set_words(words);
  testing::Weathered weathering(voxels, bubbles, {}, 11);
  for (int i = 0; i < steps; ++i) weathering.step();
  return voxels.words();
}

// One case: a bubble of each kind by itself, or all of them at once.
void agrees(const VoxelShape& shape, const VoxelEdges& edges, const std::vector<Bubble>& bubbles,
            int steps) {
  const auto materials = materials_for(static_cast<int>(bubbles.size()));
  const Words start = lumps(shape, 5, 3);
  testing::NaiveWeathering naive(shape, edges, materials, bubbles, start, 11);
  for (int i = 0; i < steps; ++i) naive.step();
  const Words expected = naive.words();
  for (const testing::Backend& backend : testing::all_backends())
    ASSERT_EQ(after(backend.device, shape, edges, materials, bubbles, start, steps), expected)
        << backend.label << ", " << bubbles[0].name;
}

TEST(Weathering, StagesAgreeWithTheNaiveWalkForEveryBubble) {
  for (int kind = 0; kind < 5; ++kind) agrees({37, 21, 19, 1, {}}, {}, {bubble_of_kind(kind)}, 6);
}

TEST(Weathering, StagesAgreeWithTheNaiveWalkForMixedBubbles) {
  std::vector<Bubble> bubbles;
  for (int kind = 0; kind < 5; ++kind) bubbles.push_back(bubble_of_kind(kind));
  agrees({33, 35, 34, 1, {}}, {}, bubbles, 5);
}

// More die within a bubble than a byte counts, beside few; and of more materials than registers
// hold.
TEST(Weathering, ManyAtOnceAndManyMaterials) {
  const VoxelShape shape{40, 20, 22, 1, {}};
  std::vector<VoxelMaterial> materials;
  for (int m = 0; m < 150; ++m)
    materials.push_back({std::to_string(m), m / 200.0, 0, m % 3 == 0, {}});
  Words start = lumps(shape, 5, 3);
  for (std::size_t i = 0; i < start.size(); ++i) {
    const std::size_t z = i / 800, x = i % 40;
    if (start[i] != 0) start[i] = voxel_word(VOXEL_FULL, 1 + static_cast<std::uint32_t>(i) % 150);
    if (z >= 10 && z < 14 && x < 30) start[i] = voxel_word(1, 1);
  }
  const std::vector<Bubble> bubbles{sphere_bubble(7, 1)};
  testing::NaiveWeathering naive(shape, {}, materials, bubbles, start, 11);
  for (int i = 0; i < 3; ++i) naive.step();
  for (const testing::Backend& backend : testing::all_backends())
    ASSERT_EQ(after(backend.device, shape, {}, materials, bubbles, start, 3), naive.words())
        << backend.label;
}

TEST(Weathering, AnySizeAndAnyEdges) {
  VoxelEdges rock;
  rock.rock_west = rock.rock_north = rock.rock_top = true, rock.rock_bottom = false;
  for (const VoxelShape& shape : {VoxelShape{1, 1, 1, 1, {}}, VoxelShape{65, 2, 3, 1, {}},
                                  VoxelShape{3, 17, 33, 1, {}}, VoxelShape{31, 16, 1, 1, {}}}) {
    agrees(shape, {}, {bubble_of_kind(0), bubble_of_kind(3)}, 3);
    agrees(shape, rock, {bubble_of_kind(0), bubble_of_kind(3)}, 3);
  }
}

Words block(const VoxelShape& shape, int from, int to) {
  Words words(shape.count());
  for (int z = from; z < to; ++z)
    for (int y = from; y < to; ++y)
      for (int x = from; x < to; ++x)
        words[static_cast<std::size_t>((z * shape.ny + y) * shape.nx + x)] =
            voxel_word(VOXEL_FULL, 1);
  return words;
}

TEST(Weathering, CornersGoBeforeEdgesBeforeFaces) {
  Voxels voxels(testing::cpu(), {50, 50, 50, 1, {}}, {{"rock", 0.5, 0, false, {}}});
  voxels.set_words(block(voxels.shape(), 13, 37));
  testing::Weathered weathering(voxels, {sphere_bubble(6, 0.2)}, {}, 3);
  int corner = 0, edge = 0, face = 0;
  for (int i = 1; i < 200 && face == 0; ++i) {
    weathering.step();
    if (corner == 0 && voxels.word(13, 13, 13) == 0) corner = i;
    if (edge == 0 && voxels.word(25, 13, 13) == 0) edge = i;
    if (face == 0 && voxels.word(25, 25, 13) == 0) face = i;
  }
  EXPECT_GT(corner, 1);
  EXPECT_GT(edge, corner);
  EXPECT_GT(face, edge);
}

// Hardly any amount is a whole number a step: on average it must come out all the same.
TEST(Weathering, DurableRockWearsWithoutBias) {
  const VoxelShape shape{64, 64, 1, 1, {}};
  Voxels voxels(testing::cpu(), shape, {{"rock", 0.999, 0, false, {}}});
  voxels.set_words(Words(shape.count(), voxel_word(VOXEL_FULL, 1)));
  Bubble bubble = sphere_bubble(1, 1);
  bubble.rates = std::vector<double>(bubble.offsets.size() + 1, 0.02);
  bubble.rates[0] = 0;
  testing::Weathered weathering(voxels, {bubble}, {}, 21);
  for (int i = 0; i < 100; ++i) weathering.step();
  const double expected =
      100 * std::round(0.02 * 2047 * 512) * std::round(0.001 * 4096) / (512.0 * 4096.0) * 4096;
  const auto worn = static_cast<double>(weathering.ledger().worn);
  EXPECT_NEAR(worn, expected, 4 * std::sqrt(expected));
  EXPECT_EQ(weathering.ledger().amount_error(), 0);
}

TEST(Weathering, RockIsDeletedAndBooked) {
  const VoxelShape shape{40, 33, 20, 1, {}};
  for (const testing::Backend& backend : testing::all_backends()) {
    Voxels voxels(backend.device, shape, materials_for(1));
    voxels.set_words(lumps(shape, 5, 8));
    testing::Weathered weathering(voxels, {sphere_bubble(3, 0.5)}, {}, 2);
    for (int i = 0; i < 4; ++i) weathering.step();
    const WeatheringLedger ledger = weathering.ledger();
    EXPECT_GT(ledger.deleted, 100);
    EXPECT_EQ(ledger.loose, 0);
    EXPECT_EQ(ledger.voxel_error(), 0) << backend.label;
    EXPECT_EQ(ledger.amount_error(), 0) << backend.label;
  }
}

// A brush between two steps: rock that somebody hardened stays, and counts follow what was dug.
TEST(Weathering, TakesUpChangesFromOutside) {
  const VoxelShape shape{40, 40, 40, 1, {}};
  Voxels voxels(testing::cpu(), shape, materials_for(1));
  voxels.set_words(block(shape, 4, 36));
  testing::Weathered weathering(voxels, {sphere_bubble(3, 0.3)}, {}, 2);
  weathering.step();
  Words dug = voxels.words();
  for (std::uint32_t& word : dug) word &= 0x7ffffU;
  for (int z = 10; z < 30; ++z)
    for (int x = 10; x < 30; ++x) dug[static_cast<std::size_t>((z * 40 + 20) * 40 + x)] = 0;
  voxels.set_words(dug);
  VoxelMaterial hard = voxels.materials()[0];
  hard.durability = 1;
  voxels.set_material(1, hard);
  weathering.step();
  Words after_step = voxels.words();
  EXPECT_GT(voxel_air(after_step[static_cast<std::size_t>((20 * 40 + 19) * 40 + 20)]), 20U);
  for (std::uint32_t& word : after_step) word &= 0x7ffffU;
  EXPECT_EQ(after_step, dug);
}

TEST(Weathering, BadBubblesAreRefusedWithTheirName) {
  Voxels voxels(testing::cpu(), {8, 8, 8, 1, {}}, materials_for(1));
  const auto message = [&](Bubble bubble) -> std::string {
    try {
      testing::Weathered(voxels, {std::move(bubble)}, {}, 0);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message(sphere_bubble(5, 1)), "accepted");
  EXPECT_NE(message(sphere_bubble(13, 1)).find("at most 8191"), std::string::npos);
  EXPECT_NE(message(sphere_bubble(1, 2)).find("expected 0 to 1 of a voxel"), std::string::npos);
  EXPECT_NE(message(sphere_bubble(0.9, 1)).find("at least 1 voxel"), std::string::npos);
  Bubble far = sphere_bubble(2, 1);
  far.offsets[0] = {16, 0, 0};
  EXPECT_NE(message(far).find("reaches 16"), std::string::npos);
  Bubble twice = sphere_bubble(2, 1);
  twice.offsets[1] = twice.offsets[0];
  EXPECT_NE(message(twice).find("twice"), std::string::npos);
  Bubble none;
  none.name = "none";
  EXPECT_NE(message(none).find("'none'"), std::string::npos);
  Bubble few = sphere_bubble(2, 1);
  few.rates.pop_back();
  EXPECT_NE(message(few).find("rates"), std::string::npos);
  EXPECT_THROW(curve_rates(10, {{0.5, 1}, {0.2, 0}}), UsageError);
}

TEST(Weathering, BoxesThatCannotBeAreRefused) {
  const std::vector<VoxelMaterial> rock{{"rock", 0, 0, false, {}}};
  EXPECT_THROW(Voxels(testing::cpu(), {0, 5, 5, 1, {}}, rock), UsageError);
  EXPECT_THROW(Voxels(testing::cpu(), {5, 5, 5, -1, {}}, rock), UsageError);
  EXPECT_THROW(Voxels(testing::cpu(), {20000, 20000, 20000, 1, {}}, rock), UsageError);
  EXPECT_THROW(Voxels(testing::cpu(), {5, 5, 5, 1, {}}, {}), UsageError);
  Voxels small(testing::cpu(), {2, 2, 2, 1, {}}, rock);
  EXPECT_THROW(small.set_words({1, 2}), UsageError);
  EXPECT_THROW(small.set_words(Words(8, voxel_word(5, 2))), UsageError);
  // A 16 GB machine holds 1024 x 1024 x 512 with room to spare.
  EXPECT_LT(voxel_bytes({1024, 1024, 512, 1, {}}, true), std::size_t{9} << 30);
}

// One voxel goes, at or next to every distance from a brick's faces, edges and corners at which its
// neighbours begin to feel it: their counts are those that counting everything anew gives.
TEST(Weathering, OneDeathIsFeltAsFarAsABubbleReaches) {
  const VoxelShape shape{3 * BRICK_X, 3 * BRICK_Y, 3 * BRICK_Z, 1, {}};
  constexpr int reach = 3;
  const auto near_faces = [](int side) {
    return std::array{side,
                      side + reach - 1,
                      side + reach,
                      side + side / 2,
                      2 * side - reach - 1,
                      2 * side - reach,
                      2 * side - 1};
  };
  const auto xs = near_faces(BRICK_X), ys = near_faces(BRICK_Y), zs = near_faces(BRICK_Z);
  const auto index = [&](int x, int y, int z) {
    return static_cast<std::size_t>((z * shape.ny + y) * shape.nx + x);
  };
  const Words rock(shape.count(), voxel_word(VOXEL_FULL, 1));
  for (const testing::Backend& backend : testing::all_backends()) {
    Voxels voxels(backend.device, shape, {{"hard", 1, 0, false, {}}, {"soft", 0, 0, false, {}}});
    testing::Weathered weathering(voxels, {sphere_bubble(reach, 1)}, {}, 1);
    const auto felt = [&](int x, int y, int z) {
      Words words = rock;
      words[index(x, y, z)] = voxel_word(1, 2);
      words[index(x, y, z + 1)] = 0;
      voxels.set_words(words);
      weathering.refresh();
      while (voxels.word(x, y, z) != 0) weathering.step();
      const Words kept = voxels.words();
      Words bare = kept;
      for (std::uint32_t& word : bare) word &= 0x7ffffU;
      voxels.set_words(bare);
      weathering.refresh();
      ASSERT_TRUE(voxels.words() == kept) << backend.label << ": " << x << ", " << y << ", " << z;
    };
    for (std::size_t i = 0; i < xs.size(); ++i) {
      felt(xs[i], ys[3], zs[3]), felt(xs[3], ys[i], zs[3]), felt(xs[3], ys[3], zs[i]);
      felt(xs[i], ys[i], zs[i]);
    }
  }
}

// Half a box of rock that never wears, but for one soft voxel on top of it: of its 5 x 4 x 4 bricks
// only those with air around weather, and only two feel that the soft one goes.
TEST(Weathering, LooksOnlyWhereThereIsAir) {
  const VoxelShape shape{160, 64, 64, 1, {}};
  const std::vector<VoxelMaterial> materials{{"hard", 1, 0, false, {}}, {"soft", 0, 0, false, {}}};
  Words words(static_cast<std::size_t>(160 * 64 * 64));
  std::fill_n(words.begin(), 160 * 64 * 32, voxel_word(VOXEL_FULL, 1));
  words[static_cast<std::size_t>((31 * 64 + 24) * 160 + 80)] = voxel_word(1, 2);
  WeatheringParameters parameters;
  parameters.colluvium = false;
  for (const testing::Backend& backend : testing::all_backends()) {
    SCOPED_TRACE(backend.label);
    Voxels voxels(backend.device, shape, materials);
    voxels.set_words(words);
    testing::Weathered weathering(voxels, {sphere_bubble(3, 1)}, parameters, 1);
    const int top = 5 * 4, sides = 5 * 4 - 3 * 2;
    EXPECT_EQ(weathering.activity(), (Weathering::Activity{top + sides, 5 * 4 * 4}));
    weathering.step();
    EXPECT_EQ(voxels.totals().rock, 160 * 64 * 32 - 1);
    EXPECT_EQ(weathering.activity(), (Weathering::Activity{top + sides, 2}));
    weathering.step();
    EXPECT_EQ(weathering.activity(), (Weathering::Activity{top + sides, 0}));
  }
}

}  // namespace
}  // namespace scree
