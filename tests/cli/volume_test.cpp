// `scree mesh` and `scree info` of volumes.
#include "io/volume/volume.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "base/error.h"
#include "io/mesh/mesh_test.h"
#include "io/raster/npy.h"
#include "program.h"
#include "surface/mesh/validity.h"

#ifdef SCREE_WITH_VDB
#include "vdb_files.h"
#endif

namespace scree::testing {
namespace {

using io::testing::read_ply;

constexpr double pi = 3.14159265358979323846;

class VolumeCommand : public MeshCli {
 protected:
  void refuse(const Words& words, int code, const Words& parts) const {
    const std::vector<std::string> before = files();
    expect_failure(scree(words), code, parts);
    EXPECT_EQ(files(), before);
  }
};

// Flat triangles lie inside a ball: what they lack is of the order of (cell / radius)^2.
void expect_ball(const Mesh& mesh, double radius, double within) {
  EXPECT_TRUE(surface::find_faults(mesh).none()) << surface::find_faults(mesh).summary();
  EXPECT_NEAR(surface::area(mesh) / (4 * pi * radius * radius), 1, within);
  EXPECT_NEAR(surface::volume(mesh) / (4 * pi / 3 * radius * radius * radius), 1, within);
}

// An array has no coordinates, and its cells are what --cell says.
TEST_F(VolumeCommand, Arrays) {
  std::string data;
  for (int z = 0; z < 20; ++z)
    for (int y = 0; y < 22; ++y)
      for (int x = 0; x < 24; ++x) {
        const double away = std::hypot(x - 11.5, y - 10.5, z - 9.5) - 8;
        data += static_cast<char>(std::lround(std::clamp(128 - 64 * away, 0.0, 255.0)));
      }
  const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (20, 22, 24), }\n";
  write("ball.npy", std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) +
                        std::string(1, '\0') + header + data);
  refuse({"mesh", "ball.npy", "-o", "a.ply"}, 2, {"ball.npy", "--cell"});
  const Json json = mesh({"ball.npy", "-o", "a.ply", "--cell", "0.5", "--isovalue", "128"});
  EXPECT_EQ(json["size"], Json({24, 22, 20}));
  EXPECT_EQ(json["isovalue"], 128.0);
  expect_ball(read_ply(path("a.ply")), 4, 0.01);
  refuse({"mesh", "ball.npy", "-o", "a.glb", "--cell", "0.5", "--grid", "density"}, 2,
         {"ball.npy", "no grid 'density'"});
}

TEST_F(VolumeCommand, OptionsThatOnlyVolumesHave) {
  io::write_npy(path("flat.npy"), 3, 3, std::vector<float>(9, 1.0F));
  refuse({"mesh", "flat.npy", "-o", "a.ply", "--cell", "1", "--isovalue", "2"}, 2,
         {"--isovalue", "only a volume"});
  refuse({"mesh", "flat.npy", "-o", "a.ply", "--cell", "1", "--grid", "x"}, 2,
         {"--grid", "only a volume"});
}

// Words are looked at before the file.
TEST_F(VolumeCommand, WordsOnDetail) {
  const auto no = [&](const Words& more, const Words& parts) {
    Words words = {"mesh", "none.vdb", "-o", "a.ply"};
    words.insert(words.end(), more.begin(), more.end());
    refuse(words, 2, parts);
  };
  for (const char* levels : {"0", "8", "some"})
    no({"--levels", levels}, {text("--levels '", levels, "'"), "1 to 7"});
  for (const char* view : {"1", "1,2", "1,2,3,4"})
    no({"--view", view}, {text("--view '", view, "'"), "expected X,Y,Z", "the mesh's own metres"});
  no({"--view", "1,2,up"}, {"--view", "up"});
  no({"--view", "1,2,3", "--detail", "0"}, {"--detail '0'", "1 to 1000000"});
  no({"--detail", "9"}, {"--detail '9'", "--view"});
  no({"--levels", "2", "--view", "1,2,3"}, {"--levels and --view", "one of them", "both"});
  no({"--levels", "2", "--level", "1"}, {"--level and --levels", "both"});
  no({"--view", "1,2,3", "--target-triangles", "9"}, {"--target-triangles and --view", "both"});
  no({"--colour", "slope", "--levels", "2"}, {"--colour", "none.vdb", "a volume"});
}

