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
#include "process/voxels/voxel_process.h"

#define SCREE_PARAMETERS WeatheringParameters
#define SCREE_DEF "kernel/voxels/weathering.def"
#include "base/define_parameters.h"

namespace scree {

// What a weathering is made of beside its parameters (ProcessSettings::plan).
struct WeatheringPlan {
  std::vector<Bubble> bubbles;
  std::vector<WeatherRegion> regions;
};

class Weathering : public VoxelProcess {
 public:
  // Materials name bubbles by their place in the list. With colluvium on, the first loose material
  // of the terrain is what rock becomes.
  explicit Weathering(WeatheringPlan plan, WeatheringParameters parameters = {});

  std::string name() const override { return "weathering"; }
  void prepare(Voxels& terrain) override;
  // Wears all rock once, takes off what is cut off from the ground where it is time to look, drops
  // what came off, and counts the air anew where anything changed.
  void run(Voxels& terrain, const StepContext& context) override;
  void visit(StateVisitor& visitor) override;
  // Counts the air anew within a bubble of the box.
  void terrain_changed(const Box& box) override;
  void book(WeatheringLedger& ledger) const override;
  // Air counts of all voxels, where the terrain was changed and nobody said where; run() does it
  // too.
  void refresh();

  // Where and when rate and durability are others, from the next step on; none: nowhere.
  void set_regions(std::vector<WeatherRegion> regions);

  // Of the last step.
  int rounds() const { return rounds_; }
  // Bricks that the next step looks at, and those whose air the last one counted again.
  struct Activity {
    int weathering = 0, recounted = 0;
    friend bool operator==(const Activity&, const Activity&) = default;
  };
  Activity activity() const;
  const std::vector<Bubble>& bubbles() const { return bubbles_; }

 private:
  // What it took away since the beginning.
  struct Booked {
    long long rock_gone = 0, loose_gone = 0, worn = 0, left = 0, left_amount = 0, cut_off = 0,
              cut_amount = 0;
  };
  Booked booked() const;
  void set_booked(const Booked& booked);
  void make_buffers();
  void make_colluvium();
  void upload_tables();
  void run_bricks(const device::Kernel& kernel, const device::Arguments& arguments);
  // `anew`: there may be bricks whose air must be counted anew.
  void recount(bool anew);
  void check_stability(std::uint64_t step);
  void drop(const StepContext& context);
  void run_round(const Colluvium& numbers);
  void need_tokens(std::size_t count);
  Colluvium colluvium_numbers(const StepContext& context) const;
  Voxels& terrain() const { return *terrain_; }

  Voxels* terrain_ = nullptr;
  std::vector<Bubble> bubbles_;
  std::vector<WeatherRegion> regions_;
  WeatheringParameters parameters_;
  std::uint64_t seen_revision_ = 0;
  std::uint32_t loose_material_ = 0;
  Booked booked_;
  Weather numbers_{};
  int rounds_ = 0;
  std::uint64_t stability_every_ = 0;
  std::optional<StabilityCheck> stability_;
  std::optional<RegionField> field_;  // of the regions
  device::BufferPtr table_, rates_, plan_, runs_, active_, changed_, stale_, gone_, tally_;
  device::BufferPtr fallen_, columns_, counters_, claims_;
  bool columns_known_ = false;  // columns_ are true of all that has not changed since
  device::BufferPtr origins_, places_, heights_, amounts_;
};

}  // namespace scree
