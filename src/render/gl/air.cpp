#include "render/gl/air.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::render {
namespace {

constexpr double no_limit = 1e9;
// The nearest that is seen, over half the width of the land: a hand's breadth on a hundred
// kilometres. Depth is a float and reversed: it is as precise far away as with any other.
constexpr double nearest_seen = 1e-6;
// Where half the width is less than this, there is less haze.
constexpr double hazy_metres = 2500;

// How many samples away a look across a part may go.
double reach(const Sight& sight, const Subject& subject, int part_side) {
  return std::max(sight.width, sight.height) > part_side
             ? subject.margin(part_side, sight.samples) * sight.samples
             : no_limit;
}

}  // namespace

double over_land(Vec3 eye, const Vec4& extent) {
  const double x = std::abs(eye.x) - static_cast<double>(extent.x),
               y = std::abs(eye.y) - static_cast<double>(extent.y);
  const double past = std::hypot(std::max(x, 0.0), std::max(y, 0.0)) /
                      static_cast<double>(std::max(extent.x, extent.y));
  return 1 - std::clamp(past, 0.0, 1.0);
}

double air_of_land(double half_width) { return std::min(1.0, half_width / hazy_metres); }

bool same_sun(const Look& a, const Look& b) {
  return a.sun_azimuth == b.sun_azimuth && a.sun_altitude == b.sun_altitude &&
         a.sun_softness == b.sun_softness;
}

FrameBlock frame_of(const Sight& sight, const Subject& subject, const Look& look, const Sky& sky,
                    int part_side) {
  const View& view = sight.view;
  FrameBlock block =
      frame_block(view, look, sky, sight.width, sight.height, sight.part.drawn, sight.samples);
  double nearest = std::numeric_limits<double>::infinity();
  for (const Vec3& thing : subject.outline())
    nearest = std::min(nearest, dot(thing - view.eye, view.forward));
  const Vec4 extent = subject.extent();
  const double size = static_cast<double>(std::max(extent.x, extent.y));
  block.eye.w = static_cast<float>(nearest_seen * size);
  const double over = over_land(view.eye, extent);
  block.air = {static_cast<float>(std::max(0.0, nearest)),
               std::max(0.8f * extent.w, 0.05f * static_cast<float>(size)),
               static_cast<float>(over), static_cast<float>(reach(sight, subject, part_side))};
  block.sky_light.w = static_cast<float>(look.haze * subject.haze(over) / size);
  block.block = extent;
  return block;
}

}  // namespace scree::render
