// Inside render: where a part of a picture is drawn, and which parts it has.
#pragma once

#include <vector>

#include "render/gl/gl.h"
#include "render/ground/grid_detail.h"

namespace scree::render {

// What it has to hold; water is that on bodies.
struct CanvasKind {
  bool bodies = false;
  bool water = false;
  bool operator==(const CanvasKind&) const = default;
};

// Where a part of a picture is drawn, sample by sample, and then made into pixels.
struct Canvas {
  Canvas(int pixels_across, int pixels_down, int samples_a_side, CanvasKind what);

  bool is_of(int pixels_across, int pixels_down, int samples_a_side, CanvasKind what) const {
    return width == pixels_across && height == pixels_down && samples == samples_a_side &&
           kind == what;
  }

  int width, height, samples;
  CanvasKind kind;
  gl::Texture depths, stencil, colours, pixels, drawn, normals, albedos, waters;
  gl::Framebuffer geometry = gl::make_framebuffer(), shading = gl::make_framebuffer(),
                  resolving = gl::make_framebuffer();

 private:
  void attach(const gl::Framebuffer& to, const gl::Texture& colour, bool with_stencil) const;
};

// A part of a picture, and what has to be drawn for it: with as much around it as its shading looks
// at. Both within the picture.
struct Part {
  Window kept, drawn;
};

// Where pixels are put: a framebuffer, and where in it the lower left corner of what is drawn lies.
struct PixelPlace {
  GLuint framebuffer = 0;
  int left = 0;
  int bottom = 0;
};

// Where in what is drawn for a part the rows begin that are kept: OpenGL's first row is the lowest.
inline int rows_below(const Part& part) {
  return part.drawn.top + part.drawn.height - part.kept.top - part.kept.height;
}

// Parts for which no more than `side` pixels have to be drawn either way.
std::vector<Part> parts_of(int width, int height, int side, int margin);

}  // namespace scree::render
