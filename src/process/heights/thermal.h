// Thermal weathering: slopes steeper than the talus angle slide (kernel/heights/thermal.h).
#pragma once

#include "kernel/heights/thermal.h"
#include "process/core/process.h"

#define SCREE_PARAMETERS ThermalParameters
#define SCREE_DEF "kernel/heights/thermal.def"
#include "base/define_parameters.h"

namespace scree {

class ThermalWeathering : public Process {
 public:
  explicit ThermalWeathering(ThermalParameters parameters) : parameters_(std::move(parameters)) {}

  std::string name() const override { return "thermal"; }
  std::vector<FieldSpec> fields(const std::set<std::string>& maps) const override;
  void run(Heightfield& terrain, const StepContext& context, int phase) override;
  std::vector<std::string> halo_fields(const Heightfield& terrain, int phase) const override;

  Thermal thermal_numbers(const Heightfield& terrain, const StepContext& context) const;

 private:
  void tell_of_limit(const Heightfield& terrain, double seconds);

  ThermalParameters parameters_;
  int runs_ = 0;
};

}  // namespace scree
