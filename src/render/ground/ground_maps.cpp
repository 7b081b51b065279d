#include "render/ground/ground_maps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/progress.h"
#include "render/ground/horizon.h"
#include "render/ground/water.h"
#include "render/look/parallel.h"
#include "render/look/statistics.h"

namespace scree::render {
namespace {

// Light is soft: finer cells than this cost time and show nothing.
constexpr int most_light_cells = 2048;

void check_field(const Ground& ground, const std::vector<float>& field, const char* name) {
  const std::size_t cells =
      static_cast<std::size_t>(ground.width) * static_cast<std::size_t>(ground.height);
  if (!field.empty() && field.size() != cells)
    throw Error(text(ground.name, ": ", name, " has ", field.size(), " values, expected ",
                     ground.width, " x ", ground.height));
}

void check(const Ground& ground) {
  if (ground.width < 2 || ground.height < 2)
    throw Error(text(ground.name, ": expected at least 2 x 2 cells, found ", ground.width, " x ",
                     ground.height));
  if (!(ground.dx > 0) || !(ground.dy > 0))
    throw Error(
        text(ground.name, ": the cell size must be above 0 m, got ", ground.dx, " x ", ground.dy));
  if (ground.bed.empty()) throw Error(text(ground.name, ": the ground has no bed"));
  check_field(ground, ground.bed, "bed");
  check_field(ground, ground.water, "water");
  check_field(ground, ground.sediment, "sediment");
  check_field(ground, ground.deposit, "deposit");
  check_field(ground, ground.wear, "wear");
  check_field(ground, ground.flow, "flow");
  check_field(ground, ground.velocity_x, "velocity_x");
  check_field(ground, ground.velocity_y, "velocity_y");
  if (std::none_of(ground.bed.begin(), ground.bed.end(), [](float z) { return std::isfinite(z); }))
    throw Error(text(ground.name, ": no cell of the ground holds data"));
}

std::uint8_t to_byte(float share) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(share, 0.0f, 1.0f)));
}

// A field's share of what is much of it; 0 where there is no such field. Less than `least` metres
// is not much anywhere.
class Share {
 public:
  Share(const std::vector<float>& field, float least)
      : field_(field),
        scale_(std::max(percentile(field, 0.97, 0, [](float v) { return v > 0; }), least)) {}
  float at(std::size_t i) const {
    return !field_.empty() && field_[i] > 0 ? std::min(1.0f, field_[i] / scale_) : 0.0f;
  }

 private:
  const std::vector<float>& field_;
  float scale_;
};

// A soft mean of every `step`th cell over a few of them, along rows and then along columns. What a
// simulation leaves cell by cell is no more than grain to the eye.
void blur(std::vector<float>& field, int width, int height, int step = 1) {
  constexpr std::array<float, 4> weights{0.28f, 0.22f, 0.11f, 0.03f};
  const auto row = static_cast<std::size_t>(width);
  const auto mean = [&](const auto& at) {
    float sum = weights[0] * at(0);
    for (int n = 1; n < 4; ++n)
      sum += weights[static_cast<std::size_t>(n)] * (at(-n * step) + at(n * step));
    return sum;
  };
  std::vector<float> across(field.size());
  parallel_ranges(height, 0, [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      const float* from = &field[row * static_cast<std::size_t>(y)];
      float* to = &across[row * static_cast<std::size_t>(y)];
      // Beyond the border lies what is at it.
      const int first = std::min(3 * step, width), last = std::max(first, width - 3 * step);
      const auto at_border = [&](int x) {
        to[x] = mean([&](int n) { return from[std::clamp(x + n, 0, width - 1)]; });
      };
      for (int x = 0; x < first; ++x) at_border(x);
      for (int x = first; x < last; ++x) to[x] = mean([&](int n) { return from[x + n]; });
      for (int x = last; x < width; ++x) at_border(x);
    }
  });
  parallel_ranges(height, 0, [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      std::array<const float*, 7> rows{};
      for (int n = -3; n <= 3; ++n)
        rows[static_cast<std::size_t>(n + 3)] =
            &across[row * static_cast<std::size_t>(std::clamp(y + n * step, 0, height - 1))];
      float* to = &field[row * static_cast<std::size_t>(y)];
      for (std::size_t x = 0; x < row; ++x) {
        float sum = weights[0] * rows[3][x];
        for (std::size_t n = 1; n < 4; ++n) sum += weights[n] * (rows[3 - n][x] + rows[3 + n][x]);
        to[x] = sum;
      }
    }
  });
}

