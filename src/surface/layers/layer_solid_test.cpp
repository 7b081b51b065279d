// Layers as a closed solid: caves, walls, cuts and colours.
#include "surface/layers/layer_solid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "surface/mesh/validity.h"
#include "terrain/layers/strata.h"
#include "testing.h"

namespace scree::surface {
namespace {

constexpr int n = 24;

Layers cave() {
  LayerShape shape;
  shape.width = shape.height = n;
  shape.dx = shape.dy = 2;
  shape.datum = -5;
  LayeredGround spec;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      spec.ground.push_back(20 + 0.25F * static_cast<float>(x) + 0.1F * static_cast<float>(y));
  spec.strata.beds = {{2, {8, {}}}};
  spec.strata.top = 20;
  spec.caves = {{{{24, 24, 6}}, 9, 5, {}}};
  Layers layers(testing::cpu(), shape,
                {{.name = "rock", .colour = {200, 0, 0}}, {.name = "soil", .colour = {0, 200, 0}}});
  layers.set_stacks(build_stacks(shape, spec));
  return layers;
}

// The volume that triangles enclose.
double volume_of(const Mesh& mesh) {
  double six = 0;
  for (const auto& t : mesh.triangles) {
    std::array<std::array<double, 3>, 3> p{};
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t d = 0; d < 3; ++d) p[k][d] = static_cast<double>(mesh.positions[t[k]][d]);
    six += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) -
           p[0][1] * (p[1][0] * p[2][2] - p[1][2] * p[2][0]) +
           p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
  }
  return six / 6;
}

double solid_volume(const Layers& layers) {
  const std::vector<long long> totals = layers.totals();
  double quanta = 0;
  for (std::size_t m = 1; m < totals.size(); ++m) quanta += static_cast<double>(totals[m]);
  return quanta * layers.shape().quantum * layers.shape().dx * layers.shape().dy;
}

TEST(LayerSolid, EnclosesWhatTheLayersHold) {
  const Layers layers = cave();
  const Mesh mesh = layer_solid(layers);
  EXPECT_TRUE(find_faults(mesh).none());
  EXPECT_NEAR(volume_of(mesh), solid_volume(layers), 0.005 * solid_volume(layers));
  ASSERT_EQ(mesh.colours.size(), mesh.positions.size());
  float low = 1e9F, west = 1e9F, east = -1e9F;
  for (const auto& p : mesh.positions)
    low = std::min(low, p[2]), west = std::min(west, p[0]), east = std::max(east, p[0]);
  EXPECT_NEAR(low, -5, 1e-3);
  EXPECT_NEAR(west, -n, 1e-3) << "walls stand at the edge of the cells";
  EXPECT_NEAR(east, n, 1e-3);
}

TEST(LayerSolid, ColoursAreThoseOfTheMaterials) {
  const Mesh mesh = layer_solid(cave());
  int red = 0, green = 0;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const auto& p = mesh.positions[v];
    const bool deep = p[2]<11.5F, high = p[2]> 12.5F;
    EXPECT_TRUE(!deep || mesh.colours[v][0] == 200) << p[2];
    EXPECT_TRUE(!high || mesh.colours[v][1] == 200) << p[2];
    red += mesh.colours[v][0] == 200, green += mesh.colours[v][1] == 200;
  }
  EXPECT_GT(red, 1000);
  EXPECT_GT(green, 1000);
}

TEST(LayerSolid, ACutShowsTheCave) {
  const Layers layers = cave();
  LayerSolidOptions cut;
  cut.cut = LayerCut{0, 24, 48, 24};  // eastward: the north stays
  const Mesh mesh = layer_solid(layers, cut);
  EXPECT_TRUE(find_faults(mesh).none());
  EXPECT_NEAR(volume_of(mesh), solid_volume(layers) / 2, 0.02 * solid_volume(layers));
  for (const auto& p : mesh.positions) EXPECT_GE(p[1], -1e-3F);
  // The wall of the cut has a hole where the cave was: no vertex in its middle.
  for (const auto& p : mesh.positions)
    EXPECT_FALSE(p[1] < 0.5F && std::abs(p[0]) < 5 && std::abs(p[2] - 6) < 2.5F) << p[0] << p[2];
}

