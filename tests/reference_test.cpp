// Slow plain references: every pass over the whole of plain two-dimensional arrays, nothing fused,
// nothing rolling. They share the per-edge and per-cell functions with the kernels, so they must
// agree to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernel/heights/flow.h"
#include "kernel/heights/flow_ledger.h"
#include "kernel/heights/thermal.h"
#include "process/heights/sheet.h"
#include "process/heights/thermal.h"
#include "process/heights/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

constexpr int margin = 5;  // more than any pass reaches

// A plain array of width x height cells that can be asked a little beyond its borders.
template <class T>
class Plane {
 public:
  Plane(int width, int height)
      : width_(width),
        cells_(static_cast<std::size_t>((width + 2 * margin) * (height + 2 * margin))) {}
  T& operator()(int x, int y) {
    return cells_[static_cast<std::size_t>((y + margin) * (width_ + 2 * margin) + x + margin)];
  }
  const T& operator()(int x, int y) const { return const_cast<Plane&>(*this)(x, y); }

 private:
  int width_;
  std::vector<T> cells_;
};

struct Counts {
  long long rained = 0, evaporated = 0, water_left = 0, solids_left = 0, advected = 0;
};

class Reference {
 public:
  Reference(const Heightfield& terrain, const Borders& sides)
      : g(terrain.grid()),
        borders(sides),
        level(terrain.quantum().to_quanta(sides.level)),
        bed(g.width, g.height),
        water(bed),
        sediment(bed),
        east(g.width, g.height),
        south(east),
        se(east),
        sw(east),
        wetness(east) {
    load(terrain.raw("bed"), bed);
    load(terrain.raw("water"), water);
    load(terrain.raw("sediment"), sediment);
  }

  void flow_step(const Flow& p, int kind);
  void thermal_step(const Thermal& p);
  // Of sediment that the flow step left where it was.
  void advect(const Flow& p, bool correct);

  std::vector<std::int32_t> interior(const Plane<int>& plane) const {
    return taken<std::int32_t>(plane);
  }
  std::vector<float> interior(const Plane<float>& plane) const { return taken<float>(plane); }

 private:
  template <class F>
  void each(int around, F&& visit) const {
    for (int y = -around; y < g.height + around; ++y)
      for (int x = -around; x < g.width + around; ++x) visit(x, y);
  }
  template <class T, class U>
  std::vector<T> taken(const Plane<U>& plane) const {
    std::vector<T> values;
    each(0, [&](int x, int y) { values.push_back(plane(x, y)); });
    return values;
  }
  void load(const std::vector<std::int32_t>& values, Plane<int>& plane) {
    std::size_t i = 0;
    each(0, [&](int x, int y) { plane(x, y) = values[i++]; });
  }

  bool inside(int x, int y) const { return x >= 0 && y >= 0 && x < g.width && y < g.height; }
  bool wraps_x() const { return borders.west == BorderKind::wrap; }
  bool wraps_y() const { return borders.north == BorderKind::wrap; }
  int column(int x) const { return wraps_x() ? (x + 8 * g.width) % g.width : x; }
  int row(int y) const { return wraps_y() ? (y + 8 * g.height) % g.height : y; }
  uint hash(uint seed, int x, int y) const { return cell_hash(seed, column(x), row(y)); }
  bool beyond(BorderKind kind, int x, int y) const {
    return (x < 0 && borders.west == kind) || (x >= g.width && borders.east == kind) ||
           (y < 0 && borders.north == kind) || (y >= g.height && borders.south == kind);
  }
  // 1 where the edge from a cell inside to (x, y) leads out over an open side or into a lake.
  int leaves(int x, int y) const {
    return !inside(column(x), row(y)) &&
                   (beyond(BorderKind::open, x, y) || beyond(BorderKind::level, x, y))
               ? 1
               : 0;
  }

