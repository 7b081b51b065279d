// VDB files that OpenVDB's own tools and writer made, for those who read them.
#pragma once

#include <filesystem>
#include <string>

namespace scree::testing {

// A ball of this radius about (3, -2, 5) m, on cells of `cell` metres.
struct Ball {
  double radius = 4;
  double cell = 0.25;
  std::string kind = "level set";  // or "fog": 1 inside, 0 outside, a ramp between
  bool half = false;               // floats of 16 bits
  double far = 0;                  // metres further east
};
void write_ball(const std::filesystem::path& path, const Ball& ball);

// One of: nothing (no grid), empty (no active voxel), vectors, frustum, rotated, inside-out
// (mirrored and turned by right angles), stream (without offsets), shared (two grids, one tree),
// numbers (grids of every type), twins (two grids of one name), several, elsewhere (materials on
// another lattice), wide (two voxels far apart), infinite.
void write_odd_vdb(const std::filesystem::path& path, const std::string& what);

}  // namespace scree::testing
