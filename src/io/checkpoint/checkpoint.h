// A checkpoint as bytes: named blocks in one file that is either whole or recognised as broken.
//
// Layout, little-endian: "SCREECHK", u32 version, then for each block u32 name length, name, u64
// size, bytes; u32 0xffffffff ends them; last the XXH64 of everything before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "base/hash.h"
#include "io/file/atomic_file.h"

namespace scree::io {

constexpr std::uint32_t checkpoint_version = 2;

class CheckpointWriter {
 public:
  explicit CheckpointWriter(const std::filesystem::path& path);
  void add(const std::string& name, const void* data, std::size_t bytes);
  void add_integer(const std::string& name, std::int64_t value);
  void add_real(const std::string& name, double value);
  // Until then nothing of that name is there, or what was there before.
  void commit();

 private:
  void put(const void* data, std::size_t bytes);

  AtomicFile file_;
  Hash64 hash_;
};

class CheckpointReader {
 public:
  // Reads the file once to see that it is whole; Error says what is wrong with it.
  explicit CheckpointReader(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  bool has(const std::string& name) const { return blocks_.count(name) > 0; }
  std::size_t size(const std::string& name) const;
  // Error where the block is missing or has another size.
  void read(const std::string& name, void* data, std::size_t bytes) const;
  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;

 private:
  struct Block {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };
  const Block& block(const std::string& name) const;

  std::filesystem::path path_;
  std::map<std::string, Block> blocks_;
};

}  // namespace scree::io
