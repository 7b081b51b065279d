#include "base/suggest.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace scree {
namespace {

const std::vector<std::string> keys = {"rain",     "drain",        "terrain",     "evaporation",
                                       "friction", "talus_angle",  "erodibility", "dissolve_rate",
                                       "dt",       "deposit_rate", "seed"};

TEST(Suggest, FindsTypingErrors) {
  EXPECT_EQ(nearest("raine", keys), "rain");
  EXPECT_EQ(nearest("rian", keys), "rain");
  EXPECT_EQ(nearest("evapouration", keys), "evaporation");
  EXPECT_EQ(nearest("Talus-Angle", keys), "talus_angle");
  EXPECT_EQ(nearest("disolve_rate", keys), "dissolve_rate");
  EXPECT_EQ(nearest("sede", keys), "seed");
}

TEST(Suggest, FindsTheOnlyCompletion) {
  EXPECT_EQ(nearest("erod", keys), "erodibility");
  EXPECT_EQ(nearest("seed_of_the_run", keys), "seed");
  EXPECT_EQ(nearest("d", keys), "") << "several begin so";
}

TEST(Suggest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest("viscosity", keys), "");
  EXPECT_EQ(nearest("x", keys), "");
  EXPECT_EQ(nearest("", keys), "");
  EXPECT_EQ(nearest("rain", {}), "");
}

TEST(Suggest, EndsAMessage) {
  EXPECT_EQ(did_you_mean("raine", keys), ", did you mean 'rain'?");
  EXPECT_EQ(did_you_mean("viscosity", keys), "");
}

TEST(EditDistance, CountsEachKindOfEditOnce) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", "abxc"), 1);
  EXPECT_EQ(edit_distance("abc", "ac"), 1);
  EXPECT_EQ(edit_distance("abc", "axc"), 1);
  EXPECT_EQ(edit_distance("abc", "acb"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

RC_GTEST_PROP(EditDistance, IsSymmetricAndBounded, (const std::string& a, const std::string& b)) {
  const int distance = edit_distance(a, b);
  RC_ASSERT(distance == edit_distance(b, a));
  RC_ASSERT(distance <= static_cast<int>(std::max(a.size(), b.size())));
  RC_ASSERT(edit_distance(a, a) == 0);
}

RC_GTEST_PROP(Suggest, OneSwapInAKeyIsFound, ()) {
  const std::string key = *rc::gen::elementOf(std::vector<std::string>{
      "evaporation", "talus_angle", "erodibility", "dissolve_rate", "friction"});
  const auto at = *rc::gen::inRange<std::size_t>(0, key.size() - 1);
  std::string typed = key;
  std::swap(typed[at], typed[at + 1]);
  RC_ASSERT(nearest(typed, keys) == key);
}

}  // namespace
}  // namespace scree
