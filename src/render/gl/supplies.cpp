#include "render/gl/supplies.h"

#include <cstdint>

#include "render/gl/shader_blocks.h"

namespace scree::render {
namespace {

// The triangles of a block of so many cells along a side, drawn row by row.
std::vector<std::uint32_t> block_triangles(int cells) {
  std::vector<std::uint32_t> indices;
  const auto side = static_cast<std::uint32_t>(cells + 1);
  for (std::uint32_t y = 0; y + 1 < side; ++y)
    for (std::uint32_t x = 0; x + 1 < side; ++x) {
      const std::uint32_t a = y * side + x;
      indices.insert(indices.end(), {a, a + side, a + 1, a + 1, a + side, a + side + 1});
    }
  return indices;
}

}  // namespace

void Noise::begin() {
  if (texture_.name() == 0 && !tiles_.valid()) tiles_ = std::async(noise_tiles);
}

void Noise::bind() {
  if (texture_.name() == 0) texture_ = noise_texture(tiles_.valid() ? tiles_.get() : noise_tiles());
  glBindTextureUnit(4, texture_.name());
}

BlockTriangles::BlockTriangles() {
  for (std::size_t level = 0; level < block_levels; ++level) {
    const auto all = block_triangles(block_cells >> level);
    corners[level] = static_cast<GLsizei>(all.size());
    indices[level] = gl::make_buffer(all.data(), sizeof all[0] * all.size());
  }
}

Supplies::Supplies()
    : frame(gl::make_buffer(nullptr, sizeof(FrameBlock))),
      land(gl::make_buffer(nullptr, sizeof(LandBlock))) {
  gl::check("starting");
}

}  // namespace scree::render
