#include "terrain/heights/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>

#include "base/error.h"
#include "base/hash.h"
#include "device/cpu/cpu_device.h"

namespace scree {
namespace {

using Heights = std::vector<float>;

device::DevicePtr cpu(int threads = 1, const std::string& isa = {}) {
  return device::open_device({"cpu", threads, isa, false});
}

std::vector<std::string> all_kinds() {
  for (const ParameterInfo& info : GenerateParameters().list())
    if (info.name == "kind") return info.choices;
  return {};
}

// A bit of roughness, so that shapes have noise in them too.
GenerateParameters parameters(const std::string& kind, double roughness = 0.1) {
  GenerateParameters p;
  p.kind = kind;
  p.roughness = roughness;
  p.angle = 200;
  return p;
}

bool noisy(const std::string& kind) {
  static const std::vector<std::string> kinds = {"fbm",     "ridged", "billow",  "warped",
                                                 "simplex", "steps",  "mountain"};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

std::uint64_t bits(const Heights& heights) {
  return hash_bytes(heights.data(), heights.size() * sizeof(float));
}

float at(const Heights& h, int width, int x, int y) {
  return h[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x)];
}

struct Extremes {
  double low, high, mean;
  double relief() const { return high - low; }
};

Extremes extremes(const Heights& h) {
  Extremes e{1e30, -1e30, 0};
  for (const float v : h) {
    e.low = std::min(e.low, static_cast<double>(v));
    e.high = std::max(e.high, static_cast<double>(v));
    e.mean += static_cast<double>(v) / static_cast<double>(h.size());
  }
  return e;
}

// Every way to run a kernel on this machine.
std::map<std::string, device::DevicePtr> all_devices() {
  std::map<std::string, device::DevicePtr> devices;
  for (const std::string& isa : device::usable_isas()) devices["cpu " + isa] = cpu(1, isa);
  devices["cpu, 2 threads"] = cpu(2);
  for (const device::DeviceInfo& info : device::list_devices())
    if (info.selector != "cpu" && info.exact)
      devices[info.selector] = device::open_device({info.selector, 0, {}, false});
  return devices;
}

TEST(Generate, SameBitsOnEveryDevice) {
  const HeightfieldShape shapes[] = {
      {1, 1, 10, 10}, {1, 7, 30, 30}, {17, 33, 12.5, 20}, {129, 65, 7.3, 4.1}};
  const auto devices = all_devices();
  ASSERT_GE(devices.size(), 2u);
  for (const std::string& kind : all_kinds())
    for (const HeightfieldShape& shape : shapes) {
      const Heights reference = generate_heights(*cpu(), parameters(kind), shape, 42, -5, 900000);
      for (const auto& [name, device] : devices)
        EXPECT_EQ(bits(generate_heights(*device, parameters(kind), shape, 42, -5, 900000)),
                  bits(reference))
            << kind << " " << shape.width << "x" << shape.height << " on " << name;
    }
}

// The hashes are part of the promise: a scene of last year gives the same land this year.
TEST(Generate, SameBitsAsEver) {
  const std::map<std::string, std::uint64_t> golden = {
      {"fbm", 0x84cd24e1b972a0df},     {"ridged", 0xa708a1abb3e7c17e},
      {"billow", 0xa7d66c60d12cb7be},  {"warped", 0xb80c6c06ca41789d},
      {"simplex", 0x4515f2b55e3c557c}, {"mountain", 0xafd2441be9ffbef6},
      {"steps", 0x6050b95cc791c0ef},   {"cone", 0x7aa45cfd62165b39},
      {"pyramid", 0xccf247b4fe8c8332}, {"crater", 0x3c16490e133a1a1a},
      {"volcano", 0x1fe5062c6d4fa33e}, {"shield", 0xf0d94bea7404c4b2},
      {"tower", 0xa7d670a3d3b3d30c},   {"dam", 0x8971bc412194893c},
      {"grooves", 0x23cf5e14dc2947cf}, {"plane", 0x1a9fb93e7f30ee0a},
      {"flat", 0xfe8294f0785d4d9c}};
  for (const std::string& kind : all_kinds()) {
    const std::uint64_t hash =
        bits(generate_heights(*cpu(2), parameters(kind), {96, 64, 40, 40}, 2012));
    const auto known = golden.find(kind);
    EXPECT_EQ(hash, known == golden.end() ? 0 : known->second)
        << "{\"" << kind << "\", 0x" << hash_text(hash) << "},";
  }
}

TEST(Generate, WindowIsACropOfTheWorld) {
  const auto device = cpu(2);
  for (const std::string& kind : all_kinds())
    for (const int far : {0, 3000000, -3000000, 900000000}) {
      const HeightfieldShape whole{80, 60, 25, 20}, part{23, 19, 25, 20};
      const Heights world =
          generate_heights(*device, parameters(kind), whole, 7, far, -far, 80, 60);
      const Heights window =
          generate_heights(*device, parameters(kind), part, 7, far + 31, 17 - far, 80, 60);
      for (int y = 0; y < part.height; ++y)
        for (int x = 0; x < part.width; ++x)
          ASSERT_EQ(at(window, 23, x, y), at(world, 80, x + 31, y + 17)) << kind << " at " << far;
    }
}

// Far from the origin the land is as smooth as near it: neighbouring cells still differ, and second
// differences (steps would blow them up) stay as small.
TEST(Generate, FarLandIsNotStepped) {
  const auto device = cpu(2);
  GenerateParameters p = parameters("fbm");
  p.octaves = 3;
  p.feature_size = 4000;
  const auto roughness = [&](int x0) {
    const Heights h = generate_heights(*device, p, {256, 64, 10, 10}, 3, x0, x0 / 3);
    double sum = 0;
    int equal = 0;
    for (int y = 0; y < 64; ++y)
      for (int x = 1; x < 255; ++x) {
        const double bend = static_cast<double>(at(h, 256, x - 1, y)) -
                            2 * static_cast<double>(at(h, 256, x, y)) +
                            static_cast<double>(at(h, 256, x + 1, y));
        sum += bend * bend;
        equal += at(h, 256, x, y) == at(h, 256, x + 1, y);
      }
    EXPECT_LT(equal, 30) << x0;
    return std::sqrt(sum / (64 * 254));
  };
  const double near = roughness(0);
  for (const int x0 : {4000000, 1000000000, -1000000000})
    EXPECT_LT(roughness(x0), 2.5 * near + 1e-3) << x0;
}

// 128 and 512 cells over the same metres, all octaves longer than four coarse cells: the mean of
// the 4x4 fine cells is the coarse one within 0.2 % of the relief (rms) and 2 % (worst). A cliff
// that cuts a cell counts for more.
TEST(Generate, FinerGridIsTheSameLand) {
  const auto device = cpu(2);
  for (const std::string& kind : all_kinds()) {
    GenerateParameters p = parameters(kind, 0);
    p.octaves = 5;
    p.feature_size = 6400;
    p.sharpness = 0.5;
    const Heights coarse = generate_heights(*device, p, {128, 128, 100, 100}, 5);
    const Heights fine = generate_heights(*device, p, {512, 512, 25, 25}, 5);
    double worst = 0, square = 0;
    for (int y = 0; y < 128; ++y)
      for (int x = 0; x < 128; ++x) {
        double mean = 0;
        for (int j = 0; j < 16; ++j)
          mean += static_cast<double>(at(fine, 512, 4 * x + j % 4, 4 * y + j / 4)) / 16;
        const double difference = std::abs(mean - static_cast<double>(at(coarse, 128, x, y)));
        worst = std::max(worst, difference / p.relief);
        square += difference * difference / (p.relief * p.relief);
      }
    const bool cliffs = kind == "tower" || kind == "dam";
    EXPECT_LT(std::sqrt(square / (128 * 128)), cliffs ? 0.02 : 0.002) << kind;
    EXPECT_LT(worst, cliffs ? 0.5 : 0.02) << kind;
  }
}

TEST(Generate, NoiseHasAboutTheReliefAskedFor) {
  const auto device = cpu(2);
  for (const std::string& kind : all_kinds()) {
    if (!noisy(kind)) continue;
    double mean_relief = 0;
    for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
      GenerateParameters p = parameters(kind);
      p.relief = 1500;
      p.base = -200;
      const Extremes e = extremes(generate_heights(*device, p, {192, 192, 50, 50}, seed));
      EXPECT_NEAR(e.relief() / 1500, 1, 0.35) << kind << " seed " << seed;
      EXPECT_NEAR(e.low, -200, 0.25 * 1500) << kind << " seed " << seed;
      mean_relief += e.relief() / 1500 / 8;
    }
    EXPECT_NEAR(mean_relief, 1, 0.15) << kind;
  }
}

// An odd size puts a cell on the very middle.
TEST(Generate, ShapesHaveTheirReliefExactly) {
  const auto device = cpu();
  for (const std::string kind :
       {"cone", "pyramid", "tower", "dam", "grooves", "volcano", "shield", "crater"}) {
    GenerateParameters p = parameters(kind, 0);
    p.relief = 1500;
    p.base = 100;
    const Extremes e = extremes(generate_heights(*device, p, {401, 401, 10, 10}, 1));
    EXPECT_NEAR(e.low, 100, 0.001) << kind;
    // A rim between two cells is missed by half a cell.
    EXPECT_NEAR(e.high, 1600,
                kind == "volcano" || kind == "shield" || kind == "crater" ? 25 : 0.001)
        << kind;
  }
  GenerateParameters flat = parameters("flat", 0);
  flat.base = -12;
  EXPECT_EQ(extremes(generate_heights(*device, flat, {9, 9, 10, 10}, 1)).relief(), 0);
}

TEST(Generate, PlaneFallsAsAsked) {
  const auto device = cpu();
  GenerateParameters p = parameters("plane", 0);
  p.slope = 30;
  p.base = 5;
  p.angle = 90;
  const Heights h = generate_heights(*device, p, {20, 10, 10, 4}, 1);
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 20; ++x)
      EXPECT_NEAR(at(h, 20, x, y), 5 + (195 - 10 * x) / std::sqrt(3.0), 1e-3);
  for (const double angle : {0.0, 33.0, 135.0, 271.0, -20.0}) {
    p.angle = angle;
    const Extremes e = extremes(generate_heights(*device, p, {301, 301, 1, 1}, 1));
    EXPECT_GE(e.low, 5) << angle;
    EXPECT_LT(e.low, 6) << angle;
  }
}

