// Files of dense volumes (data/volume.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "data/volume.h"

namespace scree::io {

// ---- writing

// Only .vdb (OpenVDB): grids "density" (float, fog volume) and, with materials, "material" (int32,
// the same 32 bits). Samples of exactly 0 are background and take no room. The file appears whole
// or not at all, equal volumes give equal bytes, and read_volume gives back the very bits. Throws
// where the volume is not whole or a density is not finite.
void write_volume(const std::string& path, const Volume& volume);

// For volumes that do not lie in memory as floats: `fill` is called for a few slices at a time,
// from the lowest on, and writes `count` of them from slice `z` on; `materials` is null without
// them. amounts: densities are how much is left of each voxel of rock, and any of it is rock; the
// file tells.
using VolumeSlices =
    std::function<void(int z, int count, float* density, std::uint32_t* materials)>;
void write_volume(const std::string& path, const VolumeShape& shape, bool materials,
                  const VolumeSlices& fill, bool amounts = false);

// Before a volume is made for it: UsageError where the ending is not .vdb, Error where this build
// cannot write it.
void check_volume_name(const std::string& path);

// ---- reading

struct VolumeOptions {
  // Of a VDB. Empty: "density", else a level set or fog volume, else the first that has numbers.
  std::string grid;
  double cell = 0;         // metres between the samples of an array, which does not say
  std::size_t memory = 0;  // bytes that the volume may take; 0: what the machine has
};

struct VolumeFile {
  Volume volume;
  std::string grid;        // that was taken; empty where the file has no grids
  bool level_set = false;  // densities are metres from the surface, positive inside
  bool amounts = false;    // densities are how much is left of each voxel of rock
  // Of materials 1, 2, …, where that is known.
  std::vector<std::array<std::uint8_t, 3>> colours;
  std::vector<std::string> names;

  float isovalue() const { return level_set ? 0.0F : 0.5F; }
};

// A VDB, or a three-dimensional .npy array (z, y, x), which needs options.cell.
//
// Of a VDB's grid: all numbers become floats, and a level set's sign is turned, so that density
// grows inwards. The samples are the box around its active voxels and one more on each side, or the
// box that write_volume was given. Axes that are turned by right angles or mirrored are put
// straight; other turns and tapered (frustum) grids are refused. Materials are those of an integer
// grid "material" on the same lattice. Throws one line where there is nothing that can be read, or
// no room for it, before anything large is allocated.
VolumeFile read_volume(const std::string& path, const VolumeOptions& options = {});

// By its ending, and for .npy by its header.
bool is_volume(const std::string& path);

struct VolumeGrid {
  std::string name, type;               // "float", "vec3s", ...
  std::string kind;                     // "fog volume", "level set", ... ; empty where unknown
  std::array<long long, 3> size{};      // of the box around active voxels; 0 where there are none
  std::array<double, 3> cell{};         // metres; of a tapered grid, in its middle
  std::array<double, 3> low{}, high{};  // metres: the first and last voxel's place along each axis
  std::size_t active = 0;               // voxels
  bool numbers = false;                 // least, most and background mean something
  double least = 0, most = 0;           // of active voxels
  double background = 0;
};
// Every grid of a VDB, in the file's order.
std::vector<VolumeGrid> list_volume(const std::string& path);

}  // namespace scree::io
