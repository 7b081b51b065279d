#include "data/blocks.h"

#include <cstring>

#include "base/error.h"

namespace scree {

void BlockWriter::add_integer(const std::string& name, std::int64_t value) {
  add(name, &value, sizeof value);
}

void BlockWriter::add_real(const std::string& name, double value) {
  add(name, &value, sizeof value);
}

std::int64_t BlockReader::integer(const std::string& name) const {
  std::int64_t value = 0;
  read(name, &value, sizeof value);
  return value;
}

double BlockReader::real(const std::string& name) const {
  double value = 0;
  read(name, &value, sizeof value);
  return value;
}

void BlockReader::tell_missing(const std::string& name) const {
  throw Error(text(title(), ": holds no '", name, "'"));
}

void BlockReader::check_size(const std::string& name, std::size_t found,
                             std::size_t expected) const {
  if (found == expected) return;
  throw Error(text(title(), ": '", name, "' has ", found, " bytes: expected ", expected));
}

void Blocks::add(const std::string& name, const void* data, std::size_t bytes) {
  const auto [place, added] = places_.try_emplace(name, blocks_.size());
  if (added) blocks_.push_back({name, {}});
  std::vector<unsigned char>& block = blocks_[place->second].bytes;
  block.resize(bytes);
  if (bytes > 0) std::memcpy(block.data(), data, bytes);
}

std::vector<std::string> Blocks::names() const {
  std::vector<std::string> all;
  for (const Block& block : blocks_) all.push_back(block.name);
  return all;
}

const std::vector<unsigned char>& Blocks::block(const std::string& name) const {
  const auto found = places_.find(name);
  if (found == places_.end()) tell_missing(name);
  return blocks_[found->second].bytes;
}

void Blocks::read(const std::string& name, void* data, std::size_t bytes) const {
  const std::vector<unsigned char>& found = block(name);
  check_size(name, found.size(), bytes);
  if (bytes > 0) std::memcpy(data, found.data(), bytes);
}

std::size_t Blocks::bytes() const {
  std::size_t sum = 0;
  for (const Block& block : blocks_) sum += block.bytes.size();
  return sum;
}

}  // namespace scree
