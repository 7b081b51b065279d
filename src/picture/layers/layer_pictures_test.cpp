// What pictures know of layers: the solid to be looked at, the water on it, what is loose.
#include "picture/layers/layer_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "io/mesh/mesh.h"
#include "render/gl/context.h"
#include "render/gl/renderer.h"
#include "run/scene_test.h"
#include "terrain/layers/strata.h"

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
    const Mesh mesh = subject.solid({}, dry);
    return std::count(mesh.colours.begin(), mesh.colours.end(), Mesh::Colour{1, 2, 3, 255});
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
    Mesh mesh = subject.solid({});
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
  Mesh mesh = subject.solid({});
  const std::vector<render::WaterOn> on = subject.water_on(mesh, {});
  ASSERT_EQ(on.size(), mesh.positions.size());
  int in_cave = 0, on_lake = 0, from_the_side = 0;
  for (std::size_t v = 0; v < on.size(); ++v) {
    const Mesh::Vector& p = mesh.positions[v];
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
    SolidFaces faces;
    const Mesh mesh = subject.solid({}, false, even ? &faces : nullptr);
    double sum = 0, squares = 0, count = 0;
    float corner = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const Mesh::Vector& p = mesh.positions[v];
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
  EXPECT_NEAR(reach, 31.5F, 1e-3F) << "bevelled";
  EXPECT_NEAR(even_reach, 32, 1e-3F) << "the corner itself";
}

// ---- sawn faces

// Of the triangles that lie on sawn faces, square metres.
double area_of_faces(const Mesh& mesh, const render::Sawn& sawn) {
  double area = 0;
  for (const Mesh::Triangle& t : mesh.triangles) {
    if (sawn.of_vertex[t[0]] == 0) continue;
    std::array<std::array<double, 3>, 2> side{};
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t d = 0; d < 3; ++d)
        side[k][d] = static_cast<double>(mesh.positions[t[k + 1]][d] - mesh.positions[t[0]][d]);
    const auto& [a, b] = side;
    area += std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                       a[0] * b[1] - a[1] * b[0]) /
            2;
  }
  return area;
}

// Ground that rises steeply to the east: its sides reach up to it everywhere, without teeth.
TEST(LayerPictures, SawnFacesEndWhereTheGroundDoes) {
  LayerShape shape;
  shape.width = shape.height = 20;
  Layers layers(cpu(), shape, {{.name = "chalk", .colour = {240, 240, 230}}});
  std::vector<Stack> stacks;
  for (int i = 0; i < 400; ++i) stacks.push_back({{1, layer_quanta(shape, 4 + 1.5 * (i % 20))}});
  layers.set_stacks(stacks);
  const LayerSubject subject(layers);
  SolidFaces faces;
  Mesh mesh = subject.solid({}, false, &faces);
  const render::Sawn sawn = subject.sawn(mesh, faces, false);
  // The west side, the east side, and twice the mean height of the others.
  const double whole = 20 * 4 + 20 * 32.5 + 2 * 20 * (4 + 32.5) / 2;
  EXPECT_NEAR(area_of_faces(mesh, sawn), whole, 0.005 * whole);
}

struct Sloping {
  double dx = 1, dy = 1;
  double east = 0, north = 0;  // metres of rise a metre
  std::optional<surface::LayerCut> cut = {};
};

// Of all that is ground, no edge of the block, metres off the plane that it is, and how much its
// normals are.
struct OffTheGround {
  double metres = 0, cosine = 1;
};

