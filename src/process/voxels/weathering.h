// Spheroidal weathering with colluvium and stability, on voxels (kernel/voxels/weather.h,
// kernel/voxels/colluvium.h, kernel/voxels/stability.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/voxels/colluvium.h"
#include "process/voxels/bubble.h"
#include "process/voxels/regions.h"
#include "process/voxels/stability.h"
#include "terrain/voxels/voxels.h"

#define SCREE_PARAMETERS WeatheringParameters
#define SCREE_DEF "kernel/voxels/weathering.def"
#include "base/define_parameters.h"

namespace scree {

// Voxels: rock and loose at the start = rock + loose now + deleted + left.
// Amounts (2047 in a whole voxel): at the start + renewed = now + worn + left_amount + cut_amount.
struct WeatheringLedger {
  long long start = 0, rock = 0, loose = 0;
  long long deleted = 0;  // loose voxels worn away, and rock where no colluvium is made of it
  long long left = 0;     // fell through a bottom that is air, or found no room
  long long cut_off = 0;  // came down because nothing joined it to the ground any more
  long long start_amount = 0, amount = 0;
  long long worn = 0;         // taken by weathering
  long long renewed = 0;      // given to rock that became colluvium, whole again
  long long left_amount = 0;  // of what left
  long long cut_amount = 0;   // of what was cut off and deleted

  long long voxel_error() const { return start - rock - loose - deleted - left; }
  long long amount_error() const {
    return start_amount + renewed - amount - worn - left_amount - cut_amount;
  }
};

class Weathering {
 public:
  // `terrain` must outlive it. Materials name bubbles by their place in the list. With colluvium
  // on, the first loose material of the terrain is what rock becomes.
  Weathering(Voxels& terrain, std::vector<Bubble> bubbles, WeatheringParameters parameters,
             std::uint64_t seed);

  // Wears all rock once, takes off what is cut off from the ground where it is time to look, drops
  // what came off, and counts the air anew where anything changed.
  void step();
  std::uint64_t steps() const { return step_; }
  // Air counts of all voxels, where the terrain was changed from outside; step() does it too.
  void refresh();

  // Where and when rate and durability are others, from the next step on; none: nowhere.
  void set_regions(std::vector<WeatherRegion> regions);

  WeatheringLedger ledger() const;
  // Of the last step.
  int rounds() const { return rounds_; }
  // Bricks that the next step looks at, and those whose air the last one counted again.
  struct Activity {
    int weathering = 0, recounted = 0;
    friend bool operator==(const Activity&, const Activity&) = default;
  };
  Activity activity() const;
  const Voxels& terrain() const { return terrain_; }
  const std::vector<Bubble>& bubbles() const { return bubbles_; }

  // To go on from a checkpoint: the step, and what the ledger had booked.
  struct Booked {
    long long start = 0, start_amount = 0, rock_gone = 0, loose_gone = 0, worn = 0, left = 0,
              left_amount = 0, cut_off = 0, cut_amount = 0;
  };
  Booked booked() const;
  void restore(std::uint64_t step, const Booked& booked);

 private:
  void upload_tables();
  void run_bricks(const device::Kernel& kernel, const device::Arguments& arguments);
  // `anew`: there may be bricks whose air must be counted anew.
  void recount(bool anew);
  void check_stability();
  void drop();
  void run_round(const Colluvium& numbers);
  void need_tokens(std::size_t count);
  Colluvium colluvium_numbers() const;

  Voxels& terrain_;
  std::vector<Bubble> bubbles_;
  WeatheringParameters parameters_;
  std::uint64_t seed_, step_ = 0, seen_revision_ = 0;
  std::uint32_t loose_material_ = 0;
  Booked booked_;
  Weather numbers_{};
  int rounds_ = 0;
  std::uint64_t stability_every_ = 0;
  std::optional<StabilityCheck> stability_;
  RegionField regions_;
  device::BufferPtr table_, rates_, plan_, runs_, active_, changed_, stale_, gone_, tally_;
  device::BufferPtr fallen_, columns_, counters_, claims_;
  bool columns_known_ = false;  // columns_ are true of all that has not changed since
  device::BufferPtr origins_, places_, heights_, amounts_;
};

}  // namespace scree
