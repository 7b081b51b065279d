// The surface of a field of densities, as triangles: Marching Cubes on any device, with the same
// bits on each.
#pragma once

#include <cstdint>
#include <vector>

#include "data/mesh.h"
#include "device/device.h"
#include "kernel/surface/march.h"
#include "surface/march/prefix_sums.h"
#include "terrain/voxels/voxels.h"

namespace scree::surface {

// Where samples lie: x fastest, then y, then z; right-handed, metres.
struct Lattice {
  int nx = 0, ny = 0, nz = 0;
  float cell_x = 1, cell_y = 1, cell_z = 1;
  float origin_x = 0, origin_y = 0, origin_z = 0;

  std::size_t samples() const {
    return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) *
           static_cast<std::size_t>(nz);
  }
};

struct MarchOptions {
  float isovalue = 0.5F;  // inside from here on
  // Closed where the volume ends: the mesh is then the surface of a solid. Open otherwise.
  bool closed = true;
};

// Triangles in a device's memory, until the next extraction.
struct DeviceMesh {
  std::uint32_t vertices = 0, triangles = 0;
  device::BufferPtr positions, normals, indices;  // three floats, three floats, three numbers each
  device::BufferPtr materials;                    // one number a vertex, where the volume has them
};

struct Surface {
  Mesh mesh;
  std::vector<std::uint32_t> materials;  // one a vertex, or none
};

// What the kernels are told; throws where it is no volume. `kernel/surface/march.h` has the struct.
March march_numbers(const Lattice& lattice, const MarchOptions& options, bool materials);

class MarchingCubes {
 public:
  explicit MarchingCubes(device::DevicePtr device);

  // Densities must be finite. A material is that of the sample inside.
  DeviceMesh extract(const Lattice& lattice, const device::BufferPtr& density,
                     const MarchOptions& options = {}, const device::BufferPtr& materials = {});
  // The surface of voxels, with their materials: a sample in the middle of each. No densities are
  // made of them.
  DeviceMesh extract(const Voxels& voxels, bool closed = true);
  Surface download(const DeviceMesh& mesh) const;

  Surface extract(const Lattice& lattice, const std::vector<float>& density,
                  const MarchOptions& options = {},
                  const std::vector<std::uint32_t>& materials = {});

 private:
  template <class Fill>
  void count(const March& p, const Fill& fill_bits);
  DeviceMesh with_triangles(const March& p);

  device::DevicePtr device_;
  device::BufferPtr table_, bits_, first_vertex_, first_triangle_;
  PrefixSums sums_;
  DeviceMesh mesh_;
};

}  // namespace scree::surface