  void surround();
  void surround_fluxes(Plane<float>& flux, int to_x, int to_y);
  float flux_between(const Flow& p, int kind, float accelerate, float old, int xa, int ya, int xb,
                     int yb, const Plane<float>& discharge) const;
  int seen(int kind, int x, int y) const;
  float rise(int x, int y, int dx, int dy) const;
  Around gather(const Flow& p, int kind, int x, int y) const;
  void settle_all(const Flow& p, int kind);
  template <class T>
  static std::array<float, 4> around(const Plane<T>& plane, int x, int y, float u, float v);
  static float between(const std::array<float, 4>& corners, float u, float v);
  int slid(const Thermal& p, int xa, int ya, int xb, int yb, float share, float drop,
           float r) const;

  Plane<int> n_east{1, 1}, n_south{1, 1}, n_se{1, 1}, n_sw{1, 1};
  Plane<int> s_east{1, 1}, s_south{1, 1}, s_se{1, 1}, s_sw{1, 1};

 public:
  Grid g;
  Borders borders;
  int level;
  Plane<int> bed, water, sediment;
  Plane<float> east, south, se, sw, wetness;
  Counts counts;
};

// What lies beyond the borders: walls, a copy of the border that is dry or drowned, or the other
// side of the world.
void Reference::surround() {
  each(margin, [&](int x, int y) {
    if (inside(x, y)) return;
    const int fx = imin(imax(column(x), 0), g.width - 1), fy = imin(imax(row(y), 0), g.height - 1);
    const bool walled = beyond(BorderKind::closed, x, y) || bed(fx, fy) == SCREE_WALL;
    const bool drowned = beyond(BorderKind::level, x, y), dry = beyond(BorderKind::open, x, y);
    bed(x, y) = walled ? SCREE_WALL : bed(fx, fy);
    water(x, y) = walled ? 0 : (drowned ? imax(level - bed(x, y), 0) : (dry ? 0 : water(fx, fy)));
    sediment(x, y) = walled || drowned || dry ? 0 : sediment(fx, fy);
  });
  surround_fluxes(east, 1, 0);
  surround_fluxes(south, 0, 1);
  surround_fluxes(se, 1, 1);
  surround_fluxes(sw, -1, 1);
}

// An edge has a memory where it touches a cell of the domain, and none beyond.
void Reference::surround_fluxes(Plane<float>& flux, int to_x, int to_y) {
  const Plane<float> old = flux;
  each(margin - 1, [&](int x, int y) {
    const int fx = column(x), fy = row(y);
    const bool touches = inside(fx, fy) || inside(column(fx + to_x), row(fy + to_y)) ||
                         inside(column(x + to_x), row(y + to_y));
    flux(x, y) = touches ? old(fx, fy) : 0.0F;
  });
}

float Reference::flux_between(const Flow& p, int kind, float accelerate, float old, int xa, int ya,
                              int xb, int yb, const Plane<float>& discharge) const {
  const int a = bed(xa, ya) + water(xa, ya), b = bed(xb, yb) + water(xb, yb);
  const auto seen = [&](int x, int y) { return this->seen(kind, x, y); };
  // Nothing slips diagonally past the corner of a wall.
  if (xa != xb && ya != yb && imax(bed(xb, ya), bed(xa, yb)) == SCREE_WALL) return 0.0F;
  if (kind & FLOW_SHEET) return sheet_flux(p, seen(xa, ya), a, seen(xb, yb), b);
  return pipe_flux(p, accelerate, old, seen(xa, ya), a, seen(xb, yb), b, discharge(xa, ya),
                   discharge(xb, yb));
}

// A cell that is too high or full of load is a wall to its neighbours.
int Reference::seen(int kind, int x, int y) const {
  const bool carries = (kind & (FLOW_EROSION | FLOW_SHEET)) != 0;
  const bool high = bed(x, y) + water(x, y) > SCREE_LEVEL_LIMIT;
  return high || (carries && sediment(x, y) > SCREE_SEDIMENT_LIMIT) ? SCREE_WALL : bed(x, y);
}

// How much higher the bed of a neighbour is; of a wall, or seen from one, not at all.
float Reference::rise(int x, int y, int dx, int dy) const {
  const int from = bed(x, y), to = bed(x + dx, y + dy);
  return from == SCREE_WALL || to == SCREE_WALL ? 0.0F : static_cast<float>(to - from);
}

