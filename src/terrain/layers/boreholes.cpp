#include "terrain/layers/boreholes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "terrain/layers/strata.h"

namespace scree {
namespace {

std::vector<int> materials_of(const Borehole& hole) {
  std::vector<int> materials;
  for (const BoreholeInterval& part : hole.intervals)
    if (materials.empty() || materials.back() != part.material) materials.push_back(part.material);
  return materials;
}

// Both sequences in one, which shares as much of them as it can.
std::vector<int> merged(const std::vector<int>& a, const std::vector<int>& b) {
  const std::size_t rows = a.size() + 1, columns = b.size() + 1;
  std::vector<std::size_t> longest(rows * columns);  // common subsequence of what is left of both
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& {
    return longest[i * columns + j];
  };
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      at(i, j) = a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  std::vector<int> all;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j])
      all.push_back(a[i]), ++i, ++j;
    else if (j == b.size() || (i < a.size() && at(i + 1, j) >= at(i, j + 1)))
      all.push_back(a[i++]);
    else
      all.push_back(b[j++]);
  }
  return all;
}

// The thickness of each bed of the sequence in a hole, in quanta; below its last bed it knows none.
struct KnownBeds {
  std::vector<int> quanta;  // as many as it knows
};

KnownBeds beds_of(const LayerShape& shape, const Borehole& hole, const std::vector<int>& sequence) {
  KnownBeds known;
  std::size_t next = 0;
  for (const BoreholeInterval& part : hole.intervals) {
    // Interfaces are rounded, not thicknesses: so the depths are right to half a quantum all down.
    const int quanta = layer_quanta(shape, part.to) - layer_quanta(shape, part.from);
    const bool more = next > 0 && sequence[next - 1] == part.material;
    while (!more && sequence[next] != part.material) known.quanta.push_back(0), ++next;
    if (more)
      known.quanta.back() += quanta;
    else
      known.quanta.push_back(quanta), ++next;
  }
  return known;
}

double squared_distance(const LayerShape& shape, std::size_t cell, const Borehole& hole) {
  const auto width = static_cast<std::size_t>(shape.width);
  const std::size_t row = cell / width, column = cell % width;
  const double x = (static_cast<double>(column) + 0.5) * shape.dx - hole.x;
  const double y = (shape.height - static_cast<double>(row) - 0.5) * shape.dy - hole.y;
  return x * x + y * y;
}

bool lies_inside(const LayerShape& shape, const Borehole& hole) {
  return hole.x >= 0 && hole.x <= shape.width * shape.dx && hole.y >= 0 &&
         hole.y <= shape.height * shape.dy;
}

}  // namespace

std::size_t borehole_cell(const LayerShape& shape, const Borehole& hole) {
  // What lies on the east or north edge is of the last cell.
  const auto cell_at = [](double metres, double size, int cells) {
    return static_cast<std::size_t>(std::min(static_cast<int>(metres / size), cells - 1));
  };
  const std::size_t column = cell_at(hole.x, shape.dx, shape.width);
  const std::size_t from_south = cell_at(hole.y, shape.dy, shape.height);
  return (static_cast<std::size_t>(shape.height) - 1 - from_south) *
             static_cast<std::size_t>(shape.width) +
         column;
}

