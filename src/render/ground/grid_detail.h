// Inside render: which blocks of a heightfield a picture needs, and how finely.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "render/gl/shader_blocks.h"
#include "render/ground/ground_maps.h"
#include "render/look/camera.h"

namespace scree::render {

constexpr int block_cells = 64;  // along a block's side
constexpr int block_levels = 7;  // steps of 1 to 64 cells

// As shader/ground.vert reads it: in cells.
struct BlockInstance {
  std::int32_t column = 0;
  std::int32_t row = 0;
  std::int32_t step = 1;
  std::array<std::int32_t, 4> neighbours{1, 1, 1, 1};  // steps to the west, east, north and south
};

// A stretch of the border of the land, along a side of a block, as shader/wall.vert draws it.
struct BorderPiece {
  int side = 0;   // of the land: north, east, south, west
  int first = 0;  // column or row
  int step = 1;   // as that of the block
  int steps = 0;
};

class GridDetail {
 public:
  explicit GridDetail(const GroundMaps& maps);

  std::size_t count() const { return boxes_.size(); }  // of blocks

  // By level. A step is about as wide as a pixel, or as `pixels` of them; what the window does not
  // show is left out.
  std::array<std::vector<BlockInstance>, block_levels> blocks(const View& view, int width,
                                                              int height, const Window& window,
                                                              double pixels = 1) const;

  // All of the border, in the same steps.
  std::vector<BorderPiece> border(const View& view, int width, double pixels = 1) const;

 private:
  struct Box {
    Vec3 low, high;
  };
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(across_) +
           static_cast<std::size_t>(x);
  }
  int level_of(const Box& box, const View& view, double width) const;
  std::vector<int> levels(const View& view, double width) const;

  int across_ = 0;
  int down_ = 0;
  double cell_ = 1;
  std::vector<Box> boxes_;
};

}  // namespace scree::render
