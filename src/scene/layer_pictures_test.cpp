// What pictures know of layers: the solid to be looked at, the water on it, what is loose.
#include "scene/layer_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/mesh.h"
#include "scene/scene_test.h"
#include "terrain/strata.h"

namespace scree {
namespace {

using testing::cpu;

// A lake is part of the solid, unless that is to be dry.
TEST(LayerPictures, LakesMayBeLeftOut) {
  LayerShape shape;
  shape.width = shape.height = 4;
  const std::vector<Material> materials{{.name = "clay", .colour = {90, 80, 70}},
                                        {.name = "water", .colour = {1, 2, 3}, .fluid = true}};
  Layers layers(cpu(), shape, materials);
  layers.set_stacks(std::vector<Stack>(16, {{1, layer_quanta(shape, 2)}}));
  const LayerSubject subject(layers, {{"water", [] { return std::vector<float>(16, 3); }}});
  const auto wet = [&](bool dry) {
    const io::Mesh mesh = subject.solid({}, dry);
    return std::count(mesh.colours.begin(), mesh.colours.end(), io::Mesh::Colour{1, 2, 3, 255});
  };
  EXPECT_GT(wet(false), 0);
  EXPECT_EQ(wet(true), 0);
}

// A flooded plain is seen, shallow as it is; a sheet of rain as deep on a slope is not.
TEST(LayerPictures, ShallowWaterIsSeenWhereItStands) {
  LayerShape shape;
  shape.width = shape.height = 8;
  shape.quantum = 1.0 / 1024;
  const std::vector<Material> materials{{.name = "clay", .colour = {90, 80, 70}}};
  for (const double rise : {0.0, 0.4}) {
    Layers layers(cpu(), shape, materials);
    std::vector<Stack> stacks;
    for (int i = 0; i < 64; ++i) stacks.push_back({{1, layer_quanta(shape, 10 + rise * (i % 8))}});
    layers.set_stacks(stacks);
    const LayerSubject subject(layers, {{"water", [] { return std::vector<float>(64, 0.25F); }}});
    io::Mesh mesh = subject.solid({});
    float most = 0;
    for (const render::WaterOn& on : subject.water_on(mesh, {})) most = std::max(most, on.cover);
    EXPECT_EQ(most, rise > 0 ? 0 : 1);
  }
}

// What a picture knows of water on layers: how deep it is, where it runs, and what lies below.
TEST(LayerPictures, WaterOnTheSolidHasDepthVelocityAndABottom) {
  LayerShape shape;
  shape.width = shape.height = 8;
  shape.quantum = 1.0 / 1024;
  const std::vector<Material> materials{{.name = "clay", .colour = {90, 80, 70}},
                                        {.name = "water", .colour = {1, 2, 3}, .fluid = true},
                                        {.name = "chalk", .colour = {240, 240, 230}}};
  Layers layers(cpu(), shape, materials);
  const auto metres = [&](double m) { return layer_quanta(shape, m); };
  // In the west a cave with three metres of water under a roof, in the east a lake of two.
  std::vector<Stack> stacks(64, {{1, metres(10)}});
  std::vector<float> water(64, 0.0F);
  for (std::size_t i = 0; i < 64; ++i)
    if (i % 8 < 4)
      stacks[i] = {{3, metres(4)}, {2, metres(3)}, {0, metres(5)}, {1, metres(2)}};
    else
      water[i] = 2;
  layers.set_stacks(stacks);
  const LayerSubject subject(layers, {{"water", [&] { return water; }}}, {}, [] {
    return WaterVelocity{std::vector<float>(64, 1.5F), std::vector<float>(64, -0.5F)};
  });
  io::Mesh mesh = subject.solid({});
  const std::vector<render::WaterOn> on = subject.water_on(mesh, {});
  ASSERT_EQ(on.size(), mesh.positions.size());
  int in_cave = 0, on_lake = 0, from_the_side = 0;
  for (std::size_t v = 0; v < on.size(); ++v) {
    const io::Mesh::Vector& p = mesh.positions[v];
    if (on[v].cover < 1) continue;
    const bool cave = p[0] < -1;
    if (!cave && p[0] < 1) continue;
    EXPECT_EQ(mesh.colours[v][0], cave ? 240 : 90) << "what lies below";
    if (mesh.normals[v][2] < 0.3F) {
      EXPECT_NEAR(on[v].depth, std::abs((cave ? 7 : 12) - p[2]), 1e-3F) << "how deep in it";
      ++from_the_side;
      continue;
    }
    EXPECT_FLOAT_EQ(on[v].depth, cave ? 3 : 2);
    EXPECT_FLOAT_EQ(on[v].east, cave ? 0 : 1.5F);
    EXPECT_FLOAT_EQ(on[v].north, cave ? 0 : -0.5F);
    ++(cave ? in_cave : on_lake);
  }
  EXPECT_GT(from_the_side, 0);
  EXPECT_GT(in_cave, 0);
  EXPECT_GT(on_lake, 0);
  render::ReliefOptions dry;
  dry.show_water = false;
  EXPECT_TRUE(subject.water_on(mesh, dry).empty());
}

// A wall aslant over the cells: to be looked at, it has no steps, and the sides of the block stay.
TEST(LayerPictures, WallsToBeLookedAtHaveNoSteps) {
  LayerShape shape;
  shape.width = shape.height = 32;
  const std::vector<Material> materials{{.name = "chalk", .colour = {240, 240, 230}}};
  Layers layers(cpu(), shape, materials);
  std::vector<Stack> stacks;
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x)
      stacks.push_back({{1, layer_quanta(shape, 3 * x + 2 * y < 80 ? 12 : 2)}});
  layers.set_stacks(stacks);
  const LayerSubject subject(layers);
  // How far the wall is off a plane, and how far a corner of the block reaches.
  const auto measured = [&](bool even) {
    std::vector<surface::SawnFace> faces;
    const io::Mesh mesh = subject.solid({}, false, even ? &faces : nullptr);
    double sum = 0, squares = 0, count = 0;
    float corner = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const io::Mesh::Vector& p = mesh.positions[v];
      if (std::abs(p[2] - 1) < 0.5F) corner = std::max(corner, p[0] - p[1]);
      if (std::abs(p[0]) > 10 || std::abs(p[1]) > 10 || std::abs(p[2] - 7) > 2) continue;
      const double off = static_cast<double>(3 * p[0] - 2 * p[1]) / std::sqrt(13.0);
      sum += off;
      squares += off * off;
      ++count;
    }
    return std::pair{std::sqrt(squares / count - sum * sum / count / count), corner};
  };
  const auto [stepped, reach] = measured(false);
  const auto [level, even_reach] = measured(true);
  EXPECT_LT(level, 0.6 * stepped);
  EXPECT_EQ(even_reach, reach);
}

// What is loose, and ice, has a look of its own; rock and what no material is, another.
TEST(LayerPictures, PicturesKnowWhatIsLoose) {
  LayerShape shape;
  shape.width = shape.height = 2;
  const std::vector<Material> materials{{.name = "chalk", .colour = {240, 240, 230}},
                                        {.name = "mud", .loose = true, .colour = {90, 80, 70}},
                                        {.name = "firn", .colour = {200, 210, 220}, .melting = 1}};
  const Layers layers(cpu(), shape, materials);
  io::Mesh mesh;
  mesh.colours = {{240, 240, 230, 255}, {90, 80, 70, 255}, {200, 210, 220, 255}, {1, 2, 3, 255}};
  LayerSubject(layers).mark_loose(mesh);
  EXPECT_EQ(mesh.colours,
            (std::vector<io::Mesh::Colour>{
                {240, 240, 230, 0}, {90, 80, 70, 255}, {200, 210, 220, 255}, {1, 2, 3, 0}}));
}

}  // namespace
}  // namespace scree
