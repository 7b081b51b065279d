#include "terrain/heights/hydrology.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "base/angle.h"
#include "base/error.h"

namespace scree {
namespace {

struct Offset {
  int x;
  int y;
};
constexpr Offset neighbours[8] = {{-1, 0},  {1, 0},  {0, -1}, {0, 1},
                                  {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};

constexpr int bins_per_decade = 10;
constexpr std::size_t min_cells_per_bin = 30;

void check(const HeightView& view) {
  if (view.width < 0 || view.height < 0 || (view.cells() > 0 && view.heights == nullptr))
    throw Error("hydrology: the heights have no size or no values");
  if (!(view.dx > 0) || !(view.dy > 0))
    throw Error(text("hydrology: the cell size must be above 0 m, got ", view.dx, " x ", view.dy));
  if (view.cells() >= Drainage::none)
    throw Error(text("hydrology: ", view.width, " x ", view.height, " cells are more than 2^32"));
}

// Calls f(neighbour cell, direction) for the neighbours of a cell that lie inside the raster.
template <class F>
void for_each_neighbour(const HeightView& view, std::size_t cell, F&& f) {
  const int x = static_cast<int>(cell % static_cast<std::size_t>(view.width));
  const int y = static_cast<int>(cell / static_cast<std::size_t>(view.width));
  for (int k = 0; k < 8; ++k) {
    const int nx = x + neighbours[k].x;
    const int ny = y + neighbours[k].y;
    if (nx < 0 || ny < 0 || nx >= view.width || ny >= view.height) continue;
    f(static_cast<std::size_t>(ny) * static_cast<std::size_t>(view.width) +
          static_cast<std::size_t>(nx),
      k);
  }
}

bool is_outlet(const HeightView& view, std::size_t cell) {
  int valid = 0;
  for_each_neighbour(view, cell,
                     [&](std::size_t n, int) { valid += std::isnan(view.heights[n]) ? 0 : 1; });
  return valid < 8;
}

// Floats as unsigned integers that sort alike, so that a heap entry is one word: level, then cell.
// Adding 0 makes -0 into +0.
std::uint32_t level_key(float level) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(level + 0.0f);
  return (bits & 0x80000000u) ? ~bits : bits | 0x80000000u;
}

// Priority-flood: visit(cell, parent) is called once for each valid cell in ascending order of its
// filled level; cells of one level breadth first from all places where the flood enters it.
// Unlike Barnes' pit queue, which starts from one of them, this shares a flat among its outlets.
class Flood {
 public:
  Flood(const HeightView& view, float epsilon)
      : view_(view),
        epsilon_(epsilon),
        level_(view.cells()),
        parent_(view.cells(), Drainage::none) {
    order_.reserve(view.cells());
    seen_.assign(view.cells(), 0);
  }

  void run() {
    seed_outlets();
    while (!heap_.empty()) {
      const std::uint32_t key = pop_to_order();
      while (!heap_.empty() && static_cast<std::uint32_t>(heap_.front() >> 32) == key)
        pop_to_order();
      for (; next_ < order_.size(); ++next_) flood_neighbours(order_[next_]);
    }
  }

  std::vector<float> take_levels() { return std::move(level_); }
  std::vector<std::uint32_t> take_parents() { return std::move(parent_); }
  std::vector<std::uint32_t> take_order() { return std::move(order_); }