// Stretches of water: lone cells fade, and gaps of a cell close. The shore is where cover passes
// shore_cover (shader/ground.frag), between cells as well.
SeenWater calm_water(const Ground& ground, const Look& look) {
  if (!look.relief.show_water) return {};
  // Seen from the side, specks of water are blots.
  SeenWater water = seen_water(ground.as_relief(), look.relief, film_in_pictures,
                               std::max(least_water, ground.water.size() / 4000));
  if (water.cover.empty()) return water;
  blur(water.cover, ground.width, ground.height);
  blur(water.depth, ground.width, ground.height);
  return water;
}

// What the eye sees move is the water's bulk: what flows over a few cells, over how much there is.
// Films that rush over a shore stay unseen.
std::vector<float> bulk_velocity(const Ground& ground, const std::vector<float>& velocity,
                                 const SeenWater& water) {
  if (velocity.empty() || water.cover.empty()) return {};
  std::vector<float> moved(velocity.size());
  for (std::size_t i = 0; i < moved.size(); ++i)
    moved[i] = velocity[i] * std::max(0.0f, ground.water[i]);
  blur(moved, ground.width, ground.height);
  for (std::size_t i = 0; i < moved.size(); ++i)
    moved[i] = std::clamp(moved[i] / std::max(water.depth[i], water.film), -6.0f, 6.0f);
  return moved;
}

// What was laid down and what was worn away.
void set_laid_and_worn(GroundMaps& maps, const Ground& ground) {
  std::vector<float> laid = ground.deposit;
  if (!laid.empty()) blur(laid, ground.width, ground.height);
  constexpr float least_seen = 0.02f;  // of a cell's length
  const float least = least_seen * static_cast<float>(std::min(ground.dx, ground.dy));
  const Share deposit(laid, least), wear(ground.wear, least);
  maps.matter.resize(4 * ground.bed.size());
  parallel_ranges(ground.height, 0, [&](int begin, int end) {
    const auto row = static_cast<std::size_t>(ground.width);
    for (std::size_t i = row * static_cast<std::size_t>(begin);
         i < row * static_cast<std::size_t>(end); ++i) {
      maps.matter[4 * i] = to_byte(deposit.at(i));
      maps.matter[4 * i + 1] = to_byte(wear.at(i));
    }
  });
}

// Water and its velocity, and how wet the ground is.
void set_water(GroundMaps& maps, const Ground& ground, const SeenWater& water) {
  maps.water_deep = water.deep;
  maps.has_water =
      std::any_of(water.cover.begin(), water.cover.end(), [](float c) { return c > 0; });
  const std::vector<float> east = bulk_velocity(ground, ground.velocity_x, water),
                           north = bulk_velocity(ground, ground.velocity_y, water);
  stop_if_cancelled();
  maps.water.assign(4 * ground.bed.size(), 0.0f);
  parallel_ranges(ground.height, 0, [&](int begin, int end) {
    const auto row = static_cast<std::size_t>(ground.width);
    for (std::size_t i = row * static_cast<std::size_t>(begin);
         i < row * static_cast<std::size_t>(end); ++i) {
      float wet = ground.flow.empty() ? 0.0f : ground.flow[i];
      if (!water.cover.empty()) {
        maps.water[4 * i] = water.cover[i];
        maps.water[4 * i + 1] = water.depth[i];
        // Most of all along a shore; what is too little to be shown leaves a trace.
        const float damp = 0.2f + 0.5f * std::min(1.0f, 4 * water.cover[i]);
        wet = std::max(wet, std::min(1.0f, damp * water.depth[i] / std::max(water.film, 1e-6f)));
      }
      if (!east.empty() && !north.empty()) {
        maps.water[4 * i + 2] = east[i];
        maps.water[4 * i + 3] = north[i];
      }
      maps.matter[4 * i + 2] = to_byte(wet);
    }
  });
}

