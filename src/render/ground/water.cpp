#include "render/ground/water.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/progress.h"
#include "render/look/colour.h"
#include "render/look/parallel.h"
#include "render/look/statistics.h"

namespace scree::render {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

constexpr float level_film = 0.05f;  // metres: of water that stands

// Where water stands: a lake's surface is level, that of a film falls as the ground below it does.
class LevelWater {
 public:
  explicit LevelWater(const ReliefInput& input)
      : in_(input),
        across_(static_cast<float>(input.dx)),
        down_(static_cast<float>(input.dy)),
        aslant_(static_cast<float>(std::hypot(input.dx, input.dy))) {}

  // 0 to 1 a cell; on a shore, as what it is the shore of.
  std::vector<float> find(int threads) {
    own_.assign(in_.bed.size(), 0.0f);
    std::vector<float> around(in_.bed.size());
    each_cell(threads, [&](int x, int y) { own_[index(x, y)] = level(x, y); });
    each_cell(threads, [&](int x, int y) { around[index(x, y)] = mean(x, y); });
    return around;
  }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(in_.width) +
           static_cast<std::size_t>(x);
  }

  template <class Visit>
  void each_cell(int threads, const Visit& visit) const {
    parallel_ranges(in_.height, threads, [&](int begin, int end) {
      for (int y = begin; y < end; ++y)
        for (int x = 0; x < in_.width; ++x) visit(x, y);
    });
  }

  // Cells within `reach` that are under water.
  template <class Visit>
  void each_wet(int x, int y, int reach, const Visit& visit) const {
    for (int j = std::max(0, y - reach); j <= std::min(in_.height - 1, y + reach); ++j)
      for (int i = std::max(0, x - reach); i <= std::min(in_.width - 1, x + reach); ++i)
        if (in_.water[index(i, j)] > level_film && !std::isnan(in_.bed[index(i, j)]))
          visit(i, j, index(i, j));
  }

  // Share of the wet neighbours whose surface is as high. Lakes that fill and empty are not quite
  // level, so that some fall is allowed: a hundredth of the distance, and where cells are wide, a
  // fifth of the depth.
  float level(int x, int y) const {
    const std::size_t here = index(x, y);
    if (!(in_.water[here] > level_film)) return 0;
    const float z = in_.bed[here] + in_.water[here];
    constexpr float grain = 3e-7f;  // of heights that are floats
    float sum = 0, count = 0;
    each_wet(x, y, 1, [&](int i, int j, std::size_t n) {
      if (n == here) return;
      const float metres = i == x ? down_ : j == y ? across_ : aslant_;
      const float fall = std::abs(in_.bed[n] + in_.water[n] - z);
      const float allowed =
          std::min(0.01f * metres, 0.1f * (in_.water[n] + in_.water[here])) + grain * std::abs(z);
      sum += smoothstep(2 * allowed, allowed, fall);
      count += 1;
    });
    return count > 1 ? sum / count : 0;
  }

  float mean(int x, int y) const {
    constexpr float weights[] = {6, 4, 1};
    float sum = 0, total = 0;
    each_wet(x, y, 2, [&](int i, int j, std::size_t n) {
      const float weight = weights[std::abs(i - x)] * weights[std::abs(j - y)];
      sum += weight * own_[n];
      total += weight;
    });
    return total > 0 ? smoothstep(0.3f, 0.7f, sum / total) : 0;
  }

  const ReliefInput& in_;
  float across_, down_, aslant_;  // metres from a cell to the next
  std::vector<float> own_;
};

class WaterFinder {
 public:
  WaterFinder(const ReliefInput& input, const ReliefOptions& options, const FilmRule& rule,
              std::size_t least_cells)
      : in_(input),
        options_(options),
        least_(least_cells),
        films_(water_films(input, options, rule)) {}

  SeenWater find() {
    found_.film = films_.film;
    const float lakes =
        percentile(in_.water, 0.9, 1, [&](float depth) { return depth > 2 * found_.film; });
    found_.deep = options_.water_deep > 0 ? static_cast<float>(options_.water_deep)
                                          : std::clamp(lakes, 1.0f, 60.0f);
    found_.cover.resize(in_.bed.size());
    found_.depth.resize(in_.bed.size());
    parallel_ranges(in_.height, options_.threads, [&](int begin, int end) {
      for (int y = begin; y < end; ++y)
        for (int x = 0; x < in_.width; ++x) {
          const float d = smooth_depth(x, y), film = films_.of_cell[index(x, y)];
          found_.depth[index(x, y)] = d;
          found_.cover[index(x, y)] = smoothstep(film, 3 * film, d);
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
      if (i % (1U << 20) == 0) stop_if_cancelled();
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
  Films films_;
  SeenWater found_;
};

}  // namespace

Films water_films(const ReliefInput& input, const ReliefOptions& options, const FilmRule& rule) {
  if (options.water_film > 0) {
    const auto film = static_cast<float>(options.water_film);
    return {std::vector<float>(input.water.size(), film), film};
  }
  Films films{LevelWater(input).find(options.threads), 0};
  // What is seen whatever the film, seas and deep lakes, says nothing of it either.
  std::vector<float> running;
  running.reserve(input.water.size());
  for (std::size_t i = 0; i < input.water.size(); ++i)
    if (films.of_cell[i] < 0.5f && !(input.water[i] > 3 * rule.most))
      running.push_back(input.water[i]);
  films.film = std::clamp(rule.times * percentile(running, rule.share, 0), rule.least, rule.most);
  const float standing = std::min(level_film, films.film);
  for (float& cell : films.of_cell) cell = std::lerp(films.film, standing, cell);
  return films;
}

SeenWater seen_water(const ReliefInput& input, const ReliefOptions& options, const FilmRule& rule,
                     std::size_t least_cells) {
  if (input.water.empty()) return {};
  return WaterFinder(input, options, rule, least_cells).find();
}

}  // namespace scree::render
