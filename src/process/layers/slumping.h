// Roofs of layers that span too far fall into the voids below them (kernel/layers/slump.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernel/layers/slump.h"
#include "process/layers/layer_process.h"

#define SCREE_PARAMETERS SlumpingParameters
#define SCREE_DEF "kernel/layers/slumping.def"
#include "base/define_parameters.h"

namespace scree {

class Slumping : public LayerProcess {
 public:
  explicit Slumping(SlumpingParameters parameters = {});

  std::string name() const override { return "slumping"; }
  void prepare(Layers& terrain) override;
  // All that does not stand as the terrain is now falls at once; what that leaves behind may let
  // more fall in the next step.
  void run(Layers& terrain, const StepContext& context) override;
  void visit(StateVisitor& visitor) override;
  std::map<std::string, long long> counts() const override { return {{"columns_fallen", fallen_}}; }

  // Metres from its support that the end of a single layer of this thickness stands.
  static double span(const Material& material, double thickness,
                     const SlumpingParameters& parameters = {});

  // What the kernel gets.
  static std::vector<SlumpMaterial> table(const Layers& terrain);
  Slump numbers(const Layers& terrain) const;

 private:
  bool spread(const Layers& terrain, bool first);

  SlumpingParameters parameters_;
  long long fallen_ = 0;
  device::BufferPtr table_, word_, before_, after_;
};

}  // namespace scree