// The surface without what is as small as a few cells.
std::vector<float> smooth_surface(const GroundMaps& maps) {
  std::vector<float> near = maps.surface;
  blur(near, maps.width, maps.height);
  return near;
}

// 0 on a crest, 1 in a hollow, a half where the ground is even: by how much it lies below what is
// around, over a few cells and over many.
void set_hollows(GroundMaps& maps, const std::vector<float>& near) {
  std::vector<float> wide = near;
  blur(wide, maps.width, maps.height, 4);
  const float scale = 1 / (maps.exaggeration * std::sqrt(maps.dx * maps.dy));
  parallel_ranges(maps.height, 0, [&](int begin, int end) {
    const auto row = static_cast<std::size_t>(maps.width);
    for (std::size_t i = row * static_cast<std::size_t>(begin);
         i < row * static_cast<std::size_t>(end); ++i) {
      const float z = maps.surface[i];
      maps.matter[4 * i + 3] =
          to_byte(0.5f + scale * (0.45f * (near[i] - z) + 0.14f * (wide[i] - z)));
    }
  });
}

// The surface above the height that becomes 0, exaggerated; nodata is NaN.
struct Surface {
  std::vector<float> heights;
  float zero = 0;
  float high = 0;
};

Surface surface_of(const Ground& ground, const SeenWater& water, float exaggeration) {
  Surface surface;
  surface.heights = ground.bed;
  for (std::size_t i = 0; i < water.cover.size(); ++i)
    surface.heights[i] += smoothstep(0.3f, 0.6f, water.cover[i]) * std::max(0.0f, ground.water[i]);
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (const float z : surface.heights)
    if (!std::isnan(z)) {
      low = std::min(low, z);
      high = std::max(high, z);
    }
  stop_if_cancelled();
  surface.zero = low;
  for (float& z : surface.heights) z = (z - low) * exaggeration;
  surface.high = (high - low) * exaggeration;
  return surface;
}

void set_surface(GroundMaps& maps, Surface surface) {
  maps.surface = std::move(surface.heights);
  maps.zero = surface.zero;
  maps.high = surface.high;
  const float extent =
      std::max(maps.dx * static_cast<float>(maps.width), maps.dy * static_cast<float>(maps.height));
  maps.base = -std::max(0.035f * extent, 0.1f * maps.high);
}

// What nodata leaves: which cells are solid, and there is something smooth beyond their rim.
void set_holes(GroundMaps& maps) {
  if (std::none_of(maps.surface.begin(), maps.surface.end(), [](float z) { return std::isnan(z); }))
    return;
  maps.solid = {maps.width, maps.height, {}};
  for (const float z : maps.surface) maps.solid.cells.push_back(std::isnan(z) ? 0 : 1);
  const Nearest nearest =
      nearest_solid(maps.solid, static_cast<double>(maps.dx), static_cast<double>(maps.dy));
  fill_holes(maps.surface, nearest, 1);
  fill_holes(maps.water, nearest, 4);
  fill_holes(maps.matter, nearest, 4);
}

// The surface with NaN where there is none.
std::vector<float> with_holes(const GroundMaps& maps) {
  std::vector<float> z = maps.surface;
  for (std::size_t i = 0; i < maps.solid.cells.size(); ++i)
    if (maps.solid.cells[i] == 0) z[i] = std::numeric_limits<float>::quiet_NaN();
  return z;
}

