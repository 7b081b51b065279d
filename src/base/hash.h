// The one 64-bit hash of Scree: XXH64 (Collet, xxHash specification r0.1.1) with seed 0.
// A field's hash runs over its interior, row-major, little-endian; it is the same number in
// report.json, `scree compare` and every language binding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace scree {

class Hash64 {
 public:
  explicit Hash64(std::uint64_t seed = 0);
  void update(const void* data, std::size_t bytes);
  std::uint64_t digest() const;

 private:
  std::uint64_t lane_[4];
  std::uint64_t seed_;
  std::uint64_t total_ = 0;
  unsigned char tail_[32];
  std::size_t tail_size_ = 0;
};

std::uint64_t hash_bytes(const void* data, std::size_t bytes);

// Sixteen lower-case hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace scree