OffTheGround most_off_the_ground(const Sloping& land) {
  constexpr int side = 60;
  LayerShape shape;
  shape.width = shape.height = side;
  shape.dx = land.dx, shape.dy = land.dy;
  shape.quantum = 1.0 / 1024;
  Layers layers(cpu(), shape, {{.name = "chalk", .colour = {240, 240, 230}}});
  const auto height = [&](double x, double y) { return 40 + land.east * x + land.north * y; };
  std::vector<Stack> stacks;
  for (int y = side - 1; y >= 0; --y)
    for (int x = 0; x < side; ++x)
      stacks.push_back(
          {{1, layer_quanta(shape, height((x + 0.5) * shape.dx, (y + 0.5) * shape.dy))}});
  layers.set_stacks(stacks);
  const LayerSubject subject(layers);
  SolidOutput output;
  output.cut = land.cut;
  SolidFaces faces;
  Mesh mesh = subject.solid(output, false, &faces);
  const render::Sawn sawn = subject.sawn(mesh, faces, false);
  OffTheGround most;
  for (const Mesh::Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) {
      const double x = static_cast<double>(mesh.positions[v][0]) + side * shape.dx / 2,
                   y = static_cast<double>(mesh.positions[v][1]) + side * shape.dy / 2,
                   z = static_cast<double>(mesh.positions[v][2]);
      const auto amid = [](double cells) { return cells > 1.6 && cells < side - 1.6; };
      if (sawn.of_vertex[v] != 0 || z < 1 || !amid(x / shape.dx) || !amid(y / shape.dy)) continue;
      most.metres = std::max(most.metres, std::abs(z - height(x, y)));
      const auto& [east, north, up] = mesh.normals[v];
      most.cosine =
          std::min(most.cosine, (static_cast<double>(up) - static_cast<double>(east) * land.east -
                                 static_cast<double>(north) * land.north) /
                                    std::hypot(1, land.east, land.north));
    }
  return most;
}

// The rim of a cut lies in the ground: straight or aslant, whatever the cells and the rounding of
// where it begins.
TEST(LayerPictures, RimsOfCutsLieInTheGround) {
  using surface::LayerCut;
  for (const Sloping& land : {Sloping{1, 1, 1.2, 0, LayerCut{120, 60.9, 0, 60.9}},
                              {1, 1, 1.2, 0, LayerCut{60, 20.3, 0, 20.3}},
                              {1, 1, 0, 1.2, LayerCut{17.1, 60, 17.1, 0}},
                              {1, 1, 0.8, -0.6, LayerCut{60, 47.3, 0, 12}},
                              {1, 1, -0.5, 1.1, LayerCut{0, 8, 60, 25}},
                              {1, 1, 0.3, 0.9, LayerCut{22, 0, 31, 60}},
                              {1, 4, 1.2, 0, LayerCut{60, 100.7, 0, 100.7}},
                              {4, 1, 0, 1.2, LayerCut{100.7, 60, 100.7, 0}},
                              {1, 20, 1.2, 0, LayerCut{60, 703, 0, 703}},
                              {20, 1, 1.2, 0, LayerCut{1200, 33.3, 0, 33.3}},
                              {4, 1, 0.2, 0.7, LayerCut{240, 47.3, 0, 12}}}) {
    SCOPED_TRACE(::testing::Message()
                 << land.dx << 'x' << land.dy << ' ' << land.cut->from_x << ',' << land.cut->from_y
                 << ' ' << land.cut->to_x << ',' << land.cut->to_y);
    const OffTheGround most = most_off_the_ground(land);
    EXPECT_LT(most.metres, 0.06);
    EXPECT_GT(most.cosine, 0.98);
  }
}

// The sides of blocks of oblong cells.
TEST(LayerPictures, RimsOfOblongCellsHaveNoNotches) {
  for (const double wide : {4.0, 20.0})
    for (const bool east : {true, false}) {
      SCOPED_TRACE(wide);
      LayerShape shape;
      shape.width = shape.height = 20;
      (east ? shape.dx : shape.dy) = wide;
      Layers layers(cpu(), shape, {{.name = "chalk", .colour = {240, 240, 230}}});
      std::vector<Stack> stacks;
      for (int i = 0; i < 400; ++i)
        stacks.push_back({{1, layer_quanta(shape, 4 + 1.5 * (east ? i / 20 : i % 20))}});
      layers.set_stacks(stacks);
      const LayerSubject subject(layers);
      SolidFaces faces;
      Mesh mesh = subject.solid({}, false, &faces);
      const render::Sawn sawn = subject.sawn(mesh, faces, false);
      const double whole = 20 * wide * (4 + 32.5) + 2 * 20 * (4 + 32.5) / 2;
      EXPECT_NEAR(area_of_faces(mesh, sawn), whole, 0.005 * whole);
    }
}

