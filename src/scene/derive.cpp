#include "scene/derive.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/angle.h"
#include "base/error.h"
#include "kernel/compat.h"
#include "scene/output.h"

namespace scree {
namespace {

constexpr float nodata = std::numeric_limits<float>::quiet_NaN();

// Heights with nodata as NaN, and the way to a neighbour that may not be there.
struct Surface {
  explicit Surface(const Heightfield& terrain)
      : grid(terrain.grid()), heights(terrain.values("bed")) {}

  double at(int x, int y, double otherwise) const {
    if (x < 0 || y < 0 || x >= grid.width || y >= grid.height) return otherwise;
    const float h = heights[index(x, y)];
    return std::isnan(h) ? otherwise : static_cast<double>(h);
  }
  bool has(int x, int y) const {
    return x >= 0 && y >= 0 && x < grid.width && y < grid.height &&
           !std::isnan(heights[index(x, y)]);
  }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(grid.width) +
           static_cast<std::size_t>(x);
  }

  const Grid& grid;
  std::vector<float> heights;
};

// Rise a metre along (ex, ey), from the neighbours that are there.
double gradient(const Surface& s, int x, int y, int ex, int ey, double distance) {
  const double here = s.at(x, y, 0);
  const int sides = (s.has(x - ex, y - ey) ? 1 : 0) + (s.has(x + ex, y + ey) ? 1 : 0);
  if (sides == 0) return 0;
  return (s.at(x + ex, y + ey, here) - s.at(x - ex, y - ey, here)) / (sides * distance);
}

template <class F>
std::vector<float> each_land_cell(const Heightfield& terrain, F&& value) {
  const Surface surface(terrain);
  std::vector<float> out(surface.heights.size(), nodata);
  for (int y = 0; y < surface.grid.height; ++y)
    for (int x = 0; x < surface.grid.width; ++x)
      if (surface.has(x, y)) out[surface.index(x, y)] = static_cast<float>(value(surface, x, y));
  return out;
}

// A field with its halo: a cell's western and northern edges may lie there.
std::vector<float> whole_buffer(const Heightfield& terrain, const std::string& name) {
  const device::Field& field = terrain.field(name);
  std::vector<float> all(field.front()->bytes() / sizeof(float));
  terrain.device().read(*field.front(), 0, all.data(), field.front()->bytes());
  return all;
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
      {"velocity", "m/s", "Speed of the water"}};
  return masks;
}

std::vector<float> slope_degrees(const Heightfield& terrain) {
  const double dx = static_cast<double>(terrain.grid().dx),
               dy = static_cast<double>(terrain.grid().dy);
  return each_land_cell(terrain, [&](const Surface& s, int x, int y) {
    const double gx = gradient(s, x, y, 1, 0, dx), gy = gradient(s, x, y, 0, 1, dy);
    return std::atan(std::sqrt(gx * gx + gy * gy)) * (180 / pi);
  });
}

std::vector<float> curvature(const Heightfield& terrain) {
  const double dx = static_cast<double>(terrain.grid().dx),
               dy = static_cast<double>(terrain.grid().dy);
  return each_land_cell(terrain, [&](const Surface& s, int x, int y) {
    const double h = s.at(x, y, 0);
    // Beyond a border the ground goes on as level as it is here.
    const double across = s.at(x - 1, y, h) - 2 * h + s.at(x + 1, y, h);
    const double down = s.at(x, y - 1, h) - 2 * h + s.at(x, y + 1, h);
    return across / (dx * dx) + down / (dy * dy);
  });
}

// Mean of what passes opposite edges, over depth and width (Muck 2012, eqs 3.29-3.31); a diagonal
// flux counts once in each direction.
std::vector<float> water_speed(const Heightfield& terrain) {
  const Grid& g = terrain.grid();
  const bool eight = terrain.has("flux.se");
  const std::vector<float> east = whole_buffer(terrain, "flux.x"),
                           south = whole_buffer(terrain, "flux.y");
  const std::vector<float> se = eight ? whole_buffer(terrain, "flux.se") : std::vector<float>{};
  const std::vector<float> sw = eight ? whole_buffer(terrain, "flux.sw") : std::vector<float>{};
  const std::vector<std::int32_t> water = terrain.raw("water");
  return each_land_cell(terrain, [&](const Surface& s, int x, int y) {
    const std::int32_t depth = water[s.index(x, y)];
    if (depth <= 0) return 0.0;
    const auto i = static_cast<std::size_t>(cell_index(g, x, y));
    const std::size_t north = i - static_cast<std::size_t>(g.stride);
    const auto d = [](float f) { return static_cast<double>(f); };
    double across = d(east[i - 1]) + d(east[i]), down = d(south[north]) + d(south[i]);
    if (eight) {
      const double along = d(se[north - 1]) + d(se[i]), against = d(sw[north + 1]) + d(sw[i]);
      across += along - against;
      down += along + against;
    }
    // Fluxes are quanta of a cell's depth a second: times the cell's length they are discharge.
    const double u = across / 2 * static_cast<double>(g.dx) / depth;
    const double v = down / 2 * static_cast<double>(g.dy) / depth;
    return std::sqrt(u * u + v * v);
  });
}

std::vector<float> mask_values(const Heightfield& terrain, const std::string& mask) {
  const std::string& name = find_mask(mask).name;
  if (name == "slope") return slope_degrees(terrain);
  if (name == "curvature") return curvature(terrain);
  if (name == "velocity") return water_speed(terrain);
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
