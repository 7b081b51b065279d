#include "process/voxels/regions.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "kernel/voxels/region.h"

namespace scree {
namespace {

constexpr device::Kernel fill_kernel{"region_fill", "kernel/voxels/region.h"};
constexpr double most_rate = 15;

template <class T>
device::BufferPtr uploaded(device::Device& device, const std::vector<T>& values) {
  const device::BufferPtr buffer = device.allocate(values.size() * sizeof(T));
  device.write(*buffer, 0, values.data(), values.size() * sizeof(T));
  return buffer;
}

bool within(double value, double least, double most) { return value >= least && value <= most; }

void check_brush(const WeatherRegion& r, std::size_t i) {
  if (!within(r.rate, 0, most_rate) || !within(r.durability, -1, 1))
    throw UsageError(text("region ", i + 1, ": rate ", r.rate, " and durability ", r.durability,
                          ": expected 0 to ", most_rate, " and -1 to 1"));
  const bool boxed = r.kind == WeatherRegion::Kind::box;
  const bool sized = boxed ? r.size[0] > 0 && r.size[1] > 0 && r.size[2] > 0 : r.radius > 0;
  if (!sized || !(r.soft >= 0))
    throw UsageError(text("region ", i + 1, ": expected a ", boxed ? "size" : "radius",
                          " above 0, and nothing below 0 in soft"));
  if (r.kind == WeatherRegion::Kind::capsule && r.at == r.to)
    throw UsageError(text("region ", i + 1, ": a capsule whose ends are one: expected a sphere"));
}

void check_map(const WeatherRegion& r, std::size_t i, const VoxelShape& shape) {
  const auto columns = static_cast<std::size_t>(shape.nx) * static_cast<std::size_t>(shape.ny);
  for (const auto* values : {&r.rates, &r.durabilities})
    if (!values->empty() && values->size() != columns)
      throw UsageError(text("region ", i + 1, ": a map of ", values->size(), " numbers for ",
                            shape.nx, " x ", shape.ny, " columns of voxels"));
  if (r.rates.empty() && r.durabilities.empty())
    throw UsageError(text("region ", i + 1, ": a map without numbers"));
  const auto refuse = [&](const char* what, float value, const char* expected) {
    throw UsageError(
        text("region ", i + 1, ": a map with a ", what, " of ", value, ": expected ", expected));
  };
  for (const float v : r.rates)
    if (!within(static_cast<double>(v), 0, most_rate)) refuse("rate", v, "0 to 15");
  for (const float v : r.durabilities)
    if (!within(static_cast<double>(v), -1, 1)) refuse("durability", v, "-1 to 1");
}

std::uint32_t map_word(const WeatherRegion& r, std::size_t i) {
  const auto scaled = [&](const std::vector<float>& values, float standard) {
    return static_cast<int>(
        std::lround(static_cast<double>(values.empty() ? standard : values[i]) * WEATHER_WHOLE));
  };
  return region_word(scaled(r.rates, 1), scaled(r.durabilities, 0));
}

Brush packed(const WeatherRegion& r, double cell) {
  const auto voxels = [&](double metres) { return static_cast<float>(metres / cell); };
  Brush brush{};
  brush.kind = static_cast<int>(r.kind);
  brush.x = voxels(r.at[0]), brush.y = voxels(r.at[1]), brush.z = voxels(r.at[2]);
  if (r.kind == WeatherRegion::Kind::box)
    brush.u = voxels(r.size[0] / 2), brush.v = voxels(r.size[1] / 2),
    brush.w = voxels(r.size[2] / 2);
  if (r.kind == WeatherRegion::Kind::capsule)
    brush.u = voxels(r.to[0] - r.at[0]), brush.v = voxels(r.to[1] - r.at[1]),
    brush.w = voxels(r.to[2] - r.at[2]);
  brush.radius = voxels(r.radius);
  brush.soft = voxels(r.soft);
  brush.rate = static_cast<float>(r.rate);
  brush.durability = static_cast<float>(r.durability);
  return brush;
}

// Marks the bricks that a brush's bounds touch.
void touch(const Brush& s, const VoxelBox& b, std::vector<std::uint32_t>& bricks) {
  const auto range = [&](float middle, float span, int side, int count) {
    const bool boxed = s.kind == BRUSH_BOX;
    const double reach =
        static_cast<double>(s.soft) + 1 + static_cast<double>(boxed ? span : s.radius);
    const double other = s.kind == BRUSH_CAPSULE ? static_cast<double>(span) : 0;
    const double low = static_cast<double>(middle) + std::min(other, 0.0) - reach,
                 high = static_cast<double>(middle) + std::max(other, 0.0) + reach;
    const auto brick = [&](double at) {
      return static_cast<int>(std::clamp(std::floor(at / side), -1.0, static_cast<double>(count)));
    };
    return std::pair{std::max(brick(low), 0), std::min(brick(high), count - 1)};
  };
  const auto [x0, x1] = range(s.x, s.u, BRICK_X, b.bricks_x);
  const auto [y0, y1] = range(s.y, s.v, BRICK_Y, b.bricks_y);
  const auto [z0, z1] = range(s.z, s.w, BRICK_Z, b.bricks_z);
  for (int z = z0; z <= z1; ++z)
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) bricks[static_cast<std::size_t>(brick_index(b, x, y, z))] = 1;
}

}  // namespace

