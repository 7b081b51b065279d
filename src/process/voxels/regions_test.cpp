// Weathering that is directed: what a region says is what happens in it, and only there.
#include "process/voxels/regions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.h"
#include "kernel/voxels/weather.h"
#include "process/voxels/weathering.h"
#include "testing.h"
#include "weathered.h"

namespace scree {
namespace {

using Words = std::vector<std::uint32_t>;
using Kind = WeatherRegion::Kind;

const VoxelShape shape{70, 37, 33, 0.5, {}};

std::vector<VoxelMaterial> materials() {
  return {{"soft", 0.1, 0, false, {}}, {"hard", 0.7, 0, false, {}}, {"debris", 0.3, 0, true, {}}};
}

Words lumps() {
  Words words;
  for (int z = 0; z < shape.nz; ++z)
    for (int y = 0; y < shape.ny; ++y)
      for (int x = 0; x < shape.nx; ++x) {
        const std::uint32_t lump = voxel_hash(9, x / 6, y / 6, z / 6);
        words.push_back((lump >> 8) % 10 < 6 ? voxel_word(VOXEL_FULL, 1 + (lump >> 16) % 2) : 0);
      }
  return words;
}

WeatherRegion sphere(double rate, double durability, double soft = 0) {
  WeatherRegion region;
  region.rate = rate, region.durability = durability, region.soft = soft;
  region.at = {17, 9, 8}, region.radius = 6;
  return region;
}

WeatherRegion map_of(const std::function<double(int, int)>& rate,
                     const std::function<double(int, int)>& durability = nullptr) {
  WeatherRegion region;
  region.kind = Kind::map;
  for (int y = 0; y < shape.ny; ++y)
    for (int x = 0; x < shape.nx; ++x) {
      if (rate) region.rates.push_back(static_cast<float>(rate(x, y)));
      if (durability) region.durabilities.push_back(static_cast<float>(durability(x, y)));
    }
  return region;
}

// Sphere, box and capsule, hard and soft, over a map, some of them for a while.
std::vector<WeatherRegion> of_every_kind() {
  std::vector<WeatherRegion> all = {sphere(0.2, 0, 2), sphere(1, 0.3, 4)};
  WeatherRegion box;
  box.kind = Kind::box, box.at = {6, 6, 6}, box.size = {8, 5, 20}, box.rate = 3, box.soft = 1;
  all.push_back(box);
  WeatherRegion capsule;
  capsule.kind = Kind::capsule, capsule.at = {2, 16, 2}, capsule.to = {33, 3, 14};
  capsule.radius = 2.5, capsule.durability = -0.4, capsule.from_step = 2, capsule.to_step = 4;
  all.push_back(capsule);
  all.push_back(map_of([](int x, int) { return 0.02 * x; }, [](int, int y) { return 0.01 * y; }));
  return all;
}

double distance_to_sphere(std::size_t i) {
  const int x = static_cast<int>(i) % shape.nx, y = static_cast<int>(i) / shape.nx % shape.ny,
            z = static_cast<int>(i) / (shape.nx * shape.ny);
  return std::sqrt(std::pow((x + 0.5) * 0.5 - 17, 2) + std::pow((y + 0.5) * 0.5 - 9, 2) +
                   std::pow((z + 0.5) * 0.5 - 8, 2));
}

// Inside, a step takes what the formula says, up to the rounding of shares and of the step; outside
// it takes what it would have taken anyway.
void expect_step(const Words& start, const Words& plain, const Words& words, const Bubble& bubble,
                 double rate, double durability) {
  int inside = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (start[i] == 0 || std::abs(distance_to_sphere(i) - 6) < 1e-3) continue;
    if (distance_to_sphere(i) > 6) {
      ASSERT_EQ(words[i] & 0x7ffffU, plain[i] & 0x7ffffU) << "outside, " << i;
      continue;
    }
    const double own = voxel_material(start[i]) == 1 ? 0.1 : 0.7;
    const double share = std::min(std::clamp(1 - own - durability, 0.0, 1.0) * rate, 1.0);
    const double worn = static_cast<double>(voxel_amount(start[i]) - voxel_amount(words[i]));
    ASSERT_NEAR(worn, bubble.rates[voxel_air(start[i])] * VOXEL_FULL * share, 1.3)
        << rate << ", " << durability;
    ++inside;
  }
  EXPECT_GT(inside, 1000);
}

TEST(Regions, AStepTakesWhatTheRegionSays) {
  const Bubble bubble = sphere_bubble(3, 0.4);
  for (const auto& [rate, durability] :
       {std::pair{0.0, 0.0}, {0.25, 0.0}, {2.0, 0.0}, {1.0, 0.2}, {1.0, -0.5}, {0.5, 1.0}}) {
    Voxels plain(testing::cpu(), shape, materials()), directed(testing::cpu(), shape, materials());
    plain.set_words(lumps()), directed.set_words(lumps());
    testing::Weathered without(plain, {bubble}, {}, 3), with(directed, {bubble}, {}, 3);
    with.set_regions({sphere(rate, durability)});
    const Words start = directed.words();
    without.step(), with.step();
    expect_step(start, plain.words(), directed.words(), bubble, rate, durability);
  }
}

TEST(Regions, AreTheSameOnEveryBackendAndTheLedgerCloses) {
  std::uint64_t first = 0;
  for (const testing::Backend& backend : testing::all_backends()) {
    Voxels voxels(backend.device, shape, materials());
    voxels.set_words(lumps());
    WeatheringParameters parameters;
    parameters.colluvium = true;
    testing::Weathered weathering(voxels, {sphere_bubble(3, 0.5)}, parameters, 3);
    weathering.set_regions(of_every_kind());
    for (int i = 0; i < 6; ++i) weathering.step();
    EXPECT_EQ(weathering.ledger().voxel_error(), 0);
    EXPECT_EQ(weathering.ledger().amount_error(), 0);
    if (first == 0) first = voxels.hash();
    EXPECT_EQ(voxels.hash(), first) << backend.label;
  }
}

std::uint64_t hash_after(const std::vector<WeatherRegion>& regions, int steps) {
  Voxels voxels(testing::cpu(), shape, materials());
  voxels.set_words(lumps());
  testing::Weathered weathering(voxels, {sphere_bubble(3, 0.5)}, {}, 3);
  weathering.set_regions(regions);
  for (int i = 0; i < steps; ++i) weathering.step();
  return voxels.hash();
}

// Each kind by itself changes something, and neutral ones change nothing.
TEST(Regions, EveryKindCountsAndNeutralOnesDoNot) {
  const std::uint64_t plain = hash_after({}, 4);
  for (const WeatherRegion& region : of_every_kind()) EXPECT_NE(hash_after({region}, 4), plain);
  EXPECT_EQ(hash_after({sphere(1, 0, 3)}, 4), plain);
  EXPECT_EQ(hash_after({map_of([](int, int) { return 1.0; })}, 4), plain);
  // 2 and 1/2 on one place are 1.
  EXPECT_EQ(hash_after({sphere(0.5, 0), sphere(2, 0)}, 4), plain);
  EXPECT_NE(hash_after({sphere(0.5, 0)}, 4), hash_after({sphere(0.5, 0, 2)}, 4)) << "soft";
}

// What a step of nothing but this region leaves alone, of the voxels that wear without it.
template <class Inside>
void expect_stopped(WeatherRegion region, const Inside& inside) {
  region.rate = 0;
  Voxels plain(testing::cpu(), shape, materials()), directed(testing::cpu(), shape, materials());
  plain.set_words(lumps()), directed.set_words(lumps());
  testing::Weathered without(plain, {sphere_bubble(3, 0.4)}, {}, 3),
      with(directed, {sphere_bubble(3, 0.4)}, {}, 3);
  with.set_regions({region});
  const Words start = directed.words();
  without.step(), with.step();
  const Words usual = plain.words(), now = directed.words();
  int stopped = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (voxel_amount(start[i]) - voxel_amount(usual[i]) < 10) continue;
    const int x = static_cast<int>(i) % shape.nx, y = static_cast<int>(i) / shape.nx % shape.ny,
              z = static_cast<int>(i) / (shape.nx * shape.ny);
    const bool less = voxel_amount(now[i]) > voxel_amount(usual[i]);
    ASSERT_EQ(less, inside((x + 0.5) * 0.5, (y + 0.5) * 0.5, (z + 0.5) * 0.5))
        << x << ", " << y << ", " << z;
    stopped += less ? 1 : 0;
  }
  EXPECT_GT(stopped, 100);
}

