// What a scene says of a terrain of voxels, as plain data: forms, rocks, layers, joints, the ground
// under them, and where and how they weather.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/raster.h"
#include "process/voxels/bubble.h"
#include "process/voxels/regions.h"
#include "terrain/heights/generate.h"
#include "terrain/voxels/rocks.h"

namespace scree {

// A length in metres, or in voxels: then it stays so many voxels whatever their size.
struct VoxelLength {
  double value = 0;
  bool in_voxels = false;
  double voxels(double cell) const { return in_voxels ? value : value / cell; }
};

struct BubbleSettings {
  std::string name;
  std::string shape = "sphere";  // sphere, top-heavy, disc, offsets
  VoxelLength radius{10, true};
  std::optional<VoxelLength> depth;        // of top-heavy, below its middle; a third
  std::optional<VoxelLength> half_height;  // of a disc; a fifth
  std::vector<Bubble::Offset> offsets;
  std::string rates = "spheroidal";              // spheroidal, cavernous, curve
  VoxelLength rate{1, true};                     // rock that a step takes where all around is air
  std::vector<std::pair<double, double>> curve;  // (air ratio, multiple of rate)
  std::optional<bool> open_faces;                // cavernous: true
  std::string where;
};

// Ground under the forms, from a heightfield.
struct GroundSettings {
  std::string scene;           // of a heightfield, run first
  std::string file;            // or: a raster, or the folder of a run
  std::optional<double> base;  // metres above the box's floor that its lowest place gets
  double scale = 1;            // of its heights
  bool stretch = false;        // over the box, whatever its own extent
  std::optional<HeightRange> height_range;  // of a plain image
  std::string where;
};

// A form that is a closed mesh or a volume.
struct SolidSettings {
  std::size_t form = 0;  // its place among rocks.forms
  bool mesh = true;
  std::string file, grid;
  std::optional<std::array<double, 3>> at;  // middle of its foot; none: where its file says
  double scale = 1;
  std::optional<double> level;  // of a volume: rock is where it has at least that
};

// A region's map is read when the box is known; metres as in the scene.
struct RegionSettings {
  WeatherRegion region;
  std::string file;               // of a map
  std::string quantity = "rate";  // what its numbers are: rate, durability
  double scale = 1, offset = 0;   // number = sample * scale + offset
  std::string where;
};

struct VoxelRules {
  VoxelShape shape{256, 256, 128, 1, {}};
  VoxelEdges edges;
  RockSpec rocks;
  std::vector<std::string> rock_bubbles;       // of rocks.rocks, by name; empty: the first
  std::optional<GenerateParameters> generate;  // generated ground under the forms
  std::optional<GroundSettings> ground;        // or from elsewhere
  std::vector<SolidSettings> solids;
  std::vector<BubbleSettings> bubbles;  // none: a sphere of radius 10
  std::vector<RegionSettings> regions;
};

}  // namespace scree
