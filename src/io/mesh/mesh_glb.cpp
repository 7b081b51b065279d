// The only file that knows tinygltf. Binary glTF 2.0: one buffer, and a mesh and a node a level.
#include <tiny_gltf.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <ostream>
#include <streambuf>

#include "base/error.h"
#include "io/mesh/mesh_codec.h"

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

// ---- reading

namespace {

// Columns first, as glTF has them.
using Matrix = std::array<double, 16>;

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t column = 0; column < 4; ++column)
    for (std::size_t row = 0; row < 4; ++row)
      for (std::size_t k = 0; k < 4; ++k) c[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
  return c;
}

Matrix placed(const tinygltf::Node& node) {
  Matrix m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  if (node.matrix.size() == 16) {
    std::copy(node.matrix.begin(), node.matrix.end(), m.begin());
    return m;
  }
  if (node.rotation.size() == 4) {
    const double x = node.rotation[0], y = node.rotation[1], z = node.rotation[2],
                 w = node.rotation[3];
    m[0] = 1 - 2 * (y * y + z * z), m[1] = 2 * (x * y + z * w), m[2] = 2 * (x * z - y * w);
    m[4] = 2 * (x * y - z * w), m[5] = 1 - 2 * (x * x + z * z), m[6] = 2 * (y * z + x * w);
    m[8] = 2 * (x * z + y * w), m[9] = 2 * (y * z - x * w), m[10] = 1 - 2 * (x * x + y * y);
  }
  if (node.scale.size() == 3)
    for (std::size_t i = 0; i < 12; ++i) m[i] *= node.scale[i / 4];
  if (node.translation.size() == 3)
    std::copy(node.translation.begin(), node.translation.end(), m.begin() + 12);
  return m;
}

class GlbReader {
 public:
  GlbReader(const std::filesystem::path& path, std::string_view bytes) : path_(path) {
    tinygltf::TinyGLTF loader;
    // Pictures are no part of a shape.
    loader.SetImageLoader([](tinygltf::Image*, int, std::string*, std::string*, int, int,
                             const unsigned char*, int, void*) { return true; },
                          nullptr);
    std::string error, warning;
    if (!loader.LoadBinaryFromMemory(&model_, &error, &warning,
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<unsigned int>(bytes.size()))) {
      std::replace(error.begin(), error.end(), '\n', ' ');
      throw Error(text(path_.string(), ": expected binary glTF: ", error));
    }
  }

  Mesh mesh() {
    if (model_.scenes.empty()) fail("a scene");
    const std::size_t scene =
        model_.defaultScene < 0 ? 0 : index(model_.defaultScene, model_.scenes);
    for (const int node : model_.scenes[scene].nodes)
      add_node(node, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, 0);
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw Error(text(path_.string(), ": expected ", expected));
  }
  template <class T>
  std::size_t index(int i, const std::vector<T>& all) const {
    if (i < 0 || static_cast<std::size_t>(i) >= all.size()) fail("indices that are in the file");
    return static_cast<std::size_t>(i);
  }

  void add_node(int number, const Matrix& parent, int depth) {
    if (depth > 64) fail("nodes that are no circle");
    const tinygltf::Node& node = model_.nodes[index(number, model_.nodes)];
    const Matrix place = product(parent, placed(node));
    if (node.mesh >= 0)
      for (const tinygltf::Primitive& part :
           model_.meshes[index(node.mesh, model_.meshes)].primitives)
        add_primitive(part, place);
    for (const int child : node.children) add_node(child, place, depth + 1);
  }

  void add_primitive(const tinygltf::Primitive& part, const Matrix& m) {
    const auto position = part.attributes.find("POSITION");
    if (part.mode != TINYGLTF_MODE_TRIANGLES && part.mode != -1)
      fail("triangles, not lines or strips");
    if (position == part.attributes.end()) fail("positions in every mesh");
    const auto first = static_cast<std::uint32_t>(mesh_.positions.size());
    const tinygltf::Accessor& points = accessor(position->second);
    if (points.componentType != TINYGLTF_COMPONENT_TYPE_FLOAT || points.type != TINYGLTF_TYPE_VEC3)
      fail("positions of three floats");
    for (std::size_t i = 0; i < points.count; ++i) {
      double v[3], w[3];
      for (std::size_t d = 0; d < 3; ++d)
        v[d] = static_cast<double>(std::bit_cast<float>(number(points, i, d, 4)));
      for (std::size_t d = 0; d < 3; ++d)
        w[d] = m[d] * v[0] + m[4 + d] * v[1] + m[8 + d] * v[2] + m[12 + d];
      // y up becomes z up.
      mesh_.positions.push_back(
          {static_cast<float>(w[0]), static_cast<float>(0.0 - w[2]), static_cast<float>(w[1])});
    }
    add_colours_of(part, points.count);
    add_triangles(part, first, static_cast<std::uint32_t>(points.count));
  }

