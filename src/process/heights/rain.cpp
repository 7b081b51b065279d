#include "process/heights/rain.h"

#include <cmath>

namespace scree {
namespace {

struct World {
  double width, height;  // metres
};

World world_of(const Heightfield& terrain) {
  const WorldSize size = terrain.world_size();
  return {size.width * static_cast<double>(terrain.grid().dx),
          size.height * static_cast<double>(terrain.grid().dy)};
}

bool inside(const RainShape& rain, double east, double south) {
  if (rain.shape == "disc") return east * east + south * south <= rain.radius * rain.radius;
  if (rain.shape == "strip") return std::abs(south) <= rain.radius;
  return true;
}

// Visits every cell with the position of its middle in metres from the world's north-west corner.
template <class F>
void each_cell(const Heightfield& terrain, F&& visit) {
  const Grid& g = terrain.grid();
  std::size_t i = 0;
  for (int y = 0; y < g.height; ++y)
    for (int x = 0; x < g.width; ++x)
      visit(i++, (g.x0 + x + 0.5) * static_cast<double>(g.dx),
            (g.y0 + y + 0.5) * static_cast<double>(g.dy));
}

// The whole rate of a spring falls on the cells whose middle lies in its disc; a disc smaller than
// a cell falls on the cell that holds its middle.
void add_spring(const Heightfield& terrain, const World& world, const SpringParameters& spring,
                std::vector<float>& source) {
  const double sx = spring.x * world.width, sy = spring.y * world.height;
  const double dx = static_cast<double>(terrain.grid().dx),
               dy = static_cast<double>(terrain.grid().dy);
  const auto covered = [&](double x, double y) {
    const double ex = x - sx, ey = y - sy;
    const bool same_cell =
        std::floor(x / dx) == std::floor(sx / dx) && std::floor(y / dy) == std::floor(sy / dy);
    return ex * ex + ey * ey <= spring.radius * spring.radius || same_cell;
  };
  // Count over the world, not the window, so that tiles agree.
  const WorldSize size = terrain.world_size();
  const int reach_x = static_cast<int>(spring.radius / dx) + 2,
            reach_y = static_cast<int>(spring.radius / dy) + 2;
  const int cx = static_cast<int>(sx / dx), cy = static_cast<int>(sy / dy);
  long long cells = 0;
  for (int y = std::max(cy - reach_y, 0); y < std::min(cy + reach_y, size.height); ++y)
    for (int x = std::max(cx - reach_x, 0); x < std::min(cx + reach_x, size.width); ++x)
      cells += covered((x + 0.5) * dx, (y + 0.5) * dy) ? 1 : 0;
  if (cells == 0) return;
  const auto rate =
      static_cast<float>(spring.rate / (static_cast<double>(cells) * terrain.cell_area()));
  each_cell(terrain, [&](std::size_t i, double x, double y) {
    if (covered(x, y)) source[i] += rate;
  });
}

}  // namespace

bool rain_is_uniform(const RainShape& rain, const std::vector<SpringParameters>& springs,
                     bool mapped) {
  return rain.shape == "everywhere" && springs.empty() && !mapped;
}

void write_source(Heightfield& terrain, const std::string& name, const RainShape& rain,
                  const std::vector<SpringParameters>& springs) {
  const World world = world_of(terrain);
  std::vector<float> source(static_cast<std::size_t>(terrain.grid().width) *
                            static_cast<std::size_t>(terrain.grid().height));
  each_cell(terrain, [&](std::size_t i, double x, double y) {
    if (inside(rain, x - rain.x * world.width, y - rain.y * world.height))
      source[i] = static_cast<float>(rain.rate);
  });
  if (terrain.has("rain")) {
    const std::vector<float> map =
        terrain.field("rain").download<float>(terrain.device(), terrain.grid());
    for (std::size_t i = 0; i < source.size(); ++i) source[i] += std::max(map[i], 0.0F);
  }
  for (const SpringParameters& spring : springs) add_spring(terrain, world, spring, source);
  terrain.field(name).upload(terrain.device(), terrain.grid(), source);
}

}  // namespace scree
