// The only file that knows tinygltf. Binary glTF 2.0: one buffer, and a mesh and a node a level.
#include <tiny_gltf.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <ostream>
#include <streambuf>

#include "base/error.h"
#include "io/mesh_codec.h"

namespace scree::io::codec {
namespace {

// The last 16-bit index is none: glTF keeps it for restarting strips.
constexpr std::size_t most_short_vertices = 65535;

// glTF has y up: what was north points away from whoever looks along -z. 0 - y, so that 0 stays 0.
Mesh::Vector y_up(const Mesh::Vector& v) { return {v[0], v[2], 0.0F - v[1]}; }

// glTF wants linear colours; 16 bits hold what 8 bits of sRGB tell apart. x^2.4 is the twelfth
// power of the fifth root, by Newton's method, since libm's pow differs between versions.
std::uint16_t linear_of(std::uint8_t sample) {
  const double srgb = sample / 255.0;
  double linear = srgb / 12.92;
  if (srgb > 0.04045) {
    const double x = (srgb + 0.055) / 1.055;
    double root = 1;
    for (int i = 0; i < 32; ++i) {
      const double fourth = root * root * root * root;
      root -= (fourth * root - x) / (5 * fourth);
    }
    const double third = root * root * root;
    linear = third * third * third * third;
  }
  return static_cast<std::uint16_t>(std::lround(linear * 65535));
}

std::array<std::uint16_t, 256> linear_table() {
  std::array<std::uint16_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = linear_of(static_cast<std::uint8_t>(i));
  return table;
}

// Collects the views of the one buffer.
class Contents {
 public:
  explicit Contents(tinygltf::Model& model) : model_(model) { model_.buffers.resize(1); }

  void reserve(std::size_t bytes) { bytes_().reserve(bytes); }
  void u16(std::uint16_t value) {
    bytes_().push_back(static_cast<unsigned char>(value & 0xff));
    bytes_().push_back(static_cast<unsigned char>(value >> 8));
  }
  void u32(std::uint32_t value) {
    const unsigned char four[4] = {
        static_cast<unsigned char>(value & 0xff), static_cast<unsigned char>(value >> 8 & 0xff),
        static_cast<unsigned char>(value >> 16 & 0xff), static_cast<unsigned char>(value >> 24)};
    bytes_().insert(bytes_().end(), four, four + 4);
  }
  void vector(const Mesh::Vector& v) {
    for (const float value : v) u32(std::bit_cast<std::uint32_t>(value));
  }

  // What was added since the last call becomes a view and the accessor that is returned.
  tinygltf::Accessor& accessor(int target, int component, int type, std::size_t count) {
    tinygltf::BufferView view;
    view.buffer = 0;
    view.byteOffset = begin_;
    view.byteLength = bytes_().size() - begin_;
    view.target = target;
    model_.bufferViews.push_back(view);
    bytes_().resize((bytes_().size() + 3) / 4 * 4);
    begin_ = bytes_().size();
    tinygltf::Accessor accessor;
    accessor.bufferView = static_cast<int>(model_.bufferViews.size()) - 1;
    accessor.componentType = component;
    accessor.type = type;
    accessor.count = count;
    model_.accessors.push_back(accessor);
    return model_.accessors.back();
  }
  int last() const { return static_cast<int>(model_.accessors.size()) - 1; }

 private:
  std::vector<unsigned char>& bytes_() { return model_.buffers[0].data; }

  tinygltf::Model& model_;
  std::size_t begin_ = 0;
};

int add_vectors(Contents& contents, const std::vector<Mesh::Vector>& vectors, bool bounds) {
  std::vector<double> low(3, std::numeric_limits<double>::infinity()), high(3, -low[0]);
  for (const Mesh::Vector& vector : vectors) {
    const Mesh::Vector turned = y_up(vector);
    contents.vector(turned);
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], static_cast<double>(turned[i]));
      high[i] = std::max(high[i], static_cast<double>(turned[i]));
    }
  }
  tinygltf::Accessor& accessor =
      contents.accessor(TINYGLTF_TARGET_ARRAY_BUFFER, TINYGLTF_COMPONENT_TYPE_FLOAT,
                        TINYGLTF_TYPE_VEC3, vectors.size());
  if (bounds) {
    accessor.minValues = low;
    accessor.maxValues = high;
  }
  return contents.last();
}

int add_colours(Contents& contents, const std::vector<Mesh::Colour>& colours) {
  static const std::array<std::uint16_t, 256> linear = linear_table();
  for (const Mesh::Colour& colour : colours) {
    for (std::size_t i = 0; i < 3; ++i) contents.u16(linear[colour[i]]);
    contents.u16(static_cast<std::uint16_t>(colour[3] * 257));
  }
  contents
      .accessor(TINYGLTF_TARGET_ARRAY_BUFFER, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT,
                TINYGLTF_TYPE_VEC4, colours.size())
      .normalized = true;
  return contents.last();
}

