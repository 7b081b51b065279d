#include "terrain/voxels/voxels.h"

#include <cmath>

#include "base/error.h"
#include "base/hash.h"
#include "kernel/voxels/weather.h"

namespace scree {
namespace {

constexpr device::Kernel bits_kernel{"voxel_bits", "kernel/voxels/voxel.h"};
constexpr device::Kernel totals_kernel{"voxel_totals", "kernel/voxels/voxel.h"};

// A voxel's index is a 32-bit integer in kernels.
constexpr std::size_t most_voxels = (std::size_t{1} << 31) - (std::size_t{1} << 20);
constexpr int longest_side = 32768;
constexpr std::size_t most_meshed = std::size_t{1}
                                    << 30;  // as surface/march/marching_cubes.h takes

VoxelBox box_of(const VoxelShape& shape, const VoxelEdges& edges) {
  VoxelBox b{};
  b.nx = shape.nx, b.ny = shape.ny, b.nz = shape.nz;
  b.bricks_x = (b.nx + BRICK_X - 1) / BRICK_X;
  b.bricks_y = (b.ny + BRICK_Y - 1) / BRICK_Y;
  b.bricks_z = (b.nz + BRICK_Z - 1) / BRICK_Z;
  b.row = b.bricks_x + 2;
  b.slice = b.row * (b.bricks_y + 2) * BRICK_Y;
  b.sides = (edges.rock_west ? VOXEL_ROCK_WEST : 0) | (edges.rock_east ? VOXEL_ROCK_EAST : 0) |
            (edges.rock_south ? VOXEL_ROCK_SOUTH : 0) | (edges.rock_north ? VOXEL_ROCK_NORTH : 0) |
            (edges.rock_bottom ? VOXEL_ROCK_BOTTOM : 0) | (edges.rock_top ? VOXEL_ROCK_TOP : 0);
  return b;
}

std::size_t bits_bytes(const VoxelBox& b) {
  return static_cast<std::size_t>(b.slice) * static_cast<std::size_t>(b.bricks_z + 2) * BRICK_Z *
         sizeof(std::uint32_t);
}

void check_materials(const std::vector<VoxelMaterial>& materials) {
  if (materials.empty() || materials.size() >= VOXEL_MATERIALS)
    throw UsageError(text(materials.size(), " voxel materials: expected 1 to 255"));
  for (const VoxelMaterial& m : materials)
    if (!(m.durability >= 0 && m.durability <= 1))
      throw UsageError(
          text("material '", m.name, "': durability ", m.durability, ", expected 0 to 1"));
}

}  // namespace

std::size_t voxel_bytes(const VoxelShape& shape, bool meshed) {
  const VoxelBox b = box_of(shape, {});
  const std::size_t word = sizeof(std::uint32_t);
  const std::size_t bricks = static_cast<std::size_t>(b.bricks_x) *
                             static_cast<std::size_t>(b.bricks_y) *
                             static_cast<std::size_t>(b.bricks_z);
  // Words, their bits, those of what goes, of what falls, of columns and of what stands, and
  // numbers a brick.
  std::size_t bytes = shape.count() * word + 5 * bits_bytes(b) + bricks * 96;
  // The mesher's three words for each 32 samples.
  if (meshed) bytes += shape.count() / 32 * (3 * word);
  return bytes;
}

void check_voxels(const device::Device& device, const VoxelShape& shape, bool meshed) {
  const auto sized = [](int n) { return n >= 1 && n <= longest_side; };
  if (!sized(shape.nx) || !sized(shape.ny) || !sized(shape.nz) || shape.count() > most_voxels)
    throw UsageError(text("a box of ", shape.nx, " x ", shape.ny, " x ", shape.nz,
                          " voxels: expected 1 to ", longest_side, " a side and at most ",
                          most_voxels, " in all"));
  if (!(shape.cell > 0) || !std::isfinite(shape.cell))
    throw UsageError(text("voxels of ", shape.cell, " m: expected positive metres"));
  if (meshed && shape.count() > most_meshed)
    throw UsageError(text("a mesh of ", shape.nx, " x ", shape.ny, " x ", shape.nz,
                          " voxels: expected at most 2^30 in all; a volume (.vdb) holds more"));
  const std::size_t needed = voxel_bytes(shape, meshed), there = device.info().memory_bytes;
  if (there > 0 && needed > there)
    throw Error(text(shape.nx, " x ", shape.ny, " x ", shape.nz, " voxels need ", needed >> 20,
                     " MiB, and ", device.info().name, " has ", there >> 20, " MiB"));
}

Voxels::Voxels(device::DevicePtr device, const VoxelShape& shape,
               std::vector<VoxelMaterial> materials, const VoxelEdges& edges)
    : device_(std::move(device)), shape_(shape), edges_(edges), materials_(std::move(materials)) {
  check_voxels(*device_, shape_, false);
  check_materials(materials_);
  box_ = box_of(shape_, edges_);
  words_ = device_->allocate(shape_.count() * sizeof(std::uint32_t));
  bits_ = device_->allocate(bits_bytes(box_));
  words_changed();
}

void Voxels::set_material(int number, const VoxelMaterial& material) {
  if (number < 1 || static_cast<std::size_t>(number) > materials_.size())
    throw UsageError(text("voxel material ", number, ": there are 1 to ", materials_.size()));
  materials_[static_cast<std::size_t>(number) - 1] = material;
  check_materials(materials_);
  changed_anywhere();
}

void Voxels::changed_anywhere() {
  known_since_ = ++revision_;
  written_.clear();
}

void Voxels::set_words(const std::vector<std::uint32_t>& words) {
  if (words.size() != shape_.count())
    throw UsageError(text("a box of ", shape_.count(), " voxels got ", words.size()));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint32_t amount = voxel_amount(words[i]), material = voxel_material(words[i]);
    if (amount == 0 ? words[i] != 0 : material == 0 || material > materials_.size())
      throw UsageError(text("voxel ", i, " has amount ", amount, " of material ", material,
                            ": expected 0 of 0 or some of 1 to ", materials_.size()));
  }
  device_->write(*words_, 0, words.data(), words.size() * sizeof words[0]);
  words_changed();
}

