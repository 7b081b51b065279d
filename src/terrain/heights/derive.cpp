#include "terrain/heights/derive.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/angle.h"
#include "base/error.h"
#include "kernel/heights/flow.h"

namespace scree {
namespace {

constexpr float nodata = std::numeric_limits<float>::quiet_NaN();

// Heights with nodata as NaN, and the way to a neighbour that may not be there.
struct Surface {
  double at(int x, int y, double otherwise) const {
    return has(x, y) ? static_cast<double>(view.heights[index(x, y)]) : otherwise;
  }
  bool has(int x, int y) const {
    return x >= 0 && y >= 0 && x < view.width && y < view.height &&
           !std::isnan(view.heights[index(x, y)]);
  }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(view.width) +
           static_cast<std::size_t>(x);
  }

  const HeightView& view;
};

// Rise a metre along (ex, ey), from the neighbours that are there.
double gradient(const Surface& s, int x, int y, int ex, int ey, double distance) {
  const double here = s.at(x, y, 0);
  const int sides = (s.has(x - ex, y - ey) ? 1 : 0) + (s.has(x + ex, y + ey) ? 1 : 0);
  if (sides == 0) return 0;
  return (s.at(x + ex, y + ey, here) - s.at(x - ex, y - ey, here)) / (sides * distance);
}

template <class F>
std::vector<float> each_land_cell(const HeightView& view, F&& value) {
  const Surface surface{view};
  std::vector<float> out(view.cells(), nodata);
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x)
      if (surface.has(x, y)) out[surface.index(x, y)] = static_cast<float>(value(surface, x, y));
  return out;
}

HeightView view_of(const Heightfield& terrain, const std::vector<float>& bed) {
  const Grid& g = terrain.grid();
  return {bed.data(), g.width, g.height, static_cast<double>(g.dx), static_cast<double>(g.dy)};
}

template <class F>
std::vector<float> each_land_cell(const Heightfield& terrain, F&& value) {
  const std::vector<float> bed = terrain.values("bed");
  return each_land_cell(view_of(terrain, bed), std::forward<F>(value));
}

// The fluxes with their halo, in which a cell's western and northern edges may lie.
class Fluxes {
 public:
  Fluxes(const Grid& grid, FluxBuffers buffers) : grid_(grid), buffers_(std::move(buffers)) {
    for (std::vector<float>* all : {&buffers_.se, &buffers_.sw})
      if (all->empty()) all->assign(buffers_.east.size(), 0.0F);
    numbers_.half_dx = grid_.dx / 2;
    numbers_.half_dy = grid_.dy / 2;
  }
  explicit Fluxes(const Heightfield& terrain)
      : Fluxes(terrain.grid(),
               {whole_buffer(terrain, "flux.x"), whole_buffer(terrain, "flux.y"),
                whole_buffer(terrain, "flux.se"), whole_buffer(terrain, "flux.sw")}) {}

  // Length of a cell's discharge vector, in quanta times metres a second (Muck 2012, eqs
  // 3.29-3.31).
  double discharge(int x, int y) const {
    const Sums sums = through(x, y);
    return std::sqrt(static_cast<double>(discharge2(numbers_, sums.x, sums.y)));
  }
  // The vector itself.
  double discharge_east(int x, int y) const {
    return static_cast<double>(through(x, y).x * numbers_.half_dx);
  }
  double discharge_south(int x, int y) const {
    return static_cast<double>(through(x, y).y * numbers_.half_dy);
  }

 private:
  struct Sums {
    float x, y;
  };
  Sums through(int x, int y) const {
    const auto i = static_cast<std::size_t>(cell_index(grid_, x, y));
    const std::size_t north = i - static_cast<std::size_t>(grid_.stride);
    const auto& [east, south, se, sw] = buffers_;
    const float nw = se[north - 1], ne = sw[north + 1];
    return {flow_sum_x(east[i - 1], east[i], nw, se[i], ne, sw[i]),
            flow_sum_y(south[north], south[i], nw, se[i], ne, sw[i])};
  }

  // Nothing where there are four neighbours only.
  static std::vector<float> whole_buffer(const Heightfield& terrain, const std::string& name) {
    if (!terrain.has(name)) return {};
    std::vector<float> all(terrain.field(name).front()->bytes() / sizeof(float));
    terrain.device().read(*terrain.field(name).front(), 0, all.data(), all.size() * sizeof(float));
    return all;
  }

  Grid grid_;
  Flow numbers_{};
  FluxBuffers buffers_;
};

WaterVelocity velocity_of(const Grid& grid, const Fluxes& fluxes,
                          const std::vector<std::int32_t>& water) {
  WaterVelocity velocity;
  velocity.east.assign(water.size(), 0.0F);
  velocity.north.assign(water.size(), 0.0F);
  for (int y = 0; y < grid.height; ++y)
    for (int x = 0; x < grid.width; ++x) {
      const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(grid.width) +
                            static_cast<std::size_t>(x);
      if (water[i] <= 0) continue;
      velocity.east[i] = static_cast<float>(fluxes.discharge_east(x, y) / water[i]);
      velocity.north[i] = static_cast<float>((0 - fluxes.discharge_south(x, y)) / water[i]);
    }
  return velocity;
}

