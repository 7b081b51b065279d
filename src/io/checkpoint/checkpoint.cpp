#include "io/checkpoint/checkpoint.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <vector>

#include "base/error.h"

namespace scree::io {
namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are written as memory is");

constexpr char magic[8] = {'S', 'C', 'R', 'E', 'E', 'C', 'H', 'K'};
constexpr std::uint32_t end_mark = 0xffffffffU;
constexpr std::uint32_t longest_name = 256;

// Walks a file from its start, hashing what it passes.
class Scanner {
 public:
  explicit Scanner(const std::filesystem::path& path) : path_(path), file_(path, std::ios::binary) {
    std::error_code error;
    size_ = std::filesystem::file_size(path, error);
    if (error == std::errc::no_such_file_or_directory)
      throw Error(text(path.string(), ": no such file"));
    if (!file_ || error) throw Error(text(path.string(), ": cannot be read"));
  }

  [[noreturn]] void broken(const char* why) const {
    throw Error(text(path_.string(), ": not a whole checkpoint: ", why));
  }
  std::uint64_t left() const { return size_ - position_; }
  std::uint64_t position() const { return position_; }
  std::uint64_t digest() const { return hash_.digest(); }

  void take(void* data, std::uint64_t bytes) {
    if (bytes > left() ||
        !file_.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes)))
      broken("it is cut short");
    hash_.update(data, bytes);
    position_ += bytes;
  }
  template <class T>
  T take() {
    T value;
    take(&value, sizeof value);
    return value;
  }
  void pass(std::uint64_t bytes) {
    if (bytes > left()) broken("it is cut short");
    std::vector<char> part(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, 1U << 20)));
    while (bytes > 0) {
      const auto now = std::min<std::uint64_t>(bytes, part.size());
      take(part.data(), now);
      bytes -= now;
    }
  }

 private:
  std::filesystem::path path_;
  std::ifstream file_;
  std::uint64_t size_ = 0;
  std::uint64_t position_ = 0;
  Hash64 hash_;
};

}  // namespace

CheckpointWriter::CheckpointWriter(const std::filesystem::path& path) : file_(path) {
  put(magic, sizeof magic);
  put(&checkpoint_version, sizeof checkpoint_version);
}

void CheckpointWriter::put(const void* data, std::size_t bytes) {
  hash_.update(data, bytes);
  file_.write(data, bytes);
}

void CheckpointWriter::add(const std::string& name, const void* data, std::size_t bytes) {
  const auto length = static_cast<std::uint32_t>(name.size());
  const std::uint64_t size = bytes;
  put(&length, sizeof length);
  put(name.data(), name.size());
  put(&size, sizeof size);
  put(data, bytes);
  names_.insert(name);
}

void CheckpointWriter::commit() {
  put(&end_mark, sizeof end_mark);
  const std::uint64_t digest = hash_.digest();
  file_.write(&digest, sizeof digest);
  file_.commit();
}

CheckpointReader::CheckpointReader(const std::filesystem::path& path) : path_(path) {
  Scanner scanner(path);
  char start[sizeof magic];
  scanner.take(start, sizeof start);
  if (std::memcmp(start, magic, sizeof magic) != 0) scanner.broken("it does not begin like one");
  const auto version = scanner.take<std::uint32_t>();
  if (version != checkpoint_version)
    throw Error(text(path.string(), ": checkpoint of version ", version, ": expected ",
                     checkpoint_version, ", as this scree writes it"));
  while (true) {
    const auto length = scanner.take<std::uint32_t>();
    if (length == end_mark) break;
    if (length > longest_name) scanner.broken("a name in it is damaged");
    std::string name(length, '\0');
    scanner.take(name.data(), length);
    Block block;
    block.bytes = scanner.take<std::uint64_t>();
    block.offset = scanner.position();
    scanner.pass(block.bytes);
    blocks_[name] = block;
  }
  const std::uint64_t computed = scanner.digest();
  if (scanner.take<std::uint64_t>() != computed) scanner.broken("its hash does not fit");
  if (scanner.left() != 0) scanner.broken("something follows its end");
}

const CheckpointReader::Block& CheckpointReader::block(const std::string& name) const {
  const auto found = blocks_.find(name);
  if (found == blocks_.end()) tell_missing(name);
  return found->second;
}

std::vector<std::string> CheckpointReader::names() const {
  std::vector<std::string> all;
  for (const auto& [name, unused] : blocks_) all.push_back(name);
  return all;
}

std::size_t CheckpointReader::size(const std::string& name) const {
  return static_cast<std::size_t>(block(name).bytes);
}

void CheckpointReader::read(const std::string& name, void* data, std::size_t bytes) const {
  const Block& found = block(name);
  check_size(name, static_cast<std::size_t>(found.bytes), bytes);
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(found.offset));
  if (!file.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes)))
    throw Error(text(path_.string(), ": cannot be read"));
}

}  // namespace scree::io