void check_boreholes(const LayerShape& shape, const std::vector<Borehole>& holes) {
  if (holes.empty()) throw UsageError("boreholes: expected at least one");
  std::map<std::size_t, const Borehole*> taken;
  for (const Borehole& hole : holes) {
    std::string where = hole.where;
    const auto refuse = [&](const std::string& what) {
      throw UsageError(text(where, ": borehole '", hole.name, "': ", what));
    };
    if (!lies_inside(shape, hole))
      refuse(text("at ", hole.x, ", ", hole.y, " m: expected 0 to ", shape.width * shape.dx,
                  " m eastward and 0 to ", shape.height * shape.dy, " m northward"));
    if (hole.intervals.empty()) refuse("has no intervals");
    const std::size_t beds = materials_of(hole).size();
    if (beds > LAYERS_MOST)
      refuse(text(beds, " beds, one on another: expected at most ", LAYERS_MOST));
    double depth = 0;
    for (const BoreholeInterval& part : hole.intervals) {
      where = part.where.empty() ? hole.where : part.where;
      if (!(part.from >= 0)) refuse(text("from ", part.from, " m: expected a depth of 0 or more"));
      if (!(part.to > part.from))
        refuse(text("from ", part.from, " to ", part.to, " m: expected a thickness above 0"));
      if (!(part.to <= tallest_column))
        refuse(text("down to ", part.to, " m: expected at most ", tallest_column, " m"));
      if (!(part.to <= LAYER_SKY * shape.quantum))
        refuse(text("down to ", part.to, " m: expected at most ", LAYER_SKY * shape.quantum,
                    " m with a quantum of ", shape.quantum, " m"));
      if (layer_quanta(shape, part.to) == layer_quanta(shape, part.from))
        refuse(text("from ", part.from, " to ", part.to, " m: thinner than the quantum of ",
                    shape.quantum, " m: expected a thicker interval, or a finer terrain.quantum"));
      if (part.from < depth)
        refuse(text("from ", part.from, " m overlaps what ends at ", depth, " m"));
      if (part.from > depth)
        refuse(text("nothing between ", depth, " and ", part.from,
                    " m: expected an interval there (material \"void\" where the hole met one)"));
      depth = part.to;
    }
    where = hole.where;
    const auto [other, first] = taken.try_emplace(borehole_cell(shape, hole), &hole);
    if (!first) refuse(text("lies in the cell of '", other->second->name, "'"));
  }
}

std::vector<int> common_sequence(const std::vector<Borehole>& holes) {
  std::vector<int> sequence;
  for (const Borehole& hole : holes) sequence = merged(sequence, materials_of(hole));
  return sequence;
}

std::vector<Stack> interpolate_boreholes(const LayerShape& shape,
                                         const std::vector<Borehole>& holes) {
  check_boreholes(shape, holes);
  const std::vector<int> sequence = common_sequence(holes);
  std::vector<KnownBeds> known;
  std::map<std::size_t, std::size_t> at;  // the hole of a cell
  for (const Borehole& hole : holes) {
    at[borehole_cell(shape, hole)] = known.size();
    known.push_back(beds_of(shape, hole, sequence));
  }
  std::vector<Stack> cores(shape.cells());
  for (std::size_t cell = 0; cell < cores.size(); ++cell) {
    std::vector<double> weights;
    for (const Borehole& hole : holes)
      weights.push_back(1 / std::max(squared_distance(shape, cell, hole), 1e-12));
    const auto own = at.find(cell);
    double depth = 0;
    long long rounded = 0;
    for (std::size_t bed = 0; bed < sequence.size(); ++bed) {
      double sum = 0, weight = 0;
      for (std::size_t h = 0; h < holes.size(); ++h)
        if (bed < known[h].quanta.size())
          sum += weights[h] * known[h].quanta[bed], weight += weights[h];
      const bool exact = own != at.end() && bed < known[own->second].quanta.size();
      depth += exact ? known[own->second].quanta[bed] : weight > 0 ? sum / weight : 0;
      const long long below = std::llround(depth);
      if (below > rounded)
        cores[cell].push_back({sequence[bed], static_cast<int>(below - rounded)});
      rounded = below;
    }
  }
  return cores;
}

std::vector<float> ground_of_boreholes(const LayerShape& shape,
                                       const std::vector<Borehole>& holes) {
  const auto known = std::count_if(holes.begin(), holes.end(),
                                   [](const Borehole& hole) { return hole.z.has_value(); });
  std::vector<float> heights(shape.cells());
  if (known == 0) return heights;
  for (const Borehole& hole : holes)
    if (!hole.z)
      throw UsageError(text(hole.where, ": borehole '", hole.name,
                            "': has no z, and others have: expected it of all"));
  for (std::size_t cell = 0; cell < heights.size(); ++cell) {
    double sum = 0, weight = 0;
    for (const Borehole& hole : holes) {
      const double w = 1 / std::max(squared_distance(shape, cell, hole), 1e-12);
      sum += w * *hole.z, weight += w;
    }
    heights[cell] = static_cast<float>(sum / weight);
  }
  // As its beds are, the ground of a hole is its own in its cell, wherever in that it lies.
  for (const Borehole& hole : holes)
    if (lies_inside(shape, hole)) heights[borehole_cell(shape, hole)] = static_cast<float>(*hole.z);
  return heights;
}

}  // namespace scree
