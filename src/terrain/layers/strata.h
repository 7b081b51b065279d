// Stacks of layers from rules: beds that are tilted, folded and faulted under a ground, what lies
// on it, lenses, stamps and caves. Host code of + - * / and sqrt, so that stacks agree everywhere.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "terrain/heights/heightfield.h"
#include "terrain/layers/layers.h"

namespace scree {

// Metres, the same everywhere or other in each cell (rows from north to south).
struct CellMetres {
  double everywhere = 0;
  std::vector<float> cells = {};  // added to it; empty: nothing
  double at(std::size_t cell) const {
    return everywhere + (cells.empty() ? 0 : static_cast<double>(cells[cell]));
  }
};

// What is given as number of a material is 0 for a void.
struct BedSpec {
  int material = 0;
  CellMetres thickness;
};

// A vertical break: what lies to its right, looking along it, has sunk by `drop` metres.
struct FaultSpec {
  double x = 0, y = 0;  // a place on it
  double east = 0, north = 1;
  double drop = 0;
};

// An ellipsoid of another material, in metres.
struct LensSpec {
  int material = 0;
  std::array<double, 3> at{}, size{};
};

// Beds from the top down. The uppermost begins at `top` in the middle of the terrain.
struct StrataSpec {
  std::vector<BedSpec> beds;
  bool repeat = false;  // the first one comes again below the last; else bedrock
  double top = 0;
  double fall_east = 0, fall_north = 0;  // metres of fall for each metre eastward and northward
  std::vector<float> fold;               // metres of lift in each cell; empty: none
  std::vector<FaultSpec> faults;
};

// What lies on the ground, in order.
struct CoverSpec {
  int material = 0;
  CellMetres thickness;         // below 0 counts as 0
  std::optional<double> up_to;  // instead: fills up to this height
};

// Replaces what is solid between two depths under the surface, where its share is at least half.
struct StampSpec {
  int material = 0;
  std::vector<float> share;
  double from = 0, to = 0;
};

// A passage along a path, or, with one place in it, a chamber; rock becomes void.
struct CaveSpec {
  std::vector<std::array<double, 3>> path;
  double radius = 0, half_height = 0;
  CellMetres wider;  // added to radius, and to half_height in proportion
};

// x is metres east of the west edge, y north of the south edge, z a height.
struct LayeredGround {
  std::vector<float> ground;  // heights, rows from north to south
  int bedrock = 1;
  StrataSpec strata;
  // Depths of beds under the ground by cell, from boreholes: instead of `strata`, above bedrock.
  std::vector<Stack> cores;
  std::vector<LensSpec> lenses;
  std::vector<CoverSpec> covers;
  std::vector<StampSpec> stamps;
  std::vector<CaveSpec> caves;
};

// One stack a cell. UsageError where ground lies below the bottom (shape.datum).
std::vector<Stack> build_stacks(const LayerShape& shape, const LayeredGround& spec);

// The finest of 1/1024 m and coarser powers of two in which a layer of so many metres is one word,
// with half of it to spare.
double layer_quantum(double metres);

// Quanta of so many metres; halves away from 0. UsageError for more than a column can have.
int layer_quanta(const LayerShape& shape, double metres);

// ---- conversions

// A heightfield's bed as stacks of one material, with its suspended sediment and its water on it
// where they are given a material. What a coarser quantum cannot hold is dropped and counted.
struct StacksOfHeights {
  std::vector<Stack> stacks;
  double dropped = 0;  // metres, over all cells
  std::vector<char> nodata =
      {};  // cells that have none, whose stacks are empty; none: no such cell
};
StacksOfHeights stacks_of_heights(const Heightfield& terrain, const LayerShape& shape, int bedrock,
                                  int sediment = 0, int water = 0);

// The top surface as a heightfield, to the quantum where layers are in powers of two of a metre (as
// they are unless a scene chooses others); fluids that lie open are its water, and there is room
// for so many metres more of it. Voids below it are lost from sight, and counted. nodata: cells
// that are to have none, as stacks_of_heights found them.
struct HeightsOfLayers {
  std::unique_ptr<Heightfield> heightfield;
  long long voids = 0;  // quanta
};
HeightsOfLayers heights_of_layers(const Layers& layers, const Borders& borders,
                                  double more_water = 0, const std::vector<char>& nodata = {});

}  // namespace scree
