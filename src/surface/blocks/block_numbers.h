// What the kernels of blocks are told. Not for others: kernel/surface/blocks.h has many short
// names.
#pragma once

#include "kernel/surface/blocks.h"
#include "surface/blocks/blocks.h"

namespace scree::surface {

inline BlockNumbers block_numbers(const March& volume, const BlockGrid& grid) {
  const std::array<int, 3>& blocks = grid.blocks();
  return {volume, grid.size(), {blocks[0], blocks[1], blocks[2]}, 0, 0};
}

}  // namespace scree::surface
