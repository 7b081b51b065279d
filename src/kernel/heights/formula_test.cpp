// The formulas of the kernels against hand-written double precision, on random inputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "kernel/heights/flow.h"
#include "kernel/heights/thermal.h"

namespace scree::testing {
namespace {

class Draw {
 public:
  double real(double low, double high) {
    return std::uniform_real_distribution<>(low, high)(engine_);
  }
  float single(double low, double high) { return static_cast<float>(real(low, high)); }
  int whole(int low, int high) { return std::uniform_int_distribution<>(low, high)(engine_); }

 private:
  std::mt19937 engine_{2012};
};

constexpr int cases = 20000;

double d(float value) { return static_cast<double>(value); }

void expect_close(double value, double expected, double share, double scale) {
  EXPECT_NEAR(value, expected, share * std::max({std::abs(expected), scale, 1e-9}));
}

// Signed pipe with quadratic friction: the fixed point of a step is Q |U| c_f / d^2 = g dh d / l.
TEST(Formula, PipeFluxPushesAndDrags) {
  Draw draw;
  for (int i = 0; i < cases; ++i) {
    Flow p{};
    p.half_friction = draw.single(0, 1e-3);
    const float accelerate = draw.single(1e-9, 1e-6), flux = draw.single(-1e5, 1e5);
    const int bed_a = draw.whole(-1000000, 1000000), bed_b = draw.whole(-1000000, 1000000);
    const int level_a = bed_a + draw.whole(0, 2000000), level_b = bed_b + draw.whole(0, 2000000);
    const float qa = draw.single(0, 1e6), qb = draw.single(0, 1e6);
    const double depth = std::max(level_a, level_b) - std::max(bed_a, bed_b);
    const double value = d(pipe_flux(p, accelerate, flux, bed_a, level_a, bed_b, level_b, qa, qb));
    if (depth <= 0) {
      EXPECT_EQ(value, 0) << "a flux ends at a dry bank";
      continue;
    }
    const double push = d(accelerate) * depth * (level_a - level_b);
    const double drag = d(p.half_friction) * (d(qa) + d(qb)) / (depth * depth);
    // |U| U is linearised about the old flow, so that no step overshoots however long it is.
    const double expected = (d(flux) + push + drag * d(flux)) / (1 + 2 * drag);
    expect_close(value, expected, 1e-6, std::abs(d(flux)) + std::abs(push));
    // The other side of the edge sees the same flux, negated.
    EXPECT_EQ(value, -d(pipe_flux(p, accelerate, -flux, bed_b, level_b, bed_a, level_a, qb, qa)));
  }
}

TEST(Formula, SheetFluxIsAShareOfTheDifference) {
  Draw draw;
  for (int i = 0; i < cases; ++i) {
    Flow p{};
    p.share = draw.single(0, 0.25);
    const int bed_a = draw.whole(0, 1000), bed_b = draw.whole(0, 1000);
    const int level_a = bed_a + draw.whole(0, 1000), level_b = bed_b + draw.whole(0, 1000);
    const bool wet = std::max(level_a, level_b) > std::max(bed_a, bed_b);
    expect_close(d(sheet_flux(p, bed_a, level_a, bed_b, level_b)),
                 wet ? d(p.share) * (level_a - level_b) : 0, 1e-6, 0);
  }
}

// Muck 2012, eq 3.25: what all edges take together is at most what is there, less the reserve.
TEST(Formula, OutflowNeverOverdraws) {
  constexpr float most = 0.5F - 0x1p-23F;  // the largest rounding
  Draw draw;
  for (int i = 0; i < cases; ++i) {
    Flow p{};
    p.dt = draw.single(0.001, 10);
    p.reserve = 8;
    p.keep = 1;
    const int water = draw.whole(0, 1 << draw.whole(1, 29));
    float flux[8], sum = 0;
    for (float& f : flux) f = draw.single(0, std::pow(10.0, draw.real(-2, 9))), sum += f;
    const float scale = outflow_scale(p, water, sum);
    EXPECT_LE(scale, 1.0F);
    long long taken = 0;
    for (const float f : flux) taken += carried(p, 0, f, scale, 0, 0, 0, most).water;
    EXPECT_LE(taken, water);
    EXPECT_LE(static_cast<double>(taken), d(SCREE_MOST_OUT) * 1.001) << "however deep the flood";
    // ... and never less than what is wanted where there is enough.
    if (d(sum) * d(p.dt) < std::min(0.99 * (water - 8), d(SCREE_MOST_OUT))) {
      EXPECT_EQ(scale, 1.0F);
    }
    // The sediment that goes along does not exceed what is there either.
    const int sediment = draw.whole(0, 1 << draw.whole(1, 29));
    const float c = concentration(p, water, sediment);
    long long load = 0;
    for (const float f : flux) load += carried(p, 1, f, scale, c, 0, 0, most).sediment;
    EXPECT_LE(load, sediment);
    EXPECT_LE(static_cast<double>(load), d(SCREE_MOST_OUT) * 1.001);
  }
}

Flow eroding(Draw& draw) {
  Flow p{};
  p.capacity = draw.single(0, 1000);
  p.least_sine2 = draw.single(0, 0.01);
  p.load_most = 1e9F;
  p.load_limit = draw.single(0, 100);
  p.erode = draw.single(0, 1);
  p.deposit = draw.single(0, 1);
  p.limit = draw.single(0, 0.25);
  p.slack = draw.single(0, 5000);
  p.ramp = draw.single(1e-7, 1e-5);
  p.shields = draw.single(0, 5000);
  return p;
}

// Muck 2012, eqs 3.34-3.36, with unit discharge for speed; Shields' threshold of motion.
TEST(Formula, LoadCapacity) {
  Draw draw;
  for (int i = 0; i < cases; ++i) {
    Flow p = eroding(draw);
    const int water = draw.whole(0, 3000000);
    const float tilt = draw.single(0, 2), q = draw.single(0, 1e7);
    p.slope_x = p.slope_y = 1e-6F;
    const int rise = static_cast<int>(d(tilt) * 6e5), side = static_cast<int>(d(tilt) * 8e5);
    const float sine2 = tilt2(p, static_cast<float>(rise), static_cast<float>(-side));
    const double sine = std::sqrt(d(sine2));
    const double steep = std::max(std::sin(std::atan(d(tilt))), std::sqrt(d(p.least_sine2)));
    EXPECT_NEAR(sine, steep, 1e-5 * steep + 2e-6);
    const bool by_speed = i % 2 == 0, threshold = i % 3 == 0;
    const double ramped = std::min(1.0, water * d(p.ramp)) / std::max(water, 1);
    const double lifted = std::max(0.0, 1 - d(p.shields) / std::max(water * sine, 1e-3));
    EXPECT_NEAR(d(speed_factor(p, water)), ramped, 1e-6 * ramped);
    EXPECT_NEAR(d(shields_factor(p, water, sine2)), lifted, 2e-6 * (2 - lifted));
    const double factor = (by_speed ? ramped : 1) * (threshold ? lifted : 1);
    const double load = std::min(d(p.capacity) * sine * d(q) * factor, d(p.load_limit) * water);
    const float able = load_capacity(p, sine2, q * q) * static_cast<float>(factor);
    expect_close(d(load_held(p, able, static_cast<float>(water))), load, 1e-6, 0);
  }
}

// What moves is the rate's share of the difference, within a share of the way to the neighbours.
TEST(Formula, ExchangeStaysWithinItsLimits) {
  Draw draw;
  for (int i = 0; i < cases; ++i) {
    const Flow p = eroding(draw);
    const int sediment = draw.whole(0, 100000);
    const float below = draw.single(-1000, 50000), above = draw.single(-d(below), 100000);
    const float load = draw.single(0, 200000), erode = p.erode * draw.single(0, 4),
                r = draw.single(-0.499, 0.499);
    const int above_floor = draw.whole(0, 3000);
    const int moved = exchange(p, load, sediment, below, above, erode, above_floor, r);
    const double missing = d(load) - sediment;
    const double dig =
        std::min(missing * d(erode), d(p.limit) * std::max(0.0, d(below) + d(p.slack)));
    const double drop =
        std::min(-missing * d(p.deposit), d(p.limit) * std::max(0.0, d(above) + d(p.slack)));
    const double expected = missing > 0 ? std::min(std::rint(dig + d(r)), 1.0 * above_floor)
                                        : -std::min(std::rint(drop + d(r)), 1.0 * sediment);
    EXPECT_NEAR(moved, expected, 1 + 1e-6 * std::abs(expected));
    EXPECT_GE(moved, -sediment);
    EXPECT_LE(moved, above_floor);
  }
}

// Swenson & Patil 2019, section 3.1: abrasion by what passes, deposit of what exceeds solubility.
TEST(Formula, SheetExchange) {
  Draw draw;
  for (int i = 0; i < cases; ++i) {
    Flow p = eroding(draw);
    p.abrasion = draw.single(0, 1), p.solubility = draw.single(0, 2), p.deep = draw.single(0, 1e5);
    const int water = draw.whole(0, 100000), sediment = draw.whole(0, 100000),
              passed = draw.whole(0, 200000);
    const float below = draw.single(-1000, 50000), above = draw.single(-d(below), 100000);
    const float r = draw.single(-0.499, 0.499);
    const double dig = std::min(d(p.abrasion) * std::min(1.0 * passed, d(p.deep)),
                                d(p.limit) * std::max(0.0, d(below) + d(p.slack)));
    const double worn = std::rint(dig + d(r));
    const double drop = std::min(sediment + worn - d(p.solubility) * water,
                                 d(p.limit) * std::max(0.0, d(above) + d(p.slack)));
    const double expected = worn - std::min(std::rint(std::max(drop, 0.0) + d(r)), sediment + worn);
    EXPECT_NEAR(
        sheet_exchange(p, static_cast<float>(water), sediment, passed, below, above, SCREE_WALL, r),
        expected, 2 + 1e-6 * std::abs(expected));
  }
}

TEST(Formula, SlideMovesAShareOfTheExcess) {
  Draw draw;
  for (int i = 0; i < cases; ++i) {
    const int a = draw.whole(-1000000, 1000000), b = draw.whole(-1000000, 1000000);
    const float fa = draw.single(0.3, 2), fb = draw.single(0.3, 2);
    const float share = draw.single(0, 0.16), drop = draw.single(0, 1e6),
                r = draw.single(-0.499, 0.499);
    const int n = slide(a, b, fa, fb, SCREE_WALL, SCREE_WALL, share, drop, r);
    const double excess = std::abs(a - b) - d(drop) * d(a >= b ? fa : fb);
    const double amount = excess > 0 ? std::rint(d(share) * excess + d(r)) : 0;
    EXPECT_NEAR(n, a >= b ? amount : -amount, 1);
    EXPECT_EQ(slide(a, SCREE_WALL, fa, fb, SCREE_WALL, SCREE_WALL, share, drop, r), 0);
    EXPECT_EQ(slide(a, b, fa, fb, 0, 0, share, drop, r), 0) << "nothing lies over the floor";
  }
}

// Lines through Muck 2012, table 3.1: dry 1, damp steepest, saturated flattest.
TEST(Formula, WetnessFactorPassesThroughTheTable) {
  Draw draw;
  for (int i = 0; i < cases; ++i) {
    Thermal p{};
    p.damp_at = 0.3F, p.damp_factor = draw.single(0.5, 3), p.soaked_factor = draw.single(0.2, 1);
    p.wet_influence = draw.single(0, 1);
    const auto bent = [&](double factor) { return 1 + d(p.wet_influence) * (factor - 1); };
    EXPECT_NEAR(d(wetness_factor(p, 0)), 1, 1e-6);
    EXPECT_NEAR(d(wetness_factor(p, 0.3F)), bent(d(p.damp_factor)), 1e-5);
    EXPECT_NEAR(d(wetness_factor(p, 1)), bent(d(p.soaked_factor)), 1e-5);
    const float w = draw.single(0, 1);
    const double curve =
        w < 0.3F ? 1 + (d(p.damp_factor) - 1) * d(w) / 0.3
                 : d(p.damp_factor) + (d(p.soaked_factor) - d(p.damp_factor)) * (d(w) - 0.3) / 0.7;
    EXPECT_NEAR(d(wetness_factor(p, w)), bent(curve), 1e-5);
  }
}

}  // namespace
}  // namespace scree::testing
