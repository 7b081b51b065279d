// `scree mesh` from everything that has heights, into everything that holds triangles.
#include "io/mesh.h"

#include <cmath>

#include "base/error.h"
#include "io/npy.h"
#include "io/raster.h"
#include "program.h"

#ifdef SCREE_WITH_ASSIMP
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#endif

namespace scree::testing {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool can_write(const std::string& file) {
  try {
    io::check_mesh_name(file);
    return true;
  } catch (const Error&) {
    return false;
  }
}

class MeshCommand : public Cli {
 protected:
  Json mesh(const Words& more) const {
    Words words = {"mesh", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = scree(words);
    expect_success(outcome);
    const Json answer = outcome.json();
    EXPECT_EQ(answer.value("bytes", std::uintmax_t{0}),
              fs::file_size(path(answer.value("file", "nothing"))));
    return answer;
  }
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
  const io::Raster raster = io::read_raster(data_file("jacksboro_coast.tif"));
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

  // A checkpoint holds the bed of its step; the report says how large the cells are.
  expect_success(scree({"run", "a.toml", "--steps", "2", "--out", "two"}));
  mesh({"two/height.tif", "-o", "two.ply"});
  mesh({"out/a/checkpoint-2.scree", "-o", "checkpoint.ply"});
  EXPECT_EQ(read("checkpoint.ply"), read("two.ply"));

  // A run that was stopped has left no report.
  fs::remove(path("out/a/report.json"));
  expect_failure(scree({"mesh", "out/a", "-o", "b.ply"}), 2, {"checkpoint-2.scree", "--cell"});
  const Json stopped = mesh({"out/a", "-o", "stopped.ply", "--cell", "10"});
  EXPECT_EQ(stopped["source"], "out/a/checkpoint-2.scree");
  EXPECT_EQ(read("stopped.ply"), read("two.ply"));

  // A broken one is passed over, with a line that says so.
  write("out/a/checkpoint-9.scree", "broken");
  const Outcome older = scree({"mesh", "out/a", "-o", "older.ply", "--cell", "10"});
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

#ifdef SCREE_WITH_ASSIMP
// What another program sees: the terrain, y up, where the raster says.
TEST_F(MeshCommand, GlbInAnIndependentReader) {
  if (!can_write("a.glb")) GTEST_SKIP() << "built without tinygltf";
  generate("land.tif", "300x230");
  mesh({"land.tif", "-o", "land.glb"});
  const io::Raster raster = io::read_raster(path("land.tif"));
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

}  // namespace
}  // namespace scree::testing