void Reference::flow_step(const Flow& p, int kind) {
  const bool eight = (kind & FLOW_EIGHT) != 0;
  surround();
  // speed
  Plane<float> discharge(g.width, g.height), zero(discharge);
  each(margin - 2, [&](int x, int y) {
    const float nw = se(x - 1, y - 1), ne = sw(x + 1, y - 1);
    discharge(x, y) =
        length_of(discharge2(p, flow_sum_x(east(x - 1, y), east(x, y), nw, se(x, y), ne, sw(x, y)),
                             flow_sum_y(south(x, y - 1), south(x, y), nw, se(x, y), ne, sw(x, y))));
  });
  // edge
  Plane<float> f_east(zero), f_south(zero), f_se(zero), f_sw(zero);
  each(margin - 2, [&](int x, int y) {
    f_east(x, y) = flux_between(p, kind, p.accelerate_x, east(x, y), x, y, x + 1, y, discharge);
    f_south(x, y) = flux_between(p, kind, p.accelerate_y, south(x, y), x, y, x, y + 1, discharge);
    if (!eight) return;
    f_se(x, y) = flux_between(p, kind, p.accelerate_d, se(x, y), x, y, x + 1, y + 1, discharge);
    f_sw(x, y) = flux_between(p, kind, p.accelerate_d, sw(x, y), x, y, x - 1, y + 1, discharge);
  });
  // scale
  Plane<float> scale(zero), load(zero);
  each(margin - 3, [&](int x, int y) {
    float out =
        outgoing(f_east(x, y), f_east(x - 1, y)) + outgoing(f_south(x, y), f_south(x, y - 1));
    if (eight)
      out = out +
            (outgoing(f_se(x, y), f_se(x - 1, y - 1)) + outgoing(f_sw(x, y), f_sw(x + 1, y - 1)));
    scale(x, y) = outflow_scale(p, water(x, y), out);
    load(x, y) = concentration(p, water(x, y), sediment(x, y));
  });
  // carry
  n_east = n_south = n_se = n_sw = s_east = s_south = s_se = s_sw = Plane<int>(g.width, g.height);
  const bool carries = (kind & (FLOW_EROSION | FLOW_SHEET)) && !(p.options & OPTION_NO_TRANSPORT);
  const auto carry = [&](const Plane<float>& f, int to_x, int to_y, uint which, Plane<float>& flux,
                         Plane<int>& n, Plane<int>& s) {
    each(1, [&](int x, int y) {
      const uint h = hash(p.step_seed, x, y);
      const Carried c =
          carried(p, carries, f(x, y), scale(x, y), load(x, y), scale(x + to_x, y + to_y),
                  load(x + to_x, y + to_y), rounding(h, which));
      flux(x, y) = c.flux, n(x, y) = c.water, s(x, y) = c.sediment;
    });
  };
  carry(f_east, 1, 0, SCREE_DRAW_A, east, n_east, s_east);
  carry(f_south, 0, 1, SCREE_DRAW_B, south, n_south, s_south);
  if (eight) carry(f_se, 1, 1, SCREE_DRAW_F, se, n_se, s_se);
  if (eight) carry(f_sw, -1, 1, SCREE_DRAW_G, sw, n_sw, s_sw);
  settle_all(p, kind);
}

