// Inside render: where a part of a picture is drawn, and which parts it has.
#pragma once

#include <vector>

#include "render/gl/gl.h"
#include "render/ground/grid_detail.h"

namespace scree::render {

// Where a part of a picture is drawn, sample by sample, and then made into pixels.
struct Canvas {
  Canvas(int pixels_across, int pixels_down, int samples_a_side, bool for_bodies, bool for_water);

  int width, height, samples;
  bool with_bodies, with_water;  // water on bodies, that is
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

// Parts for which no more than `side` pixels have to be drawn either way.
std::vector<Part> parts_of(int width, int height, int side, int margin);

}  // namespace scree::render