TEST(Regions, AreWhereTheySayAcrossBricks) {
  WeatherRegion box;
  box.kind = Kind::box, box.at = {15.9, 8.1, 7.9}, box.size = {7, 6.2, 8.2};
  expect_stopped(box, [](double x, double y, double z) {
    return std::abs(x - 15.9) < 3.5 && std::abs(y - 8.1) < 3.1 && std::abs(z - 7.9) < 4.1;
  });
  WeatherRegion capsule;
  capsule.kind = Kind::capsule, capsule.at = {10.1, 9, 8}, capsule.to = {24.1, 9, 8};
  capsule.radius = 3.1;
  expect_stopped(capsule, [](double x, double y, double z) {
    const double beyond = std::max({10.1 - x, x - 24.1, 0.0});
    return std::sqrt(beyond * beyond + (y - 9) * (y - 9) + (z - 8) * (z - 8)) < 3.1;
  });
  // A small middle in one brick, a soft edge that reaches into the next one.
  WeatherRegion soft;
  soft.at = {14.1, 7, 7}, soft.radius = 0.6, soft.soft = 5;
  soft.rate = 0;
  Voxels plain(testing::cpu(), shape, materials()), directed(testing::cpu(), shape, materials());
  plain.set_words(lumps()), directed.set_words(lumps());
  testing::Weathered without(plain, {sphere_bubble(3, 0.4)}, {}, 3),
      with(directed, {sphere_bubble(3, 0.4)}, {}, 3);
  with.set_regions({soft});
  without.step(), with.step();
  const Words usual = plain.words(), now = directed.words();
  long long kept = 0;
  for (int z = 0; z < shape.nz; ++z)
    for (int x = 34; x < 37; ++x) {
      const auto i = static_cast<std::size_t>((z * shape.ny + 14) * shape.nx + x);
      kept += static_cast<long long>(voxel_amount(now[i])) - voxel_amount(usual[i]);
    }
  EXPECT_GT(kept, 0);
}

