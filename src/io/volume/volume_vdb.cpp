// The only file that knows OpenVDB, which compiles slowly.
#include <openvdb/io/Archive.h>
#include <openvdb/openvdb.h>
#include <openvdb/util/logging.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <fstream>
#include <mutex>

#include "base/error.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/suggest.h"
#include "io/file/atomic_file.h"
#include "io/raster/cells.h"
#include "io/volume/volume_codec.h"

namespace scree::io::codec {
namespace {

// OpenVDB keeps leaves of 8 x 8 x 8 voxels, z fastest; a block that is all alike is a tile.
constexpr int leaf_side = 8;

// How many samples the box had when it was written: air at its sides is not stored.
constexpr const char* size_key = "scree_size";
// That densities are what is left of voxels of rock.
constexpr const char* amounts_key = "scree_amounts";

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

// The block at x, y of slices that begin at z. Tiles are made here and not by OpenVDB's prune(),
// which takes integers that differ by 2^31 for equal.
template <class Grid, class Source, class Accessor>
void add_block(Accessor& accessor, const Slices<Source>& slices, int x, int y, int z) {
  using Value = typename Grid::ValueType;
  const int wide = std::min(leaf_side, slices.nx - x), deep = std::min(leaf_side, slices.ny - y);
  const Value first = std::bit_cast<Value>(slices.values[slices.index(x, y, 0)]);
  bool alike = true;
  for (int k = 0; alike && k < slices.count; ++k)
    for (int j = 0; alike && j < deep; ++j) {
      const Source* row = slices.values + slices.index(x, y + j, k);
      for (int i = 0; i < wide; ++i)
        alike = alike && same_bits(std::bit_cast<Value>(row[i]), first);
    }
  const bool whole = wide == leaf_side && deep == leaf_side && slices.count == leaf_side;
  const openvdb::Coord corner(x, y, z);
  if (alike && same_bits(first, Value(0))) return;
  if (alike && whole) {
    accessor.addTile(1, corner, first, true);
    return;
  }
  auto* leaf = new typename Grid::TreeType::LeafNodeType(corner, Value(0), false);
  for (int k = 0; k < slices.count; ++k)
    for (int j = 0; j < deep; ++j)
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

// Step by step: a Transform that is given a whole map takes it apart and loses digits of the cell.
openvdb::math::Transform::Ptr transform_of(const VolumeShape& shape) {
  using openvdb::math::Transform;
  const openvdb::Vec3d cell(shape.cell[0], shape.cell[1], shape.cell[2]),
      origin(shape.origin[0], shape.origin[1], shape.origin[2]);
  const bool even = shape.cell[0] == shape.cell[1] && shape.cell[1] == shape.cell[2];
  Transform::Ptr transform = Transform::createLinearTransform(even ? shape.cell[0] : 1.0);
  if (!even) transform->preScale(cell);
  transform->postTranslate(origin);
  return transform;
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

// ---- reading

using openvdb::Coord;
using openvdb::CoordBBox;
using openvdb::GridBase;

// The grids of a file. Every short read is an exception, which OpenVDB's own readers leave out.
class Reader : public openvdb::io::Archive {
 public:
  struct Entry {
    openvdb::io::GridDescriptor about;
    GridBase::Ptr grid;  // its metadata; all of it once it was read
    bool whole = false;
    std::string name() const {
      return openvdb::io::GridDescriptor::nameAsString(about.uniqueName());
    }
  };

  explicit Reader(const std::string& path) : path_(path), stream_(path, std::ios::binary) {
    const std::uintmax_t bytes = plain_file_size(path);
    guarded([&] {
      stream_.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
      check_magic(bytes);
      readHeader(stream_);
      if (fileVersion() > openvdb::OPENVDB_FILE_VERSION)
        log(LogLevel::warning,
            text(path_, ": of a newer format (", fileVersion(), ") than this OpenVDB knows (",
                 std::uint32_t{openvdb::OPENVDB_FILE_VERSION}, ")"));
      setFormatVersion(stream_);
      setLibraryVersion(stream_);
      setDataCompression(stream_);
      openvdb::MetaMap about;
      about.readMeta(stream_);
      const int count = readGridCount(stream_);
      for (int i = 0; i < count; ++i) read_entry(static_cast<std::int64_t>(bytes));
    });
    if (entries_.empty()) throw Error(text(path, ": a VDB without a grid"));
  }

  std::vector<Entry>& entries() { return entries_; }

  const GridBase& read(Entry& entry) {
    if (entry.whole) return *entry.grid;
    guarded([&] {
      entry.about.seekToGrid(stream_);
      entry.grid = GridBase::createGrid(entry.about.gridType());
      readGrid(entry.grid, entry.about, stream_);
    });
    entry.whole = true;
    if (entry.about.isInstance()) share_tree(entry);
    return *entry.grid;
  }

 private:
  template <class Action>
  void guarded(Action action) {
    // What it has to say comes as an exception, or is said by us.
    const openvdb::logging::LevelScope silent(openvdb::logging::Level::Fatal);
    try {
      action();
    } catch (const std::ios_base::failure&) {
      throw Error(text(path_, ": the file is cut off or damaged"));
    } catch (const std::bad_alloc&) {
      throw Error(text(path_, ": cannot be read: damaged, or too large for this memory"));
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      throw Error(text(path_, ": cannot be read: OpenVDB: ", error.what()));
    }
  }

  void check_magic(std::uintmax_t bytes) {
    char magic[8] = {};
    if (bytes >= sizeof magic) stream_.read(magic, sizeof magic);
    if (std::string_view(magic, sizeof magic) != std::string_view(" BDV\0\0\0\0", sizeof magic))
      throw Error(text(path_, ": not a VDB file"));
    stream_.seekg(0);
  }

  void read_entry(std::int64_t bytes) {
    Entry entry;
    entry.grid = entry.about.read(stream_);
    if (!entry.grid)
      throw Error(text(path_, ": grid '", entry.name(),
                       "' is of a type that OpenVDB does not know: ", entry.about.gridType()));
    if (inputHasGridOffsets()) {
      if (entry.about.getEndPos() > bytes || entry.about.getGridPos() > entry.about.getEndPos())
        throw Error(text(path_, ": the file is cut off or damaged"));
      entry.about.seekToGrid(stream_);
      readGridCompression(stream_);
      entry.grid->readMeta(stream_);
      entry.about.seekToEnd(stream_);
    } else {
      // Written to a stream: nothing says where the next one begins.
      readGrid(entry.grid, entry.about, stream_);
      entry.whole = true;
    }
    entries_.push_back(std::move(entry));
    if (entries_.back().whole && entries_.back().about.isInstance()) share_tree(entries_.back());
  }

  void share_tree(const Entry& entry) {
    for (Entry& other : entries_)
      if (other.about.uniqueName() == entry.about.instanceParentName() && &other != &entry) {
        read(other);
        entry.grid->setTree(other.grid->baseTreePtr());
        return;
      }
    throw Error(text(path_, ": grid '", entry.name(), "' shares a tree that is not there"));
  }

  std::string path_;
  std::ifstream stream_;
  std::vector<Entry> entries_;
};

// Calls with the grid as it is, where its voxels are numbers.
template <class Action>
bool with_numbers(const GridBase& grid, Action action) {
  return grid.apply<openvdb::TypeList<openvdb::FloatGrid, openvdb::DoubleGrid, openvdb::Int32Grid,
                                      openvdb::Int64Grid, openvdb::BoolGrid, openvdb::MaskGrid>>(
      action);
}

bool has_numbers(const GridBase& grid) {
  return with_numbers(grid, [](const auto&) {});
}

std::vector<std::string> names_of(std::vector<Reader::Entry>& entries) {
  std::vector<std::string> names;
  for (const Reader::Entry& entry : entries) names.push_back(entry.name());
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "'" : ", '") + word + "'";
  return all;
}

// How likely a grid is the one that was meant; 0: not at all.
int likeness(const Reader::Entry& entry) {
  if (!has_numbers(*entry.grid)) return 0;
  if (entry.name() == "density") return 5;
  const openvdb::GridClass kind = entry.grid->getGridClass();
  if (kind == openvdb::GRID_LEVEL_SET || kind == openvdb::GRID_FOG_VOLUME) return 4;
  if (entry.grid->isType<openvdb::FloatGrid>() || entry.grid->isType<openvdb::DoubleGrid>())
    return 3;
  return entry.name() == "material" ? 1 : 2;
}

Reader::Entry& chosen(const std::string& path, Reader& reader, const std::string& name) {
  std::vector<Reader::Entry>& entries = reader.entries();
  const std::vector<std::string> names = names_of(entries);
  if (name.empty()) {
    const auto best =
        std::max_element(entries.begin(), entries.end(),
                         [](const auto& a, const auto& b) { return likeness(a) < likeness(b); });
    if (likeness(*best) == 0)
      throw Error(text(path, ": expected a grid of numbers, found ", joined(names), " of type ",
                       best->grid->valueType()));
    return *best;
  }
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw UsageError(
        text(path, ": no grid '", name, "' among ", joined(names), did_you_mean(name, names)));
  Reader::Entry& entry = entries[static_cast<std::size_t>(found - names.begin())];
  if (likeness(entry) == 0)
    throw UsageError(
        text(path, ": grid '", name, "': expected numbers, found ", entry.grid->valueType()));
  return entry;
}

// ---- axes

// An index axis runs along a world axis, forwards or backwards.
struct Axes {
  std::array<std::size_t, 3> world{};  // of an index axis
  std::array<double, 3> step{};        // metres from index to index; negative: backwards
  std::array<double, 3> zero{};        // where index 0, 0, 0 lies
};

Axes axes_of(const std::string& path, const std::string& name, const GridBase& grid) {
  const std::string start = text(path, ": grid '", name, "': ");
  if (!grid.transform().isLinear())
    throw Error(start + "a tapered (frustum) grid; resample it to a straight one first");
  const openvdb::Mat4d matrix = grid.transform().baseMap()->getAffineMap()->getMat4();
  const openvdb::Vec3d size = grid.transform().voxelSize();
  Axes axes;
  std::array<bool, 3> taken{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double* row = matrix[static_cast<int>(i)];
    double all = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      all += std::abs(row[j]);
      if (std::abs(row[j]) > std::abs(row[axes.world[i]])) axes.world[i] = j;
    }
    // The matrix is a product, and may be an ulp off.
    axes.step[i] = std::copysign(size[static_cast<int>(i)], row[axes.world[i]]);
    // Rounding of an angle is no turn.
    const bool straight = all - std::abs(row[axes.world[i]]) <= 1e-6 * all && all > 0;
    if (!straight || taken[axes.world[i]])
      throw Error(start +
                  "its axes are turned or sheared; resample it to axes along x, y and z first");
    taken[axes.world[i]] = true;
    axes.zero[i] = matrix[3][static_cast<int>(i)];
  }
  return axes;
}

bool same_axes(const Axes& a, const Axes& b) {
  return a.world == b.world && a.step == b.step && a.zero == b.zero;
}

VolumeShape shape_of(const Axes& axes, const CoordBBox& box) {
  VolumeShape shape;
  for (std::size_t i = 0; i < 3; ++i) {
    const int axis = static_cast<int>(i);
    const std::size_t j = axes.world[i];
    shape.size[j] = box.max()[axis] - box.min()[axis] + 1;
    shape.cell[j] = std::abs(axes.step[i]);
    shape.origin[j] =
        axes.zero[j] + axes.step[i] * (axes.step[i] > 0 ? box.min() : box.max())[axis];
  }
  return shape;
}

// ---- voxels

// Where an index lies in the dense array.
struct Places {
  std::array<std::ptrdiff_t, 3> stride{};
  std::ptrdiff_t first = 0;
  CoordBBox box;