TEST(Generate, NeverNanAndNothingSurprisingAtTheEndsOfTheRanges) {
  const auto device = cpu(2);
  for (const std::string& kind : all_kinds())
    for (const ParameterInfo& info : GenerateParameters().list()) {
      if (info.kind != ParameterInfo::Kind::real) continue;
      for (const double value : {info.least, info.most}) {
        GenerateParameters p = parameters(kind);
        p.set(info.name, value);
        const double size = 3 * (p.relief + 1) + std::abs(p.base) + (kind == "plane" ? 1e5 : 0);
        for (const float h : generate_heights(*device, p, {13, 9, 30, 20}, 11, 100, -100))
          ASSERT_LE(std::abs(static_cast<double>(h)), size)
              << kind << " " << info.name << " = " << value;
      }
    }
}

TEST(Generate, FbmLiesAboutTheMiddleAndHasNoGrain) {
  const auto device = cpu(2);
  for (const std::string kind : {"fbm", "simplex"}) {
    GenerateParameters p = parameters(kind);
    p.relief = 1000;
    p.feature_size = 320;
    p.carving = 0;
    const Heights h = generate_heights(*device, p, {768, 768, 10, 10}, 9);
    EXPECT_NEAR(extremes(h).mean, 500, 30) << kind;
    // The variance of differences over 10 cells: (10, 0), (0, 10) against (7, 7), (7, -7) and,
    // between those, (9, 4); the distances differ by 2 % at most.
    const auto variance = [&](int dx, int dy) {
      double sum = 0;
      for (int y = 10; y < 758; ++y)
        for (int x = 10; x < 758; ++x) {
          const double d = static_cast<double>(at(h, 768, x + dx, y + dy)) -
                           static_cast<double>(at(h, 768, x, y));
          sum += d * d;
        }
      return sum / (100.0 * (dx * dx + dy * dy));
    };
    const double axes = (variance(10, 0) + variance(0, 10)) / 2;
    const double diagonals = (variance(7, 7) + variance(7, -7)) / 2;
    EXPECT_NEAR(diagonals / axes, 1, 0.15) << kind;
    EXPECT_NEAR(variance(10, 0) / variance(0, 10), 1, 0.15) << kind;
    EXPECT_NEAR(variance(7, 7) / variance(7, -7), 1, 0.15) << kind;
    EXPECT_NEAR((variance(9, 4) + variance(4, -9)) / 2 / axes, 1, 0.15) << kind;
  }
}