TEST(Regions, HoldFromAStepToAStep) {
  WeatherRegion early = sphere(0, 0), late = sphere(0, 0);
  early.to_step = 2, late.from_step = 5;
  EXPECT_EQ(hash_after({late}, 4), hash_after({}, 4));
  EXPECT_NE(hash_after({late}, 5), hash_after({}, 5));
  EXPECT_EQ(hash_after({early}, 2), hash_after({sphere(0, 0)}, 2));
  EXPECT_NE(hash_after({early}, 3), hash_after({sphere(0, 0)}, 3));
}

// The same by hand, between two steps.
TEST(Regions, CanBeChangedBetweenSteps) {
  Voxels voxels(testing::cpu(), shape, materials());
  voxels.set_words(lumps());
  testing::Weathered weathering(voxels, {sphere_bubble(3, 0.5)}, {}, 3);
  weathering.set_regions({sphere(0, 0)});
  weathering.step(), weathering.step();
  weathering.set_regions({});
  weathering.step();
  WeatherRegion early = sphere(0, 0), late = sphere(2, 0.1);
  early.to_step = 2, late.from_step = 4;
  EXPECT_EQ(voxels.hash(), hash_after({early}, 3));
  // One in place of another, and of itself.
  weathering.set_regions({sphere(2, 0.1)});
  weathering.step();
  weathering.set_regions({sphere(2, 0.1)});
  weathering.step();
  EXPECT_EQ(voxels.hash(), hash_after({early, late}, 5));
}

// A map in place of another.
TEST(Regions, MapsCanBeChangedBetweenSteps) {
  const auto hard_east = map_of(nullptr, [](int x, int) { return 0.01 * x; });
  const auto hard_north = map_of(nullptr, [](int, int y) { return 0.02 * y; });
  Voxels voxels(testing::cpu(), shape, materials());
  voxels.set_words(lumps());
  testing::Weathered weathering(voxels, {sphere_bubble(3, 0.5)}, {}, 3);
  weathering.set_regions({hard_east});
  weathering.step();
  weathering.set_regions({hard_north});
  weathering.step();
  WeatherRegion first = hard_east, second = hard_north;
  first.to_step = 1, second.from_step = 2;
  EXPECT_EQ(voxels.hash(), hash_after({first, second}, 2));
  EXPECT_NE(voxels.hash(), hash_after({hard_east}, 2));
}

TEST(Regions, WhatCannotBeIsRefused) {
  Voxels voxels(testing::cpu(), shape, materials());
  testing::Weathered weathering(voxels, {sphere_bubble(3, 0.5)}, {}, 3);
  const auto refused = [&](const WeatherRegion& region) {
    EXPECT_THROW(weathering.set_regions({region}), UsageError);
  };
  refused(sphere(-1, 0)), refused(sphere(16, 0)), refused(sphere(1, 2)), refused(sphere(1, 0, -1));
  WeatherRegion none = sphere(1, 0);
  none.radius = 0;
  refused(none);
  none.kind = Kind::box;
  refused(none);
  none.kind = Kind::capsule, none.radius = 1, none.to = none.at;
  refused(none);
  WeatherRegion map = map_of([](int, int) { return 1.0; });
  map.rates.pop_back();
  refused(map);
  refused(map_of([](int, int) { return -1.0; }));
  refused(map_of(nullptr, [](int, int) { return 1.5; }));
  refused(map_of(nullptr));
}

}  // namespace
}  // namespace scree