int add_indices(Contents& contents, const Mesh& mesh) {
  const bool is_short = mesh.positions.size() <= most_short_vertices;
  for (const Mesh::Triangle& triangle : mesh.triangles)
    for (const std::uint32_t index : triangle)
      is_short ? contents.u16(static_cast<std::uint16_t>(index)) : contents.u32(index);
  contents.accessor(
      TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER,
      is_short ? TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT : TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT,
      TINYGLTF_TYPE_SCALAR, 3 * mesh.triangles.size());
  return contents.last();
}

bool is_opaque(const Mesh& mesh) {
  return std::all_of(mesh.colours.begin(), mesh.colours.end(),
                     [](const Mesh::Colour& colour) { return colour[3] == 255; });
}

// Ground is no metal, which is what glTF takes it for unless told.
tinygltf::Material material_of(std::span<const Mesh> levels) {
  tinygltf::Material material;
  material.name = "ground";
  material.pbrMetallicRoughness.metallicFactor = 0;
  if (!std::all_of(levels.begin(), levels.end(), is_opaque)) material.alphaMode = "BLEND";
  return material;
}

// At most; the table of contents before it is small.
std::size_t buffer_bytes(std::span<const Mesh> levels) {
  std::size_t bytes = 0;
  for (const Mesh& mesh : levels)
    bytes += 12 * (mesh.positions.size() + mesh.normals.size()) + 8 * mesh.colours.size() +
             12 * mesh.triangles.size();
  return bytes;
}

tinygltf::Primitive add_primitive(Contents& contents, const Mesh& mesh) {
  tinygltf::Primitive primitive;
  primitive.mode = TINYGLTF_MODE_TRIANGLES;
  primitive.material = 0;
  primitive.attributes["POSITION"] = add_vectors(contents, mesh.positions, true);
  if (!mesh.normals.empty())
    primitive.attributes["NORMAL"] = add_vectors(contents, mesh.normals, false);
  if (!mesh.colours.empty()) primitive.attributes["COLOR_0"] = add_colours(contents, mesh.colours);
  primitive.indices = add_indices(contents, mesh);
  return primitive;
}

// The first node stands for all. A level is shown from the share of the screen on that stands at
// its place: each at half that of the one before, the last however small it is.
void link_levels(tinygltf::Model& model) {
  if (model.nodes.size() < 2) return;
  tinygltf::Value::Array ids, coverage;
  for (int i = 1; i < static_cast<int>(model.nodes.size()); ++i) {
    ids.emplace_back(i);
    coverage.emplace_back(std::ldexp(1.0, -i));
  }
  coverage.emplace_back(0.0);
  tinygltf::Node& first = model.nodes[0];
  first.extensions["MSFT_lod"] =
      tinygltf::Value(tinygltf::Value::Object{{"ids", tinygltf::Value(ids)}});
  first.extras =
      tinygltf::Value(tinygltf::Value::Object{{"MSFT_screencoverage", tinygltf::Value(coverage)}});
  model.extensionsUsed = {"MSFT_lod"};
}

// Engines call what they import after the mesh. Anything but ASCII may be no UTF-8.
std::string name_of(const std::filesystem::path& path) {
  std::string name = path.stem().string();
  const bool plain =
      std::all_of(name.begin(), name.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  return plain ? name : "terrain";
}

tinygltf::Model model_of(const std::string& name, std::span<const Mesh> levels) {
  tinygltf::Model model;
  Contents contents(model);
  contents.reserve(buffer_bytes(levels));
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::string own = levels.size() == 1 ? name : text(name, "_LOD", i);
    tinygltf::Mesh& mesh = model.meshes.emplace_back();
    mesh.name = own;
    mesh.primitives = {add_primitive(contents, levels[i])};
    tinygltf::Node& node = model.nodes.emplace_back();
    node.name = own;
    node.mesh = static_cast<int>(i);
  }
  link_levels(model);
  model.materials = {material_of(levels)};
  model.scenes.resize(1);
  model.scenes[0].nodes = {0};
  model.defaultScene = 0;
  model.asset.version = "2.0";
  model.asset.generator = "scree";
  return model;
}

// What tinygltf writes goes to the file; it looks at no errors, but AtomicFile keeps the first.
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(AtomicFile& file) : file_(file) {}

 protected:
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    file_.write(bytes, static_cast<std::size_t>(count));
    return count;
  }
  int_type overflow(int_type byte) override {
    const char one = traits_type::to_char_type(byte);
    return xsputn(&one, 1) == 1 ? byte : traits_type::eof();
  }

 private:
  AtomicFile& file_;
};

}  // namespace

bool have_glb() { return true; }

void write_glb(const std::filesystem::path& path, std::span<const Mesh> levels) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() - (1 << 16);
  if (buffer_bytes(levels) > most)
    throw Error(text(path.string(), ": GLB holds at most 4 GiB, this mesh needs ",
                     buffer_bytes(levels) >> 20, " MiB: take fewer triangles, or .ply"));
  const tinygltf::Model model = model_of(name_of(path), levels);
  AtomicFile file(path);
  FileBuffer buffer(file);
  std::ostream stream(&buffer);
  tinygltf::TinyGLTF writer;
  if (!writer.WriteGltfSceneToStream(&model, stream, false, true) || !stream) {
    file.rethrow_failure();
    throw Error(text(path.string(), ": cannot be written: tinygltf gave up"));
  }
  file.commit();
}

}  // namespace scree::io::codec