TEST(Generate, SeedsAreDifferentLands) {
  const auto device = cpu();
  const HeightfieldShape shape{64, 64, 50, 50};
  const Heights one = generate_heights(*device, parameters("fbm"), shape, 1);
  const Heights other = generate_heights(*device, parameters("fbm"), shape, std::uint64_t{1} << 32);
  double product = 0, square = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double a = static_cast<double>(one[i]) - 300, b = static_cast<double>(other[i]) - 300;
    product += a * b;
    square += a * a + b * b;
  }
  EXPECT_LT(std::abs(2 * product / square), 0.7);
  EXPECT_NE(bits(one), bits(other));
}

TEST(Generate, RefusesNonsense) {
  const auto device = cpu();
  EXPECT_THROW(generate_heights(*device, {}, {0, 4, 1, 1}, 1), UsageError);
  EXPECT_THROW(generate_heights(*device, {}, {4, 4, 0, 1}, 1), UsageError);
  EXPECT_THROW(generate_heights(*device, {}, {4, 4, 1, std::nan("")}, 1), UsageError);
  GenerateParameters p;
  EXPECT_THROW(p.set("kind", std::string("ridge")), UsageError);
}

TEST(ReliefFromMask, KeepsLevelsAndBevelsEdges) {
  // The left half is black, the right half white.
  const Heights mask{0, 0, 1, 1};
  const HeightfieldShape shape{200, 3, 1, 1};
  const Heights sharp = relief_from_mask({0, 0, 0, 0, 1, 1, 1, 1}, 8, 1, shape, 10, 100, 0);
  EXPECT_EQ(at(sharp, 200, 0, 1), 10);
  EXPECT_EQ(at(sharp, 200, 199, 2), 110);
  const Heights soft = relief_from_mask(mask, 4, 1, shape, 10, 100, 40);
  for (int x = 1; x < 200; ++x) EXPECT_GE(at(soft, 200, x, 0), at(soft, 200, x - 1, 0));
  EXPECT_NEAR(at(soft, 200, 50, 0), 10, 1e-4);
  EXPECT_NEAR(at(soft, 200, 150, 0), 110, 1e-4);
  EXPECT_NEAR((at(soft, 200, 99, 0) + at(soft, 200, 100, 0)) / 2, 60, 1e-3);
}

TEST(ReliefFromMask, OblongCellsAndTinySizes) {
  const Heights mask{0, 1, 0, 1};
  const Heights h = relief_from_mask(mask, 2, 2, {1, 1, 5, 3}, 0, 100, 1000);
  EXPECT_NEAR(h[0], 50, 1e-4);
  const Heights wide = relief_from_mask(mask, 2, 2, {40, 7, 5, 3}, 0, 100, 15);
  for (int x = 0; x < 40; ++x) EXPECT_EQ(at(wide, 40, x, 0), at(wide, 40, x, 6));
  EXPECT_THROW(relief_from_mask(mask, 3, 2, {4, 4, 1, 1}, 0, 1, 0), UsageError);
  EXPECT_THROW(relief_from_mask(mask, 2, 2, {4, 4, 1, 1}, 0, 1, -1), UsageError);
}

}  // namespace
}  // namespace scree
