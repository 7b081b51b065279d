// The vertices of voxels' surfaces on an OpenCL device: a word of 32 voxels a lane.
#include "kernel/surface/voxel_surface.h"

FN void voxel_surface_vertices_cell(int word, int row, March p, GLOBAL const uint* RESTRICT words,
                                    GLOBAL const uint* RESTRICT bits,
                                    GLOBAL const uint* RESTRICT first,
                                    GLOBAL float* RESTRICT positions,
                                    GLOBAL float* RESTRICT normals,
                                    GLOBAL int* RESTRICT materials) {
  uint i = first[row * p.words + word];
  if (first[row * p.words + word + 1] == i) return;
  const int y = row % p.sy, z = row / p.sy;
  const Cuts cuts = cuts_at(p, bits, word, y, z);
  for (int axis = 0; axis < 3; ++axis)
    for (uint left = axis == 0   ? cuts.x
                     : axis == 1 ? cuts.y
                                 : cuts.z;
         left != 0u; left &= left - 1u, ++i)
      put_voxel_vertex(p, words, word * 32 + lowest_bit(left) - p.ring, y - p.ring, z - p.ring,
                       axis, i, positions, normals, materials);
}
SCREE_KERNEL_7(voxel_surface_vertices, March, p, GLOBAL const uint*, words, GLOBAL const uint*,
               bits, GLOBAL const uint*, first, GLOBAL float*, positions, GLOBAL float*, normals,
               GLOBAL int*, materials)