Around Reference::gather(const Flow& p, int kind, int x, int y) const {
  Around c{};
  c.bed = bed(x, y), c.water = water(x, y), c.sediment = sediment(x, y);
  c.water_gain = n_east(x - 1, y) - n_east(x, y) + n_south(x, y - 1) - n_south(x, y) +
                 n_se(x - 1, y - 1) - n_se(x, y) + n_sw(x + 1, y - 1) - n_sw(x, y);
  c.sediment_gain = s_east(x - 1, y) - s_east(x, y) + s_south(x, y - 1) - s_south(x, y) +
                    s_se(x - 1, y - 1) - s_se(x, y) + s_sw(x + 1, y - 1) - s_sw(x, y);
  if (kind & FLOW_SHEET)
    c.water_passed = std::abs(n_east(x - 1, y)) + std::abs(n_east(x, y)) +
                     std::abs(n_south(x, y - 1)) + std::abs(n_south(x, y));
  c.below = c.above = -std::numeric_limits<float>::max();
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      if ((dx == 0 && dy == 0) || (dx != 0 && dy != 0 && !(kind & FLOW_EIGHT))) continue;
      c.above = std::max(c.above, rise(x, y, dx, dy));
      c.below = std::max(c.below, -rise(x, y, dx, dy));
    }
  const float nw = se(x - 1, y - 1), ne = sw(x + 1, y - 1);
  const float q2 = discharge2(p, flow_sum_x(east(x - 1, y), east(x, y), nw, se(x, y), ne, sw(x, y)),
                              flow_sum_y(south(x, y - 1), south(x, y), nw, se(x, y), ne, sw(x, y)));
  c.rain = p.rain;
  c.erode = p.erode;
  c.shut = seen(kind, x, y) == SCREE_WALL ? 1 : 0;
  c.sink = 0;
  const float sine2 =
      tilt2(p, rise(x, y, 1, 0) - rise(x, y, -1, 0), rise(x, y, 0, 1) - rise(x, y, 0, -1));
  float factor = 1.0F;
  if (p.options & OPTION_SPEED_CAPACITY) factor = speed_factor(p, c.water);
  if (p.options & OPTION_SHIELDS) factor = factor * shields_factor(p, c.water, sine2);
  c.capacity = load_capacity(p, sine2, q2) * factor;
  c.above_floor = SCREE_WALL;
  return c;
}

void Reference::settle_all(const Flow& p, int kind) {
  Plane<int> bed2 = bed, water2 = water, sediment2 = sediment;
  each(0, [&](int x, int y) {
    const auto crossed = [&](const Plane<int>& e, const Plane<int>& s, const Plane<int>& d,
                             const Plane<int>& c) {
      return leaves(x + 1, y) * e(x, y) - leaves(x - 1, y) * e(x - 1, y) +
             leaves(x, y + 1) * s(x, y) - leaves(x, y - 1) * s(x, y - 1) +
             leaves(x + 1, y + 1) * d(x, y) - leaves(x - 1, y - 1) * d(x - 1, y - 1) +
             leaves(x - 1, y + 1) * c(x, y) - leaves(x + 1, y - 1) * c(x + 1, y - 1);
    };
    counts.water_left += crossed(n_east, n_south, n_se, n_sw);
    counts.solids_left += crossed(s_east, s_south, s_se, s_sw);
    if (bed(x, y) == SCREE_WALL) return;
    const Settled done = settle(p, kind, p.options, gather(p, kind, x, y), hash(p.step_seed, x, y));
    bed2(x, y) = done.bed, water2(x, y) = done.water;
    if (kind & (FLOW_EROSION | FLOW_SHEET)) sediment2(x, y) = done.sediment;
    counts.rained += done.rain;
    counts.evaporated += done.evaporated;
  });
  bed = bed2, water = water2, sediment = sediment2;
}

// Semi-Lagrangian transport (Muck 2012, eqs 3.41-3.44): what a cell holds next is what lies where
// its water came from. The four cells around a point (u, v) cells away; a point that is exactly
// two cells away to the east or south lies on the far side of its four.
constexpr float farthest = 2;

int cells_before(float way) { return std::min(static_cast<int>(std::floor(way)), 1); }

template <class T>
std::array<float, 4> Reference::around(const Plane<T>& plane, int x, int y, float u, float v) {
  const int cx = x + cells_before(u), cy = y + cells_before(v);
  return {static_cast<float>(plane(cx, cy)), static_cast<float>(plane(cx + 1, cy)),
          static_cast<float>(plane(cx, cy + 1)), static_cast<float>(plane(cx + 1, cy + 1))};
}

