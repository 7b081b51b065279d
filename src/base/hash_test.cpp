#include "base/hash.h"

#include <gtest/gtest.h>

#include <string>

namespace scree {
namespace {

std::string hash_of(const std::string& s) { return hash_text(hash_bytes(s.data(), s.size())); }

// Published vectors of XXH64 with seed 0.
TEST(Hash64, MatchesPublishedVectors) {
  EXPECT_EQ(hash_of(""), "ef46db3751d8e999");
  EXPECT_EQ(hash_of("a"), "d24ec4f1a98c6e5b");
  EXPECT_EQ(hash_of("abc"), "44bc2cf5ad770999");
  EXPECT_EQ(hash_of("Nobody inspects the spammish repetition"), "fbcea83c8a378bf1");
}

TEST(Hash64, DoesNotDependOnHowItIsFed) {
  std::string data;
  for (int i = 0; i < 301; ++i) data.push_back(static_cast<char>(i * 37));
  const auto whole = hash_bytes(data.data(), data.size());
  for (std::size_t piece : {1U, 3U, 31U, 32U, 33U, 100U}) {
    Hash64 hash;
    for (std::size_t i = 0; i < data.size(); i += piece)
      hash.update(data.data() + i, std::min(piece, data.size() - i));
    EXPECT_EQ(hash.digest(), whole) << piece;
  }
}

}  // namespace
}  // namespace scree
