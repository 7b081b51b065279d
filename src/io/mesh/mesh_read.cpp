// The shapes of meshes from files: positions, triangles and colours, nothing else. Larger faces
// become fans of triangles.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/progress.h"
#include "io/mesh/mesh_codec.h"

namespace scree::io::codec {
namespace {

constexpr std::string_view blanks = " \t\r";

// Words of a text, line by line.
class Words {
 public:
  Words(const std::filesystem::path& path, std::string_view characters)
      : path_(path), left_(characters) {}

  // False at the end.
  bool next_line() {
    if (left_.empty()) return false;
    const std::size_t end = std::min(left_.find('\n'), left_.size());
    line_ = left_.substr(0, end);
    left_.remove_prefix(std::min(end + 1, left_.size()));
    if (++number_ % 65536 == 0) stop_if_cancelled();
    return true;
  }
  // Empty at the end of the line.
  std::string_view word() {
    line_.remove_prefix(std::min(line_.find_first_not_of(blanks), line_.size()));
    const std::string_view found = line_.substr(0, line_.find_first_of(blanks));
    line_.remove_prefix(found.size());
    return found;
  }
  bool at_end() {
    line_.remove_prefix(std::min(line_.find_first_not_of(blanks), line_.size()));
    return line_.empty() || line_.front() == '#';
  }
  template <class T>
  T number() {
    const std::string_view found = word();
    T value{};
    const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
    if (error != std::errc{} || end != found.data() + found.size()) fail("a number", found);
    return value;
  }
  Mesh::Vector vector() {
    const auto x = number<float>(), y = number<float>(), z = number<float>();
    return {x, y, z};
  }
  [[noreturn]] void fail(const std::string& expected, std::string_view found) const {
    throw Error(text(path_.string(), ": line ", number_, ": expected ", expected, ", found '",
                     std::string(found.substr(0, 40)), "'"));
  }
  std::string_view rest() const { return left_; }

 private:
  std::filesystem::path path_;
  std::string_view left_, line_;
  long number_ = 0;
};

void add_fan(Mesh& mesh, const std::vector<std::uint32_t>& corners) {
  for (std::size_t i = 2; i < corners.size(); ++i)
    mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

// "7", "7/1", "7//2": from 1 on, or back from the last vertex.
std::uint32_t obj_corner(const Words& words, std::string_view word, std::size_t vertices) {
  long long index = 0;
  const char* end = word.data() + std::min(word.find('/'), word.size());
  const auto [stop, error] = std::from_chars(word.data(), end, index);
  const long long from_zero = index < 0 ? static_cast<long long>(vertices) + index : index - 1;
  if (error != std::errc{} || stop != end || index == 0 || from_zero < 0 ||
      from_zero >= std::numeric_limits<std::uint32_t>::max())
    words.fail("the number of a vertex", word);
  return static_cast<std::uint32_t>(from_zero);
}

// ---- PLY

struct PlyProperty {
  std::string name, type, count_type;  // count_type: of a list, else empty
};
struct PlyElement {
  std::string name;
  std::size_t count = 0;
  std::vector<PlyProperty> properties;
};

std::size_t ply_bytes(const std::string& type) {
  if (type == "char" || type == "uchar" || type == "int8" || type == "uint8") return 1;
  if (type == "short" || type == "ushort" || type == "int16" || type == "uint16") return 2;
  if (type == "int" || type == "uint" || type == "int32" || type == "uint32") return 4;
  if (type == "float" || type == "float32") return 4;
  if (type == "double" || type == "float64") return 8;
  return 0;
}

template <class T>
double number_in(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

// Red, green, blue, opacity; 4: none of these.
std::size_t ply_channel(const std::string& property) {
  constexpr std::string_view names[] = {"red", "green", "blue", "alpha"};
  return static_cast<std::size_t>(std::find(std::begin(names), std::end(names), property) -
                                  std::begin(names));
}

class PlyFile {
 public:
  PlyFile(const std::filesystem::path& path, std::string_view bytes)
      : path_(path), words_(path, bytes) {
    read_header();
    bytes_ = words_.rest();
  }

  Mesh mesh() {
    Mesh mesh;
    for (const PlyElement& element : elements_)
      for (std::size_t i = 0; i < element.count; ++i) {
        if (format_ == "ascii" && !words_.next_line()) ends_early();
        if (i % 65536 == 0) stop_if_cancelled();
        read_element(element, mesh);
      }
    return mesh;
  }

 private:
  void read_header() {
    if (!words_.next_line() || words_.word() != "ply") words_.fail("ply", "");
    for (std::string_view key; key != "end_header";) {
      if (!words_.next_line()) words_.fail("end_header", "the end of the file");
      key = words_.word();
      if (key == "format") format_ = words_.word();
      if (key == "element") {
        elements_.push_back({std::string(words_.word()), 0, {}});
        elements_.back().count = words_.number<std::size_t>();
      }
      if (key == "property") read_property();
    }
    if (format_ != "ascii" && format_ != "binary_little_endian" && format_ != "binary_big_endian")
      words_.fail("a format that is ascii or binary", format_);
  }

  void read_property() {
    if (elements_.empty()) words_.fail("an element before its properties", "property");
    PlyProperty property;
    property.type = words_.word();
    if (property.type == "list") {
      property.count_type = words_.word();
      property.type = words_.word();
      if (ply_bytes(property.count_type) == 0) words_.fail("a type", property.count_type);
    }
    if (ply_bytes(property.type) == 0) words_.fail("a type", property.type);
    property.name = words_.word();
    elements_.back().properties.push_back(property);
  }

  void read_element(const PlyElement& element, Mesh& mesh) {
    Mesh::Vector position{};
    Mesh::Colour colour{0, 0, 0, 255};
    bool coloured = false;
    for (const PlyProperty& property : element.properties) {
      const bool list = !property.count_type.empty();
      const double count = list ? number(property.count_type) : 1;
      if (!(count >= 0 && count <= 1e6))
        throw Error(text(path_.string(), ": expected a face's corners, found ", count));
      std::vector<std::uint32_t> corners;
      for (int i = 0; i < static_cast<int>(count); ++i) {
        const double value = number(property.type);
        if (element.name == "vertex" && property.name.size() == 1 && property.name[0] >= 'x' &&
            property.name[0] <= 'z')
          position[static_cast<std::size_t>(property.name[0] - 'x')] = static_cast<float>(value);
        const std::size_t channel = ply_channel(property.name);
        if (element.name == "vertex" && channel < 4 && ply_bytes(property.type) == 1) {
          colour[channel] = static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
          coloured = true;
        }
        if (!list || element.name != "face") continue;
        if (!(value >= 0 && value < 4294967295.0))
          throw Error(text(path_.string(), ": expected the number of a vertex, found ", value));
        corners.push_back(static_cast<std::uint32_t>(value));
      }
      if (element.name == "face" &&
          (property.name == "vertex_indices" || property.name == "vertex_index"))
        add_fan(mesh, corners);
    }
    if (element.name == "vertex") mesh.positions.push_back(position);
    if (coloured) mesh.colours.push_back(colour);
  }

  double number(const std::string& type) {
    if (format_ == "ascii") return words_.number<double>();
    const std::size_t size = ply_bytes(type);
    if (bytes_.size() < size) ends_early();
    char taken[8];
    std::memcpy(taken, bytes_.data(), size);
    bytes_.remove_prefix(size);
    if ((format_ == "binary_big_endian") == (std::endian::native == std::endian::little))
      std::reverse(taken, taken + size);
    if (type == "double" || type == "float64") return number_in<double>(taken);
    if (type[0] == 'f') return number_in<float>(taken);
    const bool is_unsigned = type[0] == 'u';
    if (size == 1)
      return is_unsigned ? number_in<std::uint8_t>(taken) : number_in<std::int8_t>(taken);
    if (size == 2)
      return is_unsigned ? number_in<std::uint16_t>(taken) : number_in<std::int16_t>(taken);
    return is_unsigned ? number_in<std::uint32_t>(taken) : number_in<std::int32_t>(taken);
  }

  [[noreturn]] void ends_early() const {
    throw Error(text(path_.string(), ": expected more vertices or faces, found the file's end"));
  }

  std::filesystem::path path_;
  Words words_;
  std::string format_;
  std::vector<PlyElement> elements_;
  std::string_view bytes_;
};

std::uint32_t little(const char* bytes) {
  const auto at = [&](int i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i]));
  };
  return at(0) | at(1) << 8 | at(2) << 16 | at(3) << 24;
}

}  // namespace