  Places(const Axes& axes, const VolumeShape& shape, const CoordBBox& within) : box(within) {
    const std::array<std::ptrdiff_t, 3> dense{
        1, shape.size[0], static_cast<std::ptrdiff_t>(shape.size[0]) * shape.size[1]};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = axes.world[i];
      stride[i] = axes.step[i] > 0 ? dense[j] : -dense[j];
      if (axes.step[i] < 0) first += dense[j] * (shape.size[j] - 1);
    }
  }
  std::ptrdiff_t operator()(int x, int y, int z) const {
    return first + stride[0] * (x - box.min().x()) + stride[1] * (y - box.min().y()) +
           stride[2] * (z - box.min().z());
  }
};

// Block by block, as the tree keeps them: within one, voxels are a leaf's or all alike.
template <class Grid, class Value, class Convert>
void copy_voxels(const Grid& grid, const Places& places, Value* values, Convert convert) {
  const auto accessor = grid.getConstAccessor();
  const auto aligned = [](int i) { return i & ~(leaf_side - 1); };
  const Coord low = places.box.min(), high = places.box.max();
  for (int z = aligned(low.z()); z <= high.z(); z += leaf_side)
    for (int y = aligned(low.y()); y <= high.y(); y += leaf_side)
      for (int x = aligned(low.x()); x <= high.x(); x += leaf_side) {
        const Coord corner(x, y, z);
        const auto* leaf = accessor.probeConstLeaf(corner);
        const Value alike = leaf ? Value(0) : convert(accessor.getValue(corner));
        CoordBBox block(corner, corner.offsetBy(leaf_side - 1));
        block.intersect(places.box);
        for (int k = block.min().z(); k <= block.max().z(); ++k)
          for (int j = block.min().y(); j <= block.max().y(); ++j)
            for (int i = block.min().x(); i <= block.max().x(); ++i) {
              const int at = ((i - x) * leaf_side + j - y) * leaf_side + k - z;
              values[places(i, j, k)] =
                  leaf ? convert(leaf->getValue(static_cast<openvdb::Index>(at))) : alike;
            }
      }
}

// All that is active and one voxel around it, or the box that we wrote.
CoordBBox box_of(const std::string& path, const std::string& name, const GridBase& grid) {
  CoordBBox box = grid.evalActiveVoxelBoundingBox();
  if (const auto size = grid.getMetadata<openvdb::Vec3IMetadata>(size_key)) {
    const openvdb::Vec3i last = size->value() - openvdb::Vec3i(1);
    box.expand(CoordBBox(Coord(0), Coord(last.x(), last.y(), last.z())));
    return box;
  }
  if (box.empty()) throw Error(text(path, ": grid '", name, "' is empty: no voxel is active"));
  box.expand(1);
  return box;
}

std::array<long long, 3> sides_of(const CoordBBox& box) {
  std::array<long long, 3> sides{};
  for (std::size_t i = 0; i < 3; ++i)
    sides[i] = box.empty() ? 0
                           : static_cast<long long>(box.max()[static_cast<int>(i)]) -
                                 box.min()[static_cast<int>(i)] + 1;
  return sides;
}

// The materials of the same lattice, if the file has them.
const openvdb::Int32Grid* materials_beside(const std::string& path, Reader& reader,
                                           const Reader::Entry& density, const Axes& axes) {
  for (Reader::Entry& entry : reader.entries()) {
    if (&entry == &density || entry.name() != "material" ||
        !entry.grid->isType<openvdb::Int32Grid>())
      continue;
    const GridBase& grid = reader.read(entry);
    if (grid.transform().isLinear() && same_axes(axes_of(path, entry.name(), grid), axes))
      return static_cast<const openvdb::Int32Grid*>(&grid);
    log(LogLevel::warning, text(path, ": grid 'material' lies on another lattice than '",
                                density.name(), "': left out"));
  }
  return nullptr;
}

// ---- facts

template <class Grid>
void find_range(const Grid& grid, VolumeGrid& found) {
  found.numbers = true;
  found.background = static_cast<double>(grid.background());
  bool first = true;
  for (auto value = grid.cbeginValueOn(); value; ++value) {
    const double number = static_cast<double>(*value);
    found.least = first ? number : std::min(found.least, number);
    found.most = first ? number : std::max(found.most, number);
    first = false;
  }
}

VolumeGrid facts_of(const std::string& name, const GridBase& grid) {
  VolumeGrid found;
  found.name = name;
  found.type = grid.valueType();
  const openvdb::GridClass kind = grid.getGridClass();
  if (kind != openvdb::GRID_UNKNOWN) found.kind = GridBase::gridClassToMenuName(kind);
  for (char& c : found.kind) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const CoordBBox box = grid.evalActiveVoxelBoundingBox();
  found.size = sides_of(box);
  found.active = grid.activeVoxelCount();
  const openvdb::Vec3d cell = grid.voxelSize();
  for (int d = 0; d < 3; ++d) found.cell[static_cast<std::size_t>(d)] = cell[d];
  if (!box.empty()) {
    const openvdb::BBoxd world = grid.transform().indexToWorld(box);
    for (int d = 0; d < 3; ++d) {
      found.low[static_cast<std::size_t>(d)] = world.min()[d];
      found.high[static_cast<std::size_t>(d)] = world.max()[d];
    }
  }
  with_numbers(grid, [&](const auto& numbers) { find_range(numbers, found); });
  return found;
}

}  // namespace