// Wherever it goes through the cells: its wall is flat, and what is left is as much as it says.
TEST(LayerSolid, ASawGoesStraight) {
  const Layers layers = cave();
  LayerSolidOptions cut;
  cut.cut = LayerCut{0, 5, 48, 36.5};
  std::vector<SawnFace> faces;
  const Mesh mesh = layer_solid(layers, cut, &faces);
  EXPECT_TRUE(find_faults(mesh).none());
  EXPECT_EQ(faces.size(), 4U) << "the cut, and what it left of the sides";
  const auto wall = std::find_if(faces.begin(), faces.end(), [](const SawnFace& face) {
    return face.from_y == face.to_y - 31.5;
  });
  ASSERT_NE(wall, faces.end());
  int on_wall = 0;
  for (const auto& p : mesh.positions) {
    const double off = wall->off(static_cast<double>(p[0]), static_cast<double>(p[1]));
    EXPECT_LT(off, wall->slack());
    on_wall += std::abs(off) < wall->slack() ? 1 : 0;
  }
  EXPECT_GT(on_wall, 1000);
  for (const SawnFace& face : faces) {
    EXPECT_GT(face.columns.size(), 2U);
    for (std::size_t c = 0; c < face.columns.size(); ++c) {
      EXPECT_GE(face.columns[c].along, c > 0 ? face.columns[c - 1].along : 0);
      EXPECT_LE(face.columns[c].along, face.length());
      EXPECT_FALSE(face.columns[c].stack.empty());
    }
  }
}

// A straight cut is one whatever the rounding of its ends, and one that leaves its row is not.
TEST(LayerSolid, FacesKnowWhetherTheyAreAslant) {
  const Layers layers = cave();
  const auto aslant = [&](const LayerCut& line) {
    LayerSolidOptions cut;
    cut.cut = line;
    std::vector<SawnFace> faces;
    layer_solid(layers, cut, &faces);
    return std::count_if(faces.begin(), faces.end(), [](const SawnFace& f) { return f.aslant; });
  };
  for (int tenths = 11; tenths < 470; tenths += 9) {
    const double at = 0.1 * tenths;
    EXPECT_EQ(aslant({96, at, 0, at}), 0) << at;
    EXPECT_EQ(aslant({at, -3, at, 50}), 0) << at;
  }
  EXPECT_EQ(aslant({48, 17, 0, 15.5}), 1);
  EXPECT_EQ(aslant({0, 5, 48, 36.5}), 1);
}

TEST(LayerSolid, CoarserColumnsAreFewer) {
  const Layers layers = cave();
  LayerSolidOptions coarse;
  coarse.level = 1;
  coarse.cell_z = 1;
  const Mesh mesh = layer_solid(layers, coarse);
  EXPECT_TRUE(find_faults(mesh).none());
  EXPECT_LT(mesh.triangles.size(), layer_solid(layers).triangles.size() / 4);
  Layers empty(testing::cpu(), layers.shape(), {{.name = "rock"}});
  EXPECT_THROW(layer_solid(empty), Error);
}

// A roof of 0.25 m is thinner than a sample of 0.5 m, and most of it is not in the solid.
TEST(LayerSolid, WhatLiesBetweenSamplesIsTold) {
  LayerShape shape;
  shape.width = shape.height = 10;
  shape.dx = shape.dy = 2;
  Layers layers(testing::cpu(), shape, {{.name = "rock"}, {.name = "soil"}});
  std::vector<Stack> stacks(100, Stack{{1, 45 * 1024}});
  for (std::size_t i = 0; i < 30; ++i)
    stacks[i] = {{1, 45 * 1024}, {0, 4 * 1024}, {1, 128}, {2, 128}};
  layers.set_stacks(stacks);
  const double height = 49.25;
  const ThinParts thin = thin_parts(layers, layer_solid_cell_z(height, {}));
  EXPECT_EQ(thin.columns, 30U);
  EXPECT_EQ(thin.thinnest, 0.25);
  EXPECT_EQ(thin.cubic_metres, 30 * 4 * 0.25);
  EXPECT_EQ(thin_parts_note(layers, 0.4925, "cell_z"),
            "30 columns have roofs, floors or voids that are thinner than the 0.4925 m between "
            "samples, 30 m3 in all, which the solid may lack; the thinnest has 0.25 m (cell_z "
            "chooses other samples)");
  EXPECT_EQ(thin_parts(layers, 0.1).columns, 0U);
  EXPECT_EQ(thin_parts_note(layers, 0.1, "cell_z"), "");
  EXPECT_EQ(thin_parts(layers, 5).cubic_metres, 30 * 4 * 4.25) << "the void too";
  // What the roof adds to the solid, of 30 m3.
  LayerSolidOptions fine;
  const auto roof_of = [&](double cell_z) {
    fine.cell_z = cell_z;
    Layers without(testing::cpu(), shape, layers.materials());
    without.set_stacks(std::vector<Stack>(100, Stack{{1, 45 * 1024}}));
    return volume_of(layer_solid(layers, fine)) - volume_of(layer_solid(without, fine));
  };
  EXPECT_GT(roof_of(0.05), 24);
  EXPECT_LT(roof_of(0.4925), 20);
  fine.cell_z = 0.001;  // the top of the solid would be cut off
  EXPECT_THROW(layer_solid(layers, fine), UsageError);
}

}  // namespace
}  // namespace scree::surface
