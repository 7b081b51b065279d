// Inside render: what whoever owns the context may have set, and drawing depends on.
#pragma once

#include <array>

#include "render/gl/gl.h"

namespace scree::render::gl {

// As a new context has it while this lives; then as it was. What is bound of programs, textures,
// samplers, vertices and uniforms is not brought back.
class CleanState {
 public:
  CleanState();
  ~CleanState();
  CleanState(const CleanState&) = delete;
  CleanState& operator=(const CleanState&) = delete;

 private:
  static constexpr std::array<GLenum, 15> switches{GL_DEPTH_TEST,
                                                   GL_STENCIL_TEST,
                                                   GL_SCISSOR_TEST,
                                                   GL_BLEND,
                                                   GL_CULL_FACE,
                                                   GL_FRAMEBUFFER_SRGB,
                                                   GL_RASTERIZER_DISCARD,
                                                   GL_COLOR_LOGIC_OP,
                                                   GL_SAMPLE_ALPHA_TO_COVERAGE,
                                                   GL_SAMPLE_COVERAGE,
                                                   GL_SAMPLE_MASK,
                                                   GL_POLYGON_OFFSET_FILL,
                                                   GL_POLYGON_OFFSET_LINE,
                                                   GL_DEPTH_CLAMP,
                                                   GL_PRIMITIVE_RESTART};
  static constexpr std::array<GLenum, 6> strides{GL_PACK_ROW_LENGTH,  GL_PACK_SKIP_ROWS,
                                                 GL_PACK_SKIP_PIXELS, GL_UNPACK_ROW_LENGTH,
                                                 GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS};

  static void clean();

  std::array<GLboolean, switches.size()> on_{};
  std::array<GLint, strides.size()> stride_{};
  GLint draw_framebuffer_ = 0, read_framebuffer_ = 0, pack_buffer_ = 0, unpack_buffer_ = 0;
  GLint pack_alignment_ = 4, unpack_alignment_ = 4;
  GLint clip_origin_ = GL_LOWER_LEFT, clip_depth_ = GL_NEGATIVE_ONE_TO_ONE;
  GLint depth_function_ = GL_LESS, provoking_ = GL_LAST_VERTEX_CONVENTION, polygons_ = GL_FILL;
  GLint stencil_mask_ = ~0, stencil_clear_ = 0;
  GLboolean depth_mask_ = GL_TRUE;
  GLfloat depth_clear_ = 1, line_width_ = 1;
  std::array<GLboolean, 4> colour_mask_{};
  std::array<GLint, 4> viewport_{}, scissor_{};
  std::array<GLint, 6> blend_{};
  std::array<GLfloat, 2> depth_range_{};
};

}  // namespace scree::render::gl
