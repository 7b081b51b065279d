// Named blocks of bytes, in order: what the state of a run is kept in, in a file or in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace scree {

class BlockWriter {
 public:
  virtual ~BlockWriter() = default;
  virtual void add(const std::string& name, const void* data, std::size_t bytes) = 0;
  // Whether a block of that name was added before.
  virtual bool has(const std::string& name) const = 0;
  void add_integer(const std::string& name, std::int64_t value);
  void add_real(const std::string& name, double value);
};

class BlockReader {
 public:
  virtual ~BlockReader() = default;
  // What messages call it: the path of a file.
  virtual std::string title() const = 0;
  virtual bool has(const std::string& name) const = 0;
  virtual std::vector<std::string> names() const = 0;
  // Error where there is no such block.
  virtual std::size_t size(const std::string& name) const = 0;
  // Error where the block is missing or has another size.
  virtual void read(const std::string& name, void* data, std::size_t bytes) const = 0;
  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;

 protected:
  [[noreturn]] void tell_missing(const std::string& name) const;
  void check_size(const std::string& name, std::size_t found, std::size_t expected) const;
};

// Blocks in memory. A block that is added again takes the place of the first.
class Blocks final : public BlockWriter, public BlockReader {
 public:
  void add(const std::string& name, const void* data, std::size_t bytes) override;
  std::string title() const override { return "state in memory"; }
  bool has(const std::string& name) const override { return places_.count(name) > 0; }
  std::vector<std::string> names() const override;
  std::size_t size(const std::string& name) const override { return block(name).size(); }
  void read(const std::string& name, void* data, std::size_t bytes) const override;
  const std::vector<unsigned char>& block(const std::string& name) const;
  // The memory that all blocks take.
  std::size_t bytes() const;

 private:
  struct Block {
    std::string name;
    std::vector<unsigned char> bytes;
  };
  std::vector<Block> blocks_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace scree
