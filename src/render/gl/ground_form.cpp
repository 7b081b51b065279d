#include "render/gl/ground_form.h"

#include <algorithm>
#include <vector>

namespace scree::render {
namespace {

// How much is done until a person who wants to stop is heard.
constexpr std::size_t blocks_at_once = 256;
constexpr double edge_pixels = 7;  // from one edge of a ground's triangles to the next

double pixels_a_step(const Sight& sight) { return sight.with_edges ? edge_pixels : 1; }

gl::Vertices vertices_of_blocks(const gl::Buffer& instances) {
  gl::Vertices vertices = gl::make_vertices();
  const GLuint v = vertices.name();
  glVertexArrayVertexBuffer(v, 0, instances.name(), 0, sizeof(BlockInstance));
  glVertexArrayBindingDivisor(v, 0, 1);
  glVertexArrayAttribIFormat(v, 0, 3, GL_INT, offsetof(BlockInstance, column));
  glVertexArrayAttribIFormat(v, 1, 4, GL_INT, offsetof(BlockInstance, neighbours));
  for (const GLuint attribute : {0u, 1u}) {
    glVertexArrayAttribBinding(v, attribute, 0);
    glEnableVertexArrayAttrib(v, attribute);
  }
  return vertices;
}

gl::Vertices vertices_of_rim(const gl::Buffer& rim) {
  gl::Vertices vertices = gl::make_vertices();
  const GLuint v = vertices.name();
  glVertexArrayVertexBuffer(v, 0, rim.name(), 0, sizeof(RimPiece));
  glVertexArrayBindingDivisor(v, 0, 1);
  glVertexArrayAttribFormat(v, 0, 4, GL_FLOAT, GL_FALSE, 0);
  glVertexArrayAttribBinding(v, 0, 0);
  glEnableVertexArrayAttrib(v, 0);
  return vertices;
}

}  // namespace

GroundForm::GroundForm(const GroundMaps& maps)
    : detail_(maps),
      instances_(gl::make_buffer(nullptr, sizeof(BlockInstance) * detail_.count())),
      block_vertices_(vertices_of_blocks(instances_)),
      has_holes_(maps.has_holes()) {
  if (!has_holes_) return;
  const std::vector<RimPiece> pieces = rim_of(maps.solid);
  rim_ = gl::make_buffer(pieces.data(), sizeof(RimPiece) * pieces.size());
  rim_pieces_ = static_cast<GLsizei>(pieces.size());
  rim_vertices_ = vertices_of_rim(rim_);
}

void GroundForm::draw_ground(const gl::Program& program, const Sight& sight,
                             const BlockTriangles& triangles) {
  glUseProgram(program.name());
  const auto blocks =
      detail_.blocks(sight.view, sight.width, sight.height, sight.part.drawn, pixels_a_step(sight));
  std::vector<BlockInstance> all;
  for (const auto& level : blocks) all.insert(all.end(), level.begin(), level.end());
  glNamedBufferSubData(instances_.name(), 0,
                       static_cast<GLsizeiptr>(sizeof(BlockInstance) * all.size()), all.data());
  glBindVertexArray(block_vertices_.name());
  const GLint side = glGetUniformLocation(program.name(), "side");
  gl::PartsUnderWay under_way;
  std::size_t first = 0;
  for (std::size_t level = 0; level < block_levels; first += blocks[level].size(), ++level) {
    if (blocks[level].empty()) continue;
    glUniform1i(side, (block_cells >> level) + 1);
    draw_level(level, first, blocks[level].size(), triangles, under_way);
  }
}

void GroundForm::draw_level(std::size_t level, std::size_t first, std::size_t count,
                            const BlockTriangles& triangles, gl::PartsUnderWay& under_way) const {
  glVertexArrayElementBuffer(block_vertices_.name(), triangles.indices[level].name());
  for (std::size_t done = 0; done < count; done += blocks_at_once) {
    glDrawElementsInstancedBaseInstance(
        GL_TRIANGLES, triangles.corners[level], GL_UNSIGNED_INT, nullptr,
        static_cast<GLsizei>(std::min(blocks_at_once, count - done)),
        static_cast<GLuint>(first + done));
    under_way.add();
  }
}

void GroundForm::draw_walls(const gl::Program& program, const Sight& sight,
                            const gl::Vertices& nothing) {
  glUseProgram(program.name());
  if (has_holes_) {
    draw_rim();
    return;
  }
  glBindVertexArray(nothing.name());
  const GLint piece = glGetUniformLocation(program.name(), "piece");
  for (const BorderPiece& p : detail_.border(sight.view, sight.width, pixels_a_step(sight))) {
    glUniform3i(piece, p.side, p.first, p.step);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * (p.steps + 1));
  }
}

void GroundForm::draw_rim() const {
  if (rim_pieces_ == 0) return;
  glBindVertexArray(rim_vertices_.name());
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, rim_pieces_);
  gl::finish_part();
}

}  // namespace scree::render