// Means of step x step cells, for light alone; NaN where none of them holds data.
std::vector<float> coarser(const GroundMaps& maps) {
  const int step = maps.light_step;
  std::vector<float> means(static_cast<std::size_t>(maps.light_width) *
                           static_cast<std::size_t>(maps.light_height));
  parallel_ranges(maps.light_height, 0, [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < maps.light_width; ++x) {
        float sum = 0;
        int count = 0;
        for (int j = y * step; j < std::min(maps.height, (y + 1) * step); ++j)
          for (int i = x * step; i < std::min(maps.width, (x + 1) * step); ++i) {
            if (!maps.solid.at(i, j)) continue;
            ++count;
            sum += maps.surface[static_cast<std::size_t>(j) * static_cast<std::size_t>(maps.width) +
                                static_cast<std::size_t>(i)];
          }
        means[static_cast<std::size_t>(y) * static_cast<std::size_t>(maps.light_width) +
              static_cast<std::size_t>(x)] = sum / static_cast<float>(count);
      }
  });
  return means;
}

// Rise a metre, eastward and northward; over both neighbours, or the one that is there. NaN in z is
// nodata.
void set_gradient(GroundMaps& maps, const std::vector<float>& z, float dx, float dy) {
  const int w = maps.light_width, h = maps.light_height;
  const auto at = [&](int x, int y) {
    return z[static_cast<std::size_t>(y) * static_cast<std::size_t>(w) +
             static_cast<std::size_t>(x)];
  };
  parallel_ranges(h, 0, [&](int begin, int end) {
    for (int y = begin; y < end; ++y)
      for (int x = 0; x < w; ++x) {
        const auto there = [&](int i, int j) {
          return i >= 0 && j >= 0 && i < w && j < h && !std::isnan(at(i, j));
        };
        if (!there(x, y)) continue;
        const int west = there(x - 1, y) ? x - 1 : x, east = there(x + 1, y) ? x + 1 : x;
        const int north = there(x, y - 1) ? y - 1 : y, south = there(x, y + 1) ? y + 1 : y;
        float* cell = &maps.light[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(w) +
                                       static_cast<std::size_t>(x))];
        cell[0] = (at(east, y) - at(west, y)) / (dx * static_cast<float>(std::max(1, east - west)));
        cell[1] =
            (at(x, north) - at(x, south)) / (dy * static_cast<float>(std::max(1, south - north)));
      }
  });
}

// None at the rim of a hole, whose wall stands where its cells are.
void set_cliffs(GroundMaps& maps, const std::vector<float>& near) {
  maps.cliffs = cliff_cells({maps.surface, near, maps.width, maps.height, maps.dx, maps.dy});
  if (!maps.has_holes()) return;
  std::erase_if(maps.cliffs, [&](const CliffCell& cliff) {
    const int x = static_cast<int>(cliff.index) % maps.width,
              y = static_cast<int>(cliff.index) / maps.width;
    bool solid = true;
    for (int j = y - 1; j <= y + 1; ++j)
      for (int i = x - 1; i <= x + 1; ++i) solid = solid && maps.solid.at(i, j);
    return !solid;
  });
}

// The edges of a cliff face where its curve does, not where their own steps do.
void turn_cliffs(GroundMaps& maps, const std::vector<CliffCell>& cliffs) {
  for (const CliffCell& cliff : cliffs) {
    float* cell = &maps.light[4 * static_cast<std::size_t>(cliff.index)];
    const float rise = std::hypot(cell[0], cell[1]);
    cell[0] = std::lerp(cell[0], rise * cliff.up_east, cliff.share);
    cell[1] = std::lerp(cell[1], rise * cliff.up_north, cliff.share);
  }
}

// The block and the plain on which it stands, away from the sun as far as its shadow reaches, on
// cells that are as high as the highest place in them.
struct Surroundings {
  Surroundings(const GroundMaps& maps, const Look& look) : maps_(maps) {
    constexpr double degree = 0.017453292519943295, least_altitude = 4;
    constexpr int cells = 768;
    const double half_x = half_width(), half_y = half_depth();
    const double high = static_cast<double>(maps.high - maps.base);
    const double altitude = std::max(look.sun_altitude, least_altitude) * degree;
    const double reach = std::min(high / std::tan(std::min(altitude, 89 * degree)) +
                                      2 * high * look.sun_softness * degree / std::sin(altitude),
                                  5 * std::max(half_x, half_y));
    const double away_x = -std::sin(look.sun_azimuth * degree) * reach,
                 away_y = -std::cos(look.sun_azimuth * degree) * reach;
    const double across = 2 * half_x + std::abs(away_x), down = 2 * half_y + std::abs(away_y);
    cell =
        std::max(std::max(across, down) / cells, static_cast<double>(std::min(maps.dx, maps.dy)));
    // A few cells more, so that the shadow ends within.
    width = static_cast<int>(across / cell) + 9;
    height = static_cast<int>(down / cell) + 9;
    west = std::min(0.0, away_x) - half_x - 4 * cell;
    north = std::max(0.0, away_y) + half_y + 4 * cell;
  }

