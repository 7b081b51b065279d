#include "render/gl/passes.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace scree::render {
namespace {

// How much is done until a person who wants to stop is heard.
constexpr int sample_rows_at_once = 128;

void shade_kind(const Shade& shade, const Part& part, int samples, gl::PartsUnderWay& under_way) {
  glUseProgram(shade.program.name());
  glStencilFunc(GL_EQUAL, static_cast<GLint>(shade.kind), 0xff);
  glEnable(GL_SCISSOR_TEST);
  const int left = (part.kept.left - part.drawn.left) * samples,
            bottom = rows_below(part) * samples, rows = part.kept.height * samples;
  for (int low = 0; low < rows; low += sample_rows_at_once) {
    glScissor(left, bottom + low, part.kept.width * samples,
              std::min(sample_rows_at_once, rows - low));
    glDrawArrays(GL_TRIANGLES, 0, 3);
    under_way.add();
  }
  glDisable(GL_SCISSOR_TEST);
}

}  // namespace

void draw_form(Subject& subject, const Sight& sight, const Canvas& canvas) {
  glBindFramebuffer(GL_FRAMEBUFFER, canvas.geometry.name());
  glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
  glViewport(0, 0, canvas.width * canvas.samples, canvas.height * canvas.samples);
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_STENCIL_TEST);
  glDepthFunc(GL_GREATER);
  glDepthMask(GL_TRUE);
  glStencilMask(0xff);
  glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
  glClearDepth(0);
  glClearStencil(static_cast<GLint>(SampleKind::backdrop));
  glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  const GLfloat far_away[] = {1e30f, 0, 0, 0}, dry[] = {0, 0, 0, 0};
  glClearBufferfv(GL_COLOR, 0, far_away);
  if (canvas.kind.water) glClearBufferfv(GL_COLOR, 3, dry);
  subject.draw_form(sight);
}

void shade(const Subject& subject, const Sight& sight, const Canvas& canvas, Programs& programs,
           const gl::Vertices& nothing) {
  glBindFramebuffer(GL_FRAMEBUFFER, canvas.shading.name());
  glDisable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
  glStencilMask(0);
  glBindVertexArray(nothing.name());
  gl::PartsUnderWay under_way;
  for (const Shade& own : subject.shades()) shade_kind(own, sight.part, canvas.samples, under_way);
  shade_kind({SampleKind::backdrop, programs.backdrop.chosen()}, sight.part, canvas.samples,
             under_way);
}

void draw_edges(Subject& subject, const Sight& sight) {
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  subject.draw_edges(sight);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glDisable(GL_BLEND);
}

void make_pixels(const Canvas& canvas, const Part& part, Supplies& supplies,
                 const PixelPlace& place) {
  glBindFramebuffer(GL_FRAMEBUFFER, place.framebuffer);
  glDisable(GL_STENCIL_TEST);
  glViewport(place.left, place.bottom, canvas.width, canvas.height);
  glEnable(GL_SCISSOR_TEST);
  glScissor(place.left + part.kept.left - part.drawn.left, place.bottom + rows_below(part),
            part.kept.width, part.kept.height);
  const gl::Program& resolve = supplies.programs.resolve.made();
  glUseProgram(resolve.name());
  glUniform1i(glGetUniformLocation(resolve.name(), "each_way"), canvas.samples);
  glUniform2i(glGetUniformLocation(resolve.name(), "corner"), place.left, place.bottom);
  glBindTextureUnit(0, canvas.colours.name());
  glBindVertexArray(supplies.nothing.name());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_SCISSOR_TEST);
  gl::check("drawing");
}

void read_pixels(GLuint framebuffer, int left, int bottom, const Window& window, Picture& picture) {
  std::vector<unsigned char> rows(3 * static_cast<std::size_t>(window.width) *
                                  static_cast<std::size_t>(window.height));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glReadPixels(left, bottom, window.width, window.height, GL_RGB, GL_UNSIGNED_BYTE, rows.data());
  gl::check("reading the picture");
  const std::size_t row = 3 * static_cast<std::size_t>(window.width);
  for (int y = 0; y < window.height; ++y) {
    const std::size_t to =
        3 * (static_cast<std::size_t>(window.top + y) * static_cast<std::size_t>(picture.width) +
             static_cast<std::size_t>(window.left));
    std::memcpy(&picture.rgb[to], &rows[row * static_cast<std::size_t>(window.height - 1 - y)],
                row);
  }
}

}  // namespace scree::render
