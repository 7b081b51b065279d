// Inside render: what pictures need whatever they show. It stays with the context, for the next
// renderer.
#pragma once

#include <array>
#include <future>
#include <vector>

#include "render/gl/gl.h"
#include "render/gl/map_textures.h"
#include "render/gl/programs.h"
#include "render/ground/grid_detail.h"

namespace scree::render {

// Made while the form of what is shown is drawn, which leaves a core to it; whoever wants to stop
// waits for it, a fraction of a second.
class Noise {
 public:
  void begin();
  void bind();

 private:
  std::future<std::vector<NoiseTile>> tiles_;
  gl::Texture texture_;
};

// The triangles of a block of a ground, level by level.
struct BlockTriangles {
  BlockTriangles();
  std::array<gl::Buffer, block_levels> indices;
  std::array<GLsizei, block_levels> corners{};
};

struct Supplies {
  Supplies();

  Programs programs;
  Noise noise;
  BlockTriangles triangles;
  gl::Buffer frame, land;  // shader/frame.glsl's and shader/land.glsl's
  gl::Vertices nothing = gl::make_vertices();
};

// Puts a block of shader_blocks.h into its buffer.
template <class Block>
void fill(const gl::Buffer& buffer, const Block& block) {
  glNamedBufferSubData(buffer.name(), 0, sizeof block, &block);
}

}  // namespace scree::render
