// Beds, lenses, covers, stamps and caves are where their rules put them.
#include "terrain/layers/strata.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "terrain/layers/materials.h"
#include "terrain/layers/section.h"
#include "testing.h"

namespace scree {
namespace {

enum : int { bedrock = 1, shale = 2, lime = 3, mud = 4 };

LayerShape shape_of(int width, int height, double cell) {
  LayerShape shape;
  shape.width = width, shape.height = height;
  shape.dx = shape.dy = cell;
  shape.datum = 0;
  return shape;
}

LayeredGround flat(const LayerShape& shape, float height) {
  LayeredGround spec;
  spec.ground.assign(shape.cells(), height);
  return spec;
}

double metres_of(const Stack& stack, int material) {
  double sum = 0;
  for (const Layer& layer : stack) sum += layer.material == material ? layer.quanta / 1024.0 : 0;
  return sum;
}

TEST(Strata, BedsFollowDipFoldAndFault) {
  const LayerShape shape = shape_of(20, 10, 10);
  LayeredGround spec = flat(shape, 100);
  spec.strata.beds = {{shale, {20, {}}}, {lime, {30, {}}}};
  spec.strata.top = 80;
  // The first bed goes up to the ground.
  EXPECT_EQ(build_stacks(shape, spec)[0],
            (Stack{{bedrock, 30 * 1024}, {lime, 30 * 1024}, {shale, 40 * 1024}}));
  spec.strata.fall_east = 0.1;
  const std::vector<Stack> tilted = build_stacks(shape, spec);
  EXPECT_NEAR(metres_of(tilted[0], bedrock), 39.5, 0.001);
  EXPECT_NEAR(metres_of(tilted[19], bedrock), 20.5, 0.001);
  EXPECT_NEAR(metres_of(tilted[10 * 19], lime), 30, 0.001);
  spec.strata.fall_east = 0;
  spec.strata.faults = {{100, 0, 0, 1, 12}};  // northward through the middle; the east sinks
  const std::vector<Stack> faulted = build_stacks(shape, spec);
  EXPECT_NEAR(metres_of(faulted[9], bedrock), 30, 0.001);
  EXPECT_NEAR(metres_of(faulted[10], bedrock), 18, 0.001);
  spec.strata.faults.clear();
  spec.strata.fold.assign(shape.cells(), 0);
  spec.strata.fold[7] = 5.5F;
  EXPECT_NEAR(metres_of(build_stacks(shape, spec)[7], bedrock), 35.5, 0.001);
}

TEST(Strata, RepeatedBedsFillTheGround) {
  const LayerShape shape = shape_of(1, 1, 10);
  LayeredGround spec = flat(shape, 100);
  spec.strata.beds = {{shale, {10, {}}}, {lime, {20, {}}}};
  spec.strata.top = 40;
  spec.strata.repeat = true;
  const Stack stack = build_stacks(shape, spec)[0];
  EXPECT_EQ(metres_of(stack, bedrock), 0);
  // From 100 m down: shale at 100 - 90, 70 - 60, 40 - 30, 10 - 0.
  EXPECT_NEAR(metres_of(stack, shale), 40, 0.001);
  EXPECT_EQ(stack.back(), (Layer{shale, 10 * 1024}));
  EXPECT_EQ(stack.front(), (Layer{shale, 10 * 1024}));
  // Beds next to nothing thick would go on for ever.
  for (BedSpec& bed : spec.strata.beds) bed.thickness.everywhere = 1e-14;
  EXPECT_THROW(build_stacks(shape, spec), UsageError);
}

TEST(Strata, LensesStampsAndCoversLieWhereTheyAreSaidTo) {
  const LayerShape shape = shape_of(9, 9, 10);
  LayeredGround spec = flat(shape, 50);
  spec.lenses = {{lime, {45, 45, 20}, {60, 60, 12}}};
  spec.covers = {{shale, {5, {}}, {}}, {mud, {}, 57.0}};
  StampSpec stamp{lime, std::vector<float>(81, 0.0F), 1, 3};
  stamp.share[3] = 1;
  spec.stamps = {stamp};
  const std::vector<Stack> stacks = build_stacks(shape, spec);
  EXPECT_EQ(stacks[0], (Stack{{bedrock, 50 * 1024}, {shale, 5 * 1024}, {mud, 2 * 1024}}));
  EXPECT_EQ(stacks[3],
            (Stack{{bedrock, 50 * 1024}, {shale, 4 * 1024}, {lime, 2 * 1024}, {mud, 1024}}));
  EXPECT_EQ(stacks[40][1], (Layer{lime, 12 * 1024}));
  EXPECT_EQ(stacks[40][0], (Layer{bedrock, 14 * 1024}));
}

TEST(Strata, CavesAreVoidsAndNothingElse) {
  const LayerShape shape = shape_of(100, 50, 2);
  LayeredGround spec = flat(shape, 60);
  spec.caves = {{{{20, 50, 30}, {180, 50, 30}}, 12, 8, {}}};
  const std::vector<Stack> stacks = build_stacks(shape, spec);
  const Stack& middle = stacks[25 * 100 + 50];
  ASSERT_EQ(middle.size(), 3U);
  EXPECT_NEAR(middle[1].quanta / 1024.0, 16, 0.5);
  EXPECT_EQ(middle[1].material, 0);
  EXPECT_EQ(stacks[0].size(), 1U);
  double volume = 0;
  for (const Stack& stack : stacks) volume += metres_of(stack, 0) * 4;
  const double expected = 3.14159 * 12 * 8 * 160 + 4.0 / 3 * 3.14159 * 12 * 12 * 8;
  EXPECT_NEAR(volume, expected, 0.02 * expected);
  for (const Stack& stack : stacks) {
    double height = 0;
    for (const Layer& layer : stack) height += layer.quanta / 1024.0;
    EXPECT_EQ(height, 60) << "what lies above stays where it is";
  }
  // A cave that comes up for air is open.
  spec.caves[0].path = {{100, 50, 60}};
  EXPECT_EQ(build_stacks(shape, spec)[25 * 100 + 50].back().material, 0);
}

// Numbers beyond all cells are beyond them, and a path that no count of chambers fills is refused.
TEST(Strata, CavesOfAbsurdSizeAreNoDanger) {
  const LayerShape shape = shape_of(8, 8, 1e-6);
  LayeredGround spec = flat(shape, 60);
  const std::vector<Stack> whole = build_stacks(shape, spec);
  spec.caves = {{{{1e6, -1e6, 30}}, 1e-6, 1e-6, {}}};
  EXPECT_EQ(build_stacks(shape, spec), whole);
  spec.caves = {{{{0, 0, 30}}, 1e7, 8, {}}};
  EXPECT_EQ(build_stacks(shape, spec)[9].size(), 3U) << "all of it is the cave";
  spec.caves = {{{{0, 0, 30}, {500, 0, 30}}, 1e-6, 1e-6, {}}};
  EXPECT_THROW(build_stacks(shape, spec), UsageError);
}

TEST(Strata, GroundBelowTheBottomIsRefused) {
  LayerShape shape = shape_of(2, 2, 1);
  shape.datum = 10;
  EXPECT_THROW(build_stacks(shape, flat(shape, 9)), UsageError);
  EXPECT_THROW(build_stacks(shape, flat(shape_of(3, 2, 1), 11)), UsageError);
}

TEST(Strata, QuantaAreAsFineAsAWordAllows) {
  EXPECT_EQ(layer_quantum(1000), 1.0 / 1024);
  EXPECT_LT(1.5 * 22000 / layer_quantum(22000), LAYER_THICKEST);
  EXPECT_GT(1.5 * 22000 / layer_quantum(22000), LAYER_THICKEST / 2);
}

TEST(Strata, HeightsBecomeLayersAndComeBack) {
  const std::vector<float> heights{1.5F, 2.25F, 100.125F, NAN, 7, 8};
  Heightfield land(testing::cpu(), {3, 2, 4, 4}, heights, Borders::all(BorderKind::closed));
  land.set_values("water", {0, 0.5F, 0, 0, 0, 1});
  LayerShape shape = shape_of(3, 2, 4);
  const StacksOfHeights made = stacks_of_heights(land, shape, bedrock, 0, mud);
  EXPECT_EQ(made.dropped, 0) << "all of these are whole quanta";
  EXPECT_EQ(made.stacks[1], (Stack{{bedrock, 2304}, {mud, 512}}));
  EXPECT_TRUE(made.stacks[3].empty()) << "no data, no layers";
  std::vector<Material> materials(4);
  Layers layers(testing::cpu(), shape, materials);
  layers.set_stacks(stacks_of_heights(land, shape, bedrock).stacks);
  const HeightsOfLayers back = heights_of_layers(layers, Borders::all(BorderKind::closed));
  EXPECT_EQ(back.voids, 0);
  EXPECT_NEAR(back.heightfield->values("bed")[2], 100.125, 1e-4);
  EXPECT_EQ(back.heightfield->values("bed")[3], 0) << "a stack may be empty";
  EXPECT_EQ(made.nodata, (std::vector<char>{0, 0, 0, 1, 0, 0}));
  const HeightsOfLayers holed =
      heights_of_layers(layers, Borders::all(BorderKind::closed), 0, made.nodata);
  EXPECT_TRUE(std::isnan(holed.heightfield->values("bed")[3]));
  EXPECT_EQ(holed.heightfield->raw("bed")[3], SCREE_WALL);
  EXPECT_EQ(holed.heightfield->values("bed")[2], back.heightfield->values("bed")[2]);
  // Water comes back as water, and what is buried below a layer stays there.
  materials[mud - 1].fluid = true;
  Layers lakes(testing::cpu(), shape, materials);
  std::vector<Stack> stacks = made.stacks;
  stacks[4].insert(stacks[4].end(), {{mud, 100}, {bedrock, 200}});
  lakes.set_stacks(stacks);
  const HeightsOfLayers wet = heights_of_layers(lakes, Borders::all(BorderKind::closed));
  const StacksOfHeights again = stacks_of_heights(*wet.heightfield, shape, bedrock, 0, mud);
  stacks[4] = {{bedrock, 7 * 1024 + 300}};
  EXPECT_EQ(again.stacks, stacks);
  EXPECT_EQ(again.dropped, 0);
  shape.quantum = 0.5;
  EXPECT_NEAR(stacks_of_heights(land, shape, bedrock).dropped, 0.25 + 0.125, 1e-6);
}

// Where a float would round: 35 km and a quantum.
TEST(Strata, HeightsOfLayersAreExact) {
  LayerShape shape = shape_of(4, 1, 500);
  shape.datum = 20000;
  Layers layers(testing::cpu(), shape, std::vector<Material>(4));
  constexpr int half = 8000000;
  layers.set_stacks({{{bedrock, half}, {shale, half + 1}},
                     {{bedrock, half}, {0, half - 8}, {mud, 5}},
                     {{bedrock, half}, {shale, 3}},
                     {{mud, 1}}});
  const HeightsOfLayers made = heights_of_layers(layers, Borders::all(BorderKind::closed));
  EXPECT_EQ(made.voids, half - 8);
  const StacksOfHeights back = stacks_of_heights(*made.heightfield, shape, bedrock);
  EXPECT_EQ(back.dropped, 0);
  EXPECT_EQ(back.stacks, (std::vector<Stack>{{{bedrock, 2 * half + 1}},
                                             {{bedrock, 2 * half - 3}},
                                             {{bedrock, half + 3}},
                                             {{bedrock, 1}}}));
}

TEST(Section, ShowsWhatTheColumnsHold) {
  const LayerShape shape = shape_of(10, 6, 2);
  LayeredGround spec = flat(shape, 10);
  spec.strata.beds = {{shale, {4, {}}}};
  spec.strata.top = 10;
  spec.caves = {{{{5, 5, 3}}, 3, 2, {}}};
  Layers layers(testing::cpu(), shape, std::vector<Material>(4));
  layers.set_stacks(build_stacks(shape, spec));
  const LayerSection section = sample_section(layers, 0, 5, 20, 5);
  ASSERT_EQ(section.columns.size(), 10U);
  EXPECT_EQ(section.length, 20);
  EXPECT_EQ(section.top, 10);
  EXPECT_EQ(section.material_at(5, 3), 0);
  EXPECT_EQ(section.material_at(15, 3), bedrock);
  EXPECT_EQ(section.material_at(15, 8), shale);
  EXPECT_EQ(section.material_at(15, 11), 0);
  EXPECT_TRUE(sample_section(layers, -5, 5, -1, 5).columns[0].parts.empty());
  EXPECT_THROW(sample_section(layers, 1, 1, 1, 1), UsageError);
}

TEST(Materials, PresetsKnowTheirDust) {
  EXPECT_GE(material_presets().size(), 10U);
  for (const NamedMaterial& preset : material_presets()) {
    if (preset.dust.empty()) continue;
    const NamedMaterial* dust = find_material_preset(preset.dust);
    ASSERT_NE(dust, nullptr) << preset.material.name;
    EXPECT_TRUE(dust->material.loose) << preset.dust;
    EXPECT_LT(dust->material.talus, preset.material.talus);
  }
  EXPECT_EQ(find_material_preset("cheese"), nullptr);
}

}  // namespace
}  // namespace scree