float Reference::between(const std::array<float, 4>& corners, float u, float v) {
  // Rounded as the kernel rounds: counted from two cells away.
  const float fx = (u + farthest) - static_cast<float>(cells_before(u) + 2);
  const float fy = (v + farthest) - static_cast<float>(cells_before(v) + 2);
  const float north = corners[0] + (corners[1] - corners[0]) * fx;
  const float south = corners[2] + (corners[3] - corners[2]) * fx;
  return north + (south - north) * fy;
}

void Reference::advect(const Flow& p, bool correct) {
  surround();
  Plane<float> u(g.width, g.height), v(u), ahead(u);
  each(0, [&](int x, int y) {
    const float nw = se(x - 1, y - 1), ne = sw(x + 1, y - 1);
    const float per_depth = 1.0F / static_cast<float>(std::max(water(x, y), 1));
    const float along_x = flow_sum_x(east(x - 1, y), east(x, y), nw, se(x, y), ne, sw(x, y));
    const float along_y = flow_sum_y(south(x, y - 1), south(x, y), nw, se(x, y), ne, sw(x, y));
    u(x, y) = std::clamp(along_x * (0.5F * p.dt) * per_depth, -farthest, farthest);
    v(x, y) = std::clamp(along_y * (0.5F * p.dt) * per_depth, -farthest, farthest);
    const auto upstream = around(sediment, x, y, -u(x, y), -v(x, y));
    ahead(x, y) = between(upstream, -u(x, y), -v(x, y));
  });
  each(margin, [&](int x, int y) {
    const int fx = imin(imax(column(x), 0), g.width - 1), fy = imin(imax(row(y), 0), g.height - 1);
    if (!inside(x, y)) ahead(x, y) = ahead(fx, fy);
  });
  Plane<int> next = sediment;
  each(0, [&](int x, int y) {
    float value = ahead(x, y);
    if (correct) {
      const float again = between(around(ahead, x, y, u(x, y), v(x, y)), u(x, y), v(x, y));
      const auto upstream = around(sediment, x, y, -u(x, y), -v(x, y));
      value = value + (static_cast<float>(sediment(x, y)) - again) * 0.5F;
      value = std::clamp(value, *std::min_element(upstream.begin(), upstream.end()),
                         *std::max_element(upstream.begin(), upstream.end()));
    }
    const float r = rounding(hash(p.step_seed, x, y), SCREE_DRAW_F);
    next(x, y) = bed(x, y) == SCREE_WALL ? 0 : to_quanta(std::max(value, 0.0F), r);
    counts.advected += next(x, y) - sediment(x, y);
  });
  sediment = next;
}

int Reference::slid(const Thermal& p, int xa, int ya, int xb, int yb, float share, float drop,
                    float r) const {
  const auto over = [&](int x, int y) {
    return !inside(column(x), row(y)) &&
           (beyond(BorderKind::open, x, y) || beyond(BorderKind::level, x, y));
  };
  if (over(xa, ya) || over(xb, yb)) return 0;
  if (xa != xb && ya != yb && imax(bed(xb, ya), bed(xa, yb)) == SCREE_WALL) return 0;
  return slide(bed(xa, ya), bed(xb, yb), talus_factor(p, wetness(xa, ya), 1.0F),
               talus_factor(p, wetness(xb, yb), 1.0F), SCREE_WALL, SCREE_WALL, share, drop, r);
}

void Reference::thermal_step(const Thermal& p) {
  surround();
  each(margin, [&](int x, int y) {
    const int fx = imin(imax(column(x), 0), g.width - 1), fy = imin(imax(row(y), 0), g.height - 1);
    if (!inside(x, y)) wetness(x, y) = wetness(fx, fy);
  });
  Plane<int> next = bed;
  each(1, [&](int x, int y) {
    const uint h = hash(p.step_seed, x, y);
    const auto move = [&](int to_x, int to_y, float share, float drop, uint which) {
      const int n = slid(p, x, y, x + to_x, y + to_y, share, drop, rounding(h, which));
      next(x, y) -= n;
      next(x + to_x, y + to_y) += n;
    };
    move(1, 0, p.share_x, p.drop_x, SCREE_DRAW_A);
    move(0, 1, p.share_y, p.drop_y, SCREE_DRAW_B);
    move(1, 1, p.share_d, p.drop_d, SCREE_DRAW_C);
    move(-1, 1, p.share_d, p.drop_d, SCREE_DRAW_D);
  });
  bed = next;
}

