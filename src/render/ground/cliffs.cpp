#include "render/ground/cliffs.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "render/look/colour.h"
#include "render/look/parallel.h"

namespace scree::render {
namespace {

std::size_t row_of(int y, int width) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
}

// Rise over run within a cell, from which on the steps of an edge are seen.
constexpr float steep_from = 2.5f, steep_all = 5.0f;
constexpr float most_moved = 0.7f;  // of a cell, and half a cell either way

// Cells from a cliff to where its smooth height is that share of it: so that a straight cliff
// between two rows of cells is half a cell away from both.
float cells_past(float share) {
  const float within = std::clamp(share, 0.05f, 0.95f);
  return 0.869f * std::log(within / (1 - within));
}

// Where two straight walls meet, each at least this long, in cells; a curve has no such steps.
constexpr int least_wall = 3;

bool is_corner(const DrawnHeights& drawn, int x, int y, float middle, bool upper) {
  const auto across = [&](int i, int j) {
    return i < 0 || j < 0 || i >= drawn.width || j >= drawn.height ||
           (drawn.surface[row_of(j, drawn.width) + static_cast<std::size_t>(i)] > middle) != upper;
  };
  for (const int i : {-1, 1})
    for (const int j : {-1, 1}) {
      bool walls = true;
      for (int n = 0; n < least_wall; ++n)
        walls = walls && across(x + i, y - n * j) && across(x - n * i, y + j) &&
                !across(x, y - n * j) && !across(x - n * i, y);
      if (walls) return true;
    }
  return false;
}

// The cell is at an edge where it is as high or as low as anything around it, and the ground is
// smooth there but for the cliff.
std::optional<CliffCell> cliff_cell(const DrawnHeights& drawn, int x, int y) {
  const auto row = static_cast<std::size_t>(drawn.width);
  const std::size_t i = static_cast<std::size_t>(y) * row + static_cast<std::size_t>(x);
  const float z = drawn.surface[i];
  float low = z, high = z;
  for (const std::size_t k :
       {i - row - 1, i - row, i - row + 1, i - 1, i + 1, i + row - 1, i + row, i + row + 1}) {
    low = std::min(low, drawn.surface[k]);
    high = std::max(high, drawn.surface[k]);
  }
  const float cell = std::min(drawn.dx, drawn.dy);
  if (high - low <= steep_from * cell) return std::nullopt;
  const float level = (z - low) / (high - low), middle = 0.5f * (low + high);
  const bool upper = level > 0.5f;
  const auto& s = drawn.smooth;
  const float east = (s[i + 1] - s[i - 1]) / (2 * drawn.dx),
              north = (s[i - row] - s[i + row]) / (2 * drawn.dy);
  const float rise = std::hypot(east, north);
  // On the crest of a wall there is no side to which it belongs.
  if (!(rise * cell > 0.12f * (high - low))) return std::nullopt;
  // Half a cell, had the cliff no steps.
  const float off = (upper ? 0.5f : -0.5f) - cells_past((s[i] - low) / (high - low));
  CliffCell found;
  found.index = static_cast<std::uint32_t>(i);
  found.upper = upper;
  found.share = smoothstep(steep_from, steep_all, (high - low) / cell) *
                smoothstep(0.7f, 0.9f, upper ? level : 1 - level) *
                (1 - smoothstep(0.9f, 1.3f, std::abs(off)));
  if (!(found.share > 0)) return std::nullopt;
  found.up_east = east / rise;
  found.up_north = north / rise;
  found.moved = found.share * cell * std::clamp(off, -most_moved, most_moved);
  found.corner = is_corner(drawn, x, y, middle, upper);
  return found;
}

// A field between the four cells around a place.
float between(const std::vector<float>& field, int width, int height, float x, float y) {
  x = std::clamp(x, 0.0f, static_cast<float>(width - 1) - 1e-3f);
  y = std::clamp(y, 0.0f, static_cast<float>(height - 1) - 1e-3f);
  const auto left = static_cast<std::size_t>(x);
  const float* cell = &field[row_of(static_cast<int>(y), width) + left];
  const float across = x - std::floor(x);
  return std::lerp(std::lerp(cell[0], cell[1], across),
                   std::lerp(cell[width], cell[width + 1], across), y - std::floor(y));
}

enum class Edge : std::uint8_t { none, lower, upper };

std::vector<Edge> edges_of(const std::vector<CliffCell>& cliffs, std::size_t cells) {
  std::vector<Edge> edges(cells, Edge::none);
  for (const CliffCell& cliff : cliffs)
    edges[cliff.index] = cliff.upper ? Edge::upper : Edge::lower;
  return edges;
}

// f(cell) for each cell near one that is at the same edge, itself among them.
template <class F>
void each_along_edge(const std::vector<Edge>& edges, int width, std::size_t cell, F&& f) {
  constexpr int beside = 2;
  const auto row = static_cast<std::size_t>(width);
  const int height = static_cast<int>(edges.size() / row), x = static_cast<int>(cell % row),
            y = static_cast<int>(cell / row);
  for (int j = std::max(0, y - beside); j <= std::min(height - 1, y + beside); ++j)
    for (int i = std::max(0, x - beside); i <= std::min(width - 1, x + beside); ++i) {
      const std::size_t k = row_of(j, width) + static_cast<std::size_t>(i);
      if (edges[k] == edges[cell]) f(k);
    }
}

// Of a cell and the eight around it.
struct Around {
  float least, most, mean;
};

Around around_of(const std::vector<float>& field, std::size_t i, std::size_t row) {
  Around around{field[i], field[i], 0};
  for (const std::size_t y : {i - row, i, i + row}) {
    const float *cell = &field[y], weight = y == i ? 0.5f : 0.25f;
    around.least = std::min({around.least, cell[-1], cell[0], cell[1]});
    around.most = std::max({around.most, cell[-1], cell[0], cell[1]});
    around.mean += weight * (0.25f * (cell[-1] + cell[1]) + 0.5f * cell[0]);
  }
  return around;
}

// What is near a corner stays where it is.
void keep_corners(std::vector<CliffCell>& cliffs, int width) {
  constexpr int near = 2;
  std::vector<CliffCell> corners;
  std::copy_if(cliffs.begin(), cliffs.end(), std::back_inserter(corners),
               [](const CliffCell& cliff) { return cliff.corner; });
  for (const CliffCell& corner : corners)
    for (int j = -near; j <= near; ++j) {
      const std::int64_t first = std::int64_t{corner.index} + std::int64_t{j} * width - near;
      auto cliff = std::lower_bound(cliffs.begin(), cliffs.end(), first,
                                    [](const CliffCell& c, std::int64_t i) { return c.index < i; });
      for (; cliff != cliffs.end() && cliff->index <= first + 2 * near; ++cliff)
        cliff->share = cliff->moved = 0;
    }
}

}  // namespace

