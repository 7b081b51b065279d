// Every format read back by a small reader that knows it from its description alone.
#include "io/mesh/mesh_test.h"

#include <cstdio>
#include <sstream>

namespace scree::io {
namespace {

using testing::Bytes;
using testing::error_of;
using testing::expect_line;
using testing::get;
using testing::patch;
using testing::read_ply;
using testing::TemporaryFolder;
using testing::writable_mesh_endings;

Mesh read_obj(const std::filesystem::path& path) {
  Mesh mesh;
  std::istringstream file(get(path));
  std::string line, word;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    words >> word;
    Mesh::Vector v{}, colour{};
    if (word == "v") {
      words >> v[0] >> v[1] >> v[2];
      mesh.positions.push_back(v);
      if (!(words >> colour[0] >> colour[1] >> colour[2])) continue;
      Mesh::Colour bytes{0, 0, 0, 255};
      for (std::size_t i = 0; i < 3; ++i)
        bytes[i] = static_cast<std::uint8_t>(std::lround(colour[i] * 255));
      mesh.colours.push_back(bytes);
    } else if (word == "vn") {
      words >> v[0] >> v[1] >> v[2];
      mesh.normals.push_back(v);
    } else if (word == "f") {
      Mesh::Triangle triangle{};
      for (std::uint32_t& index : triangle) {
        unsigned long position = 0, normal = 0;
        words >> word;
        const int parts = std::sscanf(word.c_str(), "%lu//%lu", &position, &normal);
        EXPECT_EQ(parts, mesh.normals.empty() ? 1 : 2) << line;
        EXPECT_TRUE(parts == 1 || position == normal) << line;
        index = static_cast<std::uint32_t>(position - 1);
      }
      mesh.triangles.push_back(triangle);
    } else {
      EXPECT_EQ(word, "#") << line;
    }
  }
  return mesh;
}

void expect_same(const Mesh& a, const Mesh& b) {
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.normals, b.normals);
  EXPECT_EQ(a.colours, b.colours);
  EXPECT_EQ(a.triangles, b.triangles);
}

// With and without what is optional.
std::vector<Mesh> variants() {
  std::vector<Mesh> meshes(4, patch(19));
  meshes[1].colours.clear();
  meshes[2].normals.clear();
  meshes[3].colours.clear();
  meshes[3].normals.clear();
  return meshes;
}

TEST(Mesh, ObjReadsBackToTheBit) {
  const TemporaryFolder folder;
  for (const Mesh& mesh : variants()) {
    write_mesh(folder / "a.obj", mesh);
    expect_same(read_obj(folder / "a.obj"), mesh);
  }
}

TEST(Mesh, PlyReadsBackToTheBit) {
  const TemporaryFolder folder;
  for (const Mesh& mesh : variants()) {
    write_mesh(folder / "a.ply", mesh);
    expect_same(read_ply(folder / "a.ply"), mesh);
  }
}

TEST(Mesh, StlHoldsEveryTriangleWithItsNormal) {
  const TemporaryFolder folder;
  const Mesh mesh = patch(19);
  write_mesh(folder / "a.stl", mesh);
  Bytes bytes(get(folder / "a.stl"));
  EXPECT_NE(bytes.take(80).substr(0, 5), "solid");
  ASSERT_EQ(bytes.number(4), mesh.triangles.size());
  for (const Mesh::Triangle& triangle : mesh.triangles) {
    const Mesh::Vector normal = bytes.vector();
    float length = 0;
    for (const float part : normal) length += part * part;
    EXPECT_NEAR(length, 1, 1e-6);
    EXPECT_GT(normal[2], 0) << "the patch is seen from above";
    Mesh::Vector corner[3];
    for (std::size_t i = 0; i < 3; ++i) {
      corner[i] = bytes.vector();
      EXPECT_EQ(corner[i], mesh.positions[triangle[i]]);
    }
    for (int side = 1; side < 3; ++side) {
      double along = 0, size = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double edge = static_cast<double>(corner[side][i]) - corner[0][i];
        along += edge * normal[i];
        size += edge * edge;
      }
      EXPECT_NEAR(along / std::sqrt(size), 0, 1e-6);
    }
    EXPECT_EQ(bytes.number(2), 0U);
  }
  EXPECT_TRUE(bytes.ended());
}

