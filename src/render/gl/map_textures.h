// Inside render: maps and noise as the graphics driver has them, smaller levels and all.
#pragma once

#include <vector>

#include "render/gl/gl.h"
#include "render/gl/textures.h"

namespace scree::render {

// Cells as a texture; mipmaps for what is looked at from afar, of four numbers a cell.
gl::Texture map_texture(GLenum stored, GLenum given, GLenum type, int width, int height,
                        const void* values, bool mipmaps);

// What the ground is grained with, one of each kind, and all of them as one texture.
std::vector<NoiseTile> noise_tiles();
gl::Texture noise_texture(const std::vector<NoiseTile>& tiles);

}  // namespace scree::render
