// Thermal erosion of layers (kernel/slip.h): every surface of every stack slides to the talus angle
// of what it is made of.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/slip.h"
#include "terrain/layers.h"

#define SCREE_PARAMETERS SlippageParameters
#define SCREE_DEF "kernel/slippage.def"
#include "base/define_parameters.h"

namespace scree {

class Slippage {
 public:
  explicit Slippage(Layers& terrain, SlippageParameters parameters = {}, std::uint64_t seed = 1);

  void step();
  void run(std::uint64_t steps);
  std::uint64_t steps_done() const { return step_; }

  // What the kernel gets: the materials by number, and the numbers of the next step.
  static std::vector<LayerMaterial> table(const Layers& terrain);
  Slip numbers() const;

 private:
  Layers& terrain_;
  SlippageParameters parameters_;
  std::uint64_t seed_, step_ = 0;
  device::BufferPtr table_, needed_;
};

}  // namespace scree
