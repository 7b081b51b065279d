#include "render/look/camera.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace scree::render {
namespace {

std::vector<Vec3> box(double x, double y, double z) {
  std::vector<Vec3> corners;
  for (int n = 0; n < 8; ++n)
    corners.push_back({(n & 1) != 0 ? x : -x, (n & 2) != 0 ? y : -y, (n & 4) != 0 ? z : -z});
  return corners;
}

RC_GTEST_PROP(Camera, HasAllThingsInThePictureAndFillsIt, ()) {
  Camera camera;
  camera.azimuth = *rc::gen::inRange(0, 360);
  camera.altitude = *rc::gen::inRange(5, 91);
  camera.field = *rc::gen::inRange(10, 90);
  const double aspect = *rc::gen::inRange(3, 30) / 10.0;
  const auto things =
      box(*rc::gen::inRange(1, 5000), *rc::gen::inRange(1, 5000), *rc::gen::inRange(1, 2000));
  const View view = look(camera, things, aspect);
  double least = 1, most = 0, low = 1, high = 0;
  for (const Vec3& thing : things) {
    const View::Place place = view.project(thing);
    RC_ASSERT(place.depth > 0);
    least = std::min(least, place.x);
    most = std::max(most, place.x);
    low = std::min(low, place.y);
    high = std::max(high, place.y);
  }
  RC_ASSERT(least > 0 && most < 1 && low > 0 && high < 1);
  // One pair of edges is touched, but for the margin.
  RC_ASSERT(std::max(most - least, high - low) > 0.9);
}

TEST(Camera, ARayAndAProjectionAreInverse) {
  const View view = look({}, box(1000, 1000, 300), 1.6);
  for (const auto& [x, y] : {std::pair{0.5, 0.5}, {0.1, 0.9}, {0.77, 0.2}}) {
    const View::Place place = view.project(view.eye + view.ray(x, y) * 1234);
    EXPECT_NEAR(place.x, x, 1e-9);
    EXPECT_NEAR(place.y, y, 1e-9);
    EXPECT_NEAR(place.depth, 1234, 1e-9);
  }
}

TEST(Camera, FromTheSouthEastIsRightAndUpIsUp) {
  Camera camera;
  camera.azimuth = 180;
  const View view = look(camera, box(1000, 1000, 300), 1.6);
  EXPECT_GT(view.project({500, 0, 0}).x, view.project({-500, 0, 0}).x);
  EXPECT_LT(view.project({0, 0, 200}).y, view.project({0, 0, -200}).y);
  EXPECT_LT(view.eye.y, -1000);
}

TEST(Camera, StraightDownHasNorthUp) {
  Camera camera;
  camera.altitude = 90;
  camera.azimuth = 180;
  const View view = look(camera, box(1000, 1000, 300), 1);
  EXPECT_LT(view.project({0, 500, 0}).y, view.project({0, -500, 0}).y);
  EXPECT_GT(view.project({500, 0, 0}).x, view.project({-500, 0, 0}).x);
}

TEST(Camera, AnEyeAndATargetAreTaken) {
  Camera camera;
  camera.from = Vec3{10, -2000, 900};
  camera.at = Vec3{300, 200, 100};
  const View view = look(camera, box(1000, 1000, 300), 1.5);
  const View::Place place = view.project({300, 200, 100});
  EXPECT_NEAR(place.x, 0.5, 1e-9);
  EXPECT_NEAR(place.y, 0.5, 1e-9);
  camera.at = camera.from;
  EXPECT_THROW(look(camera, box(1, 1, 1), 1), UsageError);
}

TEST(Camera, GoesAroundWhatItLooksAt) {
  const Vec3 target{300, 200, 100};
  for (const bool placed : {true, false}) {
    Camera camera;
    camera.at = target;
    if (placed) camera.from = Vec3{300, -1800, 900};  // from the south
    const View start = look(camera, box(1000, 1000, 300), 1.5);
    camera.turned = 90;
    const View west = look(camera, box(1000, 1000, 300), 1.5);
    EXPECT_NEAR(west.project(target).x, 0.5, 1e-9);
    EXPECT_NEAR(west.project(target).y, 0.5, 1e-9);
    EXPECT_NEAR(length(west.eye - target), length(start.eye - target), placed ? 1e-6 : 500);
    if (placed) {
      EXPECT_NEAR(west.eye.x, 300 - 2000, 1e-6) << "clockwise: from the south to the west";
      EXPECT_NEAR(west.eye.y, 200, 1e-6);
      EXPECT_NEAR(west.eye.z, 900, 1e-6);
    }
    camera.turned = 360;
    EXPECT_NEAR(length(look(camera, box(1000, 1000, 300), 1.5).eye - start.eye), 0, 1e-6);
  }
  Camera above;
  above.altitude = 90;
  above.azimuth = 180;
  above.turned = 90;
  const View view = look(above, box(1000, 1000, 300), 1);
  EXPECT_LT(view.project({500, 0, 0}).y, view.project({-500, 0, 0}).y) << "east is up now";
}

TEST(Camera, RefusesWhatIsNoView) {
  Camera camera;
  camera.field = 0;
  EXPECT_THROW(look(camera, box(1, 1, 1), 1), UsageError);
  camera = {};
  camera.zoom = 0;
  EXPECT_THROW(look(camera, box(1, 1, 1), 1), UsageError);
  camera = {};
  camera.altitude = 91;
  EXPECT_THROW(look(camera, box(1, 1, 1), 1), UsageError);
}

}  // namespace
}  // namespace scree::render