// ---- scenes --------------------------------------------------------------------------------

constexpr int width = 23, height = 17, steps = 50;

std::vector<float> holed_heights() {
  std::vector<float> heights = rough_heights(width, height, 40, 11);
  for (const int hole : {4 * width + 7, 4 * width + 8, 5 * width + 8, 6 * width + 9, 0})
    heights[static_cast<std::size_t>(hole)] = std::numeric_limits<float>::quiet_NaN();
  return heights;
}

std::vector<Borders> every_border() {
  return {Borders::all(BorderKind::wrap),
          Borders::all(BorderKind::open),
          Borders::all(BorderKind::closed),
          Borders::all(BorderKind::level, 22),
          {BorderKind::wrap, BorderKind::wrap, BorderKind::open, BorderKind::closed, 0},
          {BorderKind::level, BorderKind::open, BorderKind::wrap, BorderKind::wrap, 15}};
}

Landscape holed_land(const device::DevicePtr& device, const Borders& borders) {
  Landscape land = land_of(device, {width, height, 4, 6}, holed_heights(), borders);
  Heightfield& terrain = land.single();
  terrain.set_values("water",
                     field_of(width, height, [](int x, int y) { return (x * y) % 5 * 0.3; }));
  terrain.set_values("sediment",
                     field_of(width, height, [](int x, int y) { return (x + y) % 3 * 0.01; }));
  return land;
}

void expect_state(const Heightfield& terrain, const Reference& reference) {
  EXPECT_EQ(terrain.raw("bed"), reference.interior(reference.bed));
  EXPECT_EQ(terrain.raw("water"), reference.interior(reference.water));
  EXPECT_EQ(terrain.raw("sediment"), reference.interior(reference.sediment));
}

void expect_counts(const Ledger& ledger, const Counts& counts) {
  EXPECT_EQ(ledger.rained, counts.rained);
  EXPECT_EQ(ledger.evaporated, counts.evaporated);
  EXPECT_EQ(ledger.water_left, counts.water_left);
  EXPECT_EQ(ledger.solids_left, counts.solids_left);
}

class FlowReference : public ::testing::TestWithParam<const char*> {};

