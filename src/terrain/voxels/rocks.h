// What a terrain of voxels starts as: forms and solids joined in order, made of layers and cut by
// joints (kernel/voxels/rocks.h), and the ground under a heightfield. Lengths are metres in the
// box's own frame: its first corner is (0, 0, 0), so another voxel size gives the same rocks in
// more or less detail.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "terrain/voxels/solids.h"
#include "terrain/voxels/voxels.h"

namespace scree {

struct Rock {
  std::string name;
  double durability = 0;  // share of the weathering that it withstands, 0 … 1
  double noise = 0;       // durability varies by this much up and down
  double noise_size = 0;  // over this many metres; 0: from voxel to voxel
  int bubble = 0;
  bool loose = false;
  std::array<std::uint8_t, 3> colour{176, 138, 104};
  bool jointed = true;  // joints cut it
};

struct RockLayerSpec {
  std::string rock;
  double thickness = 0;  // the last one has no end
  double noise = 0;      // its upper face is displaced by this much
  double noise_size = 10;
};

struct RockFormSpec {
  enum class Kind { block, column, ball, arch, solid };
  Kind kind = Kind::block;
  bool carve = false;                 // takes away what is there
  std::string rock;                   // empty: by the layers
  std::array<double, 3> at{};         // middle of its foot; of a ball: of its lowest point
  std::array<double, 3> size{};       // along x, y and z
  double top = 1;                     // a column's width at the top over that at the foot
  double thickness = 1;               // of an arch, seen from the front (along y)
  double noise = 0, noise_size = 10;  // how far its faces are displaced
  double layer_shift = 0, layer_stretch = 1;
  SolidMask solid = {};  // of a solid: its voxels, which its place, size and noise say nothing of
};
// A slab on a column.
std::vector<RockFormSpec> table_form(const std::array<double, 3>& at,
                                     const std::array<double, 3>& size, double leg_width,
                                     double slab_height);

struct RockJointSpec {
  std::array<double, 3> normal{1, 0, 0};
  double offset = 0, spacing = 10, thickness = 1;
  double noise = 0, noise_size = 10;
  std::string rock;
  double jitter = 0;  // how far a plane may lie from its place, of the spacing
  double tilt = 0;    // and how far it may lean, degrees
};

struct RockSpec {
  std::vector<Rock> rocks;
  std::vector<RockLayerSpec> layers;
  std::vector<RockFormSpec> forms;
  std::vector<RockJointSpec> joints;
  // Ground: a height a column in metres, row-major, south row first; or a word a voxel
  // (terrain/voxels/layer_voxels.h); or none.
  std::vector<float> heights;
  std::vector<std::uint32_t> ground;
  std::uint64_t seed = 0;
};

// The table of materials that the rocks need: a rock whose durability varies has several, from soft
// to hard, named alike.
std::vector<VoxelMaterial> rock_materials(const RockSpec& spec);

// The number of a rock's material among them, of several the middle one. UsageError where no rock
// is called so.
std::uint32_t rock_number(const RockSpec& spec, const std::string& name);

// `terrain` must have been made with those materials.
void build_rocks(Voxels& terrain, const RockSpec& spec);

}  // namespace scree
