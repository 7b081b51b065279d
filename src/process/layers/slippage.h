// Thermal erosion of layers (kernel/layers/slip.h): every surface of every stack slides to the
// talus angle of what it is made of.
#pragma once

#include <vector>

#include "kernel/layers/slip.h"
#include "process/core/step_table.h"
#include "process/layers/layer_process.h"

#define SCREE_PARAMETERS SlippageParameters
#define SCREE_DEF "kernel/layers/slippage.def"
#include "base/define_parameters.h"

namespace scree {

class Slippage : public LayerProcess {
 public:
  explicit Slippage(SlippageParameters parameters = {});

  std::string name() const override { return "slippage"; }
  void prepare(Layers& terrain) override;
  void run(Layers& terrain, const StepContext& context) override;

  // What the kernel gets: the materials by number, of a step that stands for so many seconds, and
  // the numbers of a step.
  static std::vector<LayerMaterial> table(const Layers& terrain,
                                          const SlippageParameters& rule = {}, double seconds = 1);
  Slip numbers(const Layers& terrain, const StepContext& context) const;
  // How slopes are measured on its cells.
  static Slopes slopes(const LayerShape& shape);

 private:
  SlippageParameters parameters_;
  StepTable<LayerMaterial> table_;
  device::BufferPtr needed_;
  device::BufferPtr work_;  // of OpenCL, where there are voids (kernel/layers/slip_work.h)
};

}  // namespace scree