  std::vector<float> heights() const {
    std::vector<float> z(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    parallel_ranges(height, 0, [&](int begin, int end) {
      for (int j = begin; j < end; ++j)
        for (int i = 0; i < width; ++i)
          z[static_cast<std::size_t>(j) * static_cast<std::size_t>(width) +
            static_cast<std::size_t>(i)] = highest(west + i * cell, north - j * cell);
    });
    return z;
  }

  // Metres to the nearest ground, from its heights.
  std::vector<float> past(const std::vector<float>& z) const {
    Solid solid{width, height, {}};
    for (const float height_there : z) solid.cells.push_back(height_there > maps_.base ? 1 : 0);
    return nearest_solid(solid, cell, cell).metres;
  }

  int width = 0, height = 0;
  double west = 0, north = 0, cell = 1;

 private:
  double half_width() const { return 0.5 * static_cast<double>(maps_.dx) * (maps_.width - 1); }
  double half_depth() const { return 0.5 * static_cast<double>(maps_.dy) * (maps_.height - 1); }

  float highest(double x, double y) const {
    if (std::abs(x) > half_width() || std::abs(y) > half_depth()) return maps_.base;
    const auto dx = static_cast<double>(maps_.dx), dy = static_cast<double>(maps_.dy);
    const double column = (x + half_width()) / dx, row = (half_depth() - y) / dy;
    const double around_x = 0.5 * cell / dx, around_y = 0.5 * cell / dy;
    float most = maps_.base;
    for (int j = std::max(0, static_cast<int>(std::lround(row - around_y)));
         j <= std::min(maps_.height - 1, static_cast<int>(std::lround(row + around_y))); ++j)
      for (int i = std::max(0, static_cast<int>(std::lround(column - around_x)));
           i <= std::min(maps_.width - 1, static_cast<int>(std::lround(column + around_x))); ++i) {
        if (!maps_.solid.at(i, j)) continue;
        most = std::max(
            most,
            maps_.surface[static_cast<std::size_t>(j) * static_cast<std::size_t>(maps_.width) +
                          static_cast<std::size_t>(i)]);
      }
    return most;
  }

  const GroundMaps& maps_;
};

void shade_plain(GroundMaps& maps, const Look& look) {
  const Surroundings around(maps, look);
  maps.plain_width = around.width;
  maps.plain_height = around.height;
  maps.plain_west = static_cast<float>(around.west);
  maps.plain_north = static_cast<float>(around.north);
  maps.plain_cell = static_cast<float>(around.cell);
  const std::vector<float> heights = around.heights();
  if (maps.has_holes()) maps.plain_past = around.past(heights);
  maps.plain = horizon_along(heights, around.width, around.height, around.cell, around.cell,
                             look.sun_azimuth, 0);
  const SunReach reach(look.sun_altitude, look.sun_softness);
  reach.keep_within(maps.plain);
  reach.even(maps.plain, maps.plain_width, maps.plain_height, {});
}

void set_tints(GroundMaps& maps, const Ground& ground, const ReliefOptions& options) {
  maps.tint_low = static_cast<float>(options.tint_low);
  maps.tint_high = static_cast<float>(options.tint_high);
  if (maps.tint_low == maps.tint_high) {
    maps.tint_low = percentile(ground.bed, 0.01, 0);
    maps.tint_high = percentile(ground.bed, 0.995, 0);
  }
}

// The surface as light sees it: on cells that may be wider than its own, with NaN for nodata.
struct LitSurface {
  explicit LitSurface(const GroundMaps& maps)
      : dx(maps.dx * static_cast<float>(maps.light_step)),
        dy(maps.dy * static_cast<float>(maps.light_step)) {
    if (maps.light_step > 1)
      other = coarser(maps);
    else if (maps.has_holes())
      other = with_holes(maps);
    heights = other.empty() ? &maps.surface : &other;
    // On coarser cells there are no cliffs.
    if (maps.light_step == 1) cliffs = &maps.cliffs;
  }
  LitSurface(const LitSurface&) = delete;
  LitSurface& operator=(const LitSurface&) = delete;
  ~LitSurface() = default;