void Voxels::words_changed() {
  device::Arguments a;
  a.add(box_).add(words_).add(bits_);
  const int rows = box_.slice / box_.row * (box_.bricks_z + 2) * BRICK_Z;
  device_->run(bits_kernel, Range{0, 0, box_.row, rows}, a);
  changed_anywhere();
}

std::vector<std::uint32_t> Voxels::words() const {
  std::vector<std::uint32_t> words(shape_.count());
  device_->read(*words_, 0, words.data(), words.size() * sizeof words[0]);
  return words;
}

std::uint32_t Voxels::word(int x, int y, int z) const {
  std::uint32_t word = 0;
  device_->read(*words_, static_cast<std::size_t>(voxel_index(box_, x, y, z)) * sizeof word, &word,
                sizeof word);
  return word;
}

std::uint64_t Voxels::hash() const {
  Hash64 hash;
  constexpr std::size_t piece = std::size_t{1} << 22;
  std::vector<std::uint32_t> part;
  for (std::size_t done = 0; done < shape_.count(); done += piece) {
    part.resize(std::min(piece, shape_.count() - done));
    device_->read(*words_, done * sizeof part[0], part.data(), part.size() * sizeof part[0]);
    hash.update(part.data(), part.size() * sizeof part[0]);
  }
  return hash.digest();
}

Voxels::Totals Voxels::totals() const {
  const int rows = box_.ny * box_.nz;
  std::vector<std::uint32_t> table(VOXEL_MATERIALS);
  for (std::size_t m = 0; m < materials_.size(); ++m)
    table[m + 1] = material_entry(0, 0, materials_[m].loose ? 1 : 0);
  const device::BufferPtr entries = device_->allocate(table.size() * sizeof table[0]);
  device_->write(*entries, 0, table.data(), table.size() * sizeof table[0]);
  std::vector<std::int64_t> sums(static_cast<std::size_t>(rows) * 3);
  const device::BufferPtr found = device_->allocate(sums.size() * sizeof sums[0]);
  device::Arguments a;
  a.add(box_).add(words_).add(entries).add(found);
  device_->run(totals_kernel, Range{0, 0, rows, 1}, a);
  device_->read(*found, 0, sums.data(), sums.size() * sizeof sums[0]);
  Totals totals;
  for (std::size_t r = 0; r < sums.size(); r += 3) {
    totals.rock += sums[r];
    totals.loose += sums[r + 1];
    totals.amount += sums[r + 2];
  }
  return totals;
}

}  // namespace scree
