#include "render/gl/ground_textures.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "render/gl/map_textures.h"

namespace scree::render {

GroundTextures::GroundTextures(const GroundMaps& maps) {
  put_surface(maps);
  put_light(maps);
  put_water(maps);
  if (!maps.has_holes()) return;
  const std::vector<std::uint8_t> shares = solid_shares(maps.solid);
  solid_ =
      map_texture(GL_RG8, GL_RG, GL_UNSIGNED_BYTE, maps.width, maps.height, shares.data(), false);
}

void GroundTextures::put_surface(const GroundMaps& maps) {
  surface_ =
      map_texture(GL_R32F, GL_RED, GL_FLOAT, maps.width, maps.height, maps.surface.data(), false);
  put_moved(maps);
}

// How far vertices are moved east and north, 1 being half a cell; of most grounds none is.
void GroundTextures::put_moved(const GroundMaps& maps) {
  const bool any = !maps.cliffs.empty();
  const int width = any ? maps.width : 1, height = any ? maps.height : 1;
  std::vector<std::int8_t> shares(2 * static_cast<std::size_t>(width) *
                                  static_cast<std::size_t>(height));
  const auto share = [](float metres, float cell) {
    return static_cast<std::int8_t>(std::lround(std::clamp(254 * metres / cell, -127.0f, 127.0f)));
  };
  for (const CliffCell& cliff : maps.cliffs) {
    shares[2 * std::size_t{cliff.index}] = share(cliff.moved * cliff.up_east, maps.dx);
    shares[2 * std::size_t{cliff.index} + 1] = share(cliff.moved * cliff.up_north, maps.dy);
  }
  moved_ = map_texture(GL_RG8_SNORM, GL_RG, GL_BYTE, width, height, shares.data(), false);
}

void GroundTextures::put_water(const GroundMaps& maps) {
  // Of a dry ground one cell says it all.
  const bool wet = maps.has_water;
  water_ = map_texture(GL_RGBA16F, GL_RGBA, GL_FLOAT, wet ? maps.width : 1, wet ? maps.height : 1,
                       maps.water.data(), true);
  matter_ = map_texture(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, maps.width, maps.height,
                        maps.matter.data(), true);
}

void GroundTextures::put_light(const GroundMaps& maps) {
  light_ = map_texture(GL_RGBA16F, GL_RGBA, GL_FLOAT, maps.light_width, maps.light_height,
                       maps.light.data(), true);
  plain_ = map_texture(GL_R32F, GL_RED, GL_FLOAT, maps.plain_width, maps.plain_height,
                       maps.plain.data(), false);
  if (maps.has_holes())
    plain_past_ = map_texture(GL_R32F, GL_RED, GL_FLOAT, maps.plain_width, maps.plain_height,
                              maps.plain_past.data(), false);
}

void GroundTextures::bind() const {
  for (GLuint unit = 0; const gl::Texture* texture : {&surface_, &light_, &water_, &matter_})
    glBindTextureUnit(unit++, texture->name());
  glBindTextureUnit(6, moved_.name());
  glBindTextureUnit(12, plain_.name());
  if (solid_.name() == 0) return;
  glBindTextureUnit(14, solid_.name());
  glBindTextureUnit(15, plain_past_.name());
}

}  // namespace scree::render
