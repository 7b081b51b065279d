// Inside io: one writer and one reader a mesh format. mesh.cpp chooses among them and has checked
// the mesh.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "io/file/atomic_file.h"
#include "io/mesh/mesh.h"

namespace scree::io::codec {

void write_obj(const std::filesystem::path& path, const Mesh& mesh);
void write_ply(const std::filesystem::path& path, const Mesh& mesh);
void write_stl(const std::filesystem::path& path, const Mesh& mesh);

// tinygltf (mesh_glb.cpp, or mesh_glb_off.cpp in a build without it).
bool have_glb();
void write_glb(const std::filesystem::path& path, std::span<const Mesh> levels);
Mesh read_glb(const std::filesystem::path& path, std::string_view bytes);

// mesh_read.cpp; indices are not checked yet.
Mesh read_obj(const std::filesystem::path& path, std::string_view bytes);
Mesh read_ply(const std::filesystem::path& path, std::string_view bytes);
Mesh read_stl(const std::filesystem::path& path, std::string_view bytes);

// Gathers small pieces, little-endian, and hands them to a file in large ones.
class PieceWriter {
 public:
  explicit PieceWriter(const std::filesystem::path& path) : file_(path) {}

  void text(std::string_view characters) {
    bytes_.append(characters);
    flush_when_large();
  }
  void u8(std::uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void u16(std::uint16_t value) {
    u8(static_cast<std::uint8_t>(value & 0xff));
    u8(static_cast<std::uint8_t>(value >> 8));
  }
  void u32(std::uint32_t value) {
    const char four[4] = {static_cast<char>(value & 0xff), static_cast<char>(value >> 8 & 0xff),
                          static_cast<char>(value >> 16 & 0xff), static_cast<char>(value >> 24)};
    bytes_.append(four, sizeof four);
    flush_when_large();
  }
  void f32(float value) { u32(std::bit_cast<std::uint32_t>(value)); }
  void vector(const Mesh::Vector& v) {
    for (const float value : v) f32(value);
  }
  void commit() {
    flush();
    file_.commit();
  }

 private:
  static constexpr std::size_t large = 1 << 18;
  void flush_when_large() {
    if (bytes_.size() >= large) flush();
  }
  void flush() {
    file_.write(bytes_.data(), bytes_.size());
    bytes_.clear();
  }

  AtomicFile file_;
  std::string bytes_;
};

}  // namespace scree::io::codec
