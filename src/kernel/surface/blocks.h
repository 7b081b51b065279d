// Blocks of different detail without cracks: Transvoxel (Lengyel 2010; Geiger 2015, section 2.2.4).
//
// A block of level n has the cells of Marching Cubes (march.h) on every 2^n-th sample. Behind a
// face of it may lie a block of the next finer level: cells along that face then have that one's
// samples on it (border_cells.h). Each pass is a function of one slot, a word of 32 samples in a
// row: of a block's own, or of the finer samples on one of its faces.
//
//   works      per block  level, and which faces have finer blocks behind them
//   bits       per slot   which samples are inside
//   live       per block  does the surface pass it? All below is done for those blocks alone
//   list                  those blocks, in order
//   count      per slot   vertices and triangles; those of border cells are counted by a pass of
//                         their own, in the slots of faces
//   sum        per block  the number of each slot's first ones, and how many in all
//   vertices   per slot   position, normal, material and name of each cut edge; those within border
//                         cells by a pass of their own, numbered after the face's edges
//   triangles  per slot   three vertex numbers each, counted from the block's first vertex; border
//                         cells again by themselves
//
// A pass per slot is over blocks of one level. Its range's x is a place in a slice of samples, its
// y a slice of a block: one for each z, then one for each face; of border cells, a face only. A
// pass per block, over all levels, takes block 32 y + x.
#ifndef SCREE_KERNEL_BLOCKS_H
#define SCREE_KERNEL_BLOCKS_H

#include "kernel/surface/block_borders.h"
#include "kernel/surface/block_cells.h"
#include "kernel/surface/block_slots.h"

SCREE_KERNEL_5(blocks_works, BlockNumbers, g, int, count, GLOBAL const unsigned char*, levels,
               GLOBAL const BlockChoice*, chosen, GLOBAL BlockWork*, works)
SCREE_KERNEL_4(blocks_bits, BlockNumbers, g, GLOBAL const BlockWork*, works, GLOBAL const float*,
               density, GLOBAL uint*, bits)
SCREE_KERNEL_5(blocks_live, BlockNumbers, g, int, count, GLOBAL const BlockWork*, works,
               GLOBAL const uint*, bits, GLOBAL uint*, live)
SCREE_KERNEL_4(blocks_list, int, count, GLOBAL const uint*, before, GLOBAL const BlockWork*, works,
               GLOBAL BlockWork*, live_works)
SCREE_KERNEL_6(blocks_count, BlockNumbers, g, GLOBAL const BlockWork*, works, GLOBAL const uint*,
               table, GLOBAL const uint*, bits, GLOBAL uint*, vertices, GLOBAL uint*, triangles)
SCREE_KERNEL_7(borders_count, BlockNumbers, g, GLOBAL const BlockWork*, works, GLOBAL const uint*,
               table, GLOBAL const float*, density, GLOBAL const uint*, bits, GLOBAL uint*,
               vertices, GLOBAL uint*, triangles)
SCREE_KERNEL_7(blocks_sum, BlockNumbers, g, int, count, GLOBAL const BlockWork*, works,
               GLOBAL uint*, vertices, GLOBAL uint*, triangles, GLOBAL uint*, block_vertices,
               GLOBAL uint*, block_triangles)
SCREE_KERNEL_12(blocks_vertices, BlockNumbers, g, GLOBAL const BlockWork*, works,
                GLOBAL const unsigned char*, levels, GLOBAL const float*, density,
                GLOBAL const uint*, materials, GLOBAL const uint*, bits, GLOBAL const uint*, before,
                GLOBAL const uint*, first, GLOBAL float*, positions, GLOBAL float*, normals,
                GLOBAL uint*, vertex_materials, GLOBAL u64*, names)
SCREE_KERNEL_12(borders_vertices, BlockNumbers, g, GLOBAL const BlockWork*, works,
                GLOBAL const uint*, table, GLOBAL const float*, density, GLOBAL const uint*,
                materials, GLOBAL const uint*, bits, GLOBAL const uint*, before, GLOBAL const uint*,
                first, GLOBAL float*, positions, GLOBAL float*, normals, GLOBAL uint*,
                vertex_materials, GLOBAL u64*, names)
SCREE_KERNEL_8(blocks_triangles, BlockNumbers, g, GLOBAL const BlockWork*, works,
               GLOBAL const uint*, table, GLOBAL const uint*, bits, GLOBAL const uint*, before,
               GLOBAL const uint*, triangles_before, GLOBAL const uint*, first, GLOBAL uint*,
               triangles)
SCREE_KERNEL_9(borders_triangles, BlockNumbers, g, GLOBAL const BlockWork*, works,
               GLOBAL const uint*, table, GLOBAL const float*, density, GLOBAL const uint*, bits,
               GLOBAL const uint*, before, GLOBAL const uint*, triangles_before, GLOBAL const uint*,
               first, GLOBAL uint*, triangles)

#endif
