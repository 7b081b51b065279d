#include "process/voxels/stability.h"

#include <vector>

#include "base/error.h"
#include "kernel/voxels/stability.h"

namespace scree {
namespace {

constexpr device::Kernel start_kernel{"stability_start", "kernel/voxels/stability.h"};
constexpr device::Kernel wake_kernel{"stability_wake", "kernel/voxels/stability.h"};
constexpr device::Kernel flood_kernel{
    "stability_flood", "kernel/voxels/stability.cl", 1, 1, BRICK_Y, BRICK_Z};
constexpr device::Kernel cut_kernel{"stability_cut", "kernel/voxels/stability.h"};

// Between two looks at whether a brick was woken: a look waits for the device.
constexpr int floods_at_once = 4;

}  // namespace

StabilityCheck::StabilityCheck(Voxels& terrain) : terrain_(terrain) {
  if (terrain_.box().sides == 0)
    throw UsageError("stability: no side of the box is rock, so there is no ground to stand on");
  const auto bricks = static_cast<std::size_t>(terrain_.bricks());
  reached_ = terrain_.device().allocate(terrain_.bits_buffer()->bytes());
  wake_ = terrain_.device().allocate(bricks * sizeof(std::uint32_t));
  counters_ = terrain_.device().allocate((STABILITY_COUNTERS + STABILITY_BOOKED * bricks) *
                                         sizeof(std::uint32_t));
}

void StabilityCheck::flood() {
  device::Device& device = terrain_.device();
  const VoxelBox& b = terrain_.box();
  device::Arguments start;
  start.add(b).add(terrain_.bits_buffer()).add(reached_);
  const int rows = b.slice / b.row * (b.bricks_z + 2) * BRICK_Z;
  device.run(start_kernel, Range{0, 0, b.row, rows}, start);
  device::Arguments wake;
  wake.add(b).add(wake_).add(counters_);
  device.run(wake_kernel, Range{0, 0, terrain_.bricks(), 1}, wake);
  std::uint32_t woken = 0;
  Stability numbers{};
  do {
    for (int i = 0; i < floods_at_once; ++i) {
      ++numbers.turn;
      device::Arguments a;
      a.add(b).add(numbers).add(terrain_.bits_buffer()).add(reached_).add(wake_).add(counters_);
      device.run(flood_kernel, Range{0, 0, b.bricks_z, b.bricks_x * b.bricks_y}, a);
    }
    device.read(*counters_, STABILITY_WOKEN * sizeof woken, &woken, sizeof woken);
  } while (woken == static_cast<std::uint32_t>(numbers.turn));
  floods_ = numbers.turn;
}

StabilityCheck::Cut StabilityCheck::take(const device::BufferPtr& table,
                                         const device::BufferPtr& changed,
                                         const device::BufferPtr& fallen) {
  flood();
  device::Device& device = terrain_.device();
  const VoxelBox& b = terrain_.box();
  Stability numbers{};
  numbers.keep = fallen ? 1 : 0;
  device::Arguments a;
  a.add(b).add(numbers).add(table).add(reached_).add(terrain_.words_buffer());
  a.add(terrain_.bits_buffer()).add(fallen ? fallen : wake_).add(changed).add(counters_);
  device.run(cut_kernel, Range{0, 0, b.bricks_x, b.ny * b.nz}, a);
  std::uint32_t voxels = 0;
  device.read(*counters_, STABILITY_CUT * sizeof voxels, &voxels, sizeof voxels);
  Cut cut;
  if (voxels == 0) return cut;
  // A brick's counts fit into 32 bits, those of the box need not.
  std::vector<std::uint32_t> booked(static_cast<std::size_t>(terrain_.bricks()) * STABILITY_BOOKED);
  const std::size_t first = STABILITY_COUNTERS * sizeof booked[0];
  device.read(*counters_, first, booked.data(), booked.size() * sizeof booked[0]);
  for (std::size_t i = 0; i < booked.size(); i += STABILITY_BOOKED) {
    cut.rock += booked[i] - booked[i + 1];
    cut.loose += booked[i + 1];
    cut.amount += booked[i + 2];
  }
  booked.assign(booked.size(), 0);
  device.write(*counters_, first, booked.data(), booked.size() * sizeof booked[0]);
  return cut;
}

}  // namespace scree
