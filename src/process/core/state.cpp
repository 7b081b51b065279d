#include "process/core/state.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/hash.h"

namespace scree {
namespace {

std::vector<std::string> beginning_with(const std::vector<std::string>& all,
                                        const std::string& prefix) {
  std::vector<std::string> found;
  for (const std::string& name : all)
    if (name.starts_with(prefix)) found.push_back(name);
  return found;
}

template <class T>
std::string number_at(const unsigned char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return text(value);
}

std::string element_text(StateType type, const std::vector<unsigned char>& bytes,
                         std::size_t element) {
  const std::size_t size = state_type_size(type);
  if (type == StateType::text) return {bytes.begin(), bytes.end()};
  if ((element + 1) * size > bytes.size()) return {};
  const unsigned char* at = bytes.data() + element * size;
  switch (type) {
    case StateType::integer:
    case StateType::int64:
      return number_at<std::int64_t>(at);
    case StateType::real:
      return number_at<double>(at);
    case StateType::int32:
      return number_at<std::int32_t>(at);
    case StateType::uint32:
      return number_at<std::uint32_t>(at);
    case StateType::float32:
      return number_at<float>(at);
    case StateType::text:
    case StateType::bytes:
      break;
  }
  return text(static_cast<int>(*at));
}

// Where two blocks differ, element by element; a count of 0 where they do not.
StateDifference difference_of(const std::string& name, StateType type,
                              const std::vector<unsigned char>& visited,
                              const std::vector<unsigned char>& kept) {
  StateDifference found{.name = name, .type = type};
  const std::size_t size = type == StateType::text ? 1 : state_type_size(type);
  const auto elements = [&](const auto& bytes) { return (bytes.size() + size - 1) / size; };
  const auto differs = [&](std::size_t i) {
    const std::size_t from = i * size, until = from + size;
    return until > visited.size() || until > kept.size() ||
           std::memcmp(visited.data() + from, kept.data() + from, size) != 0;
  };
  const std::size_t all = std::max(elements(visited), elements(kept));
  for (std::size_t i = 0; i < all; ++i)
    if (differs(i) && found.count++ == 0) found.first = i;
  if (found.count == 0) return found;
  found.visited = element_text(type, visited, found.first);
  found.kept = element_text(type, kept, found.first);
  return found;
}

}  // namespace

const char* state_type_name(StateType type) {
  switch (type) {
    case StateType::integer:
      return "integer";
    case StateType::real:
      return "real";
    case StateType::text:
      return "text";
    case StateType::bytes:
      return "bytes";
    case StateType::int32:
      return "int32";
    case StateType::uint32:
      return "uint32";
    case StateType::int64:
      return "int64";
    case StateType::float32:
      return "float32";
  }
  return "bytes";
}

std::size_t state_type_size(StateType type) {
  switch (type) {
    case StateType::integer:
    case StateType::real:
    case StateType::int64:
      return 8;
    case StateType::int32:
    case StateType::uint32:
    case StateType::float32:
      return 4;
    case StateType::text:
    case StateType::bytes:
      break;
  }
  return 1;
}

// ---- what every visitor has

void StateVisitor::one(const std::string& name, StateType type, void* value, std::size_t bytes) {
  block({name, type, bytes, bytes, [&](const Sink& sink) { sink(value, bytes); },
         [&](std::size_t, const Source& source) { source(value, bytes); }});
}

void StateVisitor::string(const std::string& name, std::string& value) {
  block({name, StateType::text, any_size, 1,
         [&](const Sink& sink) { sink(value.data(), value.size()); },
         [&](std::size_t bytes, const Source& source) {
           value.resize(bytes);
           source(value.data(), bytes);
         }});
}

void StateVisitor::strings(const std::string& name, std::vector<std::string>& values) {
  std::size_t count = values.size();
  integer(name + ".count", count);
  values.resize(count);
  for (std::size_t i = 0; i < count; ++i) string(text(name, ".", i), values[i]);
}

void StateVisitor::description(const std::string& name, std::int64_t value) {
  if (!restores()) integer(name, value);
}

void StateVisitor::description(const std::string& name, double value) {
  if (!restores()) real(name, value);
}

void StateVisitor::description(const std::string& name, const void* data, std::size_t bytes) {
  if (restores()) return;
  block({name, StateType::bytes, bytes, 1, [&](const Sink& sink) { sink(data, bytes); },
         [](std::size_t, const Source&) {}});
}

void StateVisitor::buffer(const std::string& name, StateType type, device::Device& device,
                          device::Buffer& buffer) {
  const auto take = [&](const Sink& sink) {
    std::vector<unsigned char> bytes(buffer.bytes());
    device.read(buffer, 0, bytes.data(), bytes.size());
    sink(bytes.data(), bytes.size());
  };
  const auto give = [&](std::size_t size, const Source& source) {
    std::vector<unsigned char> bytes(size);
    source(bytes.data(), size);
    device.write(buffer, 0, bytes.data(), size);
  };
  block({name, type, buffer.bytes(), state_type_size(type), take, give});
}

// ---- visitors

std::vector<std::string> StateWithPrefix::names(const std::string& prefix) const {
  std::vector<std::string> found = inner_.names(prefix_ + prefix);
  for (std::string& name : found) name.erase(0, prefix_.size());
  return found;
}

void StateWithPrefix::block(const Block& block) {
  Block named = block;
  named.name = prefix_ + block.name;
  inner_.block(named);
}

void StateSaver::block(const Block& block) {
  if (to_.has(block.name)) return;
  block.take([&](const void* data, std::size_t bytes) { to_.add(block.name, data, bytes); });
}

std::vector<std::string> StateRestorer::names(const std::string& prefix) const {
  return beginning_with(from_.names(), prefix);
}

void StateRestorer::block(const Block& block) {
  const bool must = needs_ == Needs::all;
  if (!must && !from_.has(block.name)) return;
  const std::size_t bytes = must && block.bytes != any_size ? block.bytes : from_.size(block.name);
  const bool fits = block.bytes == any_size ? bytes % block.element == 0 : bytes == block.bytes;
  if (!fits && !must) return;
  if (!fits)
    throw Error(text(from_.title(), ": '", block.name, "' has ", bytes,
                     " bytes: expected elements of ", block.element));
  block.give(bytes, [&](void* data, std::size_t size) { from_.read(block.name, data, size); });
}

void StateLister::block(const Block& block) {
  std::size_t bytes = block.bytes;
  if (asks_ == Asks::names)
    bytes = 0;
  else if (bytes == any_size)
    block.take([&](const void*, std::size_t size) { bytes = size; });
  entries_.push_back({block.name, block.type, bytes});
}

void StateHasher::block(const Block& block) {
  block.take(
      [&](const void* data, std::size_t bytes) { hashes_[block.name] = hash_bytes(data, bytes); });
}

void StateComparer::block(const Block& block) {
  visited_.insert(block.name);
  std::vector<unsigned char> visited, kept;
  block.take([&](const void* data, std::size_t bytes) {
    const auto* first = static_cast<const unsigned char*>(data);
    visited.assign(first, first + bytes);
  });
  if (with_.has(block.name)) {
    kept.resize(with_.size(block.name));
    with_.read(block.name, kept.data(), kept.size());
  }
  StateDifference difference = difference_of(block.name, block.type, visited, kept);
  if (difference.count == 0 && !with_.has(block.name)) difference.count = 1;
  if (difference.count > 0) found_.push_back(std::move(difference));
}

std::vector<StateDifference> StateComparer::differences() const {
  std::vector<StateDifference> all = found_;
  for (const std::string& name : with_.names())
    if (visited_.count(name) == 0)
      all.push_back({.name = name, .count = std::max<std::size_t>(with_.size(name), 1)});
  return all;
}

std::string to_text(const StateDifference& d) {
  const auto shown = [](const std::string& value) { return value.empty() ? "nothing" : value; };
  return text(d.name, " (", state_type_name(d.type), "): ", d.count, " differ, the first at ",
              d.first, ": ", shown(d.visited), ", kept ", shown(d.kept));
}

}  // namespace scree