// A lump that fell beside another, far above it, is none with it; a bed that dips is one.
TEST(LayerPictures, FarBordersOnSawnFacesEndUpright) {
  LayerShape shape;
  shape.width = shape.height = 6;
  shape.quantum = 1.0 / 1024;
  for (const double rise : {1.5, 9.0}) {
    Layers layers(cpu(), shape,
                  {{.name = "clay", .loose = true},
                   {.name = "loam", .loose = true},
                   {.name = "dust", .loose = true}});
    const auto quanta = [&](double metres) { return layer_quanta(shape, metres); };
    std::vector<Stack> stacks;
    for (int i = 0; i < 36; ++i) {
      const double low = i % 6 < 3 ? 5 : 5 + rise;
      stacks.push_back({{1, quanta(low)}, {2, quanta(0.5)}, {3, quanta(19.5 - low)}});
    }
    layers.set_stacks(stacks);
    const LayerSubject subject(layers);
    SolidFaces faces;
    Mesh mesh = subject.solid({}, false, &faces);
    const render::Sawn sawn = subject.sawn(mesh, faces, false);
    // The south side, from the west: its third column, whose neighbour's loam is so much higher.
    const render::Sawn::Part* parts = &sawn.parts.at(sawn.columns[sawn.faces[0].first + 2].first);
    const auto expected = static_cast<float>(rise < 2 ? rise / 2 : 0);
    EXPECT_NEAR(parts[0].after, 5 + expected, 1e-3F) << rise;
    EXPECT_NEAR(parts[1].after, 5.5F + expected, 1e-3F) << rise;
    EXPECT_NEAR(parts[2].after, 20, 1e-3F) << rise;
  }
}

// A stone that touches a face stays a stone.
TEST(LayerPictures, WhatLiesOnASolidIsNotSawn) {
  LayerShape shape;
  shape.width = shape.height = 6;
  Layers layers(cpu(), shape, {{.name = "chalk", .colour = {240, 240, 230}}});
  layers.set_stacks(std::vector<Stack>(36, {{1, layer_quanta(shape, 4)}}));
  Mesh::Triangle stone{};
  const LayerSubject subject(layers, {}, [&](Mesh& mesh, const auto& /*cut*/) {
    for (std::uint32_t& corner : stone) {
      corner = static_cast<std::uint32_t>(mesh.positions.size());
      mesh.positions.push_back({static_cast<float>(corner % 3), -3, 4.5F});
      mesh.normals.push_back({0, 0, 1});
      mesh.colours.push_back({1, 2, 3, 255});
    }
    mesh.triangles.push_back(stone);
  });
  SolidFaces faces;
  Mesh mesh = subject.solid({}, false, &faces);
  const render::Sawn sawn = subject.sawn(mesh, faces, false);
  EXPECT_TRUE(std::find(mesh.triangles.begin(), mesh.triangles.end(), stone) !=
              mesh.triangles.end());
  for (const std::uint32_t corner : stone) {
    EXPECT_EQ(sawn.of_vertex[corner], 0);
    EXPECT_EQ(mesh.normals[corner], (Mesh::Vector{0, 0, 1}));
  }
}

// Red under green under blue, which dip to the east by one in ten; in the middle a lens of red in
// the green.
struct DippingBeds {
  static constexpr int side = 40;
  static constexpr double red = 6, green = 10, lens_low = 8, lens_high = 9, blue = 14;
  DippingBeds() {
    shape.width = shape.height = side;
    shape.quantum = 1.0 / 1024;
    layers.emplace(cpu(), shape,
                   std::vector<Material>{{.name = "red", .colour = {200, 20, 20}},
                                         {.name = "green", .colour = {20, 200, 20}},
                                         {.name = "blue", .colour = {20, 20, 200}}});
    std::vector<Stack> stacks;
    for (int i = 0; i < side * side; ++i) {
      const double x = i % side + 0.5, fall = 0.1 * x;
      const auto quanta = [&](double metres) { return layer_quanta(shape, metres); };
      Stack stack{{1, quanta(red - fall)}, {2, quanta(green - red)}, {3, quanta(blue - green)}};
      if (in_lens(x))
        stack = {stack[0],
                 {2, quanta(lens_low - red)},
                 {1, quanta(lens_high - lens_low)},
                 {2, quanta(green - lens_high)},
                 stack[2]};
      stacks.push_back(stack);
    }
    layers->set_stacks(stacks);
  }
  static bool in_lens(double x) { return x > 15 && x < 25; }

  LayerShape shape;
  std::optional<Layers> layers;
};