#ifdef SCREE_WITH_VDB

TEST_F(VolumeCommand, LevelSetOfOpenVdb) {
  write_ball(path("ball.vdb"), {});
  const Outcome outcome = scree({"mesh", "ball.vdb", "-o", "ball.ply"});
  expect_success(outcome);
  for (const char* part : {"ball.vdb, grid surface", "samples of 0.25 x 0.25 x 0.25 m",
                           "level set, 0 m", "z up", "scale 1", "that of the volume's"})
    EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
  const Mesh whole = read_ply(path("ball.ply"));
  expect_ball(whole, 4, 0.004);
  EXPECT_TRUE(whole.colours.empty());
  for (const Mesh::Vector& p : whole.positions)
    ASSERT_NEAR(std::hypot(p[0] - 3, p[1] + 2, p[2] - 5), 4, 0.01) << "where the file has it";
  // Metres outwards, as far as the narrow band goes.
  const Json json = mesh({"ball.vdb", "-o", "large.ply", "--isovalue", "0.5"});
  EXPECT_EQ(json["level_set"], true);
  EXPECT_EQ(json["origin"], Json({0.0, 0.0, 0.0}));
  expect_ball(read_ply(path("large.ply")), 4.5, 0.004);
  mesh({"ball.vdb", "-o", "small.ply", "--isovalue", "-0.5"});
  expect_ball(read_ply(path("small.ply")), 3.5, 0.004);
  // 16 bits of a float have three figures.
  Ball half;
  half.half = true;
  write_ball(path("half.vdb"), half);
  mesh({"half.vdb", "-o", "half.ply"});
  expect_ball(read_ply(path("half.ply")), 4, 0.004);
}

TEST_F(VolumeCommand, FogOfOpenVdb) {
  Ball fog;
  fog.kind = "fog";
  write_ball(path("fog.vdb"), fog);
  const Json json = mesh({"fog.vdb", "-o", "fog.ply"});
  EXPECT_EQ(json["grid"], "density");
  EXPECT_EQ(json["level_set"], false);
  EXPECT_EQ(json["isovalue"], 0.5);
  expect_ball(read_ply(path("fog.ply")), 4, 0.004);
}

TEST_F(VolumeCommand, LevelsAndTargets) {
  write_ball(path("ball.vdb"), {});
  const auto full = mesh({"ball.vdb", "-o", "a.ply"})["triangles"].get<double>();
  const auto one = mesh({"ball.vdb", "-o", "b.ply", "--level", "1"})["triangles"].get<double>();
  EXPECT_NEAR(one / full, 0.25, 0.03);
  expect_ball(read_ply(path("b.ply")), 4, 0.01);
  mesh({"ball.vdb", "-o", "c.ply", "--level", "2"});
  expect_ball(read_ply(path("c.ply")), 4, 0.05);
  refuse({"mesh", "ball.vdb", "-o", "d.ply", "--level", "7"}, 2, {"--level '7'", "0 to 6"});
  refuse({"mesh", "ball.vdb", "-o", "d.ply", "--level", "6"}, 1, {"no surface", "level 6"});
  const Outcome target =
      scree({"mesh", "ball.vdb", "-o", "d.ply", "--target-triangles", "900", "--json"});
  if (contains(target.err, "built without meshoptimizer")) return;
  expect_success(target);
  EXPECT_LE(target.json()["triangles"], 900);
  const Mesh simple = read_ply(path("d.ply"));
  EXPECT_TRUE(surface::find_faults(simple).none()) << surface::find_faults(simple).summary();
  EXPECT_NEAR(surface::volume(simple) / (4 * pi / 3 * 64), 1, 0.02);
}

