#include "render/water.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "render/colour.h"
#include "render/parallel.h"
#include "render/statistics.h"

namespace scree::render {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

class WaterFinder {
 public:
  WaterFinder(const ReliefInput& input, const ReliefOptions& options, std::size_t least_cells)
      : in_(input), options_(options), least_(least_cells) {}

  SeenWater find() {
    const float median = percentile(in_.water, 0.5, 0);
    found_.film = options_.water_film > 0 ? static_cast<float>(options_.water_film)
                                          : std::clamp(4 * median, 0.02f, 0.5f);
    const float lakes =
        percentile(in_.water, 0.9, 1, [&](float depth) { return depth > 2 * found_.film; });
    found_.deep = options_.water_deep > 0 ? static_cast<float>(options_.water_deep)
                                          : std::clamp(lakes, 1.0f, 60.0f);
    found_.cover.resize(in_.bed.size());
    found_.depth.resize(in_.bed.size());
    parallel_ranges(in_.height, options_.threads, [&](int begin, int end) {
      for (int y = begin; y < end; ++y)
        for (int x = 0; x < in_.width; ++x) {
          const float d = smooth_depth(x, y);
          found_.depth[index(x, y)] = d;
          found_.cover[index(x, y)] = smoothstep(found_.film, 3 * found_.film, d);
        }
    });
    hide_puddles();
    return std::move(found_);
  }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(in_.width) +
           static_cast<std::size_t>(x);
  }

  // Half own depth, half that of the neighbourhood: shores get soft and lone wet cells fade. A
  // stretch that water nearly covers is shown covered: dry cells count what stands higher than
  // their ground around them.
  float smooth_depth(int x, int y) const {
    constexpr float near[] = {2, 1, 0}, far[] = {6, 4, 1};
    const float own = std::max(0.0f, in_.water[index(x, y)]);
    return std::max(0.5f * own + 0.5f * mean_depth(x, y, near, -infinity),
                    mean_depth(x, y, far, in_.bed[index(x, y)]));
  }

  // Depths within two cells, weighted by distance along each axis; water whose level does not
  // reach the ground given counts as none.
  float mean_depth(int x, int y, const float (&weights)[3], float ground) const {
    float sum = 0, total = 0;
    for (int j = std::max(0, y - 2); j <= std::min(in_.height - 1, y + 2); ++j)
      for (int i = std::max(0, x - 2); i <= std::min(in_.width - 1, x + 2); ++i) {
        const std::size_t n = index(i, j);
        const float d = in_.water[n];
        if (!(d >= 0)) continue;
        const float weight = weights[std::abs(i - x)] * weights[std::abs(j - y)];
        if (in_.bed[n] + d > ground) sum += weight * d;
        total += weight;
      }
    return total > 0 ? sum / total : 0;
  }

  void hide_puddles() {
    std::vector<bool> seen(found_.cover.size());
    std::vector<std::size_t> water;
    for (std::size_t i = 0; i < found_.cover.size(); ++i) {
      if (seen[i] || !(found_.cover[i] > 0)) continue;
      water.assign(1, i);
      seen[i] = true;
      for (std::size_t next = 0; next < water.size(); ++next)
        add_neighbours(water[next], seen, water);
      if (water.size() >= least_) continue;
      for (const std::size_t cell : water) found_.cover[cell] = 0;
    }
  }

  void add_neighbours(std::size_t cell, std::vector<bool>& seen,
                      std::vector<std::size_t>& water) const {
    const int x = static_cast<int>(cell % static_cast<std::size_t>(in_.width));
    const int y = static_cast<int>(cell / static_cast<std::size_t>(in_.width));
    for (int j = std::max(0, y - 1); j <= std::min(in_.height - 1, y + 1); ++j)
      for (int i = std::max(0, x - 1); i <= std::min(in_.width - 1, x + 1); ++i) {
        const std::size_t n = index(i, j);
        if (seen[n] || !(found_.cover[n] > 0)) continue;
        seen[n] = true;
        water.push_back(n);
      }
  }

  const ReliefInput& in_;
  const ReliefOptions& options_;
  std::size_t least_;
  SeenWater found_;
};

}  // namespace

SeenWater seen_water(const ReliefInput& input, const ReliefOptions& options,
                     std::size_t least_cells) {
  if (input.water.empty()) return {};
  return WaterFinder(input, options, least_cells).find();
}

}  // namespace scree::render