// What is seen at a place of the solid: 'r', 'g', 'b', or '.' where colours are mixed.
class SawnPicture {
 public:
  SawnPicture(const LayerSubject& subject, const std::optional<surface::LayerCut>& cut,
              render::Vec3 from, render::Vec3 at) {
    SolidOutput output;
    output.cut = cut;
    SolidFaces faces;
    Mesh mesh = subject.solid(output, false, &faces);
    const render::Sawn sawn = subject.sawn(mesh, faces, true);
    render::Look look;
    look.grain = 1;
    look.haze = 0;
    look.sun_azimuth = 180;
    renderer_.show(mesh, look, {}, nullptr, &sawn);
    render::Camera camera;
    camera.from = renderer_.place_of(from);
    camera.at = renderer_.place_of(at);
    camera.field = 36;
    picture_ = renderer_.take(camera, width, height);
    view_ = renderer_.view_of(camera, width, height);
  }

  // Pixels from the upper edge.
  double row(render::Vec3 place) const {
    return view_.project(renderer_.place_of(place)).y * height;
  }
  // From above the place, a pixel each.
  std::string down_from(render::Vec3 place, int pixels) const {
    const int x = static_cast<int>(view_.project(renderer_.place_of(place)).x * width),
              top = static_cast<int>(row(place));
    std::string seen;
    for (int y = top; y < top + pixels; ++y) seen += at(x, y);
    return seen;
  }
  // The same to the right.
  std::string right_of(render::Vec3 place, int pixels) const {
    const int first = static_cast<int>(view_.project(renderer_.place_of(place)).x * width);
    std::string seen;
    for (int x = first; x < first + pixels; ++x) seen += at(x, static_cast<int>(row(place)));
    return seen;
  }

 private:
  char at(int x, int y) const {
    const auto* p = &picture_.rgb.at(3 * static_cast<std::size_t>(y * width + x));
    const int most = static_cast<int>(std::max_element(p, p + 3) - p);
    const bool pure = p[most] > 1.6 * std::max(p[(most + 1) % 3], p[(most + 2) % 3]);
    return pure ? "rgb"[most] : '.';
  }

  static constexpr int width = 900, height = 500;
  render::OffscreenContext context_;
  render::Renderer renderer_;
  render::Picture picture_;
  render::View view_;
};

// At a place along a face, above and below each border: what lies there, to so many pixels.
void expect_beds(const SawnPicture& picture, double x, double y, double pixels) {
  SCOPED_TRACE(x);
  const double half = DippingBeds::side / 2.0, fall = 0.1 * x;
  const auto at = [&](double z) { return render::Vec3{x - half, y - half, z}; };
  struct Border {
    double z;
    char below, above;
  };
  std::vector<Border> borders{{DippingBeds::red - fall, 'r', 'g'},
                              {DippingBeds::green - fall, 'g', 'b'}};
  if (DippingBeds::in_lens(x)) {
    borders.push_back({DippingBeds::lens_low - fall, 'g', 'r'});
    borders.push_back({DippingBeds::lens_high - fall, 'r', 'g'});
  }
  for (const Border& border : borders) {
    const double row = picture.row(at(border.z));
    const std::string seen = picture.down_from(at(border.z + 0.4), 14);
    const int first = static_cast<int>(picture.row(at(border.z + 0.4)));
    for (int k = 0; k < 14 && picture.row(at(border.z - 0.4)) > first + k + 1; ++k)
      if (std::abs(first + k + 0.5 - row) > pixels) {
        EXPECT_EQ(seen[static_cast<std::size_t>(k)], first + k < row ? border.above : border.below)
            << seen << ' ' << first << ' ' << row;
      }
  }
}

// A block diagram: on a side of the block, and where it was cut, straight or aslant, borders
// between beds are as sharp as the picture and as high as they are.
TEST(LayerPictures, SawnFacesShowEachBedToItsBorder) {
  if (!render::can_render()) GTEST_SKIP();
  const DippingBeds land;
  const LayerSubject subject(*land.layers);
  struct Face {
    std::optional<surface::LayerCut> cut;
    double west, east;  // y at both ends
    // Aslant, the column behind a place may be half a cell away, over which beds dip by a pixel.
    double pixels;
  };
  for (const Face& face :
       {Face{{}, 0, 0, 1.5}, Face{surface::LayerCut{0, 17.3, 40, 17.3}, 17.3, 17.3, 1.5},
        Face{surface::LayerCut{0, 8, 40, 25}, 8, 25, 2.5}}) {
    SCOPED_TRACE(face.east);
    const double middle = (face.west + face.east) / 2 - 20, turn = (face.east - face.west) / 40;
    // Some 13 pixels a metre.
    const SawnPicture picture(subject, face.cut, {60 * turn, middle - 60, 10}, {0, middle, 6});
    for (const double x : {6.5, 11.7, 18.3, 20.0, 29.4, 33.1})
      expect_beds(picture, x, face.west + turn * x, face.pixels);
  }
}

