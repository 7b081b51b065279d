// The files as someone else's reader sees them. Not PLY: assimp 5.2 mixes up binary PLY with
// colours.
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>

#include "io/mesh/mesh_test.h"

namespace scree::io {
namespace {

using testing::patch;
using testing::TemporaryFolder;

Mesh::Vector plain(const aiVector3D& v) { return {v.x, v.y, v.z}; }

// Every corner of every triangle, in the order of the file, since readers may split vertices.
struct Corners {
  std::size_t vertices = 0;
  std::vector<Mesh::Vector> positions, normals;
  std::vector<std::array<float, 4>> colours;
};

Corners corners_of(const aiMesh& mesh) {
  Corners corners;
  corners.vertices = mesh.mNumVertices;
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    EXPECT_EQ(mesh.mFaces[f].mNumIndices, 3U);
    for (unsigned k = 0; k < 3; ++k) {
      const unsigned i = mesh.mFaces[f].mIndices[k];
      corners.positions.push_back(plain(mesh.mVertices[i]));
      if (mesh.HasNormals()) corners.normals.push_back(plain(mesh.mNormals[i]));
      if (!mesh.HasVertexColors(0)) continue;
      const aiColor4D& c = mesh.mColors[0][i];
      corners.colours.push_back({c.r, c.g, c.b, c.a});
    }
  }
  return corners;
}

// A mesh that was written, as assimp has it.
Corners read_back(const Mesh& mesh, const std::string& ending) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / ("a" + ending);
  write_mesh(path, mesh);
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(path, aiProcess_ValidateDataStructure);
  if (scene == nullptr || scene->mNumMeshes != 1) {
    ADD_FAILURE() << path << ": " << importer.GetErrorString();
    return {};
  }
  EXPECT_EQ(scene->mFlags & AI_SCENE_FLAGS_VALIDATION_WARNING, 0U);
  return corners_of(*scene->mMeshes[0]);
}

// turn: what the format did to directions.
template <class Turn>
void expect_mesh(const Mesh& mesh, const Corners& corners, Turn turn) {
  ASSERT_EQ(corners.positions.size(), 3 * mesh.triangles.size());
  for (std::size_t i = 0; i < corners.positions.size(); ++i) {
    const std::uint32_t index = mesh.triangles[i / 3][i % 3];
    ASSERT_EQ(corners.positions[i], turn(mesh.positions[index])) << i;
    if (corners.normals.empty()) continue;
    ASSERT_EQ(corners.normals[i], turn(mesh.normals[index])) << i;
  }
}

Mesh::Vector as_it_is(const Mesh::Vector& v) { return v; }
Mesh::Vector y_up(const Mesh::Vector& v) { return {v[0], v[2], 0.0F - v[1]}; }

TEST(MeshAssimp, Stl) {
  const Mesh mesh = patch(40);
  Corners corners = read_back(mesh, ".stl");
  corners.normals.clear();  // of faces, not of vertices
  expect_mesh(mesh, corners, as_it_is);
}

TEST(MeshAssimp, Obj) {
  const Mesh mesh = patch(40);
  const Corners corners = read_back(mesh, ".obj");
  ASSERT_EQ(corners.positions.size(), 3 * mesh.triangles.size());
  ASSERT_EQ(corners.colours.size(), corners.positions.size());
  ASSERT_EQ(corners.normals.size(), corners.positions.size());
  // assimp reads decimals by a quick way of its own, which is not the nearest float.
  for (std::size_t i = 0; i < corners.positions.size(); ++i) {
    const std::uint32_t index = mesh.triangles[i / 3][i % 3];
    for (std::size_t k = 0; k < 3; ++k) {
      const float position = mesh.positions[index][k];
      ASSERT_NEAR(corners.positions[i][k], position, 1e-6F * (1 + std::abs(position)));
      ASSERT_NEAR(corners.normals[i][k], mesh.normals[index][k], 1e-6);
      ASSERT_NEAR(corners.colours[i][k] * 255, mesh.colours[index][k], 1e-3);
    }
  }
}

TEST(MeshAssimp, Glb) {
  try {
    check_mesh_name("a.glb");
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  // The second has indices of 32 bits.
  for (const std::uint32_t side : {40U, 260U}) {
    const Mesh mesh = patch(side);
    const Corners corners = read_back(mesh, ".glb");
    EXPECT_EQ(corners.vertices, mesh.positions.size());
    ASSERT_EQ(corners.normals.size(), corners.positions.size());
    expect_mesh(mesh, corners, y_up);
    ASSERT_EQ(corners.colours.size(), corners.positions.size());
    for (std::size_t i = 0; i < corners.colours.size(); ++i) {
      const Mesh::Colour& colour = mesh.colours[mesh.triangles[i / 3][i % 3]];
      ASSERT_EQ(corners.colours[i][3], 1.0F);
      ASSERT_EQ(colour[1] == 255, corners.colours[i][1] == 1.0F);
      ASSERT_EQ(colour[1] == 0, corners.colours[i][1] == 0.0F);
    }
  }
}

}  // namespace
}  // namespace scree::io
