// What is written is read back, and files of other programs are understood or refused in one line.
#include <gtest/gtest.h>

#include "io/file/atomic_file.h"
#include "io/mesh/mesh_test.h"

namespace scree::io {
namespace {

using testing::error_of;
using testing::TemporaryFolder;

Mesh read_text(const std::string& name, const std::string& content) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / name;
  write_file(path, content);
  return read_mesh(path.string());
}
std::string error_in(const std::string& name, const std::string& content) {
  return error_of([&] { read_text(name, content); });
}

TEST(MeshReading, GivesBackWhatWasWritten) {
  const Mesh mesh = testing::patch(9);
  const TemporaryFolder folder;
  for (const std::string& ending : testing::writable_mesh_endings()) {
    const std::string path = (folder.path() / ("patch" + ending)).string();
    write_mesh(path, mesh);
    const Mesh found = read_mesh(path);
    ASSERT_EQ(found.triangles.size(), mesh.triangles.size()) << ending;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t d = 0; d < 3; ++d)
          ASSERT_FLOAT_EQ(found.positions[found.triangles[i][k]][d],
                          mesh.positions[mesh.triangles[i][k]][d])
              << ending << ", triangle " << i;
  }
}

TEST(MeshReading, ColoursComeBack) {
  Mesh mesh = testing::patch(5);
  mesh.colours.clear();
  for (std::size_t i = 0; i < mesh.positions.size(); ++i)
    mesh.colours.push_back({static_cast<std::uint8_t>(i * 37), static_cast<std::uint8_t>(i * 11),
                            static_cast<std::uint8_t>(255 - i), 255});
  const TemporaryFolder folder;
  const std::vector<std::string> endings = testing::writable_mesh_endings();
  for (const std::string ending : {".ply", ".glb", ".obj"}) {
    if (std::find(endings.begin(), endings.end(), ending) == endings.end()) continue;
    const std::string path = (folder.path() / ("patch" + ending)).string();
    write_mesh(path, mesh);
    EXPECT_EQ(read_mesh(path).colours, mesh.colours) << ending;
  }
  // A weight, a colour behind it, and a remark; then a vertex without a colour, so that none has.
  write_file(folder.path() / "some.obj",
             "v 0 0 0 1 1 0 0.5 # red\nv 1 0 0 0 1 0\nv 0 1 0 1 1 1\nf 1 2 3\n");
  EXPECT_EQ(
      read_mesh((folder.path() / "some.obj").string()).colours,
      (std::vector<Mesh::Colour>{{255, 0, 128, 255}, {0, 255, 0, 255}, {255, 255, 255, 255}}));
  write_file(folder.path() / "some.obj", "v 0 0 0 1 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_TRUE(read_mesh((folder.path() / "some.obj").string()).colours.empty());
}

TEST(MeshReading, OfLevelsOnlyTheFirst) {
  const std::vector<std::string> endings = testing::writable_mesh_endings();
  if (std::find(endings.begin(), endings.end(), ".glb") == endings.end()) GTEST_SKIP();
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "levels.glb").string();
  const std::vector<Mesh> levels = {testing::patch(7), testing::patch(4)};
  write_mesh_levels(path, levels);
  EXPECT_EQ(read_mesh(path).triangles.size(), levels[0].triangles.size());
}

TEST(MeshReading, ObjOfOtherPrograms) {
  const Mesh mesh = read_text("a.obj",
                              "# made elsewhere\nmtllib a.mtl\no thing\nv 0 0 0\nv 1 0 0\r\n"
                              "v 1 1 0 0.5 0.5 0.5\nv 0 1 1e-1\nvn 0 0 1\nvt 0 0\n"
                              "f 1/1/1 2//1 3 4/1\nf -4 -3 -2\n");
  ASSERT_EQ(mesh.triangles.size(), 3U);
  EXPECT_EQ(mesh.triangles[1], (Mesh::Triangle{0, 2, 3}));
  EXPECT_EQ(mesh.triangles[2], (Mesh::Triangle{0, 1, 2}));
  EXPECT_FLOAT_EQ(mesh.positions[3][2], 0.1F);
  EXPECT_NE(error_in("a.obj", "v 0 0\n").find("line 1"), std::string::npos);
  EXPECT_NE(error_in("a.obj", "v 0 0 0\nf 1 1 2\n").find("1 to 1, found 2"), std::string::npos);
  EXPECT_NE(error_in("a.obj", "v 0 0 0\nf 1 1 x\n").find("'x'"), std::string::npos);
  EXPECT_NE(error_in("a.obj", "v 0 0 0\n").find("triangle"), std::string::npos);
  EXPECT_NE(error_in("a.obj", "v 0 0 0\nv 0 -1e13 0\nf 1 1 2\n")
                .find("vertex 2: expected numbers up to 1e+12, found 0, -1e+13"),
            std::string::npos);
}

TEST(MeshReading, PlyInTextAndOtherByteOrder) {
  const std::string head =
      "comment x\nelement vertex 3\nproperty double x\nproperty float y\nproperty short z\n"
      "property uchar red\nelement face 1\nproperty list uchar ushort vertex_index\nend_header\n";
  const Mesh text = read_text(
      "a.ply", "ply\nformat ascii 1.0\n" + head + "0 0 0 9\n2.5 0 0 9\n0 1 -3 9\n3 0 1 2\n");
  ASSERT_EQ(text.triangles.size(), 1U);
  EXPECT_EQ(text.positions[2], (Mesh::Vector{0, 1, -3}));
  std::string bytes = "ply\nformat binary_big_endian 1.0\n" + head;
  const auto add = [&](std::initializer_list<int> values) {
    for (const int value : values) bytes.push_back(static_cast<char>(value));
  };
  for (int i = 0; i < 3; ++i) {
    add({0x40, 0x04, 0, 0, 0, 0, 0, 0});  // 2.5
    add({0x3f, 0x80, 0, 0});              // 1
    add({0xff, 0xfd, 7});                 // -3, a colour
  }
  add({3, 0, 0, 0, 1, 0, 2});
  const Mesh big = read_text("a.ply", bytes);
  ASSERT_EQ(big.triangles.size(), 1U);
  EXPECT_EQ(big.positions[1], (Mesh::Vector{2.5F, 1, -3}));
  bytes.resize(bytes.size() - 3);
  EXPECT_NE(error_in("a.ply", bytes).find("end"), std::string::npos);
  EXPECT_NE(error_in("a.ply", "plyx\n").find("ply"), std::string::npos);
}

TEST(MeshReading, StlInTextAndWhatIsNone) {
  const Mesh mesh = read_text("a.stl",
                              "solid a\nfacet normal 0 0 1\n outer loop\n  vertex 0 0 0\n"
                              "  vertex 1 0 0\n  vertex 0 1 0\n endloop\nendfacet\nendsolid\n");
  ASSERT_EQ(mesh.triangles.size(), 1U);
  EXPECT_EQ(mesh.positions[1], (Mesh::Vector{1, 0, 0}));
  EXPECT_NE(error_in("a.stl", "garbage").find("STL"), std::string::npos);
  EXPECT_NE(error_in("a.glb", "garbage").find("a.glb"), std::string::npos);
  EXPECT_NE(error_in("a.fbx", "garbage").find(".obj"), std::string::npos);
}

}  // namespace
}  // namespace scree::io
