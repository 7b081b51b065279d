// Pictures in perspective: one OpenGL renderer for files and windows alike.
//
//   OffscreenContext context;                 // or a window's, current on this thread
//   Renderer renderer;
//   renderer.show(ground, look);              // once; then as many cameras as you like
//   Picture picture = renderer.take(camera, 1280, 800);
//
// or, in a window's framebuffer and without a way back from the graphics driver:
//
//   renderer.draw(camera, {framebuffer, 0, 0, 1280, 800});
#pragma once

#include <memory>
#include <span>

#include "data/mesh.h"
#include "render/gl/made.h"
#include "render/look/camera.h"
#include "render/look/picture_scene.h"
#include "render/sheet/sheet.h"

namespace scree::render {

class OffscreenContext;

constexpr int most_pixels_a_side = 16384;
constexpr int lamp_pixels = 512;  // a side of what each lamp of the sky sees of a mesh

// A framebuffer of the context that is current, 0 being its window's, and which pixels of it a
// picture takes, as glViewport has them: from its lower left corner.
struct Target {
  unsigned framebuffer = 0;
  int left = 0;
  int bottom = 0;
  int width = 0;
  int height = 0;
};

// Programs and textures that one has made stay with the OffscreenContext that is current then, for
// the next.
class Renderer {
 public:
  Renderer();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  // One or the other; what was shown before is gone. water: none, or one a vertex of the mesh.
  // coarse: the same mesh with less detail, for the soft shadows of the sky. sawn: its flat faces.
  void show(const Ground& ground, const Look& look);
  void show(const Mesh& mesh, const Look& look, std::span<const WaterOn> water = {},
            const Mesh* coarse = nullptr, const Sawn* sawn = nullptr);

  // What is shown, changed: only what depends on the change is made anew, and pictures are those
  // that a renderer would take that is shown all of it. False where the change takes the terrain
  // itself, which is then to be shown again: heights that are exaggerated anew, other tints of
  // them, other ways to see water; a mesh that was dry, or in another stone. Where one of these
  // is stopped or fails, nothing is shown.
  bool change_look(const Look& look);
  bool change_water(std::span<const WaterOn> water);
  // Of a ground of which nothing has changed but its water, and what is known of that: its depth,
  // sediment, flow and velocity.
  void change_water(const Ground& ground);

  // What was made so far.
  const Made& made() const;

  // The edges of its triangles, which are then a few pixels wide where a ground's cells are finer.
  void show_edges(bool shown);

  // Where that camera stands, and what it sees where.
  View view_of(const Camera& camera, int width, int height) const;
  // In the picture's metres: x east and y north of the middle, z exaggerated above the lowest
  // place.
  Vec3 place_of(int column, int row) const;
  // The same of a point in a mesh's own metres: there the foot of its box is 0.
  Vec3 place_of(Vec3 point) const;

  // A picture with a longer side is taken in parts of this many pixels, which meet without a seam.
  void take_parts_of(int pixels);

  // UsageError for a size that is none, and for an eye (`from`) under the ground. samples: along a
  // pixel's side. What the owner of the context has set is as before when it is drawn, but for
  // what is bound: programs, textures, samplers, vertices and uniforms.
  void draw(const Camera& camera, const Target& target, int samples = 2);
  // What is in those pixels.
  Picture read(const Target& target);
  // Drawn apart, and read.
  Picture take(const Camera& camera, int width, int height, int samples = 2);

 private:
  View checked_view(const Camera& camera, int width, int height, int samples) const;

  struct Parts;
  OffscreenContext* context_ = nullptr;  // on which it was made; none: a window's
  std::shared_ptr<Parts> parts_;
};

// False in a build without OpenGL (SCREE_RENDER=OFF), where the constructors above throw.
bool can_render();

}  // namespace scree::render
