// Inside render: the maps of a ground as the graphics driver has them.
#pragma once

#include "render/gl/gl.h"
#include "render/ground/ground_maps.h"

namespace scree::render {

class GroundTextures {
 public:
  explicit GroundTextures(const GroundMaps& maps);

  // Made anew, each of them from what has changed in the maps.
  void put_surface(const GroundMaps& maps);  // heights, and how far vertices are moved
  void put_water(const GroundMaps& maps);    // and what the ground is made of, wetness among it
  void put_light(const GroundMaps& maps);    // and that on the plain

  void bind() const;

 private:
  void put_moved(const GroundMaps& maps);

  gl::Texture surface_, light_, water_, matter_, moved_, plain_;
  gl::Texture solid_, plain_past_;  // only of a ground with holes
};

}  // namespace scree::render
