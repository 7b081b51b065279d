// Inside render: the passes in which a part of a picture is drawn, in their order.
#pragma once

#include "render/gl/canvas.h"
#include "render/gl/subject.h"
#include "render/gl/supplies.h"
#include "render/sheet/sheet.h"

namespace scree::render {

// What is seen where: depth, and whose sample it is.
void draw_form(Subject& subject, const Sight& sight, const Canvas& canvas);

// Light on it, sample by sample; then the backdrop.
void shade(const Subject& subject, const Sight& sight, const Canvas& canvas, Programs& programs,
           const gl::Vertices& nothing);

// The edges of triangles over that. Whether they are in front is for their shader to say.
void draw_edges(Subject& subject, const Sight& sight);

// Samples to pixels of a framebuffer, of the part that is kept.
void make_pixels(const Canvas& canvas, const Part& part, Supplies& supplies,
                 const PixelPlace& place);

// Pixels of a framebuffer, of which (left, bottom) is the lower left one, into a window of a
// picture.
void read_pixels(GLuint framebuffer, int left, int bottom, const Window& window, Picture& picture);

}  // namespace scree::render
