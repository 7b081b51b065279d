// Binary glTF against its specification: chunks, alignment, bounds, types, axes and colours.
#include <tiny_gltf.h>

#include <cmath>
#include <cstring>

#include "io/mesh/mesh_test.h"

namespace scree::io {
namespace {

using testing::get;
using testing::patch;
using testing::TemporaryFolder;

tinygltf::Model load(const std::filesystem::path& path) {
  tinygltf::TinyGLTF loader;
  tinygltf::Model model;
  std::string errors, warnings;
  EXPECT_TRUE(loader.LoadBinaryFromFile(&model, &errors, &warnings, path)) << errors;
  EXPECT_EQ(errors + warnings, "");
  return model;
}

const tinygltf::Accessor& accessor_of(const tinygltf::Model& model, const char* attribute) {
  return model
      .accessors[static_cast<std::size_t>(model.meshes[0].primitives[0].attributes.at(attribute))];
}

const unsigned char* data_of(const tinygltf::Model& model, const tinygltf::Accessor& accessor) {
  const auto& view = model.bufferViews[static_cast<std::size_t>(accessor.bufferView)];
  EXPECT_EQ(view.byteOffset % 4, 0U);
  EXPECT_LE(view.byteOffset + view.byteLength, model.buffers[0].data.size());
  return model.buffers[0].data.data() + view.byteOffset;
}

template <class Value>
Value value_at(const unsigned char* data, std::size_t index) {
  Value value;
  std::memcpy(&value, data + index * sizeof value, sizeof value);
  return value;
}

std::uint32_t word(const std::string& bytes, std::size_t at) {
  return value_at<std::uint32_t>(reinterpret_cast<const unsigned char*>(bytes.data()) + at, 0);
}

TEST(MeshGlb, ChunksAreWholeAndAligned) {
  const TemporaryFolder folder;
  write_mesh(folder / "a.glb", patch(19));
  const std::string bytes = get(folder / "a.glb");
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(word(bytes, 4), 2U);
  EXPECT_EQ(word(bytes, 8), bytes.size());
  const std::uint32_t json = word(bytes, 12);
  EXPECT_EQ(bytes.substr(16, 4), "JSON");
  EXPECT_EQ(json % 4, 0U);
  const std::uint32_t binary = word(bytes, 20 + json);
  EXPECT_EQ(bytes.substr(24 + json, 4), std::string("BIN\0", 4));
  EXPECT_EQ(binary % 4, 0U);
  EXPECT_EQ(28 + json + binary, bytes.size());
  std::filesystem::create_directory(folder / "b");
  write_mesh(folder / "b/a.glb", patch(19));
  EXPECT_EQ(get(folder / "b/a.glb"), bytes) << "equal meshes, equal bytes";
}

TEST(MeshGlb, YIsUpAndBoundsAreExact) {
  const TemporaryFolder folder;
  const Mesh mesh = patch(19);
  write_mesh(folder / "a.glb", mesh);
  const tinygltf::Model model = load(folder / "a.glb");
  EXPECT_TRUE(model.nodes[0].matrix.empty() && model.nodes[0].rotation.empty());
  const tinygltf::Accessor &position = accessor_of(model, "POSITION"),
                           &normal = accessor_of(model, "NORMAL");
  ASSERT_EQ(position.count, mesh.positions.size());
  ASSERT_EQ(normal.count, mesh.normals.size());
  const unsigned char *p = data_of(model, position), *n = data_of(model, normal);
  std::vector<double> low(3, 1e30), high(3, -1e30);
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const auto [x, y, z] = value_at<Mesh::Vector>(p, i);
    EXPECT_EQ((Mesh::Vector{x, -z, y}), mesh.positions[i]);
    const auto [nx, ny, nz] = value_at<Mesh::Vector>(n, i);
    EXPECT_EQ((Mesh::Vector{nx, -nz, ny}), mesh.normals[i]);
    const double found[3] = {x, y, z};
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], found[k]);
      high[k] = std::max(high[k], found[k]);
    }
  }
  EXPECT_EQ(position.minValues, low);
  EXPECT_EQ(position.maxValues, high);
}

// sRGB as IEC 61966-2-1 has it; libm is good enough for a test.
double linear(double srgb) {
  return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
}

TEST(MeshGlb, ColoursAreLinear) {
  const TemporaryFolder folder;
  Mesh mesh = patch(19);
  for (std::size_t i = 0; i < mesh.colours.size(); ++i)
    mesh.colours[i][0] = static_cast<std::uint8_t>(i % 256);
  write_mesh(folder / "a.glb", mesh);
  const tinygltf::Model model = load(folder / "a.glb");
  const tinygltf::Accessor& colour = accessor_of(model, "COLOR_0");
  EXPECT_TRUE(colour.normalized);
  ASSERT_EQ(colour.componentType, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT);
  ASSERT_EQ(colour.type, TINYGLTF_TYPE_VEC4);
  const unsigned char* data = data_of(model, colour);
  for (std::size_t i = 0; i < mesh.colours.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(value_at<std::uint16_t>(data, 4 * i + k) / 65535.0,
                  linear(mesh.colours[i][k] / 255.0), 0.5001 / 65535);
    EXPECT_EQ(value_at<std::uint16_t>(data, 4 * i + 3), 65535);
  }
  EXPECT_EQ(model.materials[0].alphaMode, "OPAQUE");
  EXPECT_EQ(model.materials[0].pbrMetallicRoughness.metallicFactor, 0);
  mesh.colours[5][3] = 100;
  write_mesh(folder / "b.glb", mesh);
  EXPECT_EQ(load(folder / "b.glb").materials[0].alphaMode, "BLEND");
}