  double metres_x() const { return static_cast<double>(dx); }
  double metres_y() const { return static_cast<double>(dy); }

  float dx, dy;
  const std::vector<float>* heights = nullptr;
  const std::vector<CliffCell>* cliffs = &no_cliffs();

 private:
  static const std::vector<CliffCell>& no_cliffs() {
    static const std::vector<CliffCell> none;
    return none;
  }
  std::vector<float> other;
};

// Light where there is no data is that of what is nearest.
void fill_light(GroundMaps& maps, const LitSurface& lit) {
  if (!maps.has_holes()) return;
  Solid solid{maps.light_width, maps.light_height, {}};
  for (const float height : *lit.heights) solid.cells.push_back(std::isnan(height) ? 0 : 1);
  fill_holes(maps.light, nearest_solid(solid, lit.metres_x(), lit.metres_y()), 4);
}

// What does not ask where the sun is: slopes, and the share of the sky in view.
void light_by_sky(GroundMaps& maps, const LitSurface& lit) {
  maps.light.assign(4 * lit.heights->size(), 0.0f);
  set_gradient(maps, *lit.heights, lit.dx, lit.dy);
  turn_cliffs(maps, *lit.cliffs);
  std::vector<float> sky = sky_in_view(*lit.heights, maps.light_width, maps.light_height,
                                       lit.metres_x(), lit.metres_y(), 0);
  light_cliffs_by_sky(*lit.cliffs, {sky, maps.light_width, maps.light_height});
  for (std::size_t i = 0; i < sky.size(); ++i) maps.light[4 * i + 2] = sky[i];
}

void light_by_sun(GroundMaps& maps, const LitSurface& lit, const Look& look) {
  std::vector<float> sun = horizon_along(*lit.heights, maps.light_width, maps.light_height,
                                         lit.metres_x(), lit.metres_y(), look.sun_azimuth, 0);
  const SunReach reach(look.sun_altitude, look.sun_softness);
  reach.keep_within(sun);
  light_cliffs_by_sun(*lit.cliffs, {sun, maps.light_width, maps.light_height});
  reach.even(sun, maps.light_width, maps.light_height, *lit.cliffs);
  for (std::size_t i = 0; i < sun.size(); ++i) maps.light[4 * i + 3] = sun[i];
  fill_light(maps, lit);
  shade_plain(maps, look);
}

// What follows from the surface.
void set_form_and_light(GroundMaps& maps, const Look& look) {
  const std::vector<float> near = smooth_surface(maps);
  set_hollows(maps, near);
  set_cliffs(maps, near);
  maps.light_step = 1 + (std::max(maps.width, maps.height) - 1) / most_light_cells;
  maps.light_width = (maps.width - 1) / maps.light_step + 1;
  maps.light_height = (maps.height - 1) / maps.light_step + 1;
  const LitSurface lit(maps);
  light_by_sky(maps, lit);
  light_by_sun(maps, lit, look);
}

}  // namespace

GroundMaps ground_maps(const Ground& ground, const Look& look) {
  check(ground);
  if (!(look.exaggeration > 0))
    throw UsageError(text("exaggeration: expected above 0, got ", look.exaggeration));
  GroundMaps maps;
  maps.width = ground.width;
  maps.height = ground.height;
  maps.dx = static_cast<float>(ground.dx);
  maps.dy = static_cast<float>(ground.dy);
  maps.exaggeration = static_cast<float>(look.exaggeration);
  const SeenWater water = calm_water(ground, look);
  set_laid_and_worn(maps, ground);
  set_water(maps, ground, water);
  set_surface(maps, surface_of(ground, water, maps.exaggeration));
  stop_if_cancelled();
  set_tints(maps, ground, look.relief);
  set_holes(maps);
  set_form_and_light(maps, look);
  return maps;
}

