#include "render/gl/map_textures.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "base/progress.h"
#include "render/look/mip_levels.h"

namespace scree::render {
namespace {

constexpr int noise_size = 512;
// How much is uploaded until a person who wants to stop is heard.
constexpr int cells_at_once = 1 << 22;

}  // namespace

gl::Texture map_texture(GLenum stored, GLenum given, GLenum type, int width, int height,
                        const void* values, bool mipmaps) {
  if (mipmaps && given != GL_RGBA)
    throw std::logic_error("only maps of four numbers a cell have smaller levels");
  gl::Texture texture = gl::make_texture(GL_TEXTURE_2D);
  glTextureStorage2D(texture.name(), mipmaps ? mip_levels(width, height) : 1, stored, width,
                     height);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  const int cell_bytes = (given == GL_RGBA ? 4
                          : given == GL_RG ? 2
                                           : 1) *
                         (type == GL_FLOAT ? 4 : 1);
  const auto put = [&](int level, int across, int down, const void* cells) {
    const auto* bytes = static_cast<const unsigned char*>(cells);
    for (int top = 0, rows = std::max(1, cells_at_once / across); top < down; top += rows) {
      stop_if_cancelled();
      glTextureSubImage2D(texture.name(), level, 0, top, across, std::min(rows, down - top), given,
                          type,
                          bytes + static_cast<std::size_t>(top) * static_cast<std::size_t>(across) *
                                      static_cast<std::size_t>(cell_bytes));
    }
  };
  put(0, width, height, values);
  if (mipmaps && type == GL_FLOAT)
    each_smaller_level(static_cast<const float*>(values), width, height, put);
  if (mipmaps && type == GL_UNSIGNED_BYTE)
    each_smaller_level(static_cast<const std::uint8_t*>(values), width, height, put);
  gl::finish_part();
  glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER,
                      mipmaps ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
  glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  gl::check("uploading the ground");
  return texture;
}

std::vector<NoiseTile> noise_tiles() {
  return {rock_tile(noise_size), gravel_tile(noise_size), soil_tile(noise_size)};
}

gl::Texture noise_texture(const std::vector<NoiseTile>& tiles) {
  gl::Texture texture = gl::make_texture(GL_TEXTURE_2D_ARRAY);
  glTextureStorage3D(texture.name(), mip_levels(noise_size, noise_size), GL_RGBA8, noise_size,
                     noise_size, static_cast<GLsizei>(tiles.size()));
  for (GLint layer = 0; const NoiseTile& tile : tiles) {
    const auto put = [&](int level, int across, int down, const std::uint8_t* texels) {
      glTextureSubImage3D(texture.name(), level, 0, 0, layer, across, down, 1, GL_RGBA,
                          GL_UNSIGNED_BYTE, texels);
    };
    put(0, noise_size, noise_size, tile.texels.data());
    each_smaller_level(tile.texels.data(), noise_size, noise_size, put);
    ++layer;
  }
  glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  return texture;
}

}  // namespace scree::render