namespace {

// "v x y z", "v x y z w", or either with red, green and blue from 0 to 1 behind it.
void add_obj_vertex(Words& words, Mesh& mesh) {
  mesh.positions.push_back(words.vector());
  std::array<float, 4> more{};
  std::size_t count = 0;
  while (count < more.size() && !words.at_end()) more[count++] = words.number<float>();
  if (count < 3) return;
  const auto channel = [&](std::size_t i) {
    return static_cast<std::uint8_t>(
        std::lround(255 * std::clamp(more[count - 3 + i], 0.0F, 1.0F)));
  };
  mesh.colours.push_back({channel(0), channel(1), channel(2), 255});
}

}  // namespace

Mesh read_obj(const std::filesystem::path& path, std::string_view bytes) {
  Mesh mesh;
  Words words(path, bytes);
  while (words.next_line()) {
    const std::string_view key = words.word();
    if (key == "v") add_obj_vertex(words, mesh);
    if (key != "f") continue;
    std::vector<std::uint32_t> corners;
    for (std::string_view word = words.word(); !word.empty(); word = words.word())
      corners.push_back(obj_corner(words, word, mesh.positions.size()));
    if (corners.size() < 3) words.fail("a face of three corners or more", "fewer");
    add_fan(mesh, corners);
  }
  if (mesh.colours.size() != mesh.positions.size()) mesh.colours.clear();
  return mesh;
}

Mesh read_ply(const std::filesystem::path& path, std::string_view bytes) {
  return PlyFile(path, bytes).mesh();
}

Mesh read_stl(const std::filesystem::path& path, std::string_view bytes) {
  Mesh mesh;
  const auto add = [&](const Mesh::Vector& corner) {
    const auto n = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back(corner);
    if (n % 3 == 2) mesh.triangles.push_back({n - 2, n - 1, n});
  };
  constexpr std::size_t head = 84, each = 50;
  if (bytes.size() >= head && (bytes.size() - head) / each == little(bytes.data() + 80) &&
      (bytes.size() - head) % each == 0) {
    for (std::size_t at = head; at < bytes.size(); at += each)
      for (std::size_t corner = 0; corner < 3; ++corner) {
        const auto value = [&](std::size_t axis) {
          return std::bit_cast<float>(little(bytes.data() + at + 12 * (corner + 1) + 4 * axis));
        };
        add({value(0), value(1), value(2)});
      }
    return mesh;
  }
  Words words(path, bytes);
  if (!words.next_line() || words.word() != "solid")
    throw Error(
        text(path.string(), ": expected an STL file, found neither a binary nor a text one"));
  while (words.next_line())
    if (words.word() == "vertex") add(words.vector());
  return mesh;
}

}  // namespace scree::io::codec