  // Bytes, shorts or floats of linear light. A part without stays white beside others that have.
  void add_colours_of(const tinygltf::Primitive& part, std::size_t vertices) {
    const auto found = part.attributes.find("COLOR_0");
    if (found == part.attributes.end()) {
      if (!mesh_.colours.empty())
        mesh_.colours.resize(mesh_.positions.size(), {255, 255, 255, 255});
      return;
    }
    mesh_.colours.resize(mesh_.positions.size() - vertices, {255, 255, 255, 255});
    const tinygltf::Accessor& colours = accessor(found->second);
    const int size =
        tinygltf::GetComponentSizeInBytes(static_cast<std::uint32_t>(colours.componentType));
    const std::size_t parts = colours.type == TINYGLTF_TYPE_VEC4 ? 4 : 3;
    if (colours.count != vertices || size < 1 || size > 4) fail("a colour a vertex");
    const auto share = [&](std::size_t i, std::size_t d) {
      const std::uint32_t bits = number(colours, i, d, static_cast<std::size_t>(size));
      return size == 1   ? static_cast<double>(bits) / 255
             : size == 2 ? static_cast<double>(bits) / 65535
                         : static_cast<double>(std::bit_cast<float>(bits));
    };
    for (std::size_t i = 0; i < vertices; ++i) {
      Mesh::Colour colour{0, 0, 0, 255};
      for (std::size_t d = 0; d < parts; ++d) {
        const double linear = std::clamp(share(i, d), 0.0, 1.0);
        const double shown = d == 3                ? linear
                             : linear <= 0.0031308 ? 12.92 * linear
                                                   : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
        colour[d] = static_cast<std::uint8_t>(std::lround(255 * shown));
      }
      mesh_.colours.push_back(colour);
    }
  }

  void add_triangles(const tinygltf::Primitive& part, std::uint32_t first, std::uint32_t vertices) {
    std::vector<std::uint32_t> corners;
    if (part.indices < 0) {
      for (std::uint32_t i = 0; i < vertices; ++i) corners.push_back(i);
    } else {
      const tinygltf::Accessor& indices = accessor(part.indices);
      const int size =
          tinygltf::GetComponentSizeInBytes(static_cast<std::uint32_t>(indices.componentType));
      for (std::size_t i = 0; i < indices.count; ++i)
        corners.push_back(number(indices, i, 0, static_cast<std::size_t>(std::max(size, 1))));
    }
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
      for (std::size_t k = i; k < i + 3; ++k)
        if (corners[k] >= vertices) fail("indices of vertices that are there");
      mesh_.triangles.push_back(
          {first + corners[i], first + corners[i + 1], first + corners[i + 2]});
    }
  }

  const tinygltf::Accessor& accessor(int number) const {
    const tinygltf::Accessor& a = model_.accessors[index(number, model_.accessors)];
    if (a.sparse.isSparse || a.bufferView < 0) fail("plain accessors, not sparse ones");
    index(a.bufferView, model_.bufferViews);
    return a;
  }

  // Little-endian, `size` bytes at most four.
  std::uint32_t number(const tinygltf::Accessor& a, std::size_t element, std::size_t part,
                       std::size_t size) const {
    const tinygltf::BufferView& view = model_.bufferViews[static_cast<std::size_t>(a.bufferView)];
    const auto& bytes = model_.buffers[index(view.buffer, model_.buffers)].data;
    const int stride = a.ByteStride(view);
    if (stride <= 0) fail("accessors with a stride");
    const std::size_t at =
        view.byteOffset + a.byteOffset + element * static_cast<std::size_t>(stride) + part * size;
    if (at + size > bytes.size()) fail("numbers inside the file");
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
      value |= static_cast<std::uint32_t>(bytes[at + i]) << 8 * i;
    return value;
  }

  std::filesystem::path path_;
  tinygltf::Model model_;
  Mesh mesh_;
};

}  // namespace

Mesh read_glb(const std::filesystem::path& path, std::string_view bytes) {
  return GlbReader(path, bytes).mesh();
}

}  // namespace scree::io::codec