TEST_F(VolumeCommand, LevelsForEngines) {
  write_ball(path("ball.vdb"), {});
  const Outcome told = scree({"mesh", "ball.vdb", "-o", "set.ply", "--levels", "4"});
  expect_success(told);
  for (const char* part : {"set_LOD0.ply: ", "set_LOD3.ply: ", "within a cell of 0.5 m", "a pixel"})
    EXPECT_TRUE(contains(told.out, part)) << part << "\n" << told.out;
  EXPECT_FALSE(fs::exists(path("set.ply"))) << "a PLY holds one level";
  const Json json = mesh({"ball.vdb", "-o", "set.ply", "--levels", "4"});
  ASSERT_EQ(json["levels"].size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const Json& level = json["levels"][i];
    const std::string file = text("set_LOD", i, ".ply");
    EXPECT_EQ(level["file"], file);
    EXPECT_EQ(level["bytes"], fs::file_size(path(file)));
    EXPECT_EQ(level["error"], i == 0 ? 0 : std::ldexp(0.25, static_cast<int>(i)));
    mesh({"ball.vdb", "-o", "alone.ply", "--level", std::to_string(i)});
    EXPECT_TRUE(read(file) == read("alone.ply")) << file << ": what --level gives";
    const Mesh found = read_ply(path(file));
    EXPECT_EQ(level["vertices"], found.positions.size());
    EXPECT_EQ(level["triangles"], found.triangles.size());
    EXPECT_TRUE(surface::find_faults(found).none()) << surface::find_faults(found).summary();
    for (const Mesh::Vector& p : found.positions)
      ASSERT_NEAR(std::hypot(p[0] - 3, p[1] + 2, p[2] - 5), 4, 0.01) << "on the full detail";
    if (i == 0) continue;
    const auto finer = json["levels"][i - 1]["triangles"].get<double>();
    EXPECT_NEAR(level["triangles"].get<double>() / finer, 0.25, 0.06) << file;
  }
}

