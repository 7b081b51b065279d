// Marching Cubes (march.h) straight from voxels: bits from bits, 32 at once, and densities from
// words where there is a vertex. Nothing is turned into densities where no surface passes.
#ifndef SCREE_KERNEL_VOXEL_SURFACE_H
#define SCREE_KERNEL_VOXEL_SURFACE_H

#include "kernel/surface/march.h"
#include "kernel/voxels/voxel.h"

// A word of a box's bits without what is beyond it.
FN uint bits_in_box(IN(VoxelBox) b, GLOBAL const uint* bits, int wx, int y, int z) {
  const int n = b.nx - wx * 32;
  if (wx < 0 || n <= 0) return 0u;
  const uint found = bits[bits_index(b, wx, y, z)];
  return n >= 32 ? found : found & ((1u << n) - 1u);
}

FN void voxel_surface_bits_cell(int word, int row, March p, VoxelBox b,
                                GLOBAL const uint* RESTRICT voxels, GLOBAL uint* RESTRICT bits) {
  const int y = row % p.sy - p.ring, z = row / p.sy - p.ring;
  uint found = 0u;
  if (y >= 0 && y < p.ny && z >= 0 && z < p.nz) {
    found = bits_in_box(b, voxels, word, y, z) << p.ring;
    if (p.ring != 0) found |= bits_in_box(b, voxels, word - 1, y, z) >> 31;
  }
  bits[row * p.words + word] = found;
}
SCREE_KERNEL_4(voxel_surface_bits, March, p, VoxelBox, b, GLOBAL const uint*, voxels, GLOBAL uint*,
               bits)

FN MarchField voxel_field(GLOBAL const uint* words) {
  MarchField f;
  f.density = nullptr;
  f.words = words;
  return f;
}
FN void put_voxel_vertex(IN(March) p, GLOBAL const uint* words, int x, int y, int z, int axis,
                         uint i, GLOBAL float* positions, GLOBAL float* normals,
                         GLOBAL int* materials) {
  const MarchVertex v = vertex_on(p, voxel_field(words), words, x, y, z, axis);
  store3(positions, i, metres_at(p, v.sample));
  store3(normals, i, v.normal);
  materials[i] = v.material;
}

#endif