void RegionField::set(std::vector<WeatherRegion> regions) {
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (regions[i].kind == WeatherRegion::Kind::map)
      check_map(regions[i], i, terrain_.shape());
    else
      check_brush(regions[i], i);
  }
  regions_ = std::move(regions);
  holding_.clear();
  kinds_ = 0;
}

void RegionField::prepare(std::uint64_t step) {
  std::vector<std::size_t> now;
  std::vector<const WeatherRegion*> holding;
  for (std::size_t i = 0; i < regions_.size(); ++i)
    if (regions_[i].holds_in(step)) now.push_back(i), holding.push_back(&regions_[i]);
  if (now == holding_) return;
  holding_ = std::move(now);
  kinds_ = 0;
  build_map(holding);
  build_brushes(holding);
}

void RegionField::build_map(const std::vector<const WeatherRegion*>& holding) {
  std::vector<std::uint32_t> columns;
  for (const WeatherRegion* region : holding) {
    if (region->kind != WeatherRegion::Kind::map) continue;
    columns.resize(std::max(region->rates.size(), region->durabilities.size()), REGION_NONE);
    for (std::size_t i = 0; i < columns.size(); ++i)
      columns[i] = region_joined(columns[i], map_word(*region, i));
  }
  columns_.reset();
  if (columns.empty()) return;
  columns_ = uploaded(terrain_.device(), columns);
  kinds_ |= WEATHER_MAP;
}

void RegionField::build_brushes(const std::vector<const WeatherRegion*>& holding) {
  const VoxelBox& b = terrain_.box();
  std::vector<Brush> brushes;
  std::vector<std::uint32_t> bricks(static_cast<std::size_t>(terrain_.bricks())), touched;
  for (const WeatherRegion* region : holding) {
    if (region->kind == WeatherRegion::Kind::map) continue;
    brushes.push_back(packed(*region, terrain_.shape().cell));
    touch(brushes.back(), b, bricks);
  }
  for (std::size_t i = 0; i < bricks.size(); ++i) {
    if (bricks[i] == 0) continue;
    touched.push_back(static_cast<std::uint32_t>(i));
    bricks[i] = static_cast<std::uint32_t>(touched.size());
  }
  words_.reset(), bricks_.reset();
  if (touched.empty()) return;
  device::Device& device = terrain_.device();
  bricks_ = uploaded(device, bricks);
  words_ = device.allocate(touched.size() * BRICK_VOXELS * sizeof(std::uint32_t));
  const device::BufferPtr brush_buffer = uploaded(device, brushes),
                          touched_buffer = uploaded(device, touched);
  device::Arguments a;
  a.add(b).add(RegionPlan{static_cast<int>(brushes.size())}).add(brush_buffer);
  a.add(touched_buffer).add(words_);
  device.run(fill_kernel, Range{0, 0, BRICK_Y * BRICK_Z, static_cast<int>(touched.size())}, a);
  device.finish();
  kinds_ |= WEATHER_BRUSHES;
}

}  // namespace scree
