// What happens to a terrain of voxels. A process changes the words, tells what it takes away, and
// keeps beside them what it needs.
#pragma once

#include <memory>
#include <vector>

#include "process/core/process.h"
#include "terrain/voxels/voxels.h"

namespace scree {

// Voxels: rock and loose at the start + edited = rock + loose now + deleted + left.
// Amounts (2047 in a whole voxel): at the start + renewed + edited = now + worn + left_amount +
// cut_amount.
struct WeatheringLedger {
  long long start = 0, rock = 0, loose = 0;
  long long deleted = 0;  // loose voxels worn away, and rock where no colluvium is made of it
  long long left = 0;     // fell through a bottom that is air, or found no room
  long long cut_off = 0;  // came down because nothing joined it to the ground any more
  long long start_amount = 0, amount = 0;
  long long worn = 0;                       // taken by weathering
  long long renewed = 0;                    // given to rock that became colluvium, whole again
  long long left_amount = 0;                // of what left
  long long cut_amount = 0;                 // of what was cut off and deleted
  long long edited = 0, edited_amount = 0;  // brought in from outside

  long long voxel_error() const { return start + edited - rock - loose - deleted - left; }
  long long amount_error() const {
    return start_amount + edited_amount + renewed - amount - worn - left_amount - cut_amount;
  }
};

class VoxelProcess : public AnyProcess {
 public:
  static constexpr const char* terrain_kind = "voxels";
  std::uint64_t seed = 0;  // of the run
  // Before the first step, and before a state is restored: makes what it needs for this terrain,
  // which outlives it.
  virtual void prepare(Voxels& terrain) = 0;
  virtual void run(Voxels& terrain, const StepContext& context) = 0;
  // Adds what it took away since the beginning.
  virtual void book(WeatheringLedger& /*ledger*/) const {}
};

using VoxelProcessPtr = std::unique_ptr<VoxelProcess>;

}  // namespace scree