std::vector<CliffCell> cliff_cells(const DrawnHeights& drawn) {
  std::vector<std::vector<CliffCell>> rows(static_cast<std::size_t>(drawn.height));
  parallel_ranges(drawn.height, 0, [&](int begin, int end) {
    for (int y = std::max(1, begin); y < std::min(end, drawn.height - 1); ++y)
      for (int x = 1; x + 1 < drawn.width; ++x)
        if (const auto cell = cliff_cell(drawn, x, y))
          rows[static_cast<std::size_t>(y)].push_back(*cell);
  });
  std::vector<CliffCell> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  keep_corners(all, drawn.width);
  return all;
}

void light_cliffs_by_sky(const std::vector<CliffCell>& cliffs, const CellLight& sky) {
  if (cliffs.empty()) return;
  const std::vector<Edge> edges = edges_of(cliffs, sky.values.size());
  const std::vector<float> from = sky.values;
  for (const CliffCell& cliff : cliffs) {
    float sum = 0, count = 0;
    each_along_edge(edges, sky.width, cliff.index, [&](std::size_t cell) {
      sum += from[cell];
      ++count;
    });
    sky.values[cliff.index] = std::lerp(from[cliff.index], sum / count, cliff.share);
  }
}

void light_cliffs_by_sun(const std::vector<CliffCell>& cliffs, const CellLight& sun) {
  if (cliffs.empty()) return;
  constexpr float apart = 1.5f;  // cells
  const std::vector<Edge> edges = edges_of(cliffs, sun.values.size());
  const std::vector<float> from = sun.values;
  for (const CliffCell& cliff : cliffs) {
    float least = from[cliff.index];
    each_along_edge(edges, sun.width, cliff.index,
                    [&](std::size_t cell) { least = std::min(least, from[cell]); });
    const int x = static_cast<int>(cliff.index) % sun.width,
              y = static_cast<int>(cliff.index) / sun.width;
    const float away = cliff.upper ? apart : -apart;
    const float there =
        between(from, sun.width, sun.height, static_cast<float>(x) + away * cliff.up_east,
                static_cast<float>(y) - away * cliff.up_north);
    const float horizon = cliff.upper ? std::min(there, least) : there;
    sun.values[cliff.index] = std::lerp(from[cliff.index], horizon, cliff.share);
  }
}

SunReach::SunReach(double altitude, double softness) {
  constexpr double degree = 0.017453292519943295, most = 0.35, upright = 1.5;
  const double high = altitude * degree,
               reach = std::max(std::min(high, most), 2 * softness * degree);
  low_ = static_cast<float>(std::tan(high - reach));
  high_ = static_cast<float>(std::tan(std::min(high + reach, upright)));
}

void SunReach::keep_within(std::vector<float>& sun) const {
  for (float& tangent : sun) tangent = std::clamp(tangent, low_, high_);
}

void SunReach::even(std::vector<float>& sun, int width, int height,
                    const std::vector<CliffCell>& cliffs) const {
  const std::vector<float> from = sun;
  const float reach = 0.5f * (high_ - low_);
  parallel_ranges(height, 0, [&](int begin, int end) {
    for (int y = std::max(1, begin); y < std::min(end, height - 1); ++y)
      for (int x = 1; x + 1 < width; ++x) {
        const std::size_t i = row_of(y, width) + static_cast<std::size_t>(x);
        const Around around = around_of(from, i, static_cast<std::size_t>(width));
        const float leaps = smoothstep(reach, 1.6f * reach, around.most - around.least);
        if (leaps > 0) sun[i] = std::lerp(sun[i], around.mean, leaps);
      }
  });
  for (const CliffCell& cliff : cliffs)
    if (cliff.upper) sun[cliff.index] = std::lerp(sun[cliff.index], from[cliff.index], cliff.share);
}

}  // namespace scree::render
