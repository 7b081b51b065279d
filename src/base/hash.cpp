#include "base/hash.h"

#include <bit>
#include <cstring>

namespace scree {
namespace {

static_assert(std::endian::native == std::endian::little,
              "field hashes are defined over little-endian bytes");

constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87ULL;
constexpr std::uint64_t prime2 = 0xC2B2AE3D27D4EB4FULL;
constexpr std::uint64_t prime3 = 0x165667B19E3779F9ULL;
constexpr std::uint64_t prime4 = 0x85EBCA77C2B2AE63ULL;
constexpr std::uint64_t prime5 = 0x27D4EB2F165667C5ULL;

template <class T>
T load(const unsigned char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

std::uint64_t round_lane(std::uint64_t lane, std::uint64_t input) {
  return std::rotl(lane + input * prime2, 31) * prime1;
}

std::uint64_t merge_lane(std::uint64_t hash, std::uint64_t lane) {
  return (hash ^ round_lane(0, lane)) * prime1 + prime4;
}

void consume_stripe(std::uint64_t (&lane)[4], const unsigned char* p) {
  for (int i = 0; i < 4; ++i) lane[i] = round_lane(lane[i], load<std::uint64_t>(p + 8 * i));
}

}  // namespace

Hash64::Hash64(std::uint64_t seed)
    : lane_{seed + prime1 + prime2, seed + prime2, seed, seed - prime1}, seed_(seed) {}

void Hash64::update(const void* data, std::size_t bytes) {
  if (bytes == 0) return;  // there may be no data to point at
  const auto* p = static_cast<const unsigned char*>(data);
  total_ += bytes;
  if (tail_size_ > 0) {
    const std::size_t take = bytes < 32 - tail_size_ ? bytes : 32 - tail_size_;
    std::memcpy(tail_ + tail_size_, p, take);
    tail_size_ += take;
    p += take;
    bytes -= take;
    if (tail_size_ < 32) return;
    consume_stripe(lane_, tail_);
    tail_size_ = 0;
  }
  for (; bytes >= 32; p += 32, bytes -= 32) consume_stripe(lane_, p);
  if (bytes > 0) std::memcpy(tail_, p, bytes);
  tail_size_ = bytes;
}

std::uint64_t Hash64::digest() const {
  std::uint64_t hash = seed_ + prime5;
  if (total_ >= 32) {
    hash = std::rotl(lane_[0], 1) + std::rotl(lane_[1], 7) + std::rotl(lane_[2], 12) +
           std::rotl(lane_[3], 18);
    for (std::uint64_t lane : lane_) hash = merge_lane(hash, lane);
  }
  hash += total_;
  const unsigned char* p = tail_;
  const unsigned char* end = tail_ + tail_size_;
  for (; p + 8 <= end; p += 8)
    hash = std::rotl(hash ^ round_lane(0, load<std::uint64_t>(p)), 27) * prime1 + prime4;
  if (p + 4 <= end) {
    hash = std::rotl(hash ^ load<std::uint32_t>(p) * prime1, 23) * prime2 + prime3;
    p += 4;
  }
  for (; p < end; ++p) hash = std::rotl(hash ^ *p * prime5, 11) * prime1;
  hash = (hash ^ hash >> 33) * prime2;
  hash = (hash ^ hash >> 29) * prime3;
  return hash ^ hash >> 32;
}

std::uint64_t hash_bytes(const void* data, std::size_t bytes) {
  Hash64 hash;
  hash.update(data, bytes);
  return hash.digest();
}

std::string hash_text(std::uint64_t hash) {
  std::string digits(16, '0');
  for (int i = 15; i >= 0; --i, hash >>= 4)
    digits[static_cast<std::size_t>(i)] = "0123456789abcdef"[hash & 15U];
  return digits;
}

}  // namespace scree
