// The only file that knows OpenVDB, which compiles slowly.
#include <openvdb/io/Archive.h>
#include <openvdb/openvdb.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <mutex>

#include "base/error.h"
#include "base/hash.h"
#include "io/atomic_file.h"
#include "io/volume_codec.h"

namespace scree::io::codec {
namespace {

// OpenVDB keeps leaves of 8 x 8 x 8 voxels, z fastest; a block that is all alike is a tile.
constexpr int leaf_side = 8;

// How many samples the box had when it was written: air at its sides is not stored.
constexpr const char* size_key = "scree_size";

void start_vdb() {
  static std::once_flag once;
  std::call_once(once, [] { openvdb::initialize(); });
}

// ---- writing

// A few slices, and how to cut blocks out of them.
template <class Value>
struct Slices {
  const Value* values;
  int nx, ny, count;

  std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(ny) +
            static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(nx) +
           static_cast<std::size_t>(x);
  }
};

// Equal to the bit, so that -0 is not lost to 0.
template <class Value>
bool same_bits(Value a, Value b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

// The block at x, y of slices that begin at z.
template <class Grid, class Source, class Accessor>
void add_block(Accessor& accessor, const Slices<Source>& slices, int x, int y, int z) {
  using Value = typename Grid::ValueType;
  const int wide = std::min(leaf_side, slices.nx - x), long_ = std::min(leaf_side, slices.ny - y);
  const Value first = std::bit_cast<Value>(slices.values[slices.index(x, y, 0)]);
  bool alike = true;
  for (int k = 0; alike && k < slices.count; ++k)
    for (int j = 0; alike && j < long_; ++j) {
      const Source* row = slices.values + slices.index(x, y + j, k);
      for (int i = 0; i < wide; ++i)
        alike = alike && same_bits(std::bit_cast<Value>(row[i]), first);
    }
  const bool whole = wide == leaf_side && long_ == leaf_side && slices.count == leaf_side;
  const openvdb::Coord corner(x, y, z);
  if (alike && same_bits(first, Value(0))) return;
  if (alike && whole) {
    accessor.addTile(1, corner, first, true);
    return;
  }
  auto* leaf = new typename Grid::TreeType::LeafNodeType(corner, Value(0), false);
  for (int k = 0; k < slices.count; ++k)
    for (int j = 0; j < long_; ++j)
      for (int i = 0; i < wide; ++i) {
        const Value value = std::bit_cast<Value>(slices.values[slices.index(x + i, y + j, k)]);
        if (!same_bits(value, Value(0)))
          leaf->setValueOn(static_cast<openvdb::Index>((i * leaf_side + j) * leaf_side + k), value);
      }
  accessor.addLeaf(leaf);
}

template <class Grid, class Source>
void add_slices(Grid& grid, const Slices<Source>& slices, int z) {
  auto accessor = grid.getAccessor();
  for (int y = 0; y < slices.ny; y += leaf_side)
    for (int x = 0; x < slices.nx; x += leaf_side) add_block<Grid>(accessor, slices, x, y, z);
}

openvdb::math::Transform::Ptr transform_of(const VolumeShape& shape) {
  namespace math = openvdb::math;
  const openvdb::Vec3d cell(shape.cell[0], shape.cell[1], shape.cell[2]),
      origin(shape.origin[0], shape.origin[1], shape.origin[2]);
  math::MapBase::Ptr map;
  if (shape.cell[0] == shape.cell[1] && shape.cell[1] == shape.cell[2])
    map = std::make_shared<math::UniformScaleTranslateMap>(shape.cell[0], origin);
  else
    map = std::make_shared<math::ScaleTranslateMap>(cell, origin);
  return std::make_shared<math::Transform>(map);
}

template <class Grid>
typename Grid::Ptr named_grid(const char* name, const VolumeShape& shape) {
  typename Grid::Ptr grid = Grid::create();
  grid->setName(name);
  grid->setTransform(transform_of(shape));
  grid->insertMeta(size_key, openvdb::Vec3IMetadata(
                                 openvdb::Vec3i(shape.size[0], shape.size[1], shape.size[2])));
  return grid;
}

// OpenVDB tells files apart by a random number in each; ours is a hash of what is in the file (a
// UUID of version 8), so that equal volumes are equal files.
std::string unique_tag(const Hash64& first, const Hash64& second) {
  std::string digits = hash_text(first.digest()) + hash_text(second.digest());
  digits[12] = '8';
  digits[16] = '8';
  for (const std::size_t at : {8, 13, 18, 23}) digits.insert(at, "-");
  return digits;
}

class Writer : public openvdb::io::Archive {
 public:
  void write_grids(std::ostream& stream, const openvdb::GridCPtrVec& grids,
                   const openvdb::MetaMap& about, const std::string& tag) const {
    Archive::write(stream, grids, /*seekable=*/true, about);
    // After magic number, format, library version and a flag.
    stream.seekp(8 + 4 + 8 + 1);
    stream << tag;
  }
};

struct Tags {
  Hash64 first{0}, second{1};
  void update(const void* data, std::size_t bytes) {
    first.update(data, bytes);
    second.update(data, bytes);
  }
};

void save(const std::string& path, const openvdb::GridCPtrVec& grids, const Tags& tags) {
  openvdb::MetaMap about;
  about.insertMeta("creator", openvdb::StringMetadata("scree"));
  AtomicFile file(path);
  std::ofstream stream(file.temporary(), std::ios::binary | std::ios::trunc);
  try {
    Writer().write_grids(stream, grids, about, unique_tag(tags.first, tags.second));
  } catch (const std::exception& error) {
    throw Error(text(path, ": cannot be written: OpenVDB: ", error.what()));
  }
  stream.close();
  if (!stream) throw Error(text(path, ": cannot be written: the disk is full or the file is gone"));
  file.commit();
}

}  // namespace

bool have_vdb() { return true; }

void write_vdb(const std::string& path, const VolumeShape& shape, bool materials,
               const VolumeSlices& fill) {
  start_vdb();
  const auto density_grid = named_grid<openvdb::FloatGrid>("density", shape);
  density_grid->setGridClass(openvdb::GRID_FOG_VOLUME);
  const auto material_grid = named_grid<openvdb::Int32Grid>("material", shape);
  const auto [nx, ny, nz] = shape.size;
  const std::size_t slice = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
  std::vector<float> density(slice * leaf_side);
  std::vector<std::uint32_t> numbers(materials ? slice * leaf_side : 0);
  Tags tags;
  tags.update(shape.size.data(), sizeof shape.size);
  tags.update(shape.cell.data(), sizeof shape.cell);
  tags.update(shape.origin.data(), sizeof shape.origin);
  for (int z = 0; z < nz; z += leaf_side) {
    const int count = std::min(leaf_side, nz - z);
    const std::size_t samples = slice * static_cast<std::size_t>(count);
    fill(z, count, density.data(), materials ? numbers.data() : nullptr);
    tags.update(density.data(), samples * sizeof density[0]);
    add_slices(*density_grid, Slices<float>{density.data(), nx, ny, count}, z);
    if (!materials) continue;
    tags.update(numbers.data(), samples * sizeof numbers[0]);
    add_slices(*material_grid, Slices<std::uint32_t>{numbers.data(), nx, ny, count}, z);
  }
  density_grid->pruneGrid();
  openvdb::GridCPtrVec grids{density_grid};
  if (materials) {
    material_grid->pruneGrid();
    grids.push_back(material_grid);
  }
  save(path, grids, tags);
}

}  // namespace scree::io::codec