TEST_P(FlowReference, AgreesToTheBit) {
  WaterParameters water;
  water.neighbours = GetParam();
  water.rain = 1e-3;
  water.evaporation = 1e-2;
  water.evaporation_depth = 1e-5;
  water.dampening = 0.01;
  HydraulicParameters erosion;
  const int eight = water.neighbours == "8" ? FLOW_EIGHT : 0;
  for (const int kind : {0, 1, 2}) {  // water alone, the default erosion, the options of Muck 2012
    const bool erodes = kind > 0;
    erosion.capacity_form = kind == 2 ? "speed" : "discharge";
    erosion.constants = kind == 2 ? "material" : "given";
    erosion.grain_size = 1e-4;
    for (const Borders& borders : every_border())
      for (const Backend& backend : all_backends()) {
        SCOPED_TRACE(backend.label);
        Landscape land = holed_land(backend.device, borders);
        Heightfield& terrain = land.single();
        const auto process = [&] {
          return std::make_unique<Water>(water, std::vector<SpringParameters>{},
                                         erodes ? std::optional(erosion) : std::nullopt);
        };
        Simulation simulation(land, process_list(process()));
        Reference reference(terrain, borders);
        const auto same = process();
        for (int i = 0; i < steps; ++i) {
          simulation.step();
          const StepContext context{simulation.dt(), static_cast<std::uint64_t>(i), 1};
          reference.flow_step(same->flow_numbers(terrain, context),
                              eight | (erodes ? FLOW_EROSION : 0));
        }
        expect_state(terrain, reference);
        expect_counts(simulation.ledger(), reference.counts);
        EXPECT_EQ(raw_floats(terrain, "flux.x"), reference.interior(reference.east));
        EXPECT_EQ(raw_floats(terrain, "flux.y"), reference.interior(reference.south));
        if (!eight) continue;
        EXPECT_EQ(raw_floats(terrain, "flux.se"), reference.interior(reference.se));
        EXPECT_EQ(raw_floats(terrain, "flux.sw"), reference.interior(reference.sw));
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Neighbours, FlowReference, ::testing::Values("4", "8"));

TEST(Reference, SemiLagrangianTransportAgreesToTheBit) {
  WaterParameters water;
  water.rain = 1e-3;
  HydraulicParameters erosion;
  for (const char* transport : {"euler", "maccormack"}) {
    erosion.transport = transport;
    water.neighbours = erosion.transport == "euler" ? "4" : "8";
    const int kind = FLOW_EROSION | (water.neighbours == "8" ? FLOW_EIGHT : 0);
    for (const Borders& borders : every_border())
      for (const Backend& backend : all_backends()) {
        SCOPED_TRACE(backend.label + ", " + transport);
        Landscape land = holed_land(backend.device, borders);
        Heightfield& terrain = land.single();
        const auto process = [&] {
          return std::make_unique<Water>(water, std::vector<SpringParameters>{}, erosion);
        };
        Simulation simulation(land, process_list(process()));
        Reference reference(terrain, borders);
        const auto same = process();
        for (int i = 0; i < steps / 2; ++i) {
          simulation.step();
          const Flow numbers =
              same->flow_numbers(terrain, {simulation.dt(), static_cast<std::uint64_t>(i), 1});
          reference.flow_step(numbers, kind);
          reference.advect(numbers, erosion.transport == "maccormack");
        }
        expect_state(terrain, reference);
        expect_counts(simulation.ledger(), reference.counts);
        EXPECT_EQ(simulation.ledger().advected, reference.counts.advected);
        EXPECT_NE(reference.counts.advected, 0);
      }
  }
}

TEST(Reference, SheetAgreesToTheBit) {
  SheetParameters sheet;
  sheet.rain = 0.3;
  sheet.evaporation = 0.1;
  for (const Borders& borders : every_border())
    for (const Backend& backend : all_backends()) {
      SCOPED_TRACE(backend.label);
      Landscape land = holed_land(backend.device, borders);
      Heightfield& terrain = land.single();
      Simulation simulation(land, process_list(std::make_unique<SheetErosion>(sheet)));
      Reference reference(terrain, borders);
      const SheetErosion same(sheet);
      for (int i = 0; i < steps; ++i) {
        simulation.step();
        reference.flow_step(
            same.flow_numbers(terrain, {simulation.dt(), static_cast<std::uint64_t>(i), 1}),
            FLOW_SHEET);
      }
      expect_state(terrain, reference);
      expect_counts(simulation.ledger(), reference.counts);
    }
}

TEST(Reference, ThermalAgreesToTheBit) {
  ThermalParameters slopes;
  slopes.wetness_influence = 0.7;
  for (const Borders& borders : every_border())
    for (const Backend& backend : all_backends()) {
      SCOPED_TRACE(backend.label);
      Landscape land = holed_land(backend.device, borders);
      Heightfield& terrain = land.single();
      Simulation simulation(land, process_list(std::make_unique<ThermalWeathering>(slopes)));
      const auto damp =
          field_of(width, height, [](int x, int y) { return (x * 3 + y) % 11 / 10.0; });
      terrain.set_values("wetness", damp);
      Reference reference(terrain, borders);
      std::size_t i = 0;
      // Nodata cells have no wetness.
      const auto stored = raw_floats(terrain, "wetness");
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) reference.wetness(x, y) = stored[i++];
      const ThermalWeathering same(slopes);
      const auto before = terrain.raw("bed");
      for (int step = 0; step < steps; ++step) {
        simulation.step();
        reference.thermal_step(
            same.thermal_numbers(terrain, {simulation.dt(), static_cast<std::uint64_t>(step), 1}));
      }
      expect_state(terrain, reference);
      EXPECT_NE(terrain.raw("bed"), before) << "nothing slid";
    }
}

}  // namespace
}  // namespace scree::testing
