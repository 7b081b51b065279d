#include "terrain/voxels/layer_voxels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "kernel/common/random.h"
#include "testing.h"

namespace scree {
namespace {

std::vector<Material> rock_and_sand() {
  Material rock, sand;
  rock.name = "rock", sand.name = "sand";
  sand.loose = true;
  return {rock, rock, sand};
}

// Cells of a metre and quanta of a quarter.
Layers layers_of(int width, int height, const std::vector<Stack>& stacks) {
  LayerShape shape;
  shape.width = width, shape.height = height, shape.quantum = 0.25;
  Layers layers(testing::cpu(), shape, rock_and_sand());
  layers.set_stacks(stacks);
  return layers;
}

std::uint32_t full(std::uint32_t material) { return voxel_word(VOXEL_FULL, material); }

TEST(LayerVoxels, AlignedStacksAreExactAndVoidsStay) {
  // North row first; voxels have the south one first.
  const Layers layers =
      layers_of(2, 2, {{{1, 8}, {0, 4}, {2, 4}, {3, 4}}, {{2, 4}}, {{1, 4}, {0, 8}, {3, 8}}, {}});
  const LayerVoxels found = voxels_from_layers(layers, {2, 2, 6, 1, {}}, {1, 2, 3});
  const auto at = [&](std::size_t x, std::size_t y) {
    std::vector<std::uint32_t> column;
    for (std::size_t z = 0; z < 6; ++z) column.push_back(found.words[z * 4 + y * 2 + x]);
    return column;
  };
  EXPECT_EQ(at(0, 1), (std::vector<std::uint32_t>{full(1), full(1), 0, full(2), full(3), 0}));
  EXPECT_EQ(at(1, 1), (std::vector<std::uint32_t>{full(2), 0, 0, 0, 0, 0}));
  EXPECT_EQ(at(0, 0), (std::vector<std::uint32_t>{full(1), 0, 0, full(3), full(3), 0}));
  EXPECT_EQ(at(1, 0), std::vector<std::uint32_t>(6, 0));
  EXPECT_EQ(found.amount, 8LL * VOXEL_FULL);
  EXPECT_EQ(found.outside, 0);
}

TEST(LayerVoxels, AVoxelIsWhatFillsMostOfItAndAsMuchAsThereIs) {
  // 1 m of voxel: a quarter of 1, half of 2, a quarter of nothing; then 2 with nothing around it.
  const Layers layers = layers_of(1, 1, {{{1, 1}, {2, 2}, {0, 2}, {2, 1}, {3, 2}}});
  const LayerVoxels found = voxels_from_layers(layers, {1, 1, 4, 1, {}}, {1, 2, 3});
  EXPECT_EQ(voxel_material(found.words[0]), 2U);
  EXPECT_EQ(voxel_amount(found.words[0]), 1535U);  // 3/4 of 2047
  EXPECT_EQ(voxel_material(found.words[1]), 3U);
  EXPECT_EQ(found.words[2], 0U);
  // 6 quanta of 4 to a voxel, to half a unit.
  EXPECT_EQ(found.amount, std::llround(1.5 * VOXEL_FULL));
}

TEST(LayerVoxels, WhatIsLooseIsColluviumAndWhatHasNoNumberIsLeftOut) {
  const Layers layers = layers_of(1, 1, {{{1, 4}, {3, 4}, {2, 4}}});
  Voxels voxels(testing::cpu(), {1, 1, 3, 1, {}}, voxel_materials(layers));
  voxels.set_words(voxels_from_layers(layers, voxels.shape(), {1, 2, 3}).words);
  EXPECT_EQ(voxels.totals().rock, 2);
  EXPECT_EQ(voxels.totals().loose, 1);
  const LayerVoxels without = voxels_from_layers(layers, voxels.shape(), {1, 2, 0});
  EXPECT_EQ(without.words, (std::vector<std::uint32_t>{full(1), 0, full(2)}));
  EXPECT_THROW(voxels_from_layers(layers, voxels.shape(), {1, 2}), UsageError);
  EXPECT_THROW(voxels_from_layers(layers, voxels.shape(), {1, 2, 256}), UsageError);
}

// Any stacks, voxels of another size: no column is off by more than half a unit.
TEST(LayerVoxels, VolumeIsKeptAndWhatIsOutsideIsTold) {
  std::vector<Stack> stacks;
  long long quanta = 0, below = 0;
  for (int i = 0; i < 12; ++i) {
    Stack stack;
    long long at = 0;
    for (int k = 0; k < 9; ++k) {
      const std::uint32_t h = cell_hash(5, i, k);
      const Layer layer{static_cast<int>(h % 4), static_cast<int>(1 + (h >> 8) % 9)};
      if (layer.material > 0) quanta += layer.quanta;
      if (layer.material > 0) below += std::clamp(6 - at, 0LL, 1LL * layer.quanta);
      at += layer.quanta;
      stack.push_back(layer);
    }
    stacks.push_back(stack);
  }
  const Layers layers = layers_of(4, 3, stacks);
  const double cell = 0.7;
  const VoxelShape shape{4, 3, 40, cell, {}};
  const LayerVoxels all = voxels_from_layers(layers, shape, {1, 2, 3});
  const auto voxels = [&](long long count) { return static_cast<double>(count) * 0.25 / cell; };
  EXPECT_NEAR(static_cast<double>(all.amount), voxels(quanta) * VOXEL_FULL, 12 * 0.5);
  EXPECT_EQ(all.outside, 0);
  const LayerVoxels sunk = voxels_from_layers(layers, shape, {1, 2, 3}, -1.5);
  EXPECT_NEAR(sunk.outside, voxels(below), 1e-9);
  EXPECT_NEAR(static_cast<double>(sunk.amount), voxels(quanta - below) * VOXEL_FULL, 12 * 0.5);
}

}  // namespace
}  // namespace scree
