// Boxes of voxels, read and written: as on a plain copy, booked, and told to whoever counts air.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "testing.h"
#include "weathered.h"

namespace scree::testing {
namespace {

using Words = std::vector<std::uint32_t>;

const std::vector<VoxelMaterial>& materials() {
  static const std::vector<VoxelMaterial> two = {{"rock", 0.2, 0, false, {}},
                                                 {"scree", 0, 0, true, {}}};
  return two;
}

Words words_in(device::Device& device, const device::BufferPtr& buffer) {
  Words words(buffer->bytes() / sizeof(std::uint32_t));
  device.read(*buffer, 0, words.data(), buffer->bytes());
  return words;
}

std::uint32_t any_word() {
  if (*rc::gen::inRange(0, 2) == 0) return 0;
  return voxel_word(*rc::gen::inRange(1U, VOXEL_FULL + 1), *rc::gen::inRange(1U, 3U));
}

Words any_words(std::size_t count) {
  Words words(count);
  for (std::uint32_t& word : words) word = any_word();
  return words;
}

TEST(WriteVoxels, AnyBoxIsAsOnAPlainCopy) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<Backend>& backends = all_backends();
    const Backend& backend = backends[*rc::gen::inRange<std::size_t>(0, backends.size())];
    const VoxelShape shape{
        *rc::gen::inRange(1, 70), *rc::gen::inRange(1, 20), *rc::gen::inRange(1, 20), 1, {}};
    const VoxelEdges edges{.rock_west = *rc::gen::inRange(0, 2) == 1};
    Voxels terrain(backend.device, shape, materials(), edges);
    Words plain(shape.count());
    for (int round = 0; round < 3; ++round) {
      Box box{*rc::gen::inRange(0, shape.nx), *rc::gen::inRange(0, shape.ny),
              *rc::gen::inRange(0, shape.nz)};
      box.width = *rc::gen::inRange(1, std::min(shape.nx - box.x, 12) + 1);
      box.height = *rc::gen::inRange(1, std::min(shape.ny - box.y, 6) + 1);
      box.depth = *rc::gen::inRange(1, std::min(shape.nz - box.z, 6) + 1);
      Words asked = any_words(box.cells()), kept = asked;
      // Counts of air are not the writer's.
      for (std::uint32_t& word : asked) word = with_air(word, *rc::gen::inRange(0U, 99U));
      std::size_t changed = 0;
      long long voxels = 0, amount = 0;
      for (int z = box.z; z < box.z + box.depth; ++z)
        for (int y = box.y; y < box.y + box.height; ++y)
          for (int x = box.x; x < box.x + box.width; ++x) {
            std::uint32_t& there = plain[terrain.all().index(x, y, z)];
            const std::uint32_t now = kept[box.index(x, y, z)];
            changed += now != there ? 1 : 0;
            voxels += (now != 0 ? 1 : 0) - (there != 0 ? 1 : 0);
            amount += static_cast<long long>(voxel_amount(now)) - voxel_amount(there);
            there = now;
          }
      const VoxelEdits before = terrain.edited();
      const std::uint64_t revision = terrain.revision();
      const Receipt receipt = terrain.write_words(box, asked);
      RC_ASSERT(receipt.box == box);
      RC_ASSERT(receipt.changed == changed);
      RC_ASSERT(receipt.edited.at("voxels") == voxels);
      RC_ASSERT(receipt.edited.at("amount") == amount);
      RC_ASSERT(terrain.edited().voxels - before.voxels == voxels);
      RC_ASSERT(terrain.edited().amount - before.amount == amount);
      RC_ASSERT(terrain.words() == plain);
      RC_ASSERT(terrain.words(box) == kept);
      RC_ASSERT((terrain.revision() == revision + (changed > 0 ? 1U : 0U)));
      Voxels anew(backend.device, shape, materials(), edges);
      anew.set_words(plain);
      RC_ASSERT((words_in(*backend.device, terrain.bits_buffer()) ==
                 words_in(*backend.device, anew.bits_buffer())));
    }
  }));
}

TEST(WriteVoxels, SaysWhatHasChangedSinceARevision) {
  Voxels terrain(cpu(), {8, 8, 8, 1, {}}, materials());
  const Box first{1, 2, 3, 2, 1, 1}, second{0, 0, 0, 1, 1, 1};
  const std::uint64_t start = terrain.revision();
  EXPECT_EQ(terrain.changed_since(start), std::vector<Box>{});
  terrain.write_words(first, {voxel_word(5, 1), 0});
  const std::uint64_t middle = terrain.revision();
  terrain.write_words(second, {voxel_word(5, 2)});
  EXPECT_EQ(terrain.changed_since(start), (std::vector<Box>{first, second}));
  EXPECT_EQ(terrain.changed_since(middle), std::vector<Box>{second});
  EXPECT_EQ(terrain.changed_since(terrain.revision()), std::vector<Box>{});
  EXPECT_EQ(terrain.changed_since(terrain.revision() + 1), std::nullopt) << "another terrain's";
  terrain.write_words(second, {voxel_word(5, 2)});
  EXPECT_EQ(terrain.changed_since(middle), std::vector<Box>{second}) << "it was so before";
  // All of it, and what there are too many of.
  terrain.set_words(terrain.words());
  EXPECT_EQ(terrain.changed_since(middle), std::nullopt);
  const std::uint64_t again = terrain.revision();
  terrain.set_material(1, materials()[0]);
  EXPECT_EQ(terrain.changed_since(again), std::nullopt);
  const std::uint64_t before = terrain.revision();
  for (std::uint32_t i = 0; i < 256; ++i) terrain.write_words(second, {voxel_word(7 + i, 1)});
  EXPECT_EQ(terrain.changed_since(before)->size(), 256U);
  terrain.write_words(second, {0});
  EXPECT_EQ(terrain.changed_since(before), std::nullopt);
  EXPECT_EQ(terrain.changed_since(before + 1)->size(), 256U);
}

