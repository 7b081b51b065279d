// Bubbles (Farley 2011, §3.2): the neighbourhood in which air is counted around a voxel, and how
// fast rock wears for each count.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace scree {

struct Bubble {
  using Offset = std::array<int, 3>;  // x, y, z; z up
  std::string name;
  std::vector<Offset> offsets;  // any order, none twice
  // Share of a whole voxel that a step takes, for each count of air from 0 to the number of
  // offsets; the first is 0. Materials scale it by 1 - durability.
  std::vector<double> rates;
  // Only voxels with a face on air count it; others have none.
  bool open_faces = false;

  int volume() const { return static_cast<int>(offsets.size()); }
};

// Radii are in voxels. A sphere; one that is flat below its middle; an upright disc's worth of
// layers `half_height` up and down.
std::vector<Bubble::Offset> sphere_offsets(double radius);
std::vector<Bubble::Offset> top_heavy_offsets(double radius, double depth);
std::vector<Bubble::Offset> disc_offsets(double radius, double half_height);

// rate * a / volume (Farley 2011, eq. 3.5).
std::vector<double> spheroidal_rates(int volume, double rate);
// Cavernous weathering (Jones et al. 2010) wears hollows: rate where there is hardly any air,
// nothing from the air ratio of a flat face on.
std::vector<double> cavernous_rates(const std::vector<Bubble::Offset>& offsets, double rate);
// Straight lines through (air ratio, rate), which ascend by ratio.
std::vector<double> curve_rates(int volume, const std::vector<std::pair<double, double>>& points);
// Air in the bubble of a voxel in the face of flat ground: what lies above it.
int flat_face_air(const std::vector<Bubble::Offset>& offsets);

Bubble sphere_bubble(double radius, double rate);

// Throws UsageError where a bubble cannot be used: too far, too large, twice the same, bad rates.
void check_bubble(const Bubble& bubble);

// What kernel/voxels/weather.h calls a plan, and the runs by height.
std::vector<int> bubble_plan(const std::vector<Bubble>& bubbles);
std::vector<int> bubble_runs(const std::vector<Bubble>& bubbles);

}  // namespace scree
