// Where weathering is directed: brushes and maps that change rate and durability, for some steps or
// for all (kernel/voxels/region.h).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "terrain/voxels/voxels.h"

namespace scree {

// Lengths are metres in the box's own frame, as in terrain/voxels/rocks.h.
struct WeatherRegion {
  enum class Kind { sphere, box, capsule, map };
  Kind kind = Kind::sphere;
  double rate = 1;                   // factor on what a step takes, 0 … 15
  double durability = 0;             // added to every rock's, -1 … 1
  std::array<double, 3> at{}, to{};  // middle; of a capsule its ends
  std::array<double, 3> size{};      // of a box
  double radius = 0;                 // of a sphere or a capsule
  double soft = 0;                   // it fades over this length beyond its faces
  // A map's numbers, one a column, south row first; `rate` and `durability` play no part.
  std::vector<float> rates, durabilities;  // either may be empty
  // Steps, counted from 1, in which it holds; the last one included.
  std::uint64_t from_step = 0, to_step = std::numeric_limits<std::uint64_t>::max();
  bool holds_in(std::uint64_t step) const { return step >= from_step && step <= to_step; }
};

class RegionField {
 public:
  explicit RegionField(Voxels& terrain) : terrain_(terrain) {}

  // UsageError for what cannot be. Regions on one place multiply their rates and add their
  // durabilities; rock never wears faster than such of no durability.
  void set(std::vector<WeatherRegion> regions);
  // Before a step: works out anew what holds, where that has changed.
  void prepare(std::uint64_t step);

  // 0: nothing holds; else bits of WEATHER_BRUSHES and WEATHER_MAP.
  int kinds() const { return kinds_; }
  // Which bricks have words (1 + their place, or 0), the words of brushes, those of the map;
  // buffers that kinds() does not name may be null.
  const device::BufferPtr& bricks() const { return bricks_; }
  const device::BufferPtr& words() const { return words_; }
  const device::BufferPtr& columns() const { return columns_; }

 private:
  void build_map(const std::vector<const WeatherRegion*>& holding);
  void build_brushes(const std::vector<const WeatherRegion*>& holding);

  Voxels& terrain_;
  std::vector<WeatherRegion> regions_;
  std::vector<std::size_t> holding_;  // of which the buffers are
  int kinds_ = 0;
  device::BufferPtr bricks_, words_, columns_;
};

}  // namespace scree
