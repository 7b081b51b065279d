// OpenVDB's volumeToMesh (dual contouring, quads where it can): it computes no normals, and closes
// the surface where the volume ends.
#include <openvdb/openvdb.h>
#include <openvdb/tools/Dense.h>
#include <openvdb/tools/VolumeToMesh.h>
#include <tbb/global_control.h>

#include <memory>

#include "peer.h"

namespace scree::bench {
namespace {

struct Found {
  std::vector<openvdb::Vec3s> points;
  std::vector<openvdb::Vec3I> triangles;
  std::vector<openvdb::Vec4I> quads;
};

// Building the tree is not measured: OpenVDB's users have one.
openvdb::FloatGrid::Ptr grid_of(const std::vector<float>& field, int n) {
  using Dense = openvdb::tools::Dense<const float, openvdb::tools::LayoutXYZ>;
  openvdb::initialize();
  const openvdb::FloatGrid::Ptr grid = openvdb::FloatGrid::create();
  const Dense dense(openvdb::CoordBBox(openvdb::Coord(0), openvdb::Coord(n - 1)), field.data());
  openvdb::tools::copyFromDense(dense, *grid, 0.0F);
  return grid;
}

}  // namespace

Peer openvdb_peer(const std::vector<float>& field, int n, int threads) {
  const openvdb::FloatGrid::Ptr grid = grid_of(field, n);
  const auto found = std::make_shared<Found>();
  return {"OpenVDB volumeToMesh (closed, no normals)",
          [=] {
            const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                            static_cast<std::size_t>(threads));
            *found = {};
            openvdb::tools::volumeToMesh(*grid, found->points, found->triangles, found->quads, 0.5);
          },
          [=] { return found->triangles.size() + 2 * found->quads.size(); }};
}

}  // namespace scree::bench