 private:
  void seed_outlets() {
    for (std::size_t cell = 0; cell < view_.cells(); ++cell) {
      level_[cell] = view_.heights[cell];
      if (!std::isnan(level_[cell]) && is_outlet(view_, cell)) push(cell);
    }
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  void push(std::size_t cell) {
    seen_[cell] = 1;
    heap_.push_back(std::uint64_t{level_key(level_[cell])} << 32 | cell);
  }

  std::uint32_t pop_to_order() {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const std::uint64_t entry = heap_.back();
    heap_.pop_back();
    order_.push_back(static_cast<std::uint32_t>(entry));
    return static_cast<std::uint32_t>(entry >> 32);
  }

  float next_level(float level) const {
    if (epsilon_ <= 0) return level;
    return std::max(level + epsilon_,
                    std::nextafter(level, std::numeric_limits<float>::infinity()));
  }

  void flood_neighbours(std::uint32_t cell) {
    const float level = level_[cell];
    const float least = next_level(level);
    for_each_neighbour(view_, cell, [&](std::size_t n, int) {
      if (seen_[n] || std::isnan(level_[n])) return;
      parent_[n] = cell;
      level_[n] = std::max(level_[n], least);
      if (level_[n] <= level) {
        seen_[n] = 1;
        order_.push_back(static_cast<std::uint32_t>(n));
      } else {
        push(n);
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
      }
    });
  }

  const HeightView& view_;
  float epsilon_;
  std::vector<float> level_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> order_;  // popped cells; from next_ on those still to be flooded from
  std::size_t next_ = 0;
  std::vector<unsigned char> seen_;
  std::vector<std::uint64_t> heap_;
};

// Steepest descent; a cell without a lower neighbour keeps the flood's parent. Acyclic: a receiver
// is lower, or as low and flooded earlier.
void turn_to_steepest(const HeightView& view, Drainage& drainage) {
  const double diagonal = length_of(view.dx, view.dy);
  const double per_metre[8] = {1 / view.dx,  1 / view.dx,  1 / view.dy,  1 / view.dy,
                               1 / diagonal, 1 / diagonal, 1 / diagonal, 1 / diagonal};
  for (const std::uint32_t cell : drainage.order) {
    double steepest = 0;
    for_each_neighbour(view, cell, [&](std::size_t n, int k) {
      const double slope = (double{drainage.filled[cell]} - drainage.filled[n]) * per_metre[k];
      if (slope > steepest) {
        steepest = slope;
        drainage.receiver[cell] = static_cast<std::uint32_t>(n);
      }
    });
  }
}

void accumulate(Drainage& drainage) {
  for (const std::uint32_t cell : drainage.order) drainage.upstream_cells[cell] = 1;
  for (std::size_t i = drainage.order.size(); i-- > 0;) {
    const std::uint32_t cell = drainage.order[i];
    if (drainage.receiver[cell] != Drainage::none)
      drainage.upstream_cells[drainage.receiver[cell]] += drainage.upstream_cells[cell];
  }
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

struct Bin {
  std::vector<double> slopes;
  double log_area = 0;  // sum
};

std::vector<Bin> bin_by_area(const HeightView& view, const Drainage& drainage, double min_area) {
  std::vector<Bin> bins;
  for (const std::uint32_t cell : drainage.order) {
    const double area = drainage.area(cell);
    if (area < min_area || drainage.filled[cell] > view.heights[cell]) continue;
    const double slope = drainage.slope(cell);
    if (!(slope > 0)) continue;
    const double decades = std::log10(area / min_area);
    const std::size_t index = static_cast<std::size_t>(std::max(0.0, decades * bins_per_decade));
    if (index >= bins.size()) bins.resize(index + 1);
    bins[index].slopes.push_back(slope);
    bins[index].log_area += std::log(area);
  }
  return bins;
}

// Ordinary least squares y = intercept + gradient x.
struct Line {
  double gradient = 0;
  double intercept = 0;
  double r_squared = 0;
};

Line fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  Line line;
  line.gradient = xx > 0 ? xy / xx : 0;
  line.intercept = mean_y - line.gradient * mean_x;
  line.r_squared = xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0;
  return line;
}

// Fall or rise per metre along one axis: central where both neighbours have a height, else one
// sided, else 0.
double gradient(double before, double here, double after, double spacing) {
  const bool has_before = !std::isnan(before), has_after = !std::isnan(after);
  if (has_before && has_after) return (after - before) / (2 * spacing);
  if (has_after) return (after - here) / spacing;
  if (has_before) return (here - before) / spacing;
  return 0;
}

double slope_at(const HeightView& view, std::size_t cell) {
  const int x = static_cast<int>(cell % static_cast<std::size_t>(view.width));
  const int y = static_cast<int>(cell / static_cast<std::size_t>(view.width));
  const double outside = std::numeric_limits<double>::quiet_NaN();
  const float* here = view.heights + cell;
  const double gx =
      gradient(x > 0 ? here[-1] : outside, *here, x + 1 < view.width ? here[1] : outside, view.dx);
  const double gy = gradient(y > 0 ? here[-view.width] : outside, *here,
                             y + 1 < view.height ? here[view.width] : outside, view.dy);
  return std::sqrt(gx * gx + gy * gy);
}

void measure_shape(const HeightView& view, Hydrology& result) {
  double sum = 0, slopes = 0;
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (std::size_t cell = 0; cell < view.cells(); ++cell) {
    const double z = view.heights[cell];
    if (std::isnan(z)) continue;
    ++result.cells;
    sum += z;
    slopes += slope_at(view, cell);
    lowest = std::min(lowest, z);
    highest = std::max(highest, z);
  }
  if (result.cells == 0) return;
  const double count = static_cast<double>(result.cells);
  result.land_area = count * view.dx * view.dy;
  result.lowest = lowest;
  result.highest = highest;
  result.relief = highest - lowest;
  result.mean_slope = slopes / count;
  if (result.relief > 0) result.hypsometric_integral = (sum / count - lowest) / result.relief;
}

void measure_drainage(const HeightView& view, const Drainage& drainage, double channel_area,
                      Hydrology& result) {
  double channel_length = 0;
  for (const std::uint32_t cell : drainage.order) {
    const double area = drainage.area(cell);
    result.largest_catchment = std::max(result.largest_catchment, area);
    result.volume_below_outlet +=
        (double{drainage.filled[cell]} - view.heights[cell]) * view.dx * view.dy;
    if (area >= channel_area) channel_length += drainage.length_to_receiver(cell);
  }
  if (result.land_area > 0) result.drainage_density = channel_length / result.land_area;
}

}  // namespace

double Drainage::length_to_receiver(std::size_t cell) const {
  if (receiver[cell] == none) return std::min(dx, dy);
  const std::size_t to = receiver[cell];
  const std::size_t columns = static_cast<std::size_t>(width);
  const bool across = cell % columns != to % columns;
  const bool along = cell / columns != to / columns;
  return across && along ? length_of(dx, dy) : across ? dx : dy;
}

double Drainage::slope(std::size_t cell) const {
  if (receiver[cell] == none) return 0;
  return (double{filled[cell]} - filled[receiver[cell]]) / length_to_receiver(cell);
}

std::vector<float> fill_depressions(const HeightView& view, float epsilon) {
  check(view);
  Flood flood(view, epsilon);
  flood.run();
  return flood.take_levels();
}

Drainage drain(const HeightView& view) {
  check(view);
  Flood flood(view, 0);
  flood.run();
  Drainage drainage;
  drainage.width = view.width;
  drainage.dx = view.dx;
  drainage.dy = view.dy;
  drainage.filled = flood.take_levels();
  drainage.receiver = flood.take_parents();
  drainage.order = flood.take_order();
  drainage.upstream_cells.assign(view.cells(), 0);
  turn_to_steepest(view, drainage);
  accumulate(drainage);
  return drainage;
}

double channel_threshold(const Drainage& drainage, const HydrologyOptions& options) {
  if (options.channel_area > 0) return options.channel_area;
  const double cells = std::max(64.0, static_cast<double>(drainage.order.size()) / 4000);
  return cells * drainage.dx * drainage.dy;
}

SlopeArea slope_area_concavity(const HeightView& view, const Drainage& drainage,
                               const HydrologyOptions& options) {
  SlopeArea result;
  result.min_area = channel_threshold(drainage, options);
  std::vector<double> log_area, log_slope;
  for (Bin& bin : bin_by_area(view, drainage, result.min_area)) {
    if (bin.slopes.size() < min_cells_per_bin) continue;
    result.cells += bin.slopes.size();
    log_area.push_back(bin.log_area / static_cast<double>(bin.slopes.size()));
    log_slope.push_back(std::log(median(bin.slopes)));
  }
  result.bins = static_cast<int>(log_area.size());
  if (result.bins < 3) return result;
  const Line line = fit_line(log_area, log_slope);
  result.concavity = -line.gradient;
  result.steepness = std::exp(line.intercept);
  result.r_squared = line.r_squared;
  return result;
}

std::size_t cells_below_outlet(const HeightView& view, const std::vector<float>& filled,
                               float tolerance) {
  std::size_t count = 0;
  for (std::size_t cell = 0; cell < view.cells(); ++cell)
    count += filled[cell] - view.heights[cell] > tolerance ? 1 : 0;  // NaN compares false
  return count;
}

Hydrology measure_hydrology(const HeightView& view, const HydrologyOptions& options) {
  const Drainage drainage = drain(view);
  Hydrology result;
  measure_shape(view, result);
  measure_drainage(view, drainage, channel_threshold(drainage, options), result);
  result.cells_below_outlet =
      cells_below_outlet(view, drainage.filled, options.below_outlet_tolerance);
  if (result.cells > 0)
    result.fraction_below_outlet =
        static_cast<double>(result.cells_below_outlet) / static_cast<double>(result.cells);
  result.slope_area = slope_area_concavity(view, drainage, options);
  return result;
}

}  // namespace scree
