#include "render/look/camera.h"

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace scree::render {
namespace {

constexpr double degree = 0.017453292519943295;
constexpr double margin = 0.93;  // share of the picture that things may fill

// Clockwise, seen from above.
Vec3 turned_by(Vec3 v, double degrees) {
  const double c = std::cos(degrees * degree), s = std::sin(degrees * degree);
  return {v.x * c + v.y * s, v.y * c - v.x * s, v.z};
}

// Right, up and forward of somebody who looks along `forward` with the head upright.
void set_axes(View& view, Vec3 forward, double turned) {
  view.forward = normalised(forward);
  // Straight down, north is up, until the camera turns.
  const Vec3 across = cross(view.forward, {0, 0, 1});
  view.right = length(across) > 1e-6 ? normalised(across) : turned_by({1, 0, 0}, turned);
  view.up = cross(view.right, view.forward);
}

// The sight lines that just touch what is seen, along one axis of the picture: with the eye at e
// and f metres along the view, all points have |a - e| <= slope (d - f).
struct Touch {
  double low = std::numeric_limits<double>::infinity();    // of a + slope d
  double high = -std::numeric_limits<double>::infinity();  // of a - slope d

  void add(double a, double d, double slope) {
    low = std::min(low, a + slope * d);
    high = std::max(high, a - slope * d);
  }
  double farthest_forward(double slope) const { return (low - high) / (2 * slope); }
  double middle() const { return (low + high) / 2; }
};

// The nearest eye from which all things are in the picture.
Vec3 fitted_eye(const View& view, std::span<const Vec3> things) {
  const double sx = view.tan_x * margin, sy = view.tan_y * margin;
  Touch x, y;
  for (const Vec3& p : things) {
    const double depth = dot(p, view.forward);
    x.add(dot(p, view.right), depth, sx);
    y.add(dot(p, view.up), depth, sy);
  }
  const double forward = std::min(x.farthest_forward(sx), y.farthest_forward(sy));
  return view.right * x.middle() + view.up * y.middle() + view.forward * forward;
}

Vec3 middle_of(std::span<const Vec3> things) {
  Vec3 sum;
  for (const Vec3& p : things) sum = sum + p;
  return sum * (1 / static_cast<double>(std::max<std::size_t>(1, things.size())));
}

}  // namespace

Vec3 turned_eye(const Camera& camera, std::span<const Vec3> things) {
  const Vec3 target = camera.at.value_or(middle_of(things));
  return target - turned_by(target - camera.from.value(), camera.turned);
}

View::Place View::project(Vec3 point) const {
  const Vec3 away = point - eye;
  const double depth = dot(away, forward);
  return {0.5 + 0.5 * dot(away, right) / (depth * tan_x),
          0.5 - 0.5 * dot(away, up) / (depth * tan_y), depth};
}

Vec3 View::ray(double x, double y) const {
  return forward + right * ((2 * x - 1) * tan_x) + up * ((1 - 2 * y) * tan_y);
}

View look(const Camera& camera, std::span<const Vec3> things, double aspect) {
  if (!(camera.field > 0.1 && camera.field < 170))
    throw UsageError(text("camera field: expected 0.1 to 170 degrees, got ", camera.field));
  if (!(camera.zoom > 0))
    throw UsageError(text("camera zoom: expected above 0, got ", camera.zoom));
  if (!(camera.altitude >= -90 && camera.altitude <= 90))
    throw UsageError(text("camera altitude: expected -90 to 90 degrees, got ", camera.altitude));
  View view;
  const double half = std::tan(camera.field * degree / 2);
  view.tan_x = aspect >= 1 ? half : half * aspect;
  view.tan_y = aspect >= 1 ? half / aspect : half;
  const Vec3 middle = middle_of(things);
  if (camera.from) {
    view.eye = turned_eye(camera, things);
    const Vec3 ahead = camera.at.value_or(middle) - view.eye;
    if (!(length(ahead) > 0)) throw UsageError("camera: from and at are the same place");
    set_axes(view, ahead, camera.turned);
  } else {
    set_axes(view, direction(camera.azimuth + camera.turned, camera.altitude) * -1, camera.turned);
    view.eye = fitted_eye(view, things);
    if (camera.at)  // the same distance, another middle
      view.eye = *camera.at - view.forward * dot(middle - view.eye, view.forward);
  }
  view.tan_x /= camera.zoom;
  view.tan_y /= camera.zoom;
  return view;
}

}  // namespace scree::render