const MaskInfo& find_mask(const std::string& name) {
  for (const MaskInfo& mask : mask_list())
    if (mask.name == name) return mask;
  throw UsageError(text("mask '", name, "' is unknown"));
}

}  // namespace

const std::vector<MaskInfo>& mask_list() {
  static const std::vector<MaskInfo> masks = {
      {"flow", "m2", "Water that has passed, as discharge over a metre's width, summed over time"},
      {"wear", "m", "Ground worn away, summed over time"},
      {"deposit", "m", "Ground laid down, summed over time"},
      {"slope", "deg", "Steepness of the bed"},
      {"curvature", "1/m", "Laplacian of the bed: above 0 in hollows, below on ridges"},
      {"wetness", "1", "How soaked the ground is, 0 to 1"},
      {"water", "m", "Depth of the water"},
      {"velocity", "m/s", "Speed of the water"},
      {"velocity.east", "m/s", "Velocity of the water to the east: along a row, to the right"},
      {"velocity.north", "m/s", "Velocity of the water to the north: against the rows, upwards"}};
  return masks;
}

std::vector<float> slope_degrees(const HeightView& view) {
  return each_land_cell(view, [&](const Surface& s, int x, int y) {
    const double gx = gradient(s, x, y, 1, 0, view.dx), gy = gradient(s, x, y, 0, 1, view.dy);
    return std::atan(std::sqrt(gx * gx + gy * gy)) * (180 / pi);
  });
}

std::vector<float> curvature(const HeightView& view) {
  return each_land_cell(view, [&](const Surface& s, int x, int y) {
    const double h = s.at(x, y, 0);
    // Beyond a border the ground goes on as level as it is here.
    const double across = s.at(x - 1, y, h) - 2 * h + s.at(x + 1, y, h);
    const double down = s.at(x, y - 1, h) - 2 * h + s.at(x, y + 1, h);
    return across / (view.dx * view.dx) + down / (view.dy * view.dy);
  });
}

std::vector<float> slope_degrees(const Heightfield& terrain) {
  const std::vector<float> bed = terrain.values("bed");
  return slope_degrees(view_of(terrain, bed));
}

std::vector<float> curvature(const Heightfield& terrain) {
  const std::vector<float> bed = terrain.values("bed");
  return curvature(view_of(terrain, bed));
}

std::vector<float> water_speed(const Heightfield& terrain) {
  const Fluxes fluxes(terrain);
  const std::vector<std::int32_t> water = terrain.raw("water");
  return each_land_cell(terrain, [&](const Surface& s, int x, int y) {
    const std::int32_t depth = water[s.index(x, y)];
    return depth > 0 ? fluxes.discharge(x, y) / depth : 0.0;
  });
}

const std::vector<float>& WaterVelocity::along(const std::string& mask) const {
  return mask == "velocity.east" ? east : north;
}

WaterVelocity water_velocity(const Heightfield& terrain) {
  return velocity_of(terrain.grid(), Fluxes(terrain), terrain.raw("water"));
}

WaterVelocity water_velocity(const Grid& grid, FluxBuffers fluxes,
                             const std::vector<std::int32_t>& water) {
  return velocity_of(grid, Fluxes(grid, std::move(fluxes)), water);
}

std::vector<float> mask_values(const Heightfield& terrain, const std::string& mask) {
  const std::string& name = find_mask(mask).name;
  if (name == "slope") return slope_degrees(terrain);
  if (name == "curvature") return curvature(terrain);
  if (name == "velocity") return water_speed(terrain);
  if (name.starts_with("velocity.")) {
    const WaterVelocity velocity = water_velocity(terrain);
    const std::vector<float>& part = velocity.along(name);
    return each_land_cell(terrain,
                          [&](const Surface& s, int x, int y) { return part[s.index(x, y)]; });
  }
  if (terrain.has(name)) return terrain.values(name);
  // Nothing that runs keeps it, so nothing happened.
  return each_land_cell(terrain, [](const Surface&, int, int) { return 0.0; });
}

void normalise(std::vector<float>& values, bool logarithmic) {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (float& v : values) {
    if (std::isnan(v)) continue;
    if (logarithmic) v = static_cast<float>(std::log1p(std::max(0.0, static_cast<double>(v))));
    low = std::min(low, v);
    high = std::max(high, v);
  }
  const double span = static_cast<double>(high) - static_cast<double>(low);
  for (float& v : values)
    if (!std::isnan(v))
      v = span > 0 ? static_cast<float>((static_cast<double>(v) - static_cast<double>(low)) / span)
                   : 0;
}

}  // namespace scree
