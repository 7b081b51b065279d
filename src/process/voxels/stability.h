// Looks for rock that is cut off from the ground and takes it off (kernel/voxels/stability.h).
#pragma once

#include "terrain/voxels/voxels.h"

namespace scree {

class StabilityCheck {
 public:
  // `terrain` must outlive it, and some side of its box must be rock: that is the ground.
  explicit StabilityCheck(Voxels& terrain);

  struct Cut {
    long long rock = 0, loose = 0;  // voxels
    long long amount = 0;
  };
  // Takes off what no chain of faces joins to the ground. `table` is the weathering's of materials,
  // `changed` its bricks. Where `fallen` is given, what comes off is noted there and keeps its
  // words, for colluvium to gather; otherwise it is deleted.
  Cut take(const device::BufferPtr& table, const device::BufferPtr& changed,
           const device::BufferPtr& fallen);
  // Floods that the last look took.
  int floods() const { return floods_; }

 private:
  void flood();

  Voxels& terrain_;
  int floods_ = 0;
  device::BufferPtr reached_, wake_, counters_;
};

}  // namespace scree
