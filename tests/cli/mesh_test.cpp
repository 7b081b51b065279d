// `scree mesh` from everything that has heights, into everything that holds triangles.
#include "io/mesh/mesh.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <tuple>

#include "base/error.h"
#include "io/mesh/mesh_test.h"
#include "io/raster/npy.h"
#include "io/raster/raster.h"
#include "program.h"

#ifdef SCREE_WITH_ASSIMP
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#endif

namespace scree::testing {
namespace {

using io::testing::read_ply;

bool can_write(const std::string& file) {
  try {
    io::check_mesh_name(file);
    return true;
  } catch (const Error&) {
    return false;
  }
}

class MeshCommand : public MeshCli {
 protected:
  void generate(const std::string& file, const std::string& size) const {
    expect_success(scree({"generate", "ridged", "-o", file, "--size", size, "--cell", "20"}));
  }
};

TEST_F(MeshCommand, SaysWhatItMadeAndWhereItLies) {
  generate("land.tif", "33x17");
  const Outcome outcome = scree({"mesh", "land.tif", "-o", "land.ply"});
  expect_success(outcome);
  for (const char* part : {"561 vertices, 1 024 triangles", "33 x 17 cells of 20 x 20 m",
                           "640 x 320 m", "z up", "scale 1", "330, 170 in the raster's"})
    EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
  const Json json = mesh({"land.tif", "-o", "again.ply"});
  EXPECT_EQ(json["vertices"], 561);
  EXPECT_EQ(json["triangles"], 1024);
  EXPECT_EQ(json["origin"], Json({330.0, 170.0}));
  EXPECT_EQ(json["up"], "z");
  EXPECT_EQ(read("land.ply"), read("again.ply")) << "equal meshes, equal bytes";
}

TEST_F(MeshCommand, EveryFormat) {
  generate("land.tif", "20x20");
  for (const std::string& ending : io::mesh_endings()) {
    if (!can_write("a" + ending)) continue;
    const Json json = mesh({"land.tif", "-o", "a" + ending});
    EXPECT_EQ(json["triangles"], 722) << ending;
    EXPECT_EQ(json["up"], ending == ".glb" ? "y" : "z");
  }
  EXPECT_EQ(fs::file_size(path("a.stl")), 84U + 50 * 722);
}

TEST_F(MeshCommand, Levels) {
  generate("land.tif", "34x17");
  EXPECT_EQ(mesh({"land.tif", "-o", "a.ply", "--level", "1"})["vertices"], 18 * 9);
  const Json two = mesh({"land.tif", "-o", "a.ply", "--level", "2"});
  EXPECT_EQ(two["vertices"], 10 * 5);
  EXPECT_EQ(two["extent"], Json({660.0, 320.0}));
  EXPECT_EQ(mesh({"land.tif", "-o", "a.ply", "--level", "16"})["vertices"], 4);
}

TEST_F(MeshCommand, TargetTriangles) {
  generate("land.tif", "65x65");
  const Outcome outcome =
      scree({"mesh", "land.tif", "-o", "a.ply", "--target-triangles", "2000", "--json"});
  if (contains(outcome.err, "built without meshoptimizer")) {
    expect_failure(outcome, 1, {"--target-triangles"});
    GTEST_SKIP() << outcome.err;
  }
  expect_success(outcome);
  const Json json = outcome.json();
  EXPECT_LE(json["triangles"], 2000);
  EXPECT_GT(json["triangles"], 1000);
  EXPECT_GT(json["error"], 0.0);
  const Outcome least = scree({"mesh", "land.tif", "-o", "b.ply", "--target-triangles", "1"});
  expect_success(least);
  EXPECT_TRUE(contains(least.err, "the border stays")) << least.err;
  EXPECT_EQ(mesh({"land.tif", "-o", "c.ply", "--target-triangles", "999999"})["triangles"],
            2 * 64 * 64);
}

TEST_F(MeshCommand, NodataIsAHole) {
  std::vector<float> heights(25, 7.0F);
  heights[12] = -99;
  io::write_npy(path("hole.npy"), 5, 5, heights);
  const Json json = mesh({"hole.npy", "-o", "a.stl", "--cell", "3", "--nodata", "-99"});
  EXPECT_EQ(json["vertices"], 24);
  EXPECT_EQ(json["triangles"], 28);
  EXPECT_TRUE(json["origin"].is_null());
}

TEST_F(MeshCommand, GeographicRastersAreInMetres) {
  const Json json = mesh({data_file("jacksboro_coast.tif"), "-o", "a.ply"});
  const Raster raster = io::read_raster(data_file("jacksboro_coast.tif"));
  EXPECT_NEAR(json["extent"][0].get<double>(), 95 * raster.dx, 1e-6);
  EXPECT_NEAR(json["origin"][0].get<double>(), -84.2, 0.01) << "degrees, as the raster has them";
  EXPECT_NEAR(json["origin"][1].get<double>(), 36.59, 0.01);
}

TEST_F(MeshCommand, FolderOfARun) {
  write_scene("a.toml");
  expect_success(scree({"run", "a.toml", "--steps", "4", "--checkpoint-every", "2"}));
  const Json folder = mesh({"out/a", "-o", "folder.ply"});
  EXPECT_EQ(folder["source"], "out/a/height.tif");
  EXPECT_EQ(folder["vertices"], 48 * 40);
  mesh({"out/a/height.tif", "-o", "raster.ply"});
  EXPECT_EQ(read("folder.ply"), read("raster.ply"));

  // A checkpoint holds the bed of its step and knows its cells, wherever it is.
  expect_success(scree({"run", "a.toml", "--steps", "2", "--out", "two"}));
  mesh({"two/height.tif", "-o", "two.ply", "--colour", "none"});
  fs::copy_file(path("out/a/checkpoint-2.scree"), path("alone.scree"));
  mesh({"alone.scree", "-o", "checkpoint.ply", "--colour", "none"});
  EXPECT_EQ(read("checkpoint.ply"), read("two.ply"));

  // A run that was stopped has left no report.
  fs::remove(path("out/a/report.json"));
  const Json stopped = mesh({"out/a", "-o", "stopped.ply", "--colour", "none"});
  EXPECT_EQ(stopped["source"], "out/a/checkpoint-2.scree");
  EXPECT_EQ(read("stopped.ply"), read("two.ply"));
  EXPECT_EQ(mesh({"out/a", "-o", "wide.ply", "--cell", "20"})["extent"], Json({940.0, 780.0}));

  // A broken one is passed over, with a line that says so.
  write("out/a/checkpoint-9.scree", "broken");
  const Outcome older = scree({"mesh", "out/a", "-o", "older.ply", "--colour", "none"});
  expect_success(older);
  EXPECT_TRUE(contains(older.err, "checkpoint-9.scree")) << older.err;
  EXPECT_EQ(read("older.ply"), read("two.ply"));
}

TEST_F(MeshCommand, FolderWithHeightsOfSeveralSteps) {
  write_scene("a.toml",
              "[[output]]\nkind = \"height\"\nfile = \"height.npy\"\nevery = 2\n"
              "[[output]]\nkind = \"mask\"\nmask = \"slope\"\n");
  expect_success(scree({"run", "a.toml", "--steps", "6"}));
  const Json json = mesh({"out/a", "-o", "a.ply", "--cell", "10"});
  EXPECT_EQ(json["source"], "out/a/height-000006.npy");
}

// By what a file holds, not by its name: the newest, floats before 16 bits.
TEST_F(MeshCommand, FolderWithHeightsOfAnyName) {
  write_scene("a.toml",
              "[[output]]\nkind = \"field\"\nfield = \"bed\"\nfile = \"ground.tif\"\n"
              "[[output]]\nkind = \"field\"\nfield = \"bed\"\nfile = \"height.tif\"\n"
              "normalise = true\n"
              "[[output]]\nkind = \"height\"\nfile = \"bed.png\"\n");
  expect_success(scree({"run", "a.toml", "--steps", "2"}));
  EXPECT_EQ(mesh({"out/a", "-o", "a.ply"})["source"], "out/a/ground.tif");
}

// ---- colours

TEST_F(MeshCommand, HasTheReliefsColoursUnlessTold) {
  generate("land.tif", "33x17");
  const Json json = mesh({"land.tif", "-o", "a.ply"});
  EXPECT_EQ(json["colour"],
            Json({{"by", "relief"}, {"palette", "alpine"}, {"from", Json::array({"heights"})}}));
  const auto alpine = read_ply(path("a.ply")).colours;
  ASSERT_EQ(alpine.size(), 561U);
  EXPECT_NE(alpine.front(), alpine[280]);
  mesh({"land.tif", "-o", "b.ply", "--palette", "desert"});
  const auto desert = read_ply(path("b.ply")).colours;
  // Sand and sandstone are redder than anything in the Alps.
  for (std::size_t i = 0; i < desert.size(); ++i) EXPECT_GT(desert[i][0], desert[i][2] + 20) << i;
  EXPECT_NE(alpine, desert);
  const Json none = mesh({"land.tif", "-o", "c.ply", "--colour", "none"});
  EXPECT_TRUE(none["colour"].is_null());
  EXPECT_TRUE(read_ply(path("c.ply")).colours.empty());
  const Outcome stl = scree({"mesh", "land.tif", "-o", "a.stl"});
  expect_success(stl);
  EXPECT_TRUE(contains(stl.out, "STL holds none")) << stl.out;
}

TEST_F(MeshCommand, AFieldInFalseColour) {
  // A slope of 45 degrees beside a plain.
  std::vector<float> heights;
  for (int i = 0; i < 20 * 10; ++i) heights.push_back(static_cast<float>(std::max(0, i % 20 - 9)));
  io::write_npy(path("land.npy"), 20, 10, heights);
  const Outcome outcome =
      scree({"mesh", "land.npy", "-o", "a.ply", "--cell", "1", "--colour", "slope"});
  expect_success(outcome);
  EXPECT_TRUE(contains(outcome.out, "slope, 0 to 45 deg")) << outcome.out;
  const auto colours = read_ply(path("a.ply")).colours;
  ASSERT_EQ(colours.size(), 200U);
  EXPECT_EQ(colours[2], (Mesh::Colour{0x44, 0x01, 0x54, 255})) << "the lower end";
  EXPECT_EQ(colours[17], (Mesh::Colour{0xfd, 0xe7, 0x25, 255})) << "the upper end";
  const Json height = mesh({"land.npy", "-o", "b.ply", "--cell", "1", "--colour", "height"});
  EXPECT_EQ(height["colour"], Json({{"by", "height"}, {"range", {0.0, 10.0}}}));
  // A raster of one's own.
  mesh({"land.npy", "-o", "c.ply", "--cell", "1", "--colour", "land.npy"});
  EXPECT_EQ(read_ply(path("c.ply")).colours, read_ply(path("b.ply")).colours);
}

TEST_F(MeshCommand, ColoursFromWhatTheRunKnows) {
  write_scene("a.toml",
              "[[output]]\nkind = \"height\"\n"
              "[[output]]\nkind = \"field\"\nfield = \"water\"\n"
              "[[output]]\nkind = \"mask\"\nmask = \"wear\"\nnormalise = true\nfile = \"w.png\"\n"
              "[[output]]\nkind = \"mask\"\nmask = \"deposit\"\nevery = 3\n"
              "[[output]]\nkind = \"relief\"\npalette = \"meadow\"\n");
  expect_success(scree({"run", "a.toml", "--steps", "7", "--checkpoint-every", "5"}));
  const Json folder = mesh({"out/a", "-o", "a.ply"});
  EXPECT_EQ(folder["colour"]["palette"], "meadow") << "the run's own";
  EXPECT_EQ(folder["colour"]["from"], Json({"heights", "water", "wear"})) << "of this step only";
  const Json wear = mesh({"out/a", "-o", "b.ply", "--colour", "wear"});
  EXPECT_EQ(wear["colour"]["by"], "wear");
  EXPECT_LE(wear["colour"]["range"][1], 1.0);
  const Json checkpoint = mesh({"out/a/checkpoint-5.scree", "-o", "c.ply"});
  EXPECT_EQ(checkpoint["colour"]["from"],
            Json({"heights", "water", "sediment", "wear", "deposit"}));
  // What is no more there is not missed.
  fs::remove(path("out/a/water.tif"));
  EXPECT_EQ(mesh({"out/a", "-o", "d.ply"})["colour"]["from"], Json({"heights", "wear"}));
  expect_failure(scree({"mesh", "out/a", "-o", "e.ply", "--colour", "flow"}), 2,
                 {"--colour 'flow'", "height, slope, curvature, wear"});
}

// A valley that holds a lake: its surface is level, and what is dry stays.
TEST_F(MeshCommand, TheSurfaceOfTheWater) {
  write(
      "a.toml",
      "[scene]\nsteps = 1\n[terrain]\nsize = [40, 40]\ncell = \"10 m\"\nborders = \"closed\"\n"
      "generate = { kind = \"plane\", relief = 100 }\n[terrain.maps]\nwater = 0\n[water]\n"
      "rain = 0\n[[output]]\nkind = \"height\"\n[[output]]\nkind = \"field\"\nfield = \"water\"\n");
  expect_success(scree({"run", "a.toml"}));
  Raster ground = io::read_raster(path("out/a/height.tif")), water = ground;
  const float low = *std::min_element(ground.values.begin(), ground.values.end());
  const float level = low + 30;
  for (std::size_t i = 0; i < water.values.size(); ++i)
    water.values[i] = std::max(0.0F, level - ground.values[i]);
  io::write_raster(path("out/a/water.tif"), water);
  EXPECT_NEAR(mesh({"out/a", "-o", "bed.ply"})["heights"][0].get<double>(), low, 1e-4);
  const Json raised = mesh({"out/a", "-o", "surface.ply", "--water", "--colour", "none"});
  EXPECT_NEAR(raised["heights"][0].get<double>(), level, 1.5) << "shores are soft";
  EXPECT_EQ(raised["heights"][1], mesh({"out/a", "-o", "bed.ply"})["heights"][1]);
}

// ---- levels

using Vertex = std::tuple<Mesh::Vector, Mesh::Vector, Mesh::Colour>;

// The vertices on the outer edge of a terrain that reaches x and y from its middle.
std::set<Vertex> border_of(const Mesh& mesh, float x, float y) {
  std::set<Vertex> border;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i)
    if (std::abs(mesh.positions[i][0]) == x || std::abs(mesh.positions[i][1]) == y)
      border.insert({mesh.positions[i], mesh.normals[i], mesh.colours[i]});
  return border;
}

TEST_F(MeshCommand, LevelsForEngines) {
  generate("land.tif", "129x65");
  const Outcome outcome = scree({"mesh", "land.tif", "-o", "land.ply", "--levels", "4"});
  if (contains(outcome.err, "built without meshoptimizer")) {
    expect_failure(outcome, 1, {"--levels"});
    GTEST_SKIP() << outcome.err;
  }
  expect_success(outcome);
  for (const char* part : {"land_LOD0.ply: 8 385 vertices, 16 384 triangles", "LOD3", "a pixel"})
    EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
  EXPECT_FALSE(fs::exists(path("land.ply"))) << "a PLY holds one level";
  const std::set<Vertex> border = border_of(read_ply(path("land_LOD0.ply")), 1280, 640);
  EXPECT_EQ(border.size(), 2U * (128 + 64));
  const Json json = mesh({"land.tif", "-o", "land.ply", "--levels", "4"});
  ASSERT_EQ(json["levels"].size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const Json& level = json["levels"][i];
    const std::string file = "land_LOD" + std::to_string(i) + ".ply";
    EXPECT_EQ(level["file"], file);
    EXPECT_EQ(level["bytes"], fs::file_size(path(file)));
    // Vertices, normals and colours: neighbours meet whichever level they show.
    EXPECT_EQ(border_of(read_ply(path(file)), 1280, 640), border) << file;
    if (i == 0) continue;
    EXPECT_LT(level["triangles"], json["levels"][i - 1]["triangles"]);
    EXPECT_GT(level["error"], json["levels"][i - 1]["error"]);
  }
  EXPECT_LT(json["levels"][3]["triangles"], 1000);
}

TEST_F(MeshCommand, LevelsInOneGlb) {
  if (!can_write("a.glb")) GTEST_SKIP() << "built without tinygltf";
  generate("land.tif", "65x65");
  const Outcome outcome = scree({"mesh", "land.tif", "-o", "land.glb", "--levels", "3", "--json"});
  if (outcome.code != 0) GTEST_SKIP() << outcome.err;
  const Json json = outcome.json();
  EXPECT_EQ(json["file"], "land.glb");
  EXPECT_EQ(json["bytes"], fs::file_size(path("land.glb")));
  EXPECT_EQ(json["triangles"], 8192);
  for (const std::string name : {"land_LOD0", "land_LOD1", "land_LOD2"})
    EXPECT_TRUE(contains(read(name + ".glb"), name)) << "engines call it after the mesh";
  EXPECT_TRUE(contains(read("land.glb"), "MSFT_lod"));
}

TEST_F(MeshCommand, DetailFromAViewpoint) {
  generate("land.tif", "257x257");
  const Json near = mesh({"land.tif", "-o", "a.ply", "--view", "-2000,2000", "--detail", "10"});
  EXPECT_EQ(near["blocks"].size(), 64U);
  EXPECT_EQ(near["blocks"][0], 0) << "the north-west";
  EXPECT_GE(near["blocks"][63], 3) << "the south-east";
  EXPECT_LT(near["triangles"], 2 * 256 * 256 / 4);
  EXPECT_EQ(near["extent"], Json({5120.0, 5120.0}));
  const Json above =
      mesh({"land.tif", "-o", "b.ply", "--view", "-2 km,2 km,30 km", "--detail", "10"});
  EXPECT_EQ(above["blocks"], Json(std::vector<int>(64, 5)));
  EXPECT_EQ(above["triangles"], 2 * 8 * 8);
  const Outcome told = scree({"mesh", "land.tif", "-o", "c.ply", "--view", "0,0"});
  expect_success(told);
  EXPECT_TRUE(contains(told.out, "from 0, 0: 8 x 8 blocks of 32 cells")) << told.out;
}

#ifdef SCREE_WITH_ASSIMP
// What another program sees: the terrain, y up, where the raster says.
TEST_F(MeshCommand, GlbInAnIndependentReader) {
  if (!can_write("a.glb")) GTEST_SKIP() << "built without tinygltf";
  generate("land.tif", "300x230");
  mesh({"land.tif", "-o", "land.glb"});
  const Raster raster = io::read_raster(path("land.tif"));
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(path("land.glb"), aiProcess_ValidateDataStructure);
  ASSERT_TRUE(scene) << importer.GetErrorString();
  ASSERT_EQ(scene->mNumMeshes, 1U);
  const aiMesh& found = *scene->mMeshes[0];
  ASSERT_EQ(found.mNumVertices, 300U * 230);
  ASSERT_EQ(found.mNumFaces, 2U * 299 * 229);
  for (unsigned i = 0; i < found.mNumVertices; ++i) {
    const int column = static_cast<int>(i % 300), row = static_cast<int>(i / 300);
    ASSERT_EQ(found.mVertices[i].x, static_cast<float>(20 * (column - 149.5)));
    ASSERT_EQ(found.mVertices[i].y, raster.values[i]);
    ASSERT_EQ(found.mVertices[i].z, static_cast<float>(20 * (row - 114.5)));
    ASSERT_GT(found.mNormals[i].y, 0);
    ASSERT_NEAR(found.mNormals[i].Length(), 1, 1e-6);
  }
}
#endif

#ifdef SCREE_VALIDATE_GLB
TEST_F(MeshCommand, GlbInTheKhronosValidator) {
  if (!can_write("a.glb")) GTEST_SKIP() << "built without tinygltf";
  generate("land.tif", "300x230");
  mesh({"land.tif", "-o", "relief.glb"});
  mesh({"land.tif", "-o", "plain.glb", "--colour", "none", "--level", "1"});
  mesh({"land.tif", "-o", "view.glb", "--colour", "slope", "--view", "0,0"});
  mesh({"land.tif", "-o", "land.glb", "--levels", "3"});
  const std::string found = path("found.txt").string();
  std::string command = SCREE_VALIDATE_GLB;
  for (const std::string& file : files())
    if (file.ends_with(".glb")) command.append(" ").append(path(file).string());
  EXPECT_EQ(std::system((command + " > " + found + " 2>&1").c_str()), 0) << read("found.txt");
  EXPECT_TRUE(contains(read("found.txt"), "relief.glb: 136942 triangles")) << read("found.txt");
  // It must be able to say no.
  std::string broken = read("relief.glb");
  broken[broken.size() - 1] = '\x7f';
  write("relief.glb", broken);
  EXPECT_NE(std::system((command + " > " + found + " 2>&1").c_str()), 0);
}
#endif

}  // namespace
}  // namespace scree::testing
