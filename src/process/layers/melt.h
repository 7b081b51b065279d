// Ice on layers melts by altitude and aspect into water that runs (kernel/layers/melt.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernel/layers/melt.h"
#include "process/layers/layer_process.h"

#define SCREE_PARAMETERS MeltParameters
#define SCREE_DEF "kernel/layers/melt.def"
#include "base/define_parameters.h"

namespace scree {

class Melting : public LayerProcess {
 public:
  explicit Melting(MeltParameters parameters = {});

  std::string name() const override { return "melt"; }
  // UsageError where nothing is fluid: ice would melt into nothing.
  void prepare(Layers& terrain) override;
  void run(Layers& terrain, const StepContext& context) override;
  void visit(StateVisitor& visitor) override;
  std::vector<FieldSpec> fields() const override;
  std::vector<float> values(const Layers& terrain, const std::string& field) const override;
  std::map<std::string, LayerBooking> booked(const Layers& terrain) const override;

  // What the kernel gets.
  static std::vector<MeltMaterial> table(const Layers& terrain);
  Melt numbers(const Layers& terrain, const StepContext& context) const;

 private:
  std::vector<std::uint32_t> counted(const Layers& terrain, const device::Buffer& counts) const;

  MeltParameters parameters_;
  device::DevicePtr device_;
  device::BufferPtr table_, tops_before_, needed_, melted_, gained_;
};

}  // namespace scree