void light_by_sun(GroundMaps& maps, const Look& look) {
  light_by_sun(maps, LitSurface(maps), look);
}

bool change_water(GroundMaps& maps, const Ground& ground, const Look& look) {
  check(ground);
  if (ground.width != maps.width || ground.height != maps.height)
    throw UsageError(text(ground.name, ": expected water on ", maps.width, " x ", maps.height,
                          " cells, found ", ground.width, " x ", ground.height));
  const SeenWater water = calm_water(ground, look);
  set_water(maps, ground, water);
  Surface surface = surface_of(ground, water, maps.exaggeration);
  if (maps.has_holes()) {
    const Nearest nearest =
        nearest_solid(maps.solid, static_cast<double>(maps.dx), static_cast<double>(maps.dy));
    fill_holes(surface.heights, nearest, 1);
    fill_holes(maps.water, nearest, 4);
    fill_holes(maps.matter, nearest, 4, 2);
  }
  if (surface.zero == maps.zero && surface.heights == maps.surface) return false;
  set_surface(maps, std::move(surface));
  set_form_and_light(maps, look);
  return true;
}

double height_at(const GroundMaps& maps, double x, double y) {
  const double column = x / static_cast<double>(maps.dx) + 0.5 * (maps.width - 1),
               row = 0.5 * (maps.height - 1) - y / static_cast<double>(maps.dy);
  if (!(column >= 0 && row >= 0 && column <= maps.width - 1 && row <= maps.height - 1) ||
      !maps.solid.at(static_cast<int>(std::lround(column)), static_cast<int>(std::lround(row))))
    return static_cast<double>(maps.base);
  const int left = std::min(static_cast<int>(column), maps.width - 2),
            top = std::min(static_cast<int>(row), maps.height - 2);
  const auto at = [&](int i, int j) {
    return static_cast<double>(
        maps.surface[static_cast<std::size_t>(j) * static_cast<std::size_t>(maps.width) +
                     static_cast<std::size_t>(i)]);
  };
  return std::lerp(std::lerp(at(left, top), at(left + 1, top), column - left),
                   std::lerp(at(left, top + 1), at(left + 1, top + 1), column - left), row - top);
}

std::vector<Vec3> outline(const GroundMaps& maps) {
  const double half_x = 0.5 * static_cast<double>(maps.dx) * (maps.width - 1),
               half_y = 0.5 * static_cast<double>(maps.dy) * (maps.height - 1);
  std::vector<Vec3> points;
  for (const double x : {-half_x, half_x})
    for (const double y : {-half_y, half_y})
      if (!maps.has_holes()) points.push_back({x, y, static_cast<double>(maps.base)});
  // Enough of the surface that no summit sticks out of the picture: the highest of each patch.
  constexpr int patches = 48;
  for (int j = 0; j < patches; ++j) {
    stop_if_cancelled();
    for (int i = 0; i < patches; ++i) {
      const int x0 = (maps.width - 1) * i / patches, x1 = (maps.width - 1) * (i + 1) / patches;
      const int y0 = (maps.height - 1) * j / patches, y1 = (maps.height - 1) * (j + 1) / patches;
      Vec3 top{0, 0, static_cast<double>(maps.base)};
      for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) {
          const auto z = static_cast<double>(
              maps.surface[static_cast<std::size_t>(y) * static_cast<std::size_t>(maps.width) +
                           static_cast<std::size_t>(x)]);
          if (z > top.z && maps.solid.at(x, y))
            top = {x * static_cast<double>(maps.dx) - half_x,
                   half_y - y * static_cast<double>(maps.dy), z};
        }
      if (!(top.z > static_cast<double>(maps.base))) continue;
      points.push_back(top);
      if (maps.has_holes()) points.push_back({top.x, top.y, static_cast<double>(maps.base)});
    }
  }
  return points;
}

}  // namespace scree::render