// Where one ends beside the other, upright: rock along a line, debris raggedly, but no further off
// than a column.
TEST(LayerPictures, DebrisOnSawnFacesEndsRaggedly) {
  if (!render::can_render()) GTEST_SKIP();
  for (const bool loose : {false, true}) {
    LayerShape shape;
    shape.width = shape.height = 40;
    Layers layers(cpu(), shape,
                  {{.name = "red", .loose = loose, .colour = {200, 20, 20}},
                   {.name = "green", .loose = loose, .colour = {20, 200, 20}}});
    std::vector<Stack> stacks;
    for (int i = 0; i < 1600; ++i)
      stacks.push_back({{i % 40 < 20 ? 1 : 2, layer_quanta(shape, 12)}});
    layers.set_stacks(stacks);
    const LayerSubject subject(layers);
    const SawnPicture picture(subject, {}, {0, -80, 10}, {0, -20, 6});
    std::size_t least = 100, most = 0;
    for (double z = 1; z < 11; z += 0.25) {
      const std::size_t found = picture.right_of({-1.2, -20, z}, 56).find('g');
      least = std::min(least, found), most = std::max(most, found);
    }
    // Some 23 pixels a metre.
    EXPECT_GE(least, 4U);
    EXPECT_LE(most, 52U);
    if (loose)
      EXPECT_GT(most - least, 5U);
    else
      EXPECT_LE(most - least, 1U);
  }
}

// What is loose, and ice, has a look of its own; rock with beds, and rock and stones without them,
// others.
TEST(LayerPictures, PicturesKnowWhatIsLooseAndWhatLiesInBeds) {
  LayerShape shape;
  shape.width = shape.height = 2;
  const std::vector<Material> materials{{.name = "chalk", .colour = {240, 240, 230}},
                                        {.name = "mud", .loose = true, .colour = {90, 80, 70}},
                                        {.name = "firn", .colour = {200, 210, 220}, .melting = 1},
                                        {.name = "granite", .colour = {160, 150, 140}}};
  const Layers layers(cpu(), shape, materials);
  Mesh mesh;
  mesh.colours = {{240, 240, 230, 255},
                  {90, 80, 70, 255},
                  {200, 210, 220, 255},
                  {160, 150, 140, 255},
                  {1, 2, 3, 255}};
  LayerSubject(layers).mark_kinds(mesh);
  EXPECT_EQ(mesh.colours, (std::vector<Mesh::Colour>{{240, 240, 230, 127},
                                                     {90, 80, 70, 255},
                                                     {200, 210, 220, 255},
                                                     {160, 150, 140, 0},
                                                     {1, 2, 3, 0}}));
}

// Two greys that are next to the same, a void between them.
TEST(LayerPictures, SectionsAndMapsHaveOneColourForAMaterialAndLengthsTheirUnit) {
  LayerShape shape;
  shape.width = shape.height = 4;
  shape.quantum = 1.0 / 1024;
  Layers layers(
      cpu(), shape,
      {{.name = "shale", .colour = {96, 93, 96}}, {.name = "marl", .colour = {97, 94, 96}}});
  layers.set_stacks(std::vector<Stack>(
      16, {{1, layer_quanta(shape, 2)}, {0, layer_quanta(shape, 3)}, {2, layer_quanta(shape, 1)}}));
  const LayerSubject subject(layers, {});
  const render::ViewField map = subject.shown("material");
  const render::Section section = subject.section({}, true);
  ASSERT_EQ(map.kinds.size(), 4U) << "nothing, and water";
  ASSERT_EQ(section.materials.size(), 3U);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(map.kinds[m + 1].name, section.materials[m].name);
    EXPECT_EQ(map.kinds[m + 1].colour, section.materials[m].colour);
  }
  EXPECT_EQ(section.materials[0].colour, 0x605d60U);
  EXPECT_GT(render::seen_apart(section.materials[0].colour, section.materials[1].colour), 0.068F);
  EXPECT_NE(section.materials[0].pattern, section.materials[1].pattern);
  EXPECT_EQ(subject.shown("voids").unit, "m");
  EXPECT_EQ(subject.shown("voids").values[5], 3.0F);
  EXPECT_EQ(subject.shown("thickness.shale").unit, "m");
  EXPECT_EQ(subject.shown("layers").unit, "1");
}

}  // namespace
}  // namespace scree