// Engines name what they import after it.
TEST(MeshGlb, IsCalledAfterItsFile) {
  const TemporaryFolder folder;
  for (const auto& [file, name] : {std::pair{"north ridge.glb", "north ridge"},
                                   {"a.b.glb", "a.b"},
                                   {"h\xc3\xb6he.glb", "terrain"},
                                   {"no \xff text.glb", "terrain"}}) {
    write_mesh(folder / file, patch(4));
    const tinygltf::Model model = load(folder / file);
    EXPECT_EQ(model.nodes.at(0).name, name);
    EXPECT_EQ(model.meshes.at(0).name, name);
    EXPECT_TRUE(model.extensionsUsed.empty());
  }
}

// The finest level is the scene; it names the others, each with triangles of its own.
TEST(MeshGlb, LevelsInOneFile) {
  const TemporaryFolder folder;
  const std::vector<Mesh> levels = {patch(300), patch(19), patch(5)};
  write_mesh_levels(folder / "land.glb", levels);
  const tinygltf::Model model = load(folder / "land.glb");
  ASSERT_EQ(model.nodes.size(), 3U);
  EXPECT_EQ(model.scenes.at(0).nodes, std::vector<int>{0});
  EXPECT_EQ(model.extensionsUsed, std::vector<std::string>{"MSFT_lod"});
  EXPECT_TRUE(model.extensionsRequired.empty());
  const tinygltf::Value& ids = model.nodes[0].extensions.at("MSFT_lod").Get("ids");
  ASSERT_EQ(ids.ArrayLen(), 2U);
  EXPECT_EQ(ids.Get(0).GetNumberAsInt(), 1);
  EXPECT_EQ(ids.Get(1).GetNumberAsInt(), 2);
  const tinygltf::Value& coverage = model.nodes[0].extras.Get("MSFT_screencoverage");
  ASSERT_EQ(coverage.ArrayLen(), 3U) << "one a level";
  EXPECT_EQ(coverage.Get(0).GetNumberAsDouble(), 0.5);
  EXPECT_EQ(coverage.Get(1).GetNumberAsDouble(), 0.25);
  EXPECT_EQ(coverage.Get(2).GetNumberAsDouble(), 0);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    EXPECT_EQ(model.nodes[i].name, "land_LOD" + std::to_string(i));
    EXPECT_TRUE(model.nodes[i].extensions.empty() || i == 0);
    const auto& mesh = model.meshes.at(static_cast<std::size_t>(model.nodes[i].mesh));
    const auto& indices =
        model.accessors.at(static_cast<std::size_t>(mesh.primitives.at(0).indices));
    EXPECT_EQ(indices.count, 3 * levels[i].triangles.size());
    EXPECT_EQ(indices.componentType, i == 0 ? TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT
                                            : TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT);
  }
}

TEST(MeshGlb, OnlyGlbHoldsLevels) {
  const TemporaryFolder folder;
  const std::vector<Mesh> levels = {patch(5), patch(4)};
  EXPECT_THROW(write_mesh_levels(folder / "a.obj", levels), UsageError);
  EXPECT_THROW(write_mesh_levels(folder / "a.glb", {}), Error);
  std::vector<Mesh> broken = levels;
  broken[1].triangles[0][0] = 99;
  EXPECT_THROW(write_mesh_levels(folder / "a.glb", broken), Error);
  EXPECT_EQ(folder.count(), 0U);
}

TEST(MeshGlb, IndicesAreAsWideAsTheyMustBe) {
  const TemporaryFolder folder;
  // 65535 and 65536 vertices: 65535 is no 16-bit index.
  for (const std::size_t spare : {0, 1}) {
    Mesh mesh = patch(255);
    mesh.colours.clear();
    mesh.normals.clear();
    while (mesh.positions.size() < 65535 + spare) mesh.positions.push_back({0, 0, 1});
    mesh.triangles.push_back({0, 1, static_cast<std::uint32_t>(mesh.positions.size() - 1)});
    write_mesh(folder / "a.glb", mesh);
    const tinygltf::Model model = load(folder / "a.glb");
    const tinygltf::Primitive& primitive = model.meshes[0].primitives[0];
    EXPECT_EQ(primitive.attributes.size(), 1U);
    const auto& indices = model.accessors[static_cast<std::size_t>(primitive.indices)];
    ASSERT_EQ(indices.componentType, spare == 0 ? TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT
                                                : TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT);
    ASSERT_EQ(indices.count, 3 * mesh.triangles.size());
    const unsigned char* data = data_of(model, indices);
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t found = spare == 0 ? value_at<std::uint16_t>(data, 3 * i + k)
                                               : value_at<std::uint32_t>(data, 3 * i + k);
        ASSERT_EQ(found, mesh.triangles[i][k]);
      }
  }
}

}  // namespace
}  // namespace scree::io
