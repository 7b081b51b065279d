// What tests of pictures share: one renderer, simple things to show, and colours of places.
#pragma once

#include <cmath>

#include "render/gl/context.h"
#include "render/gl/renderer.h"

namespace scree::render {

// One context for all tests of this program: a driver takes a while to start. Neither is destroyed,
// so that the driver is still there when a leak checker wants to name it.
inline Renderer& renderer() {
  static const auto* const context = new OffscreenContext;
  static auto* const instance = context != nullptr ? new Renderer : nullptr;
  return *instance;
}

inline Ground flat(int width, int height, float z = 0) {
  Ground ground{width, height, 10, 10};
  ground.bed.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), z);
  return ground;
}

inline Look plain_look() {
  Look look;
  look.relief.palette = Palette::plain;
  return look;
}

struct Colour {
  double r = 0, g = 0, b = 0;
  double sum() const { return r + g + b; }
};

// Mean of a few pixels about a place in the ground.
inline Colour colour_at(const Picture& picture, const View& view, Vec3 place) {
  const View::Place at = view.project(place);
  const int x = static_cast<int>(at.x * picture.width), y = static_cast<int>(at.y * picture.height);
  Colour mean;
  for (int j = y - 2; j <= y + 2; ++j)
    for (int i = x - 2; i <= x + 2; ++i) {
      const std::size_t p =
          3 * (static_cast<std::size_t>(j) * static_cast<std::size_t>(picture.width) +
               static_cast<std::size_t>(i));
      mean.r += picture.rgb.at(p) / 25.0;
      mean.g += picture.rgb.at(p + 1) / 25.0;
      mean.b += picture.rgb.at(p + 2) / 25.0;
    }
  return mean;
}

// A picture, and where in it a place is seen.
struct Seen {
  Picture picture;
  View view;

  Colour colour(Vec3 place) const { return colour_at(picture, view, place); }
  double at(Vec3 place) const { return colour(place).sum(); }
};

inline Seen seen_by(const Camera& camera, int width, int height) {
  return {renderer().take(camera, width, height), renderer().view_of(camera, width, height)};
}

inline Camera straight_down(double up) {
  Camera camera;
  camera.from = Vec3{0, -0.001 * up, up};
  camera.at = Vec3{0, 0, 0};
  camera.field = 30;
  return camera;
}

// A box about the origin, its sides coloured.
inline Mesh box_mesh(float x, float y, float z, Mesh::Colour colour) {
  Mesh mesh;
  for (int n = 0; n < 8; ++n)
    mesh.positions.push_back({(n & 1) != 0 ? x : -x, (n & 2) != 0 ? y : -y, (n & 4) != 0 ? z : -z});
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  mesh.colours.assign(8, colour);
  return mesh;
}

}  // namespace scree::render
