// How water would run over a surface, and whether that surface looks like land: depressions,
// drainage, and the slope-area concavity of its channels. Measures only; changes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree {

// Heights in metres, row-major, row 0 in the north; NaN is nodata. dx, dy: metres between columns
// and rows. The heights stay the caller's.
struct HeightView {
  const float* heights = nullptr;
  int width = 0;
  int height = 0;
  double dx = 1;
  double dy = 1;

  std::size_t cells() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
};

// Lowest surface not below the heights from which every cell drains to an outlet: priority-flood
// (Barnes, Lehman & Mulla 2014, algorithm 2). Outlets are border cells and cells beside nodata.
// With epsilon (metres) each filled or flat cell lies at least epsilon, and at least one float,
// above the one it drains to (algorithm 3); with 0 the lakes are level.
std::vector<float> fill_depressions(const HeightView& view, float epsilon = 0);

// D8 drainage (O'Callaghan & Mark 1984) on the level-filled surface.
struct Drainage {
  static constexpr std::uint32_t none = 0xffffffffu;

  std::vector<float> filled;                  // metres; NaN where nodata
  std::vector<std::uint32_t> receiver;        // cell that this one drains to; none: leaves, nodata
  std::vector<std::uint32_t> order;           // valid cells, each after its receiver
  std::vector<std::uint32_t> upstream_cells;  // cells that drain through this one, itself included
  int width = 0;
  double dx = 1;
  double dy = 1;

  double area(std::size_t cell) const { return upstream_cells[cell] * dx * dy; }  // m²
  double length_to_receiver(std::size_t cell) const;  // metres; one cell's width where it leaves
  double slope(std::size_t cell) const;  // fall per metre to the receiver; 0 where it leaves
};

// Each cell drains to its steepest lower neighbour on the filled surface; of equally steep ones the
// first in the order W, E, N, S, NW, NE, SW, SE. A cell with no lower neighbour lies on a flat or
// in a filled depression and drains to the neighbour by which the flood reached it, hence by a
// shortest way to the outlet. O(n log n).
Drainage drain(const HeightView& view);

// Slope against drainage area in channels: S = c A^-theta (Flint 1974).
struct SlopeArea {
  double concavity = 0;   // theta; rivers 0.3-0.6, unshaped noise about 0.1
  double steepness = 0;   // c, in m^(2 theta)
  double r_squared = 0;   // of the fit of log median slope to log area
  double min_area = 0;    // m²; smaller catchments count as hillslope
  std::size_t cells = 0;  // channel cells in the fitted bins
  int bins = 0;           // bins in the fit; below 3 nothing is fitted and concavity is 0
};

struct HydrologyOptions {
  // A channel begins where this area drains, m². 0: 1/4000 of the land, at least 64 cells.
  double channel_area = 0;
  // A cell is below its outlet when filling raises it by more than this, metres.
  float below_outlet_tolerance = 0.01f;
};

double channel_threshold(const Drainage& drainage, const HydrologyOptions& options = {});

// Channel cells outside filled depressions, with a slope above 0, in ten bins per decade of area;
// bins of at least 30 cells; the median slope of each; ordinary least squares through their logs.
// The median makes it indifferent to waterfalls and to noise along a river; equal weight per bin
// keeps the thousand small streams from outvoting the few large rivers (Wobus et al. 2006).
SlopeArea slope_area_concavity(const HeightView& view, const Drainage& drainage,
                               const HydrologyOptions& options = {});

std::size_t cells_below_outlet(const HeightView& view, const std::vector<float>& filled,
                               float tolerance = 0.01f);

struct Hydrology {
  std::size_t cells = 0;               // with a height
  double land_area = 0;                // m²
  double lowest = 0;                   // metres
  double highest = 0;                  // metres
  double relief = 0;                   // highest - lowest, metres
  double mean_slope = 0;               // metres per metre, central differences
  double hypsometric_integral = 0;     // (mean - lowest) / relief; 0 where flat
  std::size_t cells_below_outlet = 0;  // cells that filling raises
  double fraction_below_outlet = 0;    // of cells
  double volume_below_outlet = 0;      // m³ that filling would add
  double largest_catchment = 0;        // m²
  double drainage_density = 0;         // metres of channel per m² of land
  SlopeArea slope_area;
};

Hydrology measure_hydrology(const HeightView& view, const HydrologyOptions& options = {});

}  // namespace scree
