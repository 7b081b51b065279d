#include "vdb_files.h"

#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetSphere.h>

#include <fstream>
#include <limits>

namespace scree::testing {
namespace {

using openvdb::Coord;

void save(const std::filesystem::path& path, const openvdb::GridPtrVec& grids) {
  openvdb::io::File(path.string()).write(grids);
}

// Voxels 1 at (0, 0, 0) and 2 at (9, 1, 2).
template <class Grid>
typename Grid::Ptr two_voxels(const std::string& name) {
  typename Grid::Ptr grid = Grid::create();
  grid->setName(name);
  grid->getAccessor().setValue(Coord(0, 0, 0), typename Grid::ValueType(1));
  grid->getAccessor().setValue(Coord(9, 1, 2), typename Grid::ValueType(2));
  return grid;
}

void write_numbers(const std::filesystem::path& path) {
  const auto half = two_voxels<openvdb::FloatGrid>("half");
  half->setSaveFloatAsHalf(true);
  save(path,
       {two_voxels<openvdb::FloatGrid>("float"), half, two_voxels<openvdb::DoubleGrid>("double"),
        two_voxels<openvdb::Int32Grid>("int32"), two_voxels<openvdb::Int64Grid>("int64"),
        two_voxels<openvdb::BoolGrid>("bool"), two_voxels<openvdb::MaskGrid>("mask")});
}

// Where a step along x, y and z leads, and where index 0, 0, 0 lies.
struct Turn {
  openvdb::Vec3d x, y, z, zero;
};

void write_turned(const std::filesystem::path& path, const Turn& turn) {
  openvdb::math::Mat4d matrix = openvdb::math::Mat4d::identity();
  const openvdb::Vec3d* rows[] = {&turn.x, &turn.y, &turn.z, &turn.zero};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j) matrix[i][j] = (*rows[i])[j];
  const auto grid = two_voxels<openvdb::FloatGrid>("density");
  grid->setTransform(openvdb::math::Transform::createLinearTransform(matrix));
  save(path, {grid});
}

void write_frustum(const std::filesystem::path& path) {
  const auto grid = two_voxels<openvdb::FloatGrid>("density");
  grid->setTransform(openvdb::math::Transform::createFrustumTransform(
      openvdb::BBoxd(openvdb::Vec3d(0), openvdb::Vec3d(9)), 0.5, 10, 0.1));
  save(path, {grid});
}

void write_shared(const std::filesystem::path& path) {
  const auto first = two_voxels<openvdb::FloatGrid>("one");
  const openvdb::FloatGrid::Ptr second = first->copy(), third = first->copy();
  second->setName("two");
  third->setName("three");
  second->setTransform(openvdb::math::Transform::createLinearTransform(3.0));
  save(path, {first, second, third});
}

void write_elsewhere(const std::filesystem::path& path) {
  const auto material = two_voxels<openvdb::Int32Grid>("material");
  material->setTransform(openvdb::math::Transform::createLinearTransform(3.0));
  save(path, {two_voxels<openvdb::FloatGrid>("density"), material});
}

}  // namespace

void write_ball(const std::filesystem::path& path, const Ball& ball) {
  openvdb::initialize();
  const openvdb::Vec3f centre(3.0F, -2.0F, 5.0F);
  auto grid = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(
      static_cast<float>(ball.radius), centre, static_cast<float>(ball.cell));
  if (ball.kind == "fog") {
    // A ramp of two cells about the surface; 1 inside, where the level set keeps tiles.
    const auto width = static_cast<float>(2 * ball.cell);
    for (auto value = grid->beginValueAll(); value; ++value) {
      const float density = 0.5F - *value / width;
      value.setValue(density < 0 ? 0.0F : density > 1 ? 1.0F : density);
      value.setActiveState(density > 0);
    }
    grid->tree().root().setBackground(0.0F, false);
    grid->setGridClass(openvdb::GRID_FOG_VOLUME);
  }
  grid->setName(ball.kind == "fog" ? "density" : "surface");
  grid->setSaveFloatAsHalf(ball.half);
  grid->transform().postTranslate(openvdb::Vec3d(ball.far, 0, 0));
  save(path, {grid});
}

void write_odd_vdb(const std::filesystem::path& path, const std::string& what) {
  openvdb::initialize();
  const auto plain = [](const char* name) { return two_voxels<openvdb::FloatGrid>(name); };
  if (what == "nothing") save(path, {});
  if (what == "empty") {
    const auto grid = openvdb::FloatGrid::create();
    grid->setName("density");
    save(path, {grid});
  }
  if (what == "vectors") save(path, {two_voxels<openvdb::Vec3SGrid>("v")});
  if (what == "frustum") write_frustum(path);
  if (what == "rotated") write_turned(path, {{0.8, 0.6, 0}, {-0.6, 0.8, 0}, {0, 0, 1}, {0, 0, 0}});
  // x runs up, y west, z north.
  if (what == "inside-out") write_turned(path, {{0, 0, 2}, {-3, 0, 0}, {0, 5, 0}, {100, 200, 300}});
  if (what == "stream") {
    std::ofstream stream(path, std::ios::binary);
    openvdb::io::Stream(stream).write(openvdb::GridPtrVec{plain("one"), plain("density")});
  }
  if (what == "shared") write_shared(path);
  if (what == "numbers") write_numbers(path);
  if (what == "twins") save(path, {plain("smoke"), plain("smoke")});
  if (what == "several")
    save(path, {two_voxels<openvdb::Vec3SGrid>("v"), two_voxels<openvdb::Int32Grid>("material"),
                plain("temperature"), plain("density")});
  if (what == "elsewhere") write_elsewhere(path);
  if (what == "wide") {
    const auto grid = plain("density");
    grid->getAccessor().setValue(Coord(100000, 100000, 100000), 1.0F);
    save(path, {grid});
  }
  if (what == "infinite") {
    const auto grid = plain("density");
    grid->getAccessor().setValue(Coord(3, 1, 1), std::numeric_limits<float>::infinity());
    save(path, {grid});
  }
}

}  // namespace scree::testing
