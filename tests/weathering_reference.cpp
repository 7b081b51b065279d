#include "weathering_reference.h"

#include <cmath>

#include "kernel/voxels/weather.h"
#include "process/core/process.h"

namespace scree::testing {

NaiveWeathering::NaiveWeathering(const VoxelShape& shape, const VoxelEdges& edges,
                                 std::vector<VoxelMaterial> materials, std::vector<Bubble> bubbles,
                                 std::vector<std::uint32_t> words, std::uint64_t seed)
    : shape_(shape),
      edges_(edges),
      materials_(std::move(materials)),
      bubbles_(std::move(bubbles)),
      words_(std::move(words)),
      seed_(seed) {}

std::size_t NaiveWeathering::at(int x, int y, int z) const {
  return (static_cast<std::size_t>(z) * static_cast<std::size_t>(shape_.ny) +
          static_cast<std::size_t>(y)) *
             static_cast<std::size_t>(shape_.nx) +
         static_cast<std::size_t>(x);
}

bool NaiveWeathering::solid(int x, int y, int z) const {
  if (z < 0) return edges_.rock_bottom;
  if (z >= shape_.nz) return edges_.rock_top;
  if (y < 0) return edges_.rock_south;
  if (y >= shape_.ny) return edges_.rock_north;
  if (x < 0) return edges_.rock_west;
  if (x >= shape_.nx) return edges_.rock_east;
  return words_[at(x, y, z)] != 0;
}

std::uint32_t NaiveWeathering::air(int x, int y, int z) const {
  const VoxelMaterial& material = materials_[(words_[at(x, y, z)] >> 11 & 255U) - 1];
  const Bubble& bubble = bubbles_[static_cast<std::size_t>(material.bubble)];
  const bool buried = solid(x - 1, y, z) && solid(x + 1, y, z) && solid(x, y - 1, z) &&
                      solid(x, y + 1, z) && solid(x, y, z - 1) && solid(x, y, z + 1);
  if (bubble.open_faces && buried) return 0;
  std::uint32_t count = 0;
  for (const auto& [dx, dy, dz] : bubble.offsets) count += solid(x + dx, y + dy, z + dz) ? 0 : 1;
  return count;
}

std::vector<std::uint32_t> NaiveWeathering::words() const {
  std::vector<std::uint32_t> result = words_;
  for (int z = 0; z < shape_.nz; ++z)
    for (int y = 0; y < shape_.ny; ++y)
      for (int x = 0; x < shape_.nx; ++x)
        if (words_[at(x, y, z)] != 0)
          result[at(x, y, z)] = (words_[at(x, y, z)] & 0x7ffffU) | air(x, y, z) << 19;
  return result;
}

void NaiveWeathering::step() {
  const std::uint32_t seed = step_seed({1, step_, seed_}, 0x5c2ee417U);
  std::vector<std::uint32_t> next = words_;
  for (int z = 0; z < shape_.nz; ++z)
    for (int y = 0; y < shape_.ny; ++y)
      for (int x = 0; x < shape_.nx; ++x) {
        const std::uint32_t word = words_[at(x, y, z)];
        if (word == 0) continue;
        const VoxelMaterial& material = materials_[(word >> 11 & 255U) - 1];
        const Bubble& bubble = bubbles_[static_cast<std::size_t>(material.bubble)];
        const double rate = std::round(bubble.rates[air(x, y, z)] * 2047 * 512);
        const double share = std::round((1 - material.durability) * 4096);
        // In 2^-21 of an amount's unit, rounded by the hash's upper 21 bits.
        const auto worn = static_cast<std::uint32_t>(
            (static_cast<std::uint64_t>(rate * share) + (voxel_hash(seed, x, y, z) >> 11)) >> 21);
        const std::uint32_t amount = word & 2047U;
        next[at(x, y, z)] = amount > worn ? (word & 0x7f800U) | (amount - worn) : 0;
      }
  words_ = next;
  ++step_;
}

}  // namespace scree::testing