TEST(Mesh, StlTriangleWithoutAreaHasNoNormal) {
  const TemporaryFolder folder;
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {3e38F, 0, 0}, {-3e38F, 0, 0}};
  mesh.triangles = {{0, 1, 2}, {1, 1, 1}};
  write_mesh(folder / "a.stl", mesh);
  Bytes bytes(get(folder / "a.stl"));
  bytes.take(84);
  EXPECT_EQ(bytes.vector(), (Mesh::Vector{0, 0, 0}));
  bytes.take(38);
  EXPECT_EQ(bytes.vector(), (Mesh::Vector{0, 0, 0}));
}

// More than one piece of the writer, and equal bytes twice.
TEST(Mesh, LargeMeshesAreWhole) {
  const TemporaryFolder folder;
  const Mesh mesh = patch(200);
  write_mesh(folder / "a.ply", mesh);
  write_mesh(folder / "b.PLY", mesh);
  expect_same(read_ply(folder / "a.ply"), mesh);
  EXPECT_EQ(get(folder / "a.ply"), get(folder / "b.PLY"));
  write_mesh(folder / "a.obj", mesh);
  expect_same(read_obj(folder / "a.obj"), mesh);
}

// One line, and what was there before stays.
void expect_refused(const Mesh& mesh, const std::string& part) {
  const TemporaryFolder folder;
  for (const std::string& ending : writable_mesh_endings()) {
    const std::filesystem::path path = folder / ("a" + ending);
    testing::put(path, "precious");
    expect_line(error_of([&] { write_mesh(path, mesh); }), path, part);
    EXPECT_EQ(get(path), "precious");
  }
  EXPECT_EQ(folder.count(), writable_mesh_endings().size());
}

TEST(Mesh, RefusesWhatIsNoMesh) {
  Mesh mesh = patch(4);
  mesh.positions[7][1] = testing::nan_height;
  expect_refused(mesh, "position of vertex 8: expected finite numbers, found 0.9, nan");
  mesh = patch(4);
  mesh.normals[3][2] = std::numeric_limits<float>::infinity();
  expect_refused(mesh, "normal of vertex 4: expected finite numbers");
  mesh = patch(4);
  mesh.triangles[5][1] = 16;
  expect_refused(mesh, "triangle 6: expected vertices ");
  const TemporaryFolder folder;
  for (const auto& [name, numbers] :
       {std::pair{"a.obj", "1 to 16, found 17"}, std::pair{"a.ply", "0 to 15, found 16"}}) {
    const std::filesystem::path file = folder / name;
    expect_line(error_of([&] { write_mesh(file, mesh); }), file, numbers);
  }
  mesh = patch(4);
  mesh.normals.pop_back();
  expect_refused(mesh, "expected none or 16 normals, one a vertex, found 15");
  mesh = patch(4);
  mesh.colours.resize(17);
  expect_refused(mesh, "expected none or 16 colours, one a vertex, found 17");
  mesh = patch(4);
  mesh.triangles.clear();
  expect_refused(mesh, "at least one triangle");
}

TEST(Mesh, RefusesNamesAndPlacesItCannotWrite) {
  const TemporaryFolder folder;
  const Mesh mesh = patch(4);
  for (const char* name : {"a.fbx", "a", "a.obj.gz", ".obj"})
    expect_line(error_of([&] { write_mesh(folder / name, mesh); }), folder / name,
                ".obj, .ply, .stl or .glb");
  EXPECT_THROW(check_mesh_name("a.fbx"), UsageError);
  for (const std::string& ending : writable_mesh_endings()) {
    const std::filesystem::path path = folder / ("nowhere/a" + ending);
    expect_line(error_of([&] { write_mesh(path, mesh); }), path, "cannot be written");
    std::filesystem::create_directory(folder / ("folder" + ending));
    expect_line(error_of([&] { write_mesh(folder / ("folder" + ending), mesh); }),
                "folder" + ending, "it is a folder");
  }
}

}  // namespace
}  // namespace scree::io
