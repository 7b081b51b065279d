// A terrain of voxels: what each is made of and how much of it is left, for anything that a height
// a cell cannot hold: overhangs, arches, caves. Words and bits are laid out as
// kernel/voxels/voxel.h says.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device.h"
#include "kernel/voxels/voxel.h"
#include "terrain/core/fields.h"

namespace scree {

// Cubic voxels; x east, y north, z up. The origin is the outer corner of the first one.
struct VoxelShape {
  int nx = 0, ny = 0, nz = 0;
  double cell = 1;  // metres
  std::array<double, 3> origin{0, 0, 0};

  std::size_t count() const {
    return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) *
           static_cast<std::size_t>(nz);
  }
};

// What lies beyond the box, as far as a bubble can tell.
struct VoxelEdges {
  bool rock_west = false, rock_east = false, rock_south = false, rock_north = false;
  bool rock_bottom = true, rock_top = false;
};

// What a voxel is made of. Number 0 of every table is air.
struct VoxelMaterial {
  std::string name;
  double durability = 0;  // share of the weathering that it withstands, 0 … 1
  int bubble = 0;         // which of the weathering's bubbles is its own
  bool loose = false;     // colluvium: gone when it has worn away, and falls when it stands on air
  std::array<std::uint8_t, 3> colour{176, 138, 104};
};

// What writes moved.
struct VoxelEdits {
  long long voxels = 0, amount = 0;  // of 2047 each
  friend bool operator==(const VoxelEdits&, const VoxelEdits&) = default;
};

class Voxels {
 public:
  // `materials` are numbers 1, 2, …
  Voxels(device::DevicePtr device, const VoxelShape& shape, std::vector<VoxelMaterial> materials,
         const VoxelEdges& edges = {});

  const VoxelShape& shape() const { return shape_; }
  const VoxelEdges& edges() const { return edges_; }
  const VoxelBox& box() const { return box_; }
  device::Device& device() const { return *device_; }
  const device::DevicePtr& device_ptr() const { return device_; }
  // materials()[m - 1] is material m.
  const std::vector<VoxelMaterial>& materials() const { return materials_; }
  // Changes what materials are, not how many there are.
  void set_material(int number, const VoxelMaterial& material);
  // Counts changes from outside, so that a process knows when what it keeps is out of date.
  std::uint64_t revision() const { return revision_; }

  // All voxels, x fastest; amounts above 0 need a material of the table. Air counts are whoever
  // weathers them's, and 0 until then.
  void set_words(const std::vector<std::uint32_t>& words);
  std::vector<std::uint32_t> words() const;
  std::uint32_t word(int x, int y, int z) const;
  // What a kernel has written to the words from outside: makes the bits agree.
  void words_changed();

  // All voxels.
  Box all() const { return {0, 0, 0, shape_.nx, shape_.ny, shape_.nz}; }
  // Of a box of voxels, x fastest.
  std::vector<std::uint32_t> words(const Box& box) const;
  // Changes amount and material there; air counts are whoever weathers them's, and stay until he
  // counts anew. What cannot be is refused before anything has changed: UsageError says which voxel
  // it is.
  Receipt write_words(const Box& box, const std::vector<std::uint32_t>& asked);
  // One of the fields, in its unit. Air that gets an amount becomes the first material of the
  // table; air that gets a material is whole.
  Receipt write(const std::string& field, const Box& box, const std::vector<double>& values);
  // The boxes that were written since the terrain had that revision; nothing where anything may
  // have changed since.
  std::optional<std::vector<Box>> changed_since(std::uint64_t revision) const;
  // What all such writes have moved since it was made. A ledger takes its own from their receipts.
  const VoxelEdits& edited() const { return edited_; }
  Fields fields() const;

  // The documented hash (base/hash.h) of all words, little-endian, x fastest.
  std::uint64_t hash() const;

  struct Totals {
    long long rock = 0, loose = 0;  // voxels
    long long amount = 0;           // of 2047 each
  };
  Totals totals() const;

  const device::BufferPtr& words_buffer() const { return words_; }
  const device::BufferPtr& bits_buffer() const { return bits_; }
  int bricks() const { return box_.bricks_x * box_.bricks_y * box_.bricks_z; }

 private:
  device::Rows rows_of(const Box& box, int z) const;
  void changed_anywhere();
  void update_bits(const Box& box);

  device::DevicePtr device_;
  VoxelShape shape_;
  VoxelEdges edges_;
  VoxelBox box_{};
  std::vector<VoxelMaterial> materials_;
  device::BufferPtr words_, bits_;
  std::uint64_t revision_ = 0;
  VoxelEdits edited_;
  // The latest boxes that were written, with the revision that each made, and the one from which on
  // they are all there.
  std::deque<std::pair<std::uint64_t, Box>> written_;
  std::uint64_t known_since_ = 0;
};

// Bytes of device memory that voxels and their weathering need, before anything is allocated;
// `meshed`: with what the mesher needs, its mesh not counted.
std::size_t voxel_bytes(const VoxelShape& shape, bool meshed);
// Throws UsageError where there is no such box, Error where the device has not the memory.
void check_voxels(const device::Device& device, const VoxelShape& shape, bool meshed);

}  // namespace scree
