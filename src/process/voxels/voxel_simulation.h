// Steps a terrain of voxels through its processes and keeps the ledger. Steps have no duration.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "process/core/balance.h"
#include "process/core/stepping.h"
#include "process/voxels/voxel_process.h"

namespace scree {

class VoxelStepping {
 public:
  using Kind = VoxelProcess;
  static constexpr bool has_dt = false;

  explicit VoxelStepping(Voxels& terrain) : terrain_(terrain) {}
  Voxels& terrain() const { return terrain_; }
  void run(VoxelProcess& process, const StepContext& context) const {
    process.run(terrain_, context);
  }
  void finish() const { terrain_.device().finish(); }
  static int weight(std::uint64_t runs) { return sampled_weight(runs); }

 private:
  Voxels& terrain_;
};

class VoxelSimulation : public Stepping<VoxelStepping> {
 public:
  // `terrain` must outlive it.
  VoxelSimulation(Voxels& terrain, std::vector<VoxelProcessPtr> processes,
                  const SimulationOptions& options = {});

  WeatheringLedger ledger() const;
  // Of voxels and of amounts.
  std::vector<Balance> balances() const;
  Voxels& terrain() { return policy_.terrain(); }
  const Voxels& terrain() const { return policy_.terrain(); }

  // Words of a box were changed from outside: whoever keeps something of them hears so.
  void terrain_changed(const Box& box) { tell_of_change(box); }
  // The same, and books what the edit brought in.
  void terrain_changed(const Receipt& receipt);

  // Other processes in place of those there are, from the next step on: each takes over what the
  // one of its name has kept. UsageError, and nothing has changed, where one that has booked
  // something is not among them.
  void set_processes(std::vector<VoxelProcessPtr> processes);

  // Everything that the next step reads, with the colours of the materials for whoever looks at it
  // alone. The names that processes keep are those of their state: no two may share one.
  void visit(StateVisitor& visitor);

 private:
  void prepare();
  void visit_terrain(StateVisitor& visitor);

  long long start_ = 0, start_amount_ = 0;
};

}  // namespace scree
