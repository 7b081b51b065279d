// Core samples interpolated into beds.
//
// The holes' lists of materials are merged into one sequence of beds, in the order of the holes:
// two lists share as many beds as they can without changing the order of either (their longest
// common subsequence). A bed that a hole does not have, though it has others below, is absent
// there: its thickness is 0, and it thins out towards the hole. Of beds below its last one a hole
// says nothing; they follow from the others. In between, the thickness of a bed is the mean of the
// holes' by the inverse square of their distance (Shepard 1968); in the cell of a hole it is the
// hole's own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "terrain/layers/layers.h"

namespace scree {

struct BoreholeInterval {
  double from = 0, to = 0;  // metres below the ground
  int material = 0;         // 0: a void
  std::string where = {};   // file and line, for messages; empty: those of its hole
};

struct Borehole {
  std::string name;
  double x = 0, y = 0;      // metres east of the west edge, north of the south edge
  std::optional<double> z;  // height of the ground there
  std::vector<BoreholeInterval> intervals;
  std::string where;  // file and line, for messages
};

// The cell that a hole within the terrain lies in.
std::size_t borehole_cell(const LayerShape& shape, const Borehole& hole);

// UsageError for intervals that overlap, leave a gap or have not the thickness of a quantum, a hole
// outside the terrain, and two holes in one cell.
void check_boreholes(const LayerShape& shape, const std::vector<Borehole>& holes);

// The beds of all holes, from the top down.
std::vector<int> common_sequence(const std::vector<Borehole>& holes);

// For each cell the beds from the ground down.
std::vector<Stack> interpolate_boreholes(const LayerShape& shape,
                                         const std::vector<Borehole>& holes);

// Heights of the ground from the holes', by the same means; 0 everywhere where none has one.
// UsageError where some have and some have not.
std::vector<float> ground_of_boreholes(const LayerShape& shape, const std::vector<Borehole>& holes);

}  // namespace scree