bool have_vdb() { return true; }

void write_vdb(const std::string& path, const VolumeShape& shape, bool materials,
               const VolumeSlices& fill, bool amounts) {
  start_vdb();
  const auto density_grid = named_grid<openvdb::FloatGrid>("density", shape);
  density_grid->setGridClass(openvdb::GRID_FOG_VOLUME);
  if (amounts) density_grid->insertMeta(amounts_key, openvdb::BoolMetadata(true));
  const auto material_grid = named_grid<openvdb::Int32Grid>("material", shape);
  const auto [nx, ny, nz] = shape.size;
  const std::size_t slice = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
  std::vector<float> density(slice * leaf_side);
  std::vector<std::uint32_t> numbers(materials ? slice * leaf_side : 0);
  Tags tags;
  tags.update(shape.size.data(), sizeof shape.size);
  tags.update(shape.cell.data(), sizeof shape.cell);
  tags.update(shape.origin.data(), sizeof shape.origin);
  if (amounts) tags.update(&amounts, sizeof amounts);
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
  openvdb::GridCPtrVec grids{density_grid};
  if (materials) grids.push_back(material_grid);
  save(path, grids, tags);
}

VolumeFile read_vdb(const std::string& path, const VolumeOptions& options) {
  start_vdb();
  Reader reader(path);
  Reader::Entry& entry = chosen(path, reader, options.grid);
  const GridBase& grid = reader.read(entry);
  VolumeFile file;
  file.grid = entry.name();
  file.level_set = grid.getGridClass() == openvdb::GRID_LEVEL_SET;
  file.amounts = !file.level_set && grid.getMetadata<openvdb::BoolMetadata>(amounts_key) != nullptr;
  const Axes axes = axes_of(path, file.grid, grid);
  const CoordBBox box = box_of(path, file.grid, grid);
  const openvdb::Int32Grid* materials = materials_beside(path, reader, entry, axes);
  check_volume_memory(path, sides_of(box), materials != nullptr, options);
  Volume& volume = file.volume;
  volume.shape = shape_of(axes, box);
  const Places places(axes, volume.shape, box);
  volume.density.resize(volume.shape.samples());
  with_numbers(grid, [&](const auto& numbers) {
    copy_voxels(numbers, places, volume.density.data(), [&](auto value) {
      const auto number = static_cast<float>(value);
      return file.level_set ? 0.0F - number : number;
    });
  });
  if (materials) {
    volume.materials.resize(volume.shape.samples());
    copy_voxels(*materials, places, volume.materials.data(),
                [](std::int32_t value) { return std::bit_cast<std::uint32_t>(value); });
  }
  return file;
}

std::vector<VolumeGrid> list_vdb(const std::string& path) {
  start_vdb();
  Reader reader(path);
  std::vector<VolumeGrid> found;
  for (Reader::Entry& entry : reader.entries()) {
    const bool kept = entry.whole;
    found.push_back(facts_of(entry.name(), reader.read(entry)));
    if (!kept) entry.grid->newTree();  // one at a time is in memory
    entry.whole = kept;
  }
  return found;
}

}  // namespace scree::io::codec
