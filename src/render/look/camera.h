// Where a picture is taken from. No window, no OpenGL: a viewer moves the same camera.
#pragma once

#include <optional>
#include <span>

#include "render/look/vector.h"

namespace scree::render {

struct Camera {
  // Unless `from` is given, the camera stands this way from the middle of things, as far away as
  // it takes to have all of them in the picture. Degrees, clockwise from north.
  double azimuth = 205;
  double altitude = 33;
  double field = 26;              // degrees of view along the picture's longer side
  double zoom = 1;                // 2 shows half as much around the same middle
  std::optional<Vec3> from = {};  // the eye itself, in metres
  bool above_ground = false;      // its z is above the ground there, not above the lowest place
  std::optional<Vec3> at = {};    // what is in the middle of the picture
  // Degrees clockwise, seen from above, that it has gone around what is in the middle.
  double turned = 0;
};

// A camera that knows its picture. A point's place in the picture is its share of width and height,
// from the upper left corner.
struct View {
  Vec3 eye;
  Vec3 right, up, forward;  // unit vectors
  double tan_x = 1;         // half the field of view, as slopes
  double tan_y = 1;

  struct Place {
    double x = 0;
    double y = 0;
    double depth = 0;  // metres along the view; not above 0: behind the camera
  };
  Place project(Vec3 point) const;
  Vec3 ray(double x, double y) const;  // from the eye through that place; a unit along forward
};

// Where an eye that was placed (`from`) stands once it has turned.
Vec3 turned_eye(const Camera& camera, std::span<const Vec3> things);

// `things` are points that outline what is to be seen; aspect is width over height.
View look(const Camera& camera, std::span<const Vec3> things, double aspect);

}  // namespace scree::render
