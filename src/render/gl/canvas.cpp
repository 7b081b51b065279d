#include "render/gl/canvas.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace scree::render {
namespace {

gl::Texture target(GLenum format, GLsizei w, GLsizei h) {
  gl::Texture texture = gl::make_texture(GL_TEXTURE_2D);
  glTextureStorage2D(texture.name(), 1, format, w, h);
  glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  return texture;
}

}  // namespace

Canvas::Canvas(int pixels_across, int pixels_down, int samples_a_side, CanvasKind what)
    : width(pixels_across), height(pixels_down), samples(samples_a_side), kind(what) {
  const GLsizei w = width * samples, h = height * samples;
  depths = target(GL_R32F, w, h);
  stencil = target(GL_DEPTH32F_STENCIL8, w, h);
  colours = target(GL_RGBA16F, w, h);
  pixels = target(GL_RGBA8, width, height);
  if (kind.bodies) {
    normals = target(GL_RGB10_A2, w, h);
    albedos = target(GL_RGBA8, w, h);
    glNamedFramebufferTexture(geometry.name(), GL_COLOR_ATTACHMENT1, normals.name(), 0);
    glNamedFramebufferTexture(geometry.name(), GL_COLOR_ATTACHMENT2, albedos.name(), 0);
    if (kind.water) {
      waters = target(GL_RGBA16F, w, h);
      glNamedFramebufferTexture(geometry.name(), GL_COLOR_ATTACHMENT3, waters.name(), 0);
    }
    const GLenum all[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2,
                          GL_COLOR_ATTACHMENT3};
    glNamedFramebufferDrawBuffers(geometry.name(), kind.water ? 4 : 3, all);
  } else {
    drawn = target(GL_RGBA16F, w, h);
    glNamedFramebufferTexture(geometry.name(), GL_COLOR_ATTACHMENT1, drawn.name(), 0);
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glNamedFramebufferDrawBuffers(geometry.name(), 2, both);
  }
  attach(geometry, depths, true);
  attach(shading, colours, true);
  attach(resolving, pixels, false);
  gl::check("making room for the picture");
}

void Canvas::attach(const gl::Framebuffer& to, const gl::Texture& colour, bool with_stencil) const {
  glNamedFramebufferTexture(to.name(), GL_COLOR_ATTACHMENT0, colour.name(), 0);
  if (with_stencil)
    glNamedFramebufferTexture(to.name(), GL_DEPTH_STENCIL_ATTACHMENT, stencil.name(), 0);
  if (glCheckNamedFramebufferStatus(to.name(), GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw Error(text("picture: the graphics driver cannot draw ", width, " x ", height,
                     " pixels of ", samples * samples, " samples"));
}

std::vector<Part> parts_of(int width, int height, int side, int margin) {
  const auto step = [&](int length) {
    return length <= side ? length : std::max(1, side - 2 * margin);
  };
  const auto around = [&](int first, int count, int length) {
    const int from = std::max(0, first - margin);
    return std::pair{from, std::min(length, first + count + margin) - from};
  };
  std::vector<Part> parts;
  for (int top = 0; top < height; top += step(height))
    for (int left = 0; left < width; left += step(width)) {
      const Window kept{left, top, std::min(step(width), width - left),
                        std::min(step(height), height - top)};
      const auto [west, across] = around(left, kept.width, width);
      const auto [north, down] = around(top, kept.height, height);
      parts.push_back({kept, {west, north, across, down}});
    }
  return parts;
}

}  // namespace scree::render