TEST(WriteVoxels, WhatCannotBeIsRefusedAsAWhole) {
  Voxels terrain(cpu(), {4, 3, 2, 1, {}}, materials());
  const auto said = [&](const Box& box, const Words& words) -> std::string {
    const std::uint64_t before = terrain.hash(), revision = terrain.revision();
    try {
      terrain.write_words(box, words);
    } catch (const UsageError& error) {
      EXPECT_EQ(terrain.hash(), before);
      EXPECT_EQ(terrain.revision(), revision);
      EXPECT_EQ(terrain.edited(), VoxelEdits{});
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(said({1, 1, 1, 2, 1, 1}, {voxel_word(5, 1), voxel_word(5, 3)}),
            "voxel 2,1,1: an amount of 5 of material 3: expected 0 of 0 or some of 1 to 2");
  EXPECT_EQ(said({0, 0, 0, 1, 2, 1}, {0, voxel_word(0, 1)}),
            "voxel 0,1,0: an amount of 0 of material 1: expected 0 of 0 or some of 1 to 2");
  EXPECT_EQ(said({0, 0, 1, 1, 1, 2}, {0, 0}),
            "a box of 1x1x2 at 0,0,1: expected one within 4x3x2 at 0,0,0");
  EXPECT_EQ(said({0, 0, 0, 2, 1, 1}, {0}), "a box of 2 cells got 1 values");
  EXPECT_THROW(terrain.words({3, 0, 0, 2, 1, 1}), UsageError);
}

// Weathering goes on after a write as on a terrain that was made so, and every voxel is booked.
TEST(WriteVoxels, WeatheringAfterAWriteIsThatOfATerrainMadeSo) {
  const VoxelShape shape{50, 30, 24, 1, {}};
  for (const Backend& backend : one_of_each_kind()) {
    Words start(shape.count());
    for (std::size_t i = 0; i < start.size(); ++i)
      start[i] = i < start.size() * 2 / 3 ? voxel_word(2000, 1) : 0;
    WeatheringParameters parameters;
    parameters.colluvium = true;
    const std::vector<Bubble> bubbles = {sphere_bubble(3.2, 0.4)};
    Voxels terrain(backend.device, shape, materials());
    terrain.set_words(start);
    Weathered weathering(terrain, bubbles, parameters, 3);
    for (int i = 0; i < 4; ++i) weathering.step();
    const Box tower{20, 10, 14, 7, 6, 9}, pit{33, 3, 6, 13, 20, 12};
    terrain.write_words(tower, Words(tower.cells(), voxel_word(1500, 1)));
    terrain.write_words(pit, Words(pit.cells(), 0));
    Voxels twin(backend.device, shape, materials());
    twin.set_words(terrain.words());
    Weathered other(twin, bubbles, parameters, 3);
    other.set_step(weathering.steps_done());
    for (int i = 0; i < 4; ++i) {
      weathering.step(), other.step();
      EXPECT_EQ(terrain.hash(), twin.hash()) << backend.label << ", step " << i;
    }
    const WeatheringLedger ledger = weathering.ledger();
    const VoxelEdits& edits = terrain.edited();
    EXPECT_NE(edits.voxels, 0);
    EXPECT_EQ(ledger.start + edits.voxels,
              ledger.rock + ledger.loose + ledger.deleted + ledger.left);
    EXPECT_EQ(ledger.start_amount + ledger.renewed + edits.amount,
              ledger.amount + ledger.worn + ledger.left_amount + ledger.cut_amount);
  }
}

TEST(WriteVoxels, AVoxelThatStaysRockKeepsItsCountOfAir) {
  Voxels terrain(cpu(), {3, 1, 1, 1, {}}, materials());
  terrain.set_words({with_air(voxel_word(9, 1), 40), with_air(voxel_word(9, 1), 41), 0});
  terrain.write_words(terrain.all(), {voxel_word(8, 2), 0, with_air(voxel_word(8, 2), 42)});
  EXPECT_EQ(terrain.words(), (Words{with_air(voxel_word(8, 2), 40), 0, voxel_word(8, 2)}));
}

TEST(WriteVoxels, TheFieldsSayWhatTheyAre) {
  const Voxels terrain(cpu(), {4, 3, 2, 1, {}}, materials());
  const FieldInfo amount = field_of(terrain.fields(), "amount");
  EXPECT_EQ(amount.scale * VOXEL_FULL, 1);
  EXPECT_TRUE(amount.writable);
  EXPECT_EQ(amount.shape, (Box{0, 0, 0, 4, 3, 2}));
  EXPECT_EQ(field_of(terrain.fields(), "material").quantum, 1);
}

}  // namespace
}  // namespace scree::testing
