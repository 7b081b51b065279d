// A surface in blocks of different detail without cracks: Transvoxel (Lengyel 2010; Geiger 2015,
// section 2.2.4).
//
// Space is cut into equal blocks; a block of level n uses every 2^n-th sample. Where a block meets
// one of half its detail, the coarser one's cells have the finer one's samples on their faces
// there, and so its vertices; triangles stay within their cells and do not cross there. A vertex is
// named by its level and the edge that it cuts, or the cell that it lies in, and all that is known
// of it follows from that name, so every block that uses it makes the same one. How is in
// kernel/surface/blocks.h and kernel/surface/border_cells.h.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernel/surface/march.h"
#include "surface/march/marching_cubes.h"

namespace scree::surface {

// Blocks over a volume, and a ring of them around it, so that the surface closes.
class BlockGrid {
 public:
  // `size` is a power of two: the cells of a block at level 0.
  explicit BlockGrid(const Lattice& lattice, int size = 16);

  int size() const { return size_; }
  int most_level() const { return most_; }
  const std::array<int, 3>& blocks() const { return blocks_; }
  std::size_t count() const { return levels_.size(); }
  // The numbers of all blocks, in order.
  std::vector<std::size_t> all() const;
  std::size_t index(const std::array<int, 3>& block) const;
  std::array<int, 3> block(std::size_t index) const;
  // Around the volume?
  bool in_ring(const std::array<int, 3>& block) const;
  // The volume's sample at a block's first corner.
  int first_sample(int block) const { return (block - 1) * size_; }

  // Of a block; beyond the grid, of the nearest one.
  int level(const std::array<int, 3>& block) const;
  // One a block. Neighbours across faces, edges and corners may differ by one: others are refused.
  // Blocks of the ring take the level of the nearest one within it.
  void set_levels(const std::vector<std::uint8_t>& levels);
  const std::vector<std::uint8_t>& levels() const { return levels_; }
  // By distance: a block that is at least `detail` times its coarse cell away may be that coarse.
  void set_levels(const std::array<double, 3>& viewpoint_metres, double detail);
  // The nearest levels that are allowed and nowhere coarser.
  std::vector<std::uint8_t> eased(std::vector<std::uint8_t> levels) const;

 private:
  Lattice lattice_;
  int size_, most_;
  std::array<int, 3> blocks_;
  std::vector<std::uint8_t> levels_;
};

// The triangles of one block. Blocks name vertices that they share alike, and so do faces of a
// block towards finer ones: where two of them meet, each has its own copy of the finer block's
// vertices.
struct BlockMesh {
  std::vector<std::uint64_t> names;
  Mesh mesh;
  std::vector<std::uint32_t> materials;
};

// Meshes blocks of a volume in this machine's own memory, one by one, with the very kernels that
// DeviceBlockMesher runs over many at once (device_blocks.h).
class BlockMesher {
 public:
  // Densities (and materials, if any) are read when a block is meshed; they must outlive this.
  BlockMesher(const Lattice& lattice, const float* density, float isovalue,
              const std::uint32_t* materials = nullptr);

  BlockMesh block(const BlockGrid& grid, std::size_t index) const;
  // Those chosen, or all, on all threads.
  std::vector<BlockMesh> blocks(const BlockGrid& grid,
                                const std::vector<std::size_t>& chosen) const;
  std::vector<BlockMesh> blocks(const BlockGrid& grid) const;

 private:
  March volume_;
  const float* density_;
  const std::uint32_t* materials_;
};

// One mesh of many: vertices of one name become one. Blocks are taken in order.
Surface welded(const std::vector<BlockMesh>& blocks);

}  // namespace scree::surface
