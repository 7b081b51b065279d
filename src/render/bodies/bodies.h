// Inside render: triangles in a picture, and the light that reaches them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/mesh.h"
#include "render/gl/gl.h"
#include "render/look/picture_scene.h"
#include "render/look/vector.h"

namespace scree::render {

class Bodies {
 public:
  // The middle of their box comes to x = y = 0 and their foot to z = 0. Error where there is no
  // triangle, or an index has no vertex. water: none, or one a vertex. coarse: what keeps the
  // sky's light away, instead of the mesh itself. sawn: its flat faces; it then has normals. lamp:
  // the program that draws how far light reaches.
  Bodies(const Mesh& mesh, const Look& look, std::span<const WaterOn> water, const Mesh* coarse,
         const Sawn* sawn, const gl::Program& lamp);

  // The light of another sun, and of its sky; how far the sky's reaches stays.
  void change_sun(const Look& look, const gl::Program& lamp);
  // Other water on the same mesh, one a vertex. False where none was on it: what carries water was
  // not kept.
  bool change_water(std::span<const WaterOn> water, const ReliefOptions& options);

  void draw() const;                  // with the program that is in use
  void bind() const;                  // lights and sawn faces, for drawing and shading
  std::vector<Vec3> outline() const;  // corners of their box
  Vec3 size() const { return size_; }
  // Of the highest triangle there, in the picture's metres; of the plain beside them. Looks at all.
  double height_at(double x, double y) const;
  bool is_sawn() const { return of_vertex_.name() != 0; }
  bool has_water() const { return water_deep_ > 0; }
  float water_deep() const { return water_deep_; }  // metres; here water has its full colour
  Vec3 top_colour() const { return top_colour_; }   // of their level ground, in linear light
  // What was taken from the mesh's own coordinates.
  Vec3 shift() const { return shift_; }

 private:
  // What new water needs of the mesh, as it is drawn; only where there is water.
  struct Wet {
    std::vector<Mesh::Vector> normals;
    std::vector<Mesh::Triangle> triangles;
    std::vector<std::uint32_t> copied;  // which vertices those beyond the mesh's own are copies of
  };

  void upload(const Mesh& mesh, const Look& look, bool wet);
  void upload_water(std::span<const WaterOn> water, const ReliefOptions& options);
  void upload(const Sawn& sawn, double stretch);
  void fill_lights(const Look& look) const;
  void light(const gl::Program& lamp, int first, int last, const Mesh* coarse,
             double stretch) const;

  Vec3 shift_;
  Vec3 size_;
  Vec3 top_colour_;
  GLsizei corners_ = 0;
  gl::Buffer places_, normals_, colours_, waters_, triangles_, lights_;
  gl::Buffer of_vertex_;  // only of sawn ones, as sawn_ is
  gl::Vertices vertices_;
  gl::Texture lamp_maps_, sun_map_, sawn_;
  gl::Sampler plain_;  // reads distances as they are
  gl::Framebuffer lit_;
  Wet wet_;
  float water_deep_ = 0;
};

}  // namespace scree::render
