// A checkpoint as bytes: named blocks in one file that is either whole or recognised as broken.
//
// Layout, little-endian: "SCREECHK", u32 version, then for each block u32 name length, name, u64
// size, bytes; u32 0xffffffff ends them; last the XXH64 of everything before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "data/blocks.h"
#include "io/file/atomic_file.h"

namespace scree::io {

constexpr std::uint32_t checkpoint_version = 2;

class CheckpointWriter final : public BlockWriter {
 public:
  explicit CheckpointWriter(const std::filesystem::path& path);
  void add(const std::string& name, const void* data, std::size_t bytes) override;
  bool has(const std::string& name) const override { return names_.count(name) > 0; }
  // Until then nothing of that name is there, or what was there before.
  void commit();

 private:
  void put(const void* data, std::size_t bytes);

  AtomicFile file_;
  Hash64 hash_;
  std::set<std::string> names_;
};

class CheckpointReader final : public BlockReader {
 public:
  // Reads the file once to see that it is whole; Error says what is wrong with it.
  explicit CheckpointReader(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  std::string title() const override { return path_.string(); }
  bool has(const std::string& name) const override { return blocks_.count(name) > 0; }
  std::vector<std::string> names() const override;
  std::size_t size(const std::string& name) const override;
  void read(const std::string& name, void* data, std::size_t bytes) const override;

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