TEST_F(VolumeCommand, LevelsEndWhereNothingIsLeft) {
  write_ball(path("ball.vdb"), {});
  const Outcome outcome = scree({"mesh", "ball.vdb", "-o", "a.ply", "--levels", "7", "--json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  const std::size_t found = outcome.json()["levels"].size();
  ASSERT_GE(found, 4U);
  ASSERT_LE(found, 6U);
  EXPECT_TRUE(contains(outcome.err, text("LOD", found - 1, " is the last"))) << outcome.err;
  EXPECT_TRUE(fs::exists(path(text("a_LOD", found - 1, ".ply"))));
  EXPECT_FALSE(fs::exists(path(text("a_LOD", found, ".ply"))));
  refuse({"mesh", "ball.vdb", "-o", "b.ply", "--levels", "2", "--isovalue", "-9"}, 1,
         {"ball.vdb", "no surface at isovalue -9"});
}

TEST_F(VolumeCommand, LevelsInOneGlb) {
  write_ball(path("ball.vdb"), {});
  const Outcome outcome = scree({"mesh", "ball.vdb", "-o", "a.glb", "--levels", "3", "--json"});
  if (contains(outcome.err, "built without")) GTEST_SKIP() << outcome.err;
  expect_success(outcome);
  EXPECT_EQ(outcome.json()["file"], "a.glb");
  EXPECT_EQ(outcome.json()["bytes"], fs::file_size(path("a.glb")));
  for (const char* part : {"MSFT_lod", "a_LOD0", "a_LOD1", "a_LOD2"})
    EXPECT_TRUE(contains(read("a.glb"), part)) << part;
  EXPECT_TRUE(contains(read("a_LOD2.glb"), "a_LOD2"));
}

// Seen from the ball's eastern end.
TEST_F(VolumeCommand, DetailFromAViewpoint) {
  Ball ball;
  ball.cell = 0.1;
  write_ball(path("ball.vdb"), ball);
  const Json full = mesh({"ball.vdb", "-o", "full.ply"});
  const Json json = mesh({"ball.vdb", "-o", "view.ply", "--view", "7,-2,5", "--detail", "10"});
  const auto blocks = json["blocks_by_level"].get<std::vector<std::size_t>>();
  ASSERT_EQ(blocks.size(), 5U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_GT(blocks[i], 0U) << "level " << i;
  EXPECT_LT(json["triangles"].get<double>(), full["triangles"].get<double>() / 2);
  const Mesh found = read_ply(path("view.ply"));
  expect_ball(found, 4, 0.01);
  const auto east = std::count_if(found.positions.begin(), found.positions.end(),
                                  [](const Mesh::Vector& p) { return p[0] > 3; });
  EXPECT_GT(east, static_cast<std::ptrdiff_t>(found.positions.size()) * 3 / 4);
  // Wherever one stands, no finer than full and no coarser than a block allows.
  const Json near = mesh({"ball.vdb", "-o", "near.ply", "--view", "3,-2,5", "--detail", "1e6"});
  EXPECT_EQ(near["triangles"], full["triangles"]);
  mesh({"ball.vdb", "-o", "far.ply", "--view", "3,-2,1 km", "--detail", "1"});
  mesh({"ball.vdb", "-o", "four.ply", "--level", "4"});
  EXPECT_TRUE(read("far.ply") == read("four.ply"));
  const Outcome told = scree({"mesh", "ball.vdb", "-o", "a.ply", "--view", "7,-2,5"});
  expect_success(told);
  EXPECT_TRUE(contains(told.out, "from 7, -2, 5: blocks of 16 cells with triangles, by level"))
      << told.out;
}

// Floats cannot tell cells apart so far away: the mesh lies about 0, and where that is is said.
TEST_F(VolumeCommand, FarAway) {
  Ball far;
  far.far = 5e6;
  write_ball(path("far.vdb"), far);
  const Json json = mesh({"far.vdb", "-o", "far.ply"});
  const auto origin = json["origin"].get<std::array<double, 3>>();
  EXPECT_EQ(origin, (std::array<double, 3>{5000003, 0, 0}));
  const Mesh found = read_ply(path("far.ply"));
  expect_ball(found, 4, 0.004);
  for (const Mesh::Vector& p : found.positions)
    ASSERT_NEAR(std::hypot(p[0], p[1] + 2, p[2] - 5), 4, 0.01);
  EXPECT_TRUE(contains(scree({"mesh", "far.vdb", "-o", "far.ply"}).out, "5000003, 0, 0 in the"));
  // A viewpoint is where the mesh is.
  const Json view = mesh({"far.vdb", "-o", "far.ply", "--view", "4,-2,5", "--detail", "4"});
  EXPECT_GT(view["blocks_by_level"][0], 0);
}

// Ours: a box whose rock reaches its sides is closed there; materials are colours.
TEST_F(VolumeCommand, MaterialsAreColours) {
  Volume volume;
  volume.shape = {{16, 16, 16}, {2, 2, 2}, {10, 20, 30}};
  volume.density.assign(volume.shape.samples(), 1.0F);
  volume.materials.assign(volume.shape.samples(), 1);
  std::fill(volume.materials.begin() + 8 * 256, volume.materials.end(), 2U);
  io::write_volume(path("rock.vdb"), volume);
  const Json json = mesh({"rock.vdb", "-o", "rock.ply"});
  EXPECT_EQ(json["materials"], 2);
  EXPECT_EQ(json["low"], Json({10.0, 20.0, 30.0}));
  EXPECT_EQ(json["high"], Json({40.0, 50.0, 60.0}));
  const Mesh found = read_ply(path("rock.ply"));
  EXPECT_TRUE(surface::find_faults(found).none());
  ASSERT_EQ(found.colours.size(), found.positions.size());
  for (std::size_t i = 0; i < found.colours.size(); ++i) {
    const bool upper = found.positions[i][2] > 45;
    EXPECT_EQ(found.colours[i] == found.colours[0], !upper) << found.positions[i][2];
  }
  // At any detail.
  mesh({"rock.vdb", "-o", "set.ply", "--levels", "2"});
  mesh({"rock.vdb", "-o", "view.ply", "--view", "10,20,30", "--detail", "1"});
  for (const char* file : {"set_LOD0.ply", "set_LOD1.ply", "view.ply"}) {
    const Mesh coarse = read_ply(path(file));
    EXPECT_TRUE(surface::find_faults(coarse).none()) << file;
    const std::set<Mesh::Colour> colours(coarse.colours.begin(), coarse.colours.end());
    EXPECT_EQ(colours.size(), 2U) << file;
  }
}

TEST_F(VolumeCommand, Info) {
  write_odd_vdb(path("a.vdb"), "several");
  const Outcome outcome = scree({"info", "a.vdb"});
  expect_success(outcome);
  for (const char* part : {"v, vec3s", "density, float", "material, int32",
                           "10 x 2 x 3 around 2 active voxels", "1 to 2, background 0"})
    EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
  const Json json = scree({"info", "a.vdb", "--json"}).json();
  EXPECT_EQ(json["kind"], "volume");
  EXPECT_EQ(json["grids"].size(), 4U);
  EXPECT_EQ(json["grids"][3]["highest"], 2.0);
  EXPECT_FALSE(json["grids"][0].contains("highest"));
  refuse({"info", "a.vdb", "--hydrology"}, 2, {"a.vdb", "--hydrology takes a raster"});
}

TEST_F(VolumeCommand, WhatCannotBeMeshed) {
  write_odd_vdb(path("a.vdb"), "several");
  refuse({"mesh", "a.vdb", "-o", "b.ply", "--grid", "temprature"}, 2,
         {"a.vdb", "no grid 'temprature'", "did you mean 'temperature'?"});
  refuse({"mesh", "a.vdb", "-o", "b.ply", "--isovalue", "much"}, 2, {"--isovalue 'much'"});
  refuse({"mesh", "a.vdb", "-o", "b.ply", "--isovalue", "9"}, 1,
         {"a.vdb", "no surface at isovalue 9", "0 to 2"});
  refuse({"mesh", "a.vdb", "-o", "b.fbx"}, 2, {"--out", "b.fbx", ".glb"});
  refuse({"mesh", "a.vdb", "-o", "b.ply", "--cell", "2"}, 2, {"--cell", "a.vdb"});
  refuse({"mesh", "none.vdb", "-o", "b.ply"}, 1, {"none.vdb", "no such file"});
  for (const char* what : {"empty", "frustum", "rotated", "vectors", "wide", "nothing"}) {
    write_odd_vdb(path("a.vdb"), what);
    refuse({"mesh", "a.vdb", "-o", "b.ply"}, 1, {"a.vdb"});
  }
  write("a.vdb", "no volume at all");
  refuse({"mesh", "a.vdb", "-o", "b.ply"}, 1, {"a.vdb", "not a VDB file"});
  refuse({"info", "a.vdb"}, 1, {"a.vdb", "not a VDB file"});
}

#else

TEST_F(VolumeCommand, WithoutOpenVdb) {
  write("a.vdb", "whatever");
  refuse({"mesh", "a.vdb", "-o", "b.ply"}, 1, {"a.vdb", "built without OpenVDB"});
  refuse({"info", "a.vdb"}, 1, {"a.vdb", "built without OpenVDB"});
}

#endif

}  // namespace
}  // namespace scree::testing
