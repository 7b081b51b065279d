#include "render/gl/state.h"

namespace scree::render::gl {
namespace {

constexpr std::array<GLenum, 6> blend_names{GL_BLEND_SRC_RGB,      GL_BLEND_DST_RGB,
                                            GL_BLEND_SRC_ALPHA,    GL_BLEND_DST_ALPHA,
                                            GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA};

void turn(GLenum name, bool on) { on ? glEnable(name) : glDisable(name); }

GLint number(GLenum name) {
  GLint value = 0;
  glGetIntegerv(name, &value);
  return value;
}

}  // namespace

CleanState::CleanState()
    : draw_framebuffer_(number(GL_DRAW_FRAMEBUFFER_BINDING)),
      read_framebuffer_(number(GL_READ_FRAMEBUFFER_BINDING)),
      pack_buffer_(number(GL_PIXEL_PACK_BUFFER_BINDING)),
      unpack_buffer_(number(GL_PIXEL_UNPACK_BUFFER_BINDING)),
      pack_alignment_(number(GL_PACK_ALIGNMENT)),
      unpack_alignment_(number(GL_UNPACK_ALIGNMENT)),
      clip_origin_(number(GL_CLIP_ORIGIN)),
      clip_depth_(number(GL_CLIP_DEPTH_MODE)),
      depth_function_(number(GL_DEPTH_FUNC)),
      provoking_(number(GL_PROVOKING_VERTEX)),
      polygons_(number(GL_POLYGON_MODE)),
      stencil_mask_(number(GL_STENCIL_WRITEMASK)),
      stencil_clear_(number(GL_STENCIL_CLEAR_VALUE)) {
  for (std::size_t i = 0; i < switches.size(); ++i) on_[i] = glIsEnabled(switches[i]);
  for (std::size_t i = 0; i < strides.size(); ++i) stride_[i] = number(strides[i]);
  for (std::size_t i = 0; i < blend_.size(); ++i) blend_[i] = number(blend_names[i]);
  glGetBooleanv(GL_DEPTH_WRITEMASK, &depth_mask_);
  glGetBooleanv(GL_COLOR_WRITEMASK, colour_mask_.data());
  glGetFloatv(GL_DEPTH_CLEAR_VALUE, &depth_clear_);
  glGetFloatv(GL_LINE_WIDTH, &line_width_);
  glGetFloatv(GL_DEPTH_RANGE, depth_range_.data());
  glGetIntegerv(GL_VIEWPORT, viewport_.data());
  glGetIntegerv(GL_SCISSOR_BOX, scissor_.data());
  clean();
}

void CleanState::clean() {
  for (const GLenum name : switches) glDisable(name);
  for (const GLenum name : strides) glPixelStorei(name, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  glBindSamplers(0, 16, nullptr);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDepthMask(GL_TRUE);
  glDepthRange(0, 1);
  glStencilMask(~0U);
  glBlendEquation(GL_FUNC_ADD);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glProvokingVertex(GL_LAST_VERTEX_CONVENTION);
  glLineWidth(1);
}

CleanState::~CleanState() {
  for (std::size_t i = 0; i < switches.size(); ++i) turn(switches[i], on_[i] == GL_TRUE);
  for (std::size_t i = 0; i < strides.size(); ++i) glPixelStorei(strides[i], stride_[i]);
  glPixelStorei(GL_PACK_ALIGNMENT, pack_alignment_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, unpack_alignment_);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, static_cast<GLuint>(pack_buffer_));
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, static_cast<GLuint>(unpack_buffer_));
  glBindSamplers(0, 16, nullptr);
  glColorMask(colour_mask_[0], colour_mask_[1], colour_mask_[2], colour_mask_[3]);
  glDepthMask(depth_mask_);
  glDepthFunc(static_cast<GLenum>(depth_function_));
  glDepthRangef(depth_range_[0], depth_range_[1]);
  glClearDepthf(depth_clear_);
  glClearStencil(stencil_clear_);
  glStencilMask(static_cast<GLuint>(stencil_mask_));
  glBlendFuncSeparate(static_cast<GLenum>(blend_[0]), static_cast<GLenum>(blend_[1]),
                      static_cast<GLenum>(blend_[2]), static_cast<GLenum>(blend_[3]));
  glBlendEquationSeparate(static_cast<GLenum>(blend_[4]), static_cast<GLenum>(blend_[5]));
  glPolygonMode(GL_FRONT_AND_BACK, static_cast<GLenum>(polygons_));
  glProvokingVertex(static_cast<GLenum>(provoking_));
  glLineWidth(line_width_);
  glClipControl(static_cast<GLenum>(clip_origin_), static_cast<GLenum>(clip_depth_));
  glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
  glScissor(scissor_[0], scissor_[1], scissor_[2], scissor_[3]);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw_framebuffer_));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_framebuffer_));
}

}  // namespace scree::render::gl
